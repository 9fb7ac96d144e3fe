/* SPDX-License-Identifier: BSD-3-Clause */
/** Clusters in memory whose networks are known, and a network that counts its probes. */
#ifndef SRV_TESTS_SAMPLE_CLUSTER_H
#define SRV_TESTS_SAMPLE_CLUSTER_H

#include "sim/model.h"
#include "machine/network.h"

/** Bandwidth of a link or an interface of the samples: 100 Mbit/s. */
#define SAMPLE_LINK 12.5e6

/**
 * `nodes` nodes of `cores` cores, OS numbers as logical ones. A message inside a node takes 1 us
 * and 4 GB/s, between nodes 50 us and at most SAMPLE_LINK; a crossbar without limits.
 * srv_model_free() frees it.
 */
srv_model *sample_cluster(int nodes, int cores);

/** Nodes of one core. A message between them takes `us` and has this rate, and longer ones, from
 * 4 KiB on, others, if these have a rate. */
srv_model *sample_cluster_of(int nodes, double us, double rate, double long_us, double long_rate);

/** The same nodes on a ring, each with a link to both neighbours. */
srv_model *sample_ring(int nodes, int cores);

/** The same nodes in equal parts on two switches, joined by a link that carries half of one node's.
 */
srv_model *sample_two_leaves(int nodes, int cores);

/** A network that passes probes on to another one, and counts them. */
typedef struct watched_network {
    srv_network network;
    srv_network *inner;
    int passes, most_pairs; /**< probes so far; the most pairs at once */
    unsigned buffers;       /**< 1u << srv_buffers of those requested */
    int slow_every;         /**< each n-th probe takes five times as long; 0: none */
    /** percentage of the probes, selected at random, that take five times as long */
    unsigned slow_percent;
    /** seconds after which everything takes twice as long, for the same time; 0: never */
    double changes_every;
    /** by how many times messages of a pair of ranks take longer at a time; NULL: all as ever */
    double (*load)(const srv_rank_pair *pair, double seconds);
    /** factor by which messages from and to this node are slower, and so are all that go one way
     * beside them, because each waits for the one before; 0: none */
    double slow_factor;
    int slow_node;
    /** of two messages of one node that go one way beside each other, the first has three quarters
     * of what they have together */
    bool uneven;
    int hangs_at; /**< the probe that fails with SERVET_ECOMMUNICATION, from 1; 0: none */
    double lost;  /**< the share of its time that the core of `disturbed` loses; 0: none */
    const srv_absence *absent; /**< of `disturbed`; NULL: not known */
    int disturbed;
    int sampled; /**< ranks whose noise was sampled, the last time */
} watched_network;

/** Starts to watch; srv_network_destroy() on it ends `inner`, too. */
void watch_network(watched_network *watched, srv_network *inner);

/** The network of a model, which it takes over, and watched, until the test ends; `ranks` NULL:
 * they fill one node after another. */
srv_network *network_of_model(srv_model *model, const srv_rank *ranks, int count);
void watch_model(watched_network *watched, srv_model *model, const srv_rank *ranks, int count);

#endif
