/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The machine interface: what a benchmark may ask. A machine answers by timing (hardware) or by
 * computing (a model, or a fake in a test); nothing above this line knows which.
 *
 * A machine belongs to one thread. It never decides what an answer means.
 */
#ifndef SRV_MACHINE_MACHINE_H
#define SRV_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "servet/measure.h"
#include "stats/robust.h"

/** Which lines of the working set a traversal visits, and in which order; each once a cycle. */
typedef enum srv_pattern {
    SRV_PATTERN_LINES,  /**< all, in random order: no prefetcher follows */
    SRV_PATTERN_PAGES,  /**< one in each page, at varying offsets, in random order: translation */
    SRV_PATTERN_STRIDE, /**< every `stride` bytes, ascending, the stride read from the array itself:
                             the walk of the papers (IPDPS'10, Fig. 1) */
} srv_pattern;

/** "Visit `bytes` bytes with this pattern, on this core, at this rate." */
typedef struct srv_traversal {
    int core;            /**< OS number of the PU */
    double bytes;        /**< span of the working set: whole lines, for PAGES whole base pages */
    double largest_bytes; /**< of the series that this is part of: memory is reserved once; or 0 */
    srv_pattern pattern;
    double line_bytes;   /**< distance of neighbouring lines, at least a pointer */
    double stride;       /**< bytes; for SRV_PATTERN_STRIDE */
    int chains;          /**< independent chains of dependent loads, 1 to SRV_CHAINS_MAX */
    int delay;           /**< dependent multiplications after each load; only with one chain */
    servet_pages pages;  /**< what the arrays are built on */
    uint64_t seed;       /**< of the visiting order and of the place in memory */
    double seconds;      /**< time to spend on samples, after warming up */
} srv_traversal;

enum { SRV_CHAINS_MAX = 8 };

/** Times of one load in ns, from many short samples, overheads subtracted. */
typedef struct srv_timing {
    double mean;       /**< over whole rounds of the working set, as far as `seconds` allow; no
                            disturbances (srv_round_mean()) */
    srv_spread spread; /**< of the samples, each of which may be a part of a round */
    double huge_share; /**< share of the array (0..1) that huge pages back; NaN if unknown */
    double ghz;        /**< core cycles per ns right after the samples */
} srv_timing;

enum { SRV_CACHES_MAX = SERVET_CACHE_LEVELS_MAX, SRV_KINDS_MAX = 8 };

/** What the operating system says about the data caches above one core; a size of 0: not told. */
typedef struct srv_reported {
    int count;
    struct {
        double bytes, line_bytes;
    } level[SRV_CACHES_MAX];
} srv_reported;

/** Cores the OS or the firmware calls alike. */
typedef struct srv_kind {
    char name[SERVET_NAME_MAX];
    char cores[SERVET_CORES_MAX]; /**< OS numbers of the usable PUs as ranges */
} srv_kind;

/** The clock that everything is timed with. */
typedef struct srv_clock_facts {
    char name[SERVET_NAME_MAX];
    double overhead_ns;   /**< of an empty interval; subtracted from every sample */
    double resolution_ns; /**< smallest step seen */
} srv_clock_facts;

/** How much a spinning thread is disturbed. */
typedef struct srv_noise {
    double lost;  /**< share of the time (0..1) that a spinning thread did not get */
    double steal; /**< share of the time (0..1) that the hypervisor admits; NaN if it tells nothing */
} srv_noise;

typedef struct srv_machine srv_machine;

/** What a machine must answer. Every function returns SERVET_OK or an error code. */
typedef struct srv_machine_ops {
    /** The node as its operating system describes it. */
    int (*describe)(srv_machine *machine, servet_machine *description, servet_error *error);
    /** The kinds of cores, at least one, in kinds[0..*count-1]. */
    int (*kinds)(srv_machine *machine, srv_kind kinds[SRV_KINDS_MAX], int *count,
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
    /**
     * Times `count` traversals at once, each on a core and in memory of its own; timings[i] is that of
     * traversals[i], over a time in which all of them ran.
     */
    int (*traverse)(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error);
    /** Seconds since the machine was created, on the machine's own clock. */
    double (*elapsed)(srv_machine *machine);
    void (*destroy)(srv_machine *machine);
} srv_machine_ops;

/** The common head of every implementation. */
struct srv_machine {
    const srv_machine_ops *ops;
};

/** This node, within the cpuset and memory of the job. The caller destroys it. */
int srv_hardware_create(srv_machine **machine, servet_error *error);

/** Ends a machine and gives the thread its binding back. NULL is fine. */
void srv_machine_destroy(srv_machine *machine);

#endif
