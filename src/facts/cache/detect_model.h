/* SPDX-License-Identifier: BSD-3-Clause */
/** How the share of misses grows when a working set outgrows a cache (share/doc/detection.md).
 *
 * Every shape is a function of x = working set / capacity, from 0 to 1: the misses of a set with
 * more lines than ways, averaged over the distribution of lines. Contiguous lines fill the sets
 * evenly, and the knee is sharp. Pages placed at random smear it: some sets are full before the
 * cache is, others not yet when it is. */
#ifndef SRV_FACTS_CACHE_DETECT_MODEL_H
#define SRV_FACTS_CACHE_DETECT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "servet/analyze.h"
#include "stats/nonneg.h"

/** Shapes: name, misses of a set by its load (1: full), and the distribution of lines over the
 * sets: all alike (SMOOTH), in turn to sets of N ways (EVEN), by chance, with their pages, to sets
 * of N ways (PAGES), or normally distributed with a deviation of N octaves (OCTAVES). Coarse curves
 * distinguish few of them (SRV_SHAPES_COARSE); the others, which differ in ways and replacement,
 * need several points per octave. */
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

enum {
    SRV_POINTS_MAX = 256,
    SRV_FIXED_MAX = 2, /**< columns that are no steps: the base, the cost of translation */
    SRV_STEPS_MAX = SRV_NONNEG_MAX - SRV_FIXED_MAX
};

/** One step of the curve. */
typedef struct srv_step {
    double knee; /**< log2 of the capacity in bytes */
    srv_knee_shape shape;
    bool filtered; /**< the cache sees only misses of the previous level; lines kept by that level
                      leave room for others here, because this one need not include them */
    double height; /**< latency added by a miss */
} srv_step;

/** A whole curve explained. */
typedef struct srv_fit {
    int n;
    srv_step step[SRV_STEPS_MAX]; /**< ascending knees */
    double base;                  /**< latency before the first step */
    double translation;           /**< share of the penalty that the curve contains */
    double cost;                  /**< robust loss, in units of the square of the expected error */
} srv_fit;

/** The curve as the fit sees it, and room to work. Some 30 KiB: lives on the heap. */
typedef struct srv_fitter {
    const srv_shapes *shapes; /**< the caller's */
    int n;
    double size[SRV_POINTS_MAX]; /**< log2 bytes, ascending */
    double latency[SRV_POINTS_MAX];
    double printed; /**< the unit in which tools print 1, in the curve's unit: a cycle or a
                       nanosecond */
    double spread[SRV_POINTS_MAX];    /**< standard error: a quarter of its 95 % interval */
    double precision[SRV_POINTS_MAX]; /**< 1 / expected error of the latency */
    double weight[SRV_POINTS_MAX];    /**< precision squared, less for outliers */
    double density;                   /**< weight of a point in the cost */
    double sigma;                     /**< relative error that model and machine may have */
    double misfit; /**< error expected, over the least expected of any curve: 1 or more */
    bool fine;     /**< enough points per octave to distinguish ways and replacement */
    srv_shape_set shapes_allowed; /**< shapes that steps may have */
    double as_random,
        as_chase; /**< cost of a coarse curve taken for either, its steps' included; else 0 */
    const servet_cache_evidence *evidence; /**< the caller's: capacities that are known; or NULL */
    const struct srv_draws
        *draws; /**< the caller's: all explanations of a curve with gaps; or NULL */
    int fixed;  /**< columns before those of the steps: 1 or 2 */
    double column[SRV_NONNEG_MAX][SRV_POINTS_MAX];
    double seen_log2[SRV_POINTS_MAX]; /**< of the column of the step with the smallest knee */
    srv_normal normal;
    srv_step step[SRV_STEPS_MAX]; /**< the steps that the columns stand for */
} srv_fitter;

/** Prepares for a valid curve: latencies become (latency - offset) * scale, all shapes that it can
 * distinguish are allowed, no translation is known. Neighbours among more than SRV_POINTS_MAX
 * points are merged. `shapes` is kept, not copied. */
void srv_fitter_init(srv_fitter *fitter, const srv_shapes *shapes, const servet_curve *curve,
                     double offset, double scale);

/** Sets the cost of translation at each point of the fitter (`penalty[i]` >= 0 for `size[i]`), in
 * the unit of the curve: the fit finds its share, at most the measured cost. NULL: none. */
void srv_fitter_set_penalty(srv_fitter *fitter, const double *penalty);

/** The curve is of independent random loads: only their shapes are allowed, and all of them can be
 * distinguished. */
void srv_fitter_set_random(srv_fitter *fitter);

/** True if srv_fitter_set_random() was called. */
bool srv_fitter_is_random(const srv_fitter *fitter);

/** Takes no point for an outlier any more. */
void srv_fitter_trust_all(srv_fitter *fitter);

/** Loads the steps of a fit, for srv_fitter_place() and srv_fitter_cost(). */
void srv_fitter_load(srv_fitter *fitter, const srv_fit *fit);

/** Puts another step in the place of step `k` of those loaded. */
void srv_fitter_place(srv_fitter *fitter, int k, srv_step step);

/** Cost of the loaded steps with the heights that suit them best. */
double srv_fitter_cost(srv_fitter *fitter);

/** The same; the base, and the height of each of the steps, go to `base` and `height[]`. */
double srv_fitter_heights(srv_fitter *fitter, double *base, double height[SRV_STEPS_MAX]);

/** Fits base and heights to the knees and shapes in `fit`, outliers counting less, and sets the
 * cost. */
void srv_fit_heights(srv_fitter *fitter, srv_fit *fit);

/** The index of the step before step `k` of `n`, which may filter it; -1 if there is none. */
int srv_step_before(const srv_step *step, int n, int k);

/** Share of the loads that miss in the cache of step `k` with `size` (log2 bytes). */
double srv_fit_miss(const srv_fitter *fitter, const srv_fit *fit, int k, double size);

/** Residual of the fit at the fitter's point `i`. */
double srv_fit_residue(const srv_fitter *fitter, const srv_fit *fit, int i);

/** Latency that the fit predicts at `size` (log2 bytes), without the cost of translation. */
double srv_fit_predict(const srv_fitter *fitter, const srv_fit *fit, double size);

/** Expects from now on no larger errors than the fit leaves, though some. The fit's cost is then
 * out of date. */
void srv_fitter_sharpen(srv_fitter *fitter, const srv_fit *fit);

/** Typical relative error of the fit: the median over the points, at least one in a thousand. */
double srv_fit_error(const srv_fitter *fitter, const srv_fit *fit);

/** Mean square of the residuals of a fit whose cost is `cost`, in units of the expected errors: the
 * rise of the cost that counts like a rise by 1 with errors as expected. */
double srv_fit_scale(const srv_fitter *fitter, const srv_fit *fit, double cost);

/** Cost of explaining the fitter's curve by the steps of another curve's fit, all heights free. */
double srv_fit_cost_of(srv_fitter *fitter, const srv_fit *other);

/** Minimum gain in cost of a step: three free parameters at about ln n each (the Bayesian
 * criterion). */
#define SRV_STEP_PENALTY 8.0

/** Puts the steps into the order of their knees. */
void srv_steps_sort(srv_fit *fit);

/** Explains the curve by as many steps as it supports, large and small, of the allowed shapes. */
void srv_fit_steps(srv_fitter *fitter, srv_fit *fit);

/** The fit with one step more, where that helps most. */
void srv_fit_another(srv_fitter *fitter, const srv_fit *fit, srv_fit *more);

/** Tries other shapes for every step until none explains the curve better. */
void srv_fit_reshape(srv_fitter *fitter, srv_fit *fit);

/** Cost of the fit with step `k` in that shape at its best knee, which is searched within 3/4 of an
 * octave and goes to `*knee`. All heights free. */
double srv_fit_best_knee(srv_fitter *fitter, const srv_fit *fit, int k, srv_knee_shape shape,
                         double *knee);

/** Cost of the fit with the knee of step `k` at `knee`, its shape and all heights free. */
double srv_fit_cost_at(srv_fitter *fitter, const srv_fit *fit, int k, double knee);

#endif
