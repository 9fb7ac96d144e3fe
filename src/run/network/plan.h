/* SPDX-License-Identifier: BSD-3-Clause */
/** What is measured of a network, what it costs, and how the time is shared out. Pure: asks nobody.
 */
#ifndef SRV_RUN_NETWORK_PLAN_H
#define SRV_RUN_NETWORK_PLAN_H

#include "run/network/job.h"

/** What the costs grow with. */
typedef struct srv_network_scale {
    int nodes, cores; /**< of the job; cores: processes of its largest node */
    int senders,
        seats; /**< nodes that distance and access ask; processes of the smallest of them */
    int within, between;              /**< layers of each kind; 0: nobody to send to */
    double byte_within, byte_between; /**< s that a byte of a large message takes */
    double layer_bytes, message_bytes;
} srv_network_scale;

/** A cost that was told may be wrong by this factor; what one leaves over goes to the others. */
#define SRV_NETWORK_COST_DOUBT 3

/** A benchmark as the planner sees it. */
typedef struct srv_network_step {
    const char *what; /**< for the progress */
    unsigned needs;   /**< 1u << srv_network_benchmark of those before */
    double (*cost)(const srv_network_scale *scale); /**< s, where nothing cuts it */
    int (*run)(srv_network_job *job, servet_error *error);
} srv_network_step;

/** In the order of srv_network_benchmark. */
extern const srv_network_step srv_network_plan[SRV_NETWORK_BENCHMARK_COUNT];

/** `only` (1u << srv_network_benchmark of each, 0: all) with all that those need. */
unsigned srv_network_wanted(unsigned only);

/** Seconds that the benchmarks of a set take where nothing cuts them. */
double srv_network_set_cost(unsigned set, const srv_network_scale *scale);

/**
 * Seconds for one of the benchmarks of `set`, all still to run, out of the `left` for them. Each
 * gets the same, and none more than its cost with all doubt, so that the one that takes most is
 * cut; where there is time for all of them, in proportion to their costs.
 */
double srv_network_share(srv_network_benchmark benchmark, unsigned set,
                         const srv_network_scale *scale, double left);

/** The distance, or number of processes, that is asked after `number`; `number` up to `last`. */
int srv_network_next_number(int number, int last);

#endif
