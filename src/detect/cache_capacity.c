/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_steps.h"

#include <math.h>
#include <stdlib.h>

/*
 * By how much the cost must rise to make a capacity exp(-1/2) as likely, were it 1 if the model were
 * right: its errors at neighbouring points are one error, and knees are what it knows least. On 150 curves of 54
 * processors the truth is likeliest for 6 to 8, on first levels as on last, and likewise on curves with 8 points per octave.
 */
static const double MODEL_COST = 6;

/* How finely capacities are told apart (per octave), and how far from the fitted knee they are sought. */
enum { PER_OCTAVE = 32 };
static const double REACH_OCTAVES = 1.5;

/* Rise of the cost that noise alone makes: 95 % of chi-square with one degree of freedom. */
static const double NOISE_COST = 3.84;

/* What lies outside of a 95 % interval, on either side. */
static const double OUTSIDE = 0.025;

/* A capacity is right if what is said is within so much of it. */
static const double RIGHT = 0.1;

/* --- candidates --------------------------------------------------------------------------------- */

/* Cost of a capacity at 2^`knee` bytes for the boundary from step `k` to step `last`: somewhere between
   the two, as far as anyone knows. */
static double boundary_cost(srv_fitter *fitter, const srv_fit *fit, int k, int last, double knee)
{
    if (knee > fit->step[k].knee && knee < fit->step[last].knee)
        return fit->cost;
    return srv_fit_cost_at(fitter, fit, knee <= fit->step[k].knee ? k : last, knee);
}

static void add_candidate(srv_fitter *fitter, const srv_fit *fit, int k, int last,
                          srv_candidate candidate, srv_candidates *all)
{
    candidate.cost = boundary_cost(fitter, fit, k, last, log2(candidate.bytes));
    all->candidate[all->n++] = candidate;
}

static int by_bytes(const void *a, const void *b)
{
    const srv_candidate *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Turns costs and priors into probabilities. */
static void weigh(srv_candidates *all)
{
    double sum = 0;
    all->least = INFINITY;
    for (int i = 0; i < all->n; i++)
        all->least = fmin(all->least, all->candidate[i].cost);
    for (int i = 0; i < all->n; i++) {
        srv_candidate *one = &all->candidate[i];
        one->share = exp(one->prior - (one->cost - all->least) / (2 * MODEL_COST));
        sum += one->share;
    }
    for (int i = 0; i < all->n; i++)
        all->candidate[i].share /= sum;
}

void srv_step_candidates(srv_fitter *fitter, const srv_fit *fit, int k, int last,
                         srv_candidates *all)
{
    srv_size sizes[SRV_SIZES_MAX];
    double low = fit->step[k].knee - REACH_OCTAVES, high = fit->step[last].knee + REACH_OCTAVES;
    int n = srv_sizes_list(exp2(low), exp2(high), sizes);
    all->n = 0;
    for (int i = 0; i < n; i++)
        add_candidate(fitter, fit, k, last,
                      (srv_candidate){sizes[i].bytes, sizes[i].prior, .simple = true}, all);
    double step = fmax(1.0 / PER_OCTAVE, (high - low) / SRV_OTHERS_MAX);
    double prior = srv_sizes_other() + log(step);
    for (double knee = low; knee <= high && all->n < SRV_CANDIDATES_MAX; knee += step)
        add_candidate(fitter, fit, k, last, (srv_candidate){exp2(knee), prior, .simple = false}, all);
    weigh(all);
    qsort(all->candidate, (size_t)all->n, sizeof *all->candidate, by_bytes);
}

/* --- what they say ------------------------------------------------------------------------------ */

/* The candidate, of all or of the simple ones, below which a part of their probability lies. */
static double quantile(const srv_candidates *all, bool simple, double part)
{
    double sum = 0, total = 0;
    for (int i = 0; i < all->n; i++)
        total += !simple || all->candidate[i].simple ? all->candidate[i].share : 0;
    for (int i = 0; i < all->n; i++) {
        sum += !simple || all->candidate[i].simple ? all->candidate[i].share : 0;
        if (sum >= part * total)
            return all->candidate[i].bytes;
    }
    return all->candidate[all->n - 1].bytes;
}

static double share_near(const srv_candidates *all, double low, double high, bool simple)
{
    double sum = 0;
    for (int i = 0; i < all->n; i++) {
        const srv_candidate *one = &all->candidate[i];
        if (one->bytes >= low && one->bytes <= high && (one->simple || !simple))
            sum += one->share;
    }
    return sum;
}

/* Mean knee as the curve has it, whatever sizes are common. */
static double mean_knee(const srv_candidates *all)
{
    double sum = 0, total = 0;
    for (int i = 0; i < all->n; i++) {
        const srv_candidate *one = &all->candidate[i];
        double weight = one->simple ? 0 : exp(-(one->cost - all->least) / 2);
        sum += weight * log2(one->bytes);
        total += weight;
    }
    return total > 0 ? exp2(sum / total) : quantile(all, false, 0.5);
}

static void noise_interval(const srv_candidates *all, srv_capacity *capacity)
{
    capacity->noise_low = capacity->noise_high = capacity->raw;
    for (int i = 0; i < all->n; i++)
        if (all->candidate[i].cost <= all->least + NOISE_COST) {
            capacity->noise_low = fmin(capacity->noise_low, all->candidate[i].bytes);
            capacity->noise_high = fmax(capacity->noise_high, all->candidate[i].bytes);
        }
}

srv_capacity srv_capacity_among(const srv_candidates *all)
{
    srv_capacity capacity = {.raw = mean_knee(all)};
    noise_interval(all, &capacity);
    bool simple = share_near(all, 0, INFINITY, true) >= 0.5;
    capacity.nominal = simple ? quantile(all, true, 0.5) : capacity.raw;
    capacity.low = fmin(quantile(all, false, OUTSIDE), capacity.nominal);
    capacity.high = fmax(quantile(all, false, 1 - OUTSIDE), capacity.nominal);
    capacity.right = share_near(all, capacity.nominal / (1 + RIGHT), capacity.nominal * (1 + RIGHT), false);
    return capacity;
}

srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k, int last)
{
    srv_candidates all;
    srv_step_candidates(fitter, fit, k, last, &all);
    return srv_capacity_among(&all);
}
