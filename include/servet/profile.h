/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The stored machine: open a profile, ask it, close it. Nothing here ever runs a benchmark.
 *
 * A profile describes one cluster in one text file. Nodes that measure alike share a *node class*;
 * within a class, cores that measure alike share a *core kind* (one kind on most machines, two on
 * hybrid ones). Queries take a `const servet_at *` that says which class and core is meant; NULL
 * means "here": the class of the node the program runs on, and the class's first core kind. A node
 * that no class lists gets the first class: see servet_profile_class_of() to tell, and give nodes of
 * different types that share a home directory profiles of their own ($SERVET_PROFILE).
 *
 * An open profile is immutable: any number of threads may query it at once without locks. Pointers
 * that a query returns belong to the profile and live until servet_profile_close().
 */
#ifndef SERVET_PROFILE_H
#define SERVET_PROFILE_H

#include <stddef.h>
#include "servet/analyze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct servet_profile servet_profile;

/** What is being asked about. */
typedef struct servet_at {
    const char *node_class; /**< name of a node class; NULL: the class that lists this node, or else
                                 the first */
    int core;               /**< OS number of a core, or SERVET_ANY_CORE */
} servet_at;

#define SERVET_ANY_CORE (-1)

/* --- opening ----------------------------------------------------------------------------------- */

/**
 * Finds the profile that a program without other orders uses, and writes its path into `path` of
 * `size` bytes. Order: $SERVET_PROFILE (a file; if set, nothing else is tried), the user's own
 * ($XDG_DATA_HOME, by default ~/.local/share, then servet/profile.json), the installed one
 * (PREFIX/share/servet/profile.json).
 *
 * What is found this way must be safe from strangers: the file belongs to root, to this user or to the
 * owner of PREFIX/share/servet, and not everybody may write to it or to a folder above it (the sticky
 * bit, as on /tmp, makes a folder safe). $SERVET_PROFILE may name a folder: that of its profile.json.
 * Errors: SERVET_ENOTFOUND (the text lists where it looked), SERVET_ERANGE (path longer than size),
 * SERVET_EIO (there is one, and it is not safe; the text says why).
 */
SERVET_API int servet_profile_find(char *path, size_t size, servet_error *error);

/**
 * Reads the profile at `path`, or where servet_profile_find() points if `path` is NULL, and hands it
 * over in `*profile`; the caller closes it. A folder stands for the file profile.json in it. The
 * whole file is validated. A `path` is an order: whose file it is does not matter.
 * Errors: SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT (file and line say where), SERVET_EVERSION
 * (a newer schema than this library reads), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_open(servet_profile **profile, const char *path, servet_error *error);

/** Frees the profile and everything it lent out. NULL is fine. */
SERVET_API void servet_profile_close(servet_profile *profile);

/** The path the profile was read from, "" for one that was never stored. Owned by the profile. */
SERVET_API const char *servet_profile_path(const servet_profile *profile);

/* --- where it comes from ----------------------------------------------------------------------- */

/**
 * Sizes of texts, their end included. The set of usable PUs is cut after some 1,000 ranges (every
 * second of 2,048 PUs takes more); those of core kinds have any length.
 */
enum { SERVET_NAME_MAX = 64, SERVET_TEXT_MAX = 256, SERVET_CORES_MAX = 4096 };

/** How and when the profile was measured. */
typedef struct servet_run {
    char version[SERVET_NAME_MAX]; /**< of the Servet that measured */
    char started[SERVET_NAME_MAX]; /**< ISO 8601, UTC: "2026-11-20T12:00:00Z" */
    char options[SERVET_TEXT_MAX]; /**< the options given, as on the command line; may be "" */
    char clock[SERVET_NAME_MAX];   /**< "tsc", "cntvct", "monotonic_raw", ... */
    servet_value clock_overhead;   /**< ns, of reading the clock twice in a row; subtracted */
    servet_value clock_resolution; /**< ns, smallest step seen */
    servet_value frequency;        /**< Hz, of the core while it was measured */
    servet_value huge_pages;       /**< share (0..1) of the arrays that huge pages backed */
    servet_value duration;         /**< s, of the whole run */
    servet_value noise;            /**< share of time (0..1) taken from a spinning thread */
    servet_value steal;            /**< share of time (0..1) the hypervisor reports as stolen */
    servet_value others;           /**< share of time (0..1) other processes had the core sampled */
    servet_value drift;            /**< by how much (0..1) of its highest frequency the core slowed down */
    char benchmarks[SERVET_TEXT_MAX]; /**< those that were run, in order: "cache,sharing"; what they had
                                           no time for is unmeasured all the same */
    char unfinished[SERVET_NAME_MAX]; /**< of a job that has not ended yet, or was killed: what it was
                                           still to measure, in order: "curves,distance"; else "" */
    long long seed;                /**< of every random order used */
} servet_run;

/** A node as its operating system describes it to a job. */
typedef struct servet_machine {
    char hostname[SERVET_NAME_MAX];
    char os[SERVET_NAME_MAX];           /**< "Linux 6.1.0" */
    char architecture[SERVET_NAME_MAX]; /**< "x86_64" */
    char cpu[SERVET_TEXT_MAX];          /**< model name; "" if not told */
    char cores[SERVET_CORES_MAX];       /**< OS numbers of the usable PUs as ranges: "0-3,8" */
    int pu_count, core_count, package_count, numa_count; /**< usable ones */
    double memory_bytes;                /**< installed */
    double page_bytes;                  /**< base page */
} servet_machine;

/** The run that measured the profile. Errors: SERVET_EUNMEASURED. */
SERVET_API int servet_profile_run(const servet_profile *profile, servet_run *run);

/** Number of node classes, at least 0. */
SERVET_API int servet_profile_class_count(const servet_profile *profile);

/** Name of node class `index` (from 0); NULL outside. Owned by the profile. */
SERVET_API const char *servet_profile_class_name(const servet_profile *profile, int index);

/**
 * Number of the class that lists `host`, in `*index`. A name without a domain means the same node
 * as one with any: "node7" is "node7.cluster.org". Errors: SERVET_ENOTFOUND.
 */
SERVET_API int servet_profile_class_of(const servet_profile *profile, const char *host,
                                       int *index);

/** The description of a class's first node. Errors: SERVET_ERANGE (no such class). */
SERVET_API int servet_profile_machine(const servet_profile *profile, const servet_at *at,
                                      servet_machine *machine);

/** Host name `index` (from 0) of the nodes of a class; NULL outside. Owned by the profile. */
SERVET_API const char *servet_profile_node(const servet_profile *profile, const servet_at *at,
                                           int index);

/** Cores of a class that measure alike. Both texts are owned by the profile. */
typedef struct servet_kind {
    const char *name;  /**< "performance" */
    const char *cores; /**< OS numbers as ranges: "0-3,8" */
} servet_kind;

/**
 * Core kind `index` (from 0) of a class, whatever `at->core` says.
 * Errors: SERVET_ERANGE (no such class or kind).
 */
SERVET_API int servet_kind_get(const servet_profile *profile, const servet_at *at, int index,
                               servet_kind *kind);

/* --- caches ------------------------------------------------------------------------------------ */

/** What the measurement says about what the operating system says. */
#define SERVET_VERDICT_LIST(X)                                                                     \
    X(SERVET_VERDICT_AGREES, "agrees")           /* the reported value lies in the interval */     \
    X(SERVET_VERDICT_DIFFERS, "differs")         /* it does not, or means something else */        \
    X(SERVET_VERDICT_NOT_VISIBLE, "not visible") /* the OS does not report it */

#define SERVET_VERDICT_ENUM_(name, text) name,
typedef enum servet_verdict {
    SERVET_VERDICT_LIST(SERVET_VERDICT_ENUM_) SERVET_VERDICT_COUNT
} servet_verdict;
#undef SERVET_VERDICT_ENUM_

/** The verdict's text ("agrees"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_verdict_name(servet_verdict verdict);

/** One cache level as seen by one core. */
typedef struct servet_cache {
    int level;                   /**< 1 for the fastest */
    servet_cache_kind kind;      /**< a capacity, or what is reachable of a churned cache */
    /**
     * Capacity; B. By SERVET_METHOD_CONFLICT it is exact, ways times sets times line. Where
     * conflicts were not clear it is read from the latency curve (see servet_cache_level.bytes).
     */
    servet_value bytes;
    servet_value ways; /**< lines that one set keeps; unknown where conflicts were not clear; 1 */
    servet_value sets; /**< of all slices together; unknown as `ways` is; 1 */
    /**
     * What a pointer chase finds usable now: the knee of the latency curve, with its interval; B.
     * On a core that others share it is less than the capacity. Blocks of loops should fit into it.
     */
    servet_value reachable_bytes;
    servet_value reported_bytes; /**< what the OS says; unknown if it says nothing; B */
    servet_verdict verdict;      /**< measured against reported */
    servet_value latency;        /**< of a load that hits; ns */
    servet_value latency_cycles; /**< the same in core cycles; unknown if the frequency is */
    servet_value line;           /**< line size; B */
    double confidence;           /**< 0..1 that this level exists with that size (within 10 %) */
    bool trusted;                /**< that there is this level, with that size; other values say it
                                      themselves */
} servet_cache;

/**
 * Number of cache levels of a core, in `*count`.
 * Errors: SERVET_ERANGE (no such class or core), SERVET_EUNMEASURED.
 */
SERVET_API int servet_cache_count(const servet_profile *profile, const servet_at *at, int *count);

/**
 * Cache level `level` (from 1) of a core.
 * Errors: SERVET_ERANGE (no such class, core or level), SERVET_EUNMEASURED.
 */
SERVET_API int servet_cache_get(const servet_profile *profile, const servet_at *at, int level,
                                servet_cache *cache);

/**
 * Number of groups of a cache level, in `*count`: the cores of a group share one instance of the
 * cache, so it is also the number of instances that the cores asked about were found to have.
 * Errors: as servet_cache_get(); SERVET_EUNMEASURED also where only the sharing was not measured.
 */
SERVET_API int servet_cache_group_count(const servet_profile *profile, const servet_at *at,
                                        int level, int *count);

/**
 * Group `index` (from 0) of a cache level in `*cores`: OS numbers as ranges, "0-2,12-14", owned by
 * the profile. Errors: as servet_cache_group_count(), SERVET_ERANGE (no such group).
 */
SERVET_API int servet_cache_group(const servet_profile *profile, const servet_at *at, int level,
                                  int index, const char **cores);

/**
 * The group that core `at->core` belongs to, in `*index`. Errors: SERVET_EARGUMENT (no core is
 * named), as servet_cache_group_count(), SERVET_EUNMEASURED also for a core that no group holds.
 */
SERVET_API int servet_cache_group_of(const servet_profile *profile, const servet_at *at, int level,
                                     int *index);

/** Latency of a load from memory in `*latency` (ns). Errors: as servet_cache_count(). */
SERVET_API int servet_memory_latency(const servet_profile *profile, const servet_at *at,
                                     servet_value *latency);

/* --- any fact by its name ---------------------------------------------------------------------- */

/**
 * One fact as text, the way `servet get` prints it ("caches.2.bytes" gives "2097152"), into `text`
 * of `size` bytes. Keys are listed in servet(1); indices count from 1.
 * Errors: SERVET_EKEY (unknown; the error text names the nearest known key), SERVET_EUNMEASURED
 * (known but without a value), SERVET_ERANGE (no such class or core, or `size` too small),
 * SERVET_EUNTRUSTED (see servet_profile_trusted_only()).
 */
SERVET_API int servet_profile_get(const servet_profile *profile, const servet_at *at,
                                  const char *key, char *text, size_t size, servet_error *error);

/**
 * Whether the value of a key ("distance.layers.1.latency_ns") was seen in two modes while it was
 * measured, in
 * `*modes`, by the unit of the value that the struct of the fact holds. Errors: as
 * servet_profile_get(), SERVET_EKEY also for an answer that is worked out of several facts.
 */
SERVET_API int servet_profile_modes(const servet_profile *profile, const servet_at *at,
                                    const char *key, servet_modes *modes, servet_error *error);

/* --- trust ------------------------------------------------------------------------------------ */

/**
 * Whether an answer is to be trusted. A value is as trusted as it says; a count, a group, a verdict or
 * another word or number where nobody disturbed what it was found by, where the values beside it are
 * trusted, and where its confidence is 0.5 or more.
 */
typedef struct servet_trust {
    bool trusted;
    double confidence; /**< 0..1 that the answer is right; NaN where nothing says so. At most 0.5 where
                            it was measured while others disturbed */
    char reason[SERVET_TEXT_MAX]; /**< why it is not trusted, for people; else "" */
} servet_trust;

/** The trust in the answer of a key ("memory.levels.count"), in `*trust`; also of a profile that answers
 *  what is trusted only. Errors: as servet_profile_get(). */
SERVET_API int servet_profile_trust(const servet_profile *profile, const servet_at *at,
                                    const char *key, servet_trust *trust, servet_error *error);

/**
 * With `only`, what is not trusted is an error from here on, SERVET_EUNTRUSTED, of all questions to the
 * profile and of placements that rest on it. To be called before other threads ask.
 */
SERVET_API void servet_profile_trusted_only(servet_profile *profile, bool only);

/**
 * The known key patterns ("caches.N.bytes"), for help and completion: pattern `index`, or NULL
 * beyond the last. `*summary`, if asked for, is one line on what it prints. Static storage.
 */
SERVET_API const char *servet_profile_key(int index, const char **summary);

#ifdef __cplusplus
}
#endif
#endif
