/* SPDX-License-Identifier: BSD-3-Clause */
/** Rule 5: the speeds of core types, and the weight of slow cores. */
#ifndef SRV_MAP_NODES_SPEED_H
#define SRV_MAP_NODES_SPEED_H

#include "map/nodes/node_class.h"

/** Fills class->speed for this work of a program that `code` limits; unknown speeds are 1. Errors:
 * SERVET_EMEMORY. */
int srv_map_class_speeds(srv_map_class *class, const servet_profile *profile,
                         const char *class_name, servet_code code, servet_work work,
                         servet_error *error);

/**
 * The weight that a core has before any process is placed: the time that a process takes longer
 * there, in units of the time on the fastest type, times the weight of the resource that limits the
 * program. All processes wait for the slowest one, whatever limits them.
 */
srv_weight srv_map_speed_weight(double speed);

#endif
