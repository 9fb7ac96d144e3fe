/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Statements that the facts of a profile must not contradict together, checked once when it is
 * opened and once when it was measured. What no measurement can produce is refused; of what noise
 * may produce, the facts that contradict each other are marked as not trusted, with the reason.
 */
#ifndef SRV_PROFILE_CONSISTENT_H
#define SRV_PROFILE_CONSISTENT_H

#include "profile/shape/shape.h"

/**
 * Refuses a profile where a node is in two classes, or where facts name cores that the machine does
 * not have; marks trusted facts that contradict each other as not trusted. Errors: where->code,
 * SERVET_EMEMORY.
 */
int srv_consistent(servet_profile *profile, srv_json_path *where);

#endif
