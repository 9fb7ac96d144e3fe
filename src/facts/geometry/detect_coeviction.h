/* SPDX-License-Identifier: BSD-3-Clause */
/** Trials of co-eviction, and the effect of each element on each other one. */
#ifndef SRV_FACTS_GEOMETRY_DETECT_COEVICTION_H
#define SRV_FACTS_GEOMETRY_DETECT_COEVICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "servet/error.h"

/** Trials: in each of them some of the elements took part, each once. A zeroed one is empty. */
typedef struct srv_coeviction {
    int elements; /**< in all */
    int trials;
    size_t *first; /**< trials + 1 of them: trial t has the items first[t] to first[t + 1] - 1 of
                      `element` and `ns` */
    uint32_t *element; /**< below `elements` */
    float *ns;         /**< time of its loads in the timed round */
    size_t trials_room, room;
} srv_coeviction;

/**
 * Adds a number of trials of `walked` elements each, and returns the first of their places in
 * `element` and `ns`, for the caller to fill, in `*at`. Errors: SERVET_EMEMORY.
 */
int srv_coeviction_add(srv_coeviction *trials, int count, int walked, size_t *at,
                       servet_error *error);

/** Frees the trials and leaves none. */
void srv_coeviction_finish(srv_coeviction *trials);

/** The two modes of the times, and the position of each time between them. */
typedef struct srv_slowness {
    double fast_ns, slow_ns; /**< the modes */
    double slow_share;       /**< share of the times (0..1) that are nearer to the slow mode */
    float *of;               /**< of each time: 0 like the fast mode, 1 like the slow one. Owned;
                                free() */
} srv_slowness;

/** Places the times of at least one trial between their modes. False without memory: `of` is then
 * NULL. */
bool srv_coeviction_slowness(const srv_coeviction *trials, srv_slowness *slowness);

/** Effects of elements on each other: the time of one in trials with another one, minus the average
 * of both; n * n each, the effect of j on i at [i * n + j]. */
typedef struct srv_effects {
    int n;
    float *half[2]; /**< in even and in odd trials */
    float *both;    /**< their mean, and the mean of the effects of i on j and j on i */
} srv_effects;

/** Finds the effects; subtracts from `slowness`, one for each time, the means of trials and
 * elements. False without memory; srv_effects_finish() either way. */
bool srv_coeviction_effects(const srv_coeviction *trials, float *slowness, srv_effects *effects);

void srv_effects_finish(srv_effects *effects);

#endif
