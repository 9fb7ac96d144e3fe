/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes elements of SVG. Lengths are in pixels from the upper left corner. */
#ifndef SRV_CLI_PLOT_SVG_H
#define SRV_CLI_PLOT_SVG_H

#include <stdio.h>

/** Writes a text with escapes for XML and HTML. */
void svg_escape(FILE *to, const char *text, int length);

/** Writes the beginning of a white <svg> of this size, with a title for readers who cannot see it;
 * svg_end() closes it. */
void svg_begin(FILE *to, double width, double height, const char *title);
void svg_end(FILE *to);

/** `style` stands for all attributes besides place and size: "fill=\"#fff\"". */
void svg_rect(FILE *to, double x, double y, double width, double height, const char *style);
void svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *style);

/** The first `length` characters of `text`, its baseline at y; `style` as above. */
void svg_text(FILE *to, double x, double y, const char *style, const char *text, int length);

#endif
