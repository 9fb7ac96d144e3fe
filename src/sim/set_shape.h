/* SPDX-License-Identifier: BSD-3-Clause */
/** The structure of a set-associative cache, and its tags. */
#ifndef SRV_MODEL_SET_SHAPE_H
#define SRV_MODEL_SET_SHAPE_H

#include "sim/model.h"

typedef struct srv_set_cache srv_set_cache;

/** The structure of a cache. No count needs to be a power of two. */
typedef struct srv_set_cache_shape {
    uint32_t sets; /**< of all slices together; a multiple of `slices` */
    uint32_t ways;
    uint32_t slices; /**< a hash of the index spreads the lines over them; 1: none */
    srv_replacement replacement;
    double turnover_ns; /**< others bring in as many lines as there are in this time, of the time
                           that they work; 0: none do */
} srv_set_cache_shape;

/** No line; and the first number that is no tag. */
enum { SRV_TAG_NONE = 0 };
#define SRV_TAG_MAX UINT32_MAX

enum { SRV_PLRU_WAYS_MAX = 64 };

#endif
