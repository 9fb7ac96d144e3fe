/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How the share of misses grows when a working set outgrows a cache (share/doc/detection.md).
 *
 * Every shape is a function of x = working set / capacity, from 0 to 1: the misses of a set with
 * more lines than ways, averaged over the distribution of lines. Contiguous lines fill the sets
 * evenly, and the knee is sharp. Pages placed at random smear it: some sets are full before the
 * cache is, others not yet when it is.
 */
#ifndef SRV_FACTS_CACHE_DETECT_SHAPES_H
#define SRV_FACTS_CACHE_DETECT_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Shapes: name, misses of a set by its load (1: full), and the distribution of lines over the sets:
 * all alike (SMOOTH), in turn to sets of N ways (EVEN), by chance, with their pages, to sets of N
 * ways (PAGES), or normally distributed with a deviation of N octaves (OCTAVES). Coarse curves
 * distinguish few of them (SRV_SHAPES_COARSE); the others, which differ in ways and replacement,
 * need several points per octave.
 */
#define SRV_SHAPE_LIST(X)                                                                          \
    X(SRV_SHAPE_KEEP, kept, SMOOTH, 0)                                                             \
    X(SRV_SHAPE_EVICT, evicted_at_random, SMOOTH, 0)                                               \
    X(SRV_SHAPE_EVICT_SMEARED, evicted_at_random, OCTAVES, 0.25)                                   \
    X(SRV_SHAPE_EVICT_WIDE, evicted_at_random, OCTAVES, 0.5)                                       \
    X(SRV_SHAPE_LRU, oldest, EVEN, 12)                                                             \
    X(SRV_SHAPE_NEAR_LRU, mostly_oldest, SMOOTH, 0)                                                \
    X(SRV_SHAPE_LRU_PAGES_8, oldest, PAGES, 8)                                                     \
    X(SRV_SHAPE_LRU_PAGES_16, oldest, PAGES, 16)                                                   \
    X(SRV_SHAPE_LRU_4, oldest, EVEN, 4)                                                            \
    X(SRV_SHAPE_LRU_8, oldest, EVEN, 8)                                                            \
    X(SRV_SHAPE_LRU_16, oldest, EVEN, 16)                                                          \
    X(SRV_SHAPE_KEEP_4, all_but_one_kept, EVEN, 4)                                                 \
    X(SRV_SHAPE_KEEP_8, all_but_one_kept, EVEN, 8)                                                 \
    X(SRV_SHAPE_KEEP_12, all_but_one_kept, EVEN, 12)                                               \
    X(SRV_SHAPE_LRU_PAGES_4, oldest, PAGES, 4)                                                     \
    X(SRV_SHAPE_LRU_PAGES_11, oldest, PAGES, 11)                                                   \
    X(SRV_SHAPE_LRU_PAGES_24, oldest, PAGES, 24)                                                   \
    X(SRV_SHAPE_EVICT_PAGES_4, evicted_at_random, PAGES, 4)                                        \
    X(SRV_SHAPE_EVICT_PAGES_8, evicted_at_random, PAGES, 8)                                        \
    X(SRV_SHAPE_EVICT_PAGES_11, evicted_at_random, PAGES, 11)                                      \
    X(SRV_SHAPE_EVICT_PAGES_16, evicted_at_random, PAGES, 16)                                      \
    X(SRV_SHAPE_KEEP_PAGES_4, all_but_one_kept, PAGES, 4)                                          \
    X(SRV_SHAPE_KEEP_PAGES_8, all_but_one_kept, PAGES, 8)                                          \
    X(SRV_SHAPE_KEEP_PAGES_11, all_but_one_kept, PAGES, 11)                                        \
    X(SRV_SHAPE_KEEP_PAGES_16, all_but_one_kept, PAGES, 16)                                        \
    X(SRV_SHAPE_KEEP_PAGES_24, all_but_one_kept, PAGES, 24)                                        \
    X(SRV_SHAPE_RANDOM_PAGES_4, kept, PAGES, 4)                                                    \
    X(SRV_SHAPE_RANDOM_PAGES_8, kept, PAGES, 8)                                                    \
    X(SRV_SHAPE_RANDOM_PAGES_16, kept, PAGES, 16)

#define SRV_SHAPE_ENUM_(name, miss, placement, amount) name,
typedef enum srv_knee_shape { SRV_SHAPE_LIST(SRV_SHAPE_ENUM_) SRV_SHAPE_COUNT } srv_knee_shape;
#undef SRV_SHAPE_ENUM_

enum {
    SRV_COLOURS_COUNT = 7, /**< page colours that a cache may have: 1, 2, 4, .. 32, more */
    SRV_SHAPE_PER_OCTAVE = 32,
    SRV_SHAPE_BELOW = 4, /**< octaves below the capacity that are tabulated */
    SRV_SHAPE_ABOVE = 12,
    SRV_SHAPE_POINTS = (SRV_SHAPE_BELOW + SRV_SHAPE_ABOVE) * SRV_SHAPE_PER_OCTAVE + 1
};

/** The shapes, tabulated against log2(x). Some 1 MiB: allocate it on the heap. */
typedef struct srv_shapes {
    double page_bytes;
    double miss[SRV_SHAPE_COUNT][SRV_COLOURS_COUNT][SRV_SHAPE_POINTS];
} srv_shapes;

/** Fills the tables for pages of that size; 0 (unknown) stands for small ones. */
void srv_shapes_init(srv_shapes *shapes, double page_bytes);

/** A set of shapes: bit s stands for shape s. */
typedef uint64_t srv_shape_set;

#define SRV_SHAPE_ONLY(shape) (UINT64_C(1) << (shape))
/** Those of a chase that coarse curves distinguish: no sharper ones. */
#define SRV_SHAPES_CHASE                                                                           \
    (SRV_SHAPE_ONLY(SRV_SHAPE_EVICT_SMEARED) | SRV_SHAPE_ONLY(SRV_SHAPE_EVICT_WIDE) |              \
     SRV_SHAPE_ONLY(SRV_SHAPE_NEAR_LRU) | SRV_SHAPE_ONLY(SRV_SHAPE_LRU_PAGES_8) |                  \
     SRV_SHAPE_ONLY(SRV_SHAPE_LRU_PAGES_16))
#define SRV_SHAPES_COARSE (SRV_SHAPES_CHASE | SRV_SHAPE_ONLY(SRV_SHAPE_KEEP))
/** Those that several points per octave distinguish, without smears that correspond to no number of
 * ways. */
#define SRV_SHAPES_FINE                                                                            \
    ((SRV_SHAPE_ONLY(SRV_SHAPE_RANDOM_PAGES_4) - 1) & ~SRV_SHAPE_ONLY(SRV_SHAPE_EVICT_SMEARED) &   \
     ~SRV_SHAPE_ONLY(SRV_SHAPE_EVICT_WIDE))
/** Those of independent random loads, whatever the replacement. */
#define SRV_SHAPES_RANDOM                                                                          \
    (SRV_SHAPE_ONLY(SRV_SHAPE_KEEP) | SRV_SHAPE_ONLY(SRV_SHAPE_RANDOM_PAGES_4) |                   \
     SRV_SHAPE_ONLY(SRV_SHAPE_RANDOM_PAGES_8) | SRV_SHAPE_ONLY(SRV_SHAPE_RANDOM_PAGES_16))

/** True if a cache of 2^`knee` bytes may have that shape: large caches do not have few ways. */
bool srv_shape_fits(srv_knee_shape shape, double knee);

/** The table of a shape for a cache of 2^`knee` bytes; it may depend on the number of page colours.
 */
const double *srv_shape_table(const srv_shapes *shapes, srv_knee_shape shape, double knee);

/** Share of loads that miss, at log2(working set / capacity). */
static inline double srv_table_miss(const double *table, double log2_x)
{
    double position = (log2_x + SRV_SHAPE_BELOW) * SRV_SHAPE_PER_OCTAVE;
    if (!(position > 0))
        return 0;
    if (position >= SRV_SHAPE_POINTS - 1)
        return 1;
    int below = (int)position;
    return table[below] + (position - below) * (table[below + 1] - table[below]);
}

#endif
