/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/round.h"

#include <stdlib.h>

/* Lines reach their places in the last cache within about as many rounds as there are caches; trees
 * of ages may never repeat. */
enum { TRIES = 8 };

void srv_round_watch(srv_round *round, const srv_hierarchy *hierarchy, int pu,
                     const uint64_t *address, size_t count, size_t loads)
{
    srv_round_finish(round);
    round->load = calloc(loads, sizeof *round->load);
    if (!round->load)
        return;
    round->address = address;
    round->count = count;
    round->loads = loads;
    round->tries = TRIES;
    round->prefetches = srv_hierarchy_prefetches(hierarchy, pu);
}

/* True if the last round used only caches that nothing else changes. Prefetchers are not followed:
 * the lines that they fetch lie elsewhere, and they heed the clock. */
static bool depends_on_loads(const srv_round *round, const srv_hierarchy *hierarchy, int pu)
{
    int deepest = 0;
    for (size_t i = 0; i < round->loads; i++)
        deepest = round->load[i].depth > deepest ? round->load[i].depth : deepest;
    return srv_hierarchy_is_calm(hierarchy, pu, deepest) &&
           srv_hierarchy_prefetches(hierarchy, pu) == round->prefetches;
}

/* The lines of a round touch no other sets than those that are compared: a line that comes into
 * others has left one of these, and its place there is not as it was. */
static bool leaves_the_same(srv_round *round, const srv_hierarchy *hierarchy, int pu)
{
    uint64_t before = round->contents;
    bool compares = round->compares;
    round->contents = srv_hierarchy_contents(hierarchy, pu, round->address, round->count);
    round->compares = true;
    return compares && round->contents == before;
}

/* Contents are compared only after two rounds that found the same. */
static void end(srv_round *round, const srv_hierarchy *hierarchy, int pu)
{
    bool likely = !round->differs && depends_on_loads(round, hierarchy, pu);
    round->differs = false;
    round->prefetches = srv_hierarchy_prefetches(hierarchy, pu);
    if (likely)
        round->repeats = leaves_the_same(round, hierarchy, pu);
    else
        round->compares = false;
    if (!round->repeats && --round->tries == 0)
        srv_round_finish(round);
}

static bool same(srv_load_result a, srv_load_result b)
{
    return a.depth == b.depth && a.translation_ns == b.translation_ns;
}

double srv_round_load(srv_round *round, srv_hierarchy *hierarchy, int pu, uint64_t address,
                      double now_ns)
{
    if (!round->load)
        return srv_hierarchy_load(hierarchy, pu, address, now_ns);
    srv_load_result *load = &round->load[round->at];
    if (++round->at == round->loads)
        round->at = 0;
    if (round->repeats)
        return srv_hierarchy_again(hierarchy, pu, load, now_ns);
    double ns = srv_hierarchy_load(hierarchy, pu, address, now_ns);
    srv_load_result result = srv_hierarchy_last(hierarchy, pu);
    round->differs = round->differs || !same(result, *load);
    *load = result;
    if (round->at == 0)
        end(round, hierarchy, pu);
    return ns;
}

void srv_round_finish(srv_round *round)
{
    free(round->load);
    *round = (srv_round){0};
}
