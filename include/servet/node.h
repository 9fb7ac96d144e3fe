/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Facts of a node beyond cache sizes: cache lines, distances between cores, synchronization,
 * memory, TLBs, memory-level parallelism, peak rates, and accelerators. Queries take a `const
 * servet_at *` and follow the rules of servet/profile.h; none of them runs a benchmark.
 *
 * All functions return SERVET_ERANGE if there is no such class or core, and SERVET_EUNMEASURED if
 * the fact was not measured. Indices count from 0; levels and layers from 1, fastest first.
 */
#ifndef SERVET_NODE_H
#define SERVET_NODE_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- sharing of caches ------------------------------------------------------------------------ */

/** Confidence and verdict of the groups of a cache level (servet_cache_group()). */
typedef struct servet_sharing {
    double confidence;      /**< 0..1 that the groups are right */
    servet_verdict verdict; /**< compares them with the sets that the OS reports for this cache */
    bool trusted;           /**< false: measured under noise, or confidence below 0.5 */
} servet_sharing;

/** Confidence and verdict of the groups of cache level `level`. Errors: as
 *  servet_cache_group_count(). */
SERVET_API int servet_cache_sharing(const servet_profile *profile, const servet_at *at, int level,
                                    servet_sharing *sharing);

/* --- coherence -------------------------------------------------------------------------------- */

/**
 * False-sharing granularity (P-Ray, LCPC'08, 3.1): pad data that different cores write to this
 * size.
 */
typedef struct servet_coherence {
    servet_value line; /**< B */
    /**
     * level of the cache with this line: the last one on the way to memory that the two measured
     * cores do not share; 0: unknown
     */
    int level;
    /**
     * line size of that cache as the OS reports it, or the largest one if the level is unknown; B
     */
    servet_value reported;
    servet_verdict verdict; /**< measured against reported size */
    bool trusted;           /**< whether `line` and `level` are trusted */
} servet_coherence;

/** The false-sharing granularity of a node class. */
SERVET_API int servet_coherence_get(const servet_profile *profile, const servet_at *at,
                                    servet_coherence *coherence);

/* --- distances between cores ------------------------------------------------------------------ */

/**
 * Pairs of cores with about the same distance (P-Ray, LCPC'08, 3.3): the time in which one core
 * reads a cache line that the other has just modified.
 */
typedef struct servet_distance_layer {
    servet_value latency;   /**< latency of a typical pair; s */
    double confidence;      /**< 0..1 that the layer is real */
    servet_verdict verdict; /**< agrees if each group is a set that the OS reports */
    bool trusted;           /**< false: the layer or its latency was measured under noise */
} servet_distance_layer;

/** Number of layers of distances between cores, in `*count`; 0 for a single core. */
SERVET_API int servet_distance_layer_count(const servet_profile *profile, const servet_at *at,
                                           int *count);

/** Layer `layer` of distances (from 1, fastest first). Errors: SERVET_ERANGE also for no such
 * layer. */
SERVET_API int servet_distance_layer_get(const servet_profile *profile, const servet_at *at,
                                         int layer, servet_distance_layer *answer);

/** Number of groups of a layer, in `*count`: sets of cores joined by pairs of this layer or a
 * faster one. */
SERVET_API int servet_distance_group_count(const servet_profile *profile, const servet_at *at,
                                           int layer, int *count);

/** Group `index` of a layer in `*cores`: OS numbers as ranges, owned by the profile. */
SERVET_API int servet_distance_group(const servet_profile *profile, const servet_at *at, int layer,
                                     int index, const char **cores);

/**
 * The layer of the pair (at->core, other), in `*layer`: the fastest that has both in one group.
 * Errors: SERVET_EARGUMENT (one of them is not a core, or both are the same), SERVET_EUNMEASURED
 * (no group contains both).
 */
SERVET_API int servet_distance_layer_of(const servet_profile *profile, const servet_at *at,
                                        int other, int *layer);

/** The group of a layer that core `at->core` belongs to, in `*index`. Errors: SERVET_EARGUMENT
 * (`at` names no core), SERVET_EUNMEASURED also for a core in no group. */
SERVET_API int servet_distance_group_of(const servet_profile *profile, const servet_at *at,
                                        int layer, int *index);

/**
 * The other cores, ordered by their distance from core `at->core`: the first `size` OS numbers into
 * `cores`, and the number of all into `*count`. The nearest core comes first; within a layer,
 * numbers ascend. For a core in no group, there are none. Errors: SERVET_EARGUMENT (`at` names no
 * core).
 */
SERVET_API int servet_distance_nearest(const servet_profile *profile, const servet_at *at,
                                       int cores[], int size, int *count);

/* --- synchronization -------------------------------------------------------------------------- */

/** Operations by which threads synchronize, and their words. */
#define SERVET_SYNC_LIST(X)                                                                        \
    X(SERVET_SYNC_ADD, "add")                 /* atomic addition to one number */                  \
    X(SERVET_SYNC_CAS, "compare-and-swap")    /* the same by a loop until it succeeds */           \
    X(SERVET_SYNC_LOCK, "lock")               /* ticket lock: take it, release it */               \
    X(SERVET_SYNC_CENTRAL, "central-barrier") /* a counter, and a flag that the last one raises */ \
    X(SERVET_SYNC_DISSEMINATION, "dissemination-barrier") /* rounds of flags in pairs */           \
    X(SERVET_SYNC_PAUSE, "pause") /* hint in a spinning loop: PAUSE of x86, YIELD of Arm */

#define SERVET_SYNC_ENUM_(name, text) name,
typedef enum servet_sync_op {
    SERVET_SYNC_LIST(SERVET_SYNC_ENUM_) SERVET_SYNC_COUNT
} servet_sync_op;
#undef SERVET_SYNC_ENUM_

/** The operation's word ("lock"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_sync_name(servet_sync_op op);

/**
 * The time of a synchronizing operation; locks and barriers are those of Mellor-Crummey and Scott,
 * Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, TOCS 9(1), 1991. Each
 * thread has a core of its own and does nothing else; all use the same cache lines, and wait
 * without hints. List "sync", ordered by operation, threads and layer. Not measured: a hint that
 * the compiler does not know, barriers of one thread.
 */
typedef struct servet_sync {
    servet_sync_op op;
    int threads; /**< that do it at once, a core each; with two of layer 1 also PUs of one core */
    /**
     * distance layer: of two threads that of their pair, of more that whose largest group they
     * fill; 0: one thread alone
     */
    int layer;
    /**
     * s until the next operation of any of the threads ends: the inverse of the throughput of all
     * together, for a lock from one owner to the next, for a barrier from one to the next
     */
    servet_value time;
} servet_sync;

/* --- memory ----------------------------------------------------------------------------------- */

/**
 * Memory kernels on arrays of doubles: name, bytes per element as STREAM counts them (bytes that
 * the kernel reads and writes), whether the stores bypass the caches. The arrays exceed all caches.
 */
#define SERVET_KERNEL_LIST(X)                                                                      \
    X(SERVET_KERNEL_READ, "read", 8, false)        /* s ^= a[i] */                                 \
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

/** The kernel's name ("copy-nt"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_kernel_name(servet_kernel kernel);

/** Bandwidth of a kernel on one core alone with local memory; B/s. Errors: SERVET_EARGUMENT (no
 * such kernel). */
SERVET_API int servet_memory_bandwidth(const servet_profile *profile, const servet_at *at,
                                       servet_kernel kernel, servet_value *bandwidth);

/** The best copy bandwidth of one core alone (IPDPS'10, III.C: the reference); B/s. */
SERVET_API int servet_memory_single(const servet_profile *profile, const servet_at *at,
                                    servet_value *bandwidth);

/** Pairs of cores with the same contention (IPDPS'10, Fig. 6). */
typedef struct servet_memory_level {
    servet_value bandwidth; /**< bandwidth of one core of a pair while both copy; B/s */
    int saturation; /**< smallest number of cores of a group that together get 95 % or more of
                         its best bandwidth; 0: not measured */
    servet_verdict verdict; /**< agrees if each group is a set that the OS reports */
    bool trusted;           /**< false: the level or its bandwidth was measured under noise */
} servet_memory_level;

/** Number of overhead levels, in `*count`, ordered by ascending overhead; 0 if no pair slows down.
 * Errors: SERVET_EUNMEASURED also if only one core may be used, which has no pairs. */
SERVET_API int servet_memory_level_count(const servet_profile *profile, const servet_at *at,
                                         int *count);

/** Overhead level `level` (from 1). Errors: SERVET_ERANGE also for no such level. */
SERVET_API int servet_memory_level_get(const servet_profile *profile, const servet_at *at,
                                       int level, servet_memory_level *answer);

/** Number of groups of an overhead level, in `*count`: sets of cores connected by its pairs. */
SERVET_API int servet_memory_group_count(const servet_profile *profile, const servet_at *at,
                                         int level, int *count);

/** Group `index` of a level in `*cores`: OS numbers as ranges, owned by the profile. */
SERVET_API int servet_memory_group(const servet_profile *profile, const servet_at *at, int level,
                                   int index, const char **cores);

/** The group of an overhead level that core `at->core` belongs to, in `*index`. Errors: as
 *  servet_distance_group_of(). */
SERVET_API int servet_memory_group_of(const servet_profile *profile, const servet_at *at, int level,
                                      int *index);

/** Number of cores of a group to use for code that memory bandwidth limits (IPDPS'10, III.C). */
typedef struct servet_saturation {
    int level;         /**< overhead level of the group; 0: it is the whole node */
    const char *cores; /**< the group, owned by the profile; NULL: all cores of the node */
    /** smallest number of cores that get 95 % or more of the best bandwidth */
    int enough;
    servet_value bandwidth; /**< bandwidth of each of these cores; unknown if not measured; B/s */
    bool trusted;           /**< whether `enough` and `bandwidth` are trusted */
} servet_saturation;

/**
 * The advice for the group in which core `at->core` contends most for memory: the group of the last
 * overhead level for which the saturation point is known. Without such a level, or without a core
 * (SERVET_ANY_CORE), the advice is for the whole node.
 */
SERVET_API int servet_memory_saturation_of(const servet_profile *profile, const servet_at *at,
                                           servet_saturation *advice);

/**
 * Copy bandwidth of each core while `cores` cores of one group of an overhead level copy (level 0:
 * `cores` cores of the node); B/s. Errors: SERVET_ERANGE also for more cores than were measured.
 */
SERVET_API int servet_memory_scaling(const servet_profile *profile, const servet_at *at, int level,
                                     int cores, servet_value *bandwidth);

/** Smallest number of cores that together get 95 % or more of the node's best copy bandwidth. */
SERVET_API int servet_memory_saturation(const servet_profile *profile, const servet_at *at,
                                        int *cores);

/** A NUMA node. */
typedef struct servet_numa {
    int number;        /**< the number that the OS uses */
    const char *cores; /**< OS numbers as ranges, "" if it has only memory; owned by the profile */
} servet_numa;

/** Number of NUMA nodes that were measured, in `*count`. */
SERVET_API int servet_numa_count(const servet_profile *profile, const servet_at *at, int *count);

/** NUMA node `index`. Errors: SERVET_ERANGE also for no such node. */
SERVET_API int servet_numa_get(const servet_profile *profile, const servet_at *at, int index,
                               servet_numa *numa);

/** Bandwidth with which a core of NUMA node `from` reads the memory of node `to` (indices); B/s. */
SERVET_API int servet_numa_bandwidth(const servet_profile *profile, const servet_at *at, int from,
                                     int to, servet_value *bandwidth);

/** Latency of a load by a core of NUMA node `from` from the memory of node `to` (indices); s. */
SERVET_API int servet_numa_latency(const servet_profile *profile, const servet_at *at, int from,
                                   int to, servet_value *latency);

/* --- loaded latency --------------------------------------------------------------------------- */

/**
 * Latency of a load by a core of NUMA node `from` from the memory of node `to` (indices) while
 * others read `bandwidth` B/s from there; s. Interpolated between measured points of which no other
 * one has more bandwidth at less latency. Errors: SERVET_ERANGE also for more bandwidth than was
 * reached.
 */
SERVET_API int servet_loaded_latency(const servet_profile *profile, const servet_at *at, int from,
                                     int to, double bandwidth, servet_value *latency);

/* --- translation ------------------------------------------------------------------------------ */

/** Page policy of the memory that benchmarks use. */
#define SERVET_PAGES_LIST(X)                                                                       \
    X(SERVET_PAGES_BASE, "base") /* base pages: transparent huge pages are disabled */             \
    X(SERVET_PAGES_HUGE, "huge") /* transparent huge pages are requested: servet_run.huge_pages */

#define SERVET_PAGES_ENUM_(name, text) name,
typedef enum servet_pages { SERVET_PAGES_LIST(SERVET_PAGES_ENUM_) SERVET_PAGES_COUNT } servet_pages;
#undef SERVET_PAGES_ENUM_

/** The page policy's name ("huge"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_pages_name(servet_pages pages);

/** Translation of addresses with pages of one size (P-Ray, LCPC'08; X-Ray, SIGMETRICS'05). */
typedef struct servet_translation {
    servet_value page_bytes;    /**< size of the requested pages; B */
    servet_value granule_bytes; /**< memory that one entry translates: more than a page if
                                   neighbouring pages share an entry, less if a hypervisor backs a
                                   page by smaller ones; B; unknown without a level */
    servet_value walk; /**< additional time of a load that misses all levels; s; unknown if none */
    int pages_asked;   /**< largest number of pages measured: larger TLBs stay undetected */
    bool trusted;      /**< false: this, or the number of levels, was measured under noise */
} servet_translation;

/** A level of translation: a TLB. */
typedef struct servet_tlb {
    servet_value entries; /**< number of entries; each translates one granule */
    servet_value ways;    /**< associativity; equal to `entries`: fully associative; unknown if no
                               conflicts were detected */
    servet_value reach_bytes; /**< contiguous memory that is translated without a miss; B */
    /**
     * additional time of a load that misses this level; the next level, or after the last one the
     * page tables, has the entry; s
     */
    servet_value latency;
    double confidence; /**< 0..1 that the level exists with this number of entries */
    bool trusted;      /**< false: the level was measured under noise */
} servet_tlb;

/** Translation by the core with pages of this policy. Errors: SERVET_ERANGE also for no such
 * policy, here and below; SERVET_EUNMEASURED also if the system provided no such pages. */
SERVET_API int servet_translation_get(const servet_profile *profile, const servet_at *at,
                                      servet_pages pages, servet_translation *translation);

/** Number of detected TLBs, in `*count`. */
SERVET_API int servet_tlb_count(const servet_profile *profile, const servet_at *at,
                                servet_pages pages, int *count);

/** TLB `level` (from 1, nearest to the core first). Errors: SERVET_ERANGE also for no such level.
 */
SERVET_API int servet_tlb_get(const servet_profile *profile, const servet_at *at,
                              servet_pages pages, int level, servet_tlb *tlb);

/* --- concurrency ------------------------------------------------------------------------------ */

/**
 * Memory-level parallelism: the number of loads in flight that still raise the bandwidth of a cache
 * level, or of memory (level 0) (P-Ray, LCPC'08, 3.4).
 */
typedef struct servet_concurrency {
    int requests; /**< smallest number of independent chains that gets 95 % or more of the best
                       bandwidth */
    int requests_low, requests_high; /**< interval of `requests` given the noise of the measurement;
                                          0: unknown */
    servet_value best;      /**< the best bandwidth of one core: P-Ray's effective bandwidth, which
                               counts      a load of a few bytes as a whole line; B/s */
    int chains;             /**< largest number of chains measured */
    int threads;            /**< largest number of threads on one instance measured */
    bool trusted;           /**< whether `requests` and `best` are trusted */
    servet_value bandwidth; /**< bytes that one core really loads, with its widest loads in the
                               order of addresses; unknown: not measured; B/s */
} servet_concurrency;

/** Memory-level parallelism of a level. Errors: SERVET_ERANGE also for no such level, here and
 * below. */
SERVET_API int servet_concurrency_get(const servet_profile *profile, const servet_at *at, int level,
                                      servet_concurrency *concurrency);

/** Effective bandwidth of one core with `chains` independent chains; B/s. Errors: SERVET_ERANGE for
 * more than were measured. */
SERVET_API int servet_concurrency_of_chains(const servet_profile *profile, const servet_at *at,
                                            int level, int chains, servet_value *bandwidth);

/**
 * Effective bandwidth of each of `threads` threads that share an instance of the level (level 0:
 * the memory of the node), each with as many chains as one thread alone can use; B/s. Errors:
 * SERVET_ERANGE for more than were measured, SERVET_EUNMEASURED if none were.
 */
SERVET_API int servet_concurrency_of_threads(const servet_profile *profile, const servet_at *at,
                                             int level, int threads, servet_value *bandwidth);

/* --- peak rates ------------------------------------------------------------------------------- */

/** Precisions of numbers, and their words. */
#define SERVET_PRECISION_LIST(X)                                                                   \
    X(SERVET_PRECISION_F64, "f64")                                                                 \
    X(SERVET_PRECISION_F32, "f32")                                                                 \
    X(SERVET_PRECISION_I64, "i64") /* integers, which are only added, by scalar instructions */

/** Numbers that an instruction computes with, and their words. */
#define SERVET_WIDTH_LIST(X)                                                                       \
    X(SERVET_WIDTH_SCALAR, "scalar") /* one */                                                     \
    X(SERVET_WIDTH_VECTOR, "vector") /* a register full: the fastest vectors that the core has */

#define SERVET_PEAK_ENUM_(name, text) name,
typedef enum servet_precision {
    SERVET_PRECISION_LIST(SERVET_PEAK_ENUM_) SERVET_PRECISION_COUNT
} servet_precision;
typedef enum servet_width { SERVET_WIDTH_LIST(SERVET_PEAK_ENUM_) SERVET_WIDTH_COUNT } servet_width;
#undef SERVET_PEAK_ENUM_

/** The word of a precision ("f64"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_precision_name(servet_precision precision);

/** The word of a width ("vector"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_width_name(servet_width width);

/**
 * A peak rate: multiplications and additions of numbers in registers, fused where the processor can
 * (the method of likwid-bench's peakflops). One core of each type computes alone, then all usable
 * PUs at once. List "peak", ordered by precision, width, number of cores and core.
 */
typedef struct servet_peak {
    servet_precision precision;
    servet_width width;
    int bits;           /**< of a register as far as an instruction uses it */
    int cores;          /**< that compute at once */
    int core;           /**< OS number of the first of them */
    servet_value rate;  /**< of all of them together, of the best visit; FLOP/s, of integers
                             additions a second */
    servet_value clock; /**< mean of theirs under this load; Hz */
} servet_peak;

/**
 * The peak rate of a core of the type of `at->core`, or without a core (SERVET_ANY_CORE) of all
 * cores at once, in `*peak`. Errors: SERVET_EARGUMENT (no such precision or width).
 */
SERVET_API int servet_peak_get(const servet_profile *profile, const servet_at *at,
                               servet_precision precision, servet_width width, servet_peak *peak);

/** Kinds of work by which core types are compared, and the facts that give their speed. */
#define SERVET_WORK_LIST(X)                                                                        \
    X(SERVET_WORK_USUAL, "usual")     /* memory if it limits the program, else vector */           \
    X(SERVET_WORK_VECTOR, "vector")   /* peak rate of vectors of doubles */                        \
    X(SERVET_WORK_INTEGER, "integer") /* peak rate of additions of integers */                     \
    X(SERVET_WORK_MEMORY, "memory")   /* bandwidth of the widest loads from memory */

#define SERVET_PEAK_ENUM_(name, text) name,
typedef enum servet_work { SERVET_WORK_LIST(SERVET_PEAK_ENUM_) SERVET_WORK_COUNT } servet_work;
#undef SERVET_PEAK_ENUM_

/** The word of a kind of work ("vector"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_work_name(servet_work work);

/**
 * The speed of one core of the type of `at->core` (SERVET_ANY_CORE: the first type) that does such
 * work alone, relative to the fastest core type of the node, in `*speed`: 1 for that type, less for
 * others. SERVET_WORK_USUAL is that of vectors. Computed from the facts of all core types, and
 * trusted if all are. Errors:
 * SERVET_EARGUMENT (no such work), SERVET_EUNMEASURED also if the rate of one type is not known.
 */
SERVET_API int servet_core_speed(const servet_profile *profile, const servet_at *at,
                                 servet_work work, servet_value *speed);

/**
 * Ridge point of the roofline (Williams, CACM 52(4), 2009): the operations per byte from where on
 * code is limited by the vector peak rate, not by loads from cache level `level`, or from memory
 * (0); FLOP/B. With a core it is that of one core, whose loads are the widest. Without one
 * (SERVET_ANY_CORE) it is that of all cores, and of memory only: the best bandwidth of any number
 * of cores that copy. Computed from both facts, and trusted if both are. Errors: as
 * servet_peak_get(), SERVET_EUNMEASURED also for a cache of all cores.
 */
SERVET_API int servet_ridge(const servet_profile *profile, const servet_at *at,
                            servet_precision precision, int level, servet_value *ridge);

/* --- accelerators ----------------------------------------------------------------------------- */

/** Directions of copies between the host and an accelerator, and their words. */
#define SERVET_DIRECTION_LIST(X)                                                                   \
    X(SERVET_DIRECTION_TO_DEVICE, "to-device")                                                     \
    X(SERVET_DIRECTION_TO_HOST, "to-host")

#define SERVET_DIRECTION_ENUM_(name, text) name,
typedef enum servet_direction {
    SERVET_DIRECTION_LIST(SERVET_DIRECTION_ENUM_) SERVET_DIRECTION_COUNT
} servet_direction;
#undef SERVET_DIRECTION_ENUM_

/** The word of a direction ("to-host"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_direction_name(servet_direction direction);

/**
 * An accelerator: a device with memory of its own, mostly a GPU. Its texts belong to the profile.
 * List "accelerators.devices": the first is the driver's (CUDA's or HIP's) device 0, and so on;
 * empty: the node has none.
 */
typedef struct servet_accelerator {
    const char *name;  /**< the driver's */
    const char *bus;   /**< PCI address: "0000:17:00.0" */
    const char *cards; /**< network cards under the nearest PCI bridge that has any, by their names
                            in the system: "ib0,mlx5_0"; "": none is reported */
    int node;          /**< OS number of the NUMA node that is reported near; -1: none is */
    /**
     * cores near to it by measurement, as ranges: of the NUMA nodes to whose memory its copies are
     * as fast as to any; "": not measured
     */
    const char *cores;
    /** true: no NUMA node with cores is nearer than another, `cores` are those of all */
    bool uniform;
    servet_verdict verdict; /**< agrees if the reported node is near, not visible if none is
                                 reported or no node is nearer than another */
    bool trusted;           /**< whether `cores`, `uniform` and `verdict` are */
} servet_accelerator;

/** Copies between a device and the pinned memory of a NUMA node. List "accelerators.devices.links",
 * one for each NUMA node that has memory. */
typedef struct servet_accelerator_link {
    int node;                        /**< OS number of the NUMA node */
    servet_value to_device, to_host; /**< bandwidth of large copies; B/s */
    /** the same while all devices copy in this direction, each from or to the memory nearest to it;
     * unknown for other memory, for a single device, and with fewer cores than devices; B/s */
    servet_value to_device_together, to_host_together;
    /** time of a copy of 64 bytes, from its request until a core near that memory knows that it is
     * done; s */
    servet_value to_device_latency, to_host_latency;
} servet_accelerator_link;

/** Caches and other memories on the chip of a device, and their words. */
#define SERVET_DEVICE_CACHE_LIST(X)                                                                \
    X(SERVET_DEVICE_CACHE_L1, "l1")                                                                \
    X(SERVET_DEVICE_CACHE_L2, "l2")                                                                \
    X(SERVET_DEVICE_CACHE_L3, "l3")                                                                \
    X(SERVET_DEVICE_CACHE_SHARED, "shared") /* shared memory (LDS): not filled by itself */        \
    X(SERVET_DEVICE_CACHE_CONSTANT_L1, "constant-l1")                                              \
    X(SERVET_DEVICE_CACHE_CONSTANT_L15, "constant-l1.5")                                           \
    X(SERVET_DEVICE_CACHE_READ_ONLY, "read-only")                                                  \
    X(SERVET_DEVICE_CACHE_TEXTURE, "texture")                                                      \
    X(SERVET_DEVICE_CACHE_SCALAR_L1, "scalar-l1")

#define SERVET_DEVICE_CACHE_ENUM_(name, text) name,
typedef enum servet_device_cache {
    SERVET_DEVICE_CACHE_LIST(SERVET_DEVICE_CACHE_ENUM_) SERVET_DEVICE_CACHE_COUNT
} servet_device_cache;
#undef SERVET_DEVICE_CACHE_ENUM_

/** The word of a cache of devices ("texture"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_device_cache_name(servet_device_cache cache);

/**
 * A cache of a device, which MT4G measured (https://github.com/caps-tum/mt4g) and `servet merge
 * --mt4g` stored. List "accelerators.devices.caches", in the order of the words; not known without
 * such results.
 */
typedef struct servet_accelerator_cache {
    servet_device_cache cache;
    servet_value bytes;   /**< of one instance; of shared memory that of a multiprocessor; B */
    servet_value line;    /**< B */
    servet_value latency; /**< mean of dependent loads that hit; cycles of the device */
} servet_accelerator_cache;

/** Copies from a device to another one. List "accelerators.pairs", ordered by both numbers. */
typedef struct servet_accelerator_pair {
    int from, to;           /**< the driver's numbers, from 0 */
    bool direct;            /**< the driver says that they reach each other's memory */
    servet_value bandwidth; /**< of large copies; B/s */
    servet_value latency;   /**< of a copy of 64 bytes, as servet_accelerator_link; s */
} servet_accelerator_pair;

/**
 * Pairs of devices that slow each other down alike when both copy in one direction, each to or from
 * the memory nearest to it. List "accelerators.levels", ordered by direction, then the least
 * overhead first; empty if no pair slows down. Their groups, "accelerators.levels.groups", are sets
 * of the driver's numbers of devices that such pairs connect: those behind one switch.
 */
typedef struct servet_accelerator_level {
    servet_direction direction;
    servet_value bandwidth; /**< of the slower device of a pair while both copy; B/s */
} servet_accelerator_level;

#ifdef __cplusplus
}
#endif
#endif
