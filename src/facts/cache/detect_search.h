/* SPDX-License-Identifier: BSD-3-Clause */
/** The search for the steps that explain a curve: their number, places and shapes. */
#ifndef SRV_FACTS_CACHE_DETECT_SEARCH_H
#define SRV_FACTS_CACHE_DETECT_SEARCH_H

#include "facts/cache/detect_fit.h"

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

/**
 * Cost of the fit with step `k` in that shape at its best knee, which is searched within 3/4 of an
 * octave and goes to `*knee`. All heights free.
 */
double srv_fit_best_knee(srv_fitter *fitter, const srv_fit *fit, int k, srv_knee_shape shape,
                         double *knee);

/** Cost of the fit with the knee of step `k` at `knee`, its shape and all heights free. */
double srv_fit_cost_at(srv_fitter *fitter, const srv_fit *fit, int k, double knee);

#endif
