/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of the degradation of the network. */
#include <math.h>
#include <stdlib.h>

#include "core/names.h"
#include "core/search.h"
#include "profile/query/find.h"
#include "profile/query/network.h"
#include "servet/degradation.h"
#include "servet/network.h"

SRV_NAMES(servet_degradation_name, servet_degradation, SERVET_DEGRADATION_LIST)

static int find(const servet_profile *profile, servet_degradation degradation, int index,
                const srv_degradation **answer)
{
    const srv_comm *comm;
    const void *found;
    if ((unsigned)degradation >= SERVET_DEGRADATION_COUNT)
        return SERVET_EARGUMENT;
    int code = srv_comm_find(profile, &comm);
    if (code == SERVET_OK)
        code = srv_list_item(&comm->degradation[degradation], 0, sizeof **answer, &found);
    if (code == SERVET_OK && index != 0)
        code = index < 0 || index > comm->others[degradation].count
                   ? SERVET_ERANGE
                   : srv_list_item(&comm->others[degradation], index - 1, sizeof **answer, &found);
    if (code == SERVET_OK && !((const srv_degradation *)found)->ratios.count)
        code = SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        *answer = found;
    return code;
}

int servet_network_ratios_count(const servet_profile *profile, servet_degradation degradation,
                                int *count)
{
    const srv_degradation *first;
    const srv_comm *comm;
    int code = find(profile, degradation, 0, &first);
    if (code == SERVET_OK)
        code = srv_comm_find(profile, &comm);
    if (code == SERVET_OK)
        *count = 1 + comm->others[degradation].count;
    return code;
}

int servet_network_ratios_at(const servet_profile *profile, servet_degradation degradation,
                             int index, servet_ratios *ratios)
{
    const srv_degradation *found;
    int code = find(profile, degradation, index, &found);
    if (code == SERVET_OK) {
        *ratios = found->fact;
        ratios->largest = ((const servet_ratio *)found->ratios.items)[found->ratios.count - 1].at;
    }
    return code;
}

int servet_network_ratios(const servet_profile *profile, servet_degradation degradation,
                          servet_ratios *ratios)
{
    return servet_network_ratios_at(profile, degradation, 0, ratios);
}

static bool is_nearer(const void *ratio, const void *at)
{
    return ((const servet_ratio *)ratio)->at < *(const int *)at;
}

static servet_ratio between(const servet_ratio *a, const servet_ratio *b, int at)
{
    double where = (double)(at - a->at) / (b->at - a->at);
    bool known = servet_value_known(&a->bandwidth) && servet_value_known(&b->bandwidth);
    return (servet_ratio){
        .at = at,
        .nodes = a->nodes,
        .bandwidth = known ? srv_value_between(&a->bandwidth, &b->bandwidth, where)
                           : servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND),
        .ratio = srv_value_between(&a->ratio, &b->ratio, where),
    };
}

int servet_network_ratio_at(const servet_profile *profile, servet_degradation degradation,
                            int index, int at, servet_ratio *ratio)
{
    const srv_degradation *found;
    int code = find(profile, degradation, index, &found);
    if (code != SERVET_OK)
        return code;
    const servet_ratio *all = found->ratios.items;
    int next = srv_count_before(all, found->ratios.count, sizeof *all, is_nearer, &at);
    if (at < 1 || next == found->ratios.count)
        return SERVET_ERANGE;
    servet_ratio answer = all[next].at == at ? all[next] : between(&all[next - 1], &all[next], at);
    answer.trusted = answer.ratio.trusted;
    code = srv_demand(profile, answer.trusted);
    if (code == SERVET_OK)
        *ratio = answer;
    return code;
}

int servet_network_ratio(const servet_profile *profile, servet_degradation degradation, int at,
                         servet_ratio *ratio)
{
    return servet_network_ratio_at(profile, degradation, 0, at, ratio);
}

/* Returns the largest distance or number of processes; 0 if it was not measured. */
static int largest_of(const servet_profile *profile, servet_degradation degradation)
{
    servet_ratios about;
    return servet_network_ratios(profile, degradation, &about) == SERVET_OK ? about.largest : 0;
}

static void copy(const servet_profile *profile, servet_degradation degradation, int count,
                 double *ratios)
{
    servet_ratio ratio;
    for (int i = 0; i < count; i++)
        ratios[i] = servet_network_ratio(profile, degradation, i + 1, &ratio) == SERVET_OK
                        ? ratio.ratio.value
                        : NAN;
}

static int fill(const servet_profile *profile, degr_desc *degr_info)
{
    int distances = largest_of(profile, SERVET_DEGRADATION_DISTANCE);
    int processes = largest_of(profile, SERVET_DEGRADATION_ACCESS);
    if (!distances && !processes)
        return SERVET_EUNMEASURED;
    double *ratios = malloc((size_t)(distances + processes) * sizeof *ratios);
    if (!ratios)
        return SERVET_EMEMORY;
    copy(profile, SERVET_DEGRADATION_DISTANCE, distances, ratios);
    copy(profile, SERVET_DEGRADATION_ACCESS, processes, ratios + distances);
    *degr_info = (degr_desc){.ratios = ratios, .distances = distances, .processes = processes};
    return SERVET_OK;
}

int load_degr_info(degr_desc *degr_info)
{
    servet_profile *profile;
    *degr_info = (degr_desc){.ratios = NULL, .distances = 0, .processes = 0};
    int code = servet_profile_open(&profile, NULL, NULL);
    if (code != SERVET_OK)
        return code;
    code = fill(profile, degr_info);
    servet_profile_close(profile);
    return code;
}

void release_degr_info(degr_desc *degr_info)
{
    free(degr_info->ratios);
    *degr_info = (degr_desc){.ratios = NULL, .distances = 0, .processes = 0};
}

double get_network_dist_ratio(degr_desc *degr_info, int dist)
{
    bool known = dist >= 1 && dist <= degr_info->distances;
    return known ? degr_info->ratios[dist - 1] : NAN;
}

double get_network_access_ratio(degr_desc *degr_info, int nprocs_per_node)
{
    bool known = nprocs_per_node >= 1 && nprocs_per_node <= degr_info->processes;
    return known ? degr_info->ratios[degr_info->distances + nprocs_per_node - 1] : NAN;
}
