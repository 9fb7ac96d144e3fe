/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/layers.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/cli.h"
#include "core/human.h"
#include "servet/analyze.h"

/* Of more groups than a line holds, so many are shown to people. */
enum { GROUPS_SHOWN = 8 };

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
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:i, s:f, s:o}", "value", layer->cost.value, "low",
                     layer->cost.low, "high", layer->cost.high, "near", layer->near, "far",
                     layer->far, "pairs", layer->cost.samples, "confidence", layer->confidence,
                     "groups", groups_json(layer, n));
}

static int print_json(const servet_layers *layers)
{
    json_t *list = json_array();
    for (int k = 0; k < layers->layer_count; k++)
        json_array_append_new(list, layer_json(&layers->layer[k], layers->n));
    json_t *json = json_pack("{s:o}", "layers", list);
    if (!json)
        return cli_memory_error();
    json_dumpf(json, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(json);
    return cli_finish_output();
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
    printf("%5d  %8s  %8s %-8s  %8s %-8s  %3.0f %%  %d:", number, HUMAN(layer->cost.value, 4),
           HUMAN(layer->cost.low, 4), HUMAN(layer->cost.high, 4), HUMAN(layer->near, 4),
           HUMAN(layer->far, 4), 100 * layer->confidence, layer->group_count);
    for (int g = 0; g < layer->group_count && g < GROUPS_SHOWN; g++) {
        fputs(g > 0 ? " | " : " ", stdout);
        print_group(layer, n, g);
    }
    puts(layer->group_count > GROUPS_SHOWN ? " | ..." : "");
}

static int print_table(const servet_layers *layers)
{
    if (layers->layer_count == 0)
        puts("no pair of cores was measured");
    else
        printf("%5s  %8s  %-17s  %-17s  %s  %s\n", "layer", "cost", "     interval",
               "  9 of 10 pairs", "sure ", "groups");
    for (int k = 0; k < layers->layer_count; k++)
        print_layer(&layers->layer[k], layers->n, k + 1);
    return cli_finish_output();
}

/* --- the command ------------------------------------------------------------------------------ */

int analyze_layers(const char *path, bool json)
{
    servet_matrix matrix = SERVET_MATRIX_INIT;
    servet_layers layers = {0};
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_matrix_read(path, &matrix, &error);
    if (code == SERVET_OK)
        code = servet_analyze_layers(&matrix, &layers, &error);
    servet_matrix_free(&matrix);
    int status = CLI_FAILED;
    if (code)
        cli_error(&error);
    else
        status = json ? print_json(&layers) : print_table(&layers);
    servet_layers_free(&layers);
    return status;
}
