/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves and visits within a stage: measured, and kept as raw series. */
#ifndef SRV_FACTS_CACHE_STAGE_CURVE_H
#define SRV_FACTS_CACHE_STAGE_CURVE_H

#include "facts/cache/benchmark_visits.h"
#include "run/stage.h"

/**
 * Runs the plan of a series, with the stage's seed, progress and deadline; `from` and `share`
 * (0..1) place it within the stage. The caller frees the series. Errors: those of
 * srv_bench_curve().
 */
int srv_stage_curve(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                    double share, srv_series *series, servet_error *error);

/**
 * Runs the plan of a series of visits, in the same way; the caller frees them. Errors: those of
 * srv_bench_visits().
 */
int srv_stage_visits(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                     double share, srv_visits *visits, double *huge_share, servet_error *error);

/** Writes raw visits into options->raw_dir, if there is one. Errors: SERVET_EIO. */
int srv_stage_save_visits(const srv_stage *stage, const char *what, const srv_visits *visits,
                          servet_error *error);

/** Writes a raw series into options->raw_dir, if there is one. Errors: SERVET_EIO. */
int srv_stage_save(const srv_stage *stage, const char *what, const servet_curve *curve,
                   servet_error *error);

#endif
