/* SPDX-License-Identifier: BSD-3-Clause */
/** Figures as SVG, as text of a terminal, and as a script of gnuplot. */
#ifndef SRV_CLI_PLOT_DRAW_H
#define SRV_CLI_PLOT_DRAW_H

#include <stdio.h>

#include "cli/plot/figure.h"

/** Writes the figure; the layout of boxes is set by it. */
typedef void draw_figure(FILE *to, figure *of);

/** An <svg> element without fonts, links or scripts from elsewhere: a file, or a part of a page.
 * The same figure gives the same text. */
void draw_svg(FILE *to, figure *of);

/** Characters, at most 100 a line where boxes allow that. */
void draw_text(FILE *to, figure *of);

/** A script with its data in it, for `gnuplot`; "" for boxes, which it cannot draw. */
void draw_gnuplot(FILE *to, figure *of);

/* --- what the three use ----------------------------------------------------------------------- */

/** Range and ticks of an axis. */
enum { DRAW_TICKS_MAX = 40 };
typedef struct draw_range {
    figure_scale scale;
    double low, high;
    int tick_count;
    double tick[DRAW_TICKS_MAX];
} draw_range;

/** The ranges that contain all points and marks, with at most about `most` ticks each. */
void draw_ranges(const figure_chart *chart, int most_x, int most_y, draw_range *x, draw_range *y);

/** Position of a number in the range, 0..1. */
double draw_position(const draw_range *range, double value);

/** The range of the costs of a map: true if there are any. */
bool draw_map_range(const figure_map *map, double *low, double *high);

/** The cost of a cell as 0..1 of that range, by its logarithm; -1 if it is unknown. The maximum is
 * less than 1 if the range is within a factor of two, so that small differences look small. */
double draw_map_share(double cost, double low, double high);

/** The next line of a text of at most `width` characters, broken at blanks: its `*length`, and
 * `*text` moved behind it; NULL at the end. */
const char *draw_wrap(const char **text, int width, int *length);

/** True if a box of the figure has a line of this tone, so that the legend explains it. */
bool draw_has_tone(const figure_boxes *boxes, figure_tone tone);

#endif
