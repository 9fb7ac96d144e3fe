/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers between nodes: one rank represents each node. */
#include "facts/layers/stage_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/layers/benchmark.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/stage_found.h"
#include "stats/sample.h"

/* A matrix of so many nodes takes 128 MiB, twice. */
enum { NODES_ASKED_MAX = 4096 };

/* Of a node's number, with a comma or the end. */
enum { DIGITS_MAX = 12 };

/*
 * A switch more on the way takes some tenths of a microsecond, whatever the message. Of one that
 * fills the L1 that is a few percent, less than layers have to differ by; of the shortest ones a
 * fifth and more.
 */
static const double SHORT_BYTES = 8;

/* Share of the time for messages of the layers' size: short ones are measured only if these show no
 * structure. */
static const double LAYER_SHARE = 0.6;

/* Layers of switches show in a sample of nodes, too; all of a large tree, where many pairs go at
 * once, take less. */
static const double SWEEP_SECONDS = 120;

/* Noise and the places of nodes in a network make their fastest messages less unlike than this. */
static const double SLOW = 1.5;

typedef struct between {
    srv_network_job *job;
    int count;          /* of measured nodes */
    int *node, *rank;   /* which they are, ascending; the first rank of each */
    srv_core_at *cores; /* of a group */
    servet_matrix matrix;
    servet_layers layers;
} between;

/* Which nodes the rows of a matrix are: "nodes 0-9,14-23". */
static int save(const between *on, const char *file, double bytes, const servet_matrix *matrix,
                servet_error *error)
{
    static const char what[] = "nodes ";
    size_t before = strlen(what), size = before + (size_t)on->count * DIGITS_MAX;
    char *rows = malloc(size);
    if (!rows)
        return srv_fail_memory(error);
    strcpy(rows, what);
    (void)srv_ranges_write(on->node, on->count, rows + before, size - before);
    int code = srv_network_save_matrix(on->job, file, rows, bytes, matrix, error);
    free(rows);
    return code;
}

/* --- probes ----------------------------------------------------------------------------------- */

static srv_pairwise_plan plan_of(const between *on, srv_network_job *part, double bytes)
{
    return (srv_pairwise_plan){.messaging = srv_network_job_messaging(part),
                               .ranks = on->rank,
                               .count = on->count,
                               .copies = 1,
                               .bytes = bytes,
                               .sweep_seconds = SWEEP_SECONDS};
}

/* Of all nodes those remain that there was time for. */
static int ask(between *on, servet_error *error)
{
    srv_network_job *job = on->job, part = srv_network_job_part(job, 0, LAYER_SHARE);
    srv_pairwise_plan plan = plan_of(on, &part, job->options->layer_bytes);
    srv_pairwise_latencies found;
    int code = srv_bench_pairwise(&plan, &found, error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < found.count; i++) {
        on->node[i] = on->node[found.things[i]];
        on->rank[i] = on->rank[found.things[i]];
    }
    on->count = job->facts->nodes_asked = found.count;
    on->matrix = (servet_matrix){
        .n = (size_t)found.count, .cost = found.seconds, .unit = SERVET_UNIT_SECOND};
    found.seconds = NULL;
    srv_pairwise_finish(&found);
    return save(on, "layers-nodes.csv", job->options->layer_bytes, &on->matrix, error);
}

/* --- nodes unlike others ---------------------------------------------------------------------- */

/* What a node pays on its fastest way: no cable or switch of a single way is in it. */
static double fastest(const servet_matrix *matrix, size_t node)
{
    double least = INFINITY;
    for (size_t other = 0; other < matrix->n; other++)
        if (other != node)
            least = fmin(least, srv_pair_cost(matrix, node, other));
    return least;
}

/* Of two nodes nobody can tell which one is slow. */
static int find_slow_node(const between *on, servet_error *error)
{
    srv_network_facts *facts = on->job->facts;
    double *cost = calloc((size_t)on->count, sizeof *cost), most = 0;
    facts->slow_factor = 0;
    if (!cost)
        return srv_fail_memory(error);
    for (int i = 0; i < on->count; i++) {
        cost[i] = fastest(&on->matrix, (size_t)i);
        facts->slow_node = cost[i] > most ? on->node[i] : facts->slow_node;
        most = fmax(most, cost[i]);
    }
    double factor = most / srv_spread_of(cost, (size_t)on->count).median;
    facts->slow_factor = on->count > 2 && factor > SLOW ? factor : 0;
    free(cost);
    return SERVET_OK;
}

/* --- what short messages tell ----------------------------------------------------------------- */

/* Gives the layers of short messages the costs of messages of the layers' size; `*differ`: each
 * costs more than the previous one, too. */
static int fill_in_costs(const between *on, servet_layers *layers, bool *differ,
                         servet_error *error)
{
    const int *before = NULL;
    int code = SERVET_OK;
    *differ = true;
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++) {
        servet_layer *layer = &layers->layer[i];
        code = srv_layer_cost(&on->matrix, before, layer, error);
        *differ =
            *differ && layer->cost.samples > 0 && (i == 0 || layer->cost.low > layer[-1].cost.high);
        before = layer->group;
    }
    return code;
}

/* Where short messages tell nothing apart either, they may make one layer less certain. */
static int analyze_short(between *on, const srv_pairwise_latencies *found, servet_error *error)
{
    servet_matrix matrix = {
        .n = (size_t)found->count, .cost = found->seconds, .unit = SERVET_UNIT_SECOND};
    servet_layers layers = {0};
    bool differ = false;
    int code = save(on, "layers-nodes-short.csv", SHORT_BYTES, &matrix, error);
    if (code == SERVET_OK)
        code = servet_analyze_layers(&matrix, &layers, error);
    if (code == SERVET_OK && layers.layer_count > 1)
        code = fill_in_costs(on, &layers, &differ, error);
    if (code == SERVET_OK && differ) {
        servet_layers_free(&on->layers);
        on->layers = layers;
        return SERVET_OK;
    }
    if (code == SERVET_OK && layers.layer_count == 1)
        on->layers.layer[0].confidence =
            fmin(on->layers.layer[0].confidence, layers.layer[0].confidence);
    servet_layers_free(&layers);
    return code;
}

/* All nodes again, or none. */
static int ask_short(between *on, servet_error *error)
{
    srv_network_job part = srv_network_job_part(on->job, LAYER_SHARE, 1);
    srv_pairwise_plan plan = plan_of(on, &part, SHORT_BYTES);
    srv_pairwise_latencies found;
    int code = srv_bench_pairwise(&plan, &found, error);
    if (code == SERVET_OK && found.count == on->count)
        code = analyze_short(on, &found, error);
    srv_pairwise_finish(&found);
    return code;
}

/* --- telling ---------------------------------------------------------------------------------- */

/* All cores of the nodes of a group. */
static int add_groups(void *context, const int *group, int count, srv_sets *groups,
                      servet_error *error)
{
    const between *on = context;
    const srv_network_job *job = on->job;
    int code = SERVET_OK;
    for (int number = 0; number < count && code == SERVET_OK; number++) {
        int n = 0;
        for (int k = 0; k < on->count; k++) {
            int node = on->node[k];
            for (int i = job->first[node]; group[k] == number && i < job->first[node + 1]; i++)
                on->cores[n++] = (srv_core_at){node, job->ranks[job->of_node[i]].core};
        }
        code = srv_network_add_group(groups, on->cores, n, error);
    }
    return code;
}

static int measure(between *on, servet_error *error)
{
    srv_found found = {&on->matrix, &on->layers, true, on->rank, add_groups, on};
    int code = ask(on, error);
    if (code == SERVET_OK)
        code = find_slow_node(on, error);
    if (code == SERVET_OK)
        code = servet_analyze_layers(&on->matrix, &on->layers, error);
    if (code == SERVET_OK && on->layers.layer_count == 1 && on->count > 2 &&
        on->job->options->layer_bytes > SHORT_BYTES)
        code = ask_short(on, error);
    return code == SERVET_OK ? srv_network_add_layers(on->job, &found, error) : code;
}

static void list_nodes(between *on)
{
    const srv_network_job *job = on->job;
    srv_sample_runs(job->node_count, on->count, on->node);
    for (int i = 0; i < on->count; i++)
        on->rank[i] = job->of_node[job->first[on->node[i]]];
}

int srv_network_layers_of_nodes(srv_network_job *job, servet_error *error)
{
    between on = {.job = job};
    on.count = job->node_count < NODES_ASKED_MAX ? job->node_count : NODES_ASKED_MAX;
    job->facts->nodes_asked = 0;
    if (on.count < 2)
        return SERVET_OK;
    on.node = calloc((size_t)on.count, sizeof *on.node);
    on.rank = calloc((size_t)on.count, sizeof *on.rank);
    on.cores = calloc((size_t)job->rank_count, sizeof *on.cores);
    bool allocated = on.node && on.rank && on.cores;
    if (allocated)
        list_nodes(&on);
    int code = allocated ? measure(&on, error) : srv_fail_memory(error);
    free(on.node);
    free(on.rank);
    free(on.cores);
    servet_matrix_free(&on.matrix);
    servet_layers_free(&on.layers);
    return code;
}
