/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Statements that the facts of a profile must not contradict together, checked once when it is
 * opened and once when it was measured. Noise and binding may make facts contradict each other, and
 * nothing that was measured may be refused: such facts are marked as not trusted, with the reason.
 * Only a list of nodes is no measurement.
 */
#ifndef SRV_PROFILE_CONSISTENT_H
#define SRV_PROFILE_CONSISTENT_H

#include "profile/shape/shape.h"

/**
 * Refuses a profile where a node is in two classes; marks trusted facts that contradict each other,
 * and groups with cores that no core type has, as not trusted. Errors: where->code,
 * SERVET_EMEMORY.
 */
int srv_consistent(servet_profile *profile, srv_json_path *where);

#endif
