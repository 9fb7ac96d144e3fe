/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes ranges, ticks and line breaks, which are common to both formats. */
#include "cli/plot/draw.h"

#include <math.h>
#include <string.h>

/* --- axes ------------------------------------------------------------------------------------- */

static double base_of(figure_scale scale)
{
    return scale == FIGURE_LOG2 ? 2 : 10;
}

static double on_scale(figure_scale scale, double value)
{
    return scale == FIGURE_LINEAR ? value : log(value) / log(base_of(scale));
}

double draw_position(const draw_range *range, double value)
{
    double low = on_scale(range->scale, range->low), high = on_scale(range->scale, range->high);
    return high > low ? (on_scale(range->scale, value) - low) / (high - low) : 0.5;
}

/* Ignores values of a raw series that the axis cannot show. */
static void widen(draw_range *range, double value)
{
    if (!isfinite(value) || (range->scale != FIGURE_LINEAR && value <= 0))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* Rounds a step to 1, 2 or 5 times a power of ten. */
static double round_step(double rough)
{
    double power = pow(10, floor(log10(rough))), share = rough / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void add_tick(draw_range *range, double value)
{
    if (range->tick_count < DRAW_TICKS_MAX)
        range->tick[range->tick_count++] = value;
}

/* Sets a linear axis. It begins at 0, because readers compare lengths. */
static void set_linear(draw_range *range, int most, bool whole)
{
    double step = round_step(fmax(range->high, 1e-300) / most);
    if (whole && step < 1)
        step = 1;
    range->low = 0;
    range->high = step * ceil(range->high / step - 1e-9);
    for (int i = 0; i < DRAW_TICKS_MAX && i * step <= range->high * (1 + 1e-9); i++)
        add_tick(range, i * step);
}

/* Sets ticks at whole powers: at each one, or at every second, third, ... */
static void set_powers(draw_range *range, int most)
{
    double base = base_of(range->scale);
    int first = (int)floor(on_scale(range->scale, range->low) + 1e-9);
    int last = (int)ceil(on_scale(range->scale, range->high) - 1e-9);
    last = last > first ? last : first + 1;
    int step = (last - first + most - 1) / most;
    range->low = pow(base, first);
    range->high = pow(base, last);
    for (int i = first; i <= last; i += step > 0 ? step : 1)
        add_tick(range, pow(base, i));
}

static void finish(draw_range *range, const figure_axis *axis, int most)
{
    if (range->low > range->high)
        range->low = range->high = 1;
    if (range->scale == FIGURE_LINEAR)
        set_linear(range, most, axis->whole);
    else
        set_powers(range, most);
}

void draw_ranges(const figure_chart *chart, int most_x, int most_y, draw_range *x, draw_range *y)
{
    static const double headroom = 0.05; /* so that no point lies on the frame */
    *x = (draw_range){.scale = chart->x.scale, .low = INFINITY, .high = -INFINITY};
    *y = (draw_range){.scale = chart->y.scale, .low = INFINITY, .high = -INFINITY};
    for (int i = 0; i < chart->series_count; i++)
        for (size_t k = 0; k < chart->series[i].n; k++) {
            const figure_point *point = &chart->series[i].point[k];
            widen(x, point->x);
            widen(y, point->low);
            widen(y, point->high);
        }
    for (int i = 0; i < chart->mark_count; i++)
        widen(x, chart->mark[i].x);
    if (y->scale == FIGURE_LINEAR)
        y->high *= 1 + headroom;
    finish(x, &chart->x, most_x);
    finish(y, &chart->y, most_y);
}

/* --- maps ------------------------------------------------------------------------------------- */

bool draw_map_range(const figure_map *map, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < map->n * map->n; i++)
        if (isfinite(map->cost[i])) {
            *low = fmin(*low, map->cost[i]);
            *high = fmax(*high, map->cost[i]);
        }
    return *low <= *high;
}

double draw_map_share(double cost, double low, double high)
{
    static const double worth_seeing = 2;
    if (!isfinite(cost))
        return -1;
    return log(cost / low) / log(fmax(high / low, worth_seeing));
}

/* --- texts ------------------------------------------------------------------------------------ */

const char *draw_wrap(const char **text, int width, int *length)
{
    const char *from = *text;
    int all = (int)strlen(from), end = all < width ? all : width;
    if (end < all)
        while (end > 0 && from[end] != ' ')
            end--;
    if (end == 0)
        end = all < width ? all : width;
    while (end > 1 && ((unsigned char)from[end] & 0xc0) == 0x80)
        end--;
    *length = end;
    *text = from + end + (from[end] == ' ');
    return all > 0 ? from : NULL;
}

bool draw_has_tone(const figure_boxes *boxes, figure_tone tone)
{
    for (int i = 0; i < boxes->count; i++)
        for (int k = 0; k < boxes->box[i].line_count; k++)
            if (boxes->box[i].line[k].tone == tone)
                return true;
    return false;
}
