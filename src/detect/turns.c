/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/turns.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "stats/robust.h"

/* The share of trials that count. Who shares the core is busy in bursts of milliseconds, hundreds
 * of trials long, and up to two thirds of the time on machines measured so far. */
static const double QUIET = 0.2;

/* Of each number of turns so many at least, however noisy. */
enum { QUIET_MIN = 5 };

/* Odds (ln) from which on the ways are clear: one error in 150, and two readings in a row must
 * agree. */
static const double CLEAR = 5;

/* --- trials -------------------------------------------------------------------------------------
 */

int srv_turn_trials_add(srv_turn_trials *turns, int count, int lines, int walked, size_t *at,
                        servet_error *error)
{
    size_t trials = (size_t)(turns->trials.trials + count);
    if (trials > turns->room) {
        int *grown = realloc(turns->lines, 2 * trials * sizeof *grown);
        if (!grown)
            return srv_fail_memory(error);
        turns->lines = grown;
        turns->room = 2 * trials;
    }
    int first = turns->trials.trials,
        code = srv_coeviction_add(&turns->trials, count, walked, at, error);
    for (int t = first; t < turns->trials.trials; t++)
        turns->lines[t] = lines;
    return code;
}

void srv_turn_trials_cut(srv_turn_trials *turns, int first)
{
    if (first < turns->trials.trials)
        turns->trials.trials = first;
}

void srv_turn_trials_finish(srv_turn_trials *turns)
{
    srv_coeviction_finish(&turns->trials);
    free(turns->lines);
    *turns = (srv_turn_trials){0};
}

/* --- reading ------------------------------------------------------------------------------------
 */

/* A trial: the mean time of an element that takes turns, and of one between them. */
typedef struct trial {
    int lines;
    double own, judge;
} trial;

static trial read_trial(const srv_turn_trials *turns, int t)
{
    const srv_coeviction *trials = &turns->trials;
    size_t begin = trials->first[t], end = trials->first[t + 1],
           own = begin + (size_t)turns->lines[t];
    double sum[2] = {0};
    for (size_t i = begin; i < end; i++)
        sum[i >= own] += trials->ns[i];
    return (trial){turns->lines[t], sum[0] / turns->lines[t],
                   sum[1] / fmax(1, (double)(end - own))};
}

static int by_lines_then_judge(const void *a, const void *b)
{
    const trial *x = a, *y = b;
    if (x->lines != y->lines)
        return x->lines - y->lines;
    return (x->judge > y->judge) - (x->judge < y->judge);
}

static int by_judge(const void *a, const void *b)
{
    const trial *x = a, *y = b;
    return (x->judge > y->judge) - (x->judge < y->judge);
}

/* The median of the quiet ones of `n` trials of the same lines, which ascend by their judges; `own`
 * has room for n times. */
static srv_turns point_of(const trial *trials, int n, double quiet, double *own)
{
    int kept = 0;
    for (; kept < n && (kept < QUIET_MIN || trials[kept].judge <= quiet); kept++)
        own[kept] = trials[kept].own;
    srv_spread spread = srv_spread_of(own, (size_t)kept);
    double error = 0.93 * (spread.high - spread.low) / sqrt(kept); /* of a normal law's median */
    return (srv_turns){trials->lines, spread.median, error};
}

/* Points of trials that ascend by lines, then by their judges. */
static int read_points(const trial *trials, int all, double quiet, double *own,
                       srv_turns points[SRV_TURNS_MAX])
{
    int n = 0;
    for (int t = 0, end; t < all && n < SRV_TURNS_MAX; t = end) {
        for (end = t; end < all && trials[end].lines == trials[t].lines;)
            end++;
        points[n++] = point_of(trials + t, end - t, quiet, own);
    }
    return n;
}

int srv_turns_read(const srv_turn_trials *turns, srv_turns points[SRV_TURNS_MAX])
{
    int all = turns->trials.trials, n = -1;
    size_t room = (size_t)(all > 0 ? all : 1);
    trial *trials = malloc(room * sizeof *trials);
    double *own = malloc(room * sizeof *own);
    if (trials && own) {
        for (int t = 0; t < all; t++)
            trials[t] = read_trial(turns, t);
        qsort(trials, (size_t)all, sizeof *trials, by_judge);
        double quiet = all > 0 ? trials[(int)(QUIET * all)].judge : 0;
        qsort(trials, (size_t)all, sizeof *trials, by_lines_then_judge);
        n = read_points(trials, all, quiet, own, points);
    }
    free(trials);
    free(own);
    return n;
}

int srv_detect_turns(const srv_turn_trials *turns, srv_ways *ways, bool *clear, servet_error *error)
{
    srv_turns points[SRV_TURNS_MAX];
    int n = srv_turns_read(turns, points);
    if (n < 0)
        return srv_fail_memory(error);
    *clear = srv_detect_ways(points, n, ways) && ways->odds >= CLEAR;
    return SERVET_OK;
}

void srv_explain_turns(const srv_turn_trials *turns, const srv_account *on)
{
    srv_turns points[SRV_TURNS_MAX];
    if (on->to)
        srv_explain_ways(points, srv_turns_read(turns, points), "elements of one colour", CLEAR,
                         on);
}
