/* SPDX-License-Identifier: BSD-3-Clause */
/** One rank of the job: its seat, its clock, its memory for messages, and what it does when told.
 */
#ifndef SRV_RANKS_MEMBER_H
#define SRV_RANKS_MEMBER_H

#include "machine/hardware/disturbance.h"
#include "machine/ranks/seat.h"
#include "machine/ranks/traffic.h"
#include "machine/ranks/wire.h"

typedef struct srv_member {
    MPI_Comm comm;
    int rank, rank_count;
    srv_topology topology;
    srv_clock clock;
    srv_stolen stolen; /**< from its core, when it last looked */
    srv_seat seat;
    srv_traffic traffic;
} srv_member;

/** All ranks call it together; finish after a failure, too. Errors: those of srv_seat_take(). */
int srv_member_init(srv_member *member, servet_error *error);

/** All ranks call it together, once all have their seats: whether others want its core, too. */
void srv_member_look_around(srv_member *member);

/** Does its part of an order of SRV_ORDER_PREPARE, _WARM_UP, _SAMPLE, _NOISE or _ANSWER. */
void srv_member_play(srv_member *member, const srv_wire_order *order, srv_reply *reply);

/**
 * Measures its node; the profile is the caller's to close. options->progress_file is a beginning,
 * see srv_network_ops.measure_nodes. Errors: those of servet_measure().
 */
int srv_member_measure(srv_member *member, const servet_measure_options *options,
                       servet_profile **profile, servet_error *error);

/** Does what rank 0 orders until it is sent home. */
void srv_member_serve(srv_member *member);

void srv_member_finish(srv_member *member);

#endif
