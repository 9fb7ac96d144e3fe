/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Reads the profile of a machine: open, query, close. No function here runs a benchmark.
 *
 * A profile describes one cluster in one text file. Nodes that measure alike form a *node class*;
 * within a class, cores that measure alike form a *core type*, which this interface calls `kind`
 * (most machines have one, hybrid ones two). Queries take a `const servet_at *` that selects class
 * and core. NULL means "here": the class of the node on which the program runs, as
 * servet_profile_here() finds it, and SERVET_THIS_CORE. On a node that is in no class, such a query
 * fails with SERVET_EOTHER.
 *
 * A thread needs 128 KiB of stack to query, compare, analyze or place.
 *
 * An open profile is immutable: any number of threads may query it at once without locks. Pointers
 * that a query returns belong to the profile and are valid until servet_profile_close().
 */
#ifndef SERVET_PROFILE_H
#define SERVET_PROFILE_H

#include <stddef.h>
#include "servet/analyze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct servet_profile servet_profile;

/** The node class and the core that a query selects. */
typedef struct servet_at {
    const char *node_class; /**< name of a node class; NULL: the class of this node, see
                                 servet_profile_here() */
    int core;               /**< OS number of a core, SERVET_ANY_CORE or SERVET_THIS_CORE */
} servet_at;

/** No particular core: queries about a core are answered for the class's first core type. */
#define SERVET_ANY_CORE (-1)

/**
 * The core that the calling thread runs on. The system may change it at any moment, unless the
 * thread is bound (servet_bind_thread()). It means SERVET_ANY_CORE in a class of other nodes, in
 * the profile of a model, and if the class does not have the core.
 */
#define SERVET_THIS_CORE (-2)

/* --- opening ---------------------------------------------------------------------------------- */

/**
 * Finds the default profile and writes its path into `path` of `size` bytes. Order: $SERVET_PROFILE
 * (a file, or a folder that contains profile.json; if set, nothing else is tried), the user's place
 * (servet in $XDG_DATA_HOME, by default ~/.local/share), the installed place (PREFIX/share/servet).
 * A place has profile.json and, for other clusters and types of nodes, NAME/profile.json. The
 * profile that describes this node is found (servet_profile_here()) or, if none does, the first one
 * of all. If the program runs with more rights than its caller (set-uid, AT_SECURE), only the
 * installed place is searched.
 *
 * A profile found this way must be safe from changes by other users: the file and all folders
 * above it belong to root, to this user or to the owner of PREFIX/share/servet, and none of them is
 * writable for everybody (a folder with the sticky bit, such as /tmp, is safe). The owners of
 * folders above the path in $SERVET_PROFILE do not matter. Errors: SERVET_ENOTFOUND (the text lists
 * the places tried), SERVET_ERANGE (path longer than size), SERVET_EIO (the profile is not safe;
 * the text says why).
 */
SERVET_API int servet_profile_find(char *path, size_t size, servet_error *error);

/**
 * Reads the profile at `path`, or the one that servet_profile_find() finds if `path` is NULL, into
 * `*profile`; the caller closes it. The path of a folder means the file profile.json in it, "-"
 * means standard input. A pipe is read only if a process writes to it. The whole file is validated.
 * The owner of a file given by `path` is not checked. Errors: SERVET_ENOTFOUND, SERVET_EIO,
 * SERVET_EFORMAT (file and line say where), SERVET_EVERSION (a newer schema than this library
 * reads), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_open(servet_profile **profile, const char *path, servet_error *error);

/** Frees the profile and everything that its queries returned. NULL is allowed. */
SERVET_API void servet_profile_close(servet_profile *profile);

/** The path from which the profile was read; "" if it was not read from a file. Owned by the
 * profile.
 */
SERVET_API const char *servet_profile_path(const servet_profile *profile);

/* --- where it comes from ---------------------------------------------------------------------- */

/**
 * Sizes of texts, including the terminating 0. The set of usable PUs is truncated after about 1,000
 * ranges (every second one of 2,048 PUs needs more); the sets of core types have any length.
 */
enum { SERVET_NAME_MAX = 64, SERVET_TEXT_MAX = 256, SERVET_CORES_MAX = 4096 };

/** How and when the profile was measured. */
typedef struct servet_run {
    char version[SERVET_NAME_MAX]; /**< version of Servet that measured */
    char started[SERVET_NAME_MAX]; /**< ISO 8601, UTC: "2026-11-20T12:00:00Z" */
    char options[SERVET_TEXT_MAX]; /**< the options given, as on the command line; may be "" */
    char clock[SERVET_NAME_MAX];   /**< "tsc", "cntvct", "monotonic_raw", ... */
    servet_value clock_overhead;   /**< s; time between two successive readings of the clock */
    servet_value clock_resolution; /**< s; smallest step of the clock that was observed */
    servet_value frequency;        /**< Hz; frequency of the core during the measurement */
    servet_value huge_pages;       /**< share (0..1) of the arrays that huge pages backed */
    servet_value duration;         /**< s; duration of the whole run */
    servet_value noise;            /**< share of time (0..1) that a spinning thread did not run */
    servet_value steal; /**< share of time (0..1) that the hypervisor reports as stolen */
    /** share of time (0..1) in which other processes ran on the sampled core */
    servet_value others;
    /** decrease of the core's frequency, as a share (0..1) of the highest */
    servet_value drift;
    char benchmarks[SERVET_TEXT_MAX]; /**< benchmarks that were run, in order: "cache,sharing";
                                         facts for which the time was too short are unmeasured */
    /**
     * benchmarks that a running or killed job has not finished, in order: "curves,distance"; else
     * ""
     */
    char unfinished[SERVET_TEXT_MAX];
    long long seed; /**< seed of all random orders */
    /** benchmarks that the time limit shortened or left out, in order: "sharing,memory"; else "" */
    char cut[SERVET_TEXT_MAX];
} servet_run;

/** Verdict on a profile: whether programs should rely on it, and the reasons against it. */
typedef struct servet_fitness {
    bool fit;
    int doubtful_count; /**< facts that are not trusted; servet_profile_doubtful() names them */
    /**
     * the largest disturbance of the run: "other processes had the cores 51 % of the time"; "" up
     * to 10 %
     */
    char noise[SERVET_TEXT_MAX];
} servet_fitness;

/** A node as its operating system describes it, restricted to the PUs and memory that the job may
 * use. */
typedef struct servet_machine {
    char hostname[SERVET_NAME_MAX];
    char os[SERVET_NAME_MAX];           /**< "Linux 6.1.0" */
    char architecture[SERVET_NAME_MAX]; /**< "x86_64" */
    char cpu[SERVET_TEXT_MAX];          /**< model name; "" if not reported */
    char cores[SERVET_CORES_MAX];       /**< OS numbers of the usable PUs as ranges: "0-3,8" */
    int pu_count, core_count, package_count, numa_count; /**< those that the job may use */
    double memory_bytes;                                 /**< installed memory */
    double page_bytes;                                   /**< size of a base page */
    /**
     * common properties of nodes of one type, as words "NAME=VALUE": processor, numbers of PUs and
     * NUMA nodes, reported caches, memory; all of the whole node, even if the job may use only a
     * part of it; "" if not known
     */
    char fingerprint[SERVET_TEXT_MAX];
    /**
     * OS numbers of the PUs in the order of hwloc's logical numbers, "0,4,1,5,2-3": all PUs that
     * the cgroup allows, even if the job may not use them; "" if not known
     */
    char logical_order[SERVET_CORES_MAX];
} servet_machine;

/** The run that measured the profile. Errors: SERVET_EUNMEASURED. */
SERVET_API int servet_profile_run(const servet_profile *profile, servet_run *run);

/**
 * The fitness of the class that `at` names; if `at` is NULL or names no class, of all classes. A
 * profile is fit if the facts that placements and block sizes depend on are trusted, as far as they
 * were measured: number, sizes, latencies and sharing of caches, the coherence block, distances,
 * memory bandwidth of one and of several cores, the number of cores that saturate memory, layers of
 * communication; also the numbers and groups of distances, overhead levels and layers. Facts
 * that were not measured do not make a profile unfit: their queries return SERVET_EUNMEASURED.
 * Errors: SERVET_ERANGE (no such class).
 */
SERVET_API int servet_profile_fitness(const servet_profile *profile, const servet_at *at,
                                      servet_fitness *fitness);

/**
 * The facts that servet_profile_fitness() counts, in `text` of `size` bytes: "L1, L2 and memory
 * bandwidth"; for several classes with their names: "L1 of node class fat, and L2 and L3 of node
 * class thin"; "" if there are none. Errors: SERVET_ERANGE (no such class, or `size` too small),
 * SERVET_EMEMORY.
 */
SERVET_API int servet_profile_doubtful(const servet_profile *profile, const servet_at *at,
                                       char *text, size_t size);

/** Number of node classes; 0 or more. */
SERVET_API int servet_profile_class_count(const servet_profile *profile);

/** Name of node class `index` (from 0); NULL outside. Owned by the profile. */
SERVET_API const char *servet_profile_class_name(const servet_profile *profile, int index);

/**
 * Number of the class that lists `host`, in `*index`. A name without a domain means the same node
 * as the name with any domain: "node7" is "node7.cluster.org". Errors: SERVET_ENOTFOUND.
 */
SERVET_API int servet_profile_class_of(const servet_profile *profile, const char *host, int *index);

/**
 * The number of this node's class in `*index` (may be NULL). All queries that name no class use
 * this class (share/doc/identity.md, servet/identity.h). Errors: SERVET_EOTHER (the text says what
 * differs).
 */
SERVET_API int servet_profile_here(const servet_profile *profile, int *index, servet_error *error);

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
 * Core type `index` (from 0) of a class; `at->core` is ignored.
 * Errors: SERVET_ERANGE (no such class or core type).
 */
SERVET_API int servet_kind_get(const servet_profile *profile, const servet_at *at, int index,
                               servet_kind *kind);

/* --- caches ----------------------------------------------------------------------------------- */

/** Comparison of a measured value with the report of the operating system. */
#define SERVET_VERDICT_LIST(X)                                                                     \
    X(SERVET_VERDICT_AGREES, "agrees")           /* the reported value lies in the interval */     \
    X(SERVET_VERDICT_DIFFERS, "differs")         /* it does not, or it means something else */     \
    X(SERVET_VERDICT_NOT_VISIBLE, "not visible") /* the OS does not report it */                   \
    X(SERVET_VERDICT_NOT_COMPARABLE, "not comparable") /* of a cache: only a part of it was        \
                                                          reached, and others may use the rest */

#define SERVET_VERDICT_ENUM_(name, text) name,
typedef enum servet_verdict {
    SERVET_VERDICT_LIST(SERVET_VERDICT_ENUM_) SERVET_VERDICT_COUNT
} servet_verdict;
#undef SERVET_VERDICT_ENUM_

/** The verdict's text ("agrees"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_verdict_name(servet_verdict verdict);

/** One cache level of one core. */
typedef struct servet_cache {
    int level; /**< 1 for the fastest */
    /** capacity, or turnover: others use the cache at the same time */
    servet_cache_kind kind;
    /**
     * Capacity; B. With SERVET_METHOD_CONFLICT it is exact: ways times sets times line. If
     * conflicts were not clear, it is read from the latency curve (see servet_cache_level.bytes).
     */
    servet_value bytes;
    servet_value ways; /**< associativity; unit 1; unknown if conflicts were not clear */
    servet_value sets; /**< sets of all slices together; unit 1; unknown if `ways` is unknown */
    /**
     * The part of the cache that a pointer chase can use now: the knee of the latency curve, with
     * its interval; B. It is less than the capacity if others use the cache, too. Choose block
     * sizes by it.
     */
    servet_value reachable_bytes;
    servet_value reported_bytes; /**< size that the OS reports; unknown if it reports none; B */
    servet_verdict verdict;      /**< measured against reported size */
    servet_value latency;        /**< time of a load that hits; s */
    servet_value latency_cycles; /**< the same in core cycles; unknown without the frequency */
    servet_value line;           /**< line size; B */
    double confidence;           /**< 0..1 that this level exists with this size (within 10 %) */
    bool trusted; /**< whether the level and its size are; values have their own mark */
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
 * cache, so this is also the number of instances.
 * Errors: as servet_cache_get(); SERVET_EUNMEASURED also if only the sharing was not measured, for
 * example because only one core may be used.
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
 * The group that core `at->core` belongs to, in `*index`. Errors: as servet_cache_group_count();
 * SERVET_EARGUMENT (`at` names no core); SERVET_EUNMEASURED also for a core in no group.
 */
SERVET_API int servet_cache_group_of(const servet_profile *profile, const servet_at *at, int level,
                                     int *index);

/** Latency of a load from memory in `*latency` (s). Errors: as servet_cache_count(). */
SERVET_API int servet_memory_latency(const servet_profile *profile, const servet_at *at,
                                     servet_value *latency);

/* --- any fact by its key ---------------------------------------------------------------------- */

/**
 * One fact as text, as `servet get` prints it ("caches.2.bytes" gives "2097152"), into `text` of
 * `size` bytes. servet-keys(7) lists the keys; indices in keys count from 1.
 * Errors: SERVET_EKEY (unknown key; the error text names the most similar key), SERVET_EUNMEASURED
 * (the fact was not measured), SERVET_ERANGE (no such class or core, or `size` too small),
 * SERVET_EUNTRUSTED (see servet_profile_trusted_only()).
 */
SERVET_API int servet_profile_get(const servet_profile *profile, const servet_at *at,
                                  const char *key, char *text, size_t size, servet_error *error);

/**
 * Number of structs in a list of the profile, in `*count`. `path` names the list as in
 * servet_profile_set(), but without numbers: "network.layers.points". `numbers` has a number, from
 * 1, for each list before the last one, in this example the number of the layer; NULL if there is
 * none. Paths begin at the class that `at` names; paths that begin with "network." ignore the
 * class. servet-keys(7) describes the facts. Errors: SERVET_EKEY (no list of structs has this
 * path), SERVET_EUNMEASURED, SERVET_ERANGE (no such class or item on the way), SERVET_EUNTRUSTED
 * (see servet_profile_trusted_only()).
 */
SERVET_API int servet_profile_count(const servet_profile *profile, const servet_at *at,
                                    const char *path, const int numbers[], int *count);

/**
 * A copy of one struct of a list, in `*item`, which has `size` bytes and the type that
 * servet_profile_set() takes. `numbers` ends with the number of the struct, from 1: {2, 3} for
 * point 3 of layer 2. SERVET_ITEM() is shorter. servet_ratios.largest is not part of an item:
 * servet_network_ratios_at() has it. Errors: as servet_profile_count(), SERVET_EARGUMENT (no
 * numbers, or the structs have another size).
 */
SERVET_API int servet_profile_item(const servet_profile *profile, const servet_at *at,
                                   const char *path, const int numbers[], void *item, size_t size);

#ifndef __cplusplus /* it has no literals of arrays */
/** servet_profile_item() with the numbers as further arguments, for communication and for the class
 * of this node: SERVET_ITEM(profile, "network.layers.points", &message, 2, 3). */
#define SERVET_ITEM(profile, path, item, ...)                                                      \
    servet_profile_item(profile, NULL, path, (const int[]){__VA_ARGS__}, item, sizeof *(item))
#endif

/**
 * The modes of the value of a key ("distance.layers.1.latency_ns"), in `*modes`, in the unit of the
 * fact's struct. Errors: as servet_profile_get(); SERVET_EKEY also for a key whose value is
 * computed from several facts.
 */
SERVET_API int servet_profile_modes(const servet_profile *profile, const servet_at *at,
                                    const char *key, servet_modes *modes, servet_error *error);

/* --- trust ------------------------------------------------------------------------------------ */

/**
 * The trust in an answer. For a value, it is its member `trusted`. Counts, groups, verdicts and
 * other words and numbers are trusted if they were not measured under noise, and if the first value
 * of the same struct is trusted or, without such a value, their confidence is at least 0.5.
 */
typedef struct servet_trust {
    bool trusted; /**< false: do not rely on the answer */
    /**
     * 0..1 that the answer is right; at most 0.5 if it was measured under noise; NaN if the fact
     * has no confidence
     */
    double confidence;
    char reason[SERVET_TEXT_MAX]; /**< reason why the answer is not trusted, as text; "" if it is */
} servet_trust;

/**
 * The trust in the answer to a key ("memory.levels.count"), in `*trust`;
 * servet_profile_trusted_only() has no effect on it. Errors: SERVET_EKEY, SERVET_EUNMEASURED,
 * SERVET_ERANGE, as servet_profile_get().
 */
SERVET_API int servet_profile_trust(const servet_profile *profile, const servet_at *at,
                                    const char *key, servet_trust *trust, servet_error *error);

/** A part of the facts of a node class, of a cache level or of a communication layer, with a name
 * for people. */
typedef struct servet_part {
    char name[SERVET_NAME_MAX]; /**< "memory bandwidth", "sharing of L2" */
    const char *fact;      /**< first part of the name: "sharing"; "" for "L2". Static storage */
    char of[24];           /**< the level or layer: "L2", "layer 1"; "" if there is none */
    const char *benchmark; /**< the word of --only that measures it. Static storage */
    bool of_job;           /**< servet-mpi measures it, otherwise servet */
    bool of_pairs;         /**< two cores are needed to measure it */
    bool known;            /**< it was measured; with several core types, for each of them */
    bool used; /**< placements and block sizes depend on it: see servet_profile_fitness() */
    char doubt[SERVET_TEXT_MAX]; /**< reason why a fact of it is not trusted; "" if all are */
} servet_part;

/**
 * Part `index` (from 0) of the facts of a class and of communication, in the order of the report.
 * A part that was not measured is returned, too; it is then not `known`. If `at` is NULL, or names
 * no class, the class is this node's. at->core, unless it is SERVET_ANY_CORE, restricts the parts
 * to its core type. servet_profile_trusted_only() has no effect. Errors: SERVET_ERANGE (beyond the
 * last one).
 */
SERVET_API int servet_profile_part(const servet_profile *profile, const servet_at *at, int index,
                                   servet_part *part);

/**
 * If `only` is true, all later queries of the profile return SERVET_EUNTRUSTED instead of an answer
 * that is not trusted, and so do placements that depend on one. Call it before other threads use
 * the profile.
 */
SERVET_API void servet_profile_trusted_only(servet_profile *profile, bool only);

/**
 * The key patterns ("caches.N.bytes"), for help and completion: pattern `index` (from 0), into
 * `key` of `size` bytes; SERVET_NAME_MAX bytes are enough. `*summary` receives one line that
 * describes the pattern (static storage); `summary` may be NULL. Errors: SERVET_ERANGE (beyond the
 * last one, or `size` too small).
 */
SERVET_API int servet_profile_key(int index, char *key, size_t size, const char **summary);

#ifdef __cplusplus
}
#endif
#endif
