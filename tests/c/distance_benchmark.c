/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs of cores are measured, in as few probes as the machine allows, on machines whose
 * distances are known. */
#include "test.h"

#include "alloc.h"
#include "facts/distance/benchmark.h"
#include "stats/round_robin.h"
#include "core/error.h"
#include "sample_model.h"

/* --- a machine of pairs, fours and a rest ----------------------------------------------------- */

/* Time of a visit on the machine's clock. */
static const double PROBE_SECONDS = 10e-3;

typedef struct fake {
    srv_machine machine;
    int undisturbed;  /* pairs that fit side by side; more of them take twice as long */
    double loose;     /* share of the answers that scatter and are 40 % too high, by chance */
    int together;     /* answers of cores 5 and 9, of the first ones, while they share a core */
    int restless;     /* answers of pairs with this core scatter always; 0: of none */
    double placement; /* answers differ by this share from visit to visit */
    int probes, answers, most_at_once;
    double seconds;
    bool apart; /* no core was in two pairs of a probe */
    uint64_t random;
} fake;

static double distance_ns(int a, int b)
{
    return a / 2 == b / 2 ? 20 : a / 4 == b / 4 ? 50 : 100;
}

static bool meets_itself(const srv_line_transfer *transfers, int count)
{
    for (int i = 0; i < 2 * count; i++)
        for (int j = 0; j < i; j++) {
            int a = i % 2 ? transfers[i / 2].owner : transfers[i / 2].reader;
            int b = j % 2 ? transfers[j / 2].owner : transfers[j / 2].reader;
            if (a == b)
                return true;
        }
    return false;
}

static srv_timing answer(fake *on, const srv_line_transfer *transfer, int count)
{
    double ns = distance_ns(transfer->owner, transfer->reader);
    on->answers++;
    if (transfer->owner + transfer->reader == 5 + 9 && transfer->owner * transfer->reader == 5 * 9)
        ns = on->together-- > 0 ? 2 : ns;
    ns *= count > on->undisturbed ? 2 : 1;
    ns *= 1 + on->placement * (on->answers % 3 - 1);
    srv_timing timing = {.mean = ns, .spread = {ns, ns, 0.99 * ns, 1.01 * ns, 100}};
    on->random = on->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    bool restless =
        on->restless > 0 && (transfer->owner == on->restless || transfer->reader == on->restless);
    if (restless || (double)(on->random >> 11) * 0x1p-53 < on->loose) {
        timing.mean = timing.spread.median = 1.4 * ns;
        timing.spread.high = 2 * ns;
    }
    return timing;
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    (void)error;
    fake *on = (fake *)machine;
    on->probes++;
    on->most_at_once = count > on->most_at_once ? count : on->most_at_once;
    on->apart = on->apart && !meets_itself(transfers, count);
    on->seconds += PROBE_SECONDS;
    for (int i = 0; i < count; i++) {
        assert_true(transfers[i].modified);
        timings[i] = answer(on, &transfers[i], count);
    }
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return ((fake *)machine)->seconds;
}

static fake a_fake(void)
{
    static const srv_machine_ops ops = {.transfer_lines = transfer_lines, .elapsed = elapsed};
    return (fake){.machine = {&ops}, .undisturbed = 1 << 20, .apart = true};
}

/* --- probing it ------------------------------------------------------------------------------- */

enum { CORES_MAX = 64 };

static int cores[CORES_MAX];

static srv_distance_plan of_cores(fake *on, int count)
{
    for (int i = 0; i < count; i++)
        cores[i] = i;
    return (srv_distance_plan){.cores = cores,
                               .count = count,
                               .seed = 1,
                               .sampler = {.machine = &on->machine, .deadline.at = INFINITY}};
}

TEST_KEEPS_VALUE(srv_distances, srv_distances_finish)

static srv_distances measured(const fake *on, const srv_distance_plan *plan)
{
    srv_distances distances;
    assert_ok(srv_bench_distances(plan, &distances, NULL));
    assert_true(on->apart);
    return keep_srv_distances(distances);
}

/* Each direction of each pair is within `share` of the truth. */
static void is_right(const srv_distances *distances, double share)
{
    for (int i = 0; i < distances->count; i++)
        for (int j = 0; j < distances->count; j++) {
            double ns = distances->cost[i * distances->count + j];
            if (i == j)
                assert_true(ns == 0);
            else
                assert_true(fabs(ns / distance_ns(i, j) - 1) <= share);
        }
}

TEST(a_schedule_has_each_pair_once)
{
    for (int n = 1; n <= 33; n++) {
        bool met[33][33] = {{false}};
        int rounds = srv_round_robin_rounds(n), pairs = 0;
        assert_int_equal(rounds, n < 2 ? 0 : n % 2 ? n : n - 1);
        for (int round = 0; round < rounds; round++) {
            srv_couple couples[16];
            bool is_in_round[33] = {false};
            int count = srv_round_robin_round(n, round, couples);
            assert_int_equal(count, n / 2);
            for (int i = 0; i < count; i++) {
                srv_couple one = couples[i];
                assert_true(one.a >= 0 && one.a < one.b && one.b < n);
                assert_false(is_in_round[one.a] || is_in_round[one.b] || met[one.a][one.b]);
                is_in_round[one.a] = is_in_round[one.b] = met[one.a][one.b] = true;
                pairs++;
            }
        }
        assert_int_equal(pairs, n * (n - 1) / 2);
    }
}

TEST(all_pairs_are_probed_in_both_directions)
{
    const int counts[] = {2, 3, 8, 13, 24};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        fake on = a_fake();
        srv_distance_plan plan = of_cores(&on, counts[i]);
        srv_distances distances = measured(&on, &plan);
        assert_int_equal(distances.count, counts[i]);
        assert_int_equal(distances.at_once, counts[i] / 2);
        assert_int_equal(on.most_at_once, counts[i] / 2);
        is_right(&distances, 1e-9);
    }
}

TEST(one_core_has_no_distance)
{
    fake on = a_fake();
    srv_distance_plan plan = of_cores(&on, 1);
    srv_distances distances = measured(&on, &plan);
    assert_int_equal(distances.count, 1);
    assert_int_equal(on.probes, 0);
}

/* 24 cores make 12 pairs, of which 3 fit side by side: 12, 6 and then 3 are tried. */
TEST(pairs_that_disturb_each_other_are_probed_apart)
{
    fake on = a_fake();
    on.undisturbed = 3;
    srv_distance_plan plan = of_cores(&on, 24);
    srv_distances distances = measured(&on, &plan);
    assert_int_equal(distances.at_once, 3);
    is_right(&distances, 1e-9);
    on = a_fake();
    on.undisturbed = 1;
    distances = measured(&on, &plan);
    assert_int_equal(distances.at_once, 1);
    is_right(&distances, 1e-9);
}

/* Visits that scatter come again, and don't count where others don't. */
TEST(disturbed_visits_are_replaced)
{
    for (int seed = 1; seed <= 10; seed++) {
        fake on = a_fake();
        on.loose = 0.25;
        on.random = (uint64_t)seed;
        srv_distance_plan plan = of_cores(&on, 8);
        srv_distances distances = measured(&on, &plan);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < i; j++) {
                double ns = fmin(distances.cost[i * 8 + j], distances.cost[j * 8 + i]);
                assert_true(fabs(ns / distance_ns(i, j) - 1) < 1e-9);
            }
    }
}

/* Core 5 of 8 is never left in peace: its pairs, and no others, are handed out as such. */
TEST(pairs_that_keep_scattering_are_reported)
{
    fake on = a_fake();
    on.restless = 5;
    srv_distance_plan plan = of_cores(&on, 8);
    srv_distances distances = measured(&on, &plan);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            assert_int_equal(distances.loose[i * 8 + j], i != j && (i == 5 || j == 5));
}

/* A hypervisor lets cores 5 and 9 share a core of its own during up to five of the first six
 * visits. */
TEST(cores_that_are_together_for_a_while_keep_their_distance)
{
    for (int together = 0; together <= 5; together++) {
        fake on = a_fake();
        on.together = together;
        srv_distance_plan plan = of_cores(&on, 16);
        srv_distances distances = measured(&on, &plan);
        is_right(&distances, 1e-6);
    }
}

/* Single visits are up to 10 % off, their means are not. */
TEST(visits_are_averaged)
{
    fake on = a_fake();
    on.placement = 0.1;
    srv_distance_plan plan = of_cores(&on, 2);
    srv_distances distances = measured(&on, &plan);
    is_right(&distances, 0.04);
}

/* 40 cores one after the other: 780 pairs, 7.8 s. In 2 s a part of the cores is measured, whole. */
TEST(with_little_time_fewer_cores_are_probed)
{
    fake on = a_fake();
    on.undisturbed = 1;
    srv_distance_plan plan = of_cores(&on, 40);
    plan.sampler.deadline.at = 2;
    srv_distances distances = measured(&on, &plan);
    assert_true(on.seconds <= 1.1 * plan.sampler.deadline.at);
    assert_true(distances.count >= 10 && distances.count < 40);
    for (int i = 0; i < distances.count; i++)
        for (int j = 0; j < i; j++)
            assert_true(distances.cost[i * distances.count + j] > 0 ||
                        distances.cost[j * distances.count + i] > 0);
}

static int stop_at_third(void *context, const char *what, double done)
{
    assert_string_equal(what, "");
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)context == 3;
}

TEST(the_caller_can_end_the_benchmark)
{
    fake on = a_fake();
    int calls = 0;
    srv_distance_plan plan = of_cores(&on, 8);
    srv_distances distances;
    plan.sampler.progress = stop_at_third;
    plan.sampler.context = &calls;
    assert_int_equal(srv_bench_distances(&plan, &distances, NULL), SERVET_EINTERRUPTED);
    assert_int_equal(on.probes, 2);
}

static int probe_eight(void *context)
{
    (void)context;
    fake on = a_fake();
    srv_distance_plan plan = of_cores(&on, 8);
    srv_distances distances;
    int code = srv_bench_distances(&plan, &distances, NULL);
    srv_distances_finish(&distances);
    return code;
}

TEST(each_failed_allocation_is_reported)
{
    assert_true(alloc_fail_everywhere(probe_eight, NULL) >= 3);
}

/* --- a model ---------------------------------------------------------------------------------- */

/* Sapphire Rapids: 14 cores of a cluster 52 ns, 56 of a processor 66 ns, 138 ns beyond; a minute of
 * its clock would be too long. */
TEST(many_cores_take_only_seconds)
{
    enum { CORES = 112 };
    srv_machine *machine = shipped_machine("sapphire-rapids-snc4");
    int all[CORES];
    for (int i = 0; i < CORES; i++)
        all[i] = i;
    srv_distances distances;
    srv_distance_plan plan = {.cores = all, .count = CORES, .seed = 1, .sampler.machine = machine};
    assert_ok(srv_bench_distances(&plan, &distances, NULL));
    keep_srv_distances(distances);
    assert_int_equal(distances.at_once, CORES / 2);
    assert_true(machine->ops->elapsed(machine) < 20);
    for (int i = 0; i < CORES; i++)
        for (int j = 0; j < CORES; j++) {
            double expected = i / 14 == j / 14 ? 52 : i / 56 == j / 56 ? 66 : 138;
            if (i != j)
                assert_true(fabs(distances.cost[i * CORES + j] / expected - 1) < 0.01);
        }
}
