/* SPDX-License-Identifier: BSD-3-Clause */
/* The roofline (Williams, CACM 52(4), 2009): the rate that code in double precision can reach by
 * its operations per byte, for each level. */
#include "cli/plot/plots.h"

#include <math.h>
#include <stdio.h>

#include "cli/report/text.h"
#include "core/error.h"
#include "servet/node.h"

enum { ROOFS_MAX = SERVET_CACHE_LEVELS_MAX + 2 };

/* The rate that a core, or all cores, can reach with loads from a level. */
typedef struct roof {
    char name[FIGURE_NAME_MAX];
    servet_value ridge;
    double gflops;
} roof;

typedef struct roofs {
    const plot_source *source;
    int count;
    roof roof[ROOFS_MAX];
    double least, most; /* FLOP/B that are drawn: a factor of four beyond the ridge points */
} roofs;

static const double BEYOND = 4;

/* --- data ------------------------------------------------------------------------------------- */

static void add_roof(roofs *on, const servet_at *at, int level, const char *name)
{
    const servet_profile *profile = on->source->profile;
    roof *made = &on->roof[on->count];
    servet_peak peak;
    if (servet_ridge(profile, at, SERVET_PRECISION_F64, level, &made->ridge) != SERVET_OK ||
        servet_peak_get(profile, at, SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, &peak) != SERVET_OK)
        return;
    snprintf(made->name, sizeof made->name, "%s", name);
    made->gflops = peak.rate.value / 1e9;
    on->least = fmin(on->least, made->ridge.value / BEYOND);
    on->most = fmax(on->most, made->ridge.value * BEYOND);
    on->count++;
}

static void find_roofs(roofs *on)
{
    const plot_source *source = on->source;
    const servet_at all = {source->at.node_class, SERVET_ANY_CORE};
    servet_at one;
    int levels = 0;
    char name[FIGURE_NAME_MAX];
    if (!report_kind(source->profile, &source->at, 0, &one))
        return;
    (void)servet_cache_count(source->profile, &one, &levels);
    for (int level = 1; level <= levels; level++) {
        snprintf(name, sizeof name, "one core, L%d", level);
        add_roof(on, &one, level, name);
    }
    add_roof(on, &one, 0, "one core, memory");
    add_roof(on, &all, 0, "all PUs, memory");
}

/* --- picture ---------------------------------------------------------------------------------- */

/* A line up to the ridge point, and from there on the peak rate. */
static int draw_roof(const roofs *on, const roof *of, figure *into)
{
    figure_series *series = figure_add_series(&into->chart, "%s", of->name);
    const double ends[] = {on->least, of->ridge.value, on->most};
    int code = SERVET_OK;
    if (!series)
        return code;
    series->is_model = true;
    series->is_doubted = !of->ridge.trusted;
    for (int i = 0; i < 3 && code == SERVET_OK; i++) {
        double y = of->gflops * fmin(1, ends[i] / of->ridge.value);
        code = figure_add_point(series, (figure_point){ends[i], y, y, y});
    }
    return code;
}

int plot_roofline(const plot_source *source, figure *into, servet_error *error)
{
    roofs on = {.source = source, .least = INFINITY};
    char subject[FIGURE_TITLE_MAX];
    int code = SERVET_OK;
    into->form = FIGURE_CHART;
    into->chart.x = (figure_axis){"FLOP/B", FIGURE_LOG2, plot_text_number, false};
    into->chart.y =
        (figure_axis){"GFLOP/s, double precision", FIGURE_LOG2, plot_text_number, false};
    plot_subject(source, true, subject);
    figure_set_title(into, "Roofline: %s", subject);
    find_roofs(&on);
    if (on.count == 0)
        return srv_fail(error, SERVET_EUNMEASURED, "peak rates, or bandwidths, were not measured");
    for (int i = 0; i < on.count && code == SERVET_OK; i++)
        code = draw_roof(&on, &on.roof[i], into);
    return code == SERVET_OK ? code : srv_fail_memory(error);
}
