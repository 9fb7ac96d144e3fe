/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints facts of the installed profile as a program finds them: its path, ratDist[2] in
 * millionths, and the number of nodes of each measurement of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <servet/servet.h>

int main(void)
{
    servet_profile *profile;
    servet_ratio ratio;
    degr_desc degradation;
    int count = 0;
    if (servet_profile_open(&profile, NULL, NULL) != SERVET_OK ||
        load_degr_info(&degradation) != SERVET_OK)
        return EXIT_FAILURE;
    (void)servet_network_ratios_count(profile, SERVET_DEGRADATION_DISTANCE, &count);
    printf("%s\n%ld\n", servet_profile_path(profile),
           lround(1e6 * get_network_dist_ratio(&degradation, 2)));
    for (int i = 0; i < count; i++)
        if (servet_network_ratio_at(profile, SERVET_DEGRADATION_DISTANCE, i, 1, &ratio) ==
            SERVET_OK)
            printf("%d\n", ratio.nodes);
    release_degr_info(&degradation);
    servet_profile_close(profile);
    return EXIT_SUCCESS;
}
