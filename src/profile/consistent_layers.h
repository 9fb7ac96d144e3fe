/* SPDX-License-Identifier: BSD-3-Clause */
/** Marks contradictions among the layers of communication. */
#ifndef SRV_PROFILE_CONSISTENT_LAYERS_H
#define SRV_PROFILE_CONSISTENT_LAYERS_H

#include "servet/record.h"

/** Marks, with the reason, layers that are not in order, that do not contain groups of faster ones,
 * that name cores which their node lacks, or whose measured pair is of another layer. Errors:
 * SERVET_EMEMORY. */
int srv_mark_layers(servet_profile *profile, servet_error *error);

#endif
