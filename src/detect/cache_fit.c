/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_fit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stats/robust.h"

/* Error of model and machine that a point may have, relative to its latency. Real curves repeat
   within 2 % and follow the shapes within about 6 %; the choice is flat from 4 % to 7 %. */
static const double SIGMA = 0.06;

/* Share of the median latency below which nothing is resolved: curves "over L1" begin at 0. */
static const double SIGMA_FLOOR = 0.02;

/* Largest share of the median latency that rounding is taken to be. */
static const double ROUNDING_MAX = 0.05;

/* Beyond so many sigma the loss grows linearly only. */
static const double OUTLIER = 2;

/* Points per octave that count in full: what more of them repeat is the model's own error. */
static const double DENSITY_MAX = 4;

/* What a step must save: three free parameters at about ln n each (the Bayesian criterion). */
static const double STEP_PENALTY = 8;

/* A fit this much worse after one round of improvements, five penalties, is not worth more of them.
 */
static const double HOPELESS = 40;

enum { SCAN_PER_OCTAVE = 8, ROUNDS_DROP = 3, ROUNDS_ADD = 4, ROUNDS_FINE = 6 };

/* --- points ----------------------------------------------------------------------------------- */

static double median_of(const double *values, size_t n, double *room)
{
    memcpy(room, values, n * sizeof *room);
    srv_sort(room, n);
    return srv_sorted_quantile(room, n, 0.5);
}

/* Merges points first..first + m - 1 of the curve into one. */
static void take_point(srv_fitter *fitter, const servet_curve *curve, size_t first, size_t m)
{
    int i = fitter->n++;
    double log_latency = 0, spread = 0;
    fitter->size[i] = 0;
    for (size_t k = first; k < first + m; k++) {
        fitter->size[i] += log2(curve->bytes[k]) / (double)m;
        log_latency += log2(curve->latency[k]) / (double)m;
        if (curve->low)
            spread += (curve->high[k] - curve->low[k]) / 2 / (double)m;
    }
    fitter->latency[i] = exp2(log_latency);
    fitter->spread[i] = spread;
}

static bool all_multiples(const srv_fitter *fitter, double step)
{
    for (int i = 1; i < fitter->n; i++) {
        double multiple = (fitter->latency[i] - fitter->latency[0]) / step;
        if (fabs(multiple - round(multiple)) > 1e-6 * fmax(1, fabs(multiple)))
            return false;
    }
    return true;
}

/* The decimal place the tool printed: 1 for whole cycles, 0.1 for tenths; 0 if none shows. */
static double rounding(const srv_fitter *fitter)
{
    for (double step = 1; step > 1e-3; step /= 10)
        if (all_multiples(fitter, step))
            return step;
    return 0;
}

static void set_precision(srv_fitter *fitter)
{
    double room[SRV_POINTS_MAX];
    double median = median_of(fitter->latency, (size_t)fitter->n, room);
    double rounded = fmin(rounding(fitter), ROUNDING_MAX * median);
    for (int i = 0; i < fitter->n; i++) {
        double model = SIGMA * hypot(fitter->latency[i], SIGMA_FLOOR * median);
        fitter->precision[i] = 1 / hypot(hypot(model, rounded), fitter->spread[i]);
    }
}

void srv_fitter_init(srv_fitter *fitter, const servet_curve *curve, double offset, double scale)
{
    srv_model_init(&fitter->model);
    fitter->first_shape = 0;
    fitter->last_shape = SRV_SHAPE_COUNT - 1;
    fitter->fixed = 1;
    fitter->n = 0;
    size_t group = (curve->n + SRV_POINTS_MAX - 1) / SRV_POINTS_MAX;
    for (size_t i = 0; i < curve->n; i += group)
        take_point(fitter, curve, i, i + group <= curve->n ? group : curve->n - i);
    for (int i = 0; i < fitter->n; i++) {
        fitter->column[0][i] = 1;
        fitter->latency[i] = (fitter->latency[i] - offset) * scale;
        fitter->spread[i] *= scale;
    }
    set_precision(fitter);
    double per_octave = (fitter->n - 1) / (fitter->size[fitter->n - 1] - fitter->size[0]);
    fitter->coarseness = 1 / fmax(1, fmin(DENSITY_MAX, per_octave));
    fitter->density = fmin(1, DENSITY_MAX / per_octave);
}

void srv_fitter_set_penalty(srv_fitter *fitter, const double *penalty)
{
    fitter->fixed = 2;
    memcpy(fitter->column[1], penalty, (size_t)fitter->n * sizeof *penalty);
}

/* --- one set of steps ------------------------------------------------------------------------- */

/* Four sums at a time, for compilers may not reorder one; this is where the time goes. */
static double dot(const double *a, const double *b, int n)
{
    double sum[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static void fill_row(srv_fitter *fitter, int row)
{
    srv_normal *normal = &fitter->normal;
    double weighted[SRV_POINTS_MAX];
    for (int i = 0; i < fitter->n; i++)
        weighted[i] = fitter->weight[i] * fitter->column[row][i];
    normal->right[row] = dot(weighted, fitter->latency, fitter->n);
    for (int j = 0; j < normal->n; j++)
        normal->matrix[row][j] = normal->matrix[j][row] =
            dot(weighted, fitter->column[j], fitter->n);
}

static void fill_column(srv_fitter *fitter, int k)
{
    double *column = fitter->column[fitter->fixed + k];
    for (int i = 0; i < fitter->n; i++)
        column[i] = srv_model_miss(&fitter->model, fitter->step[k].shape,
                                   fitter->size[i] - fitter->step[k].knee);
}

static void place(srv_fitter *fitter, int k, double knee, srv_shape shape)
{
    fitter->step[k].knee = knee;
    fitter->step[k].shape = shape;
    fill_column(fitter, k);
    fill_row(fitter, fitter->fixed + k);
}

static double loss(double u)
{
    u = fabs(u);
    return u <= OUTLIER ? u * u : OUTLIER * (2 * u - OUTLIER);
}

/* What the loaded columns explain at every point. */
static void explain(const srv_fitter *fitter, const double *x, double *explained)
{
    for (int i = 0; i < fitter->n; i++)
        explained[i] = 0;
    for (int k = 0; k < fitter->normal.n; k++)
        for (int i = 0; i < fitter->n; i++)
            explained[i] += x[k] * fitter->column[k][i];
}

/* Solves for the steps in place, leaves the heights in `x`, returns the cost. */
static double solve(srv_fitter *fitter, double *x)
{
    double explained[SRV_POINTS_MAX], cost = 0;
    srv_nonneg_solve(&fitter->normal, x);
    explain(fitter, x, explained);
    for (int i = 0; i < fitter->n; i++)
        cost += loss((explained[i] - fitter->latency[i]) * fitter->precision[i]);
    return cost * fitter->density;
}

static void load(srv_fitter *fitter, const srv_fit *fit)
{
    memcpy(fitter->step, fit->step, sizeof fitter->step);
    fitter->normal.n = fitter->fixed + fit->n;
    for (int k = 0; k < fit->n; k++)
        fill_column(fitter, k);
    for (int row = 0; row < fitter->normal.n; row++)
        fill_row(fitter, row);
}

static void sort_steps(srv_fit *fit)
{
    for (int i = 1; i < fit->n; i++)
        for (int k = i; k > 0 && fit->step[k].knee < fit->step[k - 1].knee; k--) {
            srv_step swap = fit->step[k];
            fit->step[k] = fit->step[k - 1];
            fit->step[k - 1] = swap;
        }
}

static void reset_weights(srv_fitter *fitter)
{
    for (int i = 0; i < fitter->n; i++)
        fitter->weight[i] = fitter->precision[i] * fitter->precision[i];
}

static void reweight(srv_fitter *fitter, const double *x)
{
    double explained[SRV_POINTS_MAX];
    reset_weights(fitter);
    explain(fitter, x, explained);
    for (int i = 0; i < fitter->n; i++) {
        double u = fabs(explained[i] - fitter->latency[i]) * fitter->precision[i];
        if (u > OUTLIER)
            fitter->weight[i] *= OUTLIER / u;
    }
}

/* Fits base and heights to the knees and shapes in `fit`, and sets the cost. */
static void fit_heights(srv_fitter *fitter, srv_fit *fit)
{
    double x[SRV_NONNEG_MAX];
    load(fitter, fit);
    solve(fitter, x);
    reweight(fitter, x);
    load(fitter, fit);
    fit->cost = solve(fitter, x);
    fit->base = x[0];
    fit->translation = fitter->fixed > 1 ? x[1] : 0;
    for (int k = 0; k < fit->n; k++)
        fit->step[k].height = x[fitter->fixed + k];
}

/* --- search ----------------------------------------------------------------------------------- */

/* Moves step k of the loaded fit to the best of the places `low`, `low` + `step`, ... `high`, with
   the best of the shapes `first` to `last`; returns the cost. */
static double scan(srv_fitter *fitter, int k, double low, double high, double step, int first,
                   int last)
{
    double x[SRV_NONNEG_MAX], best = INFINITY, knee = low;
    int shape = first;
    for (double at = low; at <= high; at += step)
        for (int s = first; s <= last; s++) {
            place(fitter, k, at, (srv_shape)s);
            double cost = solve(fitter, x);
            if (cost < best) {
                best = cost;
                knee = at;
                shape = s;
            }
        }
    place(fitter, k, knee, (srv_shape)shape);
    return best;
}

/* Moves step k nearby: first the knee alone, then the shape too, which costs a third of trying all
   shapes everywhere. */
static void improve(srv_fitter *fitter, int k, double step)
{
    double knee = fitter->step[k].knee;
    int shape = (int)fitter->step[k].shape;
    scan(fitter, k, knee - 4 * step, knee + 4 * step, step, shape, shape);
    knee = fitter->step[k].knee;
    scan(fitter, k, knee - step, knee + step, step, fitter->first_shape, fitter->last_shape);
}

/* Improves knees, shapes and heights, ever more finely; the number of steps stays. */
static void refine(srv_fitter *fitter, srv_fit *fit, int rounds)
{
    double step = 1.0 / SCAN_PER_OCTAVE;
    for (int round = 0; round < rounds; round++) {
        fit_heights(fitter, fit);
        for (int k = 0; k < fit->n; k++)
            improve(fitter, k, step);
        memcpy(fit->step, fitter->step, sizeof fit->step);
        if (round >= 1)
            step /= 2;
    }
    sort_steps(fit);
    fit_heights(fitter, fit);
}

static void add_step(srv_fitter *fitter, srv_fit *fit)
{
    fit->step[fit->n++] = (srv_step){fitter->size[0], (srv_shape)fitter->first_shape, 0};
    load(fitter, fit);
    scan(fitter, fit->n - 1, fitter->size[0] - 0.5, fitter->size[fitter->n - 1],
         1.0 / SCAN_PER_OCTAVE, fitter->first_shape, fitter->last_shape);
    memcpy(fit->step, fitter->step, sizeof fit->step);
    refine(fitter, fit, ROUNDS_ADD);
}

static void drop_step(srv_fit *fit, int k)
{
    fit->n--;
    memmove(fit->step + k, fit->step + k + 1, (size_t)(fit->n - k) * sizeof *fit->step);
}

/* Drops the step that is missed least, unless it is missed. */
static bool drop_least(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit best = {.cost = INFINITY};
    for (int k = 0; k < fit->n; k++) {
        srv_fit less = *fit;
        drop_step(&less, k);
        refine(fitter, &less, 1);
        if (less.cost > fit->cost + HOPELESS)
            continue;
        refine(fitter, &less, ROUNDS_DROP);
        if (less.cost < best.cost)
            best = less;
    }
    if (best.cost > fit->cost + STEP_PENALTY)
        return false;
    *fit = best;
    return true;
}

void srv_fit_steps(srv_fitter *fitter, srv_fit *fit)
{
    *fit = (srv_fit){.n = 0};
    reset_weights(fitter);
    fit_heights(fitter, fit);
    while (fit->n < SRV_STEPS_MAX) {
        srv_fit more = *fit;
        add_step(fitter, &more);
        if (more.cost > fit->cost - STEP_PENALTY)
            break;
        *fit = more;
    }
    while (drop_least(fitter, fit))
        ;
    refine(fitter, fit, ROUNDS_FINE);
}

double srv_fit_predict(const srv_fitter *fitter, const srv_fit *fit, double size)
{
    double sum = fit->base;
    for (int k = 0; k < fit->n; k++)
        sum += fit->step[k].height *
               srv_model_miss(&fitter->model, fit->step[k].shape, size - fit->step[k].knee);
    return sum;
}

double srv_fit_error(const srv_fitter *fitter, const srv_fit *fit)
{
    double error[SRV_POINTS_MAX];
    for (int i = 0; i < fitter->n; i++) {
        double explained = srv_fit_predict(fitter, fit, fitter->size[i]);
        if (fitter->fixed > 1)
            explained += fit->translation * fitter->column[1][i];
        error[i] = fabs(explained / fitter->latency[i] - 1);
    }
    srv_sort(error, (size_t)fitter->n);
    return fmax(1e-3, srv_sorted_quantile(error, (size_t)fitter->n, 0.5));
}

double srv_fit_best_knee(srv_fitter *fitter, const srv_fit *fit, int k, srv_shape shape,
                         double *knee)
{
    load(fitter, fit);
    double centre = fit->step[k].knee, step = 1.0 / 16;
    double cost = scan(fitter, k, centre - 0.75, centre + 0.75, step, (int)shape, (int)shape);
    *knee = fitter->step[k].knee;
    return cost;
}

double srv_fit_cost_at(srv_fitter *fitter, const srv_fit *fit, int k, double knee)
{
    load(fitter, fit);
    return scan(fitter, k, knee, knee, 1, fitter->first_shape, fitter->last_shape);
}
