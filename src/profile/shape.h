/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The profile's file format as tables. A new fact is a field in types.h and a row in a table, in
 * shape.c or the files called shape_*.c; reading, writing, checking and freeing follow the rows
 * (core/json/shape.h). What came after the first version of the format must be able to be null.
 */
#ifndef SRV_PROFILE_SHAPE_H
#define SRV_PROFILE_SHAPE_H

#include "core/json/shape.h"
#include "profile/types.h"

extern const srv_words srv_cache_kind_words, srv_verdict_words;

extern const srv_shape srv_value_shape, srv_profile_shape, srv_run_shape, srv_class_shape,
    srv_kind_shape, srv_cache_shape, srv_concurrency_shape, srv_distance_shape, srv_kernels_shape,
    srv_overhead_shape, srv_numa_shape, srv_bimodal_shape, srv_comm_shape, srv_comm_layer_shape;

/** The row of a value, and that of a list of values. */
#define SRV_MEMBER_VALUE(struct_, member, unit_, range_)                                           \
    SRV_MEMBER(struct_, member, .type = SRV_VALUE, .unit = unit_, .range = range_,                 \
               .shape = &srv_value_shape)
#define SRV_MEMBER_VALUES(struct_, member, unit_, range_)                                          \
    SRV_MEMBER(struct_, member, .type = SRV_VALUES, .unit = unit_, .range = range_,                \
               .shape = &srv_value_shape)

/** Judges the member `name`, a list of well-formed sets: no core may be in two of them. */
int srv_check_disjoint(const srv_list *sets, const char *name, srv_json_path *where);

#endif
