/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/slots.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/ranges.h"

/* Takes the first core that is not taken yet; returns -1 if there is none. */
static int take_core(const char *cores, bool *taken)
{
    int first, last;
    while (srv_ranges_next(&cores, &first, &last))
        for (int core = first; core <= last; core++)
            if (!taken[core]) {
                taken[core] = true;
                return core;
            }
    return -1;
}

int srv_slots_take(const srv_peers *peers, servet_map_seat *slots, servet_error *error)
{
    bool *taken = calloc((size_t)peers->host_count * SRV_PEER_CORES_MAX, sizeof *taken);
    int code = taken ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++) {
        const srv_peer *peer = &peers->peer[i];
        const char *name = peers->host[peer->host].name;
        int core = take_core(peer->cores, taken + (size_t)peer->host * SRV_PEER_CORES_MAX);
        slots[i] = (servet_map_seat){.host = name, .core = core};
        if (core < 0)
            code = srv_fail(error, SERVET_EARGUMENT,
                            "rank %d has no core of its own: those that it may run on (%.64s of "
                            "%.64s) have a rank each",
                            i, *peer->cores ? peer->cores : "?", name);
    }
    free(taken);
    return code;
}
