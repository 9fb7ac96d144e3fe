/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The machine interface: the probes of a benchmark. A machine answers by timing (hardware) or by
 * computing (a model, or a fake in a test); nothing above this interface knows which.
 *
 * A machine belongs to one thread. It never decides what an answer means.
 */
#ifndef SRV_MACHINE_MACHINE_H
#define SRV_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "servet/measure.h"
#include "stats/robust.h"

/** Lines of the working set that a traversal visits, and their order; all but RANDOM visit each
 * once a cycle. */
typedef enum srv_pattern {
    SRV_PATTERN_LINES,  /**< all, in random order: no prefetcher follows */
    SRV_PATTERN_PAGES,  /**< one in each page, at varying offsets, in random order: translation */
    SRV_PATTERN_STRIDE, /**< every `stride` bytes, ascending, the stride read from the array itself:
                             the traversal of the papers (IPDPS'10, Fig. 1) */
    /**
     * blocks of 2 * `stride` bytes in random order; of each its first bytes, then those `stride`
     * bytes further: are both in one line?
     */
    SRV_PATTERN_PAIRS,
    /**
     * bytes / stride lines at random multiples of `stride`, the k-th of them (k % phases) * apart
     * bytes further, in random order: do they share a set?
     */
    SRV_PATTERN_SETS,
    /**
     * no cycle: each load's line is chosen by a generator and by the zero that the load before
     * found there, so loads depend on each other and never repeat. They hit what a cache holds,
     * whatever it chose to keep: a share of capacity / bytes of them. One chain, no delay;
     * arithmetic of a cycle or two adds to each
     */
    SRV_PATTERN_RANDOM,
    /**
     * bytes / stride lines, one at each multiple of `stride`, the k-th that is visited (k % phases)
     * * apart bytes further, in random order: translation. They begin at a multiple of the window
     * that the lines vary in (srv_traversal_window())
     */
    SRV_PATTERN_SPREAD,
} srv_pattern;

/** "Visit `bytes` bytes with this pattern, on this core, at this rate." */
typedef struct srv_traversal {
    int core;             /**< OS number of the PU */
    double bytes;         /**< span of the working set: whole lines, for PAGES whole base pages */
    double largest_bytes; /**< of the series that this is part of: memory is reserved once; or 0 */
    srv_pattern pattern;
    double line_bytes; /**< distance of neighbouring lines, at least a pointer */
    double stride;     /**< bytes; for STRIDE, PAIRS, SETS and SPREAD */
    double apart;      /**< bytes, whole pointers; for SETS and SPREAD */
    /** for SETS and SPREAD: at least 1; (phases - 1) * apart is less than `stride` */
    int phases;
    int chains;         /**< independent chains of dependent loads, 1 to SRV_CHAINS_MAX */
    int delay;          /**< dependent multiplications after each load; only with one chain */
    servet_pages pages; /**< kind of pages of the arrays */
    /**
     * memory to lie on: 0 is the core's own, n the n-th of srv_machine_ops.nodes (counted from 1)
     */
    int node;
    uint64_t seed;  /**< of the visiting order and of the place in memory */
    double seconds; /**< time to spend on samples, after warming up */
} srv_traversal;

/** phases * apart rounded up to a power of two, or `page_bytes` where that is more. */
double srv_traversal_window(const srv_traversal *traversal, double page_bytes);

/* Current cores have 10 to 48 misses in flight (Intel's second caches the most). */
enum { SRV_CHAINS_MAX = 64 };

/** Times of one load in ns, from many short samples, overheads subtracted. */
typedef struct srv_timing {
    double mean;       /**< over whole rounds of the working set, as far as `seconds` allow; no
                            disturbances (srv_round_mean()) */
    srv_spread spread; /**< of the samples, each of which may be a part of a round */
    double huge_share; /**< share of the array (0..1) that huge pages back; NaN if unknown */
    double ghz;        /**< core cycles per ns right after the samples */
    /** standard error of the median, ns: from the samples' scatter and the clock's step; NaN: not
     * known */
    double error;
    /**
     * slowdown of a loop of additions just before and after the samples, in cycles, relative to the
     * fastest one on this core since the machine was created; 1: undisturbed, NaN: not known
     */
    double busy;
} srv_timing;

enum { SRV_CACHES_MAX = SERVET_CACHE_LEVELS_MAX, SRV_CORE_TYPES_MAX = 8 };

/** Sizes of the data caches above one core, as the operating system reports them; 0: not reported.
 */
typedef struct srv_reported {
    int count;
    struct {
        double bytes, line_bytes;
        /** usable PUs that share the instance, as ranges; "": not reported */
        char cores[SERVET_CORES_MAX];
    } level[SRV_CACHES_MAX];
} srv_reported;

/** Line size assumed if none is reported. */
#define SRV_LINE_DEFAULT 64.0

/** The largest line that the OS reports, or SRV_LINE_DEFAULT: neighbours must lie as far apart, or
 * two loads would share a line. */
double srv_reported_line(const srv_reported *reported);

/** Cores the OS or the firmware calls alike. */
typedef struct srv_core_type {
    char name[SERVET_NAME_MAX];
    char cores[SERVET_CORES_MAX]; /**< OS numbers of the usable PUs as ranges */
} srv_core_type;

/** The clock that everything is timed with. */
typedef struct srv_clock_facts {
    char name[SERVET_NAME_MAX];
    double overhead_ns;   /**< of an empty interval; subtracted from every sample */
    double resolution_ns; /**< smallest step seen */
} srv_clock_facts;

/** The disturbance of a spinning thread. */
typedef struct srv_noise {
    double lost; /**< share of the time (0..1) that a spinning thread did not get */
    /**
     * share of the time (0..1) that the hypervisor admits, since the last probe about this core
     * if it was the last one; NaN if it reports none
     */
    double steal;
    double others; /**< share of the time (0..1) that other processes had the core; NaN: not
                      reported */
    double ghz;    /**< core cycles per ns now */
} srv_noise;

/**
 * Values are not trusted if at least this share of their time was disturbed. A median is right
 * while less than half of its samples are disturbed; a quarter leaves room for samples that are
 * disturbed more than the average.
 */
#define SRV_DISTURBED 0.25

/** Time that other work took from probes on their cores, and on all processors of the node. */
typedef struct srv_absence {
    /** of probes by several threads at once: share (0..1) of the other threads that did not run
     * during the samples that count. NaN: not known */
    double share;
    /** s of the longest standstill: the absence of one probe, if more than SRV_DISTURBED of its
     * time
     */
    double longest;
    double foreign; /**< share (0..1) of the time of all processors of the node that other programs
                       used; NaN: not reported */
    int moved; /**< probes in which other programs changed the cores that a thread may run on */
} srv_absence;

typedef struct srv_machine srv_machine;

/** "Run this kernel over arrays of `bytes` bytes in all, on this core." */
typedef struct srv_stream {
    int core; /**< OS number of the PU */
    servet_kernel kernel;
    double bytes; /**< of all arrays together */
    int node;     /**< where they lie; see srv_traversal.node */
    servet_pages pages;
    double seconds; /**< time to spend on samples, after warming up */
} srv_stream;

/**
 * "`owner` loads or modifies a set of lines, then `reader` loads each of them once", again and
 * again; the set is memory that `owner` touched first, fresh for each probe.
 */
typedef struct srv_line_transfer {
    int owner, reader; /**< OS numbers of the PUs */
    /**
     * of the set: one line, or enough to fill a cache; sets that are only loaded lie in several
     * places in turn, because a reader keeps its copy
     */
    double bytes;
    double line_bytes;  /**< distance of the lines; read in random order, one after the other */
    bool modified;      /**< the owner stores to each line; else it only loads them */
    uint64_t seed;      /**< of the order and of the place in memory */
    double seconds;     /**< time to spend on samples, after warming up */
    servet_pages pages; /**< kind of pages of the set */
} srv_line_transfer;

/** Alignment of the bytes that are shared falsely: they begin where a line, and any pair of lines,
 * does. */
enum { SRV_SHARED_ALIGNMENT = 4096 };

/** "Both cores increment a byte of their own, `apart` bytes from each other, as fast as they can."
 */
typedef struct srv_false_sharing {
    int core, other; /**< OS numbers of the PUs */
    double apart;    /**< bytes from one byte to the other, less than SRV_SHARED_ALIGNMENT */
    double seconds;  /**< time to spend on samples, after warming up */
} srv_false_sharing;

/**
 * "All cores do this operation at once, again and again, on the same lines; how long does each of
 * all their operations take?" (servet_sync)
 */
typedef struct srv_sync {
    servet_sync_op op;
    const int *cores; /**< OS numbers of the PUs; the first one is timed. The caller's */
    int count;        /**< of them: at least 1, of barriers at least 2 */
    double seconds;   /**< time to spend on samples, after warming up */
} srv_sync;

/** The largest base page: the places of lines in an element take 16 bits. */
#define SRV_ELEMENT_BYTES_MAX 65536.0

/**
 * "`core` visits these elements of memory, round after round; how long do the loads of each take in
 * the round that follows?" Elements that share the sets of a cache evict each other there
 * (co-eviction: share/doc/measuring.md).
 */
typedef struct srv_eviction {
    int core; /**< OS number of the PU that visits and is timed */
    /**
     * a PU that visits elements of its own between the rounds of `core` and the timed one; -1: none
     */
    int other;
    servet_pages pages;
    int elements; /**< that the memory is made of */
    /** a power of two, at most a base page (contiguous in physical memory) and
     * SRV_ELEMENT_BYTES_MAX */
    double element_bytes;
    /**
     * that a visit loads: the same ones of every element, in random order, each load depends on the
     * one before; 1 to element_bytes / line_bytes
     */
    int lines;
    double line_bytes;
    /**
     * of the memory and of the lines: as long as seed, core, pages and elements are those of the
     * last probe, the memory is, too
     */
    uint64_t seed;
    int rounds; /**< that are not timed, in each trial */
    int trials;
    int walked, others; /**< elements in a trial that `core` and `other` visit */
    /**
     * trials * (walked + others) numbers below `elements`: trial after trial, first those that
     * `core` visits, in this order. The caller's
     */
    const uint32_t *element;
} srv_eviction;

/** Lines that a generator loads between two pauses: the number that a core has in flight, roughly,
 * and a multiple of the lines of each mix. */
enum { SRV_BURST_LINES = 12 };

/**
 * "One core chases, while the generators load bursts of lines from memory of the same node, with a
 * pause after each."
 */
typedef struct srv_load_request {
    srv_traversal chase; /**< of one chain */
    const int *cores;    /**< OS numbers of the generators' PUs, not the chase's; the caller's */
    int count;           /**< of them; 0: the chase runs alone */
    double bytes;        /**< of the array of each: whole bursts */
    /** one of this many lines is modified, and so written back: a divisor of SRV_BURST_LINES; 0:
     * none is */
    int modified;
    double pause_ns; /**< whole ns, after each burst */
} srv_load_request;

/** Loads of the chase, and the bytes that all generators moved meanwhile. */
typedef struct srv_load_answer {
    srv_timing chase;
    srv_spread rate; /**< of all together: sums of what each moved, B/s; n 0: there are none */
} srv_load_answer;

/** Bytes that a generator moves for each byte that it loads: what it modifies is moved once more.
 */
static inline double srv_load_moved(const srv_load_request *request)
{
    return request->modified > 0 ? 1 + 1.0 / request->modified : 1;
}

/** True if there are such computations: integers are only added, by scalar instructions. */
static inline bool srv_is_computation(servet_precision precision, servet_width width)
{
    return (unsigned)precision < SERVET_PRECISION_COUNT && (unsigned)width < SERVET_WIDTH_COUNT &&
           (precision != SERVET_PRECISION_I64 || width == SERVET_WIDTH_SCALAR);
}

/** "Multiply and add numbers in registers on this core, as fast as it can." */
typedef struct srv_computation {
    int core; /**< OS number of the PU */
    servet_precision precision;
    servet_width width;
    double seconds; /**< time to spend on samples, after warming up */
} srv_computation;

/** The rate of a computation. */
typedef struct srv_computed {
    srv_spread rate; /**< of the samples, counted multiplications and additions a second */
    double ghz;      /**< core cycles per ns right after the samples, while the others go on */
    int bits;        /**< of a register as far as an instruction uses it */
} srv_computed;

/** A NUMA node of the machine: memory and the PUs near to it. */
typedef struct srv_numa {
    int number; /**< the OS's */
    double bytes;
    /** OS numbers of the usable PUs as ranges; "" for memory alone */
    char cores[SERVET_CORES_MAX];
} srv_numa;

enum { SRV_NUMA_MAX = 64 };

enum { SRV_DEVICES_MAX = 16 };

/** An accelerator: a device with memory of its own, mostly a GPU. */
typedef struct srv_device {
    char name[SERVET_NAME_MAX]; /**< the driver's */
    char bus[SERVET_NAME_MAX];  /**< PCI address: "0000:17:00.0" */
    int node; /**< OS number of the NUMA node that is reported near; -1: none is */
    char cores[SERVET_CORES_MAX]; /**< usable PUs that are reported near; "": not reported */
    char cards[SERVET_TEXT_MAX];  /**< network cards below the nearest PCI bridge that has any, by
                                       their names in the system: "ib0,mlx5_0" */
    int reaches; /**< bits 1 << number of the devices whose memory it reaches directly */
} srv_device;

/** "This core requests copies from a device's memory, or to it, and waits for them." */
typedef struct srv_copy {
    int core;      /**< OS number of the PU */
    int device;    /**< number in srv_machine_ops.devices */
    int peer;      /**< another device, to which the bytes go; -1: the other side is the host */
    bool to_host;  /**< of a copy between device and host: from the device */
    int node;      /**< of the host's memory, which is pinned; see srv_traversal.node */
    double bytes;  /**< of a copy, whole; always the same ones */
    int in_flight; /**< copies that are requested before it waits; 1: each is timed with its wait */
    double seconds; /**< time to spend on samples, after warming up */
} srv_copy;

/** Sets of PUs. */
typedef struct srv_sets {
    char **set; /**< as ranges */
    int count;
} srv_sets;

/** Adds a copy of a set that is not there yet. Errors: SERVET_EMEMORY, `sets` as it was. */
int srv_sets_add(srv_sets *sets, const char *set, servet_error *error);

/** Frees the memory that it owns; a zeroed one is valid. */
void srv_sets_finish(srv_sets *sets);

/**
 * The probes that several cores answer at once, no core in two of them: X(KIND, name, request,
 * answer). answers[i] is that of requests[i] over a time in which all of them ran. From a row
 * follow the operation of a machine, the refusal of requests that no machine answers
 * (srv_check_NAME()), the record and the replay (SRV_PROBE_KIND of recorded/probes.h).
 */
#define SRV_PROBES_AT_ONCE(X)                                                                      \
    X(TRAVERSE, traverse, srv_traversal, srv_timing)                                               \
    X(STREAM, stream, srv_stream, srv_spread) /* B/s, counted as the kernel names them */          \
    X(TRANSFER, transfer_lines, srv_line_transfer, srv_timing) /* of a load of the reader */       \
    X(COMPUTE, compute, srv_computation, srv_computed)         /* by the fastest instructions */   \
    X(COPY, copy, srv_copy, srv_spread) /* ns of one copy; devices: those of the operation */

/**
 * Those that are answered one by one. Contending cores may never have run at the same time: then
 * the answer is NaN without a sample.
 */
#define SRV_PROBES_ALONE(X)                                                                        \
    X(LOAD, load, srv_load_request, srv_load_answer)                                               \
    X(FALSE_SHARING, false_sharing, srv_false_sharing, srv_timing) /* of an increment by `core` */ \
    X(SYNC, synchronize, srv_sync, srv_spread) /* ns of an operation of all cores together */

#define SRV_OPERATION_AT_ONCE_(KIND, name, request, answer)                                        \
    int (*name)(srv_machine * machine, const request *requests, int count, answer *answers,        \
                servet_error *error);
#define SRV_OPERATION_ALONE_(KIND, name, request, answer)                                          \
    int (*name)(srv_machine * machine, const request *wanted, answer *found, servet_error *error);

#define SRV_CHECK_AT_ONCE_(KIND, name, request, answer)                                            \
    int srv_check_##name(const request *requests, int count, servet_error *error);
#define SRV_CHECK_ALONE_(KIND, name, request, answer)                                              \
    int srv_check_##name(const request *wanted, servet_error *error);

/** Every machine refuses a probe without request, a core twice, and values out of range. Errors:
 * SERVET_EARGUMENT. */
SRV_PROBES_AT_ONCE(SRV_CHECK_AT_ONCE_)
SRV_PROBES_ALONE(SRV_CHECK_ALONE_)
int srv_check_evict(const srv_eviction *eviction, servet_error *error);

/** Defines the operation `name` of a machine: a request that no machine answers is refused, another
 * one goes to the probe OF_name() of self(machine), which the file defines. */
#define SRV_CHECKED_AT_ONCE(of, name, request, answer)                                             \
    static int name(srv_machine *machine, const request *requests, int count, answer *answers,     \
                    servet_error *error)                                                           \
    {                                                                                              \
        int code = srv_check_##name(requests, count, error);                                       \
        return code == SERVET_OK ? of##_##name(self(machine), requests, count, answers, error)     \
                                 : code;                                                           \
    }
#define SRV_CHECKED_ALONE(of, name, request, answer)                                               \
    static int name(srv_machine *machine, const request *wanted, answer *found,                    \
                    servet_error *error)                                                           \
    {                                                                                              \
        int code = srv_check_##name(wanted, error);                                                \
        return code == SERVET_OK ? of##_##name(self(machine), wanted, found, error) : code;        \
    }

/** Operations of a machine. Every function returns SERVET_OK or an error code. */
typedef struct srv_machine_ops {
    /** The node as its operating system describes it. */
    int (*describe)(srv_machine *machine, servet_machine *description, servet_error *error);
    /** The core types, at least one, in types[0..*count-1]. */
    int (*core_types)(srv_machine *machine, srv_core_type types[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error);
    /** The caches that the OS reports for a core; count is 0 where it reports nothing. */
    int (*reported)(srv_machine *machine, int core, srv_reported *reported, servet_error *error);
    /** The clock in use. */
    int (*clock)(srv_machine *machine, srv_clock_facts *facts, servet_error *error);
    /** Bytes that one array may have within the job's memory. */
    int (*memory)(srv_machine *machine, double *bytes, servet_error *error);
    /** Spins on a core for `seconds`. */
    int (*noise)(srv_machine *machine, int core, double seconds, srv_noise *noise,
                 servet_error *error);
    /** Absence of the probes since the last call; NULL if the machine cannot lose its cores. */
    int (*absence)(srv_machine *machine, srv_absence *absence, servet_error *error);
    SRV_PROBES_AT_ONCE(SRV_OPERATION_AT_ONCE_)
    SRV_PROBES_ALONE(SRV_OPERATION_ALONE_)
    /**
     * Runs the trials one after the other. `ns`, which belongs to the caller, takes trials * walked
     * times: the loads of an element in the timed round, without the clock's overhead.
     */
    int (*evict)(srv_machine *machine, const srv_eviction *eviction, float *ns,
                 servet_error *error);
    /** The NUMA nodes, at least one, in numas[0..*count-1], ascending. */
    int (*nodes)(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error);
    /**
     * Every set of two usable PUs and more that the OS reports to share something (cores, caches,
     * NUMA nodes, packages, the machine), each once; the caller finishes `sets`.
     */
    int (*objects)(srv_machine *machine, srv_sets *sets, servet_error *error);
    /** The first accelerators of the node, none at all in most, in devices[0..*count-1]. NULL: the
     * machine has none. Errors: SERVET_EUNSUPPORTED (a driver that fails). */
    int (*devices)(srv_machine *machine, srv_device devices[SRV_DEVICES_MAX], int *count,
                   servet_error *error);
    /** Seconds since the machine was created, on the machine's own clock. */
    double (*elapsed)(srv_machine *machine);
    /**
     * Calls `call` with its context every some milliseconds while a probe works, on the clock of
     * this machine; a result other than 0 ends the probe with SERVET_EINTERRUPTED. NULL for a
     * machine whose probes last no longer than they are requested to.
     */
    void (*watch)(srv_machine *machine, int (*call)(void *context), void *context);
    /** Begins a part of a measurement, for recordings; `name` NULL ends the last part. NULL if the
     * machine does not distinguish parts. Errors: SERVET_EIO. */
    int (*part)(srv_machine *machine, const char *name, servet_error *error);
    void (*destroy)(srv_machine *machine);
} srv_machine_ops;

/** The common head of every implementation. */
struct srv_machine {
    const srv_machine_ops *ops;
};

/** srv_machine_ops.part, where the machine has it. */
int srv_machine_part(srv_machine *machine, const char *name, servet_error *error);

/** srv_machine_ops.watch, where the machine has it. */
void srv_machine_watch(srv_machine *machine, int (*call)(void *context), void *context);

/** Errors: SERVET_EARGUMENT (a copy from or to a device beyond the number of them). */
int srv_check_devices(const srv_copy *copies, int count, int devices, servet_error *error);

/** srv_machine_ops.devices; none where the machine has no such operation. */
int srv_machine_devices(srv_machine *machine, srv_device devices[SRV_DEVICES_MAX], int *count,
                        servet_error *error);

/** srv_machine_ops.absence; all zero where nothing can happen. */
int srv_machine_absence(srv_machine *machine, srv_absence *absence, servet_error *error);

/** This node, within the cpuset and memory of the job. The caller destroys it. */
int srv_hardware_create(srv_machine **machine, servet_error *error);

/** Ends a machine and gives the thread its binding back. NULL does nothing. */
void srv_machine_destroy(srv_machine *machine);

#endif
