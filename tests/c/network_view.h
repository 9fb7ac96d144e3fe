/* SPDX-License-Identifier: BSD-3-Clause */
/** All that a profile says of communication, by its queries, so that tests can look at it at once.
 */
#ifndef SRV_TESTS_NETWORK_VIEW_H
#define SRV_TESTS_NETWORK_VIEW_H

#include "machine/network.h"
#include "run/network/job.h"

enum { NETWORK_VIEW_MAX = 128 };

typedef struct view_groups {
    int count;
    const char **set; /**< of the profile */
} view_groups;

typedef struct view_layer {
    bool between_nodes;
    servet_value latency, bandwidth;
    double confidence;
    servet_modes modes; /**< of the latency */
    srv_rank_pair pair;
    view_groups groups;
    servet_message curve[NETWORK_VIEW_MAX];
    servet_protocol protocol[NETWORK_VIEW_MAX];
    servet_together together[NETWORK_VIEW_MAX];
    servet_batch batches[NETWORK_VIEW_MAX];
    servet_aggregation aggregation[NETWORK_VIEW_MAX];
    int curve_count, protocol_count, together_count, batch_count, aggregation_count;
    /** by the benchmark, why its facts are not trusted; else "" */
    char doubt[SRV_NETWORK_BENCHMARK_COUNT][SERVET_TEXT_MAX];
} view_layer;

/** The ratios that were measured. */
typedef struct view_ratios {
    double bytes;
    bool constant_total;
    servet_ratio ratio[NETWORK_VIEW_MAX];
    int count;
    char doubt[SERVET_TEXT_MAX];
} view_ratios;

typedef struct network_view {
    unsigned done, cut; /**< bits of srv_network_benchmark */
    int nodes_asked;
    double message_bytes;
    bool links_known;
    servet_slow_link slow_link[NETWORK_VIEW_MAX];
    int slow_link_count;
    int layer_count;
    view_layer *layer;
    view_ratios distance, access;
} network_view;

/** Reads the view anew; what it had is freed. */
void network_view_read(network_view *view, const servet_profile *profile, srv_network *network);
void network_view_free(network_view *view);

/** The ratio of a node's message times to those of others; 1 if no node is slow. */
double network_view_slowness(const servet_profile *profile, int node);

#endif
