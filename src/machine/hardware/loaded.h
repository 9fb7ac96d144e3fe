/* SPDX-License-Identifier: BSD-3-Clause */
/** A chase beside generators of load (the method of Intel MLC's loaded latency). */
#ifndef SRV_HARDWARE_LOADED_H
#define SRV_HARDWARE_LOADED_H

#include "machine/hardware/arena_pool.h"
#include "machine/hardware/traversal.h"

/** The last chase, kept for the next one: building its cycle takes longer than a probe. */
typedef struct srv_loaded_memory {
    srv_hardware_traversal chase;
    srv_traversal built; /**< in the chase's memory; bytes 0: nothing is */
} srv_loaded_memory;

/** Begins without memory. The pool, its topology and the clock must stay valid. */
void srv_loaded_init(srv_loaded_memory *on, srv_arena_pool *pool, const srv_clock *clock,
                     double memory_bytes, double page_bytes);

/** Gives the memory of the chase back to the pool. */
void srv_loaded_release(srv_loaded_memory *on);

/**
 * srv_machine_ops.load. Generators load lines in the order of addresses, each of them in steps of
 * 32 B, and add 1 to every step of a line that is to be written back; pauses are loops of
 * additions. Errors: those of srv_thread_team_run(), SERVET_EARGUMENT (no such chase or mix),
 * SERVET_EUNSUPPORTED (memory of that node), SERVET_EMEMORY.
 */
int srv_loaded_run(srv_loaded_memory *on, const srv_load_request *request, srv_load_answer *answer,
                   servet_error *error);

#endif
