/* SPDX-License-Identifier: BSD-3-Clause */
/** Raw series of distances, read again. Errors: SERVET_EUNMEASURED (there is no such series),
 * SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY. */
#ifndef SRV_FACTS_DISTANCE_RAW_H
#define SRV_FACTS_DISTANCE_RAW_H

#include "facts/distance/benchmark.h"
#include "run/stage.h"

/**
 * distance.csv: costs in the order of `cores`, which must be those of the file. Nothing is known of
 * how samples scattered. The caller finishes `distances`.
 */
int srv_raw_distances(const srv_stage *stage, const int *cores, int count, srv_distances *distances,
                      servet_error *error);

#endif
