/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/degradation/stage_spread.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"

typedef struct spread {
    const int *cores;
    int count;
    bool *in;     /* whether set s has core c, at [s * count + c] */
    int *size;    /* of each set, cores that are not here left out */
    int *taken;   /* of each set */
    bool *chosen; /* of each core */
    int set_count;
} spread;

static bool allocate(spread *on, size_t sets, size_t cores)
{
    on->in = calloc(sets * cores + 1, sizeof *on->in);
    on->size = calloc(sets + 1, sizeof *on->size);
    on->taken = calloc(sets + 1, sizeof *on->taken);
    on->chosen = calloc(cores, sizeof *on->chosen);
    return on->in && on->size && on->taken && on->chosen;
}

static void release(spread *on)
{
    free(on->in);
    free(on->size);
    free(on->taken);
    free(on->chosen);
}

static void fill(spread *on, const srv_sets *sets)
{
    on->set_count = sets->count;
    for (int s = 0; s < sets->count; s++)
        for (int c = 0; c < on->count; c++)
            if (srv_ranges_contain(sets->set[s], on->cores[c])) {
                on->in[s * on->count + c] = true;
                on->size[s]++;
            }
}

/* How full the sets of a core are, all together. */
static double fullness(const spread *on, int core)
{
    double sum = 0;
    for (int s = 0; s < on->set_count; s++)
        if (on->in[s * on->count + core])
            sum += (double)on->taken[s] / on->size[s];
    return sum;
}

static void choose(spread *on, int core)
{
    on->chosen[core] = true;
    for (int s = 0; s < on->set_count; s++)
        on->taken[s] += on->in[s * on->count + core];
}

/* The i-th of 2^bits places such that every prefix is spread evenly: the bits of i, reversed.
 * Without other knowledge, neighbours in the OS's numbering probably share more than others. */
static int place_of(int i, int bits)
{
    int place = 0;
    for (int bit = 0; bit < bits; bit++)
        place |= (i >> bit & 1) << (bits - 1 - bit);
    return place;
}

static int next_core(const spread *on, int bits)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < 1 << bits; i++) {
        int core = place_of(i, bits);
        if (core >= on->count || on->chosen[core])
            continue;
        double full = fullness(on, core);
        if (full < least) {
            least = full;
            best = core;
        }
    }
    return best;
}

int srv_network_spread(const srv_sets *sets, const int *cores, int count, int *order,
                       servet_error *error)
{
    spread on = {.cores = cores, .count = count};
    int bits = 0;
    while (1 << bits < count)
        bits++;
    bool allocated = allocate(&on, (size_t)sets->count, (size_t)count);
    if (allocated) {
        fill(&on, sets);
        for (int i = 0; i < count; i++) {
            order[i] = next_core(&on, bits);
            choose(&on, order[i]);
        }
    }
    release(&on);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}
