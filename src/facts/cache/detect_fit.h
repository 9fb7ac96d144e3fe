/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Fitting T(S) = base + sum of height_i * miss(shape_i, S / capacity_i) to a latency curve.
 *
 * Errors are relative to the latency, because a curve spans three decades and model and machine are
 * both wrong by a share of it; they are weighed by a robust loss. share/doc/detection.md has the
 * reasons and the figures.
 */
#ifndef SRV_FACTS_CACHE_DETECT_FIT_H
#define SRV_FACTS_CACHE_DETECT_FIT_H

#include <stdbool.h>

#include "facts/cache/detect_shapes.h"
#include "servet/analyze.h"
#include "stats/nonneg.h"

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

/**
 * Prepares for a valid curve: latencies become (latency - offset) * scale, all shapes that it can
 * distinguish are allowed, no translation is known. Neighbours among more than SRV_POINTS_MAX
 * points are merged. `shapes` is kept, not copied.
 */
void srv_fitter_init(srv_fitter *fitter, const srv_shapes *shapes, const servet_curve *curve,
                     double offset, double scale);

/**
 * Sets the cost of translation at each point of the fitter (`penalty[i]` >= 0 for `size[i]`), in
 * the unit of the curve: the fit finds its share, at most the measured cost. NULL: none.
 */
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

#endif
