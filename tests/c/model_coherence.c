/* SPDX-License-Identifier: BSD-3-Clause */
/* Line transfers, false sharing and pairs of loads on simulated machines: the expected times follow
 * from the models by hand. */
#include "test.h"

#include "sim/simulated.h"
#include "sample_model.h"

static const double KIB = 1 << 10;

/* The sample with a table: 20 ns between PUs of a pair, 50 ns beyond. Pairs share the L2: OS
 * numbers 3 and 2, 1 and 0. */
static srv_machine *sample(void)
{
    srv_model *model = sample_model();
    model->distance_count = 2;
    model->distance[0] = (srv_model_distance){2, 20};
    model->distance[1] = (srv_model_distance){4, 50};
    return machine_of_model(model);
}

static double handed_over(srv_machine *machine, int owner, int reader, double bytes, bool modified)
{
    srv_line_transfer transfer = {owner, reader, bytes, 64, modified, 1, 1e-3};
    srv_timing timing = {.error = -1, .busy = -1};
    assert_ok(machine->ops->transfer_lines(machine, &transfer, 1, &timing, NULL));
    assert_true(isnan(timing.error) && isnan(timing.busy)); /* they are recorded for any prober */
    assert_true(fabs(timing.mean / timing.spread.median - 1) < 1e-9);
    return timing.mean;
}

static bool near(double value, double expected)
{
    return fabs(value / expected - 1) < 0.01;
}

TEST(a_modified_line_takes_the_transfer_of_its_pair)
{
    srv_machine *machine = sample();
    assert_true(near(handed_over(machine, 3, 2, 64, true), 20));
    assert_true(near(handed_over(machine, 2, 3, 2 * KIB, true), 20));
    assert_true(near(handed_over(machine, 0, 1, 2 * KIB, true), 20));
    assert_true(near(handed_over(machine, 2, 1, 2 * KIB, true), 50));
    assert_true(near(handed_over(machine, 0, 3, 2 * KIB, true), 50));
}

/* Loaded lines come from the L2 (10 ns) where it is shared, though the owner has them in its L1,
 * too; else from the other core, which is faster (50 ns) than memory (100 ns). */
TEST(a_loaded_line_comes_from_the_nearest_copy)
{
    srv_machine *machine = sample();
    assert_true(near(handed_over(machine, 3, 2, 2 * KIB, false), 10));
    assert_true(near(handed_over(machine, 3, 1, 2 * KIB, false), 50));
}

/* Lines that left the owner's L1 (4 KiB) for the L2 that both share are hits there, modified or
 * not: 28 of 32 KiB. */
TEST(lines_that_the_owner_lost_are_ordinary_loads)
{
    srv_machine *machine = sample();
    assert_true(near(handed_over(machine, 3, 2, 32 * KIB, true), (4 * 20 + 28 * 10) / 32.));
    assert_true(near(handed_over(machine, 3, 2, 32 * KIB, false), 10));
}

/* Four threads of a Niagara core share even the L1, into which it writes through. */
TEST(threads_of_a_core_are_a_pair)
{
    srv_machine *machine = shipped_machine("niagara-t1");
    assert_true(near(handed_over(machine, 0, 1, 2 * KIB, true), 20));
    assert_true(near(handed_over(machine, 0, 31, 2 * KIB, true), 20));
    assert_true(near(handed_over(machine, 0, 1, 2 * KIB, false), 3 / 1.2));
}

/* 12 pairs of Dunnington at once: 0 and 12 share an L2 (13 ns), 0 and 1 a processor (42 ns), 0 and
 * 3 nothing (120 ns); the OS numbers are the paper's. */
TEST(concurrent_pairs_do_not_disturb_each_other)
{
    srv_machine *machine = shipped_machine("dunnington");
    const int pairs[3][2] = {{0, 12}, {1, 14}, {2, 3}};
    const double expected[3] = {13, 42, 120};
    srv_line_transfer transfers[3];
    srv_timing timings[3];
    for (int i = 0; i < 3; i++)
        transfers[i] =
            (srv_line_transfer){pairs[i][0], pairs[i][1], 64 * 2112, 2112, true, 1, 1e-3};
    double before = machine->ops->elapsed(machine);
    assert_ok(machine->ops->transfer_lines(machine, transfers, 3, timings, NULL));
    double seconds = machine->ops->elapsed(machine) - before;
    for (int i = 0; i < 3; i++)
        assert_true(near(timings[i].mean, expected[i]));
    assert_true(seconds > 1e-3 && seconds < 20e-3);
}

TEST(noise_spreads_the_samples)
{
    srv_machine *machine = shipped_machine("cloud-vm");
    srv_line_transfer transfer = {0, 2, 64 * 2112, 2112, true, 1, 4e-3};
    srv_timing timing;
    assert_ok(machine->ops->transfer_lines(machine, &transfer, 1, &timing, NULL));
    assert_true(timing.spread.low < timing.spread.median);
    assert_true(timing.spread.median < timing.spread.high);
    assert_true(fabs(timing.mean / 68 - 1) < 0.05);
}

static double contended(srv_machine *machine, int core, int other, double apart)
{
    srv_false_sharing false_sharing = {core, other, apart, 1e-3};
    srv_timing timing;
    assert_ok(machine->ops->false_sharing(machine, &false_sharing, &timing, NULL));
    return timing.spread.median;
}

TEST(bytes_of_one_block_contend)
{
    srv_machine *machine = sample();
    assert_true(near(contended(machine, 3, 2, 63), 20));
    assert_true(near(contended(machine, 3, 2, 64), 2));
    assert_true(near(contended(machine, 3, 0, 1), 50));
    assert_true(near(contended(machine, 3, 0, 64), 2));
}

/* Cores of a Niagara share the L2, whose lines have 64 bytes, but not the L1, whose lines have 16.
 * Threads of a core share both. */
TEST(the_block_is_the_line_of_the_first_cache_not_shared)
{
    srv_machine *machine = shipped_machine("niagara-t1");
    assert_true(near(contended(machine, 0, 4, 15), 20));
    assert_true(near(contended(machine, 0, 4, 16), 3 / 1.2));
    assert_true(near(contended(machine, 0, 1, 1), 3 / 1.2));
    machine =
        shipped_machine("finis-terrae"); /* nothing is shared: L3, 128 bytes, and not L1, 64 */
    assert_true(near(contended(machine, 0, 1, 64), 190));
    assert_true(near(contended(machine, 0, 15, 127), 380));
    assert_true(near(contended(machine, 0, 1, 128), 1 / 1.6));
}

/* ns of an operation of the first `count` OS numbers of the sample, 3, 2, 1, 0, which are logical
 * numbers 0 to 3. */
static double synchronized(srv_machine *machine, servet_sync_op op, int count)
{
    static const int cores[] = {3, 2, 1, 0};
    const srv_sync sync = {op, cores, count, 1e-3};
    srv_spread ns;
    assert_ok(machine->ops->synchronize(machine, &sync, &ns, NULL));
    return ns.median;
}

/* Each of four PUs has one at 20 ns, and two at 50 ns: a transfer takes 40 ns. The rounds of a
 * barrier reach the next one, 50 ns for two of them, and the one after that. */
TEST(synchronized_cores_pass_lines_on)
{
    srv_machine *machine = sample();
    assert_true(near(synchronized(machine, SERVET_SYNC_ADD, 1), 2));
    assert_true(near(synchronized(machine, SERVET_SYNC_ADD, 2), 20));
    assert_true(near(synchronized(machine, SERVET_SYNC_CAS, 4), 40));
    assert_true(near(synchronized(machine, SERVET_SYNC_LOCK, 4), 80));
    assert_true(near(synchronized(machine, SERVET_SYNC_CENTRAL, 2), 60));
    assert_true(near(synchronized(machine, SERVET_SYNC_CENTRAL, 4), 4 * 40 + 50));
    assert_true(near(synchronized(machine, SERVET_SYNC_DISSEMINATION, 4), 100));
}

static double loaded_in_pairs(srv_machine *machine, double bytes, double stride)
{
    srv_traversal pairs = {.core = 0,
                           .bytes = bytes,
                           .pattern = SRV_PATTERN_PAIRS,
                           .line_bytes = 64,
                           .stride = stride,
                           .chains = 1,
                           .seed = 1,
                           .seconds = 1e-3};
    srv_timing timing;
    assert_ok(machine->ops->traverse(machine, &pairs, 1, &timing, NULL));
    return timing.mean;
}

/* 32 KiB miss the L1 of 4 KiB nearly always (7 of 8 blocks have left it) and fit the L2: the second
 * load of a pair hits the L1 (2 ns) as long as both lie in one line. */
TEST(the_second_load_of_a_pair_hits_its_line)
{
    srv_machine *machine = sample();
    for (double stride = 8; stride < 64; stride *= 2) {
        double ns = loaded_in_pairs(machine, 32 * KIB, stride);
        assert_true(ns > 5 && ns <= 6.01);
    }
    for (double stride = 64; stride <= 512; stride *= 2) {
        double ns = loaded_in_pairs(machine, 32 * KIB, stride);
        assert_true(ns > 8.9 && ns <= 10.01);
    }
}

TEST(invalid_probes_are_refused)
{
    srv_machine *machine = sample();
    srv_timing timings[2];
    srv_line_transfer empty = {0, 1, 32, 64, true, 0, 1e-3}, self = {1, 1, 64, 64, true, 0, 1e-3};
    srv_line_transfer wrong = {0, 4, 64, 64, true, 0, 1e-3};
    srv_line_transfer twice[2] = {{0, 1, 64, 64, true, 0, 1e-3}, {2, 0, 64, 64, true, 0, 1e-3}};
    srv_false_sharing none = {0, 1, 0, 1e-3}, alone = {1, 1, 64, 1e-3};
    assert_int_equal(machine->ops->transfer_lines(machine, &empty, 1, timings, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->transfer_lines(machine, &self, 1, timings, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->transfer_lines(machine, &wrong, 1, timings, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->transfer_lines(machine, twice, 2, timings, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->false_sharing(machine, &none, timings, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->false_sharing(machine, &alone, timings, NULL), SERVET_EARGUMENT);
    const int pus[] = {0, 1, 4};
    const srv_sync refused[] = {{SERVET_SYNC_ADD, pus, 0, 1e-3},
                                {SERVET_SYNC_CENTRAL, pus, 1, 1e-3},
                                {SERVET_SYNC_COUNT, pus, 1, 1e-3},
                                {SERVET_SYNC_ADD, pus, 3, 1e-3},
                                {SERVET_SYNC_ADD, (const int[]){1, 1}, 2, 1e-3}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(machine->ops->synchronize(machine, &refused[i], &timings->spread, NULL),
                         SERVET_EARGUMENT);
    const srv_sync hint = {SERVET_SYNC_PAUSE, pus, 1, 1e-3};
    assert_int_equal(machine->ops->synchronize(machine, &hint, &timings->spread, NULL),
                     SERVET_EUNSUPPORTED);
}
