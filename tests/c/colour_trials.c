/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"
#include "colour_trials.h"

#include <math.h>
#include <stdlib.h>

#include "sim/random.h"
#include "machine/order.h"

/* Replacement by chance differs from set to set of a colour, of which an element has many. */
enum { SETS_RANDOM = 32 };

/* Noise: the mean number of trials in a burst, the mean share of an element's lines that are lost
 * in it, and the slowdown of everything. */
static const double BURST_TRIALS = 60, LOST = 0.4, SLOWDOWN = 1.4;

static int sets_of(const colour_machine *machine)
{
    return machine->random ? SETS_RANDOM : 1;
}

void colour_machine_begin(colour_machine *machine, int elements, uint64_t seed)
{
    machine->state = seed;
    machine->elements = elements;
    machine->left = 0;
    machine->cache =
        small_cache_of(machine->colours * sets_of(machine), machine->ways, machine->random, seed);
    machine->colour = malloc((size_t)elements * sizeof *machine->colour);
    assert_non_null(machine->colour);
    for (int e = 0; e < elements; e++)
        machine->colour[e] = (int)srv_random_below(&machine->state, (uint32_t)machine->colours);
}

void colour_machine_finish(colour_machine *machine)
{
    small_cache_finish(&machine->cache);
    free(machine->colour);
    machine->colour = NULL;
}

/* The share of an element's sets in which it is not there. */
static double visit(colour_machine *machine, uint32_t element)
{
    int sets = sets_of(machine), misses = 0;
    for (int i = 0; i < sets; i++)
        misses +=
            !small_cache_visit(&machine->cache, machine->colour[element] * sets + i, element + 1);
    return (double)misses / sets;
}

/* Bursts and pauses end by chance. */
static bool others_work(colour_machine *machine)
{
    if (machine->left-- <= 0) {
        machine->others = srv_random_unit(&machine->state) < machine->busy;
        machine->left = (int)(-BURST_TRIALS * log(1 - srv_random_unit(&machine->state)));
    }
    return machine->others;
}

static float time_of(colour_machine *machine, double misses, bool others)
{
    double lost = others ? 2 * LOST * srv_random_unit(&machine->state) : 0;
    double share = misses + (1 - misses) * lost;
    double ns = (COLOUR_HIT_NS + (COLOUR_MISS_NS - COLOUR_HIT_NS) * share) *
                (others ? SLOWDOWN : 1) * (1 + 0.02 * srv_random_unit(&machine->state));
    double phase = srv_random_unit(&machine->state), step = machine->step_ns;
    return (float)(step > 0 ? step * floor(ns / step + phase) : ns);
}

void colour_machine_run(colour_machine *machine, const uint32_t *element, int walked, float *ns)
{
    bool others = others_work(machine);
    for (int round = 0; round < machine->rounds; round++)
        for (int i = 0; i < walked; i++)
            visit(machine, element[i]);
    for (int i = 0; i < walked; i++)
        ns[i] = time_of(machine, visit(machine, element[i]), others);
}

void colour_trials_add(colour_machine *machine, srv_coeviction *trials, int count, int walked)
{
    size_t at;
    assert_ok(srv_coeviction_add(trials, count, walked, &at, NULL));
    for (int t = 0; t < count; t++, at += (size_t)walked) {
        srv_order order = srv_order_of((size_t)machine->elements, srv_random_bits(&machine->state));
        for (int i = 0; i < walked; i++)
            trials->element[at + (size_t)i] = (uint32_t)srv_order_at(&order, (size_t)i);
        colour_machine_run(machine, trials->element + at, walked, trials->ns + at);
    }
}
