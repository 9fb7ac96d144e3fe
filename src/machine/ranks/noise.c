/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/noise.h"

static void take_reply(srv_desk *desk, int rank, const srv_reply *reply)
{
    desk->noises[rank] = reply->noise;
    srv_desk_await(desk, rank, false);
}

int srv_preside_noise(srv_office *office)
{
    srv_desk *desk = &office->desk;
    srv_wire_order order = {.kind = SRV_ORDER_NOISE, .seconds = desk->look_seconds};
    srv_reply reply;
    bool own = false;
    srv_desk_limit(desk, SRV_HANG_SECONDS + SRV_DOUBT * order.seconds);
    for (int i = 0; i < desk->looking_count; i++) {
        int rank = desk->looking[i];
        srv_desk_await(desk, rank, true);
        if (rank == 0)
            own = true;
        else
            srv_wire_send(office->member->comm, &order, sizeof order, rank, SRV_TAG_ORDER);
    }
    if (own) {
        srv_member_play(office->member, &order, &reply);
        take_reply(desk, 0, &reply);
    }
    for (int i = own; i < desk->looking_count; i++) {
        int rank = srv_wire_receive(office->member->comm, &reply, sizeof reply, MPI_ANY_SOURCE,
                                    SRV_TAG_REPLY);
        take_reply(desk, rank, &reply);
    }
    return SERVET_OK;
}
