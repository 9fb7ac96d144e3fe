/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/geometry/detect_pages.h"
#include "stats/robust.h"

static bool reserve(srv_coeviction *trials, size_t count, size_t times)
{
    size_t trials_room = (size_t)trials->trials + count + 1;
    if (trials_room > trials->trials_room) {
        size_t *first = realloc(trials->first, 2 * trials_room * sizeof *first);
        if (!first)
            return false;
        trials->first = first;
        trials->trials_room = 2 * trials_room;
        trials->first[0] = 0;
    }
    size_t room = trials->first[trials->trials] + times;
    if (room <= trials->room)
        return true;
    uint32_t *element = realloc(trials->element, 2 * room * sizeof *element);
    trials->element = element ? element : trials->element;
    float *ns = realloc(trials->ns, 2 * room * sizeof *ns);
    trials->ns = ns ? ns : trials->ns;
    trials->room = element && ns ? 2 * room : trials->room;
    return element && ns;
}

int srv_coeviction_add(srv_coeviction *trials, int count, int walked, size_t *at,
                       servet_error *error)
{
    if (!reserve(trials, (size_t)count, (size_t)count * (size_t)walked))
        return srv_fail_memory(error);
    *at = trials->first[trials->trials];
    for (int i = 0; i < count; i++, trials->trials++)
        trials->first[trials->trials + 1] = trials->first[trials->trials] + (size_t)walked;
    return SERVET_OK;
}

void srv_coeviction_finish(srv_coeviction *trials)
{
    free(trials->first);
    free(trials->element);
    free(trials->ns);
    *trials = (srv_coeviction){0};
}

static size_t times_of(const srv_coeviction *trials)
{
    return trials->first[trials->trials];
}

/* Two means in one dimension (Lloyd), between these quantiles: a few times are far beyond the slow
 * mode (a stolen slice, a miss in the last cache), and would be a mode of their own. */
enum { MODES_PASSES = 50 };
static const double MODES_FROM = 0.01, MODES_TO = 0.9;

static double mean_within(const double *sorted, size_t n, double low, double high)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (sorted[i] >= low && sorted[i] <= high) {
            sum += sorted[i];
            count++;
        }
    return count > 0 ? sum / (double)count : (low + high) / 2;
}

static void find_modes(const double *sorted, size_t n, srv_slowness *found)
{
    double low = srv_sorted_quantile(sorted, n, MODES_FROM),
           high = srv_sorted_quantile(sorted, n, MODES_TO);
    double fast = low, slow = high;
    for (int pass = 0; pass < MODES_PASSES; pass++) {
        double cut = (fast + slow) / 2;
        fast = mean_within(sorted, n, low, cut);
        slow = mean_within(sorted, n, cut, high);
    }
    found->fast_ns = fast;
    found->slow_ns = slow;
}

bool srv_coeviction_slowness(const srv_coeviction *trials, srv_slowness *slowness)
{
    size_t n = times_of(trials), slow = 0;
    double *sorted = malloc(n * sizeof *sorted);
    *slowness = (srv_slowness){.of = sorted ? malloc(n * sizeof *slowness->of) : NULL};
    for (size_t i = 0; i < n && slowness->of; i++)
        sorted[i] = trials->ns[i];
    if (slowness->of) {
        srv_sort(sorted, n);
        find_modes(sorted, n, slowness);
    }
    double gap = slowness->slow_ns - slowness->fast_ns;
    for (size_t i = 0; i < n && slowness->of; i++) {
        double share = gap > 0 ? (trials->ns[i] - slowness->fast_ns) / gap : 0;
        slowness->of[i] = (float)fmin(1, fmax(0, share));
        slow += share > 0.5;
    }
    slowness->slow_share = (double)slow / (double)n;
    free(sorted);
    return slowness->of;
}

/* --- effects ---------------------------------------------------------------------------------- */

/* Subtracts the mean of each element, too. */
static bool centre_elements(const srv_coeviction *trials, float *slowness)
{
    const uint32_t *element = trials->element;
    size_t n = times_of(trials), elements = (size_t)trials->elements;
    double *sum = calloc(elements, sizeof *sum);
    int *count = calloc(elements, sizeof *count);
    bool allocated = sum && count;
    for (size_t i = 0; i < n && allocated; i++) {
        sum[element[i]] += slowness[i];
        count[element[i]]++;
    }
    for (size_t i = 0; i < n && allocated; i++)
        slowness[i] -= (float)(sum[element[i]] / count[element[i]]);
    free(sum);
    free(count);
    return allocated;
}

/* The expected number of trials with both of two elements, in a half. */
static double expected_pairs(const srv_coeviction *trials)
{
    double sum = 0, n = trials->elements;
    for (int t = 0; t < trials->trials; t++) {
        double walked = (double)(trials->first[t + 1] - trials->first[t]);
        sum += walked * (walked - 1) / (n * (n - 1));
    }
    return fmax(1, sum / 2);
}

/* Adds the effects from one half of the trials: each element's slowness with each other one. */
static void add_effects(const srv_coeviction *trials, const float *slowness, int half, double pairs,
                        float *effect)
{
    const size_t *first = trials->first;
    for (int t = half; t < trials->trials; t += 2)
        for (size_t i = first[t]; i < first[t + 1]; i++) {
            float *row = effect + trials->element[i] * (size_t)trials->elements;
            float add = (float)(slowness[i] / pairs);
            for (size_t j = first[t]; j < first[t + 1]; j++)
                row[trials->element[j]] += add;
        }
}

static void join_halves(srv_effects *effects)
{
    size_t n = (size_t)effects->n;
    float *const *half = effects->half;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            effects->both[i * n + j] = (half[0][i * n + j] + half[0][j * n + i] +
                                        half[1][i * n + j] + half[1][j * n + i]) /
                                       4;
}

bool srv_coeviction_effects(const srv_coeviction *trials, float *slowness, srv_effects *effects)
{
    size_t n = (size_t)trials->elements;
    *effects = (srv_effects){.n = trials->elements,
                             .half = {calloc(n * n, sizeof(float)), calloc(n * n, sizeof(float))},
                             .both = malloc(n * n * sizeof(float))};
    if (!effects->half[0] || !effects->half[1] || !effects->both)
        return false;
    /* Subtracts what a trial has as a whole: a disturbance, or a large share of all elements. */
    const size_t *first = trials->first;
    for (int t = 0; t < trials->trials; t++) {
        float mean = 0;
        for (size_t i = first[t]; i < first[t + 1]; i++)
            mean += slowness[i] / (float)(first[t + 1] - first[t]);
        for (size_t i = first[t]; i < first[t + 1]; i++)
            slowness[i] -= mean;
    }
    if (!centre_elements(trials, slowness))
        return false;
    for (int half = 0; half < 2; half++)
        add_effects(trials, slowness, half, expected_pairs(trials), effects->half[half]);
    join_halves(effects);
    return true;
}

void srv_effects_finish(srv_effects *effects)
{
    free(effects->half[0]);
    free(effects->half[1]);
    free(effects->both);
    *effects = (srv_effects){0};
}
