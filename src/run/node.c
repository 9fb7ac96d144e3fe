/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/node.h"

#include "core/error.h"
#include "run/cores.h"

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    const srv_node *on = (const srv_node *)network;
    (void)error;
    *ranks = &on->rank;
    *nodes = &on->node;
    *rank_count = *node_count = 1;
    return SERVET_OK;
}

static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    const srv_node *on = (const srv_node *)network;
    srv_machine *machine = on->machine;
    (void)ranks;
    (void)count;
    int code = machine->ops->noise(machine, on->rank.core, seconds, &noises->core, error);
    return code == SERVET_OK ? srv_machine_absence(machine, &noises->absence, error) : code;
}

static int wait(srv_network *network, double seconds, servet_error *error)
{
    const srv_node *on = (const srv_node *)network;
    srv_noise unseen;
    return on->machine->ops->noise(on->machine, on->rank.core, seconds, &unseen, error);
}

static double elapsed(srv_network *network)
{
    srv_machine *machine = ((srv_node *)network)->machine;
    return machine->ops->elapsed(machine);
}

static int part(srv_network *network, const char *name, servet_error *error)
{
    return srv_machine_part(((srv_node *)network)->machine, name, error);
}

int srv_node_begin(srv_node *node, srv_machine *machine, const char *cores, servet_error *error)
{
    static const srv_network_ops ops = {
        .describe = describe, .noise = noise, .wait = wait, .elapsed = elapsed, .part = part};
    *node = (srv_node){.head.ops = &ops, .machine = machine, .node.rank_count = 1};
    return srv_quietest_core(machine, cores, &node->rank.core, error);
}
