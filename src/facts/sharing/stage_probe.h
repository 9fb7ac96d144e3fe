/* SPDX-License-Identifier: BSD-3-Clause */
/** Asking cores who shares a cache level: visits until the odds are clear, all of them on record.
 */
#ifndef SRV_FACTS_SHARING_STAGE_PROBE_H
#define SRV_FACTS_SHARING_STAGE_PROBE_H

#include "stats/grouping.h"
#include "facts/sharing/stage_view.h"

typedef struct srv_sharing_core {
    int number; /**< of the OS */
    int kind;   /**< in the profile */
} srv_sharing_core;

/** Questions about one level. */
typedef struct srv_sharing_probe {
    const srv_stage *stage; /**< of this level */
    int level;
    srv_sharing_layout layout;
    const srv_sharing_core *cores; /**< questions name cores by their places here */
    int core_count;
    const srv_sharing_view *view; /**< by kind */
    double memory_bytes;          /**< for all sets at a time */
    FILE *raw;                    /**< NULL: nobody wants it */
    int asked;                    /**< couples so far, a set of n cores being n / 2 */
    int visits;                   /**< numbers their places in memory */
    double longest_s; /**< of a visit so far: one that would end too late is not begun */
    servet_error *error;
} srv_sharing_probe;

/**
 * Lets `count` cores traverse sets at once: odds[i] says whether core i shares the cache with
 * another one of them. Errors: those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY,
 * SRV_UNTOLD.
 */
int srv_probe_traversals(srv_sharing_probe *probe, const int *cores, int count, double *odds);

/**
 * Of each couple, lets the second core read what the first one brought in. They have no core in
 * common and are asked at once; those who then don't look as if they shared the cache may have been
 * disturbed by the others and are asked again alone. Odds of 0: it cannot be told. Errors: as
 * above.
 */
int srv_probe_reads(srv_sharing_probe *probe, const srv_couple *couples, int count, double *odds);

/**
 * Does the second core of a couple evict what the first one has in its cache? Odds of 0 where the
 * capacity is not known exactly. Errors: as above.
 */
int srv_probe_evictions(srv_sharing_probe *probe, const srv_couple *couple, double *odds);

#endif
