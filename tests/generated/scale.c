/* SPDX-License-Identifier: BSD-3-Clause */
/* Large clusters: `generated-scale [--quick] [NAME]` measures the communication of each on its
 * model, and compares layers, ratDist and ratNC with what its own routes and max-min shares give.
 * Writes a row of share/doc/dev/accuracy.md for each; fails where one is wrong, or takes too long.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "sim/messages.h"
#include "network_cost.h"
#include "run/network/network.h"
#include "servet/record.h"
#include "servet/record.h"

static const double RING_BYTES = 32 << 20, LAYER_BYTES = 32768;

/* Errors that a user does not notice, and how long a measurement may take. */
static const double LATENCY = 0.1, RATIO = 0.1, CLOCK_SECONDS = 1800;

/* Interfaces and links of 25 GB/s; 1.3 us between nodes, 0.4 us a switch more. */
static const network_layer within = {2, 1, {{0, 0.5, 10e9}}}, between = {0, 1, {{0, 1.3, 25e9}}};

typedef struct cluster {
    const char *name;
    bool quick;
    network_kind kind;
    int dimensions[NETWORK_DIMENSIONS_MAX], dimension_count;
    /* between nodes; of each but the last the number of groups; a gradient of costs hides more */
    int least_layers, most_layers, groups[NETWORK_DIMENSIONS_MAX];
} cluster;

static const cluster clusters[] = {
    {"tree-2-1000", false, NETWORK_TREE, {40, 25}, 2, 2, 2, {25}},
    {"tree-3-216", true, NETWORK_TREE, {6, 6, 6}, 3, 3, 3, {36, 6}},
    {"torus-216", true, NETWORK_TORUS, {6, 6, 6}, 3, 1, 1, {0}},
    {"tree-3-512", false, NETWORK_TREE, {8, 8, 8}, 3, 3, 3, {64, 8}},
    {"torus-512", false, NETWORK_TORUS, {8, 8, 8}, 3, 1, 1, {0}},
    {"tree-3-1000", false, NETWORK_TREE, {10, 10, 10}, 3, 3, 3, {100, 10}},
    {"torus-1000", false, NETWORK_TORUS, {10, 10, 10}, 3, 1, 1, {0}},
    {"dragonfly-1056", false, NETWORK_DRAGONFLY, {4, 8, 33}, 3, 2, 3, {264}},
    {"tree-2-10000", false, NETWORK_TREE, {100, 100}, 2, 2, 2, {100}},
    {"tree-3-10000", false, NETWORK_TREE, {25, 20, 20}, 3, 3, 3, {400, 20}},
    {"torus-10000", false, NETWORK_TORUS, {20, 25, 20}, 3, 1, 1, {0}},
    {"dragonfly-10000", false, NETWORK_DRAGONFLY, {4, 50, 50}, 3, 2, 3, {2500}},
};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

static network make(const cluster *of)
{
    network made = {.kind = of->kind,
                    .cores = 2,
                    .nodes = 1,
                    .dimension_count = of->dimension_count,
                    .link_rate = 25e9,
                    .nic_rate = 25e9,
                    .hop_us = 0.4,
                    .layers = 2,
                    .layer = {within, between},
                    .sick = {-1, 0, 1, 1},
                    .worn = {-1, 0, 1, 1},
                    .noise = {.jitter = 0.02, .outlier_factor = 1}};
    for (int d = 0; d < of->dimension_count; d++) {
        made.dimensions[d] = of->dimensions[d];
        made.oversubscription[d] = d + 1 < of->dimension_count ? 2 : 1;
        made.nodes *= of->dimensions[d];
    }
    made.job_nodes = made.nodes;
    for (int i = 0; i < made.nodes; i++)
        made.place[i] = i;
    return made;
}

/* --- comparing -------------------------------------------------------------------------------- */

typedef struct verdict {
    const cluster *of;
    network *made;
    const servet_profile *profile;
    int distances; /* ratios that were measured */
    int measured;  /* nodes */
    int wrong, between;
    double latency, distance, access; /* largest relative errors */
} verdict;

static void complain(verdict *on, const char *what, double said, double right)
{
    fprintf(stderr, "%s: %s is %g, not %g\n", on->of->name, what, said, right);
    on->wrong++;
}

static double error_of(double said, double right)
{
    return fabs(said / right - 1);
}

/* The range of what messages of a pair cost that the layer, and none before, joins. */
static void range_of(const verdict *on, int number, double *least, double *most)
{
    int below = 1, unit = 1, nodes = on->made->nodes;
    for (int d = 0; d < number && d < on->of->dimension_count; d++)
        below *= on->of->dimensions[d];
    unit = on->of->groups[number] > 0 ? nodes / on->of->groups[number] : nodes;
    *least = INFINITY;
    *most = 0;
    for (int to = below; to < unit; to++) {
        double seconds = network_seconds(on->made, 0, to, LAYER_BYTES, true);
        *least = fmin(*least, seconds);
        *most = fmax(*most, seconds);
    }
}

static void compare_layer(verdict *on, int index, const servet_network_layer *layer)
{
    double least, most, said = layer->latency.value;
    int number = on->between++, groups = 0;
    (void)servet_network_group_count(on->profile, index, &groups);
    range_of(on, number, &least, &most);
    double error = said < least ? 1 - said / least : said > most ? said / most - 1 : 0;
    on->latency = fmax(on->latency, error);
    if (error > LATENCY && layer->latency.trusted)
        complain(on, "latency", said, least);
    if (on->of->groups[number] > 0 && on->measured == on->made->nodes &&
        groups != on->of->groups[number])
        complain(on, "number of groups", groups, on->of->groups[number]);
}

static void compare_layers(verdict *on)
{
    servet_network_layer layer;
    for (int i = 1; servet_network_layer_get(on->profile, i, &layer) == SERVET_OK; i++)
        if (layer.between_nodes)
            compare_layer(on, i, &layer);
    if (on->between < on->of->least_layers || on->between > on->of->most_layers)
        complain(on, "number of layers", on->between, on->of->least_layers);
}

static double ring_seconds(const verdict *on, int nodes, int processes, int distance)
{
    network_ring ring = {on->made->place, nodes, processes, distance, RING_BYTES, NULL};
    return network_ring_seconds(on->made, &ring);
}

/* Returns the largest relative error; `*count` ratios were measured. */
static double compare_ratios(verdict *on, servet_degradation degradation, int *count)
{
    double worst = 0, first = NAN;
    bool access = degradation == SERVET_DEGRADATION_ACCESS;
    servet_ratios about = {.largest = 0};
    servet_ratio ratio;
    *count = 0;
    (void)servet_network_ratios(on->profile, degradation, &about);
    for (int at = 1; at <= about.largest; at++) {
        if (servet_network_ratio(on->profile, degradation, at, &ratio) != SERVET_OK ||
            ratio.ratio.method == SERVET_METHOD_INTERPOLATED)
            continue;
        double seconds =
            access ? ring_seconds(on, ratio.nodes, at, 1) : ring_seconds(on, ratio.nodes, 1, at);
        first = at == 1 ? seconds : first;
        double error = error_of(ratio.ratio.value, seconds / first);
        worst = fmax(worst, error);
        if (error > RATIO && ratio.ratio.trusted)
            complain(on, access ? "ratNC" : "ratDist", ratio.ratio.value, seconds / first);
        ++*count;
    }
    if (*count == 0)
        complain(on, access ? "number of ratNC" : "number of ratDist", 0, 1);
    return worst;
}

/* --- measuring -------------------------------------------------------------------------------- */

static int write_model(network *made, const char *path)
{
    json_t *model = network_model(made, 0);
    int code = json_dump_file(model, path, 0);
    json_decref(model);
    return code;
}

static double stored_kib(const servet_profile *profile)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        (void)servet_profile_dump(profile, stream, NULL);
        fclose(stream);
    }
    free(text);
    return (double)size / 1024;
}

static void print_row(const verdict *on, double clock, double kib)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("| %s | %d | %d of %d | %.1f %% | %.1f %% (%d) | %.1f %% | %.0f s | %.0f s | %.0f MiB | "
           "%.0f KiB |\n",
           on->of->name, on->between, on->measured, on->made->nodes, 100 * on->latency,
           100 * on->distance, on->distances, 100 * on->access, clock, (double)used.ru_utime.tv_sec,
           (double)used.ru_maxrss / 1024, kib);
}

static int compare(const cluster *of, network *made, srv_network *on, servet_error *error)
{
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    servet_network about = {.nodes = 0};
    servet_profile *profile;
    int count, code = servet_profile_create(&profile, error);
    if (code != SERVET_OK)
        return code;
    code = srv_measure_network(on, &options, profile, error);
    (void)servet_network_get(profile, &about);
    verdict found = {.of = of, .made = made, .profile = profile, .measured = about.nodes_asked};
    double clock = on->ops->elapsed(on);
    if (code == SERVET_OK) {
        compare_layers(&found);
        found.distance = compare_ratios(&found, SERVET_DEGRADATION_DISTANCE, &found.distances);
        found.access = compare_ratios(&found, SERVET_DEGRADATION_ACCESS, &count);
        if (clock > CLOCK_SECONDS)
            complain(&found, "clock", clock, CLOCK_SECONDS);
        print_row(&found, clock, stored_kib(profile));
    }
    servet_profile_close(profile);
    return code != SERVET_OK ? code : found.wrong;
}

static int measure(const cluster *of)
{
    char path[] = "/tmp/scale-XXXXXX";
    static network made;
    servet_error error = SERVET_ERROR_INIT;
    srv_network *on;
    int file = mkstemp(path), wrong = 1;
    made = make(of);
    srv_rank *ranks = network_ranks(&made);
    int code = file >= 0 && ranks && write_model(&made, path) == 0
                   ? srv_messages_create(&on, path, ranks, made.nodes * made.cores, &error)
                   : srv_fail_memory(&error);
    if (code == SERVET_OK) {
        wrong = compare(of, &made, on, &error);
        srv_network_destroy(on);
    }
    if (error.text[0])
        fprintf(stderr, "%s: %s\n", of->name, error.text);
    if (file >= 0)
        (void)close(file);
    (void)unlink(path);
    free(ranks);
    return wrong;
}

/* In a process of its own: the memory is that of one measurement. */
static bool is_right(const cluster *of)
{
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(measure(of) != 0);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool quick = strcmp(name, "--quick") == 0, right = true;
    printf("| cluster | layers between nodes | nodes measured | latency | ratDist (distances) | "
           "ratNC | clock | real | memory | profile |\n");
    printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < CLUSTERS; i++)
        if (quick || !*name ? clusters[i].quick == quick : strcmp(name, clusters[i].name) == 0)
            right = is_right(&clusters[i]) && right;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
