/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries the cuts of the tree; the model selects the one that explains the costs best, the contrast
 * decides whether it is a layer. share/doc/detection.md has the reasons and the data for the
 * constants. */
#include "facts/layers/detect_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/layers/detect_effects.h"
#include "facts/layers/detect_tree.h"
#include "facts/layers/detect_units.h"

/* The tests that a layer into equal groups has to pass. */
typedef struct srv_power_rules {
    double step;     /* least ratio of costs less 1, of a single group */
    double least;    /* the same of any number of groups */
    double edge;     /* least step at the border, as a share of the step */
    double evidence; /* nats */
} srv_power_rules;

/* Steps are shares of the cost of the nearer pairs. */
typedef struct srv_power {
    double unseen; /* a layer with a smaller step would not be found for sure; INFINITY: none
                      would */
    double hidden; /* 0..0.5, the probability that one is hidden */
} srv_power;

/* --- layers that noise could hide ------------------------------------------------------------- */

/* Groups of two units, of four, and so on up to half a block are equally likely, and so is a
 * further layer at all or none. */

/* Steps of layers are spread evenly, as logarithms, over a decade above the smallest one that is a
 * layer: switches add 5 to 50 % to a message, caches and packages multiply costs by up to ten. */
static const double STEPS_DECADES = 1;

/* Blocks of the largest size, and groups of `size` units that each would have. */
typedef struct grouping {
    double blocks, units, size;
    double deviation; /* of a cost, with the model's error, as a share of the mean */
} grouping;

/* About the expected maximum of n normal numbers: 0.56 for 2, 1.77 for 16. */
static double expected_maximum(double n)
{
    return sqrt(2 * log(n)) - (n > 2 ? (log(log(n)) + 1.75) / (2 * sqrt(2 * log(n))) : 0.62);
}

/* Nats that name the groups of a block: their size, and which units are together. */
static double surprise_of_groups(const grouping *g)
{
    double groups = g->units / g->size;
    return log(g->units) + lgamma(g->units + 1) - groups * lgamma(g->size + 1) - lgamma(groups + 1);
}

static double step_of_evidence(const grouping *g, const srv_power_rules *rules)
{
    double pairs = g->blocks * g->units * (g->units - 1) / 2;
    double inside = (g->size - 1) / (g->units - 1);
    double nats = rules->evidence + g->blocks * surprise_of_groups(g);
    return g->deviation * sqrt(expm1(2 * nats / pairs) / (inside * (1 - inside)));
}

/* Finds the power of a search in units whose costs deviate by `deviation` from their means and
 * effects. If no block has four units, no such layer is possible, and both results are 0. */
static srv_power power_of(const srv_units *units, double deviation, const srv_power_rules *rules)
{
    /* The largest block stands for all: most are alike. */
    grouping g = {.units = 0};
    for (int b = 0; b < units->block_count; b++)
        g.units = fmax(g.units, units->first[b + 1] - units->first[b]);
    g.blocks = units->count / fmax(g.units, 1);
    g.deviation = hypot(deviation / units->mean, SRV_MODEL_ERROR);
    srv_power power = {0, 0};
    int sizes = 0;
    for (g.size = 2; 2 * g.size <= g.units; g.size *= 2, sizes++) {
        double least = fmax(rules->step / sqrt(g.blocks * g.units / g.size), rules->least);
        /* Steps so far are shares of the mean cost, which is about that of the farther pairs. */
        /* The least step that noise leaves apart: the smallest mean of each side decides. */
        double below = 2 * expected_maximum(g.size) / sqrt(g.size);
        double step = fmax(below * g.deviation / (1 - rules->edge), step_of_evidence(&g, rules));
        double unseen = (step < 1 ? step / (1 - step) : INFINITY);
        power.unseen = fmax(power.unseen, fmax(unseen, least));
        power.hidden += fmin(fmax(log10(unseen / least) / STEPS_DECADES, 0), 1) / 2;
    }
    power.hidden /= sizes > 0 ? sizes : 1;
    return power;
}

/* Costs vary with the places of pairs, by a few percent of the mean on buses and meshes and by up
 * to a fifth between parts of a die. By this much one group has to stand out; the mean of several
 * that do has a smaller error, by the root of their number. A group is less credible if other units
 * have none. 0.2 to 0.3 give the same layers of measured machines. */
static const double STEP = 0.25;

/* Between 0 for cuts through a gradient and 1 for groups that are set apart. Cuts through generated
 * and measured buses, meshes and tori have 0.6 at most, 98 % of generated layers more. */
static const double EDGE = 0.6;

/* Blocks of a torus have 0.75, clear groups 1. Noise with an edge of 0.6 leaves more. */
static const double PURITY = 0.9;

/* Ratio by which groups that are alike may explain less: hardware repeats. */
static const double WORTH_ALIKE = 1.25;

/* Nats: twenty to one. */
static const double EVIDENCE = 3;

/* Nats of rounding: cuts that differ in blocks without evidence are equally good. */
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
    srv_room room;
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

static double log_factorial(int n)
{
    double sum = 0;
    for (int k = 2; k <= n; k++)
        sum += log(k);
    return sum;
}

/* Nats that name the groups of a block: their sizes, and one grouping of these sizes. */
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

static double score(search *s, const srv_cut *cut, const double *effect, double rest)
{
    double pairs = (double)s->units->pairs, error = SRV_MODEL_ERROR * s->units->mean;
    double variance = rest / pairs + error * error;
    double nats = 0;
    for (int b = 0; b < s->units->block_count; b++)
        nats += surprise_of(s, cut, b);
    return pairs / 2 * log(variance) + srv_effects_nats(s->units, cut, effect, variance) + nats;
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

/* Advantage of a cut over none, in nats. */
static double gain(const search *s, const candidate *c)
{
    return (s->no_layer - c->score) * (c->alike ? WORTH_ALIKE : 1);
}

static bool gains_more(const search *s, const candidate *a, const candidate *b)
{
    return gain(s, a) > gain(s, b) + TIE;
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
    /* Likelihood that a cut with too small a ratio is a layer nevertheless: up to one half. */
    if (separated && !far && evidence > EVIDENCE)
        s->hidden = fmax(s->hidden, 1 - exp2(-margin(c)));
    /* A cut that is a layer is better than one that is not. */
    if (c->is_layer == s->best.is_layer ? gains_more(s, c, &s->best) : c->is_layer) {
        candidate old = s->best;
        s->best = *c;
        s->trial = old;
    }
    return SERVET_OK;
}

/* --- the search ------------------------------------------------------------------------------- */

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

/* The deviation of normal numbers that are limited to their upper quartile, as costs are. */
static const double LIMITED = 0.79;

/* Starts once without effects and once with those that explain most without any layer: the one
   finds layers that dwarf all effects, the other those that effects hide. */
static int search_all(search *s, const int *known)
{
    srv_tree_cut(s->units, s->merges, 0, &s->trial.cut);
    clear_effects(s);
    double rest = srv_effects_fit(s->units, &s->trial.cut, s->effect);
    s->no_layer = score(s, &s->trial.cut, s->effect, rest);
    /* The standard deviation of a cost: each unit has an effect that was fitted. */
    double freedom = (double)s->units->pairs - s->units->count;
    s->power = power_of(s->units, sqrt(rest / fmax(freedom, 1)) / LIMITED,
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

int srv_split_find(const srv_units *units, const int *known, int *group, srv_split *split,
                   servet_error *error)
{
    search s = {.units = units, .error = error, .best = {.score = INFINITY}};
    *split = (srv_split){.whole = 1};
    if (units->pairs == 0)
        return SERVET_OK;
    size_t n = (size_t)s.units->count;
    s.effect = srv_room_take(&s.room, n, sizeof *s.effect);
    s.trial_effect = srv_room_take(&s.room, n, sizeof *s.trial_effect);
    s.merges = srv_room_take(&s.room, n, sizeof *s.merges);
    s.size = srv_room_take(&s.room, n + 1, sizeof *s.size);
    s.chain = srv_room_take(&s.room, n, sizeof *s.chain);
    s.work = srv_room_take(&s.room, s.units->pairs + 1, sizeof *s.work);
    s.trial.cut = srv_cut_of(&s.room, s.units->count);
    s.best.cut = srv_cut_of(&s.room, s.units->count);
    int code = !s.room.failed ? search_all(&s, known) : srv_fail_memory(error);
    split->whole = 1 - fmax(s.hidden, s.power.hidden);
    split->unseen = s.power.unseen;
    if (code == SERVET_OK && s.best.is_layer) {
        split->found = true;
        /* Half at the ratio that is needed, and rising fast; less if the evidence is weak. */
        split->confidence =
            srv_split_confidence(margin(&s.best)) / (1 + exp(s.best.score - s.no_layer));
        memcpy(group, s.best.cut.group, (size_t)units->count * sizeof *group);
    }
    srv_room_free(&s.room);
    return code;
}
