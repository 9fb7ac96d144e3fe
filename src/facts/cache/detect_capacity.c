/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts/cache/detect_parts.h"

/* Rise of the cost that counts like a rise by 1 with independent errors: the model's error at one
 * point is that at the next, and knees are its weakest part. On 150 curves of 54 processors the
 * true size is likeliest for 6 to 8, on first levels and on last. */
static const double MODEL_COST = 6;

/* Distance (octaves, standard deviation) of a knee from the capacity for reasons outside the model:
 * other content of the cache, pages that are not placed at random. First levels of 32 KiB show at
 * 30 to 31. */
static const double KNEE_ERROR = 0.05;

/* Share of the sharp caches behind another one that are exclusive of it or take its victims. They
 * hold lines in addition to it, up to its size. */
static const double ADDED = 0.2;

/* Share of the levels behind the first whose knee is up to an octave below the capacity: others use
 * them, and pages fill their colours unevenly. It is so on 28 of 206 levels of 54 processors, a
 * part of which are as wrong for other reasons. */
static const double REACHED_IN_PART = 0.1;

/* Exponent of the odds that the reported size is right, on coarse grids without gaps: MODEL_COST
 * holds for the interval, which a few processors widen for all. It is the likeliest one on either
 * half of the families of 150 curves. */
static const double ODDS_EXPONENT = 1.5;

/* Candidates per octave, and their largest distance from the fitted knee. */
enum { PER_OCTAVE = 32 };
static const double REACH_OCTAVES = 1.5;

/* Rise of the cost that noise alone makes: 95 % of chi-square with one degree of freedom. */
static const double NOISE_COST = 3.84;

/* Probability outside of a 95 % interval, on either side. */
static const double OUTSIDE = 0.025;

/* If simple sizes together are likelier than this, one of them is reported. */
static const double SIMPLE_LIKELY = 0.5;

/* A capacity is right if the reported one is within this share of it. */
static const double RIGHT = 0.1;

/* --- candidates ------------------------------------------------------------------------------- */

/* The fit with one step in the place of steps `k` to `last`. */
static srv_fit joined(const srv_fit *fit, int k, int last)
{
    srv_fit one = *fit;
    double height = 0, knee = 0;
    for (int i = k; i <= last; i++) {
        height += fit->step[i].height;
        knee += fit->step[i].height * fit->step[i].knee;
    }
    one.n -= last - k;
    memmove(one.step + k + 1, one.step + last + 1, (size_t)(fit->n - last - 1) * sizeof *one.step);
    one.step[k].height = height;
    one.step[k].knee = height > 0 ? knee / height : (fit->step[k].knee + fit->step[last].knee) / 2;
    return one;
}

static void add_candidate(srv_fitter *fitter, const srv_fit *fit, int k, srv_candidate candidate,
                          srv_candidates *all)
{
    double height[SRV_STEPS_MAX];
    candidate.cost = srv_fit_cost_at(fitter, fit, k, log2(candidate.bytes));
    srv_fitter_heights(fitter, &candidate.before, height);
    for (int i = 0; i < k; i++)
        candidate.before += height[i];
    candidate.behind = candidate.before + height[k];
    all->candidate[all->n++] = candidate;
}

static int by_bytes(const void *a, const void *b)
{
    const srv_candidate *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* The likelihood of the knee if the cache has the candidate's size and holds a part of `above`
 * bytes in addition, averaged over the parts. */
static double likely_sum(const srv_candidates *all, int i, double above)
{
    double sum = 0;
    int n = 0;
    for (int j = 0; j < all->n; j++) {
        double added = all->candidate[j].bytes - all->candidate[i].bytes;
        if (all->candidate[j].simple || added <= 0 || added > above)
            continue;
        sum += exp(-(all->candidate[j].cost - all->least) / all->scale / 2);
        n++;
    }
    return n > 0 ? sum / n : 0;
}

/* The likelihood of the knee if a core reaches only a part of the candidate, half at least. */
static double likely_part(const srv_candidates *all, int i)
{
    double sum = 0;
    int n = 0;
    for (int j = 0; j < all->n; j++) {
        double octaves = log2(all->candidate[i].bytes / all->candidate[j].bytes);
        if (all->candidate[j].simple || octaves <= 0 || octaves > 1)
            continue;
        sum += exp(-(all->candidate[j].cost - all->least) / all->scale / 2);
        n++;
    }
    return n > 0 ? sum / n : 0;
}

/* Turns costs and priors into probabilities; `is_first`: of the first step. */
static void weigh(const srv_fitter *fitter, const srv_fit *fit, bool is_first, double above,
                  srv_candidates *all)
{
    double sum = 0;
    all->least = INFINITY;
    for (int i = 0; i < all->n; i++)
        all->least = fmin(all->least, all->candidate[i].cost);
    all->scale = MODEL_COST * srv_fit_scale(fitter, fit, all->least);
    for (int i = 0; i < all->n; i++) {
        srv_candidate *one = &all->candidate[i];
        /* The least cost of a knee near the candidate, and of its distance from the candidate. */
        double least = INFINITY;
        for (int j = 0; j < all->n; j++) {
            double octaves = log2(all->candidate[j].bytes / all->candidate[i].bytes) / KNEE_ERROR;
            least =
                fmin(least, (all->candidate[j].cost - all->least) / all->scale + octaves * octaves);
        }
        double likely = exp(-least / 2);
        if (above > 0 && srv_fitter_is_random(fitter))
            likely += ADDED * (likely_sum(all, i, above) - likely);
        if (!is_first && !srv_fitter_is_random(fitter))
            likely += REACHED_IN_PART * (likely_part(all, i) - likely);
        one->share = exp(one->prior) * likely;
        sum += one->share;
    }
    for (int i = 0; i < all->n; i++)
        all->candidate[i].share /= sum;
}

void srv_step_candidates(srv_fitter *fitter, const srv_fit *fit, int k, int last, double above,
                         srv_candidates *all)
{
    srv_fit one = joined(fit, k, last);
    double low = fit->step[k].knee - REACH_OCTAVES, high = fit->step[last].knee + REACH_OCTAVES;
    const srv_draws *draws = fitter->draws;
    if (draws) {
        low = fmax(draws->low[k], fitter->size[0] - 1);
        high = fmin(draws->high[k], fitter->size[fitter->n - 1] + 1);
    }
    all->n = 0;
    all->odds_exponent = fitter->fine || draws ? 1 : ODDS_EXPONENT;
    srv_size sizes[SRV_BUILT_SIZES_MAX];
    int n = srv_sizes_list(exp2(low), exp2(high), sizes);
    for (int i = 0; i < n; i++)
        add_candidate(fitter, &one, k,
                      (srv_candidate){sizes[i].bytes, sizes[i].prior, .simple = true}, all);
    /* All other sizes, at even distances. */
    double step = fmax(1.0 / PER_OCTAVE, (high - low) / SRV_OTHERS_MAX);
    double prior = srv_sizes_other() + log(step);
    for (int i = 0; low + i * step <= high && i < SRV_OTHERS_MAX; i++)
        add_candidate(fitter, &one, k,
                      (srv_candidate){exp2(low + i * step), prior, .simple = false}, all);
    weigh(fitter, &one, k == 0, above, all);
    if (draws)
        srv_draws_weigh(draws, k, all);
    qsort(all->candidate, (size_t)all->n, sizeof *all->candidate, by_bytes);
}

/* Probability of the candidates from `low` to `high` bytes. */
static double share_of(const srv_candidates *all, double low, double high)
{
    double sum = 0;
    for (int i = 0; i < all->n; i++)
        if (all->candidate[i].bytes >= low && all->candidate[i].bytes <= high)
            sum += all->candidate[i].share;
    return sum;
}

static double share_of_simple(const srv_candidates *all)
{
    double sum = 0;
    for (int i = 0; i < all->n; i++)
        sum += all->candidate[i].simple ? all->candidate[i].share : 0;
    return sum;
}

/* The candidate at which the summed probability reaches `part`. */
static double quantile(const srv_candidates *all, double part)
{
    double rest = part * share_of(all, 0, INFINITY);
    int i = 0;
    while (i + 1 < all->n && (rest -= all->candidate[i].share) > 0)
        i++;
    return all->candidate[i].bytes;
}

/* The simple size with the highest sum of two probabilities: to be the capacity, and to be within a
 * factor of two of it. The first alone may select a size far from most others, the second one that
 * no cache has. */
static double most_useful(const srv_candidates *all)
{
    double best = -1, bytes = 0;
    for (int i = 0; i < all->n; i++) {
        const srv_candidate *one = &all->candidate[i];
        double use = one->share + share_of(all, one->bytes / 2, one->bytes * 2);
        if (one->simple && use > best) {
            best = use;
            bytes = one->bytes;
        }
    }
    return bytes;
}

/* --- latencies -------------------------------------------------------------------------------- */

static double side_of(const srv_candidate *candidate, bool behind)
{
    return behind ? candidate->behind : candidate->before;
}

/* The latency below which the summed probability is `part`. */
static double latency_quantile(const srv_candidates *all, bool behind, double part)
{
    double best = INFINITY;
    for (int i = 0; i < all->n; i++) {
        double share = 0, latency = side_of(&all->candidate[i], behind);
        for (int j = 0; j < all->n; j++)
            if (side_of(&all->candidate[j], behind) <= latency)
                share += all->candidate[j].share;
        if (share >= part)
            best = fmin(best, latency);
    }
    return best;
}

static srv_latency_doubt doubt_of(const srv_candidates *all, bool behind)
{
    int likeliest = 0;
    for (int i = 1; i < all->n; i++)
        if (all->candidate[i].cost < all->candidate[likeliest].cost)
            likeliest = i;
    double told = side_of(&all->candidate[likeliest], behind);
    return (srv_latency_doubt){fmin(0, latency_quantile(all, behind, OUTSIDE) - told),
                               fmax(0, latency_quantile(all, behind, 1 - OUTSIDE) - told)};
}

srv_capacity srv_capacity_among(const srv_candidates *all)
{
    /* Mean knee by the curve alone, regardless of common sizes, if the model is right. */
    double sum = 0, total = 0;
    for (int i = 0; i < all->n; i++) {
        const srv_candidate *one = &all->candidate[i];
        double weight = one->simple ? 0 : exp(-(one->cost - all->least) / 2);
        sum += weight * log2(one->bytes);
        total += weight;
    }
    srv_capacity capacity = {.raw = (total > 0 ? exp2(sum / total) : quantile(all, 0.5))};
    capacity.noise_low = capacity.noise_high = capacity.raw;
    for (int i = 0; i < all->n; i++)
        if (all->candidate[i].cost <= all->least + NOISE_COST) {
            capacity.noise_low = fmin(capacity.noise_low, all->candidate[i].bytes);
            capacity.noise_high = fmax(capacity.noise_high, all->candidate[i].bytes);
        }
    double said = share_of_simple(all) >= SIMPLE_LIKELY ? most_useful(all) : capacity.raw;
    capacity.nominal = said;
    capacity.low = fmin(quantile(all, OUTSIDE), said);
    capacity.high = fmax(quantile(all, 1 - OUTSIDE), said);
    double near = fmin(1, share_of(all, said / (1 + RIGHT), said * (1 + RIGHT)));
    double right = pow(near, all->odds_exponent), wrong = pow(1 - near, all->odds_exponent);
    capacity.right = right / (right + wrong);
    capacity.before = doubt_of(all, false);
    capacity.behind = doubt_of(all, true);
    return capacity;
}

/* Error (octaves) of a level behind the first one by independent loads: if other cores use the next
 * level, its misses begin within the rise of this level. A guest with a known 1 MiB gave 0.90 to
 * 1.13 MiB while other work took half of its time. */
static const double RANDOM_OCTAVES = 1.0 / 8;

srv_capacity srv_capacity_told(const srv_fitter *fitter, int k, srv_capacity capacity)
{
    if (k == 0 || !srv_fitter_is_random(fitter))
        return capacity;
    capacity.low = fmin(capacity.low, capacity.raw * exp2(-RANDOM_OCTAVES));
    capacity.high = fmax(capacity.high, capacity.raw * exp2(RANDOM_OCTAVES));
    return capacity;
}

srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k, int last,
                               double above)
{
    srv_candidates all;
    srv_step_candidates(fitter, fit, k, last, above, &all);
    return srv_capacity_among(&all);
}
