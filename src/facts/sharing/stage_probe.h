/* SPDX-License-Identifier: BSD-3-Clause */
/** Probes of cores for one cache level: visits until the odds are final, all of them recorded. */
#ifndef SRV_FACTS_SHARING_STAGE_PROBE_H
#define SRV_FACTS_SHARING_STAGE_PROBE_H

#include "stats/grouping.h"
#include "facts/sharing/stage_view.h"

typedef struct srv_sharing_core {
    int number; /**< of the OS */
    int kind;   /**< in the profile */
} srv_sharing_core;

/** Probes of one level. */
typedef struct srv_sharing_probe {
    const srv_stage *stage; /**< of this level */
    int level;
    srv_sharing_layout layout;
    const srv_sharing_core *cores; /**< probes identify cores by their index here */
    int core_count;
    const srv_sharing_view *view;  /**< by kind */
    const servet_profile *profile; /**< with the distances between cores, if they were measured */
    const char *node_class;
    double memory_bytes; /**< for all sets at a time */
    FILE *raw;           /**< may be NULL */
    int sent;            /**< couples so far, a set of n cores being n / 2 */
    int visits;          /**< numbers their places in memory */
    double longest_s;    /**< of a visit so far: one that would end too late is not begun */
    servet_error *error;
} srv_sharing_probe;

/**
 * Lets `count` cores traverse sets at once: odds[i] is for core i sharing the cache with another
 * one of them. Errors: those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY, SRV_UNDECIDED.
 */
int srv_probe_traversals(srv_sharing_probe *probe, const int *cores, int count, double *odds);

/**
 * Lets the second core of each couple read the lines that the first one loaded. Couples have no
 * core in common and are measured at once; those that do not look shared may have been disturbed by
 * the others and are measured again alone. Odds of 0: undecided. Errors: as above.
 */
int srv_probe_reads(srv_sharing_probe *probe, const srv_couple *couples, int count, double *odds);

/**
 * Measures whether the second core of a couple evicts lines of the first one from its cache. Odds
 * of 0 if the capacity is not known exactly. Errors: as above.
 */
int srv_probe_evictions(srv_sharing_probe *probe, const srv_couple *couple, double *odds);

#endif
