/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/geometry/detect_pages.h"
#include "stats/robust.h"

/* The quantile of the times of the same elements. A sibling thread is busy in bursts of
 * milliseconds, hundreds of trials long, and up to two thirds of the time on machines measured so
 * far. */
static const double QUIET = 0.15;

/* Odds (ln) from which the ways are clear: one error in 150, if two readings agree. */
static const double CLEAR = 5;

/* A trial: which elements take turns, and their mean time. */
typedef struct trial {
    const uint32_t *element;
    int lines;
    double ns;
} trial;

static trial read_trial(const srv_coeviction *turns, int t)
{
    size_t begin = turns->first[t];
    int lines = (int)(turns->first[t + 1] - begin) - turns->fillers;
    double sum = 0;
    for (int i = 0; i < lines; i++)
        sum += turns->ns[begin + (size_t)i];
    return (trial){turns->element + begin, lines, sum / lines};
}

static int by_choice(const trial *x, const trial *y)
{
    return x->lines != y->lines
               ? x->lines - y->lines
               : memcmp(x->element, y->element, (size_t)x->lines * sizeof *x->element);
}

static int by_choice_then_time(const void *a, const void *b)
{
    const trial *x = a, *y = b;
    int order = by_choice(x, y);
    return order != 0 ? order : (x->ns > y->ns) - (x->ns < y->ns);
}

/* The undisturbed time of trial[0]'s elements, which `*count` trials have. */
static double quiet_time(const trial *trials, int n, int *count)
{
    for (*count = 1; *count < n && by_choice(trials, trials + *count) == 0;)
        ++*count;
    return trials[(int)(QUIET * (*count - 1))].ns;
}

/* The median over all choices of as many elements: a few hold one of another colour. `*count` of
 * `n` trials, `ns` has room for as many. */
static srv_turns read_point(const trial *trials, int n, double *ns, int *count)
{
    int choices = 0, same;
    for (*count = 0; *count < n && trials[*count].lines == trials->lines; *count += same)
        ns[choices++] = quiet_time(trials + *count, n - *count, &same);
    srv_spread spread = srv_spread_of(ns, (size_t)choices);
    double error = 0.93 * (spread.high - spread.low) / sqrt(choices); /* of a normal law's median */
    return (srv_turns){trials->lines, spread.median, error};
}

int srv_turns_read(const srv_coeviction *turns, srv_turns points[SRV_TURNS_MAX])
{
    int all = turns->trials, n = -1;
    size_t room = (size_t)(all > 0 ? all : 1);
    trial *trials = malloc(room * sizeof *trials);
    double *ns = malloc(room * sizeof *ns);
    if (trials && ns) {
        for (int t = 0; t < all; t++)
            trials[t] = read_trial(turns, t);
        qsort(trials, (size_t)all, sizeof *trials, by_choice_then_time);
        n = 0;
        for (int t = 0, count; t < all && n < SRV_TURNS_MAX; t += count)
            points[n++] = read_point(trials + t, all - t, ns, &count);
    }
    free(trials);
    free(ns);
    return n;
}

int srv_detect_turns(const srv_coeviction *turns, int rounds, srv_ways *ways, bool *clear,
                     servet_error *error)
{
    srv_turns points[SRV_TURNS_MAX];
    int n = srv_turns_read(turns, points);
    if (n < 0)
        return srv_fail_memory(error);
    *clear = srv_detect_ways(points, n, rounds, ways) && ways->odds >= CLEAR;
    return SERVET_OK;
}

void srv_explain_turns(const srv_coeviction *turns, int rounds, const srv_account *on)
{
    srv_turns points[SRV_TURNS_MAX];
    if (on->to)
        srv_explain_ways(points, srv_turns_read(turns, points), rounds, "elements of one colour",
                         CLEAR, on);
}
