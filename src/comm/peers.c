/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/peers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/affinity.h"
#include "core/host.h"
#include "core/ranges.h"

/* --- each rank -------------------------------------------------------------------------------- */

/* The PUs that the calling thread may run on; "" if the system does not report them. */
static void write_cores(char *text, size_t size)
{
    int cores[SRV_PEER_CORES_MAX], count = 0;
    srv_affinity mask;
    *text = '\0';
    if (srv_affinity_get(&mask))
        srv_affinity_cores(&mask, SRV_PEER_CORES_MAX / 8, cores, SRV_PEER_CORES_MAX, &count);
    while (!srv_ranges_write(cores, count, text, size) && count > 0)
        count /= 2;
}

/* Writes "host\0cores\0fingerprint\0"; returns its number of bytes. */
static int write_place(char *text, size_t size)
{
    srv_host_name(text);
    size_t host = strlen(text) + 1;
    write_cores(text + host, size - host - SERVET_TEXT_MAX);
    size_t cores = host + strlen(text + host) + 1;
    (void)servet_node_fingerprint(text + cores, size - cores);
    return (int)(cores + strlen(text + cores) + 1);
}

/* --- rank 0 ----------------------------------------------------------------------------------- */

/* A rank by its host. */
typedef struct rank_host {
    const char *host;
    int rank;
} rank_host;

static int by_host(const void *a, const void *b)
{
    const rank_host *x = a, *y = b;
    int order = strcmp(x->host, y->host);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static void number_hosts(srv_peers *peers, rank_host *rank_hosts)
{
    const srv_gathered_strings *strings = &peers->strings;
    for (int i = 0; i < strings->count; i++)
        rank_hosts[i] = (rank_host){strings->text + strings->begin[i], i};
    qsort(rank_hosts, (size_t)strings->count, sizeof *rank_hosts, by_host);
    for (int i = 0; i < strings->count; i++) {
        const char *host = rank_hosts[i].host;
        if (i == 0 || strcmp(rank_hosts[i - 1].host, host) != 0)
            peers->host[peers->host_count++] = (srv_host){host, rank_hosts[i].rank, -1, -1};
        const char *cores = host + strlen(host) + 1;
        peers->peer[rank_hosts[i].rank] =
            (srv_peer){cores, peers->host_count - 1, cores + strlen(cores) + 1};
    }
}

static int list_peers(srv_peers *peers)
{
    size_t count = (size_t)peers->strings.count;
    rank_host *rank_hosts = malloc(count * sizeof *rank_hosts);
    peers->count = peers->strings.count;
    peers->peer = malloc(count * sizeof *peers->peer);
    peers->host = malloc(count * sizeof *peers->host);
    bool allocated = rank_hosts && peers->peer && peers->host;
    if (allocated)
        number_hosts(peers, rank_hosts);
    free(rank_hosts);
    return allocated ? SERVET_OK : SERVET_EMEMORY;
}

int srv_peers_gather(MPI_Comm comm, srv_peers *peers)
{
    char place[SRV_HOST_NAME_MAX + SERVET_CORES_MAX + SERVET_TEXT_MAX];
    int rank;
    *peers = (srv_peers){0};
    int code = srv_strings_gather(comm, place, write_place(place, sizeof place), &peers->strings);
    if (code != SERVET_OK)
        return code;
    MPI_Comm_rank(comm, &rank);
    return srv_agree_on(comm, rank == 0 ? list_peers(peers) : SERVET_OK);
}

void srv_peers_finish(srv_peers *peers)
{
    free(peers->peer);
    free(peers->host);
    srv_gathered_strings_finish(&peers->strings);
    *peers = (srv_peers){0};
}

/* --- in the profile --------------------------------------------------------------------------- */

/* Returns the class of a node of the job that measured; -1: none. A single class lists all nodes.
 */
static int class_of(const servet_profile *profile, const char *host)
{
    int index;
    if (servet_profile_class_of(profile, host, &index) == SERVET_OK)
        return index;
    return servet_profile_class_count(profile) == 1 ? 0 : -1;
}

/* Returns the first node of the job in each class, -1 for none; the caller frees the array. NULL
 * without memory. */
static int *find_examples(const servet_profile *profile)
{
    const char *host;
    int count = servet_profile_class_count(profile);
    int *example = malloc(((size_t)count + 1) * sizeof *example);
    for (int i = 0; i < count && example; i++)
        example[i] = -1;
    for (int node = 0; example && (host = servet_network_node(profile, node)); node++) {
        int index = class_of(profile, host);
        if (index >= 0 && example[index] < 0)
            example[index] = node;
    }
    return example;
}

int srv_peers_find(srv_peers *peers, const servet_profile *profile, servet_error *error)
{
    int *example = find_examples(profile);
    if (!example)
        return srv_fail_memory(error);
    for (srv_host *host = peers->host; host < peers->host + peers->host_count; host++) {
        int index = -1;
        (void)servet_profile_identify(profile, host->name, peers->peer[host->first].fingerprint,
                                      &index, NULL, NULL);
        if (servet_network_node_of(profile, host->name, &host->node) != SERVET_OK)
            host->node = -1;
        host->like = host->node >= 0 || index < 0 ? host->node : example[index];
    }
    free(example);
    return SERVET_OK;
}
