/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sending and receiving what is timed. Alone on its core a rank waits within MPI, as nearly all
 * programs do and those that others measure with: that spins, which is fastest. Where others want
 * the core, other ranks for instance, it would keep them from sending what it waits for, until the
 * scheduler takes the core away, some milliseconds later. There it looks, and lets others run in
 * between.
 */
#ifndef SRV_RANKS_TALK_H
#define SRV_RANKS_TALK_H

#include <stdbool.h>

#include "machine/hardware/clock.h"
#include "machine/ranks/wire.h"

typedef struct srv_talk {
    MPI_Comm comm;
    bool crowded; /**< others want the core, too */
} srv_talk;

/** Spins for a moment on `core`, where the caller is bound, while all ranks do so: whether others
 * get a good part of it. */
bool srv_talk_is_crowded(const srv_clock *clock, int core);

/** Returns when the memory may be used again. MPI_PROC_NULL is fine. */
void srv_talk_send(const srv_talk *talk, const void *data, int bytes, int to, srv_tag tag);

/** Returns when it is there. MPI_PROC_NULL is fine. */
void srv_talk_receive(const srv_talk *talk, void *data, int bytes, int from, srv_tag tag);

/**
 * Both at once, which may be one rank. Two ranks that send to each other share a connection. One
 * that is late, and answers what it was offered before it offers its own, lets that get stuck
 * behind the other's data: large messages then go one way at a time, all of them, for so it stays
 * (Open MPI 4.1 over TCP, with MPI_Sendrecv, too). Therefore the send begins first.
 */
void srv_talk_exchange(const srv_talk *talk, const void *out, int to, void *in, int from, int bytes,
                       srv_tag tag);

#endif
