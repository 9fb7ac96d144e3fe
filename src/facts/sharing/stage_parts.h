/* SPDX-License-Identifier: BSD-3-Clause */
/** Test plans for a cache level and a core type. */
#ifndef SRV_FACTS_SHARING_STAGE_PARTS_H
#define SRV_FACTS_SHARING_STAGE_PARTS_H

#include "facts/sharing/benchmark.h"
#include "facts/sharing/detect.h"
#include "run/stage.h"
#include "stats/grouping.h"

/** Ends the probes of a level, without an error: time is up, the limit is reached, or there is no
 * evidence. */
#define SRV_UNDECIDED SERVET_EUNMEASURED

/** Sets for the tests and their expected times; 0 bytes if a test has no evidence. */
typedef struct srv_sharing_view {
    double traversal_bytes; /**< bytes that each core traverses: two such sets don't fit together */
    srv_contrast traversal;
    double read_bytes; /**< bytes that one core brings in and another one reads */
    srv_contrast read;
    /** exact capacity: one core has half of it, another one traverses far more */
    double evict_bytes;
    srv_contrast evict;
    double kept_ns, lost_ns; /**< reference times of `evict`; 0 if not measured */
    bool has_turnover;       /**< lines vanish: tests cannot prove that cores do not share it */
    srv_doubling alone;      /**< source of `traversal` */
} srv_sharing_view;

/** The layout of sets that are read: every second line of a traversal, because a prefetcher that
 * fetches lines in pairs would make half of the loads fast, wherever they come from. */
srv_sharing_layout srv_sharing_read_layout(const srv_sharing_layout *layout);

/** A cache level among its neighbours, as a core sees it. */
typedef struct srv_sharing_level {
    servet_cache cache;
    double above_bytes;  /**< capacity of the level above; 0: it is the first */
    double beyond_bytes; /**< of the level behind it; INFINITY: that is memory */
} srv_sharing_level;

/** Level `level` of a core from the profile; false if it has none, or none was measured. */
bool srv_sharing_level_of(const servet_profile *profile, const servet_at *at, int level,
                          srv_sharing_level *found);

/** Prepares the tests of a level: traverses sets with `core` alone for the expected times; on a
 * cache with turnover, traversals are no evidence. `most_bytes` limits the sets. Errors: those of
 * the machine, SRV_UNDECIDED. */
int srv_sharing_prepare(const srv_stage *stage, const srv_sharing_layout *layout, int core,
                        const srv_sharing_level *level, double most_bytes, srv_sharing_view *view,
                        servet_error *error);

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

/** Lets `count` cores traverse sets at once: odds[i] is for core i sharing the cache with another
 * one of them. Errors: those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY, SRV_UNDECIDED. */
int srv_probe_traversals(srv_sharing_probe *probe, const int *cores, int count, double *odds);

/** Lets the second core of each couple read the lines that the first one loaded. Couples have no
 * core in common and are measured at once; those that do not look shared may have been disturbed by
 * the others and are measured again alone. Odds of 0: undecided. Errors: as above. */
int srv_probe_reads(srv_sharing_probe *probe, const srv_couple *couples, int count, double *odds);

/** Measures whether the second core of a couple evicts lines of the first one from its cache. Odds
 * of 0 if the capacity is not known exactly. Errors: as above. */
int srv_probe_evictions(srv_sharing_probe *probe, const srv_couple *couple, double *odds);

/** Search for the groups of a level; all arrays are the caller's. */
typedef struct srv_sharing_search {
    srv_sharing_probe probe;
    int core_count;
    /** Item of each core (index in probe.cores): cores that share the level above are one item. -1:
     * it has no such level. */
    const int *above;
    int thing_count;
    const int *thing; /**< the core that answers for each thing */
    const int *hint;  /**< things with the same number probably share an instance */
    bool sets;        /**< several cores can be measured at once */
    int *group;       /**< the answer: the group of each core; -1: it has no such level */
    int group_count;
    double weakest;           /**< odds of the least certain answer that the groups rest on */
    int *room, *found;        /**< for core_count numbers each */
    srv_groups_check *checks; /**< for core_count */
} srv_sharing_search;

/** Finds the groups. Errors: those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY,
 * SRV_UNDECIDED: there are no groups then. */
int srv_sharing_groups(srv_sharing_search *on);

/** A core in its group. */
typedef struct srv_group_member {
    int number; /**< of the OS */
    int kind;   /**< in the profile */
    int group;  /**< below 0: it has no such level */
} srv_group_member;

/** Stores the groups of a level for each kind of cores that has it: those that contain one of its
 * cores, complete, because other core types may use an instance, too. `members` ascend by number.
 * If `confidence` is not NULL, it is stored with the verdict on the report of the OS. Errors: those
 * of the machine, SERVET_EMACHINE (a list of cores too long to store), SERVET_EMEMORY. */
int srv_store_cache_groups(srv_machine *machine, const srv_stage_place *place, int level,
                           const srv_group_member *members, int count, const double *confidence,
                           servet_error *error);

/** Marks the groups of a level of a kind of cores, if there are any, as not trusted. Errors: those
 * of servet_profile_distrust(). */
int srv_doubt_cache_groups(const srv_stage_place *place, int kind, int level, const char *reason,
                           servet_error *error);

#endif
