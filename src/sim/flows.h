/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Computes the max-min fair bandwidth of flows that share links, by progressive filling (Bertsekas
 * and Gallager, Data Networks, 6.5.2). Memory buses, network links and interfaces are all links. No
 * flow can get more unless a flow that has no more than it gets less.
 */
#ifndef SRV_MODEL_FLOWS_H
#define SRV_MODEL_FLOWS_H

#include "sim/model.h"

/** A set of links and of flows over them; grows as links and flows are added. */
typedef struct srv_flows srv_flows;

/** Creates an empty set, which the caller destroys. Errors: SERVET_EMEMORY. */
int srv_flows_create(srv_flows **flows, servet_error *error);

/** NULL does nothing. */
void srv_flows_destroy(srv_flows *flows);

/** Adds a link; `*link` receives its number. Capacity in bytes/s, > 0. Errors: SERVET_EMEMORY. */
int srv_flows_add_link(srv_flows *flows, double capacity, int *link, servet_error *error);

/** The same for a link that carries `alone` for one flow, and `contended` for two and more. */
int srv_flows_add_bus(srv_flows *flows, double alone, double contended, int *link,
                      servet_error *error);

/** Divides the capacity of a link. */
void srv_flows_slow_link(srv_flows *flows, int link, double factor);

/**
 * Adds a flow over `count` links that wants at most `demand` bytes/s (INFINITY: all it can get);
 * numbered from 0 in order. A link given twice carries the flow twice. Errors: SERVET_EMEMORY.
 */
int srv_flows_add_flow(srv_flows *flows, double demand, const int *links, int count,
                       servet_error *error);

/**
 * Computes the max-min fair rate of each flow in bytes/s, into rates[0..flow count - 1]; a flow
 * that neither a link nor a demand limits gets INFINITY. O(P log L) for P links along all paths and
 * L links. Errors: SERVET_EMEMORY.
 */
int srv_flows_solve(const srv_flows *flows, double *rates, servet_error *error);

#endif
