/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/room.h"
#include "facts/layers/detect_links.h"
#include "facts/layers/stage_parts.h"
#include "facts/store.h"
#include "sample/visit.h"
#include "stats/interval.h"

/* --- costs of pairs alone --------------------------------------------------------------------- */

/* Pairs of each layer, spread over all of it. */
enum { PAIRS = 8 };

static bool is_of_layer(const srv_alone_plan *plan, const servet_layers *layers, int number, int i,
                        int j)
{
    const int *group = layers->layer[number].group;
    const int *before = number > 0 ? layers->layer[number - 1].group : NULL;
    return i != j && group[i] == group[j] && (!before || before[i] != before[j]) &&
           !(plan->skip && (plan->skip[i] || plan->skip[j]));
}

/* Takes pairs at even steps from all of the layer. Returns how many: PAIRS, or 0 if it has none. */
static int take_pairs(const srv_alone_plan *plan, const servet_layers *layers, int number,
                      srv_rank_pair *pairs)
{
    int n = (int)layers->n, taken = 0;
    size_t all = 0, at = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            all += is_of_layer(plan, layers, number, i, j);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            if (!is_of_layer(plan, layers, number, i, j))
                continue;
            for (; taken < PAIRS && ((size_t)taken * 2 + 1) * all / (2 * PAIRS) == at; taken++)
                pairs[taken] = (srv_rank_pair){plan->rank[i], plan->rank[j]};
            at++;
        }
    return taken;
}

static int measure_layer(const srv_alone_plan *plan, const servet_layers *layers, int number,
                         servet_value *cost, servet_error *error)
{
    double seconds[PAIRS], each = 0;
    srv_rank_pair pairs[PAIRS];
    srv_exchange exchange = {.pairs = pairs,
                             .count = 1,
                             .bytes = plan->bytes,
                             .flow = SRV_FLOW_PING_PONG,
                             .buffers = SRV_BUFFERS_WARM,
                             .seconds = SRV_VISIT_SECONDS};
    int count = take_pairs(plan, layers, number, pairs);
    for (int i = 0; i < count; i++, exchange.pairs++) {
        srv_spread time;
        each = fmax(each, srv_messaging_foresee(&plan->messaging, &exchange));
        if (!srv_sampler_fits(&plan->messaging.sampler, each * (count - i)))
            return SERVET_EUNMEASURED;
        int code = srv_messaging_probe(&plan->messaging, &exchange, 1, &time, &each, error);
        if (code != SERVET_OK)
            return code;
        seconds[i] = time.median;
    }
    if (count == 0)
        return SERVET_OK;
    srv_interval median = srv_interval_of(seconds, PAIRS);
    cost->value = median.value;
    cost->low = median.low;
    cost->high = median.high;
    return SERVET_OK;
}

int srv_network_measure_alone(const srv_alone_plan *plan, servet_layers *layers, bool *measured,
                              servet_error *error)
{
    servet_value cost[SERVET_LAYERS_MAX];
    int code = SERVET_OK;
    *measured = false;
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++) {
        if (srv_sampler_left(&plan->messaging.sampler) <= 0)
            return SERVET_OK;
        cost[i] = layers->layer[i].cost;
        code = measure_layer(plan, layers, i, &cost[i], error);
    }
    if (code == SERVET_EUNMEASURED)
        return SERVET_OK;
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++)
        layers->layer[i].cost = cost[i];
    *measured = code == SERVET_OK;
    return code;
}

enum { VISITS = 5 };

enum { LINKS_MAX = 16 };

typedef struct search {
    srv_room room;
    const srv_links_plan *plan;
    servet_slow_link found[LINKS_MAX];
    int found_count;
    servet_matrix matrix; /* of sound nodes */
    int count;            /* of them */
    int *row, *unit;      /* of each: in the plan's matrix, and of the level that is searched */
    int *work;
    bool *named; /* of each pair: it is on a link that was found */
} search;

static int visit(const search *on, const int things[2], double *seconds, servet_error *error)
{
    srv_messaging messaging = srv_network_job_messaging(on->plan->job, true);
    srv_rank_pair pair = {on->plan->rank[on->row[things[0]]], on->plan->rank[on->row[things[1]]]};
    srv_exchange exchange = {.pairs = &pair,
                             .count = 1,
                             .bytes = on->plan->job->options->layer_bytes,
                             .flow = SRV_FLOW_PING_PONG,
                             .buffers = SRV_BUFFERS_WARM,
                             .seconds = SRV_VISIT_SECONDS};
    srv_spread time;
    if (!srv_sampler_fits(&messaging.sampler, srv_messaging_foresee(&messaging, &exchange)))
        return SERVET_EUNMEASURED;
    int code = srv_messaging_probe(&messaging, &exchange, 1, &time, NULL, error);
    *seconds = time.median;
    return code;
}

/* Compares the way with one like it, in turns; `*samples` 0: that was not possible. */
static int compare(const search *on, const srv_slow_way *way, double *ratio, int *samples,
                   servet_error *error)
{
    int code = SERVET_OK;
    for (*samples = 0; *samples < VISITS && code == SERVET_OK;) {
        double seconds, usual;
        code = visit(on, way->pair, &seconds, error);
        if (code == SERVET_OK)
            code = visit(on, way->like, &usual, error);
        if (code == SERVET_OK)
            ratio[(*samples)++] = seconds / usual;
    }
    return code == SERVET_EUNMEASURED ? SERVET_OK : code;
}

static int confirm(const search *on, const srv_slow_way *way, servet_slow_link *link,
                   servet_error *error)
{
    double ratio[VISITS];
    int samples;
    int code = compare(on, way, ratio, &samples, error);
    /* Confidence by the rule of succession, from the visits and from the matrix. */
    int slow = 1;
    for (int i = 0; i < samples; i++)
        slow += ratio[i] >= SERVET_SLOW_NODE;
    link->confidence = (slow + 1.) / (samples + 1 + 2.);
    link->factor = (servet_value){.value = way->factor,
                                  .low = way->factor,
                                  .high = way->factor,
                                  .samples = 1,
                                  .unit = SERVET_UNIT_NONE,
                                  .method = SERVET_METHOD_TIMED};
    if (samples < VISITS)
        return code;
    srv_interval median = srv_interval_of(ratio, VISITS);
    link->factor.value = median.value;
    link->factor.low = median.low;
    link->factor.high = median.high;
    link->factor.samples = VISITS;
    link->factor.trusted = true;
    return code;
}

/* Names the nodes of a unit (-1: of all units but `but`), as far as they fit. */
static void name_nodes(search *on, int unit, int but, char text[SERVET_TEXT_MAX])
{
    int count = 0;
    for (int i = 0; i < on->count; i++)
        if (unit < 0 ? on->unit[i] != but : on->unit[i] == unit)
            on->work[count++] = on->plan->node[on->row[i]];
    while (!srv_ranges_write(on->work, count, text, SERVET_TEXT_MAX))
        count--;
}

/* A way that is faster alone was disturbed. */
static int add(search *on, const srv_slow_way *way, servet_error *error)
{
    servet_slow_link found = {{0}};
    if (on->named[way->pair[0] * on->count + way->pair[1]] || on->found_count == LINKS_MAX)
        return SERVET_OK;
    int code = confirm(on, way, &found, error);
    if (code != SERVET_OK || found.factor.value < SERVET_SLOW_NODE)
        return code;
    found.factor = srv_network_rounded(found.factor);
    name_nodes(on, way->from, -1, found.from);
    name_nodes(on, way->to, way->from, found.to);
    for (int i = 0; i < on->count; i++)
        for (int j = 0; j < on->count && on->unit[i] == way->from; j++)
            if (way->to < 0 ? on->unit[j] != way->from : on->unit[j] == way->to)
                on->named[i * on->count + j] = on->named[j * on->count + i] = true;
    on->found[on->found_count++] = found;
    return SERVET_OK;
}

static int search_units(search *on, int units, servet_error *error)
{
    srv_slow_way ways[LINKS_MAX];
    int count;
    int code = srv_find_slow_ways(&on->matrix, on->unit, units, ways, LINKS_MAX, &count, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = add(on, &ways[i], error);
    return code;
}

/* Groups of a layer that have sound nodes, numbered anew; returns how many. */
static int group_units(search *on, const int *group)
{
    int units = 0;
    for (int i = 0; i < on->count; i++) {
        int before = 0;
        while (before < i && group[on->row[before]] != group[on->row[i]])
            before++;
        on->unit[i] = before < i ? on->unit[before] : units++;
    }
    return units;
}

/* Switches of switches first: a slow link of theirs is in the messages of all below. */
static int search_all(search *on, servet_error *error)
{
    const servet_layers *layers = on->plan->layers;
    int code = SERVET_OK;
    const servet_matrix *all = on->plan->matrix;
    for (size_t i = 0; i < all->n; i++)
        if (!srv_network_is_slow(on->plan->job->profile, on->plan->node[i]))
            on->row[on->count++] = (int)i;
    on->matrix.n = (size_t)on->count;
    for (int i = 0; i < on->count; i++)
        for (int j = 0; j < on->count; j++)
            on->matrix.cost[i * on->count + j] =
                all->cost[(size_t)on->row[i] * all->n + (size_t)on->row[j]];
    for (int k = layers->layer_count - 2; k >= 0 && code == SERVET_OK; k--)
        code = search_units(on, group_units(on, layers->layer[k].group), error);
    for (int i = 0; i < on->count; i++)
        on->unit[i] = i;
    if (code == SERVET_OK)
        code = search_units(on, on->count, error);
    return code == SERVET_OK && on->count >= SRV_LINKS_NODES_LEAST
               ? srv_store(SRV_JOB(on->plan->job), on->found, sizeof *on->found, on->found_count,
                           error, "network.slow_links")
               : code;
}

int srv_network_find_links(const srv_links_plan *plan, servet_error *error)
{
    size_t n = plan->matrix->n;
    search on = {.plan = plan};
    on.row = srv_room_take(&on.room, n, sizeof *on.row);
    on.unit = srv_room_take(&on.room, n, sizeof *on.unit);
    on.work = srv_room_take(&on.room, n, sizeof *on.work);
    on.named = srv_room_take(&on.room, n * n, sizeof *on.named);
    on.matrix.cost = srv_room_take(&on.room, n * n, sizeof(double));
    int code = on.room.failed ? srv_fail_memory(error) : search_all(&on, error);
    srv_room_free(&on.room);
    return code;
}
