/* SPDX-License-Identifier: BSD-3-Clause */
/* Evictions of lines from the L2 of another core, on simulated machines: only cores that share it
 * evict, under every replacement policy. */
#include "test.h"

#include "facts/sharing/benchmark.h"
#include "facts/sharing/detect.h"
#include "sim/simulated.h"
#include "sample_model.h"

static const double KIB = 1 << 10, MIB = 1 << 20;

enum { CORES = 4, VISITS = 5 };

/* A machine of four cores, whose L2 is of one of them or of two neighbours. */
typedef struct known {
    double l2_kib;
    int cores_per_l2;
    srv_replacement policy;
    srv_model_noise noise;
} known;

static void set_cache(srv_model_cache *cache, double bytes, int ways, double cycles)
{
    cache->bytes = bytes;
    cache->ways = ways;
    cache->latency_cycles = cycles;
}

static srv_machine *machine_of(const known *of)
{
    srv_machine *machine;
    srv_model *model = sample_model();
    model->cache_count = 3;
    model->cache[2] = model->cache[1];
    set_cache(&model->cache[0], 32 * KIB, 8, 4);
    set_cache(&model->cache[1], of->l2_kib * KIB, 8, 14);
    set_cache(&model->cache[2], 16 * MIB, 16, 40);
    model->cache[1].pus_per_instance = of->cores_per_l2;
    model->cache[1].replacement = of->policy;
    model->cache[2].level = 3;
    model->cache[2].pus_per_instance = CORES;
    model->noise = of->noise;
    assert_ok(srv_simulated_from(&machine, model, NULL));
    return machine;
}

static double visit(srv_machine *machine, const known *of, int core, int intruder, int number)
{
    const srv_sharing_layout layout = {64, SERVET_PAGES_BASE, 7};
    double ns;
    assert_ok(
        srv_bench_eviction(machine, &layout, core, intruder, of->l2_kib * KIB, number, &ns, NULL));
    return ns;
}

/* The odds that two cores share the L2, after as many visits as it takes. */
static double probe(srv_machine *machine, const known *of, const srv_contrast *contrast, int core,
                    int other)
{
    double odds = 0, least = INFINITY;
    for (int i = 0; i < VISITS && fabs(odds) < SRV_ODDS_SETTLED; i++) {
        least = fmin(least, visit(machine, of, core, other, 1 + i));
        odds = srv_evicted_odds(contrast, least, i + 1);
    }
    return odds;
}

/* An adaptive policy may keep its lines against a traversal: evictions then give no answer, but no
 * wrong one. The OS numbers the cores backwards: 3 and 2 are neighbours, and 1 and 0. */
static void is_reported(const known *of)
{
    srv_machine *machine = machine_of(of);
    double kept = visit(machine, of, 0, SRV_NO_INTRUDER, 0),
           lost = visit(machine, of, 0, SRV_ITSELF, 0);
    srv_contrast contrast = srv_evicted(kept, lost);
    for (int core = 0; core < CORES; core++)
        for (int other = 0; other < CORES; other++) {
            bool shared = core / of->cores_per_l2 == other / of->cores_per_l2;
            double odds = core == other ? 0 : probe(machine, of, &contrast, core, other);
            double settled = of->policy == SRV_REPLACE_ADAPTIVE ? 0 : SRV_ODDS_SETTLED;
            if (core != other && (shared ? odds : -odds) < settled)
                fail_msg("%s, %g KiB, %d cores: %d and %d by %.2g (%.3g ns kept, %.3g lost)",
                         shared ? "shared" : "apart", of->l2_kib, of->cores_per_l2, core, other,
                         odds, kept, lost);
        }
    srv_machine_destroy(machine);
}

static void every_policy(srv_model_noise noise)
{
    for (int policy = 0; policy < SRV_REPLACEMENT_COUNT; policy++)
        for (int cores = 1; cores <= 2; cores++)
            for (double kib = 128; kib <= (double)test_cases(128, 512); kib *= 4)
                is_reported(&(known){kib, cores, (srv_replacement)policy, noise});
}

TEST(only_cores_that_share_a_cache_evict)
{
    every_policy((srv_model_noise){0});
}

/* Other programs sometimes run on the core; the quietest trial counts. */
TEST(other_work_does_not_change_the_result)
{
    every_policy(
        (srv_model_noise){.jitter = 0.05, .sibling = {.busy = 0.13, .burst_ms = 5, .levels = 2}});
}

/* A set that is lost whoever traverses, or never, tells nothing. */
TEST(sets_without_a_contrast_are_undecided)
{
    srv_contrast alike = srv_evicted(14, 16), none = srv_evicted(0, 40);
    for (double ns = 10; ns < 50; ns += 5) {
        assert_true(srv_contrast_odds(&alike, log(ns)) == 0);
        assert_true(srv_contrast_odds(&none, log(ns)) == 0);
    }
}

/* The set takes half of the cache; the set that evicts it is three times as large as the cache. */
TEST(the_memory_needed_is_predicted)
{
    assert_true(srv_bench_eviction_bytes(MIB) == 3.5 * MIB);
    assert_true(srv_bench_eviction_bytes(1) == 2 * 4096);
}
