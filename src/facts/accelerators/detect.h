/* SPDX-License-Identifier: BSD-3-Clause */
/** NUMA nodes near to an accelerator, from its copies. Pure functions. */
#ifndef SRV_FACTS_ACCELERATORS_DETECT_H
#define SRV_FACTS_ACCELERATORS_DETECT_H

#include "servet/node.h"

/**
 * Decides near[i]: whether copies from and to the memory of links[i] are as fast as of any node
 * that `counts`; there are at most 64. A node is farther if its bandwidth in one direction is less
 * than that of the best one, or among those with the same bandwidth if its small copies take
 * longer. Where each node is farther than another one, as if each had a better direction, none is.
 * Returns how many are near; 0: a link that counts is not known.
 */
int srv_detect_near(const servet_accelerator_link *links, const bool *counts, int count,
                    bool *near);

#endif
