/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Degradation of the network with the function names of "The Servet 3.0 Benchmark Suite", 4.3: load
 * once, query, release. servet/network.h has the full interface.
 *
 *     degr_desc degr;
 *     if (load_degr_info(&degr) == 0) {
 *         double slower = get_network_access_ratio(&degr, 8);
 *         release_degr_info(&degr);
 *     }
 */
#ifndef SERVET_DEGRADATION_H
#define SERVET_DEGRADATION_H

#include "servet/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The loaded ratios. The members are private: use the functions. */
typedef struct degr_desc {
    double *ratios; /**< ratDist[1..distances], then ratNC[1..processes] */
    int distances;  /**< 0: ratDist was not measured */
    int processes;  /**< 0: ratNC was not measured */
} degr_desc;

/**
 * Reads ratDist and ratNC from the profile that servet_profile_find() finds into `*degr_info`,
 * which needs no initialization; the caller frees it with release_degr_info(). Returns 0 or a code
 * of servet/error.h: those of servet_profile_open(), SERVET_EUNMEASURED (neither ratio was
 * measured), SERVET_EMEMORY. After a failure `*degr_info` is empty.
 */
SERVET_API int load_degr_info(degr_desc *degr_info);

/** Frees the ratios; afterwards, and after a failed load, every ratio is NaN. Calling it twice is
 *  allowed. */
SERVET_API void release_degr_info(degr_desc *degr_info);

/**
 * ratDist[dist]: the bandwidth between neighbouring nodes divided by the bandwidth between nodes at
 * distance `dist`, while all nodes send; with 1.5 a message takes 1.5 times as long. The logical
 * distance of ranks p and q of N is min(|p-q|, N-|p-q|). Between measured distances the ratio is
 * interpolated linearly. NaN if `dist` is below 1 or above the largest measured distance, or if
 * ratDist was not measured.
 */
SERVET_API double get_network_dist_ratio(degr_desc *degr_info, int dist);

/**
 * ratNC[nprocs_per_node]: the bandwidth of a process when one process per node sends, divided by
 * its bandwidth when `nprocs_per_node` processes of each node send at once. Interpolation and NaN
 * as above.
 */
SERVET_API double get_network_access_ratio(degr_desc *degr_info, int nprocs_per_node);

#ifdef __cplusplus
}
#endif
#endif
