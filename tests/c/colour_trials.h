/* SPDX-License-Identifier: BSD-3-Clause */
/** Trials of co-eviction in a cache whose colours are known: elements of one colour share its sets.
 */
#ifndef SRV_TESTS_COLOUR_TRIALS_H
#define SRV_TESTS_COLOUR_TRIALS_H

#include "facts/geometry/detect_pages.h"
#include "small_cache.h"

/** Time of an element whose lines all hit, and all miss; ns. */
#define COLOUR_HIT_NS  200.0
#define COLOUR_MISS_NS 640.0

typedef struct colour_machine {
    int colours, ways;
    int rounds;  /**< before the timed one */
    bool random; /**< replacement; else LRU */
    double busy; /**< share of the trials (0..1), in bursts, in which others use the cache and the
                      core, too */
    double step_ns; /**< of the clock; 0: exact */
    uint64_t state; /**< of all random numbers */
    int left;       /**< trials until others change what they do */
    bool others;    /**< are at work */
    int elements;
    int *colour; /**< of each element: the truth */
    small_cache cache;
} colour_machine;

/** Gives each element a random colour; colour_machine_finish() frees them. */
void colour_machine_begin(colour_machine *machine, int elements, uint64_t seed);
void colour_machine_finish(colour_machine *machine);

/** Runs a trial of `walked` elements; `ns` takes their times. */
void colour_machine_run(colour_machine *machine, const uint32_t *element, int walked, float *ns);

/** Adds `count` trials of `walked` random elements. */
void colour_trials_add(colour_machine *machine, srv_coeviction *trials, int count, int walked);

#endif
