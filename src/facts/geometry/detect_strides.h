/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Derives ways, sets and line of a first-level cache from lines at a stride.
 *
 * Lines a multiple of sets * line apart share a set, and begin to miss beyond the number of ways;
 * at half that stride they are spread over two sets, and about twice as many fit; at twice that
 * stride nothing changes. Where every second one is shifted by a line or more, it leaves the set.
 */
#ifndef SRV_FACTS_GEOMETRY_DETECT_STRIDES_H
#define SRV_FACTS_GEOMETRY_DETECT_STRIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "facts/geometry/detect_ways.h"
#include "servet/error.h"

/** One answer: time of a load while `lines` lines take turns, at one place in memory. */
typedef struct srv_stride_row {
    double stride,
        apart;  /**< bytes: distance of lines; line k is shifted by (k % phases) * apart */
    int phases; /**< 1: all at one offset; 2: every second one shifted; more: a control for the cost
                   of translation, in which no two lines share a set */
    int lines;
    double ns;
} srv_stride_row;

/** All answers, in any order. A zeroed one is empty. */
typedef struct srv_strides {
    srv_stride_row *row;
    size_t count;
} srv_strides;

/** Adds an answer. Errors: SERVET_EMEMORY. */
int srv_strides_add(srv_strides *strides, srv_stride_row row, servet_error *error);

/** Frees the rows and leaves an empty list. */
void srv_strides_finish(srv_strides *strides);

/** Finds where the lines of one stride begin to miss; false: nowhere. */
bool srv_strides_end(const srv_strides *strides, double stride, srv_ways *ways);

/** True if `lines` lines at a stride are significantly slower than the fewest measured ones. */
bool srv_strides_slower(const srv_strides *strides, double stride, int lines);

/** The result of the strides. */
typedef struct srv_stride_cache {
    int ways;          /**< 0: not clear */
    double way_bytes;  /**< smallest stride at which all lines share a set: sets * line */
    double line_bytes; /**< 0: not measured, or not clear */
    double hit_ns, miss_ns;
    double odds; /**< advantage (ln likelihood) over the next best number of ways */
    bool exact;  /**< no number of lines between `ways` and the first that misses was left out */
    const char *why; /**< static text: why it is not clear; NULL where it is */
} srv_stride_cache;

/** Derives the result. Too few rows are not clear. */
srv_stride_cache srv_detect_strides(const srv_strides *strides);

/** Explains the result: the end of each stride, the rules, and why it is not clear. */
void srv_explain_strides(const srv_strides *strides, const srv_account *on);

#endif
