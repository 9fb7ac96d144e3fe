/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "facts/cache/detect_parts.h"

/* Least distance of two points between which a boundary may lie that the curve does not show.
 * Curves with a point at each power of two have no such gap. */
static const double GAP_OCTAVES_MIN = 1.5;

/* Octaves beyond either end of the curve where steps may lie. */
static const double BEYOND_OCTAVES = 0.5;

/* Distance (octaves, standard deviation) of a knee from the capacity: how sharp a boundary is
 * depends on a replacement and a placement of pages that points far apart do not show. Errors of
 * points are independent here, those of the model are in the knees. With 0.15 the
 * intervals of 1135 curves hold the second level in 97.4 %. */
static const double DRAWN_KNEE_ERROR = 0.15;

/* Moves of each of the two chains; the first tenth, which depends on the start, is no draw. */
enum { MOVES = 10000, MOVES_PER_DRAW = 2 * MOVES / SRV_DRAWS_MAX, FIRST_DRAW = MOVES / 10 };

/* Standard deviations (octaves) by which a move changes a knee, and all of them. */
static const double MOVE_ONE = 0.3, MOVE_ALL = 0.2;

/* One explanation, and what the next one is derived from. */
typedef struct draw_state {
    srv_fit fit;
    srv_step_verdict verdict[SRV_STEPS_MAX];
    double odds; /* logarithm of its probability, up to a constant */
} draw_state;

typedef struct draw_chain {
    srv_fitter *fitter;
    const servet_cache_analysis *known;
    double low, high; /* log2 bytes: where steps may lie */
    double scale;
    uint64_t random;
    srv_knee_shape shape[SRV_SHAPE_COUNT];
    int shape_count;
    draw_state now;
} draw_chain;

/* Uniform in 0 < x < 1: xorshift (Marsaglia, 2003), with a fixed start in each analysis. */
static double uniform(draw_chain *chain)
{
    uint64_t x = chain->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    chain->random = x;
    return ((double)(x >> 11) + 0.5) * 0x1p-53;
}

static int below(draw_chain *chain, int count)
{
    return (int)(uniform(chain) * count);
}

static double normal(draw_chain *chain)
{
    double radius = sqrt(-2 * log(uniform(chain)));
    return radius * cos(2 * acos(-1) * uniform(chain));
}

static double anywhere(draw_chain *chain)
{
    return chain->low + uniform(chain) * (chain->high - chain->low);
}

/* Fits the heights, and weighs cost, number of steps, and how common such caches are. */
static void weigh(draw_chain *chain, draw_state *state)
{
    srv_fit *fit = &state->fit;
    double height[SRV_STEPS_MAX];
    srv_steps_sort(fit);
    srv_fitter_load(chain->fitter, fit);
    fit->cost = srv_fitter_heights(chain->fitter, &fit->base, height);
    for (int k = 0; k < fit->n; k++)
        fit->step[k].height = height[k];
    srv_steps_classify(chain->fitter, fit, chain->known, state->verdict);
    state->odds = -fit->cost / chain->scale / 2 - fit->n * SRV_STEP_PENALTY / 2;
    for (int k = 0; k < fit->n; k++)
        if (state->verdict[k].cache)
            state->odds += log(srv_sizes_density(fit->step[k].knee, DRAWN_KNEE_ERROR));
}

/* --- moves ------------------------------------------------------------------------------------ */

static srv_knee_shape any_shape(draw_chain *chain)
{
    return chain->shape[below(chain, chain->shape_count)];
}

/* The moves change the explanation, and return the logarithm of the ratio of the probabilities to
 * propose the way back and the way there (Green, 1995); -INFINITY if there is no such move. */

static double move_one(draw_chain *chain, srv_fit *fit)
{
    if (fit->n == 0)
        return -INFINITY;
    fit->step[below(chain, fit->n)].knee += MOVE_ONE * normal(chain);
    return 0;
}

static double move_all(draw_chain *chain, srv_fit *fit)
{
    for (int k = 0; k < fit->n; k++)
        fit->step[k].knee += MOVE_ALL * normal(chain);
    return 0;
}

static double replace_one(draw_chain *chain, srv_fit *fit)
{
    if (fit->n == 0)
        return -INFINITY;
    srv_step *step = &fit->step[below(chain, fit->n)];
    step->knee = anywhere(chain);
    step->shape = any_shape(chain);
    return 0;
}

static double reshape_one(draw_chain *chain, srv_fit *fit)
{
    if (fit->n == 0)
        return -INFINITY;
    srv_step *step = &fit->step[below(chain, fit->n)];
    step->shape = any_shape(chain);
    step->knee += MOVE_ONE * normal(chain);
    return 0;
}

static double add_one(draw_chain *chain, srv_fit *fit)
{
    if (fit->n == SRV_DRAWN_STEPS_MAX)
        return -INFINITY;
    double knee = anywhere(chain);
    fit->step[fit->n++] = (srv_step){.knee = knee, .shape = any_shape(chain)};
    return log((chain->high - chain->low) / fit->n);
}

static double drop_one(draw_chain *chain, srv_fit *fit)
{
    if (fit->n == 0)
        return -INFINITY;
    double back = -log((chain->high - chain->low) / fit->n);
    fit->step[below(chain, fit->n)] = fit->step[fit->n - 1];
    fit->n--;
    return back;
}

/* A move that is listed twice is proposed twice as often. */
static double (*const moves[])(draw_chain *chain, srv_fit *fit) = {
    move_one, move_one, move_one, move_all, replace_one, reshape_one, add_one, drop_one};

static bool is_within(const draw_chain *chain, const srv_fit *fit)
{
    for (int k = 0; k < fit->n; k++)
        if (fit->step[k].knee < chain->low || fit->step[k].knee > chain->high)
            return false;
    return true;
}

/* Proposes a move, and takes it with its probability (Metropolis). */
static void go_on(draw_chain *chain)
{
    draw_state next = chain->now;
    double back = moves[below(chain, sizeof moves / sizeof *moves)](chain, &next.fit);
    if (back == -INFINITY || !is_within(chain, &next.fit))
        return;
    weigh(chain, &next);
    if (log(uniform(chain)) < next.odds - chain->now.odds + back)
        chain->now = next;
}

/* --- draws ------------------------------------------------------------------------------------ */

static void begin(draw_chain *chain, srv_shape_set shapes)
{
    srv_fitter *fitter = chain->fitter;
    draw_state *now = &chain->now;
    fitter->shapes_allowed = shapes;
    chain->shape_count = 0;
    for (int s = 0; s < SRV_SHAPE_COUNT; s++)
        if (shapes & SRV_SHAPE_ONLY(s))
            chain->shape[chain->shape_count++] = (srv_knee_shape)s;
    srv_fit_steps(fitter, &now->fit);
    srv_fitter_trust_all(fitter);
    if (now->fit.n > SRV_DRAWN_STEPS_MAX)
        now->fit.n = SRV_DRAWN_STEPS_MAX;
    for (int k = 0; k < now->fit.n; k++)
        now->fit.step[k].knee = fmin(fmax(now->fit.step[k].knee, chain->low), chain->high);
    chain->scale = srv_fit_scale(fitter, &now->fit, now->fit.cost);
    weigh(chain, now);
}

static void draw_with(draw_chain *chain, srv_shape_set shapes, double share, srv_draws *draws)
{
    int first = draws->n;
    begin(chain, shapes);
    for (int i = 0; i < MOVES; i++) {
        go_on(chain);
        if (i >= FIRST_DRAW && i % MOVES_PER_DRAW == 0) {
            srv_draw *draw = &draws->draw[draws->n++];
            draw->n = 0;
            for (int k = 0; k < chain->now.fit.n; k++)
                if (chain->now.verdict[k].cache)
                    draw->knee[draw->n++] = chain->now.fit.step[k].knee;
        }
    }
    for (int i = first; i < draws->n; i++)
        draws->draw[i].share = share / (draws->n - first);
}

bool srv_draws_needed(const srv_fitter *fitter)
{
    for (int i = 1; i < fitter->n && !fitter->fine; i++)
        if (fitter->size[i] - fitter->size[i - 1] >= GAP_OCTAVES_MIN)
            return true;
    return false;
}

void srv_draws_make(srv_fitter *fitter, const servet_cache_analysis *known, srv_draws *draws)
{
    srv_shape_set shapes = fitter->shapes_allowed;
    draw_chain chain = {.fitter = fitter,
                        .known = known,
                        .low = fitter->size[0] - BEYOND_OCTAVES,
                        .high = fitter->size[fitter->n - 1] + BEYOND_OCTAVES,
                        .random = 1};
    draws->n = 0;
    begin(&chain, SRV_SHAPES_CHASE);
    double apart = (fitter->as_random - fitter->as_chase) / chain.scale / 2;
    draw_with(&chain, SRV_SHAPES_CHASE, 1 / (1 + exp(-apart)), draws);
    draw_with(&chain, SRV_SHAPE_ONLY(SRV_SHAPE_KEEP), 1 / (1 + exp(apart)), draws);
    fitter->shapes_allowed = shapes;
}

static bool is_between(double knee, double low, double high)
{
    return knee >= low && knee < high;
}

static double share_between(const srv_draws *draws, double low, double high)
{
    double sum = 0;
    for (int i = 0; i < draws->n; i++) {
        bool found = false;
        for (int k = 0; k < draws->draw[i].n; k++)
            found |= is_between(draws->draw[i].knee[k], low, high);
        sum += found ? draws->draw[i].share : 0;
    }
    return sum;
}

void srv_draws_assign(srv_draws *draws, const srv_fit *fit, srv_step_verdict verdict[SRV_STEPS_MAX])
{
    int previous = -1;
    for (int k = 0; k < fit->n; k++) {
        if (!verdict[k].cache)
            continue;
        draws->low[k] = -INFINITY;
        draws->high[k] = INFINITY;
        if (previous >= 0)
            draws->low[k] = draws->high[previous] =
                (fit->step[previous].knee + fit->step[k].knee) / 2;
        previous = k;
    }
    for (int k = 0; k < fit->n; k++)
        if (verdict[k].cache)
            verdict[k].confidence = share_between(draws, draws->low[k], draws->high[k]);
}

/* Divides `part`, the share of a draw with that knee, among the candidates. */
static void divide(double knee, double part, const srv_candidates *all,
                   double share[SRV_CANDIDATES_MAX])
{
    double weight[SRV_CANDIDATES_MAX], sum = 0;
    for (int i = 0; i < all->n; i++) {
        double z = (knee - log2(all->candidate[i].bytes)) / DRAWN_KNEE_ERROR;
        weight[i] = fabs(z) < SRV_SIZE_ERRORS_MAX ? exp(all->candidate[i].prior - z * z / 2) : 0;
        sum += weight[i];
    }
    for (int i = 0; i < all->n && sum > 0; i++)
        share[i] += part * weight[i] / sum;
}

void srv_draws_weigh(const srv_draws *draws, int k, srv_candidates *all)
{
    double share[SRV_CANDIDATES_MAX] = {0}, sum = 0;
    for (int i = 0; i < draws->n; i++)
        for (int j = 0; j < draws->draw[i].n; j++)
            if (is_between(draws->draw[i].knee[j], draws->low[k], draws->high[k]))
                divide(draws->draw[i].knee[j], draws->draw[i].share, all, share);
    for (int i = 0; i < all->n; i++)
        sum += share[i];
    for (int i = 0; i < all->n && sum > 0; i++)
        all->candidate[i].share = share[i] / sum;
}
