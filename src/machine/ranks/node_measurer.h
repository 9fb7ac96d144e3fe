/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The function that measures the node of a rank: given by the program, because this folder may not
 * call it.
 */
#ifndef SRV_RANKS_NODE_MEASURER_H
#define SRV_RANKS_NODE_MEASURER_H

#include <stddef.h>

#include "servet/measure.h"

/** Measures the node; the caller frees `*profile`, `*size` bytes of text without a final null
 * character. */
typedef int srv_node_measurer(const servet_measure_options *options, char **profile, size_t *size,
                              servet_error *error);

#endif
