/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_torus.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/layers/detect_effects.h"

/* Pairs that are compared with each torus: some thousands of nodes may form ten thousand of them.
 */
enum { PAIRS_MAX = 4096 };

typedef struct pair {
    int from, to;
    double cost;
} pair;

/* Costs as a straight line over the number of links. */
typedef struct line {
    double step;     /* s for each link */
    double variance; /* of the step */
    double rest;     /* mean square of the costs' distances from the line */
} line;

typedef struct search {
    pair *pairs;
    int count;
    int tried; /* tori */
    double mean, variance;
    srv_torus best;
    line line; /* of the best torus */
} search;

/* --- pairs ------------------------------------------------------------------------------------ */

/* Takes all measured pairs, or at most PAIRS_MAX at even steps. Both directions of a pair are one:
 * their times may come from the same exchange. */
static bool take_pairs(search *on, const servet_matrix *matrix, const int *node)
{
    size_t n = matrix->n, step = 1 + n * n / 2 / PAIRS_MAX, number = 0;
    on->pairs = calloc(n * n / 2 / step + 1, sizeof *on->pairs);
    for (size_t i = 0; on->pairs && i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double cost = (matrix->cost[i * n + j] + matrix->cost[j * n + i]) / 2;
            if (number++ % step == 0 && node[i] >= 0 && node[j] >= 0 && !isnan(cost))
                on->pairs[on->count++] = (pair){node[i], node[j], cost};
        }
    return on->pairs;
}

static void describe(search *on)
{
    for (int k = 0; k < on->count; k++)
        on->mean += on->pairs[k].cost / on->count;
    for (int k = 0; k < on->count; k++)
        on->variance += pow(on->pairs[k].cost - on->mean, 2) / on->count;
    on->line.rest = on->variance;
}

/* --- tori ------------------------------------------------------------------------------------- */

/* The line of least squares. */
static line fit(const search *on, const srv_torus *torus)
{
    double hops = 0, squares = 0, products = 0;
    for (int k = 0; k < on->count; k++) {
        int links = srv_torus_hops(torus, on->pairs[k].from, on->pairs[k].to);
        hops += (double)links / on->count;
        squares += (double)links * links / on->count;
        products += links * (on->pairs[k].cost - on->mean) / on->count;
    }
    double variance = squares - hops * hops;
    if (!(variance > 0))
        return (line){0, 0, on->variance};
    double step = products / variance, rest = fmax(0, on->variance - step * products);
    return (line){step, rest / variance / on->count, rest};
}

static void try_torus(search *on, const srv_torus *torus)
{
    line found = fit(on, torus);
    on->tried++;
    if (found.step > 0 && found.rest < on->line.rest) {
        on->line = found;
        on->best = *torus;
    }
}

/* Tries all tori that begin with these dimensions and have `nodes` times as many nodes. */
static void try_all(search *on, srv_torus torus, int nodes)
{
    if (nodes == 1)
        try_torus(on, &torus);
    if (torus.count == SRV_TORUS_DIMENSIONS_MAX)
        return;
    torus.count++;
    for (int extent = 2; extent <= nodes; extent++)
        if (nodes % extent == 0) {
            torus.extent[torus.count - 1] = extent;
            try_all(on, torus, nodes / extent);
        }
}

/* Returns true if a torus is more likely than equal costs. The nats by which it explains the costs
 * exceed those that name it, its step and its error. A link must also be seen: times of pairs that
 * differ by one do not overlap. Networks with other routes, such as a dragonfly, give lines with
 * costs at wrong numbers of links beside them. */
static bool is_likely(const search *on)
{
    double error = pow(SRV_MODEL_ERROR * on->mean, 2);
    double nats = on->count / 2. * log((on->variance + error) / (on->line.rest + error));
    return nats > log(on->tried) + log(on->count) && on->line.step > 2 * sqrt(on->line.rest);
}

int srv_torus_find(const servet_matrix *matrix, const int *node, int nodes, srv_found_torus *found,
                   servet_error *error)
{
    search on = {.tried = 0};
    *found = (srv_found_torus){.torus = {.count = 0}};
    if (!take_pairs(&on, matrix, node))
        return srv_fail_memory(error);
    describe(&on);
    if (on.count > 0)
        try_all(&on, (srv_torus){.count = 0}, nodes);
    if (on.best.count > 0 && is_likely(&on)) {
        double off = 1.96 * sqrt(on.line.variance);
        found->torus = on.best;
        found->step = srv_timed(on.line.step, fmax(0, on.line.step - off), on.line.step + off,
                                on.count, matrix->unit);
    }
    free(on.pairs);
    return SERVET_OK;
}
