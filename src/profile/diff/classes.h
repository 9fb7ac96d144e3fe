/* SPDX-License-Identifier: BSD-3-Clause */
/** The node classes of two profiles, side by side. */
#ifndef SRV_PROFILE_DIFF_CLASSES_H
#define SRV_PROFILE_DIFF_CLASSES_H

#include "profile/diff/walk.h"

/** Compares all classes, their kinds, and the nodes that they list. Errors: SERVET_EMEMORY. */
int srv_diff_classes(srv_diff_walk *on);

#endif
