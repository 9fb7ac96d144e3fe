/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * This node as a machine: the state that its probes share, and the probes, each in a file of its
 * own. Their requests are those of the lists in machine/machine.h, and have been checked.
 */
#ifndef SRV_HARDWARE_PROBES_H
#define SRV_HARDWARE_PROBES_H

#include "machine/hardware/choice.h"
#include "machine/hardware/core_noise.h"
#include "machine/hardware/foreign.h"
#include "machine/hardware/thread_team.h"
#include "machine/hardware/traversal.h"

/** The elements of the last probe of eviction. */
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

typedef struct srv_hardware {
    srv_machine machine;
    srv_topology topology;
    srv_clock clock;
    double memory_bytes; /**< that all arenas at once may take */
    srv_arena_pool arenas;
    srv_hardware_traversal traversal;
    srv_hardware_traversal
        chase;            /**< the last one under load: building it takes longer than a probe */
    srv_traversal chased; /**< in its memory; bytes 0: nothing is */
    srv_choice streams[SERVET_KERNEL_COUNT];
    srv_choice computations[SERVET_PRECISION_COUNT][SERVET_WIDTH_COUNT];
    srv_elements elements;
    srv_stolen stolen;
    srv_processor_use use; /**< at the last reading */
    srv_spin_pace pace;    /**< of the last core that ran a traversal alone */
    int bound_core;        /**< the core the thread is bound to; -1: none yet */
    double created_ns;
} srv_hardware;

/** Binds to a core, also where others undid that, and waits until it runs at its full frequency. */
int srv_hardware_settle(srv_hardware *hw, int core, servet_error *error);

/** Adds the measurements of the calling thread itself; other threads note their own. */
void srv_hardware_end_spell(srv_hardware *hw, srv_spell *spell);

/** Gives the memory of the last chase under load back where there is no room for `bytes` beside it.
 */
void srv_hardware_leave_room(srv_hardware *hw, double bytes);

/** Gives the memory of the chase back. */
void srv_hardware_forget_chase(srv_hardware *hw);

/** Frees the elements. */
void srv_hardware_forget_elements(srv_hardware *hw);

#define SRV_HARDWARE_AT_ONCE_(KIND, name, request, answer)                                         \
    int srv_hardware_##name(srv_hardware *hw, const request *requests, int count, answer *answers, \
                            servet_error *error);
#define SRV_HARDWARE_ALONE_(KIND, name, request, answer)                                           \
    int srv_hardware_##name(srv_hardware *hw, const request *wanted, answer *found,                \
                            servet_error *error);
SRV_PROBES_AT_ONCE(SRV_HARDWARE_AT_ONCE_)
SRV_PROBES_ALONE(SRV_HARDWARE_ALONE_)
int srv_hardware_evict(srv_hardware *hw, const srv_eviction *eviction, float *ns,
                       servet_error *error);

#endif
