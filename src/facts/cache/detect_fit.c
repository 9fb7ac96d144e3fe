/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/detect_model.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stats/robust.h"

/* Error of model and machine that a point may have, relative to its latency. Real curves repeat
   within 2 % and follow the shapes within about 6 %; the choice is flat from 4 % to 7 %. */
static const double SIGMA = 0.06;

/* Error of the law of independent loads. The law is exact for every replacement; the error comes
 * from the pages that a few placements have in common, and from drift. */
static const double SIGMA_RANDOM = 0.03, SHARE_MIN_RANDOM = 0.33;

/* Least expected error as a share of that: even a perfect fit has one. */
static const double SHARE_MIN = 0.2;

/* Share of the median latency below which nothing is resolved: curves "over L1" begin at 0. */
static const double SIGMA_FLOOR = 0.02;

/* Largest share of the median latency that may be rounding. */
static const double ROUNDING_MAX = 0.05;

static const double LUCK_OCTAVES = 0.6;
/* Residual, in standard deviations, beyond which the loss grows linearly (Huber). */
static const double OUTLIER = 2;

/* Unknowns of a step: its knee, height and shape. */
static const double STEP_UNKNOWNS = 3;

/* Points with expected errors that are averaged with the residuals: 8 to 32 do as well. */
static const double MODEL_POINTS = 16;

/* Points per octave that count in full: further points repeat the model's own error. */
static const double DENSITY_MAX = 4;

/* Points per octave from which on a curve distinguishes ways and replacement. */
static const double DENSITY_FINE = 3;

/* --- points ----------------------------------------------------------------------------------- */

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
            spread += (curve->high[k] - curve->low[k]) / 4 / (double)m;
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

/* Digits behind the point that count as rounding if all further digits are zeros. */
enum { ROUNDED_DIGITS_MAX = 2 };

/* The decimal place the tool printed: 1 for whole cycles, 0.1 for tenths; 0 if none shows. */
static double rounding(const srv_fitter *fitter)
{
    double step = fitter->printed;
    for (int digits = 0; digits <= ROUNDED_DIGITS_MAX; digits++, step /= 10)
        if (all_multiples(fitter, step))
            return step;
    return 0;
}

/* If a working set overflows sets of the cache only for some page placements, all visits to one
 * size may agree by chance. The spread at the larger sizes is used then. */
static double luck(const srv_fitter *fitter, int i)
{
    double sum = 0;
    int n = 0;
    for (int k = i; k < fitter->n && fitter->size[k] - fitter->size[i] <= LUCK_OCTAVES; k++, n++)
        sum += fitter->spread[k];
    return fmax(fitter->spread[i], sum / n);
}

/* `sigma`: the relative error expected of model and machine. */
static void set_precision(srv_fitter *fitter, double sigma)
{
    double room[SRV_POINTS_MAX];
    size_t n = (size_t)fitter->n;
    memcpy(room, fitter->latency, n * sizeof *room);
    srv_sort(room, n);
    double median = srv_sorted_quantile(room, n, 0.5);
    double rounded = fmin(rounding(fitter), ROUNDING_MAX * median);
    for (int i = 0; i < fitter->n; i++) {
        double model = sigma * hypot(fitter->latency[i], SIGMA_FLOOR * median);
        fitter->precision[i] = 1 / hypot(hypot(model, rounded), luck(fitter, i));
    }
}

void srv_fitter_init(srv_fitter *fitter, const srv_shapes *shapes, const servet_curve *curve,
                     double offset, double scale)
{
    fitter->shapes = shapes;
    fitter->printed = curve->unit == SERVET_UNIT_SECOND ? 1e-9 : 1;
    fitter->fixed = 1;
    fitter->evidence = NULL;
    fitter->draws = NULL;
    fitter->n = 0;
    size_t group = (curve->n + SRV_POINTS_MAX - 1) / SRV_POINTS_MAX;
    for (size_t i = 0; i < curve->n; i += group)
        take_point(fitter, curve, i, i + group <= curve->n ? group : curve->n - i);
    for (int i = 0; i < fitter->n; i++) {
        fitter->column[0][i] = 1;
        fitter->latency[i] = (fitter->latency[i] - offset) * scale;
        fitter->spread[i] *= scale;
    }
    fitter->sigma = SIGMA;
    set_precision(fitter, SIGMA);
    double per_octave = (fitter->n - 1) / (fitter->size[fitter->n - 1] - fitter->size[0]);
    fitter->density = fmin(1, DENSITY_MAX / per_octave);
    fitter->misfit = 1;
    fitter->as_random = fitter->as_chase = 0;
    fitter->fine = per_octave >= DENSITY_FINE;
    fitter->shapes_allowed = fitter->fine ? SRV_SHAPES_FINE : SRV_SHAPES_COARSE;
}

void srv_fitter_set_random(srv_fitter *fitter)
{
    fitter->fine = true;
    fitter->shapes_allowed = SRV_SHAPES_RANDOM;
    fitter->sigma = SIGMA_RANDOM;
    set_precision(fitter, fitter->sigma);
}

bool srv_fitter_is_random(const srv_fitter *fitter)
{
    return fitter->sigma == SIGMA_RANDOM;
}

void srv_fitter_set_penalty(srv_fitter *fitter, const double *penalty)
{
    fitter->fixed = penalty ? 2 : 1;
    if (penalty)
        memcpy(fitter->column[1], penalty, (size_t)fitter->n * sizeof *penalty);
}

/* --- one set of steps ------------------------------------------------------------------------- */

/* Four sums at a time, because compilers may not reorder one; this loop takes most of the time. */
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

static double table_miss(const srv_shapes *shapes, const srv_step *step, double size)
{
    return srv_table_miss(srv_shape_table(shapes, step->shape, step->knee), size - step->knee);
}

static int first_step(const srv_step *step, int n)
{
    int first = 0;
    for (int j = 1; j < n; j++)
        if (step[j].knee < step[first].knee)
            first = j;
    return first;
}

int srv_step_before(const srv_step *step, int n, int k)
{
    int first = first_step(step, n);
    return first != k ? first : -1;
}

/* A step behind another one sees the share `seen` of the loads, and of the set. */
static double filtered_miss(const double *table, double seen, double seen_log2, double size,
                            double knee)
{
    return seen > 0 ? seen * srv_table_miss(table, size + seen_log2 - knee) : 0;
}

static int step_count(const srv_fitter *fitter)
{
    return fitter->normal.n - fitter->fixed;
}

/* A filtered step sees the column of step `first` of each working set. */
static void fill_column(srv_fitter *fitter, int k, int first)
{
    const srv_step *step = &fitter->step[k];
    const double *table = srv_shape_table(fitter->shapes, step->shape, step->knee),
                 *seen = fitter->column[fitter->fixed + first], *seen_log2 = fitter->seen_log2;
    double *column = fitter->column[fitter->fixed + k];
    bool filtered = step->filtered && k != first;
    for (int i = 0; i < fitter->n; i++)
        if (!filtered)
            column[i] = srv_table_miss(table, fitter->size[i] - step->knee);
        else
            column[i] = filtered_miss(table, seen[i], seen_log2[i], fitter->size[i], step->knee);
}

/* The column that filtered steps depend on: its logarithms take most of their time. */
static void fill_first(srv_fitter *fitter, int first)
{
    fill_column(fitter, first, first);
    for (int i = 0; i < fitter->n; i++)
        fitter->seen_log2[i] = log2(fitter->column[fitter->fixed + first][i]);
}

void srv_fitter_place(srv_fitter *fitter, int k, srv_step step)
{
    int n = step_count(fitter), before = first_step(fitter->step, n);
    fitter->step[k] = step;
    int first = first_step(fitter->step, n);
    bool is_first = first != before || k == first; /* filtered columns change with it */
    if (is_first)
        fill_first(fitter, first);
    for (int j = 0; j < n; j++)
        if (j == k || (is_first && fitter->step[j].filtered)) {
            fill_column(fitter, j, first);
            fill_row(fitter, fitter->fixed + j);
        }
}

static double loss(double u)
{
    u = fabs(u);
    return u <= OUTLIER ? u * u : OUTLIER * (2 * u - OUTLIER);
}

/* Sum of the loaded columns at every point. */
static void explain(const srv_fitter *fitter, const double *x, double *explained)
{
    for (int i = 0; i < fitter->n; i++)
        explained[i] = 0;
    for (int k = 0; k < fitter->normal.n; k++)
        for (int i = 0; i < fitter->n; i++)
            explained[i] += x[k] * fitter->column[k][i];
}

/* Largest height of translation, relative to its measured cost. Loads of all lines miss the TLB no
 * more often than those of one line per page; the rest is the error of that cost. Without this
 * limit, misses of a cache with a reach near that of a TLB are explained as translation, and memory
 * reads too fast. */
static const double TRANSLATION_SHARE_MAX = 1.1;

static void solve_with_translation(const srv_normal *normal, double share, double *x)
{
    srv_normal rest = *normal;
    for (int k = 0; k < rest.n; k++) {
        rest.right[k] -= share * rest.matrix[k][1];
        rest.matrix[k][1] = rest.matrix[1][k] = k == 1;
    }
    rest.right[1] = share;
    srv_nonneg_solve(&rest, x);
}

/* Solves for the heights, leaves them in `x`, returns the cost. */
static double solve(srv_fitter *fitter, double *x)
{
    double explained[SRV_POINTS_MAX], cost = 0;
    srv_nonneg_solve(&fitter->normal, x);
    if (fitter->fixed > 1 && x[1] > TRANSLATION_SHARE_MAX)
        solve_with_translation(&fitter->normal, TRANSLATION_SHARE_MAX, x);
    explain(fitter, x, explained);
    for (int i = 0; i < fitter->n; i++)
        cost += loss((explained[i] - fitter->latency[i]) * fitter->precision[i]);
    return cost * fitter->density;
}

void srv_fitter_load(srv_fitter *fitter, const srv_fit *fit)
{
    memcpy(fitter->step, fit->step, sizeof fitter->step);
    fitter->normal.n = fitter->fixed + fit->n;
    int first = first_step(fitter->step, fit->n);
    if (fit->n > 0)
        fill_first(fitter, first);
    for (int k = 0; k < fit->n; k++)
        fill_column(fitter, k, first);
    for (int row = 0; row < fitter->normal.n; row++)
        fill_row(fitter, row);
}

double srv_fitter_cost(srv_fitter *fitter)
{
    double x[SRV_NONNEG_MAX];
    return solve(fitter, x);
}

double srv_fitter_heights(srv_fitter *fitter, double *base, double height[SRV_STEPS_MAX])
{
    double x[SRV_NONNEG_MAX], cost = solve(fitter, x);
    *base = x[0];
    memcpy(height, x + fitter->fixed, (size_t)step_count(fitter) * sizeof *height);
    return cost;
}

void srv_fitter_trust_all(srv_fitter *fitter)
{
    for (int i = 0; i < fitter->n; i++)
        fitter->weight[i] = fitter->precision[i] * fitter->precision[i];
}

void srv_fit_heights(srv_fitter *fitter, srv_fit *fit)
{
    double x[SRV_NONNEG_MAX];
    srv_fitter_load(fitter, fit);
    solve(fitter, x);
    double explained[SRV_POINTS_MAX];
    srv_fitter_trust_all(fitter);
    explain(fitter, x, explained);
    for (int i = 0; i < fitter->n; i++) {
        double u = fabs(explained[i] - fitter->latency[i]) * fitter->precision[i];
        if (u > OUTLIER)
            fitter->weight[i] *= OUTLIER / u;
    }
    srv_fitter_load(fitter, fit);
    fit->cost = solve(fitter, x);
    fit->base = x[0];
    fit->translation = fitter->fixed > 1 ? x[1] : 0;
    for (int k = 0; k < fit->n; k++)
        fit->step[k].height = x[fitter->fixed + k];
}

/* --- results of a fit ------------------------------------------------------------------------- */

double srv_fit_miss(const srv_fitter *fitter, const srv_fit *fit, int k, double size)
{
    /* Share of the loads that miss in the cache of step k, by `size` (log2 bytes). */
    int before = fit->step[k].filtered ? srv_step_before(fit->step, fit->n, k) : -1;
    if (before < 0)
        return table_miss(fitter->shapes, &fit->step[k], size);
    double seen = table_miss(fitter->shapes, &fit->step[before], size);
    const double *table = srv_shape_table(fitter->shapes, fit->step[k].shape, fit->step[k].knee);
    return filtered_miss(table, seen, log2(seen), size, fit->step[k].knee);
}

double srv_fit_predict(const srv_fitter *fitter, const srv_fit *fit, double size)
{
    double sum = fit->base;
    for (int k = 0; k < fit->n; k++)
        sum += fit->step[k].height * srv_fit_miss(fitter, fit, k, size);
    return sum;
}

static double explained_at(const srv_fitter *fitter, const srv_fit *fit, int i)
{
    double translation = fitter->fixed > 1 ? fit->translation * fitter->column[1][i] : 0;
    return srv_fit_predict(fitter, fit, fitter->size[i]) + translation;
}

double srv_fit_residue(const srv_fitter *fitter, const srv_fit *fit, int i)
{
    return fitter->latency[i] - explained_at(fitter, fit, i);
}

/* Residuals in units of the expected error, their root mean square without outliers. */
static double residual(const srv_fitter *fitter, const srv_fit *fit)
{
    double sum = 0;
    for (int i = 0; i < fitter->n; i++) {
        double u = (explained_at(fitter, fit, i) - fitter->latency[i]) * fitter->precision[i];
        sum += loss(u);
    }
    return sqrt(sum / fitter->n);
}

/* Residuals of a normal distribution have a median of 0.674 deviations. */
static const double NORMAL_MEDIAN = 0.674;

/* The same by the median, which a last level with turnover, without a law, does not affect. */
static double typical_residual(const srv_fitter *fitter, const srv_fit *fit)
{
    double u[SRV_POINTS_MAX];
    for (int i = 0; i < fitter->n; i++)
        u[i] = fabs(explained_at(fitter, fit, i) - fitter->latency[i]) * fitter->precision[i];
    srv_sort(u, (size_t)fitter->n);
    return srv_sorted_quantile(u, (size_t)fitter->n, 0.5) / NORMAL_MEDIAN;
}

void srv_fitter_sharpen(srv_fitter *fitter, const srv_fit *fit)
{
    double left =
        srv_fitter_is_random(fitter) ? typical_residual(fitter, fit) : residual(fitter, fit);
    double least = srv_fitter_is_random(fitter) ? SHARE_MIN_RANDOM : SHARE_MIN;
    double share = fmin(1, fmax(least, left));
    fitter->misfit = share / least;
    set_precision(fitter, fitter->sigma * share);
}

double srv_fit_scale(const srv_fitter *fitter, const srv_fit *fit, double cost)
{
    double unknowns = STEP_UNKNOWNS * fit->n + fitter->fixed;
    double free = fmax(0, fitter->n * fitter->density - unknowns);
    return (cost + MODEL_POINTS) / (free + MODEL_POINTS);
}

double srv_fit_error(const srv_fitter *fitter, const srv_fit *fit)
{
    double error[SRV_POINTS_MAX];
    for (int i = 0; i < fitter->n; i++) {
        error[i] = fabs(explained_at(fitter, fit, i) / fitter->latency[i] - 1);
    }
    srv_sort(error, (size_t)fitter->n);
    return fmax(1e-3, srv_sorted_quantile(error, (size_t)fitter->n, 0.5));
}

double srv_fit_cost_of(srv_fitter *fitter, const srv_fit *other)
{
    srv_fit fit = *other;
    srv_fitter_trust_all(fitter);
    srv_fit_heights(fitter, &fit);
    return fit.cost;
}
