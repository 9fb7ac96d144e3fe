/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory kernels at once, each on its core, in memory that it touched first. */
#ifndef SRV_HARDWARE_STREAM_H
#define SRV_HARDWARE_STREAM_H

#include "machine/hardware/arena.h"
#include "machine/hardware/stream_sets.h"
#include "machine/hardware/thread_team.h"

/** Arrays of a stream, touched by one core. */
typedef struct srv_stream_memory {
    srv_arena arena;
    int core, node;
    double reached; /**< position (0..1) of the last stream; memory before it may be in a cache */
} srv_stream_memory;

/**
 * Touches `bytes` of memory on the stream's node from the calling thread, unless it is there: that
 * of an earlier stream that was of the same core, node and pages. Errors: SERVET_EMEMORY,
 * SERVET_EARGUMENT (no such node), SERVET_EUNSUPPORTED (its memory cannot be had).
 */
int srv_stream_memory_touch(srv_stream_memory *memory, srv_topology *topology,
                            const srv_stream *stream, size_t bytes, servet_error *error);

/** Common state of all streams of a machine. */
typedef struct srv_streams {
    srv_topology *topology;
    const srv_clock *clock;
    double memory_bytes;                          /**< that all at once may take, in equal parts */
    srv_stream_loop *chosen[SERVET_KERNEL_COUNT]; /**< NULL: not yet */
    srv_stream_memory kept; /**< of the last stream that ran alone, for the next one */
} srv_streams;

/** Begins without memory. Topology and clock must stay valid. */
void srv_streams_init(srv_streams *on, srv_topology *topology, const srv_clock *clock,
                      double memory_bytes);

/** Frees the memory that is kept. */
void srv_streams_release(srv_streams *on);

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
