/* SPDX-License-Identifier: BSD-3-Clause */
/** Sizes of lines: coherence blocks, and lines of caches (share/doc/detection.md). Pure. */
#ifndef SRV_FACTS_LINE_DETECT_H
#define SRV_FACTS_LINE_DETECT_H

#include "servet/value.h"

/** The coherence block: the distance from which on two cores do not slow each other down. `ns[i]`
 * is the time of an increment with the bytes `apart[i]` from each other, ascending. Unknown if they
 * always do, or never. */
servet_value srv_detect_block(const double *apart, const double *ns, int count);

/** Evidence about the line of a cache level. */
typedef struct srv_line_evidence {
    int count;
    const double *stride; /**< ascending; the first one is less than any line */
    const double *first,
        *second;   /**< ns of a load that misses the level, and of one a stride further */
    double hit_ns; /**< latency of this level */
    double above;  /**< line of the level above; 0: there is none, or it is unknown */
    double block;  /**< coherence block, if the two measured cores share neither this level nor one
                      above it; 0: no such block */
    double reported; /**< line of the level by the operating system; 0: unknown */
} srv_line_evidence;

/** The line of a level. A prefetcher that fetches both lines of a pair looks like a line of twice
 * the size. Two observations distinguish them: coherence protocols ignore prefetchers, so that the
 * block is smaller; and a prefetched line may be nearer than this level. `*pairs`, false at first,
 * notes such a prefetcher for the levels behind. Without such evidence, or if it is only the second
 * observation and the operating system reports the larger line, the value is the smaller line, the
 * interval reaches to the larger one and the value is not trusted. Unknown if the second loads
 * always hit, or never. */
servet_value srv_detect_line(const srv_line_evidence *evidence, bool *pairs);

#endif
