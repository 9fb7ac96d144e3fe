/* SPDX-License-Identifier: BSD-3-Clause */
/** "Gather messages or not" (IPDPS'10, III.D): N messages of a size against one of N times the
 * size. */
#ifndef SRV_FACTS_MESSAGES_DETECT_GATHER_H
#define SRV_FACTS_MESSAGES_DETECT_GATHER_H

enum { SRV_GATHERS_MAX = 32 };

/** A number of messages sent at once, and when they are better gathered into one. */
typedef struct srv_gather {
    int messages;
    double below; /**< one message is faster for sizes below (of each of the N, in bytes): 0 for
                     none, INFINITY for all that were measured */
} srv_gather;

/** N messages of `bytes` bytes each at once, and one of all their bytes. */
typedef struct srv_gather_times {
    double bytes, together, gathered; /**< bytes; s; s */
} srv_gather_times;

/**
 * The size up to which gathering is faster, from times with ascending sizes: up to the first size
 * at which it is not; between sizes where the ratio of the two times crosses 1, on logarithmic
 * scales.
 */
double srv_detect_gather(const srv_gather_times *times, int count);

#endif
