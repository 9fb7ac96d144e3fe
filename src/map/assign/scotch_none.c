/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces scotch.c in builds without libscotch. */
#include "map/assign/scotch.h"

int srv_scotch_beginning(srv_bisection *on, const srv_map_cut *cut)
{
    (void)on;
    (void)cut;
    return SERVET_EUNSUPPORTED;
}
