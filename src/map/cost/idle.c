/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the number of processes of a node beyond which a resource gives no more bandwidth. */
#include <math.h>
#include <stdlib.h>

#include "core/names.h"
#include "map/cost/bandwidth.h"
#include "map/placement/placement.h"
#include "profile/types.h"
#include "servet/network.h"

/* The limit of servet_memory_saturation(): smaller differences may be due to measurement errors. */
static const double enough = 0.95;

/* --- total bandwidth of the first 1, 2, ... processes of a node ------------------------------- */

/* Stores the bandwidth of 1..count processes in total[1..count], relative to any unit; NaN if it is
 * not known. Errors: SERVET_EMEMORY. */
typedef int total_of(const servet_map *map, const servet_profile *profile, int node, int count,
                     double *total);

static int memory_total(const servet_map *map, const servet_profile *profile, int node, int count,
                        double *total)
{
    const srv_map_class *class = srv_map_class_of(map, node);
    double *each = calloc((size_t)count, sizeof *each);
    int *cores = calloc((size_t)count, sizeof *cores);
    int code = each && cores ? SERVET_OK : SERVET_EMEMORY;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_active active = {class,
                             servet_profile_class_name(profile, map->nodes.items[node].node_class),
                             cores, i + 1};
        cores[i] = srv_map_class_index(class, class->slot_cores[i * map->threads]);
        code = srv_bandwidth_each(&active, profile, each);
        total[i + 1] = 0;
        for (int p = 0; p <= i && code == SERVET_OK; p++)
            total[i + 1] += each[p];
    }
    free(each);
    free(cores);
    return code;
}

/* The unit is the bandwidth of one process alone. Above the largest number of processes that was
 * measured, the total is constant. */
static int network_total(const servet_map *map, const servet_profile *profile, int node, int count,
                         double *total)
{
    servet_ratios about = {.largest = 0};
    servet_ratio found;
    (void)map;
    (void)node;
    (void)servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about);
    for (int i = 1; i <= count; i++) {
        int measured_at = i < about.largest ? i : about.largest;
        bool known = servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, measured_at,
                                          &found) == SERVET_OK &&
                     servet_value_known(&found.ratio);
        total[i] = known ? measured_at / found.ratio.value : NAN;
    }
    return SERVET_OK;
}

static total_of *const totals[SERVET_RESOURCE_COUNT] = {
    [SERVET_RESOURCE_MEMORY] = memory_total,
    [SERVET_RESOURCE_NETWORK] = network_total,
};

/* --- advice ----------------------------------------------------------------------------------- */

SRV_NAMES(servet_resource_name, servet_resource, SERVET_RESOURCE_LIST)

static servet_map_idle advise(const double *total, int count)
{
    double best = 0;
    int number = 1;
    for (int i = 1; i <= count; i++)
        best = fmax(best, total[i]);
    while (!(total[number] >= enough * best))
        number++;
    double gain = total[number] / total[count];
    return (servet_map_idle){.per_node = number, .gain = gain, .each = gain * count / number};
}

static int idle_of(const servet_map *map, const servet_profile *profile, servet_resource resource,
                   servet_map_idle *idle)
{
    int most = 0;
    for (int n = 1; n < map->nodes.count; n++)
        if (srv_map_processes_on(map, n) > srv_map_processes_on(map, most))
            most = n;
    int count = srv_map_processes_on(map, most);
    double *total = calloc((size_t)count + 1, sizeof *total);
    int code = total ? totals[resource](map, profile, most, count, total) : SERVET_EMEMORY;
    if (code == SERVET_OK && isnan(total[count]))
        code = SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        *idle = advise(total, count);
    free(total);
    return code;
}

/* The result is trusted if it is the same without untrusted facts. */
int servet_map_idle_get(const servet_map *map, const servet_profile *profile,
                        servet_resource resource, servet_map_idle *idle)
{
    servet_profile sure = *profile;
    servet_map_idle by_sure;
    sure.trusted_only = true;
    if ((unsigned)resource >= SERVET_RESOURCE_COUNT)
        return SERVET_EARGUMENT;
    servet_map_idle found;
    int code = idle_of(map, profile, resource, &found);
    if (code != SERVET_OK)
        return code;
    code = idle_of(map, &sure, resource, &by_sure);
    if (code == SERVET_EMEMORY)
        return code;
    found.trusted =
        code == SERVET_OK && by_sure.per_node == found.per_node && by_sure.gain == found.gain;
    *idle = found;
    return SERVET_OK;
}
