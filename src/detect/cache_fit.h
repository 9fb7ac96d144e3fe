/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Fitting T(S) = base + sum of height_i * miss(shape_i, S / capacity_i) to a latency curve.
 *
 * Errors are relative to the latency, because a curve spans three decades and model and machine are
 * both wrong by a share of it; they are judged by a robust loss. share/doc/detection.md has the
 * reasons and the figures.
 */
#ifndef SRV_DETECT_CACHE_FIT_H
#define SRV_DETECT_CACHE_FIT_H

#include "detect/cache_model.h"
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
    srv_shape shape;
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

/** The curve as the fit sees it, and room to work. About 100 KiB: lives on the heap. */
typedef struct srv_fitter {
    srv_model model;
    int n;
    double size[SRV_POINTS_MAX]; /**< log2 bytes, ascending */
    double latency[SRV_POINTS_MAX];
    double spread[SRV_POINTS_MAX];    /**< half the range of its samples */
    double precision[SRV_POINTS_MAX]; /**< 1 / expected error of the latency */
    double weight[SRV_POINTS_MAX]; /**< precision squared, less for outliers */
    double density;                /**< what one point counts in the cost */
    double coarseness;             /**< 1 for one point per octave, less for more, down to 1/4 */
    int first_shape, last_shape;   /**< shapes that steps may have */
    int fixed;                     /**< columns before those of the steps: 1 or 2 */
    double column[SRV_NONNEG_MAX][SRV_POINTS_MAX];
    srv_normal normal;
    srv_step step[SRV_STEPS_MAX]; /**< the steps that the columns stand for */
} srv_fitter;

/**
 * Prepares for a valid curve, its latencies taken as (latency - offset) * scale, all shapes
 * allowed, no translation known. Of more than SRV_POINTS_MAX points neighbours are merged.
 */
void srv_fitter_init(srv_fitter *fitter, const servet_curve *curve, double offset, double scale);

/**
 * Says what translation costs at each point of the fitter (`penalty[i]` >= 0 for `size[i]`), in any
 * scale: the fit finds how much of it the curve contains.
 */
void srv_fitter_set_penalty(srv_fitter *fitter, const double *penalty);

/** Explains the curve by as many steps as it supports, large and small, of the allowed shapes. */
void srv_fit_steps(srv_fitter *fitter, srv_fit *fit);

/** Latency that the fit predicts at `size` (log2 bytes), without the cost of translation. */
double srv_fit_predict(const srv_fitter *fitter, const srv_fit *fit, double size);

/** Typical relative error of the fit: the median over the points, at least one in a thousand. */
double srv_fit_error(const srv_fitter *fitter, const srv_fit *fit);

/** Cost of the fit with step `k` in that shape at its best knee, which is looked for within 3/4 of an
 *  octave and goes to `*knee`. All heights free. */
double srv_fit_best_knee(srv_fitter *fitter, const srv_fit *fit, int k, srv_shape shape,
                         double *knee);

/** Cost of the fit with the knee of step `k` at `knee`, its shape and all heights free. */
double srv_fit_cost_at(srv_fitter *fitter, const srv_fit *fit, int k, double knee);

#endif
