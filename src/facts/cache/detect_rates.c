/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "facts/cache/detect_parts.h"

/* Share of the plain latency behind the boundary below which it is another boundary. */
static const double SAME_PLATEAU = 0.4;

static double latency_behind(const srv_fit *fit, int k)
{
    double sum = fit->base;
    for (int i = 0; i <= k; i++)
        sum += fit->step[i].height;
    return sum;
}

/* Excess of the cost up to which the plain curve's steps are the better explanation of the curve of
 * another rate: an own boundary has three parameters, its knee, height and shape (the Bayesian
 * criterion). */
static const double SAME_COST = 12;

/* --- at other rates --------------------------------------------------------------------------- */

/* Time of a load at the largest size of the curve, against that of the plain curve there. */
static double slowness_of(const servet_curve *curve, const servet_curve *plain)
{
    double bytes = curve->bytes[curve->n - 1], latency = plain->latency[plain->n - 1];
    for (size_t i = plain->n; i-- > 0 && plain->bytes[i] >= bytes;)
        latency = plain->latency[i];
    return curve->latency[curve->n - 1] / latency;
}

static void find_caches(srv_fitter *room, const srv_fit *plain, const servet_cache_analysis *known,
                        struct srv_seen_rate *rate)
{
    srv_fit fit;
    srv_step_verdict verdict[SRV_STEPS_MAX];
    srv_fit_steps(room, &fit);
    srv_steps_classify(room, &fit, known, verdict);
    rate->same = srv_fit_cost_of(room, plain) <= fit.cost + SAME_COST;
    for (int k = 0; k < fit.n; k++)
        if (verdict[k].cache)
            rate->boundary[rate->n++] = (srv_boundary){
                srv_step_capacity(room, &fit, k, verdict[k].last, 0), verdict[k].before,
                latency_behind(&fit, verdict[k].last), verdict[k].confidence};
}

void srv_rates_find(const servet_cache_evidence *evidence, const servet_cache_analysis *known,
                    const srv_fitter *fitter, const srv_fit *fit, srv_fitter *room,
                    srv_rates *rates)
{
    rates->count = evidence->rate_count;
    for (int i = 0; i < rates->count; i++) {
        const servet_curve *curve = evidence->rates[i];
        rates->rate[i] = (struct srv_seen_rate){.slowness = slowness_of(curve, evidence->lines),
                                                .from = curve->bytes[0]};
        /* Removes the effect of the rate itself: a delay adds to every load, chains divide it.
         * The smallest sets of both curves are compared, because the same cache answers there. */
        double plain = srv_fit_predict(fitter, fit, log2(curve->bytes[0]));
        if (curve->latency[0] > plain)
            srv_fitter_init(room, fitter->shapes, curve, curve->latency[0] - plain, 1);
        else
            srv_fitter_init(room, fitter->shapes, curve, 0, plain / curve->latency[0]);
        /* Translation in the plain curve is translation in the others, too. */
        if (fitter->fixed > 1) {
            double penalty[SRV_POINTS_MAX];
            srv_evidence_penalty(known, room, penalty);
            srv_fitter_set_penalty(room, penalty);
        }
        if (!evidence->independent)
            room->shapes_allowed = fitter->shapes_allowed;
        find_caches(room, fit, known, &rates->rate[i]);
    }
}

/* --- comparing -------------------------------------------------------------------------------- */

static bool apart(const srv_capacity *larger, const srv_capacity *smaller)
{
    return larger->raw > SRV_MOVED_MIN * smaller->raw && larger->noise_low > smaller->noise_high;
}

/* True if turnover moved the boundary: a slower rate reaches less, a faster one more. Chains that
 * wait for each other show a knee earlier, because one miss among them is enough; that is no slower
 * rate. */
static bool moved(const struct srv_seen_rate *rate, const srv_capacity *seen,
                  const srv_capacity *plain)
{
    if (rate->same)
        return false;
    return rate->slowness > 1 ? apart(plain, seen) : apart(seen, plain);
}

/* The rate's boundary at this capacity, or NULL. */
static const srv_boundary *same(const struct srv_seen_rate *rate, const srv_capacity *capacity)
{
    for (int i = 0; i < rate->n; i++) {
        const srv_capacity *other = &rate->boundary[i].capacity;
        if (!apart(other, capacity) && !apart(capacity, other))
            return &rate->boundary[i];
    }
    return NULL;
}

bool srv_rates_deny(const srv_rates *rates, const srv_capacity *capacity)
{
    int covering = 0;
    for (int i = 0; i < rates->count; i++) {
        const struct srv_seen_rate *rate = &rates->rate[i];
        if (rate->slowness > 1 || capacity->raw < SRV_MOVED_MIN * rate->from)
            continue;
        if (rate->same || same(rate, capacity))
            return false;
        covering++;
    }
    return covering > 1;
}

/* The rate's last boundary, if the latency behind it is that behind the plain one. */
static const srv_boundary *last_of(const struct srv_seen_rate *rate, double behind)
{
    const srv_boundary *last = rate->n > 0 ? &rate->boundary[rate->n - 1] : NULL;
    return last && last->behind >= SAME_PLATEAU * behind ? last : NULL;
}

/* A level that only other rates show: the plain rate reaches less of it, in proportion. */
static void note_hidden(const srv_boundary *seen, double slowness, double at_least,
                        srv_turnover *turnover)
{
    double reach = fmax(at_least, seen->capacity.raw * slowness);
    if (turnover->hidden && turnover->reach <= reach)
        return;
    turnover->hidden = true;
    turnover->reach = reach;
    turnover->latency = seen->before;
    turnover->confidence = seen->confidence;
}

bool srv_rates_turnover(const srv_rates *rates, const srv_capacity *plain, double behind,
                        srv_turnover *turnover)
{
    double smallest = plain->raw, largest = plain->raw;
    bool any = false;
    int moves = 0, stays = 0;
    *turnover = (srv_turnover){.reach = plain->raw};
    for (int i = 0; i < rates->count; i++) {
        const struct srv_seen_rate *rate = &rates->rate[i];
        const srv_boundary *seen = last_of(rate, behind);
        if (!seen)
            continue;
        bool slower = rate->slowness > 1;
        if (slower)
            smallest = fmin(smallest, seen->capacity.raw);
        else
            largest = fmax(largest, seen->capacity.raw);
        if (!moved(rate, &seen->capacity, plain))
            continue;
        any = true;
        if (slower)
            continue;
        bool both = same(rate, plain) != NULL;
        stays += both;
        moves += !both;
        if (both)
            note_hidden(seen, rate->slowness, plain->raw, turnover);
    }
    if (moves >= stays) { /* a rate that seems to show two boundaries then shows one, spread */
        turnover->hidden = false;
        turnover->reach = plain->raw;
    }
    /* A boundary that stays at one rate and moves at another is no capacity: the one below is. */
    turnover->low = turnover->hidden ? turnover->reach : smallest;
    turnover->high = fmax(turnover->reach, largest);
    return turnover->hidden || any;
}
