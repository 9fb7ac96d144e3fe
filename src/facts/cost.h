/* SPDX-License-Identifier: BSD-3-Clause */
/** Costs of benchmarks of messages. */
#ifndef SRV_FACTS_COST_H
#define SRV_FACTS_COST_H

#include <stdbool.h>

/** Seconds of a probe of `bytes` bytes for the cost of a benchmark; samples of messages one way, or
 * both ways, take `visit` seconds, or longer where messages do. */
double srv_network_cost_probe(double byte_seconds, double bytes, double visit, bool both_ways);

#endif
