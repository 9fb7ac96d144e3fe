/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A profile in memory. What is in the file and in which order is said by the tables in shape.c,
 * which reading, writing, checking and freeing all follow.
 */
#ifndef SRV_PROFILE_TYPES_H
#define SRV_PROFILE_TYPES_H

#include "core/json/shape.h"
#include "servet/profile.h"

enum {
    /** The format this library reads and writes. */
    SRV_SCHEMA = 1,
    /** No class of nodes has more sorts of cores; the bound keeps the check of their overlaps
       cheap. */
    SRV_PROFILE_KINDS_MAX = 64,
};

/** A cache level and who shares its instances. The public part comes first: tables and keys use its
 *  offsets. */
typedef struct srv_cache {
    servet_cache fact;
    srv_list groups; /**< of char *: sets of cores as ranges */
} srv_cache;

/** Cores of one class that measure alike. */
typedef struct srv_core_kind {
    char name[SERVET_NAME_MAX];
    char *cores;     /**< OS numbers as ranges; owned */
    srv_list caches; /**< of srv_cache, fastest first */
    servet_value memory_latency;
} srv_core_kind;

/** Nodes that measure alike. */
typedef struct srv_class {
    char name[SERVET_NAME_MAX];
    srv_list nodes; /**< of char *: host names */
    servet_machine machine;
    srv_list kinds; /**< of srv_core_kind */
} srv_class;

struct servet_profile {
    char path[SERVET_ERROR_FILE_MAX];
    int here; /**< the class of the node this program runs on; see srv_class_here() */
    int schema;
    srv_list run;     /**< of servet_run, at most one */
    srv_list classes; /**< of srv_class */
};

/** Class and core kind that a query means. */
typedef struct srv_target {
    const srv_class *node_class;
    const srv_core_kind *kind; /**< NULL where the class has no kinds */
} srv_target;

/** Finds what `at` means (NULL: here). Errors: SERVET_ERANGE with a text in `error`. */
int srv_target_find(const servet_profile *profile, const servet_at *at, srv_target *target,
                    servet_error *error);

/**
 * Finds the cache level that `at` and `level` (from 1) mean. Errors: SERVET_ERANGE (no such class,
 * core or level), SERVET_EUNMEASURED.
 */
int srv_level_find(const servet_profile *profile, const servet_at *at, int level,
                   const srv_cache **cache);

/** The class that lists this host, by full or short name, else the first one. */
int srv_class_here(const servet_profile *profile);

#endif
