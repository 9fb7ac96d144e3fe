/* SPDX-License-Identifier: BSD-3-Clause */
/** Measurements for cache sharing: traversals of several cores at once, each over a set of its own,
 * and sets that one core loads and another one reads. */
#ifndef SRV_FACTS_SHARING_BENCHMARK_H
#define SRV_FACTS_SHARING_BENCHMARK_H

#include "machine/machine.h"

/** A core and the set it traverses. */
typedef struct srv_traversed_set {
    int core; /**< OS number */
    double bytes;
} srv_traversed_set;

/** How sets are laid out. */
typedef struct srv_sharing_layout {
    double line_bytes;
    servet_pages pages;
    uint64_t seed; /**< each visit has other places in memory, and other orders */
} srv_sharing_layout;

/** Traverses `count` sets at once; ns[i] is what a load of set i takes. `visit` numbers the visits.
 * Errors: those of the machine, SERVET_EMEMORY. */
int srv_bench_together(srv_machine *machine, const srv_sharing_layout *layout,
                       const srv_traversed_set *sets, int count, int visit, double *ns,
                       servet_error *error);

/** Time of one core alone: mean and standard deviation over some visits. Errors: as above. */
int srv_bench_alone(srv_machine *machine, const srv_sharing_layout *layout,
                    const srv_traversed_set *set, double *mean, double *deviation,
                    servet_error *error);

/** The two cores of a read. */
typedef struct srv_sharing_reading {
    int owner, reader; /**< OS numbers */
    double bytes;
    bool modified; /**< the owner stores to each line; else it loads them */
} srv_sharing_reading;

/** Lets `count` readers read at once, no core in two of them; ns[i] per load in the best round.
 * Errors: as above. */
int srv_bench_reuse(srv_machine *machine, const srv_sharing_layout *layout,
                    const srv_sharing_reading *readings, int count, int visit, double *ns,
                    servet_error *error);

/** The core that traverses the set that overflows the cache. */
typedef enum srv_intruder { SRV_NO_INTRUDER = -1, SRV_ITSELF = -2 } srv_intruder;

/** Times a load of `core`, in the quietest of a few trials, after `intruder` (an OS number,
 * SRV_NO_INTRUDER or SRV_ITSELF) traversed a set of several times `capacity` bytes. `visit` numbers
 * the visits. Errors: those of the machine, SERVET_EMEMORY. */
int srv_bench_eviction(srv_machine *machine, const srv_sharing_layout *layout, int core,
                       int intruder, double capacity, int visit, double *ns, servet_error *error);

/** Bytes that a visit takes. */
double srv_bench_eviction_bytes(double capacity);

#endif
