/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How the network degrades, by the names of "The Servet 3.0 Benchmark Suite", 4.3: load once, ask,
 * release. servet/network.h tells more.
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

/** What was loaded. The members are the library's own: ask by the functions. */
typedef struct degr_desc {
    double *ratios;  /**< ratDist[1..distances], then ratNC[1..processes] */
    int distances;   /**< 0: ratDist was not measured */
    int processes;   /**< 0: ratNC was not measured */
} degr_desc;

/**
 * Reads ratDist and ratNC from the profile that servet_profile_find() finds into `*degr_info`, which
 * needs no value before; release_degr_info() frees what it holds. 0, or a code of servet/error.h, with
 * which `*degr_info` holds nothing: those of servet_profile_open(), SERVET_EUNMEASURED (neither
 * ratio was measured), SERVET_EMEMORY.
 */
SERVET_API int load_degr_info(degr_desc *degr_info);

/** Frees what was loaded; then, and after a failure, every ratio is NaN. Also a second time. */
SERVET_API void release_degr_info(degr_desc *degr_info);

/**
 * ratDist[dist]: the bandwidth between neighbours over that between nodes `dist` apart, each while
 * all nodes send: 1.5 says that the same message takes half as long again. Logical distance of ranks
 * p and q of N: min(|p-q|, N-|p-q|). Where `dist` lies between measured distances, on a straight
 * line; NaN where that was not measured: below 1, above the largest, ratDist not known.
 */
SERVET_API double get_network_dist_ratio(degr_desc *degr_info, int dist);

/**
 * ratNC[nprocs_per_node]: the bandwidth of one process per node over that of so many that send at
 * once. Between, and NaN, as above.
 */
SERVET_API double get_network_access_ratio(degr_desc *degr_info, int nprocs_per_node);

#ifdef __cplusplus
}
#endif
#endif
