/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sibling.h"

#include <math.h>

#include "sim/random.h"

/* A computing thread loads about every fourth cycle, and a quarter of its loads that reach a
 * cache miss it: so it replaces an L1 of 512 lines within some thousand cycles, an L2 of 1 MiB
 * within a millisecond. */
static const double LOAD_CYCLES = 4, MISSES = 0.25;

/* Bursts and pauses have exponentially distributed lengths, which give the requested share. */
static double length_ns(srv_sibling *sibling)
{
    const srv_model_sibling *model = sibling->model;
    double burst_ns = model->burst_ms * 1e6;
    double mean_ns = sibling->at_work ? burst_ns : burst_ns * (1 - model->busy) / model->busy;
    return -log(1 - srv_random_unit(&sibling->random)) * mean_ns;
}

void srv_sibling_begin(srv_sibling *sibling, const srv_model_sibling *model, uint64_t seed)
{
    *sibling = (srv_sibling){.model = model, .random = srv_mix(seed)};
    sibling->at_work = srv_random_unit(&sibling->random) < model->busy;
    sibling->until_ns = length_ns(sibling);
}

void srv_sibling_stir(srv_sibling *sibling, uint64_t seed)
{
    sibling->random ^= srv_mix(seed);
}

static void pass(srv_sibling *sibling, double clock_ns)
{
    if (sibling->at_work)
        sibling->worked_ns += clock_ns - sibling->now_ns;
    sibling->now_ns = clock_ns;
}

void srv_sibling_follow(srv_sibling *sibling, double clock_ns)
{
    while (sibling->until_ns <= clock_ns) {
        pass(sibling, sibling->until_ns);
        sibling->at_work = !sibling->at_work;
        sibling->changes++;
        sibling->until_ns += length_ns(sibling);
    }
    if (clock_ns > sibling->now_ns)
        pass(sibling, clock_ns);
}

void srv_sibling_leap(srv_sibling *sibling, double now_ns, double clock_ns)
{
    double worked_ns = sibling->worked_ns;
    srv_sibling_follow(sibling, clock_ns);
    sibling->worked_ns = worked_ns;
    sibling->ahead_ns = sibling->now_ns - now_ns;
}

double srv_sibling_turnover_ns(const srv_model_sibling *model, const srv_model_cache *cache,
                               double ghz)
{
    if (!(model->busy > 0) || cache->level > model->levels)
        return 0;
    double lines_per_ns = ghz / LOAD_CYCLES * pow(MISSES, cache->level);
    return cache->bytes / cache->line_bytes / lines_per_ns;
}
