/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "facts/cache/detect_model.h"

/* A fit this much worse after one round of improvements, five penalties, is abandoned. */
static const double HOPELESS = 5 * SRV_STEP_PENALTY;

/* Another round of shapes runs if the last one saved so much. */
static const double SAVES_LITTLE = 0.5;

/* Minimum gain in cost for treating a level as filtered by the one above. */
static const double FILTER_PENALTY = 1;

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

static void add_step(srv_fitter *fitter, srv_fit *fit)
{
    fit->step[fit->n++] = (srv_step){.knee = fitter->size[0]};
    srv_fitter_load(fitter, fit);
    scan(fitter, fit->n - 1, fitter->size[0] - 0.5, fitter->size[fitter->n - 1],
         1.0 / SCAN_PER_OCTAVE, fitter->shapes_allowed);
    memcpy(fit->step, fitter->step, sizeof fit->step);
    refine(fitter, fit, ROUNDS);
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

void srv_fit_another(srv_fitter *fitter, const srv_fit *fit, srv_fit *more)
{
    *more = *fit;
    add_step(fitter, more);
}

void srv_fit_steps(srv_fitter *fitter, srv_fit *fit)
{
    *fit = (srv_fit){.n = 0};
    srv_fitter_trust_all(fitter);
    srv_fit_heights(fitter, fit);
    while (fit->n < SRV_STEPS_MAX) {
        srv_fit more = *fit;
        add_step(fitter, &more);
        if (more.cost > fit->cost - SRV_STEP_PENALTY)
            break;
        *fit = more;
    }
    while (drop_least(fitter, fit))
        ;
    refine(fitter, fit, ROUNDS_FINE);
}

/* Tries another shape for step k, with its best knee, and refits the other steps. */
static void reshape(srv_fitter *fitter, srv_fit *best, int k, srv_knee_shape shape, bool filtered)
{
    srv_fit other = *best;
    double knee;
    other.step[k].filtered = filtered;
    if (srv_fit_best_knee(fitter, &other, k, shape, &knee) > best->cost + HOPELESS)
        return;
    other.step[k] = fitter->step[k];
    settle(fitter, &other);
    double simpler = filtered && !best->step[k].filtered ? FILTER_PENALTY : 0;
    if (other.cost + simpler < best->cost)
        *best = other;
}

static void reshape_all(srv_fitter *fitter, srv_fit *fit)
{
    double before;
    do {
        before = fit->cost;
        for (int k = 0; k < fit->n; k++)
            for (int s = 0; s < SRV_SHAPE_COUNT; s++)
                for (int filtered = 0; filtered < (k > 0 ? 2 : 1); filtered++)
                    if (fitter->shapes_allowed & SRV_SHAPE_ONLY(s))
                        reshape(fitter, fit, k, (srv_knee_shape)s, filtered != 0);
    } while (fit->cost < before - SAVES_LITTLE);
}

/* Removes a step that the others can replace with other shapes. With two steps too many, each is
 * needed while the shapes of the rest match both. */
static bool drop_and_reshape(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit less;
    for (int k = 0; k < fit->n; k++) {
        if (!without(fitter, fit, k, &less))
            continue;
        reshape_all(fitter, &less);
        if (less.cost <= fit->cost + SRV_STEP_PENALTY) {
            *fit = less;
            return true;
        }
    }
    return false;
}

/* Start shapes of a search, besides those of the coarse one: changing one step at a time never
 * leaves two wrong shapes that compensate each other. */
static const struct start {
    srv_knee_shape first, others; /* others: behind the first level, so filtered by it */
} starts[] = {
    {SRV_SHAPE_LRU_8, SRV_SHAPE_LRU_PAGES_8},
    {SRV_SHAPE_EVICT, SRV_SHAPE_EVICT_PAGES_8},
    {SRV_SHAPE_KEEP_8, SRV_SHAPE_KEEP_PAGES_8},
    {SRV_SHAPE_KEEP, SRV_SHAPE_RANDOM_PAGES_8},
};

static bool may_start(const srv_fitter *fitter, const struct start *start)
{
    srv_shape_set needed = SRV_SHAPE_ONLY(start->first) | SRV_SHAPE_ONLY(start->others);
    return (fitter->shapes_allowed & needed) == needed;
}

/* A fit that leaves hardly more than chance needs no other start. */
static const double CONTENT = 1.2;

void srv_fit_reshape(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit coarse = *fit;
    reshape_all(fitter, fit);
    for (size_t i = 0; fitter->misfit > CONTENT && i < sizeof starts / sizeof *starts; i++) {
        srv_fit other = coarse;
        if (!may_start(fitter, &starts[i]))
            continue;
        for (int k = 0; k < other.n; k++) {
            other.step[k].shape = k > 0 ? starts[i].others : starts[i].first;
            other.step[k].filtered = k > 0;
        }
        settle(fitter, &other);
        reshape_all(fitter, &other);
        if (other.cost < fit->cost - SAVES_LITTLE)
            *fit = other;
    }
    while (drop_and_reshape(fitter, fit))
        ;
    refine(fitter, fit, ROUNDS_FINE);
}

double srv_fit_best_knee(srv_fitter *fitter, const srv_fit *fit, int k, srv_knee_shape shape,
                         double *knee)
{
    srv_fitter_load(fitter, fit);
    double centre = fit->step[k].knee, step = 1.0 / 16;
    double cost = scan(fitter, k, centre - 0.75, centre + 0.75, step, SRV_SHAPE_ONLY(shape));
    *knee = fitter->step[k].knee;
    return cost;
}

double srv_fit_cost_at(srv_fitter *fitter, const srv_fit *fit, int k, double knee)
{
    srv_fitter_load(fitter, fit);
    return scan(fitter, k, knee, knee, 1, fitter->shapes_allowed);
}
