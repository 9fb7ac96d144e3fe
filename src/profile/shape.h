/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The profile's file format as tables. A new fact is a field in types.h and a row in shape.c;
 * reading, writing, checking and freeing follow the rows (core/json/shape.h).
 */
#ifndef SRV_PROFILE_SHAPE_H
#define SRV_PROFILE_SHAPE_H

#include "core/json/shape.h"
#include "profile/types.h"

extern const srv_words srv_cache_kind_words, srv_verdict_words;

extern const srv_shape srv_profile_shape, srv_run_shape, srv_class_shape, srv_kind_shape,
    srv_cache_shape;

#endif
