/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_WIDTH = 100 };

static void put_wrapped(FILE *to, const char *text)
{
    int length;
    for (const char *part; (part = draw_wrap(&text, TEXT_WIDTH, &length));)
        fprintf(to, "%.*s\n", length, part);
}

/* --- a page of characters --------------------------------------------------------------------- */

typedef struct page {
    int width, height;
    char *cell;
} page;

static bool begin_page(page *on, int width, int height)
{
    *on = (page){width, height, malloc((size_t)width * (size_t)height)};
    if (on->cell)
        memset(on->cell, ' ', (size_t)width * (size_t)height);
    return on->cell != NULL;
}

static void put(page *on, int x, int y, char c)
{
    if (x >= 0 && x < on->width && y >= 0 && y < on->height)
        on->cell[y * on->width + x] = c;
}

static void put_string(page *on, int x, int y, const char *text)
{
    for (; *text; text++)
        put(on, x++, y, *text);
}

static void end_page(page *on, FILE *to)
{
    for (int y = 0; y < on->height; y++) {
        const char *row = on->cell + y * on->width;
        int length = on->width;
        while (length > 0 && row[length - 1] == ' ')
            length--;
        fprintf(to, "%.*s\n", length, row);
    }
    free(on->cell);
}

/* --- charts ----------------------------------------------------------------------------------- */

enum { LEFT = 10, ACROSS = 80, BESIDE = 4, DOWN = 20, HEIGHT = DOWN + 3 };

static const char signs[] = "*o+x#@%&=~$s";

static int column(const draw_range *x, double value)
{
    return LEFT + 1 + (int)lround(fmin(fmax(draw_position(x, value), 0), 1) * (ACROSS - 1));
}

static int row(const draw_range *y, double value)
{
    return DOWN - 1 - (int)lround(fmin(fmax(draw_position(y, value), 0), 1) * (DOWN - 1));
}

static void put_axes(page *on, const figure_chart *chart, const draw_range *x, const draw_range *y)
{
    char text[HUMAN_MAX];
    int end = 0;
    for (int i = 0; i < DOWN; i++)
        put(on, LEFT, i, '|');
    for (int i = 0; i < ACROSS; i++)
        put(on, LEFT + 1 + i, DOWN, '-');
    put(on, LEFT, DOWN, '+');
    for (int i = 0; i < y->tick_count; i++) {
        chart->y.text(y->tick[i], text);
        put_string(on, LEFT - 1 - (int)strlen(text), row(y, y->tick[i]), text);
        put(on, LEFT, row(y, y->tick[i]), '+');
    }
    for (int i = 0; i < x->tick_count; i++) {
        int at = column(x, x->tick[i]), half;
        chart->x.text(x->tick[i], text);
        half = (int)strlen(text) / 2;
        put(on, at, DOWN, '+');
        if (at - half <= end)
            continue;
        put_string(on, at - half, DOWN + 1, text);
        end = at - half + (int)strlen(text);
    }
    put_string(on, LEFT + 1 + (ACROSS - (int)strlen(chart->x.label)) / 2, DOWN + 2, chart->x.label);
}

/* Draws a series; the line of a model has a sign in each column between its points. */
static void put_series(page *on, const figure_series *series, char sign, const draw_range *x,
                       const draw_range *y)
{
    for (size_t i = 0; i < series->n; i++)
        put(on, column(x, series->point[i].x), row(y, series->point[i].y), sign);
}

static void put_chart(FILE *to, figure *of)
{
    const figure_chart *chart = &of->chart;
    draw_range x, y;
    page on;
    draw_ranges(chart, 10, 6, &x, &y);
    if (!begin_page(&on, LEFT + 1 + ACROSS + BESIDE, HEIGHT))
        return;
    fprintf(to, "%s\n", chart->y.label);
    for (int i = 0; i < chart->mark_count; i++)
        for (int k = 0; k < DOWN; k++)
            put(&on, column(&x, chart->mark[i].x), k, ':');
    for (int i = 0; i < chart->series_count; i++)
        put_series(&on, &chart->series[i], signs[i], &x, &y);
    put_axes(&on, chart, &x, &y);
    end_page(&on, to);
    for (int i = 0; i < chart->series_count; i++)
        fprintf(to, "  %c  %s%s\n", signs[i], chart->series[i].name,
                chart->series[i].is_doubted ? " (not trusted)" : "");
    for (int i = 0; i < chart->mark_count; i++)
        fprintf(to, "  :  %s%s\n", chart->mark[i].name,
                chart->mark[i].is_doubted ? " (not trusted)" : "");
}

/* --- maps ------------------------------------------------------------------------------------- */

/* Draws a map: numbers if they fit a line, otherwise letters for the distance, from a (near) to z
 * (far). */
static void put_map(FILE *to, figure *of)
{
    enum { NUMBERS_MAX = 16, CORES_MAX = 96 };
    const figure_map *map = &of->map;
    double low = 0, high = 0;
    bool numbers = map->n <= NUMBERS_MAX, any = draw_map_range(map, &low, &high);
    for (int i = 0; i < map->n && numbers; i++)
        fprintf(to, "%*d", i ? 6 : 12, map->core[i]);
    fputs(numbers ? "\n" : "", to);
    for (int i = 0; i < map->n && i < CORES_MAX; i++) {
        fprintf(to, "%5d ", map->core[i]);
        for (int k = 0; k < map->n && k < CORES_MAX; k++) {
            double cost = map->cost[i * map->n + k], share = draw_map_share(cost, low, high);
            if (!numbers)
                fputc(share < 0 ? '.' : 'a' + (int)lround(share * 25), to);
            else if (share < 0)
                fputs("     .", to);
            else
                fprintf(to, "%6.3g", cost);
        }
        fputc('\n', to);
    }
    if (any && !numbers)
        fprintf(to, "  a: %.3g %s ... z: %.3g %s, by their logarithms\n", low, map->unit, high,
                map->unit);
    if (map->n > CORES_MAX)
        fprintf(to, "  the first %d of %d cores\n", CORES_MAX, map->n);
}

/* --- boxes ------------------------------------------------------------------------------------ */

static void put_frame(page *on, const figure_box *box)
{
    int right = box->left + box->width - 1, bottom = box->top + box->height - 1;
    for (int x = box->left; x <= right; x++) {
        put(on, x, box->top, '-');
        put(on, x, bottom, '-');
    }
    for (int y = box->top; y <= bottom; y++) {
        bool corner = y == box->top || y == bottom;
        put(on, box->left, y, corner ? '+' : '|');
        put(on, right, y, corner ? '+' : '|');
    }
    for (int i = 0; i < box->line_count; i++) {
        put(on, box->left + 1, box->top + 1 + i, figure_tones[box->line[i].tone].sign);
        put_string(on, box->left + 2, box->top + 1 + i, box->line[i].text);
    }
}

static void put_boxes(FILE *to, figure *of)
{
    page on;
    figure_layout(&of->boxes, TEXT_WIDTH);
    if (!begin_page(&on, of->boxes.box[0].width, of->boxes.box[0].height))
        return;
    for (int i = 0; i < of->boxes.count; i++)
        if (of->boxes.box[i].width > 0)
            put_frame(&on, &of->boxes.box[i]);
    end_page(&on, to);
    for (int i = 0; i < FIGURE_TONE_COUNT; i++)
        if (figure_tones[i].sign != ' ' && draw_has_tone(&of->boxes, (figure_tone)i))
            fprintf(to, "  %c  %s\n", figure_tones[i].sign, figure_tones[i].text);
}

void draw_text(FILE *to, figure *of)
{
    static draw_figure *const forms[] = {
        [FIGURE_CHART] = put_chart, [FIGURE_MAP] = put_map, [FIGURE_BOXES] = put_boxes};
    put_wrapped(to, of->title);
    forms[of->form](to, of);
    put_wrapped(to, figure_note(of));
}
