/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/room.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/detect_links.h"
#include "facts/layers/stage_parts.h"
#include "facts/store.h"
#include "sample/visit.h"
#include "stats/components.h"
#include "stats/interval.h"

/* Measures a pair alone. SERVET_EUNMEASURED: there is no time for `left` pairs like it, each of
 * which takes `*cost` seconds as far as is known. */
static int probe(const srv_messaging *messaging, double bytes, srv_rank_pair pair, int left,
                 double *cost, double *seconds, servet_error *error)
{
    srv_exchange exchange = {.pairs = &pair,
                             .count = 1,
                             .bytes = bytes,
                             .flow = SRV_FLOW_PING_PONG,
                             .buffers = SRV_BUFFERS_WARM,
                             .seconds = SRV_VISIT_SECONDS};
    srv_spread time = {.median = 0};
    *cost = fmax(*cost, srv_messaging_foresee(messaging, &exchange));
    if (!srv_sampler_fits(&messaging->sampler, *cost * left))
        return SERVET_EUNMEASURED;
    int code = srv_messaging_probe(messaging, &exchange, 1, &time, cost, error);
    *seconds = time.median;
    return code;
}

/* --- costs of pairs alone --------------------------------------------------------------------- */

/* Pairs of each layer, spread over all of it. */
enum { PAIRS = 8 };

/* Takes pairs of nodes that are not slow, at even steps from all of the layer. Returns how many:
 * PAIRS, or 0 if it has none. */
static int take_pairs(const srv_node_rows *rows, const bool *slow, const servet_layers *layers,
                      int number, srv_rank_pair *pairs)
{
    size_t n = layers->n, all = 0, at = 0;
    int taken = 0;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                if (slow[i] || slow[j] || !srv_is_of_layer(layers, number, i, j))
                    continue;
                for (; turn == 1 && taken < PAIRS &&
                       ((size_t)taken * 2 + 1) * all / (2 * PAIRS) == at;
                     taken++)
                    pairs[taken] = (srv_rank_pair){rows->rank[i], rows->rank[j]};
                *(turn == 0 ? &all : &at) += 1;
            }
    return taken;
}

static int measure_layer(const srv_messaging *messaging, double bytes, const srv_rank_pair *pairs,
                         int count, servet_value *cost, servet_error *error)
{
    double seconds[PAIRS], each = 0;
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = probe(messaging, bytes, pairs[i], count - i, &each, &seconds[i], error);
    if (code != SERVET_OK || count == 0)
        return code;
    srv_interval median = srv_interval_of(seconds, PAIRS);
    cost->value = median.value;
    cost->low = median.low;
    cost->high = median.high;
    return SERVET_OK;
}

int srv_network_measure_alone(const srv_node_rows *rows, servet_layers *layers, servet_error *error)
{
    srv_messaging messaging = srv_network_job_messaging(rows->job, true);
    servet_value cost[SERVET_LAYERS_MAX];
    srv_rank_pair pairs[PAIRS];
    bool *slow = calloc(layers->n, sizeof *slow);
    int code = slow ? SERVET_OK : srv_fail_memory(error);
    for (size_t i = 0; i < layers->n && slow; i++)
        slow[i] = srv_network_is_slow(rows->job->profile, rows->node[i]);
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++) {
        cost[i] = layers->layer[i].cost;
        int count = take_pairs(rows, slow, layers, i, pairs);
        code = srv_sampler_left(&messaging.sampler) > 0
                   ? measure_layer(&messaging, rows->job->options->layer_bytes, pairs, count,
                                   &cost[i], error)
                   : SERVET_EUNMEASURED;
    }
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++)
        layers->layer[i].cost = cost[i];
    free(slow);
    (void)srv_forgive(&code, SERVET_EUNMEASURED, error);
    return code;
}

/* --- slow links ------------------------------------------------------------------------------- */

enum { VISITS = 5, LINKS_MAX = 16 };

typedef struct search {
    srv_room room;
    const srv_node_rows *rows;
    const servet_matrix *all;
    const servet_layers *layers;
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
    const srv_node_rows *rows = on->rows;
    srv_messaging messaging = srv_network_job_messaging(rows->job, true);
    srv_rank_pair pair = {rows->rank[on->row[things[0]]], rows->rank[on->row[things[1]]]};
    double cost = 0;
    return probe(&messaging, rows->job->options->layer_bytes, pair, 1, &cost, seconds, error);
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
    (void)srv_forgive(&code, SERVET_EUNMEASURED, error);
    return code;
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
            on->work[count++] = on->rows->node[on->row[i]];
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
    for (int i = 0; i < on->count; i++)
        on->unit[i] = group[on->row[i]];
    return srv_components_renumber(on->unit, on->count, on->work);
}

/* Switches of switches first: a slow link of theirs is in the messages of all below. */
static int search_all(search *on, servet_error *error)
{
    const servet_layers *layers = on->layers;
    const servet_matrix *all = on->all;
    int code = SERVET_OK;
    for (size_t i = 0; i < all->n; i++)
        if (!srv_network_is_slow(on->rows->job->profile, on->rows->node[i]))
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
               ? srv_store(SRV_JOB(on->rows->job), on->found, sizeof *on->found, on->found_count,
                           error, "network.slow_links")
               : code;
}

int srv_network_find_links(const srv_node_rows *rows, const servet_matrix *matrix,
                           const servet_layers *layers, servet_error *error)
{
    size_t n = matrix->n;
    search on = {.rows = rows, .all = matrix, .layers = layers};
    on.row = srv_room_take(&on.room, n, sizeof *on.row);
    on.unit = srv_room_take(&on.room, n, sizeof *on.unit);
    on.work = srv_room_take(&on.room, n, sizeof *on.work);
    on.named = srv_room_take(&on.room, n * n, sizeof *on.named);
    on.matrix.cost = srv_room_take(&on.room, n * n, sizeof(double));
    int code = on.room.failed ? srv_fail_memory(error) : search_all(&on, error);
    srv_room_free(&on.room);
    return code;
}
