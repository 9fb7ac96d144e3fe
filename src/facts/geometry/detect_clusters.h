/* SPDX-License-Identifier: BSD-3-Clause */
/** Clusters of elements that affect each other. */
#ifndef SRV_FACTS_GEOMETRY_DETECT_CLUSTERS_H
#define SRV_FACTS_GEOMETRY_DETECT_CLUSTERS_H

#include <stdbool.h>

/**
 * Joins elements, those with the largest effects first, while the mean effect between two clusters
 * is above `least` (average linkage). `effect` has n * n, symmetric; `label` gets a number below n
 * for each element, the same for those of one cluster. False without memory.
 */
bool srv_find_clusters(const float *effect, int n, double least, int *label);

#endif
