/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Lines at a stride, of a cache that is indexed inside a page or by virtual addresses (the first
 * level): the time of a load while N of them take turns. facts/geometry/detect_strides.h decides
 * what the answers mean.
 *
 * X-Ray (Yotov et al., QEST 2005), section 3.
 */
#ifndef SRV_FACTS_GEOMETRY_STAGE_STRIDES_H
#define SRV_FACTS_GEOMETRY_STAGE_STRIDES_H

#include "facts/geometry/detect_strides.h"
#include "sample/sampler.h"

/** Plan of a search. */
typedef struct srv_strides_plan {
    int core;
    double line_bytes; /**< expected distance of neighbouring lines; 64 if unknown */
    servet_pages pages;
    uint64_t seed;
    srv_deadline deadline;
} srv_strides_plan;

/**
 * Measures until `strides` is clear, and adds to it; the caller starts with an empty list and frees
 * it with srv_strides_finish(). Errors: those of the machine, SERVET_EMEMORY.
 */
int srv_probe_strides(srv_machine *machine, const srv_strides_plan *plan, srv_strides *strides,
                      servet_error *error);

#endif
