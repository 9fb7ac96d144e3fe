/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/plots.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"
#include "core/error.h"
#include "core/text.h"

const plot plots[PLOT_COUNT] = {
    {"topology", "what cores share: sizes, latencies, verdicts", false, plot_topology},
    {"latency", "loads by working set, with capacities, reach and the model", true, plot_latency},
    {"distances", "lines from core to core, ordered by groups", false, plot_distances},
    {"memory", "bandwidth of several cores at once", false, plot_memory},
    {"loaded", "latency of memory by the bandwidth of other cores", false, plot_loaded},
    {"roofline", "GFLOP/s by operations per byte, for each cache level and memory", true,
     plot_roofline},
    {"messages", "messages by size, for each communication layer", false, plot_messages},
    {"distance-ratio", "bandwidth lost with the distance between nodes (ratDist)", false,
     plot_distance_ratio},
    {"access-ratio", "bandwidth lost with processes of a node that send at once (ratNC)", false,
     plot_access_ratio},
    {"nodes", "bandwidth of each node in random halves, and time lost to noise", false, plot_nodes},
};

const plot *plot_find(const char *word)
{
    for (int i = 0; i < PLOT_COUNT; i++)
        if (strcmp(plots[i].word, word) == 0)
            return &plots[i];
    return NULL;
}

/* --- the source ------------------------------------------------------------------------------- */

/* Sets the folder raw/ beside the profile; a profile from standard input has none. */
static void set_raw(plot_source *source)
{
    const char *path = servet_profile_path(source->profile), *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path + 1) : 0;
    int need = snprintf(source->raw, sizeof source->raw, "%.*sraw", length, path);
    if (!*path || strcmp(path, "-") == 0 || servet_profile_class_count(source->profile) != 1 ||
        need >= (int)sizeof source->raw)
        *source->raw = '\0';
}

void plot_source_init(plot_source *source, const servet_profile *profile, const char *node_class,
                      int core)
{
    int index = 0;
    if (!node_class && servet_profile_here(profile, &index, NULL) != SERVET_OK)
        index = 0;
    *source = (plot_source){.profile = profile};
    source->at.node_class = node_class ? node_class : servet_profile_class_name(profile, index);
    source->at.core = core;
    set_raw(source);
}

/* --- texts ------------------------------------------------------------------------------------ */

void plot_subject(const plot_source *source, bool of_kind, char text[FIGURE_TITLE_MAX])
{
    servet_machine machine;
    servet_kind kind;
    char name[SERVET_NAME_MAX] = "";
    snprintf(text, FIGURE_TITLE_MAX, "%s", source->at.node_class);
    if (servet_profile_machine(source->profile, &source->at, &machine) == SERVET_OK)
        snprintf(text, FIGURE_TITLE_MAX, "%s", machine.hostname);
    figure_end_character(text);
    if (!of_kind || servet_kind_get(source->profile, &source->at, 1, &kind) != SERVET_OK)
        return;
    servet_profile_get(source->profile, &source->at, "kind.name", name, sizeof name, NULL);
    snprintf(text + strlen(text), FIGURE_TITLE_MAX - strlen(text), ", %s cores", name);
    figure_end_character(text);
}

void plot_raw_path(const plot_source *source, const char *name, char path[SERVET_ERROR_FILE_MAX])
{
    int length = snprintf(path, SERVET_ERROR_FILE_MAX, "%s/%s", source->raw, name);
    if (!*source->raw || length >= SERVET_ERROR_FILE_MAX ||
        srv_text_check_found(path, NULL) != SERVET_OK)
        *path = '\0';
}

int plot_fill(const plot *wanted, const plot_source *source, figure *into, servet_error *error)
{
    int code = wanted->fill(source, into, error);
    return code == SERVET_OK && into->is_incomplete ? srv_fail_memory(error) : code;
}

bool plot_note_doubt(const plot_source *source, const servet_at *at, const char *key,
                     const char *what, figure *into)
{
    char reason[SERVET_TEXT_MAX];
    report_reason(source->profile, at, key, reason);
    if (*reason)
        figure_add_doubt(into, what, reason);
    return *reason != '\0';
}

void plot_text_bytes(double value, char text[HUMAN_MAX])
{
    human_bytes(value, text);
}

void plot_text_number(double value, char text[HUMAN_MAX])
{
    human_number(value, text);
}

void plot_text_us(double value, char text[HUMAN_MAX])
{
    human_time(value / HUMAN_US, text);
}
