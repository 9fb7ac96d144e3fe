/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency of memory by the bandwidth that other cores move. */
#include "cli/plot/plots.h"

#include <stdio.h>

#include "core/error.h"
#include "servet/node.h"

static int read_curve(const plot_source *source, int number, servet_loaded *curve)
{
    return servet_profile_item(source->profile, &source->at, "loaded", &number, curve,
                               sizeof *curve);
}

static figure_series *add_series(const servet_loaded *curve, figure *into)
{
    return curve->from == curve->node
               ? figure_add_series(&into->chart, "node %d, reads:writes %d:%d", curve->node,
                                   curve->reads, curve->writes)
               : figure_add_series(&into->chart, "node %d from node %d, reads", curve->node,
                                   curve->from);
}

static int add_curve(const plot_source *source, int number, figure *into)
{
    servet_loaded curve;
    servet_loaded_point point;
    figure_series *series = NULL;
    int code = SERVET_OK;
    if (read_curve(source, number, &curve) == SERVET_OK)
        series = add_series(&curve, into);
    for (int i = 1; series && code == SERVET_OK; i++) {
        if (servet_profile_item(source->profile, &source->at, "loaded.points", (int[]){number, i},
                                &point, sizeof point) != SERVET_OK)
            break;
        series->is_doubted = series->is_doubted || !point.bandwidth.trusted;
        code = figure_add_value(series, point.bandwidth.value * 1e-9, &point.latency, HUMAN_NS);
    }
    return code;
}

/* The knee of the first curve: reads of own memory. */
static void mark_knee(const plot_source *source, figure *into)
{
    servet_loaded curve;
    if (read_curve(source, 1, &curve) != SERVET_OK)
        return;
    if (!servet_value_known(&curve.knee)) {
        figure_add_note(into, "%d core%s not load this memory to its limit.", curve.generators,
                        curve.generators == 1 ? " does" : "s do");
        return;
    }
    figure_mark mark = {.x = curve.knee.value * 1e-9,
                        .low = curve.knee.low * 1e-9,
                        .high = curve.knee.high * 1e-9,
                        .is_doubted = !curve.knee.trusted};
    snprintf(mark.name, sizeof mark.name, "knee of reads: %s GB/s",
             HUMAN(curve.knee.value * 1e-9, 3));
    figure_add_mark(&into->chart, &mark);
}

int plot_loaded(const plot_source *source, figure *into, servet_error *error)
{
    char subject[FIGURE_TITLE_MAX];
    int count = 0, code = SERVET_OK;
    into->form = FIGURE_CHART;
    into->chart.x = (figure_axis){"GB/s of other cores", FIGURE_LINEAR, plot_text_number, false};
    into->chart.y = (figure_axis){"latency, ns", FIGURE_LINEAR, plot_text_number, false};
    plot_subject(source, false, subject);
    figure_set_title(into, "Latency of memory under load: %s", subject);
    (void)servet_profile_count(source->profile, &source->at, "loaded", NULL, &count);
    for (int i = 1; i <= count && code == SERVET_OK; i++)
        code = add_curve(source, i, into);
    if (code != SERVET_OK)
        return srv_fail_memory(error);
    if (into->chart.series_count == 0)
        return srv_fail(error, SERVET_EUNMEASURED, "latency under load was not measured");
    mark_knee(source, into);
    return SERVET_OK;
}
