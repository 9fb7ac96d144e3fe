/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the total bandwidth of memory by the number of cores that copy at the same time. */
#include "cli/plot/plots.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "servet/node.h"

static int add_series(const plot_source *source, int level, int most, figure *into)
{
    servet_value each;
    figure_series *series = NULL;
    int code = SERVET_OK;
    for (int cores = 1; cores <= most && code == SERVET_OK; cores++) {
        int status = servet_memory_scaling(source->profile, &source->at, level, cores, &each);
        if (status == SERVET_ERANGE)
            break;
        if (status != SERVET_OK || !servet_value_known(&each))
            continue;
        if (!series)
            series = level ? figure_add_series(&into->chart, "PUs of a group of level %d", level)
                           : figure_add_series(&into->chart, "PUs of the node");
        if (!series)
            break;
        code = figure_add_value(series, cores, &each, cores * 1e-9);
    }
    return code;
}

/* Returns true for a group of all cores: its series is that of the node. */
static bool is_node(const plot_source *source, int level, const char *cores)
{
    const char *group;
    int count;
    return servet_memory_group_count(source->profile, &source->at, level, &count) == SERVET_OK &&
           count == 1 &&
           servet_memory_group(source->profile, &source->at, level, 0, &group) == SERVET_OK &&
           strcmp(group, cores) == 0;
}

static void mark_saturation(const plot_source *source, figure *into)
{
    int cores;
    if (servet_memory_saturation(source->profile, &source->at, &cores) != SERVET_OK)
        return;
    figure_mark mark = {.x = cores, .low = cores, .high = cores};
    snprintf(mark.name, sizeof mark.name, "95 %% of the best: %d PU%s", cores,
             cores == 1 ? "" : "s");
    mark.is_doubted = plot_note_doubt(source, &source->at, "memory.saturation",
                                      "the number of PUs that saturate memory", into);
    figure_add_mark(&into->chart, &mark);
}

int plot_memory(const plot_source *source, figure *into, servet_error *error)
{
    char subject[FIGURE_TITLE_MAX];
    servet_machine machine = {.pu_count = 0};
    int levels = 0, code;
    into->form = FIGURE_CHART;
    into->chart.x = (figure_axis){"PUs that copy at once", FIGURE_LINEAR, plot_text_number, true};
    into->chart.y = (figure_axis){"GB/s together", FIGURE_LINEAR, plot_text_number, false};
    plot_subject(source, false, subject);
    figure_set_title(into, "Memory bandwidth: %s", subject);
    (void)servet_profile_machine(source->profile, &source->at, &machine);
    (void)servet_memory_level_count(source->profile, &source->at, &levels);
    code = add_series(source, 0, machine.pu_count, into);
    for (int level = 1; level <= levels && code == SERVET_OK; level++)
        if (!is_node(source, level, machine.cores))
            code = add_series(source, level, machine.pu_count, into);
    if (code != SERVET_OK)
        return srv_fail_memory(error);
    if (into->chart.series_count == 0)
        return srv_fail(error, SERVET_EUNMEASURED, "bandwidth of several cores was not measured");
    mark_saturation(source, into);
    return SERVET_OK;
}
