/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the time of messages by their size in each layer, the loss of bandwidth, and nodes that are
 * unlike others. */
#include "cli/plot/plots.h"

#include <stdio.h>

#include "cli/report/text.h"
#include "core/error.h"
#include "servet/network.h"

/* --- messages --------------------------------------------------------------------------------- */

static int add_layer(const plot_source *source, int number, figure *into)
{
    servet_network_layer layer;
    servet_message point;
    int count = 0, code = SERVET_OK;
    (void)servet_profile_count(source->profile, NULL, "network.layers.points", (int[]){number},
                               &count);
    if (count == 0 || servet_network_layer_get(source->profile, number, &layer) != SERVET_OK)
        return SERVET_OK;
    figure_series *series = figure_add_series(&into->chart, "layer %d, %s", number,
                                              layer.between_nodes ? "between nodes" : "in a node");
    for (int i = 1; series && i <= count && code == SERVET_OK; i++) {
        if (SERVET_ITEM(source->profile, "network.layers.points", &point, number, i) != SERVET_OK ||
            point.bytes <= 0)
            continue;
        series->is_doubted = series->is_doubted || !layer.trusted;
        code = figure_add_value(series, point.bytes, &point.time, HUMAN_US);
    }
    return code;
}

static void note_protocols(const plot_source *source, int layer, figure *into)
{
    servet_protocol protocol;
    char bytes[HUMAN_MAX];
    int count = 0;
    (void)servet_profile_count(source->profile, NULL, "network.layers.protocols", (int[]){layer},
                               &count);
    for (int i = 2; i <= count; i++) {
        if (SERVET_ITEM(source->profile, "network.layers.protocols", &protocol, layer, i) !=
            SERVET_OK)
            continue;
        report_bytes(&protocol.from, bytes);
        if (i == 2)
            figure_add_note(into, "Layer %d: the protocol changes at %s", layer, bytes);
        else
            figure_continue_note(into, "%s%s", i < count ? ", " : " and ", bytes);
    }
    if (count > 1)
        figure_continue_note(into, ".");
}

int plot_messages(const plot_source *source, figure *into, servet_error *error)
{
    servet_network network;
    int layers = 0, code = SERVET_OK;
    into->form = FIGURE_CHART;
    into->chart.x = (figure_axis){"message", FIGURE_LOG2, plot_text_bytes, false};
    into->chart.y = (figure_axis){"half a round trip", FIGURE_LOG10, plot_text_us, false};
    (void)servet_network_layer_count(source->profile, &layers);
    for (int i = 1; i <= layers && code == SERVET_OK; i++)
        code = add_layer(source, i, into);
    if (code != SERVET_OK)
        return srv_fail_memory(error);
    if (into->chart.series_count == 0 || servet_network_get(source->profile, &network) != SERVET_OK)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "messages were not measured (servet-mpi measure does)");
    figure_set_title(into, "Time of a message: %d processes on %d node%s", network.ranks,
                     network.nodes, network.nodes == 1 ? "" : "s");
    for (int i = 1; i <= layers; i++)
        note_protocols(source, i, into);
    return SERVET_OK;
}

/* --- ratios ----------------------------------------------------------------------------------- */

/* Draws ratios as the remaining share of bandwidth: relative to a message alone, or beside its
 * neighbour. */
static int add_ratios(const plot_source *source, servet_degradation of, int index, figure *into)
{
    servet_ratios about;
    servet_ratio ratio;
    char bytes[HUMAN_MAX];
    figure_series *series;
    int code = SERVET_OK;
    if (servet_network_ratios_at(source->profile, of, index, &about) != SERVET_OK ||
        servet_network_ratio_at(source->profile, of, index, 1, &ratio) != SERVET_OK)
        return SERVET_OK;
    human_bytes(about.bytes, bytes);
    series = figure_add_series(&into->chart, "%d node%s, messages of %s", ratio.nodes,
                               ratio.nodes == 1 ? "" : "s", bytes);
    for (int at = 1; series && at <= about.largest && code == SERVET_OK; at++) {
        if (servet_network_ratio_at(source->profile, of, index, at, &ratio) != SERVET_OK ||
            ratio.ratio.method == SERVET_METHOD_INTERPOLATED)
            continue;
        series->is_doubted = series->is_doubted || !ratio.trusted;
        code = figure_add_value(series, at, &ratio.ratio, 1);
    }
    return code;
}

/* Returns true if there are several points: the ratio at 1 is always 1. */
static bool has_curve(const figure_chart *chart)
{
    for (int i = 0; i < chart->series_count; i++)
        if (chart->series[i].n > 1)
            return true;
    return false;
}

static int fill_ratios(const plot_source *source, servet_degradation of, figure *into,
                       servet_error *error)
{
    int count = 0, code = SERVET_OK;
    into->form = FIGURE_CHART;
    into->chart.y =
        (figure_axis){"times less bandwidth than at 1", FIGURE_LINEAR, plot_text_number, false};
    (void)servet_network_ratios_count(source->profile, of, &count);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = add_ratios(source, of, i, into);
    if (code != SERVET_OK)
        return srv_fail_memory(error);
    if (!has_curve(&into->chart))
        return srv_fail(error, SERVET_EUNMEASURED,
                        count > 0 ? "this ratio was measured at 1 alone"
                                  : "this ratio was not measured (servet-mpi "
                                    "measure does)");
    return SERVET_OK;
}

int plot_distance_ratio(const plot_source *source, figure *into, servet_error *error)
{
    figure_set_title(into, "Bandwidth lost with the distance between nodes (ratDist)");
    into->chart.x =
        (figure_axis){"distance, in nodes of the job", FIGURE_LINEAR, plot_text_number, true};
    return fill_ratios(source, SERVET_DEGRADATION_DISTANCE, into, error);
}

int plot_access_ratio(const plot_source *source, figure *into, servet_error *error)
{
    figure_set_title(into, "Bandwidth lost with processes of a node that send at once (ratNC)");
    into->chart.x = (figure_axis){"processes per node", FIGURE_LINEAR, plot_text_number, true};
    return fill_ratios(source, SERVET_DEGRADATION_ACCESS, into, error);
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* An outlier has a mark with its name. */
static void mark_outlier(const plot_source *source, int node, const servet_node_rate *of,
                         figure *into)
{
    figure_mark mark = {.x = node, .low = node, .high = node, .is_doubted = !of->bandwidth.trusted};
    const char *name = servet_network_node(source->profile, node);
    snprintf(mark.name, sizeof mark.name, "%.40s: %s", name ? name : "", report_outlier(of));
    figure_end_character(mark.name);
    figure_add_mark(&into->chart, &mark);
}

/* Both series are shares of what the node could do: of the usual bandwidth, and of its time. */
static int add_nodes(const plot_source *source, double usual, figure *into)
{
    servet_node_rate of;
    figure_series *rates = figure_add_series(&into->chart, "bandwidth in random halves");
    figure_series *times = figure_add_series(&into->chart, "time that its cores did not lose");
    int code = SERVET_OK;
    for (int i = 0; code == SERVET_OK &&
                    SERVET_ITEM(source->profile, "network.node_rates", &of, i + 1) == SERVET_OK;
         i++) {
        servet_value kept = of.lost;
        kept.value = 1 - of.lost.value;
        kept.low = 1 - of.lost.high;
        kept.high = 1 - of.lost.low;
        code = figure_add_value(rates, i, &of.bandwidth, 1 / usual);
        if (code == SERVET_OK)
            code = figure_add_value(times, i, &kept, 1);
        if (*report_outlier(&of))
            mark_outlier(source, i, &of, into);
    }
    return code;
}

int plot_nodes(const plot_source *source, figure *into, servet_error *error)
{
    servet_bisection halves;
    char bytes[HUMAN_MAX], rate[HUMAN_MAX];
    into->form = FIGURE_CHART;
    into->chart.x = (figure_axis){"node of the job", FIGURE_LINEAR, plot_text_number, true};
    into->chart.y = (figure_axis){"share of the usual", FIGURE_LINEAR, plot_text_number, false};
    if (servet_network_bisection(source->profile, &halves) != SERVET_OK)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "random halves of the nodes were not measured (servet-mpi measure does)");
    figure_set_title(into, "Nodes of a job, in random halves");
    human_bytes(halves.bytes, bytes);
    report_rate(&halves.bandwidth, rate);
    figure_add_note(into, "Messages of %s; one half sends %s GB/s to the other.", bytes, rate);
    plot_note_doubt(source, &source->at, "network.node_rates.1.bandwidth", "bandwidth of nodes",
                    into);
    int code = add_nodes(source, halves.usual.value, into);
    return code == SERVET_OK ? SERVET_OK : srv_fail_memory(error);
}
