/* SPDX-License-Identifier: BSD-3-Clause */
/** Initial cuts by libscotch, if it is installed. */
#ifndef SRV_MAP_ASSIGN_SCOTCH_H
#define SRV_MAP_ASSIGN_SCOTCH_H

#include "map/assign/bisection.h"

/**
 * Computes the initial cut with libscotch; SERVET_EUNSUPPORTED without libscotch or for small sets.
 */
srv_beginning srv_scotch_beginning;

#endif
