/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Which pages share the sets of a cache (have one colour), from trials of co-eviction: pages of one
 * colour are slow in the trials in which there are many of them, whatever pages of other colours
 * do.
 *
 * The idea of conflicts between addresses is that of X-Ray (Yotov et al., QEST 2005) and of the
 * search for eviction sets (Vila, Koepf, Morales, S&P 2019); share/doc/detection.md has the method
 * and why.
 */
#ifndef SRV_FACTS_GEOMETRY_DETECT_COLOURS_H
#define SRV_FACTS_GEOMETRY_DETECT_COLOURS_H

#include <stddef.h>
#include <stdint.h>

#include "servet/error.h"

/** Trials: in each of them some of the elements took part, each once. A zeroed one is empty. */
typedef struct srv_coeviction {
    int elements; /**< in all */
    int trials;
    size_t *first; /**< trials + 1 of them: trial t is numbers first[t] to first[t + 1] - 1 of what
                      follows */
    uint32_t *element; /**< below `elements` */
    float *ns;         /**< what its loads took in the timed round */
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

/** Frees the list. A zeroed struct is valid. */
void srv_colours_finish(srv_colours *colours);

#endif
