/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/draw.h"

#include <math.h>
#include <string.h>

#include "cli/plot/svg.h"

/* --- title and note --------------------------------------------------------------------------- */

/* Width of a picture, at which its text is readable on a phone. */
enum { WIDTH = 440, MARGIN = 12, TITLE_LINE = 18, NOTE_LINE = 15 };
static const double letter = 6.3, letter_bold = 8.2;

/* Draws a text in lines if `to` is not NULL; returns the height of its lines. */
static double put_wrapped(FILE *to, const char *text, double top, double width, double each,
                          double line, const char *style)
{
    int length, count = 0;
    for (const char *part; (part = draw_wrap(&text, (int)((width - 2 * MARGIN) / each), &length));
         count++)
        if (to)
            svg_text(to, MARGIN, top + (count + 1) * line - 4, style, part, length);
    return count * line;
}

static double put_title(FILE *to, const figure *of, double width)
{
    return put_wrapped(to, of->title, 6, width, letter_bold, TITLE_LINE,
                       "font-size=\"14\" font-weight=\"bold\"") +
           12;
}

static double put_note(FILE *to, const figure *of, double top, double width)
{
    return put_wrapped(to, figure_note(of), top, width, letter, NOTE_LINE, "fill=\"#444444\"") + 8;
}

/* --- charts ----------------------------------------------------------------------------------- */

enum { LEFT = 62, RIGHT = 30, PLOT_HEIGHT = 230, BELOW = 42, LEGEND_LINE = 16 };

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#7a5c00", "#444444"};
enum { COLOUR_COUNT = sizeof colours / sizeof colours[0] };

/* A chart being drawn. */
typedef struct canvas {
    FILE *to;
    const figure_chart *chart;
    draw_range x, y;
    double top; /* upper end of the plot */
} canvas;

static double at_x(const canvas *on, double value)
{
    double share = fmin(fmax(draw_position(&on->x, value), 0), 1);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double at_y(const canvas *on, double value)
{
    double share = fmin(fmax(draw_position(&on->y, value), 0), 1);
    return on->top + (1 - share) * PLOT_HEIGHT;
}

static void put_axes(const canvas *on)
{
    static const char grid[] = "stroke=\"#dddddd\"", small[] = "text-anchor=\"middle\"";
    char text[HUMAN_MAX];
    double bottom = on->top + PLOT_HEIGHT;
    for (int i = 0; i < on->x.tick_count; i++) {
        double x = at_x(on, on->x.tick[i]);
        svg_line(on->to, x, on->top, x, bottom, grid);
        on->chart->x.text(on->x.tick[i], text);
        svg_text(on->to, x, bottom + 16, small, text, HUMAN_MAX);
    }
    for (int i = 0; i < on->y.tick_count; i++) {
        double y = at_y(on, on->y.tick[i]);
        svg_line(on->to, LEFT, y, WIDTH - RIGHT, y, grid);
        on->chart->y.text(on->y.tick[i], text);
        svg_text(on->to, LEFT - 6, y + 4, "text-anchor=\"end\"", text, HUMAN_MAX);
    }
    svg_rect(on->to, LEFT, on->top, WIDTH - LEFT - RIGHT, PLOT_HEIGHT,
             "fill=\"none\" stroke=\"#888888\"");
    svg_text(on->to, (LEFT + WIDTH - RIGHT) / 2.0, bottom + 34, small, on->chart->x.label,
             FIGURE_TITLE_MAX);
    fprintf(on->to, "<g transform=\"translate(12 %.6g) rotate(-90)\">\n",
            on->top + PLOT_HEIGHT / 2.0);
    svg_text(on->to, 0, 0, small, on->chart->y.label, FIGURE_TITLE_MAX);
    fputs("</g>\n", on->to);
}

static void put_mark(const canvas *on, const figure_mark *mark)
{
    double x = at_x(on, mark->x), from = at_x(on, mark->low), to = at_x(on, mark->high);
    if (to > from + 1)
        svg_rect(on->to, from, on->top, to - from, PLOT_HEIGHT,
                 "fill=\"#777777\" fill-opacity=\"0.12\"");
    svg_line(on->to, x, on->top, x, on->top + PLOT_HEIGHT,
             mark->is_doubted ? "stroke=\"#777777\" stroke-dasharray=\"3 4\""
                              : "stroke=\"#555555\"");
}

/* Writes the name of a mark; called after the series, which would otherwise cover it. */
static void put_mark_name(const canvas *on, const figure_mark *mark)
{
    fprintf(on->to, "<g transform=\"translate(%.6g %.6g) rotate(-90)\">\n", at_x(on, mark->x) - 4,
            on->top + 6);
    svg_text(on->to, 0, 0,
             "text-anchor=\"end\" fill=\"#333333\" font-size=\"11\" paint-order=\"stroke\" "
             "stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\"0.7\"",
             mark->name, FIGURE_NAME_MAX);
    fputs("</g>\n", on->to);
}

static const char *dashes(const figure_series *series)
{
    if (series->is_doubted)
        return " stroke-dasharray=\"2 3\"";
    return series->is_model ? " stroke-dasharray=\"7 4\"" : "";
}

static void put_series(const canvas *on, const figure_series *series, const char *colour)
{
    fprintf(on->to, "<g stroke=\"%s\" fill=\"none\">\n<polyline stroke-width=\"%s\"%s points=\"",
            colour, series->is_model ? "2" : "1.5", dashes(series));
    for (size_t i = 0; i < series->n; i++)
        fprintf(on->to, "%s%.6g,%.6g", i ? " " : "", at_x(on, series->point[i].x),
                at_y(on, series->point[i].y));
    fputs("\"/>\n", on->to);
    for (size_t i = 0; i < series->n && !series->is_model; i++) {
        const figure_point *point = &series->point[i];
        double x = at_x(on, point->x);
        if (point->low < point->high)
            svg_line(on->to, x, at_y(on, point->high), x, at_y(on, point->low),
                     "stroke-opacity=\"0.5\"");
        fprintf(on->to, "<circle cx=\"%.6g\" cy=\"%.6g\" r=\"2\" fill=\"%s\" stroke=\"none\"/>\n",
                x, at_y(on, point->y), colour);
    }
    fputs("</g>\n", on->to);
}

static void put_legend(const canvas *on, int i, double y)
{
    const figure_series *series = &on->chart->series[i];
    char name[FIGURE_NAME_MAX + 16], style[96];
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\"%s", colours[i % COLOUR_COUNT],
             dashes(series));
    svg_line(on->to, LEFT, y - 4, LEFT + 26, y - 4, style);
    snprintf(name, sizeof name, "%s%s", series->name, series->is_doubted ? " (not trusted)" : "");
    svg_text(on->to, LEFT + 34, y, "", name, sizeof name);
}

static void put_chart(FILE *to, figure *of)
{
    const figure_chart *chart = &of->chart;
    double title = put_title(NULL, of, WIDTH);
    double legend = title + PLOT_HEIGHT + BELOW;
    double note = legend + chart->series_count * LEGEND_LINE + 4;
    canvas on = {.to = to, .chart = chart, .top = title};
    draw_ranges(chart, 6, 6, &on.x, &on.y);
    svg_begin(to, WIDTH, note + put_note(NULL, of, 0, WIDTH), of->title);
    put_title(to, of, WIDTH);
    put_axes(&on);
    for (int i = 0; i < chart->mark_count; i++)
        put_mark(&on, &chart->mark[i]);
    for (int i = 0; i < chart->series_count; i++)
        put_series(&on, &chart->series[i], colours[i % COLOUR_COUNT]);
    for (int i = 0; i < chart->mark_count; i++)
        put_mark_name(&on, &chart->mark[i]);
    for (int i = 0; i < chart->series_count; i++)
        put_legend(&on, i, legend + (i + 1) * LEGEND_LINE);
    put_note(to, of, note, WIDTH);
    svg_end(to);
}

/* --- maps ------------------------------------------------------------------------------------- */

/* Number of shades from near (light) to far (dark); with few shades, neighbouring equal cells are
 * drawn as one. */
enum { STEPS = 12 };

static void map_colour(double share, char colour[8])
{
    static const int near[] = {0xff, 0xf3, 0xd6}, middle[] = {0xe8, 0x6a, 0x3c},
                     far[] = {0x3b, 0x0f, 0x5e};
    double t = share < 0.5 ? 2 * share : 2 * share - 1;
    const int *from = share < 0.5 ? near : middle, *to = share < 0.5 ? middle : far;
    int part[3];
    for (int i = 0; i < 3; i++)
        part[i] = (int)lround(from[i] + t * (to[i] - from[i]));
    snprintf(colour, 8, "#%02x%02x%02x", part[0] & 255, part[1] & 255, part[2] & 255);
}

static int step_of(const figure_map *map, int cell, double low, double high)
{
    double share = draw_map_share(map->cost[cell], low, high);
    return share < 0 ? -1 : (int)lround(share * STEPS);
}

static void put_row(FILE *to, const figure_map *map, int row, double left, double top, double cell,
                    double low, double high)
{
    for (int from = 0, end; from < map->n; from = end) {
        int step = step_of(map, row * map->n + from, low, high);
        for (end = from + 1; end < map->n; end++)
            if (step_of(map, row * map->n + end, low, high) != step)
                break;
        char colour[8], style[32];
        if (step < 0)
            continue;
        map_colour((double)step / STEPS, colour);
        snprintf(style, sizeof style, "fill=\"%s\"", colour);
        svg_rect(to, left + from * cell, top + row * cell, (end - from) * cell + 0.2, cell + 0.2,
                 style);
    }
}

static void put_cores(FILE *to, const figure_map *map, double left, double top, double cell)
{
    int every = cell >= 13 ? 1 : (int)ceil(13 / cell);
    char text[16];
    for (int i = 0; i < map->n; i += every) {
        snprintf(text, sizeof text, "%d", map->core[i]);
        double middle = (i + 0.5) * cell;
        svg_text(to, left - 5, top + middle + 4, "text-anchor=\"end\" font-size=\"10\"", text,
                 sizeof text);
        fprintf(to, "<g transform=\"translate(%.6g %.6g) rotate(-90)\">\n", left + middle + 4,
                top - 5);
        svg_text(to, 0, 0, "font-size=\"10\"", text, sizeof text);
        fputs("</g>\n", to);
    }
}

static void put_borders(FILE *to, const figure_map *map, double left, double top, double cell)
{
    static const char border[] = "stroke=\"#ffffff\" stroke-width=\"2\"";
    double side = map->n * cell;
    for (int i = 1; i < map->n; i++)
        if (map->group[i] != map->group[i - 1]) {
            svg_line(to, left + i * cell, top, left + i * cell, top + side, border);
            svg_line(to, left, top + i * cell, left + side, top + i * cell, border);
        }
}

static void put_numbers(FILE *to, const figure_map *map, double left, double top, double cell,
                        double low, double high)
{
    char text[HUMAN_MAX];
    for (int i = 0; i < map->n * map->n && cell >= 26; i++) {
        double share = draw_map_share(map->cost[i], low, high);
        if (share < 0)
            continue;
        snprintf(text, sizeof text, "%.3g", map->cost[i]);
        svg_text(to, left + (i % map->n + 0.5) * cell, top + (i / map->n + 0.5) * cell + 4,
                 share > 0.4 ? "text-anchor=\"middle\" font-size=\"10\" fill=\"#ffffff\""
                             : "text-anchor=\"middle\" font-size=\"10\"",
                 text, sizeof text);
    }
}

static void put_scale(FILE *to, const figure_map *map, double left, double top, double low,
                      double high)
{
    char text[HUMAN_MAX + 16], colour[8], style[32];
    for (int i = 0; i <= STEPS; i++) {
        map_colour((double)i / STEPS, colour);
        snprintf(style, sizeof style, "fill=\"%s\"", colour);
        svg_rect(to, left + i * 12, top, 12.2, 12, style);
    }
    snprintf(text, sizeof text, "%.3g to %.3g %s", low, high, map->unit);
    svg_text(to, left + (STEPS + 1) * 12 + 8, top + 10, "", text, sizeof text);
}

static void put_map(FILE *to, figure *of)
{
    enum { CORES = 40, SIDE = 370, CELL_MAX = 56 };
    const figure_map *map = &of->map;
    double low = 0, high = 0, cell = fmin((double)SIDE / map->n, CELL_MAX);
    double title = put_title(NULL, of, WIDTH), left = CORES + MARGIN, top = title + CORES - 8;
    double scale = top + map->n * cell + 12, note = scale + 20;
    bool any = draw_map_range(map, &low, &high);
    svg_begin(to, WIDTH, note + put_note(NULL, of, 0, WIDTH), of->title);
    put_title(to, of, WIDTH);
    svg_rect(to, left, top, map->n * cell, map->n * cell, "fill=\"#eeeeee\"");
    for (int row = 0; row < map->n; row++)
        put_row(to, map, row, left, top, cell, low, high);
    put_borders(to, map, left, top, cell);
    put_numbers(to, map, left, top, cell, low, high);
    put_cores(to, map, left, top, cell);
    if (any)
        put_scale(to, map, left, scale, low, high);
    put_note(to, of, note, WIDTH);
    svg_end(to);
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* Size of a character and a line of the layout in pixels; all letters have one width, as in the
 * layout. */
enum { LINE = 17 };
static const double character = 7.3;

static void put_box(FILE *to, const figure_box *box, double down)
{
    double x = MARGIN + box->left * character, y = down + box->top * LINE;
    double width = box->width * character;
    svg_rect(to, x, y + LINE / 2.0, width, (box->height - 1) * LINE,
             "rx=\"3\" fill=\"#fbfbf8\" stroke=\"#666666\"");
    for (int i = 0; i < box->line_count; i++) {
        const figure_line *line = &box->line[i];
        const figure_tone_style *tone = &figure_tones[line->tone];
        double top = y + (i + 0.82) * LINE;
        char style[64];
        snprintf(style, sizeof style, "fill=\"%s\"%s", tone->colour,
                 line->tone == FIGURE_DOUBTED ? " stroke=\"#999999\" stroke-dasharray=\"3 2\""
                                              : "");
        if (line->tone != FIGURE_PLAIN)
            svg_rect(to, x + 4, top, width - 8, LINE - 1, style);
        svg_text(to, x + 2 * character, top + LINE - 5, "font-family=\"monospace\"", line->text,
                 FIGURE_LINE_MAX);
    }
}

static double put_tones(FILE *to, const figure_boxes *boxes, double top)
{
    int count = 0;
    for (int i = FIGURE_PLAIN + 1; i < FIGURE_TONE_COUNT; i++) {
        char style[64];
        if (!draw_has_tone(boxes, (figure_tone)i))
            continue;
        snprintf(style, sizeof style, "fill=\"%s\" stroke=\"#999999\"", figure_tones[i].colour);
        if (to) {
            svg_rect(to, MARGIN, top + count * LEGEND_LINE, 22, 11, style);
            svg_text(to, MARGIN + 30, top + count * LEGEND_LINE + 10, "", figure_tones[i].text,
                     FIGURE_LINE_MAX);
        }
        count++;
    }
    return count * LEGEND_LINE + 4;
}

static void put_boxes(FILE *to, figure *of)
{
    figure_layout(&of->boxes);
    const figure_box *outer = of->boxes.box;
    double width = fmax(outer->width * character + 2 * MARGIN, 340);
    double title = put_title(NULL, of, width), legend = title + outer->height * LINE + 4;
    double note = legend + put_tones(NULL, &of->boxes, 0);
    svg_begin(to, width, note + put_note(NULL, of, 0, width), of->title);
    put_title(to, of, width);
    for (int i = 0; i < of->boxes.count; i++)
        if (of->boxes.box[i].width > 0)
            put_box(to, &of->boxes.box[i], title - LINE / 2.0);
    put_tones(to, &of->boxes, legend);
    put_note(to, of, note, width);
    svg_end(to);
}

void draw_svg(FILE *to, figure *of)
{
    static draw_figure *const forms[] = {
        [FIGURE_CHART] = put_chart, [FIGURE_MAP] = put_map, [FIGURE_BOXES] = put_boxes};
    forms[of->form](to, of);
}
