/* SPDX-License-Identifier: BSD-3-Clause */
/** Replacement policies with a known share of misses for lines that are visited in a cycle. */
#ifndef SRV_FACTS_GEOMETRY_DETECT_MISS_LAWS_H
#define SRV_FACTS_GEOMETRY_DETECT_MISS_LAWS_H

/**
 * A policy by its name and the share (0..1) of `lines` in a cycle that misses in a set of `ways`,
 * in the round after `rounds` others that began with an empty set; rounds 0: in the steady state.
 */
typedef struct srv_miss_law {
    const char *name;
    double (*misses)(int rounds, int ways, int lines);
} srv_miss_law;

enum { SRV_MISS_LAWS = 2 };
extern const srv_miss_law srv_miss_laws[SRV_MISS_LAWS];

#endif
