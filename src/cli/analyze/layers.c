/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/layers.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/analyze/tables.h"
#include "cli/cli.h"
#include "core/human.h"
#include "servet/analyze.h"

/* Number of groups that are shown to people if a layer has more groups than fit a line. */
enum { GROUPS_SHOWN = 8 };

/* --- pairs without a cost --------------------------------------------------------------------- */

/* The number of pairs without a cost in either direction: the readers refuse costs below
 * SERVET_COST_MIN. */
typedef struct left_out {
    size_t pairs, zero, empty; /* all pairs; pairs with a 0; pairs without a number */
} left_out;

static left_out count_left_out(const servet_matrix *matrix)
{
    left_out count = {matrix->n * (matrix->n - 1) / 2, 0, 0};
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = 0; j < i; j++) {
            double there = matrix->cost[i * matrix->n + j], back = matrix->cost[j * matrix->n + i];
            if (!(there > 0) && !(back > 0))
                ++*(there == 0 || back == 0 ? &count.zero : &count.empty);
        }
    return count;
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *groups_json(const servet_layer *layer, size_t n)
{
    json_t *groups = json_array();
    for (int g = 0; g < layer->group_count; g++)
        json_array_append_new(groups, json_array());
    for (size_t i = 0; i < n; i++)
        json_array_append_new(json_array_get(groups, (size_t)layer->group[i]),
                              json_integer((json_int_t)i));
    return groups;
}

static json_t *layer_json(const servet_layer *layer, size_t n)
{
    json_t *unseen = isinf(layer->unseen) ? json_null() : json_real(layer->unseen);
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:f, s:o, s:b, s:o}", "value",
                     layer->cost.value, "low", layer->cost.low, "high", layer->cost.high, "near",
                     layer->near, "far", layer->far, "pairs", layer->cost.samples, "unmeasured",
                     layer->unmeasured, "confidence", layer->confidence, "unseen", unseen,
                     "trusted", layer->cost.trusted, "groups", groups_json(layer, n));
}

static int print_json(const servet_layers *layers, const left_out *count)
{
    json_t *list = json_array();
    for (int k = 0; k < layers->layer_count; k++)
        json_array_append_new(list, layer_json(&layers->layer[k], layers->n));
    json_t *json = json_pack("{s:o, s:I, s:I, s:I}", "layers", list, "all_pairs",
                             (json_int_t)count->pairs, "left_out_as_0", (json_int_t)count->zero,
                             "left_out_as_empty", (json_int_t)count->empty);
    return cli_finish_json(json, JSON_COMPACT);
}

/* --- for people ------------------------------------------------------------------------------- */

static void print_range(size_t first, size_t last, bool more)
{
    printf("%s%zu", more ? "," : "", first);
    if (last > first)
        printf("-%zu", last);
}

/* One group as ranges. */
static void print_group(const servet_layer *layer, size_t n, int group)
{
    bool more = false;
    for (size_t i = 0; i < n; i++) {
        size_t first = i;
        if (layer->group[i] != group)
            continue;
        while (i + 1 < n && layer->group[i + 1] == group)
            i++;
        print_range(first, i, more);
        more = true;
    }
}

static void print_layer(const servet_layer *layer, size_t n, int number)
{
    char confidence[16] = "not trusted";
    if (layer->cost.trusted)
        snprintf(confidence, sizeof confidence, "%3.0f %%", 100 * layer->confidence);
    printf("%5d  %8s  %8s to %-8s  %8s to %-8s  %-11s  %d:", number, HUMAN(layer->cost.value, 4),
           HUMAN(layer->cost.low, 4), HUMAN(layer->cost.high, 4), HUMAN(layer->near, 4),
           HUMAN(layer->far, 4), confidence, layer->group_count);
    for (int g = 0; g < layer->group_count && g < GROUPS_SHOWN; g++) {
        fputs(g > 0 ? " | " : " ", stdout);
        print_group(layer, n, g);
    }
    puts(layer->group_count > GROUPS_SHOWN ? " | ..." : "");
}

/* Nothing below this is printed as 100 %. */
static const double SURE = 0.995;

/* The reason for a layer that is not sure: another one may be hidden before it. */
static void print_unseen(const servet_layer *layer, int number)
{
    if (layer->confidence >= SURE || !(layer->unseen > 0))
        return;
    if (isinf(layer->unseen))
        printf("a layer before layer %d would not have been seen, whatever its step\n", number);
    else
        printf("a layer before layer %d with a step below %.0f %% would not have been seen\n",
               number, 100 * layer->unseen);
}

static void print_left_out(const left_out *count)
{
    if (count->zero + count->empty == 0)
        return;
    printf("%zu of %zu pairs have no cost and are left out (0: %zu, empty or nan: %zu)%s\n",
           count->zero + count->empty, count->pairs, count->zero, count->empty,
           count->zero ? ": measure those of 0 with a finer clock, or with more repeats" : "");
}

static int print_table(const servet_layers *layers, const left_out *count)
{
    if (layers->layer_count == 0)
        puts("no pair of cores was measured");
    else
        printf("%5s  %8s  %-20s  %-20s  %-11s  %s\n", "layer", "cost", "   95 % interval",
               "   9 of 10 pairs", "confidence", "number of groups: cores of each");
    for (int k = 0; k < layers->layer_count; k++)
        print_layer(&layers->layer[k], layers->n, k + 1);
    for (int k = 0; k < layers->layer_count; k++)
        print_unseen(&layers->layer[k], k + 1);
    print_left_out(count);
    return cli_finish_output();
}

/* --- the command ------------------------------------------------------------------------------ */

int analyze_layers(const char *path, bool json)
{
    servet_matrix matrix = SERVET_MATRIX_INIT;
    servet_layers layers = {0};
    left_out count = {0, 0, 0};
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_matrix_read(path, &matrix, &error);
    if (code == SERVET_OK)
        code = servet_analyze_layers(&matrix, &layers, &error);
    if (code == SERVET_OK)
        count = count_left_out(&matrix);
    servet_matrix_free(&matrix);
    int status = code == SERVET_OK ? (json ? print_json : print_table)(&layers, &count)
                                   : analyze_failed(path, &error);
    servet_layers_free(&layers);
    return status;
}
