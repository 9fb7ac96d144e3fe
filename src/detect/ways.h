/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How many ways a cache has: lines that share a set take turns, and from how many on do they begin
 * to miss?
 *
 * c lines of one set of W ways, visited in a cycle, all hit while c <= W. Beyond that no
 * replacement can miss less than the share (c - W) / c (it would have to keep W lines), and LRU
 * misses always. So the ways are where the flat part ends, whatever the policy. X-Ray (Yotov et
 * al., QEST 2005), section 3, has the idea for LRU.
 */
#ifndef SRV_DETECT_WAYS_H
#define SRV_DETECT_WAYS_H

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
    double hit_ns, miss_ns;
    double odds; /**< by how much less likely (ln) the next best number is */
} srv_ways;

/**
 * Reads `n` points, which were asked, of ascending `lines`. False where they show no end of the
 * flat part: all hit, or fewer than 3.
 */
bool srv_detect_ways(const srv_turns *asked, int n, srv_ways *ways);

/**
 * Says why: the times, and what the best number of ways and those next to it cost. `what` takes
 * turns
 * ("lines"); numbers that cost `clear` more than the best are excluded.
 */
void srv_explain_ways(const srv_turns *asked, int n, const char *what, double clear,
                      const srv_account *on);

#endif
