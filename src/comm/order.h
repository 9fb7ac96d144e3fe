/* SPDX-License-Identifier: BSD-3-Clause */
/** Orders ranks so that successive ranks are close to each other. */
#ifndef SRV_COMM_ORDER_H
#define SRV_COMM_ORDER_H

#include "comm/peers.h"

/**
 * Stores the order of servet_comm_reorder() in order[0..peers->count-1]. Errors:
 * SERVET_EUNMEASURED, SERVET_EMEMORY.
 */
int srv_order_find(const srv_peers *peers, const servet_profile *profile, int *order,
                   servet_error *error);

#endif
