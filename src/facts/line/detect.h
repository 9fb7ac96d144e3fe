/* SPDX-License-Identifier: BSD-3-Clause */
/** Where lines end: coherence blocks, and lines of caches (share/doc/detection.md). Pure. */
#ifndef SRV_FACTS_LINE_DETECT_H
#define SRV_FACTS_LINE_DETECT_H

#include "servet/value.h"

/**
 * The coherence block: the distance from which on two cores leave each other alone. `ns[i]` is what
 * an increment takes with the bytes `apart[i]` from each other, ascending. Unknown where they
 * always do, or never.
 */
servet_value srv_detect_block(const double *apart, const double *ns, int count);

/** What is known about the line of a cache level. */
typedef struct srv_line_evidence {
    int count;
    const double *stride; /**< ascending */
    const double *first,
        *second;   /**< ns of a load that misses the level, and of one a stride further */
    double hit_ns; /**< latency of this level */
    bool churned;  /**< others turn the level over: what a hit takes is not certain */
    double above;  /**< line of the level above; 0: there is none, or it is unknown */
    double block;  /**< coherence block, where the cores that were asked for it share neither
                        this level nor one above it; 0: no such block */
} srv_line_evidence;

/**
 * The line of a level. A prefetcher that fetches both lines of a pair looks like a line of twice
 * the size. Two things tell: no coherence protocol knows of it, so that the block is smaller; and
 * it may bring a line nearer than this level. `*pairs`, false at first, remembers for the levels
 * behind that there is such a prefetcher. Where nothing tells, the value is the smaller line, the
 * interval reaches to the larger one and the value is not trusted. Unknown where the second loads
 * always hit, or never.
 */
servet_value srv_detect_line(const srv_line_evidence *evidence, bool *pairs);

/**
 * The line of a level by `count` series, of each of which srv_detect_line() made lines[i]: that of
 * one which is trusted, else the one that most agree on. Trusted where it lies in the interval of
 * every other series that shows a line, else its interval reaches over all of theirs. Unknown where
 * no series shows a line, or where they show different ones and none is trusted.
 */
servet_value srv_detect_agreed_line(const servet_value *lines, int count);

#endif
