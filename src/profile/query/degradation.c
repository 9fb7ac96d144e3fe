/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/degradation.h"

#include <math.h>
#include <stdlib.h>

#include "servet/network.h"

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
