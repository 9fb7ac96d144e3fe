/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/shape/ask.h"

#include <limits.h>

int srv_ask_time(const servet_profile *profile, const int *index, servet_value *answer)
{
    return servet_network_time(profile, index[0], index[1], answer);
}

/* The size of the first point of the layer's curve beyond `after`; none is as large as no int is.
 */
int srv_ask_next_size(const servet_profile *profile, const int *index, int after)
{
    servet_message point;
    for (int i = 0; servet_network_point(profile, index[0], i, &point) == SERVET_OK; i++)
        if (point.bytes > after)
            return point.bytes < INT_MAX ? (int)point.bytes : 0;
    return 0;
}

/* Of messages as those that told the layers apart. */
int srv_ask_slowdown(const servet_profile *profile, const int *index, servet_value *answer)
{
    servet_network network;
    int code = servet_network_get(profile, &network);
    return code == SERVET_OK
               ? servet_network_slowdown(profile, index[0], network.message_bytes, index[1], answer)
               : code;
}

static int ratio_of(const servet_profile *profile, servet_degradation degradation, int at,
                    servet_value *answer)
{
    servet_ratio ratio;
    int code = servet_network_ratio(profile, degradation, at, &ratio);
    if (code == SERVET_OK)
        *answer = ratio.ratio;
    return code;
}

int srv_ask_distance_ratio(const servet_profile *profile, const int *index, servet_value *answer)
{
    return ratio_of(profile, SERVET_DEGRADATION_DISTANCE, index[0], answer);
}

int srv_ask_access_ratio(const servet_profile *profile, const int *index, servet_value *answer)
{
    return ratio_of(profile, SERVET_DEGRADATION_ACCESS, index[0], answer);
}

static int largest_of(const servet_profile *profile, servet_degradation degradation,
                      servet_value *answer)
{
    servet_ratios about;
    int code = servet_network_ratios(profile, degradation, &about);
    double largest = about.largest;
    if (code == SERVET_OK)
        *answer = (servet_value){
            largest, largest, largest, 0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
    return code;
}

int srv_ask_largest_distance(const servet_profile *profile, const int *index, servet_value *answer)
{
    (void)index;
    return largest_of(profile, SERVET_DEGRADATION_DISTANCE, answer);
}

int srv_ask_most_processes(const servet_profile *profile, const int *index, servet_value *answer)
{
    (void)index;
    return largest_of(profile, SERVET_DEGRADATION_ACCESS, answer);
}
