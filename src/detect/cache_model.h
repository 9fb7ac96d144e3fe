/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How the share of misses grows when a working set outgrows a cache (share/doc/detection.md).
 *
 * Every shape is a function of x = working set / capacity, from 0 to 1. A sharp knee belongs to a
 * cache whose sets fill evenly. Pages that fall on the sets by chance smear it: some sets are full
 * before the cache is, others not yet when it is.
 */
#ifndef SRV_DETECT_CACHE_MODEL_H
#define SRV_DETECT_CACHE_MODEL_H

/**
 * Shapes: name, miss share of sets that fill alike, spread of their load in octaves (each shape
 * that is spread follows the one it is made of).
 */
#define SRV_SHAPE_LIST(X)                                                                          \
    X(SRV_SHAPE_RANDOM, random_loads, 0)                                                           \
    X(SRV_SHAPE_EVICT, random_eviction, 0)                                                         \
    X(SRV_SHAPE_EVICT_SMEARED, random_eviction, 0.25)                                              \
    X(SRV_SHAPE_EVICT_WIDE, random_eviction, 0.5)                                                  \
    X(SRV_SHAPE_LRU, oldest_first, 0)                                                              \
    X(SRV_SHAPE_NEAR_LRU, mostly_oldest_first, 0)                                                  \
    X(SRV_SHAPE_PAGES_8, page_sets_8, 0)                                                           \
    X(SRV_SHAPE_PAGES_16, page_sets_16, 0)

#define SRV_SHAPE_ENUM_(name, miss, smear) name,
typedef enum srv_shape { SRV_SHAPE_LIST(SRV_SHAPE_ENUM_) SRV_SHAPE_COUNT } srv_shape;
#undef SRV_SHAPE_ENUM_

enum {
    SRV_MODEL_PER_OCTAVE = 32,
    SRV_MODEL_BELOW = 4, /**< octaves below the capacity that are tabulated */
    SRV_MODEL_ABOVE = 12,
    SRV_MODEL_SIZE = (SRV_MODEL_BELOW + SRV_MODEL_ABOVE) * SRV_MODEL_PER_OCTAVE + 1
};

/** The shapes, tabulated against log2(x). */
typedef struct srv_model {
    double miss[SRV_SHAPE_COUNT][SRV_MODEL_SIZE];
} srv_model;

/** Fills the tables. */
void srv_model_init(srv_model *model);

/** Share of loads that miss, at log2(working set / capacity). */
double srv_model_miss(const srv_model *model, srv_shape shape, double log2_x);

#endif
