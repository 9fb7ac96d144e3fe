/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a profile knows of a node beyond its caches: lines, distances between cores, memory, and
 * memory-level parallelism. Queries take a `const servet_at *` and follow the rules of
 * servet/profile.h; none of them runs a benchmark.
 *
 * All functions return SERVET_ERANGE for a class or core that there is not, and SERVET_EUNMEASURED
 * for what was not measured. Indices count from 0; levels and layers from 1, fastest first.
 */
#ifndef SERVET_NODE_H
#define SERVET_NODE_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- who shares a cache ----------------------------------------------------------------------- */

/** What is known about the groups of a cache level (servet_cache_group()). */
typedef struct servet_sharing {
    double confidence;      /**< 0..1 that the groups are right */
    servet_verdict verdict; /**< against the sets of PUs that the OS reports for this cache */
    bool trusted;           /**< the groups */
} servet_sharing;

/** What is known about the groups of cache level `level`. Errors: as servet_cache_group_count(). */
SERVET_API int servet_cache_sharing(const servet_profile *profile, const servet_at *at, int level,
                                    servet_sharing *sharing);

/* --- coherence -------------------------------------------------------------------------------- */

/**
 * False-sharing granularity (P-Ray, LCPC'08, 3.1): pad data written by different cores to that size.
 */
typedef struct servet_coherence {
    servet_value line;     /**< B */
    int level;             /**< of the cache whose line it is: the last one on the way to memory that the
                                two cores which were asked do not share; 0: unknown */
    servet_value reported; /**< its line as the OS says, or the largest where the level is unknown; B */
    servet_verdict verdict;
    bool trusted;          /**< the line, and of which level it is */
} servet_coherence;

/** What was found by false sharing. */
SERVET_API int servet_coherence_get(const servet_profile *profile, const servet_at *at,
                                    servet_coherence *coherence);

/* --- distances between cores ------------------------------------------------------------------ */

/** Pairs of cores between which a line that one has modified takes the same time to the other. */
typedef struct servet_distance_layer {
    servet_value latency;   /**< of a typical pair; ns */
    double confidence;      /**< 0..1 that it is a layer of its own */
    servet_verdict verdict; /**< agrees where each group is a set that the OS reports */
    bool trusted;           /**< that there is this layer, with that latency */
} servet_distance_layer;

/** Number of layers of distances between cores, in `*count`; 0 for a single core. */
SERVET_API int servet_distance_layer_count(const servet_profile *profile, const servet_at *at,
                                           int *count);

/** Layer `layer` of distances (from 1, fastest first). Errors: SERVET_ERANGE also for no such one. */
SERVET_API int servet_distance_layer_get(const servet_profile *profile, const servet_at *at,
                                         int layer, servet_distance_layer *answer);

/** Number of groups of such a layer: sets of cores joined by pairs of it or of a faster one. */
SERVET_API int servet_distance_group_count(const servet_profile *profile, const servet_at *at,
                                           int layer, int *count);

/** Group `index` of a layer in `*cores`: OS numbers as ranges, owned by the profile. */
SERVET_API int servet_distance_group(const servet_profile *profile, const servet_at *at, int layer,
                                     int index, const char **cores);

/**
 * The layer of the pair (at->core, other), in `*layer`: the fastest that has both in one group.
 * Errors: SERVET_EARGUMENT (one of them is no core, or both are one), SERVET_EUNMEASURED (no
 * group holds both).
 */
SERVET_API int servet_distance_layer_of(const servet_profile *profile, const servet_at *at,
                                        int other, int *layer);

/** The group of a layer that core `at->core` belongs to, in `*index`. Errors: SERVET_EARGUMENT (no
 *  core is named), SERVET_EUNMEASURED also for a core that no group holds. */
SERVET_API int servet_distance_group_of(const servet_profile *profile, const servet_at *at,
                                        int layer, int *index);

/**
 * The cores nearest to core `at->core`: the OS numbers of `*count` of them into `cores`, at most
 * `size`, the nearest first, those of one layer ascending. Errors: as servet_distance_group_of(),
 * but a core that no group holds has none.
 */
SERVET_API int servet_distance_nearest(const servet_profile *profile, const servet_at *at,
                                       int cores[], int size, int *count);

/* --- memory ----------------------------------------------------------------------------------- */

/**
 * What is done with arrays of doubles: name, bytes an element moves as the kernel names them,
 * whether its stores bypass the caches. Each streams through arrays that no cache holds.
 */
#define SERVET_KERNEL_LIST(X)                                                                      \
    X(SERVET_KERNEL_READ, "read", 8, false)        /* s += a[i] */                                 \
    X(SERVET_KERNEL_WRITE, "write", 8, false)      /* a[i] = s */                                  \
    X(SERVET_KERNEL_COPY, "copy", 16, false)       /* a[i] = b[i] */                               \
    X(SERVET_KERNEL_TRIAD, "triad", 24, false)     /* a[i] = b[i] + s * c[i] */                    \
    X(SERVET_KERNEL_WRITE_NT, "write-nt", 8, true) /* the same with non-temporal stores */         \
    X(SERVET_KERNEL_COPY_NT, "copy-nt", 16, true)                                                  \
    X(SERVET_KERNEL_TRIAD_NT, "triad-nt", 24, true)

#define SERVET_KERNEL_ENUM_(name, text, bytes, streaming) name,
typedef enum servet_kernel {
    SERVET_KERNEL_LIST(SERVET_KERNEL_ENUM_) SERVET_KERNEL_COUNT
} servet_kernel;
#undef SERVET_KERNEL_ENUM_

/** The kernel's name ("copy-nt"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_kernel_name(servet_kernel kernel);

/** Bandwidth of one core alone on its own memory, by kernel; B/s. SERVET_EARGUMENT: no kernel. */
SERVET_API int servet_memory_bandwidth(const servet_profile *profile, const servet_at *at,
                                       servet_kernel kernel, servet_value *bandwidth);

/** The best copy bandwidth of one core alone (IPDPS'10, III.C: the reference); B/s. */
SERVET_API int servet_memory_single(const servet_profile *profile, const servet_at *at,
                                    servet_value *bandwidth);

/** Pairs of cores with the same contention (IPDPS'10, Fig. 6). */
typedef struct servet_memory_level {
    servet_value bandwidth; /**< of one core of a pair while both copy; B/s */
    int saturation; /**< smallest number of cores of a group that together get 95 % or more of
                         the best; 0: not measured */
    servet_verdict verdict; /**< agrees where each group is a set that the OS reports */
    bool trusted;           /**< that there is this level, with that bandwidth and saturation */
} servet_memory_level;

/** Number of overhead levels, in `*count`; 0 where no pair slows down. The least overhead first. */
SERVET_API int servet_memory_level_count(const servet_profile *profile, const servet_at *at,
                                         int *count);

/** Overhead level `level` (from 1). Errors: SERVET_ERANGE also for no such level. */
SERVET_API int servet_memory_level_get(const servet_profile *profile, const servet_at *at,
                                       int level, servet_memory_level *answer);

/** Number of groups of an overhead level: sets of cores connected by its pairs. */
SERVET_API int servet_memory_group_count(const servet_profile *profile, const servet_at *at,
                                         int level, int *count);

/** Group `index` of a level in `*cores`: OS numbers as ranges, owned by the profile. */
SERVET_API int servet_memory_group(const servet_profile *profile, const servet_at *at, int level,
                                   int index, const char **cores);

/** The group of an overhead level that core `at->core` belongs to, in `*index`. Errors: as
 *  servet_distance_group_of(). */
SERVET_API int servet_memory_group_of(const servet_profile *profile, const servet_at *at, int level,
                                      int *index);

/** How many cores of a group are worth using for what memory limits (IPDPS'10, III.C). */
typedef struct servet_saturation {
    int level;              /**< overhead level of the group; 0: it is the whole node */
    const char *cores;      /**< the group, owned by the profile; NULL: all cores of the node */
    int enough;             /**< so many of them together get 95 % or more of the best */
    servet_value bandwidth; /**< that each of them then gets; unknown where it was not asked; B/s */
    bool trusted;           /**< the advice */
} servet_saturation;

/**
 * The advice for the group in which core `at->core` contends most for memory: that of the last
 * overhead level that has it in a group and says when that is saturated; or else, and for
 * SERVET_ANY_CORE, the node.
 */
SERVET_API int servet_memory_saturation_of(const servet_profile *profile, const servet_at *at,
                                           servet_saturation *advice);

/**
 * Copy bandwidth of each of `cores` active cores of one group of an overhead level; level 0: of the
 * whole node. B/s. Errors: SERVET_ERANGE also for more cores than were asked.
 */
SERVET_API int servet_memory_scaling(const servet_profile *profile, const servet_at *at, int level,
                                     int cores, servet_value *bandwidth);

/** Smallest number of cores that gets 95 % or more of the node's best copy bandwidth. */
SERVET_API int servet_memory_saturation(const servet_profile *profile, const servet_at *at,
                                        int *cores);

/** A NUMA node. */
typedef struct servet_numa {
    int number;        /**< the OS's */
    const char *cores; /**< OS numbers as ranges, "" for memory alone; owned by the profile */
} servet_numa;

/** Number of NUMA nodes that were measured, in `*count`. */
SERVET_API int servet_numa_count(const servet_profile *profile, const servet_at *at, int *count);

/** NUMA node `index`. Errors: SERVET_ERANGE also for no such node. */
SERVET_API int servet_numa_get(const servet_profile *profile, const servet_at *at, int index,
                               servet_numa *numa);

/** Bandwidth with which a core of NUMA node `from` reads the memory of node `to` (indices); B/s. */
SERVET_API int servet_numa_bandwidth(const servet_profile *profile, const servet_at *at, int from,
                                     int to, servet_value *bandwidth);

/** Latency of a load by a core of NUMA node `from` from the memory of node `to` (indices); ns. */
SERVET_API int servet_numa_latency(const servet_profile *profile, const servet_at *at, int from,
                                   int to, servet_value *latency);

/* --- translation ------------------------------------------------------------------------------ */

/** Pages that memory is built on. */
#define SERVET_PAGES_LIST(X)                                                                       \
    X(SERVET_PAGES_BASE, "base") /* base pages, transparent huge pages refused */                  \
    X(SERVET_PAGES_HUGE, "huge") /* transparent huge pages asked for; what came is recorded */

#define SERVET_PAGES_ENUM_(name, text) name,
typedef enum servet_pages { SERVET_PAGES_LIST(SERVET_PAGES_ENUM_) SERVET_PAGES_COUNT } servet_pages;
#undef SERVET_PAGES_ENUM_

/** The page policy's name ("huge"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_pages_name(servet_pages pages);

/** Translation of addresses with pages of one size (P-Ray, LCPC'08; X-Ray, SIGMETRICS'05). */
typedef struct servet_translation {
    servet_value page_bytes; /**< of the pages asked for */
    servet_value granule_bytes; /**< that one entry translates: more than a page where neighbouring
                                     pages share one, less where a host backs a page by smaller
                                     ones; unknown without a level */
    servet_value walk;       /**< ns that a load takes more which misses all levels than one that
                                  misses none; unknown without a level */
    int pages_asked;         /**< levels with more entries cannot be seen */
    bool trusted;            /**< what is said of it, also that no level was seen */
} servet_translation;

/** A level of it: a TLB. */
typedef struct servet_tlb {
    servet_value entries; /**< granules that it translates */
    servet_value ways;    /**< as many as entries: fully associative; unknown where conflicts did not
                               show them */
    servet_value reach_bytes; /**< what lies side by side and is translated without a miss */
    servet_value latency; /**< ns that a load takes more which misses this level and hits the next
                               one or, of the last one, the page tables */
    double confidence;    /**< 0..1 that there is such a level with so many entries */
    bool trusted;         /**< that there is */
} servet_tlb;

/** What is known of translation with such pages by the core. Errors: SERVET_ERANGE also for no such
 *  pages, here and below; SERVET_EUNMEASURED also where there were none to have. */
SERVET_API int servet_translation_get(const servet_profile *profile, const servet_at *at,
                                      servet_pages pages, servet_translation *translation);

/** Levels of it that were seen, nearest first. */
SERVET_API int servet_tlb_count(const servet_profile *profile, const servet_at *at,
                                servet_pages pages, int *count);

/** Level 1, 2, ... of it. Errors: SERVET_ERANGE also for no such level. */
SERVET_API int servet_tlb_get(const servet_profile *profile, const servet_at *at,
                              servet_pages pages, int level, servet_tlb *tlb);

/* --- concurrency ------------------------------------------------------------------------------ */

/**
 * Memory-level parallelism: how many loads in flight still raise the bandwidth of a cache level, or of
 * memory (level 0) (P-Ray, LCPC'08, 3.4).
 */
typedef struct servet_concurrency {
    int requests;      /**< smallest number of independent chains that gets 95 % or more of the best
                            bandwidth */
    int requests_low, requests_high; /**< which it may be as well, for all that the noise of the
                                          measurement lets see; 0: unknown */
    servet_value best; /**< that bandwidth, of one core: lines fetched; B/s */
    int chains;        /**< numbers of chains that were asked: 1 to this */
    int threads;       /**< numbers of threads on one instance that were asked: 1 to this */
    bool trusted;      /**< the requests */
} servet_concurrency;

/** What is known of a level. Errors: SERVET_ERANGE also for no such level, here and below. */
SERVET_API int servet_concurrency_get(const servet_profile *profile, const servet_at *at, int level,
                                      servet_concurrency *concurrency);

/** Bandwidth of one core with `chains` independent chains; B/s. Errors: SERVET_ERANGE for more than
 *  were asked. */
SERVET_API int servet_concurrency_of_chains(const servet_profile *profile, const servet_at *at,
                                            int level, int chains, servet_value *bandwidth);

/**
 * Bandwidth of each of `threads` threads that share the level's instance (level 0: a node's
 * memory), with as many chains as one of them can use; B/s. Errors: SERVET_ERANGE for more than
 * were asked, SERVET_EUNMEASURED where none were.
 */
SERVET_API int servet_concurrency_of_threads(const servet_profile *profile, const servet_at *at,
                                             int level, int threads, servet_value *bandwidth);

#ifdef __cplusplus
}
#endif
#endif
