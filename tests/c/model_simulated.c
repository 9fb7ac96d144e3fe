/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample model (its OS numbers PUs 0..3 as cores 3..0) behind the machine interface. */
#include "test.h"

#include <time.h>

#include "sim/simulated.h"
#include "sample_model.h"

static const double L1_NS = 2, L2_NS = 10, MEMORY_NS = 100, KIB = 1 << 10, MIB = 1 << 20;

static srv_traversal of_bytes(double bytes)
{
    return (srv_traversal){.core = 3,
                           .bytes = bytes,
                           .line_bytes = 64,
                           .stride = 1024,
                           .chains = 1,
                           .pages = SERVET_PAGES_BASE,
                           .seed = 1,
                           .seconds = 4e-3};
}

static srv_timing timing_of(srv_machine *machine, srv_traversal traversal)
{
    srv_timing timing;
    assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
    return timing;
}

static double latency(srv_machine *machine, srv_traversal traversal)
{
    return timing_of(machine, traversal).spread.median;
}

/* --- latencies -------------------------------------------------------------------------------- */

TEST(latencies_are_those_of_the_levels)
{
    srv_machine *machine = machine_of_model(sample_model());
    assert_float_equal(latency(machine, of_bytes(4 * KIB)), L1_NS, 1e-9);
    /* 32 KiB at random: 1/8 of the lines are in L1 at best. */
    double between = latency(machine, of_bytes(32 * KIB));
    assert_true(between > L2_NS - (L2_NS - L1_NS) / 8 && between <= L2_NS * 1.1);
    /* 16 MiB: at most 64 + 4 KiB of them are in a cache. */
    double far = latency(machine, of_bytes(16 * MIB));
    assert_true(far <= MEMORY_NS && far > MEMORY_NS * (1 - 68.0 / 16384) - 1);
}

TEST(the_papers_traversal_follows_its_stride)
{
    srv_model *model = sample_model();
    model->cache[0].bytes = 32 * KIB; /* 32 lines of 1 KiB apart are on 8 of 128 sets, 4 in each */
    model->cache_count = 1;
    model->placement = SRV_PAGES_COLOURED;
    srv_machine *machine = machine_of_model(model);
    srv_traversal traversal = of_bytes(32 * KIB);
    traversal.pattern = SRV_PATTERN_STRIDE;
    assert_float_equal(latency(machine, traversal), L1_NS, 1e-9);
    traversal.bytes = 40 * KIB; /* 40 are 5 in each */
    assert_float_equal(latency(machine, traversal), MEMORY_NS, 1e-9);
    traversal.stride = 8;
    traversal.bytes = 4 * KIB;
    assert_float_equal(latency(machine, traversal), L1_NS, 1e-9);
}

TEST(one_line_for_each_page_shows_translation)
{
    srv_model *model = sample_model();
    model->cache[0].bytes = MIB; /* so that 64 lines fit wherever they lie */
    model->cache[0].ways = 64;
    model->tlb_count = 1;
    model->tlb[0] = (srv_model_tlb){.entries = 32, .ways = 0, .penalty_cycles = 30};
    model->huge_bytes = 2 * MIB;
    srv_machine *machine = machine_of_model(model);
    srv_traversal pages = of_bytes(32 * 4 * KIB);
    pages.pattern = SRV_PATTERN_PAGES;
    assert_float_equal(latency(machine, pages), L1_NS, 1e-9);
    pages.bytes = 64 * 4 * KIB; /* 64 pages in a cycle: LRU misses always */
    srv_timing on_base = timing_of(machine, pages);
    assert_float_equal(on_base.spread.median, L1_NS + 30, 1e-9);
    assert_float_equal(on_base.huge_share, 0, 0);
    pages.pages = SERVET_PAGES_HUGE;
    srv_timing on_huge = timing_of(machine, pages);
    assert_float_equal(on_huge.spread.median, L1_NS, 1e-9);
    assert_float_equal(on_huge.huge_share, 1, 0);
}

/* 4 sets of 8: pages side by side use all, every fourth one the same. LRU misses always then, and
 * two of these in a huge page hit again. */
TEST(lines_spread_over_pages_share_the_sets_of_a_tlb)
{
    srv_model *model = sample_model();
    model->tlb_count = 1;
    model->tlb[0] = (srv_model_tlb){.entries = 32, .ways = 8, .penalty_cycles = 30};
    model->huge_bytes = 32 * KIB;
    srv_machine *machine = machine_of_model(model);
    srv_traversal spread = of_bytes(32 * 4 * KIB);
    spread.pattern = SRV_PATTERN_SPREAD;
    spread.stride = 4 * KIB;
    spread.apart = spread.line_bytes;
    spread.phases = 64;
    assert_float_equal(latency(machine, spread), L1_NS, 1e-9);
    spread.bytes = 36 * 4 * KIB; /* 9 in each set */
    assert_float_equal(latency(machine, spread), L1_NS + 30, 1e-9);
    spread.stride = 16 * KIB;
    spread.bytes = 8 * spread.stride;
    assert_float_equal(latency(machine, spread), L1_NS, 1e-9);
    spread.bytes = 9 * spread.stride;
    assert_float_equal(latency(machine, spread), L1_NS + 30, 1e-9);
    spread.pages = SERVET_PAGES_HUGE;
    assert_float_equal(latency(machine, spread), L1_NS, 1e-9);
    spread.phases = 0;
    srv_timing timing;
    assert_int_equal(machine->ops->traverse(machine, &spread, 1, &timing, NULL), SERVET_EARGUMENT);
}

/* A window is a power of two and no less than a page. */
TEST(lines_vary_within_a_window)
{
    srv_traversal spread = {.apart = 64, .phases = 64};
    assert_true(srv_traversal_window(&spread, 4096) == 4096);
    assert_true(srv_traversal_window(&spread, 65536) == 65536);
    spread.apart = 4160;
    spread.phases = 504;
    assert_true(srv_traversal_window(&spread, 4096) == 2 * MIB);
    spread.apart = 0;
    assert_true(srv_traversal_window(&spread, 4096) == 4096);
}

TEST(chains_overlap_and_delays_add_up)
{
    srv_machine *machine = machine_of_model(sample_model());
    srv_traversal traversal = of_bytes(16 * MIB);
    double alone = latency(machine, traversal);
    traversal.chains = 4;
    assert_float_equal(latency(machine, traversal), MEMORY_NS / 4, 0.5);
    traversal.chains = 1;
    traversal.delay = 64; /* multiplications of 3 cycles */
    assert_float_equal(latency(machine, traversal), alone + 64 * 3, 1);
}

/* A core has 10 misses in flight unless the model gives a number; hits only wait to be issued. */
TEST(misses_in_flight_are_limited)
{
    srv_model *model = sample_model();
    srv_machine *machine = machine_of_model(model);
    srv_traversal memory = of_bytes(16 * MIB), hits = of_bytes(2 * KIB);
    memory.chains = hits.chains = 30;
    assert_float_equal(latency(machine, memory), MEMORY_NS / 10, 0.1);
    assert_float_equal(latency(machine, hits), 1, 1e-9); /* a cycle each */
    model->misses_in_flight = 24;
    memory.seed = 2; /* not the traversal that was answered before */
    assert_float_equal(latency(machine, memory), MEMORY_NS / 24, 0.1);
    memory.chains = 12;
    assert_float_equal(latency(machine, memory), MEMORY_NS / 12, 0.1);
}

TEST(each_seed_has_other_pages)
{
    srv_machine *machine = machine_of_model(sample_model());
    double least = INFINITY, most = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        srv_traversal traversal = of_bytes(56 * KIB); /* 14 pages on 2 page sets of 8 */
        traversal.seed = seed;
        double ns = latency(machine, traversal);
        least = fmin(least, ns);
        most = fmax(most, ns);
        assert_float_equal(latency(machine, traversal), ns, 1e-9);
    }
    assert_true(most > least + 5);
}

/* --- several at once -------------------------------------------------------------------------- */

static void both(srv_machine *machine, int other, double bytes, double ns[2])
{
    srv_traversal traversals[2] = {of_bytes(bytes), of_bytes(bytes)};
    srv_timing timings[2];
    traversals[1].core = other;
    assert_ok(machine->ops->traverse(machine, traversals, 2, timings, NULL));
    for (int i = 0; i < 2; i++)
        ns[i] = timings[i].spread.median;
}

/* Two thirds of a cache, twice: requirement H1-H3. Cores 3 and 2 are PUs 0 and 1, which share L2.
 */
TEST(cores_that_share_a_cache_slow_each_other)
{
    srv_model *model = sample_model();
    model->cache[1].bytes = MIB;
    model->placement = SRV_PAGES_COLOURED;
    srv_machine *machine = machine_of_model(model);
    double alone = latency(machine, of_bytes(680 * KIB)), shared[2], apart[2];
    assert_float_equal(alone, L2_NS, 0.2);
    both(machine, 2, 680 * KIB, shared);
    both(machine, 1, 680 * KIB, apart);
    for (int i = 0; i < 2; i++) {
        assert_true(shared[i] > 2 * alone);
        assert_float_equal(apart[i], alone, 0.2);
    }
}

/* One with a set of L1, one with a set of memory: they run at their own rates, in the same time. */
TEST(slow_and_fast_traversals_run_at_their_own_rates)
{
    srv_machine *machine = machine_of_model(sample_model());
    srv_traversal traversals[2] = {of_bytes(4 * KIB), of_bytes(16 * MIB)};
    srv_timing timings[2];
    traversals[1].core = 0;
    assert_ok(machine->ops->traverse(machine, traversals, 2, timings, NULL));
    assert_float_equal(timings[0].spread.median, L1_NS, 1e-9);
    assert_float_equal(timings[1].spread.median, MEMORY_NS, 1);
}

TEST(probes_that_hardware_refuses_are_refused)
{
    srv_machine *machine = machine_of_model(sample_model());
    srv_traversal right = of_bytes(4 * KIB), wrong[] = {right, right, right, right, right};
    wrong[0].core = 4;
    wrong[1].bytes = 0;
    wrong[2].chains = SRV_CHAINS_MAX + 1;
    wrong[3].chains = 2;
    wrong[3].delay = 1;
    wrong[4].pattern = SRV_PATTERN_STRIDE;
    wrong[4].stride = 0;
    srv_timing timings[2];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(machine->ops->traverse(machine, &wrong[i], 1, timings, NULL),
                         SERVET_EARGUMENT);
    srv_traversal twice[2] = {right, right};
    assert_int_equal(machine->ops->traverse(machine, twice, 2, timings, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->traverse(machine, twice, 0, timings, NULL), SERVET_EARGUMENT);
    right.bytes = 5e9;
    assert_int_equal(machine->ops->traverse(machine, &right, 1, timings, NULL), SERVET_EMEMORY);
}

/* --- clock and noise -------------------------------------------------------------------------- */

static double cost(srv_machine *machine, srv_traversal traversal)
{
    double before = machine->ops->elapsed(machine);
    (void)timing_of(machine, traversal);
    return machine->ops->elapsed(machine) - before;
}

/* Seconds that hardware would spend: the samples, and building and sweeping before them. */
TEST(the_clock_adds_the_time_on_hardware)
{
    srv_machine *machine = machine_of_model(sample_model());
    assert_float_equal(machine->ops->elapsed(machine), 0, 0);
    double first = cost(machine, of_bytes(4 * KIB)), again = cost(machine, of_bytes(4 * KIB));
    assert_true(first > again); /* memory was touched, the core got going */
    assert_true(again >= 4e-3 && again < 5e-3);
    double large = cost(machine, of_bytes(64 * MIB)), half = cost(machine, of_bytes(32 * MIB));
    /* 524,288 lines more to go round, 100 ns each, and to build, some 10 to 50 ns each. */
    assert_true(large - half > 52.4e-3 + 5e-3 && large - half < 52.4e-3 + 26e-3);
    srv_noise noise;
    double before = machine->ops->elapsed(machine);
    machine->ops->noise(machine, 3, 0.25, &noise, NULL);
    assert_float_equal(machine->ops->elapsed(machine) - before, 0.25, 1e-9);
    assert_float_equal(noise.lost, 0, 0);
}

/* The quartiles of a normal distribution lie 0.6745 standard deviations from its middle. Of 1,000
 * samples, the distance of quartiles is exact to some 4 %. */
TEST(jitter_spreads_samples_around_the_truth)
{
    srv_model *model = sample_model();
    model->noise.jitter = 0.05;
    model->noise.outlier_share = 0.1;
    model->noise.outlier_factor = 20;
    srv_machine *machine = machine_of_model(model);
    srv_traversal traversal = of_bytes(4 * KIB);
    traversal.seconds = 20e-3;
    srv_spread spread = timing_of(machine, traversal).spread;
    assert_int_equal(spread.n, 1000);
    /* Outliers move the median to quantile 0.5 / 0.9 of the others: up by 0.14 deviations. */
    assert_float_equal(spread.median, L1_NS * (1 + 0.14 * 0.05), 0.01);
    /* Quartiles 0.25 / 0.9 and 0.75 / 0.9 of the others: -0.59 and +0.97 deviations. */
    assert_float_equal((spread.high - spread.low) / L1_NS, (0.97 + 0.59) * 0.05, 0.01);
}

TEST(stolen_time_is_reported_and_ends)
{
    srv_model *model = sample_model();
    model->noise.steal = 0.2;
    srv_machine *machine = machine_of_model(model);
    srv_noise noise;
    machine->ops->noise(machine, 3, 10, &noise, NULL);
    assert_float_equal(noise.lost, 0.2, 0.01);
    assert_float_equal(noise.steal, 0.2, 0.01);
    assert_float_equal(latency(machine, of_bytes(4 * KIB)), L1_NS, 1e-9);
    assert_true(cost(machine, of_bytes(4 * KIB)) >= 4e-3 / 0.8);
}

/* All times grow by the drift within a minute, and so the frequency falls. */
TEST(drift_changes_times_and_frequency)
{
    srv_model *model = sample_model();
    model->noise.drift = 0.1;
    srv_machine *machine = machine_of_model(model);
    srv_noise noise;
    assert_float_equal(latency(machine, of_bytes(4 * KIB)), L1_NS, 1e-3);
    machine->ops->noise(machine, 3, 60, &noise, NULL);
    srv_timing later = timing_of(machine, of_bytes(4 * KIB));
    assert_float_equal(later.spread.median, L1_NS * 1.1, 1e-3);
    assert_float_equal(later.ghz, 1 / 1.1, 1e-3);
}

/* --- what the system says --------------------------------------------------------------------- */

TEST(the_operating_systems_report_is_that_of_the_model)
{
    srv_model *model = sample_model();
    model->cache_count = 3;
    model->cache[2] = model->cache[1];
    model->cache[2].level = 3;
    model->cache[1].hidden = true;
    model->cache[2].reported_bytes = 32 * MIB;
    srv_machine *machine = machine_of_model(model);
    srv_reported reported;
    assert_ok(machine->ops->reported(machine, 0, &reported, NULL));
    assert_int_equal(reported.count, 2);
    assert_float_equal(reported.level[0].bytes, 4 * KIB, 0);
    assert_float_equal(reported.level[1].bytes, 32 * MIB, 0);
    assert_int_equal(machine->ops->reported(machine, 4, &reported, NULL), SERVET_EARGUMENT);
    servet_machine description;
    assert_ok(machine->ops->describe(machine, &description, NULL));
    assert_int_equal(description.pu_count, 4);
    double bytes;
    assert_ok(machine->ops->memory(machine, &bytes, NULL));
    assert_float_equal(bytes, 4e9, 0);
    srv_clock_facts clock;
    assert_ok(machine->ops->clock(machine, &clock, NULL));
    assert_string_equal(clock.name, "virtual");
}

/* A hybrid: one core of 2 GHz, three of 1 GHz; OS numbers descend. */
TEST(core_types_have_their_own_cores_and_clocks)
{
    srv_model *model = sample_model();
    model->core_type_count = 2;
    model->core_type[0] = (srv_model_core_type){"fast", 0, 1, 2, 1};
    model->core_type[1] = (srv_model_core_type){"slow", 1, 3, 1, 1};
    srv_machine *machine = machine_of_model(model);
    srv_core_type kinds[SRV_CORE_TYPES_MAX];
    int count;
    assert_ok(machine->ops->core_types(machine, kinds, &count, NULL));
    assert_int_equal(count, 2);
    assert_string_equal(kinds[0].name, "fast");
    assert_string_equal(kinds[0].cores, "3");
    assert_string_equal(kinds[1].cores, "0-2");
    srv_traversal traversal = of_bytes(4 * KIB);
    srv_timing fast = timing_of(machine, traversal);
    traversal.core = 0;
    srv_timing slow = timing_of(machine, traversal);
    assert_float_equal(fast.spread.median, L1_NS / 2, 1e-9);
    assert_float_equal(fast.ghz, 2, 1e-9);
    assert_float_equal(slow.spread.median, L1_NS, 1e-9);
}

TEST(an_unknown_model_is_an_error)
{
    srv_machine *machine;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_simulated_create(&machine, "no/such/model.json", &error),
                     SERVET_ENOTFOUND);
    assert_true(error.text[0] != '\0');
}

/* --- the same traversal again ----------------------------------------------------------------- */

static int count_calls(void *context)
{
    ++*(int *)context;
    return 0;
}

/* Answers to a traversal twice; returns how often the second one called its watcher. */
static int answer_twice(srv_model *model, uint64_t seed, uint64_t again, srv_timing answers[2])
{
    srv_machine *machine = machine_of_model(model);
    srv_traversal traversal = of_bytes(16 * MIB);
    int calls = 0;
    traversal.seed = seed;
    machine->ops->watch(machine, count_calls, &calls);
    answers[0] = timing_of(machine, traversal);
    assert_true(calls > 0);
    calls = 0;
    traversal.seed = again;
    answers[1] = timing_of(machine, traversal);
    return calls;
}

TEST(the_same_traversal_is_simulated_once_where_no_one_else_loads)
{
    srv_timing answers[2];
    assert_int_equal(answer_twice(sample_model(), 1, 1, answers), 0);
    assert_float_equal(answers[0].mean, answers[1].mean, 0);
    assert_float_equal(answers[0].spread.low, answers[1].spread.low, 0);
    assert_true(answer_twice(sample_model(), 1, 2, answers) > 0);
    srv_model *noisy = sample_model();
    noisy->noise.jitter = 0.05;
    assert_int_equal(answer_twice(noisy, 1, 1, answers), 0);
    assert_true(answers[0].mean != answers[1].mean);
    srv_model *disturbed = sample_model();
    disturbed->noise.sibling = (srv_model_sibling){.busy = 0.3, .burst_ms = 1, .levels = 1};
    assert_true(answer_twice(disturbed, 1, 1, answers) > 0);
}

/* --- ending long probes ----------------------------------------------------------------------- */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Requests the end, and notes when. */
static int request_end(void *context)
{
    *(double *)context = cpu_seconds();
    return 1;
}

typedef int probe(srv_machine *machine);

static int traverse_long(srv_machine *machine)
{
    srv_traversal traversal = of_bytes(64 * MIB);
    srv_timing timing;
    return machine->ops->traverse(machine, &traversal, 1, &timing, NULL);
}

static int transfer_long(srv_machine *machine)
{
    srv_line_transfer transfer = {0, 3, 32 * MIB, 64, true, 1, 1e-3};
    srv_timing timing;
    return machine->ops->transfer_lines(machine, &transfer, 1, &timing, NULL);
}

static int evict_long(srv_machine *machine)
{
    enum { WALKED = 100, TRIALS = 200 };
    uint32_t *elements = calloc((size_t)WALKED * TRIALS, sizeof *elements);
    float *ns = calloc((size_t)WALKED * TRIALS, sizeof *ns);
    srv_eviction eviction = {.core = 3,
                             .other = -1,
                             .elements = 1000,
                             .element_bytes = 1024,
                             .lines = 16,
                             .line_bytes = 64,
                             .rounds = 3,
                             .trials = TRIALS,
                             .walked = WALKED,
                             .element = elements};
    int code = machine->ops->evict(machine, &eviction, ns, NULL);
    free(elements);
    free(ns);
    return code;
}

/* A signal must be answered within a second. */
TEST(a_long_probe_ends_on_request)
{
    probe *const probes[] = {traverse_long, transfer_long, evict_long};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        srv_machine *machine = machine_of_model(sample_model());
        double requested = 0;
        machine->ops->watch(machine, request_end, &requested);
        double began = cpu_seconds();
        assert_int_equal(probes[i](machine), SERVET_EINTERRUPTED);
        assert_true(requested >= began);
        assert_true(requested - began < 1 && cpu_seconds() - requested < 1);
    }
}
