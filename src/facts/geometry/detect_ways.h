/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Derives the ways of a cache from cyclic accesses to lines of one set.
 *
 * c lines of one set of W ways, visited in a cycle, all hit while c <= W. Beyond that no
 * replacement can miss less than the share (c - W) / c (it would have to keep W lines), and LRU
 * misses always. So the flat part ends at the number of ways, whatever the policy: a time below
 * that bound is within the ways. X-Ray (Yotov et al., QEST 2005), section 3, has the idea for LRU.
 * Random replacement is the exception: lines evict each other until all have a way of their own, so
 * few rounds show misses although all fit; but its law is known, and weighed.
 */
#ifndef SRV_FACTS_GEOMETRY_DETECT_WAYS_H
#define SRV_FACTS_GEOMETRY_DETECT_WAYS_H

#include <stdbool.h>

#include "core/findings.h"

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

/**
 * Reads `n` measured points of ascending `lines`, which were accessed for `rounds` rounds before
 * the timed one (0: steady state). False if the flat part does not end: all hit, or fewer than 3
 * points.
 */
bool srv_detect_ways(const srv_turns *points, int n, int rounds, srv_ways *ways);

/**
 * Explains the result: the times, and the likelihood of the best number of ways and of its
 * neighbours. `what` is accessed in a cycle ("lines"); numbers that are less likely than the best
 * by `clear` (ln) are excluded.
 */
void srv_explain_ways(const srv_turns *points, int n, int rounds, const char *what, double clear,
                      const srv_account *on);

#endif
