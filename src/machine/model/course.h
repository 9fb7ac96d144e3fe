/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Traversals at once, in the steps that hardware takes (hardware/walk.c, team.c): a sweep, a
 * warm-up, then samples while all of them walk. Only the number of loads is limited to what the
 * answer needs.
 */
#ifndef SRV_MODEL_COURSE_H
#define SRV_MODEL_COURSE_H

#include "machine/model/walker.h"

enum { SRV_SAMPLES_MAX = 1024 };

/** Length of a sample on hardware, in ns. */
#define SRV_SAMPLE_NS 20e3

/** One of the traversals. The caller starts the walker and sets `seconds`. */
typedef struct srv_course {
    srv_walker walker;
    double seconds; /**< to sample, on hardware */
    int sample_count;
    double sample_ns[SRV_SAMPLES_MAX]; /**< the answer: ns per load in each sample */

    size_t slot;        /**< next slot of the sweep */
    size_t steps, left; /**< of the stretch under way */
    size_t enough;      /**< steps of a sample that tell what it would be on hardware */
    double began_ns;    /**< start of the stretch on the walker's clock */
    double ns_per_load; /**< in the last stretch that ended */
    int taken;          /**< samples so far */
    double clock_ns;    /**< of the first sample, on the machine's clock, where there is a sibling */
    unsigned changes;   /**< of the sibling, so many are known */
    double unsettled;   /**< steps until the caches are as they will be since the last change */
    bool others;        /**< the sibling was at work just before or after the samples */
    bool rests;         /**< waits for the others */
} srv_course;

/**
 * Runs the courses, interleaved by their clocks: the one that is behind always takes the next step.
 * Returns the ns that passed on the virtual clock before the first sample.
 */
double srv_course_run(srv_course *courses, int count);

#endif
