/* SPDX-License-Identifier: BSD-3-Clause */
/** Compares the speed of a machine with that of a node class. */
#ifndef SRV_FACTS_SPEED_H
#define SRV_FACTS_SPEED_H

#include "machine/machine.h"

/** Does the work of servet_check_speed() on a machine, which the caller destroys. */
int srv_speed_check(srv_machine *machine, const servet_profile *profile, const char *node_class,
                    double seconds, servet_speed *speed, servet_error *error);

#endif
