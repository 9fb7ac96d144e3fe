/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/rank_location.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/host.h"
#include "machine/hardware/memory.h"

/* The index of rank `me` among the ranks that may run on the same PUs, and their number. */
static void find_index(const char *sets, int peers, int me, int *place, int *alike)
{
    const char *own = sets + me * SERVET_CORES_MAX;
    *place = *alike = 0;
    for (int i = 0; i < peers; i++) {
        bool same = strcmp(sets + i * SERVET_CORES_MAX, own) == 0;
        *alike += same;
        *place += same && i < me;
    }
}

/* In hwloc's order neighbours are near to each other: ranks that have room between them get cores
 * of their own before they share one. */
static int choose_core(const srv_topology *topology, int place, int alike)
{
    long long usable = hwloc_bitmap_weight(topology->usable);
    unsigned index = (unsigned)(place * usable / alike);
    hwloc_obj_t pu =
        hwloc_get_obj_inside_cpuset_by_type(topology->hwloc, topology->usable, HWLOC_OBJ_PU, index);
    return pu ? (int)pu->os_index : hwloc_bitmap_first(topology->usable);
}

/* The sets of PUs of all ranks of the node; NULL without memory for them. A rank that could not
 * read its own still sends an empty one, because the others wait. */
static char *gather_sets(MPI_Comm node, const srv_topology *topology, int peers)
{
    char own[SERVET_CORES_MAX] = "";
    if (topology->usable)
        srv_topology_print(topology->usable, own, sizeof own);
    char *sets = malloc((size_t)peers * SERVET_CORES_MAX);
    int all = sets != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node);
    if (all)
        MPI_Allgather(own, SERVET_CORES_MAX, MPI_CHAR, sets, SERVET_CORES_MAX, MPI_CHAR, node);
    if (all)
        return sets;
    free(sets);
    return NULL;
}

static int bind_here(MPI_Comm node, srv_topology *topology, srv_rank_location *location,
                     servet_error *error)
{
    int me, place, alike;
    int code = srv_topology_init(topology, error);
    char *sets = gather_sets(node, topology, location->peers);
    if (code != SERVET_OK || !sets) {
        free(sets);
        return code != SERVET_OK ? code : srv_fail_memory(error);
    }
    MPI_Comm_rank(node, &me);
    find_index(sets, location->peers, me, &place, &alike);
    free(sets);
    location->core = choose_core(topology, place, alike);
    return srv_rank_bind(topology, location, error);
}

/* If the kernel reports none, each host counts as a machine of its own. */
void srv_rank_location_identify(srv_rank_location *location)
{
    char name[SRV_HOST_NAME_MAX];
    srv_host_name(name);
    *location = (srv_rank_location){.host = "?"};
    if (*name)
        snprintf(location->host, sizeof location->host, "%.63s", name);
    FILE *stream = fopen("/proc/sys/kernel/random/boot_id", "r");
    memcpy(location->boot, location->host, sizeof location->boot);
    if (!stream)
        return;
    (void)!fgets(location->boot, sizeof location->boot, stream);
    fclose(stream);
}

int srv_rank_location_find(MPI_Comm comm, srv_topology *topology, srv_rank_location *location,
                           servet_error *error)
{
    MPI_Comm node;
    int rank;
    srv_rank_location_identify(location);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &location->peers);
    location->leader = rank;
    MPI_Bcast(&location->leader, 1, MPI_INT, 0, node);
    int code = bind_here(node, topology, location, error);
    MPI_Comm_free(&node);
    return code;
}

void srv_rank_unbind(srv_topology *topology)
{
    hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology->hwloc);
    hwloc_set_cpubind(topology->hwloc, allowed, HWLOC_CPUBIND_THREAD);
}

int srv_rank_bind(srv_topology *topology, const srv_rank_location *location, servet_error *error)
{
    return srv_topology_bind(topology, location->core, error);
}

bool srv_rank_is_bound(const srv_topology *topology, const srv_rank_location *location)
{
    return srv_topology_is_bound(topology, location->core);
}

/* After twice the size of a cache has passed through it almost nothing is left, even with
 * replacement other than LRU. If the OS reports no cache this size is assumed. */
static const double ROTATED_CACHES = 2, UNKNOWN_CACHE = 64 << 20;

/* All ranks of a node together may take this share of its memory for messages. */
static const double MEMORY_SHARE = 0.25;

size_t srv_rank_rotated_bytes(srv_topology *topology, const srv_rank_location *location)
{
    srv_reported reported;
    double largest = 0;
    if (srv_topology_reported(topology, location->core, &reported, NULL) == SERVET_OK)
        for (int i = 0; i < reported.count; i++)
            largest = fmax(largest, reported.level[i].bytes);
    double wanted = ROTATED_CACHES * (largest > 0 ? largest : UNKNOWN_CACHE);
    double granted = MEMORY_SHARE * srv_memory_available() / location->peers / 2;
    return (size_t)fmin(wanted, granted);
}
