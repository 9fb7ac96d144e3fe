/* SPDX-License-Identifier: BSD-3-Clause */
/** Marks contradictions among the communication layers. */
#ifndef SRV_PROFILE_CONSISTENT_LAYERS_H
#define SRV_PROFILE_CONSISTENT_LAYERS_H

#include "servet/record.h"

/** Marks, with the reason, layers that are not in order, that do not contain the groups of faster
 * layers, that name cores that their node does not have, or whose measured pair is in another
 * layer. Errors: SERVET_EMEMORY. */
int srv_mark_layers(servet_profile *profile, servet_error *error);

#endif
