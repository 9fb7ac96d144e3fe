/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries the cuts of the tree; the model selects the one that explains the costs best, the contrast
 * decides whether it is a layer. share/doc/detection.md has the reasons and the data for the
 * constants. */
#include "facts/layers/detect_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/layers/detect_contrast.h"
#include "facts/layers/detect_cuts.h"
#include "facts/layers/detect_effects.h"
#include "facts/layers/detect_power.h"
#include "facts/layers/detect_tree.h"

/*
 * Costs vary with the places of pairs, by a few percent of the mean on buses and meshes and by up
 * to a fifth between parts of a die. By this much one group has to stand out; the mean of several
 * that do has a smaller error, by the root of their number. A group is less credible if other units
 * have none. 0.2 to 0.3 give the same layers of measured machines.
 */
static const double STEP = 0.25;

/* Between 0 for cuts through a gradient and 1 for groups that are set apart. Cuts through generated
 * and measured buses, meshes and tori have 0.6 at most, 98 % of generated layers more. */
static const double EDGE = 0.6;

/* Between 0.75 for blocks of a torus and 1. Noise that leaves an edge of 0.6 leaves more than this.
 */
static const double PURITY = 0.9;

/* Ratio by which groups that are alike may explain less: hardware repeats. */
static const double WORTH_ALIKE = 1.25;

/* Nats: twenty to one. */
static const double EVIDENCE = 3;

/* Nats that rounding may make: cuts that differ only in blocks that show nothing are equally good.
 */
static const double TIE = 1e-6;

/* After each round the effects are known better; the second changes few trees, a third none. */
enum { ROUNDS = 2 };

/* A cut and how good it is. */
typedef struct candidate {
    srv_cut cut;
    double score; /* nats: less is better */
    srv_layers_contrast contrast;
    bool alike;
    bool is_layer;
} candidate;

typedef struct search {
    const srv_units *units;
    servet_error *error;
    double *effect, *trial_effect;
    srv_merge *merges;
    float *work; /* for building trees, like size and chain */
    int *size, *chain;
    double no_layer; /* the score without any */
    srv_power power;
    double hidden; /* how likely the likeliest step is that is too small for a layer */
    candidate trial, best;
} search;

/* --- the score ------------------------------------------------------------------------------- */

static double log_factorial(int n)
{
    double sum = 0;
    for (int k = 2; k <= n; k++)
        sum += log(k);
    return sum;
}

/* Information that names the groups of one block: the sizes that there are, and the grouping among
 * all with these sizes. */
static double surprise_of(search *s, const srv_cut *cut, int block)
{
    int first = s->units->first[block], end = s->units->first[block + 1], last = -1;
    double nats = log_factorial(end - first);
    memset(s->size, 0, (size_t)(end - first + 1) * sizeof *s->size);
    for (int i = first; i < end; i++) {
        int g = cut->group[i];
        if (g <= last)
            continue; /* not the first of its group */
        last = g;
        int same = ++s->size[srv_cut_size(cut, g)];
        nats -= log_factorial(srv_cut_size(cut, g)) + log(same);
        nats += same == 1 ? log(end - first) : 0;
    }
    return nats;
}

static double surprise(search *s, const srv_cut *cut)
{
    double nats = 0;
    for (int b = 0; b < s->units->block_count; b++)
        nats += surprise_of(s, cut, b);
    return nats;
}

/* The score of a cut with these effects, for which the model leaves so much. */
static double score(search *s, const srv_cut *cut, const double *effect, double rest)
{
    double pairs = (double)s->units->pairs, error = SRV_MODEL_ERROR * s->units->mean;
    double variance = rest / pairs + error * error;
    return pairs / 2 * log(variance) + srv_effects_nats(s->units, cut, effect, variance) +
           surprise(s, cut);
}

/* --- one cut --------------------------------------------------------------------------------- */

double srv_split_margin(double ratio, int groups, double coverage)
{
    return log(ratio) / log1p(fmax(STEP / (sqrt(groups) * coverage), SRV_STEP_LEAST));
}

double srv_split_confidence(double margin)
{
    return 1 - exp2(-margin * margin);
}

static double margin(const candidate *c)
{
    return srv_split_margin(c->contrast.ratio, c->contrast.groups, c->contrast.coverage);
}

/* Half where the ratio just equals the one needed, and rising fast beyond; less if the evidence is
 * weak. */
static double confidence_of(const search *s, const candidate *c)
{
    return srv_split_confidence(margin(c)) / (1 + exp(c->score - s->no_layer));
}

/* Likelihood that a cut with too small a ratio is a layer nevertheless: up to one half. */
static double likelihood_of_hidden(const candidate *c)
{
    return 1 - exp2(-margin(c));
}

/* Advantage of a cut over none, in nats. */
static double gain(const search *s, const candidate *c)
{
    return (s->no_layer - c->score) * (c->alike ? WORTH_ALIKE : 1);
}

static bool gains_more(const search *s, const candidate *a, const candidate *b)
{
    return gain(s, a) > gain(s, b) + TIE;
}

/* A cut that is a layer is better than one that is not. */
static bool is_better(const search *s, const candidate *a, const candidate *b)
{
    return a->is_layer == b->is_layer ? gains_more(s, a, b) : a->is_layer;
}

/* Compares the trial's cut, which needs `nats` of evidence, and keeps the better one. */
static int compare_trial(search *s, double nats)
{
    candidate *c = &s->trial;
    memcpy(s->trial_effect, s->effect, (size_t)s->units->count * sizeof *s->effect);
    double rest = srv_effects_fit(s->units, &c->cut, s->trial_effect);
    c->score = score(s, &c->cut, s->trial_effect, rest);
    c->alike = srv_cut_alike(&c->cut);
    if (s->best.is_layer && !gains_more(s, c, &s->best))
        return SERVET_OK;
    int code = srv_contrast_of(s->units, &c->cut, s->trial_effect, &c->contrast, s->error);
    if (code)
        return code;
    double evidence = s->no_layer - c->score;
    bool separated = c->contrast.edge >= EDGE && c->contrast.purity >= PURITY;
    bool far = separated && margin(c) >= 1;
    c->is_layer = far && evidence > nats;
    if (separated && !far && evidence > EVIDENCE)
        s->hidden = fmax(s->hidden, likelihood_of_hidden(c));
    if (is_better(s, c, &s->best)) {
        candidate old = s->best;
        s->best = *c;
        s->trial = old;
    }
    return SERVET_OK;
}

/* --- the search ------------------------------------------------------------------------------- */

/* One tree on the current effects, and its cuts. */
static int try_tree(search *s)
{
    int merge_counts[SRV_CUTS_MAX], count = 0;
    int merges = srv_tree_build(s->units, s->effect, s->merges, s->work, s->size, s->chain);
    int code =
        srv_cuts_choose(s->units, s->effect, s->merges, merges, merge_counts, &count, s->error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_tree_cut(s->units, s->merges, merge_counts[i], &s->trial.cut);
        code = compare_trial(s, EVIDENCE);
    }
    return code;
}

/* The evidence for it was seen before. */
static int try_known(search *s, const int *known)
{
    srv_cut_set(&s->trial.cut, s->units->count, known);
    return compare_trial(s, -INFINITY);
}

static void clear_effects(search *s)
{
    memset(s->effect, 0, (size_t)s->units->count * sizeof *s->effect);
}

/* The standard deviation of normal numbers that are limited to their upper quartile, as costs are.
 */
static const double LIMITED = 0.79;

/* The standard deviation of a cost: each unit has an effect that was fitted. */
static double deviation_of(const srv_units *units, double rest)
{
    double freedom = (double)units->pairs - units->count;
    return sqrt(rest / fmax(freedom, 1)) / LIMITED;
}

/* Starts once without effects and once with those that explain most without any layer: the one
   finds layers that dwarf all effects, the other those that effects hide. */
static int search_all(search *s, const int *known)
{
    srv_tree_cut(s->units, s->merges, 0, &s->trial.cut);
    clear_effects(s);
    double rest = srv_effects_fit(s->units, &s->trial.cut, s->effect);
    s->no_layer = score(s, &s->trial.cut, s->effect, rest);
    s->power = srv_power_of(s->units, deviation_of(s->units, rest),
                            &(srv_power_rules){STEP, SRV_STEP_LEAST, EDGE, EVIDENCE});
    int code = known ? try_known(s, known) : SERVET_OK;
    for (int start = 0; start < 2 && code == SERVET_OK; start++) {
        for (int round = 0; round < ROUNDS && code == SERVET_OK; round++) {
            code = try_tree(s);
            if (code == SERVET_OK && s->best.cut.count > 0)
                srv_effects_fit(s->units, &s->best.cut, s->effect);
        }
        clear_effects(s);
    }
    return code;
}

static bool make_room(search *s)
{
    size_t n = (size_t)s->units->count;
    s->effect = calloc(n, sizeof *s->effect);
    s->trial_effect = calloc(n, sizeof *s->trial_effect);
    s->merges = calloc(n, sizeof *s->merges);
    s->size = calloc(n + 1, sizeof *s->size);
    s->chain = calloc(n, sizeof *s->chain);
    s->work = malloc((s->units->pairs + 1) * sizeof *s->work);
    bool cuts = srv_cut_init(&s->trial.cut, s->units->count);
    return srv_cut_init(&s->best.cut, s->units->count) && cuts && s->effect && s->trial_effect &&
           s->merges && s->size && s->chain && s->work;
}

static void free_room(search *s)
{
    free(s->effect);
    free(s->trial_effect);
    free(s->merges);
    free(s->size);
    free(s->chain);
    free(s->work);
    srv_cut_finish(&s->trial.cut);
    srv_cut_finish(&s->best.cut);
}

int srv_split_find(const srv_units *units, const int *known, int *group, srv_split *split,
                   servet_error *error)
{
    search s = {.units = units, .error = error, .best = {.score = INFINITY}};
    *split = (srv_split){.whole = 1};
    if (units->pairs == 0)
        return SERVET_OK;
    int code = make_room(&s) ? search_all(&s, known) : srv_fail_memory(error);
    split->whole = 1 - fmax(s.hidden, s.power.hidden);
    split->unseen = s.power.unseen;
    if (code == SERVET_OK && s.best.is_layer) {
        split->found = true;
        split->confidence = confidence_of(&s, &s.best);
        memcpy(group, s.best.cut.group, (size_t)units->count * sizeof *group);
    }
    free_room(&s);
    return code;
}
