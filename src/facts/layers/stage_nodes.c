/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers between nodes: one rank represents each node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/room.h"
#include "facts/layers/benchmark.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/detect_links.h"
#include "facts/layers/detect_split.h"
#include "facts/layers/detect_torus.h"
#include "facts/layers/stage_parts.h"
#include "facts/store.h"
#include "profile/trust.h"
#include "stats/components.h"
#include "stats/round_robin.h"

/* Largest number of nodes: their matrix takes 128 MiB, twice. */
enum { NODES_PROBED_MAX = 4096 };

/* Digits of a node's number, with a comma or the end. */
enum { DIGITS_MAX = 12 };

/* A switch more on the way takes some tenths of a microsecond, whatever the message. Of one that
 * fills the L1 that is a few percent, less than layers have to differ by; of the shortest ones a
 * fifth and more. */
static const double SHORT_BYTES = 8;

/* Share of the time for messages of the layers' size; short ones are for doubtful layers. */
static const double LAYER_SHARE = 0.6;

/* A sample of nodes shows layers of switches, too, where all pairs take longer. */
static const double SWEEP_SECONDS = 120;

typedef struct between {
    srv_room room;
    srv_network_job *job;
    srv_layer_list *list;
    int count;          /* of measured nodes */
    int *node, *rank;   /* which they are, ascending; the first rank of each */
    srv_core_at *cores; /* of a group */
    servet_matrix matrix;
    servet_layers layers;
} between;

/* Saves the matrix with the names of its rows: "nodes 0-9,14-23". */
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

static srv_pairwise_plan plan_of(const between *on, srv_network_job *part, double bytes)
{
    return (srv_pairwise_plan){.messaging = srv_network_job_messaging(part, true),
                               .ranks = on->rank,
                               .count = on->count,
                               .copies = 1,
                               .bytes = bytes,
                               .sweep_seconds = SWEEP_SECONDS};
}

static int describe(const between *on, servet_error *error)
{
    servet_network about = {.nodes = 0};
    (void)servet_network_get(on->job->profile, &about);
    about.nodes_asked = on->count;
    about.message_bytes = on->job->options->layer_bytes;
    return srv_network_job_describe(on->job, &about, error);
}

/* Measures all nodes; those for which there was time remain, if any. */
static int probe(between *on, servet_error *error)
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
    on->count = found.count;
    on->matrix = (servet_matrix){
        .n = (size_t)found.count, .cost = found.seconds, .unit = SERVET_UNIT_SECOND};
    found.seconds = NULL;
    srv_pairwise_finish(&found);
    code = describe(on, error);
    if (code != SERVET_OK || on->count < 2)
        return code;
    return save(on, "layers-nodes.csv", job->options->layer_bytes, &on->matrix, error);
}

/* --- nodes unlike others ---------------------------------------------------------------------- */

/* With two nodes it is unknown which one is slow; nothing is stored if all are alike, or if as many
 * are slow as not: these are two kinds of nodes, which layers show. */
static int rate_nodes(const between *on, servet_error *error)
{
    int nodes = on->job->node_count, slow = 0;
    size_t n = on->matrix.n;
    srv_paces found = {0};
    servet_value *slowness = calloc((size_t)nodes, sizeof *slowness);
    int code = slowness && (n < 3 || srv_paces_find(&on->matrix, &found)) ? SERVET_OK
                                                                          : srv_fail_memory(error);
    for (int node = 0; node < nodes && code == SERVET_OK; node++)
        slowness[node] = servet_value_unknown(SERVET_UNIT_NONE);
    for (size_t i = 0; i < n && n > 2 && code == SERVET_OK; i++) {
        slowness[on->node[i]] = srv_network_rounded(srv_slowness_of(&found, i, n));
        slow += slowness[on->node[i]].value >= SERVET_SLOW_NODE;
    }
    bool is_minority = slow > 0 && 2 * slow < (int)n;
    if (code == SERVET_OK)
        code = srv_store(SRV_JOB(on->job), slowness, sizeof *slowness, is_minority ? nodes : 0,
                         error, "network.slowness");
    srv_paces_finish(&found);
    free(slowness);
    return code;
}

static bool is_slow(const between *on, int row)
{
    return srv_network_is_slow(on->job->profile, on->node[row]);
}

/* Messages of slow nodes become as fast as if their fastest ones were like those of others. */
static bool make_sound(const between *on, const servet_matrix *matrix, double *costs)
{
    srv_paces found = {0};
    int n = (int)matrix->n;
    bool allocated = srv_paces_find(matrix, &found);
    for (int i = 0; i < n && allocated; i++) {
        double factor = fmax(1, found.fastest[i] / found.usual);
        for (int j = 0; j < n && is_slow(on, i); j++)
            if (i != j) {
                costs[i * n + j] /= factor;
                costs[j * n + i] /= factor;
            }
    }
    srv_paces_finish(&found);
    return allocated;
}

/* Costs of the pairs of a group, and with the other nodes that the next layer joins it with. */
typedef struct nearness {
    double inside, across; /* sums */
    int pairs_inside, pairs_across;
} nearness;

static void add_pairs(const servet_matrix *matrix, const int *group, const int *next, nearness *of)
{
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = 0; j < matrix->n; j++) {
            double cost = i == j || next[i] != next[j] ? NAN : srv_pair_cost(matrix, i, j);
            bool inside = group[i] == group[j];
            if (isnan(cost))
                continue;
            *(inside ? &of[group[i]].inside : &of[group[i]].across) += cost;
            *(inside ? &of[group[i]].pairs_inside : &of[group[i]].pairs_across) += 1;
        }
}

/* Layers of messages cost at least so much more than the ones before also where pairs are alone,
 * and a group's pairs with others than those inside; less is what pairs that share an uplink did to
 * each other. */
static const double APART = 1 + SRV_STEP_LEAST;

/* Leaves a group's nodes in the groups that they had before, or alone, and numbers all again.
 * `*any`: there was such a group. `work` has room for 2 * n. */
static void dissolve(const nearness *of, size_t n, const int *before, int *group, int *work,
                     bool *any)
{
    for (size_t i = 0; i < n; i++) {
        double inside = of[group[i]].inside / of[group[i]].pairs_inside,
               across = of[group[i]].across / of[group[i]].pairs_across;
        bool stays = of[group[i]].pairs_inside == 0 || of[group[i]].pairs_across == 0 ||
                     across > APART * inside;
        *any = *any || !stays;
        work[i] = stays ? group[i] : (int)n + (before ? before[i] : (int)i);
    }
    memcpy(group, work, n * sizeof *group);
    (void)srv_components_renumber(group, (int)n, work);
}

/* Returns true if groups join nodes that the groups of the layer before do not. */
static bool joins_any(const int *group, const int *before, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (srv_joins(group, before, i, j))
                return true;
    return false;
}

static void remove_layer(servet_layers *layers, int number)
{
    free(layers->layer[number].group);
    layers->layer_count--;
    for (int k = number; k < layers->layer_count; k++)
        layers->layer[k] = layers->layer[k + 1];
    layers->layer[layers->layer_count] = (servet_layer){.group = NULL};
}

/* Nodes with slow cables look as if they were a group: the slower of two cables sets the pace, so
 * that messages to others take as long as those among them, and more than those among others. */
static int leave_near(const servet_matrix *matrix, servet_layers *layers, servet_error *error)
{
    size_t n = matrix->n;
    nearness *of = calloc(n, sizeof *of);
    int *work = calloc(2 * n, sizeof *work), code = of && work ? SERVET_OK : srv_fail_memory(error);
    bool any = false;
    for (int k = 0; k + 1 < layers->layer_count && code == SERVET_OK; k++) {
        int *group = layers->layer[k].group;
        const int *before = k > 0 ? layers->layer[k - 1].group : NULL;
        memset(of, 0, n * sizeof *of);
        add_pairs(matrix, group, layers->layer[k + 1].group, of);
        dissolve(of, n, before, group, work, &any);
        if (!joins_any(group, before, n))
            remove_layer(layers, k--);
    }
    for (int k = 0; k < layers->layer_count && any && code == SERVET_OK; k++)
        code = srv_layer_cost(matrix, k > 0 ? layers->layer[k - 1].group : NULL, &layers->layer[k],
                              error);
    free(of);
    free(work);
    return code;
}

static int find_layers(const servet_matrix *matrix, servet_layers *layers, servet_error *error)
{
    int code = servet_analyze_layers(matrix, layers, error);
    return code == SERVET_OK ? leave_near(matrix, layers, error) : code;
}

/* Layers as if no node were slow: its cost would hide who is on its switch. */
static int analyze(const between *on, const servet_matrix *matrix, servet_layers *layers,
                   servet_error *error)
{
    size_t bytes = matrix->n * matrix->n * sizeof(double);
    servet_matrix sound = *matrix;
    int slow = 0;
    while (slow < on->count && !is_slow(on, slow))
        slow++;
    if (slow == on->count)
        return find_layers(matrix, layers, error);
    sound.cost = malloc(bytes);
    if (!sound.cost)
        return srv_fail_memory(error);
    memcpy(sound.cost, matrix->cost, bytes);
    int code = make_sound(on, matrix, sound.cost) ? find_layers(&sound, layers, error)
                                                  : srv_fail_memory(error);
    free(sound.cost);
    return code;
}

static int measure_alone(const between *on, servet_layers *layers, servet_error *error)
{
    const srv_node_rows rows = {on->job, on->node, on->rank};
    return layers->layer_count > 1 ? srv_network_measure_alone(&rows, layers, error) : SERVET_OK;
}

static int join_layers(between *on, servet_error *error)
{
    servet_layers *layers = &on->layers;
    for (int i = 0; i + 1 < layers->layer_count; i++)
        free(layers->layer[i].group);
    layers->layer[0] = layers->layer[layers->layer_count - 1];
    layers->layer_count = 1;
    return srv_layer_cost(&on->matrix, NULL, &layers->layer[0], error);
}

static int confirm(between *on, servet_error *error)
{
    const servet_layers *layers = &on->layers;
    bool apart = true;
    int code = measure_alone(on, &on->layers, error);
    for (int i = 1; i < layers->layer_count; i++)
        apart = apart && layers->layer[i].cost.value > APART * layers->layer[i - 1].cost.value;
    return code == SERVET_OK && !apart ? join_layers(on, error) : code;
}

/* --- what short messages tell ----------------------------------------------------------------- */

/* Gives layers of short messages the layers' costs; `*differ`: each costs more. */
static int fill_in_costs(between *on, servet_layers *layers, bool *differ, servet_error *error)
{
    const int *before = NULL;
    int code = SERVET_OK;
    *differ = true;
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++) {
        servet_layer *layer = &layers->layer[i];
        code = srv_layer_cost(&on->matrix, before, layer, error);
        *differ = *differ && layer->cost.samples > 0;
        before = layer->group;
    }
    if (code == SERVET_OK)
        code = measure_alone(on, layers, error);
    for (int i = 1; i < layers->layer_count; i++)
        *differ = *differ && layers->layer[i].cost.low > layers->layer[i - 1].cost.high;
    return code;
}

static double least_confidence(const servet_layers *layers)
{
    double least = 1;
    for (int i = 0; i < layers->layer_count; i++)
        least = fmin(least, layers->layer[i].confidence);
    return least;
}

/* The probability that there is but one layer. */
static double confidence_of_one(const servet_layers *layers)
{
    double one = layers->layer[layers->layer_count - 1].confidence;
    for (int i = 0; i + 1 < layers->layer_count; i++)
        one = fmin(one, 1 - layers->layer[i].confidence);
    return one;
}

static bool are_sure(const servet_layers *layers)
{
    return layers->layer_count > 1 && least_confidence(layers) > SRV_CONFIDENCE_LEAST;
}

/* Stores the dimensions of the torus of the nodes that are not slow; none if the times of short
 * messages show none. A torus explains why messages in one layer take unlike times. */
static int store_torus(between *on, const servet_matrix *matrix, servet_error *error)
{
    srv_found_torus found;
    servet_dimension dimensions[SRV_TORUS_DIMENSIONS_MAX];
    int *sound = calloc((size_t)on->count, sizeof *sound);
    if (!sound)
        return srv_fail_memory(error);
    for (int k = 0; k < on->count; k++)
        sound[k] = is_slow(on, k) ? -1 : on->node[k];
    int code = srv_torus_find(matrix, sound, on->job->node_count, &found, error);
    free(sound);
    for (int d = 0; code == SERVET_OK && d < found.torus.count; d++)
        dimensions[d] = (servet_dimension){found.torus.extent[d], srv_network_rounded(found.step)};
    if (code == SERVET_OK && found.torus.count > 0 && on->layers.layer[0].cost.trusted)
        on->layers.layer[0].confidence = 1;
    return code == SERVET_OK ? srv_store(SRV_JOB(on->job), dimensions, sizeof *dimensions,
                                         found.torus.count, error, "network.torus")
                             : code;
}

/* Layers of which short messages are sure count if messages of the layers' size tell them apart. If
 * short messages are not sure of all their layers, they make one layer less certain. */
static int analyze_short(between *on, const srv_pairwise_latencies *found, servet_error *error)
{
    servet_matrix matrix = {
        .n = (size_t)found->count, .cost = found->seconds, .unit = SERVET_UNIT_SECOND};
    servet_layers layers = {0};
    bool differ = false;
    int code = save(on, "layers-nodes-short.csv", SHORT_BYTES, &matrix, error);
    if (code == SERVET_OK)
        code = analyze(on, &matrix, &layers, error);
    if (code == SERVET_OK && are_sure(&layers))
        code = fill_in_costs(on, &layers, &differ, error);
    if (code == SERVET_OK && differ) {
        servet_layers_free(&on->layers);
        on->layers = layers;
        return SERVET_OK;
    }
    if (code == SERVET_OK && on->layers.layer_count == 1 && !are_sure(&layers))
        on->layers.layer[0].confidence =
            fmin(on->layers.layer[0].confidence, confidence_of_one(&layers));
    servet_layers_free(&layers);
    return code == SERVET_OK && on->layers.layer_count == 1 ? store_torus(on, &matrix, error)
                                                            : code;
}

static int probe_short(between *on, servet_error *error)
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
    int code = probe(on, error);
    if (code != SERVET_OK || on->count < 2)
        return code;
    code = rate_nodes(on, error);
    if (code == SERVET_OK)
        code = analyze(on, &on->matrix, &on->layers, error);
    if (code == SERVET_OK)
        code = confirm(on, error);
    if (code == SERVET_OK && !are_sure(&on->layers) && on->count > 2 &&
        on->job->options->layer_bytes > SHORT_BYTES)
        code = probe_short(on, error);
    if (code == SERVET_OK)
        code = srv_network_add_layers(on->job, &found, on->list, error);
    const srv_node_rows rows = {on->job, on->node, on->rank};
    return code == SERVET_OK ? srv_network_find_links(&rows, &on->matrix, &on->layers, error)
                             : code;
}

static void list_nodes(between *on)
{
    const srv_network_job *job = on->job;
    srv_sample_runs(job->node_count, on->count, on->node);
    for (int i = 0; i < on->count; i++)
        on->rank[i] = job->of_node[job->first[on->node[i]]];
}

int srv_network_layers_of_nodes(srv_network_job *job, srv_layer_list *list, servet_error *error)
{
    between on = {.job = job, .list = list};
    on.count = job->node_count < NODES_PROBED_MAX ? job->node_count : NODES_PROBED_MAX;
    if (on.count < 2) {
        on.count = 0;
        return describe(&on, error);
    }
    on.node = srv_room_take(&on.room, (size_t)on.count, sizeof *on.node);
    on.rank = srv_room_take(&on.room, (size_t)on.count, sizeof *on.rank);
    on.cores = srv_room_take(&on.room, (size_t)job->rank_count, sizeof *on.cores);
    if (!on.room.failed)
        list_nodes(&on);
    int code = on.room.failed ? srv_fail_memory(error) : measure(&on, error);
    srv_room_free(&on.room);
    servet_matrix_free(&on.matrix);
    servet_layers_free(&on.layers);
    return code;
}
