/* SPDX-License-Identifier: BSD-3-Clause */
/** Derives the ways of a cache from cyclic accesses to lines of one set.
 *
 * c lines of one set of W ways, visited in a cycle, all hit while c <= W. Beyond that no
 * replacement can miss less than the share (c - W) / c (it would have to keep W lines), and LRU
 * misses always. So the flat part ends at the number of ways, whatever the policy: a time below
 * that bound is within the ways. X-Ray (Yotov et al., QEST 2005), section 3, has the idea for LRU.
 * Random replacement is the exception: lines evict each other until all have a way of their own, so
 * few rounds show misses although all fit; but its law is known, and weighed. */
#ifndef SRV_FACTS_GEOMETRY_DETECT_LINES_H
#define SRV_FACTS_GEOMETRY_DETECT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/findings.h"
#include "servet/error.h"

/** Time of a load, or of any fixed number of loads, while `lines` lines take turns; ns. */
typedef struct srv_turns {
    int lines;
    double ns, error; /**< error: standard error of ns */
} srv_turns;

typedef struct srv_ways {
    int ways; /**< largest measured number of lines that all hit */
    int next; /**< the next larger measured number: the true number of ways is below it */
    double hit_ns;
    double miss_ns; /**< least time of a miss: that of the slower points */
    double odds;    /**< advantage (ln likelihood) over the next best number */
} srv_ways;

/** Reads `n` measured points of ascending `lines`, which were accessed for `rounds` rounds before
 * the timed one (0: steady state). False if the flat part does not end: all hit, or fewer than 3
 * points. */
bool srv_detect_ways(const srv_turns *points, int n, int rounds, srv_ways *ways);

/** Explains the result: the times, and the likelihood of the best number of ways and of its
 * neighbours. `what` is accessed in a cycle ("lines"); numbers that are less likely than the best
 * by `clear` (ln) are excluded. */
void srv_explain_ways(const srv_turns *points, int n, int rounds, const char *what, double clear,
                      const srv_account *on);

/** A policy by its name and the share (0..1) of `lines` in a cycle that misses in a set of `ways`,
 * in the round after `rounds` others that began with an empty set; rounds 0: in the steady
 * state. */
typedef struct srv_miss_law {
    const char *name;
    double (*misses)(int rounds, int ways, int lines);
} srv_miss_law;

enum { SRV_MISS_LAWS = 2 };
extern const srv_miss_law srv_miss_laws[SRV_MISS_LAWS];

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
