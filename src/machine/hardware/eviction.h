/* SPDX-License-Identifier: BSD-3-Clause */
/** Trials of eviction on hardware: elements in memory as short pointer chases. */
#ifndef SRV_HARDWARE_EVICTION_H
#define SRV_HARDWARE_EVICTION_H

#include "machine/hardware/arena.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/topology.h"
#include "machine/machine.h"

/** The elements of the last probe. */
typedef struct srv_elements {
    srv_arena arena; /**< base NULL: there are none */
    int core;        /**< that touched them first */
    int count;
    int lines;
    double element_bytes, line_bytes;
    uint64_t seed;
    uint16_t *
        offset; /**< of the lines within an element, in the order of their loads; `lines` of them */
} srv_elements;

#define SRV_ELEMENTS_INIT                                                                          \
    {                                                                                              \
        .arena = SRV_ARENA_INIT                                                                    \
    }

/**
 * See srv_machine_ops.evict; the calling thread is bound to eviction->core where there is no other
 * PU, else two threads are started. Errors: SERVET_EARGUMENT (no such trials), SERVET_EMEMORY,
 * SERVET_EMACHINE.
 */
int srv_eviction_run(srv_elements *elements, srv_topology *topology, const srv_clock *clock,
                     const srv_eviction *eviction, float *ns, servet_error *error);

/** Frees the memory. A zeroed struct is valid. */
void srv_elements_finish(srv_elements *elements);

#endif
