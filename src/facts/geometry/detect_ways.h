/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How many ways a cache has: lines that share a set take turns, and from how many on do they begin
 * to miss?
 *
 * c lines of one set of W ways, visited in a cycle, all hit while c <= W. Beyond that no
 * replacement can miss less than the share (c - W) / c (it would have to keep W lines), and LRU
 * misses always. So the ways are where the flat part ends, whatever the policy: what is faster than
 * that bound lies within the ways. X-Ray (Yotov et al., QEST 2005), section 3, has the idea for
 * LRU. Random replacement is the exception: lines push each other out until all have found a place
 * of their own, so few rounds show misses where all have room; but its law is known, and weighed.
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
    int ways; /**< largest number of lines, of those asked, that all hit */
    int next; /**< the next larger number asked: the true number of ways is below it */
    double hit_ns;
    double miss_ns; /**< at least: what the slower points take */
    double odds;    /**< by how much less likely (ln) the next best number is */
} srv_ways;

/**
 * Reads `n` points, which were asked, of ascending `lines`, and whose lines took `rounds` turns
 * before they were timed (0: so many that nothing changes any more). False where they show no end
 * of the flat part: all hit, or fewer than 3.
 */
bool srv_detect_ways(const srv_turns *asked, int n, int rounds, srv_ways *ways);

/**
 * Says why: the times, and how likely the best number of ways and those next to it are. `what`
 * takes turns ("lines"); numbers that are less likely than the best by `clear` (ln) are excluded.
 */
void srv_explain_ways(const srv_turns *points, int n, int rounds, const char *what, double clear,
                      const srv_account *on);

#endif
