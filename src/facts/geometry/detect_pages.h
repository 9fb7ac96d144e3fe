/* SPDX-License-Identifier: BSD-3-Clause */
/** Trials of co-eviction, and the effect of each element on each other one. */
#ifndef SRV_FACTS_GEOMETRY_DETECT_PAGES_H
#define SRV_FACTS_GEOMETRY_DETECT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts/geometry/detect_lines.h"
#include "servet/error.h"

/** Trials: in each of them some of the elements took part, each once. A zeroed one is empty. */
typedef struct srv_coeviction {
    int elements; /**< in all */
    int fillers;  /**< the last ones of each trial, which only evict from the caches in front */
    int trials;
    size_t *first; /**< trials + 1 of them: trial t has the items first[t] to first[t + 1] - 1 of
                      `element` and `ns` */
    uint32_t *element; /**< below `elements` */
    float *ns;         /**< time of its loads in the timed round */
    size_t trials_room, room;
} srv_coeviction;

/** Adds a number of trials of `walked` elements each, and returns the first of their places in
 * `element` and `ns`, for the caller to fill, in `*at`. Errors: SERVET_EMEMORY. */
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

/** Two normal distributions of effects. */
typedef struct srv_modes {
    double other, same; /**< means: of elements of different colours, and of one */
    double spread[2];   /**< standard deviations of these two */
    double share;       /**< of the pairs (0..0.5) that are of one colour */
} srv_modes;

/** Reads the pairs i > j of `effect`, which has n * n. Most are of different colours. */
srv_modes srv_find_modes(const float *effect, int n);

/** Joins elements, those with the largest effects first, while the mean effect between two clusters
 * is above `least` (average linkage). `effect` has n * n, symmetric; `label` gets a number below n
 * for each element, the same for those of one cluster. False without memory. */
bool srv_find_clusters(const float *effect, int n, double least, int *label);

/** The colours that trials show. */
typedef struct srv_colours {
    int count;         /**< of colours; 0: the trials show none */
    int *colour;       /**< of each element, 0..count-1, or -1: it follows none. Owned;
                          srv_colours_finish() */
    double slow_share; /**< of all times (0..1), nearer to the slow mode than to the fast one */
    double fast_ns, slow_ns; /**< the two modes of the times */
    double agreement; /**< share of the elements (0..1) that both halves of the trials put into one
                         colour */
    int left_over;    /**< elements that follow no colour */
} srv_colours;

/** Finds the colours. Errors: SERVET_EARGUMENT (fewer than 8 elements or trials), SERVET_EMEMORY.
 */
int srv_detect_colours(const srv_coeviction *trials, srv_colours *colours, servet_error *error);

/** Refines colours[].colour, clusters of elements by numbers below n, and sets count, agreement and
 * left_over: moves elements to the colour that affects them most, joins halves of one colour, and
 * drops those of too few elements. False without memory. */
bool srv_colours_refine(const srv_effects *effects, const srv_modes *two, srv_colours *colours);

/** Frees the list. A zeroed struct is valid. */
void srv_colours_finish(srv_colours *colours);

enum { SRV_TURNS_MAX = 64 };

/** The time of an element by the number of elements in a cycle, in points[0..result-1], ascending.
 * In `turns` those of a trial are of one colour, its fillers are not.
 * The same elements are in several trials, the faster of which count: interference makes lines
 * miss, nothing makes more of them hit. The median of several selections of the same number counts.
 * -1 without memory. */
int srv_turns_read(const srv_coeviction *turns, srv_turns points[SRV_TURNS_MAX]);

/** Reads the ways out of trials of `rounds` rounds before the timed one; `*clear`: another number
 * is far less likely. Errors: SERVET_EMEMORY. */
int srv_detect_turns(const srv_coeviction *turns, int rounds, srv_ways *ways, bool *clear,
                     servet_error *error);

/** Explains the result, as srv_explain_ways() does; without memory, nothing. */
void srv_explain_turns(const srv_coeviction *turns, int rounds, const srv_account *on);

#endif
