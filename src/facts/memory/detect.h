/* SPDX-License-Identifier: BSD-3-Clause */
/** Levels of memory from the bandwidths of cores in pairs and in groups (IPDPS'10, III.C). Pure
 * functions. */
#ifndef SRV_FACTS_MEMORY_DETECT_H
#define SRV_FACTS_MEMORY_DETECT_H

#include <stddef.h>

#include "servet/node.h"
#include "stats/contention.h"

/** A core that keeps this share of its bandwidth alone is not slowed down. Two cores that share
 * nothing kept 0.96 and more in the median on a virtual machine with busy neighbours, and lower
 * frequencies of more active cores cost 1 to 3 %; the smallest overhead of a level is 10 % (two
 * cores on the link of a Zen core complex). */
#define SRV_MEMORY_WHOLE 0.93

/** Pairs that are slow alike. */
typedef struct srv_overhead_level {
    size_t first, count;    /**< its pairs in the sorted list */
    servet_value bandwidth; /**< of a typical pair; B/s */
} srv_overhead_level;

enum { SRV_OVERHEAD_LEVELS_MAX = 16 };

/** The pair that represents a level: the others differ from it by chance. */
static inline const srv_contention *srv_overhead_typical(const srv_contention *pairs,
                                                         const srv_overhead_level *level)
{
    return &pairs[level->first + level->count / 2];
}

/** Sorts `count` pairs, those that keep the most first, and groups them into levels by similarity:
 * a level ends where neighbours in this order are apart by more than their spreads. Returns the
 * number of levels; the last one has all pairs beyond SRV_OVERHEAD_LEVELS_MAX. */
int srv_detect_overheads(srv_contention *pairs, size_t count,
                         srv_overhead_level levels[SRV_OVERHEAD_LEVELS_MAX]);

/** Numbers the groups of a level: cores that its pairs connect (M5). group[i] of core i of `cores`
 * is its group's number, from 0 in the order of the first cores; a core that is in no pair is
 * alone. Returns how many groups there are. */
int srv_detect_overhead_groups(const srv_contention *pairs, const srv_overhead_level *level,
                               int *group, int cores);

#endif
