/* SPDX-License-Identifier: BSD-3-Clause */
/** Draws figures as SVG and as a script for gnuplot. */
#ifndef SRV_CLI_PLOT_DRAW_H
#define SRV_CLI_PLOT_DRAW_H

#include <stdio.h>

#include "cli/plot/figure.h"

/** Writes the figure; sets the layout of boxes. */
typedef void draw_figure(FILE *to, figure *of);

/** Writes an <svg> element, which is a file or a part of a page, and loads no fonts, links or
 * scripts. The same figure gives the same text. */
void draw_svg(FILE *to, figure *of);

/** Writes a script for gnuplot, with its data; nothing for boxes, which gnuplot cannot draw. */
void draw_gnuplot(FILE *to, figure *of);

/* --- common parts ----------------------------------------------------------------------------- */

/** Range and ticks of an axis. */
enum { DRAW_TICKS_MAX = 40 };
typedef struct draw_range {
    figure_scale scale;
    double low, high;
    int tick_count;
    double tick[DRAW_TICKS_MAX];
} draw_range;

/** Finds ranges that contain all points and marks, with about `most_x` and `most_y` ticks at most.
 */
void draw_ranges(const figure_chart *chart, int most_x, int most_y, draw_range *x, draw_range *y);

/** Position of a number in the range, 0..1. */
double draw_position(const draw_range *range, double value);

/** The range of the costs of a map: true if there are any. */
bool draw_map_range(const figure_map *map, double *low, double *high);

/** Returns the position of a cell's cost in the range, 0..1, on a logarithmic scale; -1 if it is
 * unknown. If the range is within a factor of two, the largest position is below 1, so that small
 * differences look small. */
double draw_map_share(double cost, double low, double high);

/** Returns the next line of a text, of at most `width` characters, broken at blanks; stores its
 * `*length`, and moves `*text` behind it. NULL at the end. */
const char *draw_wrap(const char **text, int width, int *length);

/** True if a box of the figure has a line of this tone, so that the legend explains it. */
bool draw_has_tone(const figure_boxes *boxes, figure_tone tone);

#endif
