/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The part of costs that depends on which core of a pair requests the line. If only the owner of a
 * line, or only the one that requests it, pays for the way to the line's home, the two directions
 * differ by that way; the cheaper direction would hide it in some pairs only.
 */
#ifndef SRV_FACTS_LAYERS_DETECT_SIDES_H
#define SRV_FACTS_LAYERS_DETECT_SIDES_H

#include "servet/analyze.h"

/**
 * Fills in half of what each core costs more as the first of a pair than as the second one. All are
 * 0 unless that explains most of the differences between directions. `side` has room for one number
 * per core.
 */
void srv_sides_find(const servet_matrix *matrix, double *side);

/** The cost of a pair whatever its direction: the cheaper one, less the sides; NaN where neither
 * was measured. */
double srv_sides_cost(const servet_matrix *matrix, const double *side, size_t i, size_t j);

#endif
