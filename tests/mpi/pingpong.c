/* SPDX-License-Identifier: BSD-3-Clause */
/** Latency and bandwidth between ranks 0 and 1, as NetPIPE prints them: for comparison with it. */
#include <stdio.h>
#include <stdlib.h>

#include "machine/ranks/ranks.h"

static int send_all(void *context, srv_network *network)
{
    (void)context;
    static const double sizes[] = {8, 48 << 10, 1 << 20, 2 << 20, 4 << 20};
    srv_rank_pair pair = {0, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        servet_error error = SERVET_ERROR_INIT;
        srv_spread time;
        srv_exchange exchange = {&pair, 1, sizes[i], SRV_FLOW_PING_PONG, SRV_BUFFERS_WARM, 0.5};
        if (network->ops->exchange(network, &exchange, &time, &error) != SERVET_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        printf("%.0f %.9f %.9f %.9f %.1f\n", sizes[i], time.median, time.minimum, time.high,
               1e-6 * sizes[i] / time.median);
    }
    return 0;
}

int main(void)
{
    servet_error error = SERVET_ERROR_INIT;
    int status;
    const srv_ranks_job job = {.client = send_all};
    if (srv_ranks_run(&job, &status, &error) == SERVET_OK)
        return status;
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
}
