/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Does one core evict what another one has in its cache? A core traverses a set that fits, another
 * one traverses one that overflows the cache, then the first one is timed. What the times mean is
 * decided in facts/sharing/detect.h.
 */
#ifndef SRV_FACTS_SHARING_BENCHMARK_EVICTION_H
#define SRV_FACTS_SHARING_BENCHMARK_EVICTION_H

#include "facts/sharing/benchmark.h"

/** The core that traverses the set that overflows the cache. */
typedef enum srv_intruder { SRV_NO_INTRUDER = -1, SRV_ITSELF = -2 } srv_intruder;

/**
 * Times a load of `core`, in the quietest of a few trials, after `intruder` (an OS number,
 * SRV_NO_INTRUDER or SRV_ITSELF) traversed a set of several times `capacity` bytes. `visit` numbers
 * the visits. Errors: those of the machine, SERVET_EMEMORY.
 */
int srv_bench_eviction(srv_machine *machine, const srv_sharing_layout *layout, int core,
                       int intruder, double capacity, int visit, double *ns, servet_error *error);

/** Bytes that a visit takes. */
double srv_bench_eviction_bytes(double capacity);

#endif
