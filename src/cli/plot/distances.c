/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the time of a line transfer between cores; the cores of a group are side by side. */
#include "cli/plot/plots.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/human.h"
#include "core/ranges.h"
#include "core/text.h"
#include "servet/node.h"

/* --- the order -------------------------------------------------------------------------------- */

/* A core, with the number of its group in each layer, the last layer first. */
typedef struct member {
    int core, group[SERVET_LAYERS_MAX];
} member;

static int compare(const void *a, const void *b)
{
    const member *first = a, *second = b;
    for (int i = 0; i < SERVET_LAYERS_MAX; i++)
        if (first->group[i] != second->group[i])
            return first->group[i] < second->group[i] ? -1 : 1;
    return (first->core > second->core) - (first->core < second->core);
}

static void find_groups(const plot_source *source, int layers, member *of)
{
    servet_at at = source->at;
    at.core = of->core;
    for (int i = 0; i < layers && i < SERVET_LAYERS_MAX; i++)
        if (servet_distance_group_of(source->profile, &at, layers - i, &of->group[i]) != SERVET_OK)
            of->group[i] = INT_MAX;
}

/* Lists, in order, the cores of the ranges "0-3,8" that have a distance to any other core; NULL
 * without memory. */
static member *find_members(const plot_source *source, const char *ranges, int layers, int *count)
{
    enum { ROOM = 4096 };
    member *members = calloc(ROOM, sizeof *members);
    *count = 0;
    for (int core, last; members && srv_ranges_next(&ranges, &core, &last);)
        for (; core <= last && *count < ROOM; core++) {
            member *added = &members[*count];
            *added = (member){.core = core};
            find_groups(source, layers, added);
            *count += added->group[0] != INT_MAX;
        }
    if (members)
        qsort(members, (size_t)*count, sizeof *members, compare);
    return members;
}

/* --- the numbers ------------------------------------------------------------------------------ */

/* Returns the latency of the layer of the pair. */
static double layer_ns(const plot_source *source, int core, int other)
{
    servet_at at = source->at;
    servet_distance_layer layer;
    int number;
    at.core = core;
    if (core == other ||
        servet_distance_layer_of(source->profile, &at, other, &number) != SERVET_OK ||
        servet_distance_layer_get(source->profile, &at, number, &layer) != SERVET_OK ||
        !servet_value_known(&layer.latency))
        return NAN;
    return layer.latency.value * HUMAN_NS;
}

/* Reads the numbers of the cores in the comment of distance.csv, "... Cores: 0 1 2"; returns how
 * many there are. */
static int read_cores(const char *path, int cores[], int room)
{
    static const char before[] = "Cores: ";
    int count = 0, length;
    FILE *from;
    char word[32];
    if (srv_text_open(path, &from, NULL) != SERVET_OK)
        return 0;
    while (fscanf(from, "%31s%n", word, &length) == 1 && strcmp(word, "Cores:") != 0)
        if (ftell(from) > (long)sizeof before * 64)
            break;
    while (count < room && fscanf(from, "%*[ ]%d", &cores[count]) == 1)
        count++;
    fclose(from);
    return count;
}

static int index_of(const int cores[], int count, int core)
{
    for (int i = 0; i < count; i++)
        if (cores[i] == core)
            return i;
    return -1;
}

/* Replaces the layers' numbers by measured ones; false if there are none. */
static bool fill_measured(const plot_source *source, figure_map *map)
{
    enum { ROOM = 4096 };
    char path[SERVET_ERROR_FILE_MAX];
    servet_matrix matrix = SERVET_MATRIX_INIT;
    plot_raw_path(source, "distance.csv", path);
    int *cores = malloc(ROOM * sizeof *cores);
    int count = cores ? read_cores(path, cores, ROOM) : 0;
    bool fits = count > 0 && servet_matrix_read(path, &matrix, NULL) == SERVET_OK &&
                matrix.n == (size_t)count;
    for (int i = 0; fits && i < map->n * map->n; i++) {
        int from = index_of(cores, count, map->core[i / map->n]);
        int to = index_of(cores, count, map->core[i % map->n]);
        if (from < 0 || to < 0 || from == to)
            continue;
        double ns = matrix.cost[from * count + to];
        map->cost[i] = ns > 0 ? ns : NAN;
    }
    servet_matrix_free(&matrix);
    free(cores);
    return fits;
}

static int fill(const plot_source *source, const member *members, int n, figure_map *map)
{
    map->n = n;
    map->unit = "ns";
    map->core = malloc((size_t)n * sizeof *map->core + 1);
    map->group = malloc((size_t)n * sizeof *map->group + 1);
    map->cost = malloc((size_t)n * (size_t)n * sizeof *map->cost + 1);
    if (!map->core || !map->group || !map->cost)
        return SERVET_EMEMORY;
    for (int i = 0, group = 0; i < n; i++) {
        for (int k = 0; i > 0 && k < SERVET_LAYERS_MAX; k++)
            if (members[i].group[k] != members[i - 1].group[k]) {
                group++;
                break;
            }
        map->core[i] = members[i].core;
        map->group[i] = group;
    }
    for (int i = 0; i < n * n; i++)
        map->cost[i] = layer_ns(source, map->core[i / n], map->core[i % n]);
    return SERVET_OK;
}

static void note_layers(const plot_source *source, int layers, figure *into)
{
    servet_distance_layer layer;
    char key[SERVET_NAME_MAX], what[32];
    for (int i = 1; i <= layers; i++) {
        if (servet_distance_layer_get(source->profile, &source->at, i, &layer) != SERVET_OK ||
            !servet_value_known(&layer.latency))
            continue;
        figure_add_note(into, "Layer %d: %s ns.", i, HUMAN(layer.latency.value * HUMAN_NS, 3));
        snprintf(key, sizeof key, "distance.layers.%d.latency_ns", i);
        snprintf(what, sizeof what, "distance layer %d", i);
        plot_note_doubt(source, &source->at, key, what, into);
    }
}

int plot_distances(const plot_source *source, figure *into, servet_error *error)
{
    /* With more cores, single measured cells cannot be seen any more. */
    enum { MEASURED_MAX = 128 };
    char subject[FIGURE_TITLE_MAX];
    servet_machine machine;
    int layers, n;
    if (servet_distance_layer_count(source->profile, &source->at, &layers) != SERVET_OK ||
        layers == 0 || servet_profile_machine(source->profile, &source->at, &machine) != SERVET_OK)
        return srv_fail(error, SERVET_EUNMEASURED, "distances between cores were not measured");
    member *members = find_members(source, machine.cores, layers, &n);
    into->form = FIGURE_MAP;
    plot_subject(source, false, subject);
    figure_set_title(into, "A line from core to core: %s", subject);
    int code = members ? fill(source, members, n, &into->map) : SERVET_EMEMORY;
    free(members);
    if (code == SERVET_OK && n == 0)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "the distances are between cores that the machine of the "
                        "profile does not have");
    if (code != SERVET_OK)
        return srv_fail_memory(error);
    if (n <= MEASURED_MAX && fill_measured(source, &into->map))
        figure_add_note(into, "Each pair as measured; the core of the row reads.");
    else
        figure_add_note(into, "Each pair by the layer that it belongs to.");
    note_layers(source, layers, into);
    return SERVET_OK;
}
