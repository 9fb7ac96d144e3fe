/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "facts/cache/detect_model.h"

/* A fit this much worse after one round of improvements, five penalties, is abandoned. */
static const double HOPELESS = 5 * SRV_STEP_PENALTY;

/* Another round of shapes runs if the last one saved more. */
static const double SAVES_LITTLE = 0.5;

enum { SCAN_PER_OCTAVE = 8, ROUNDS = 4, ROUNDS_FINE = 6 };

void srv_steps_sort(srv_fit *fit)
{
    for (int i = 1; i < fit->n; i++)
        for (int k = i; k > 0 && fit->step[k].knee < fit->step[k - 1].knee; k--) {
            srv_step swap = fit->step[k];
            fit->step[k] = fit->step[k - 1];
            fit->step[k - 1] = swap;
        }
}

/* --- search ----------------------------------------------------------------------------------- */

/* Moves step k of the loaded fit to the best of the places `low`, `low` + `step`, ... `high`, with
   the best of the shapes; returns the cost. */
static double scan(srv_fitter *fitter, int k, double low, double high, double step,
                   srv_shape_set shapes)
{
    srv_step at = fitter->step[k], better = at;
    double best = INFINITY;
    for (at.knee = low; at.knee <= high; at.knee += step)
        for (int s = 0; s < SRV_SHAPE_COUNT; s++)
            if (shapes & SRV_SHAPE_ONLY(s) && srv_shape_fits((srv_knee_shape)s, at.knee)) {
                at.shape = (srv_knee_shape)s;
                /* Puts step k there if that costs less than `best`. */
                srv_fitter_place(fitter, k, at);
                double cost = srv_fitter_cost(fitter);
                if (cost < best) {
                    best = cost;
                    better = at;
                }
            }
    srv_fitter_place(fitter, k, better);
    return best;
}

/* Moves step k nearby: first the knee, then the shape, too, in a third of the time. */
static void improve_knee(srv_fitter *fitter, int k, double step)
{
    double knee = fitter->step[k].knee;
    srv_shape_set as_it_is = SRV_SHAPE_ONLY(fitter->step[k].shape);
    scan(fitter, k, knee - 4 * step, knee + 4 * step, step, as_it_is);
}

/* Improves knees, shapes and heights, ever more finely; the number of steps stays. */
static void refine(srv_fitter *fitter, srv_fit *fit, int rounds)
{
    double step = 1.0 / SCAN_PER_OCTAVE;
    for (int round = 0; round < rounds; round++) {
        srv_fit_heights(fitter, fit);
        for (int k = 0; k < fit->n; k++) {
            improve_knee(fitter, k, step);
            double knee = fitter->step[k].knee;
            scan(fitter, k, knee - step, knee + step, step, fitter->shapes_allowed);
        }
        memcpy(fit->step, fitter->step, sizeof fit->step);
        if (round >= 1)
            step /= 2;
    }
    srv_steps_sort(fit);
    srv_fit_heights(fitter, fit);
}

/* Lets all knees follow the change of a shape, ever more finely. */
static void settle(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit_heights(fitter, fit);
    for (int fine = 1; fine <= 4; fine *= 2)
        for (int k = 0; k < fit->n; k++)
            improve_knee(fitter, k, 1.0 / SCAN_PER_OCTAVE / fine);
    memcpy(fit->step, fitter->step, sizeof fit->step);
    srv_steps_sort(fit);
    srv_fit_heights(fitter, fit);
}

void srv_fit_another(srv_fitter *fitter, const srv_fit *fit, srv_fit *more)
{
    *more = *fit;
    more->step[more->n++] = (srv_step){.knee = fitter->size[0]};
    srv_fitter_load(fitter, more);
    scan(fitter, more->n - 1, fitter->size[0] - 0.5, fitter->size[fitter->n - 1],
         1.0 / SCAN_PER_OCTAVE, fitter->shapes_allowed);
    memcpy(more->step, fitter->step, sizeof more->step);
    refine(fitter, more, ROUNDS);
}

/* The fit without step k; false if the others cannot replace it. */
static bool without(srv_fitter *fitter, const srv_fit *fit, int k, srv_fit *less)
{
    *less = *fit;
    less->n--;
    memmove(less->step + k, less->step + k + 1, (size_t)(less->n - k) * sizeof *less->step);
    refine(fitter, less, 1);
    return less->cost <= fit->cost + HOPELESS;
}

/* Drops the step that is missed least, unless it is missed. */
static bool drop_least(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit less, best = {.n = fit->n, .cost = INFINITY};
    for (int k = 0; k < fit->n; k++) {
        if (!without(fitter, fit, k, &less))
            continue;
        refine(fitter, &less, ROUNDS);
        if (less.cost < best.cost)
            best = less;
    }
    if (best.n == fit->n || best.cost > fit->cost + SRV_STEP_PENALTY)
        return false;
    *fit = best;
    return true;
}

void srv_fit_steps(srv_fitter *fitter, srv_fit *fit)
{
    *fit = (srv_fit){.n = 0};
    srv_fitter_trust_all(fitter);
    srv_fit_heights(fitter, fit);
    while (fit->n < SRV_STEPS_MAX) {
        srv_fit more;
        srv_fit_another(fitter, fit, &more);
        if (more.cost > fit->cost - SRV_STEP_PENALTY)
            break;
        *fit = more;
    }
    while (drop_least(fitter, fit))
        ;
    refine(fitter, fit, ROUNDS_FINE);
}

/* Tries another shape for step k, with its best knee, and refits the other steps. */
static void reshape(srv_fitter *fitter, srv_fit *best, int k, srv_knee_shape shape)
{
    srv_fit other = *best;
    double knee = other.step[k].knee;
    srv_fitter_load(fitter, &other);
    if (scan(fitter, k, knee - 0.75, knee + 0.75, 1.0 / 16, SRV_SHAPE_ONLY(shape)) >
        best->cost + HOPELESS)
        return;
    other.step[k] = fitter->step[k];
    settle(fitter, &other);
    if (other.cost < best->cost)
        *best = other;
}

void srv_fit_reshape(srv_fitter *fitter, srv_fit *fit)
{
    double before;
    do {
        before = fit->cost;
        for (int k = 0; k < fit->n; k++)
            for (int s = 0; s < SRV_SHAPE_COUNT; s++)
                if (fitter->shapes_allowed & SRV_SHAPE_ONLY(s))
                    reshape(fitter, fit, k, (srv_knee_shape)s);
    } while (fit->cost < before - SAVES_LITTLE);
    refine(fitter, fit, ROUNDS_FINE);
}

double srv_fit_cost_at(srv_fitter *fitter, const srv_fit *fit, int k, double knee)
{
    srv_fitter_load(fitter, fit);
    return scan(fitter, k, knee, knee, 1, fitter->shapes_allowed);
}
