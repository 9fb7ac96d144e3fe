/* SPDX-License-Identifier: BSD-3-Clause */
/** A beginning of bisections by libscotch, where that is there. */
#ifndef SRV_MAP_ASSIGN_SCOTCH_H
#define SRV_MAP_ASSIGN_SCOTCH_H

#include "map/assign/bisection.h"

/** The one of libscotch; there is none where that is missing or the set too small for it. */
srv_beginning srv_scotch_beginning;

#endif
