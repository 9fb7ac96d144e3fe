/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/draw.h"

#include <math.h>

/* Writes a text in single quotes; quotes within it are doubled. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', to);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
    fputc('\'', to);
}

static void put_title(FILE *to, const figure *of)
{
    int length;
    const char *note = figure_note(of);
    fputs("set title ", to);
    put_quoted(to, of->title);
    fputs(" noenhanced\n", to);
    for (const char *part; (part = draw_wrap(&note, 100, &length));)
        fprintf(to, "# %.*s\n", length, part);
}

/* --- charts ----------------------------------------------------------------------------------- */

static void put_axis(FILE *to, char name, const figure_axis *axis, const draw_range *range)
{
    char text[HUMAN_MAX];
    fprintf(to, "set %clabel ", name);
    put_quoted(to, axis->label);
    fputs(" noenhanced\n", to);
    if (range->scale != FIGURE_LINEAR)
        fprintf(to, "set logscale %c %d\n", name, range->scale == FIGURE_LOG2 ? 2 : 10);
    fprintf(to, "set %crange [%.9g : %.9g]\nset %ctics (", name, range->low, range->high, name);
    for (int i = 0; i < range->tick_count; i++) {
        axis->text(range->tick[i], text);
        fputs(i ? ", " : "", to);
        put_quoted(to, text);
        fprintf(to, " %.9g", range->tick[i]);
    }
    fputs(")\n", to);
}

static void put_data(FILE *to, const figure_series *series, int number)
{
    fprintf(to, "$series%d << END\n", number);
    for (size_t i = 0; i < series->n; i++)
        fprintf(to, "%.9g %.9g %.9g %.9g\n", series->point[i].x, series->point[i].y,
                series->point[i].low, series->point[i].high);
    fputs("END\n", to);
}

static void put_mark(FILE *to, const figure_mark *mark)
{
    fprintf(to, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead dashtype %d\nset label ",
            mark->x, mark->x, mark->is_doubted ? 2 : 1);
    put_quoted(to, mark->name);
    fprintf(to, " at %.9g, graph 0.98 rotate right offset -0.7, 0 noenhanced\n", mark->x);
}

static void put_plot(FILE *to, const figure_series *series, int number)
{
    fprintf(to, "%s $series%d using 1:2%s with %s linetype %d", number ? ", \\\n    " : "plot",
            number, series->is_model ? "" : ":3:4", series->is_model ? "lines" : "yerrorlines",
            number + 1);
    if (series->is_model || series->is_doubted)
        fprintf(to, " dashtype %d", series->is_doubted ? 3 : 2);
    fputs(" title ", to);
    put_quoted(to, series->name);
    fputs(" noenhanced", to);
}

static void put_chart(FILE *to, figure *of)
{
    const figure_chart *chart = &of->chart;
    draw_range x, y;
    draw_ranges(chart, 8, 6, &x, &y);
    put_title(to, of);
    put_axis(to, 'x', &chart->x, &x);
    put_axis(to, 'y', &chart->y, &y);
    fputs("set grid\nset key below left Left reverse\n", to);
    for (int i = 0; i < chart->mark_count; i++)
        put_mark(to, &chart->mark[i]);
    for (int i = 0; i < chart->series_count; i++)
        put_data(to, &chart->series[i], i);
    for (int i = 0; i < chart->series_count; i++)
        put_plot(to, &chart->series[i], i);
    if (chart->series_count == 0)
        fputs("plot NaN notitle", to); /* draws only the marks */
    fputc('\n', to);
}

/* --- maps ------------------------------------------------------------------------------------- */

static void put_tics(FILE *to, const figure_map *map)
{
    fputs("set xtics (", to);
    for (int i = 0; i < map->n; i++)
        fprintf(to, "%s'%d' %d", i ? ", " : "", map->core[i], i);
    fputs(") rotate\nset ytics (", to);
    for (int i = 0; i < map->n; i++)
        fprintf(to, "%s'%d' %d", i ? ", " : "", map->core[i], i);
    fputs(")\n", to);
}

static void put_map(FILE *to, figure *of)
{
    const figure_map *map = &of->map;
    put_title(to, of);
    fputs("$costs << END\n", to);
    for (int i = 0; i < map->n; i++) {
        for (int k = 0; k < map->n; k++) {
            double cost = map->cost[i * map->n + k];
            if (isfinite(cost))
                fprintf(to, "%s%.6g", k ? " " : "", cost);
            else
                fputs(k ? " NaN" : "NaN", to);
        }
        fputc('\n', to);
    }
    fputs("END\n", to);
    put_tics(to, map);
    fprintf(to,
            "set cblabel '%s'\nset logscale cb\nset size ratio 1\nset yrange [%d.5 : -0.5]\n"
            "set xrange [-0.5 : %d.5]\nplot $costs matrix with image notitle\n",
            map->unit, map->n - 1, map->n - 1);
}

static void put_nothing(FILE *to, figure *of)
{
    (void)to;
    (void)of;
}

void draw_gnuplot(FILE *to, figure *of)
{
    static draw_figure *const forms[] = {
        [FIGURE_CHART] = put_chart, [FIGURE_MAP] = put_map, [FIGURE_BOXES] = put_nothing};
    forms[of->form](to, of);
}
