/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Groups of two kinds in one partition. Hybrid processors have pairs of hardware threads, and
 * clusters of cores without such pairs: costs inside blocks show no layer between the two, the
 * sizes and costs of the blocks do.
 */
#ifndef SRV_FACTS_LAYERS_DETECT_KINDS_H
#define SRV_FACTS_LAYERS_DETECT_KINDS_H

#include "facts/layers/detect_split.h"

/**
 * Searches a layer whose groups are some of the blocks: all of them cheaper inside than any other,
 * by the ratio that a layer needs, and with fewer units than most others. Units of other blocks are
 * alone. Numbers the groups in `group`, one number per unit. Errors: SERVET_EMEMORY.
 */
int srv_kinds_find(const srv_units *units, int *group, srv_split *split, servet_error *error);

#endif
