/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory kernels at once, each on its core, in memory that it touched first. */
#ifndef SRV_HARDWARE_STREAM_H
#define SRV_HARDWARE_STREAM_H

#include "machine/hardware/arena_pool.h"
#include "machine/hardware/stream_sets.h"
#include "machine/hardware/thread_team.h"

/** Common state of all streams of a machine. */
typedef struct srv_streams {
    srv_arena_pool *pool;
    const srv_clock *clock;
    double memory_bytes;                          /**< that all at once may take, in equal parts */
    srv_stream_loop *chosen[SERVET_KERNEL_COUNT]; /**< NULL: not yet */
} srv_streams;

/** The pool, its topology and the clock must stay valid. */
void srv_streams_init(srv_streams *on, srv_arena_pool *pool, const srv_clock *clock,
                      double memory_bytes);

/**
 * Runs all streams together. Of the sets of instructions that this processor has, a stream that
 * runs alone takes the fastest for its arrays, and several together what their kernel took when it
 * last ran alone; if it never did, each takes what is fastest for it now. Errors: those of
 * srv_thread_team_run(), SERVET_EARGUMENT (no such stream), SERVET_EUNSUPPORTED (stores that this
 * processor has not).
 */
int srv_streams_run(srv_streams *on, const srv_stream *streams, int count, srv_spread *rates,
                    servet_error *error);

#endif
