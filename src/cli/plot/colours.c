/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the time of cyclic accesses to pages of one colour: it rises beyond the number of ways of
 * the cache. */
#include "cli/plot/plots.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/human.h"
#include "core/text.h"
#include "core/units.h"
#include "servet/node.h"

/* The rows "what,elements,value,error" of geometry-KIND-L2.csv. */
typedef struct row {
    char what[32];
    double elements, value, error;
} row;

static bool read_row(FILE *from, row *into)
{
    char line[256];
    while (fgets(line, sizeof line, from)) {
        *into = (row){.error = 0};
        if (sscanf(line, "%31[a-z_],%lf,%lf,%lf", into->what, &into->elements, &into->value,
                   &into->error) >= 3 &&
            srv_is_bounded(into->elements) && srv_is_bounded(into->value))
            return true;
    }
    return false;
}

static int add_rows(FILE *from, int level, figure *into)
{
    row next;
    figure_series *series = NULL;
    int code = SERVET_OK;
    while (code == SERVET_OK && read_row(from, &next)) {
        if (strcmp(next.what, "colours") == 0 && next.value > 0)
            figure_add_note(into, "L%d: %s pages of 4 KiB fall into %s colours.", level,
                            HUMAN(next.elements, 4), HUMAN(next.value, 4));
        if (strcmp(next.what, "turns_ns") != 0 || next.value <= 0)
            continue;
        if (!series && !(series = figure_add_series(&into->chart, "L%d", level)))
            break;
        code = figure_add_point(series, (figure_point){.x = next.elements,
                                                       .y = next.value,
                                                       .low = next.value > next.error
                                                                  ? next.value - next.error
                                                                  : next.value / 2,
                                                       .high = next.value + next.error});
    }
    return code;
}

static int add_level(const plot_source *source, int level, figure *into)
{
    char kind[SERVET_NAME_MAX] = "", name[2 * SERVET_NAME_MAX], path[SERVET_ERROR_FILE_MAX];
    servet_cache cache;
    int before = into->chart.series_count;
    servet_profile_get(source->profile, &source->at, "kind.name", kind, sizeof kind, NULL);
    snprintf(name, sizeof name, "geometry-%s-L%d.csv", kind, level);
    plot_raw_path(source, name, path);
    FILE *from;
    int code = srv_text_open(path, &from, NULL);
    if (code != SERVET_OK)
        return SERVET_OK;
    code = add_rows(from, level, into);
    fclose(from);
    if (into->chart.series_count == before ||
        servet_cache_get(source->profile, &source->at, level, &cache) != SERVET_OK ||
        !servet_value_known(&cache.ways))
        return code;
    figure_mark mark = {
        .x = cache.ways.value, .low = cache.ways.low, .high = cache.ways.high, .is_doubted = false};
    char key[SERVET_NAME_MAX], what[24];
    snprintf(key, sizeof key, "caches.%d.ways", level);
    snprintf(what, sizeof what, "ways of L%d", level);
    mark.is_doubted = plot_note_doubt(source, &source->at, key, what, into);
    snprintf(mark.name, sizeof mark.name, "L%d: %s ways", level, HUMAN(cache.ways.value, 4));
    figure_add_mark(&into->chart, &mark);
    return code;
}

int plot_colours(const plot_source *source, figure *into, servet_error *error)
{
    char subject[FIGURE_TITLE_MAX];
    int count = 0, code = SERVET_OK;
    into->form = FIGURE_CHART;
    into->chart.x =
        (figure_axis){"pages of one colour, in a cycle", FIGURE_LINEAR, plot_text_number, true};
    into->chart.y = (figure_axis){"ns per page", FIGURE_LINEAR, plot_text_number, false};
    plot_subject(source, true, subject);
    figure_set_title(into, "Ways of the caches by conflict: %s", subject);
    (void)servet_cache_count(source->profile, &source->at, &count);
    for (int level = 2; level <= count && code == SERVET_OK; level++)
        code = add_level(source, level, into);
    if (code != SERVET_OK)
        return srv_fail_memory(error);
    if (into->chart.series_count == 0)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "no colours of a cache were found, or the raw series "
                        "(raw/geometry-*.csv) are not beside the profile");
    return SERVET_OK;
}
