/* SPDX-License-Identifier: BSD-3-Clause */
/** Sends messages between the last two ranks until an error occurs, and prints it. */
#include <stdio.h>
#include <stdlib.h>

#include "machine/ranks/ranks.h"

static int send_endlessly(void *context, srv_network *network)
{
    (void)context;
    servet_error error = SERVET_ERROR_INIT;
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
    srv_spread time;
    network->ops->describe(network, &ranks, &rank_count, &nodes, &node_count, NULL);
    srv_rank_pair last = {rank_count - 2, rank_count - 1};
    srv_exchange exchange = {&last, 1, 8, SRV_FLOW_PING_PONG, SRV_BUFFERS_WARM, 0.01};
    do {
        printf("going\n");
        fflush(stdout);
    } while (network->ops->exchange(network, &exchange, &time, &error) == SERVET_OK);
    printf("%s\n", error.text);
    /* The following probe fails at once. */
    return network->ops->exchange(network, &exchange, &time, NULL) == SERVET_ECOMMUNICATION ? 3 : 4;
}

int main(void)
{
    int status;
    const srv_ranks_job job = {.client = send_endlessly};
    return srv_ranks_run(&job, &status, NULL) == SERVET_OK ? status : EXIT_FAILURE;
}
