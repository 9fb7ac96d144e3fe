/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds pages that share the sets of a cache (have one colour), from trials of co-eviction: pages
 * of one colour are slow in the trials in which there are many of them, whatever pages of other
 * colours do.
 *
 * The idea of conflicts between addresses is that of X-Ray (Yotov et al., QEST 2005) and of the
 * search for eviction sets (Vila, Koepf, Morales, S&P 2019); share/doc/detection.md has the method
 * and why.
 */
#ifndef SRV_FACTS_GEOMETRY_DETECT_COLOURS_H
#define SRV_FACTS_GEOMETRY_DETECT_COLOURS_H

#include "facts/geometry/detect_coeviction.h"
#include "facts/geometry/detect_modes.h"

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

/**
 * Refines colours[].colour, clusters of elements by numbers below n, and sets count, agreement and
 * left_over: moves elements to the colour that affects them most, joins halves of one colour, and
 * drops those of too few elements. False without memory.
 */
bool srv_colours_refine(const srv_effects *effects, const srv_modes *two, srv_colours *colours);

/** Frees the list. A zeroed struct is valid. */
void srv_colours_finish(srv_colours *colours);

#endif
