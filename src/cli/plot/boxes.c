/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the positions of nested boxes. */
#include "cli/plot/figure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

int figure_add_box(figure_boxes *boxes, int parent)
{
    figure_box *grown = srv_grow(boxes->box, (size_t)boxes->count, sizeof *grown);
    if (!grown)
        return FIGURE_NONE;
    boxes->box = grown;
    int added = boxes->count++;
    boxes->box[added] = (figure_box){.child = FIGURE_NONE, .next = FIGURE_NONE};
    if (parent == FIGURE_NONE)
        return added;
    int *link = &boxes->box[parent].child;
    while (*link != FIGURE_NONE)
        link = &boxes->box[*link].next;
    *link = added;
    return added;
}

void figure_add_line(figure_box *box, figure_tone tone, const char *format, ...)
{
    if (box->line_count == FIGURE_LINES_MAX)
        return;
    figure_line *line = &box->line[box->line_count++];
    va_list args;
    va_start(args, format);
    vsnprintf(line->text, sizeof line->text, format, args);
    va_end(args);
    figure_end_character(line->text);
    line->tone = tone;
}

/* --- layout ----------------------------------------------------------------------------------- */

/* The border and a blank on each side; a blank between boxes. Rows of boxes have at most ACROSS
 * characters if possible. */
enum { FRAME = 2, BORDER = 1, APART = 1, ACROSS = 120 };

static void move(figure_boxes *boxes, int index, int right, int down)
{
    figure_box *box = &boxes->box[index];
    box->left += right;
    box->top += down;
    for (int child = box->child; child != FIGURE_NONE; child = boxes->box[child].next)
        move(boxes, child, right, down);
}

static int text_width(const figure_box *box)
{
    int width = 0;
    for (int i = 0; i < box->line_count; i++) {
        int length = (int)strlen(box->line[i].text);
        width = length > width ? length : width;
    }
    return width;
}

static void place(figure_boxes *boxes, int index, int width);

/* Places the children side by side, in rows of at most `width`. Returns their width, and their
 * height in `*height`. */
static int place_children(figure_boxes *boxes, int index, int width, int top, int *height)
{
    int left = FRAME, widest = 0, row_top = top, row_height = 0;
    for (int i = boxes->box[index].child; i != FIGURE_NONE; i = boxes->box[i].next) {
        place(boxes, i, width);
        figure_box *child = &boxes->box[i];
        if (left > FRAME && left - FRAME + child->width > width) {
            row_top += row_height;
            left = FRAME;
            row_height = 0;
        }
        move(boxes, i, left, row_top);
        left += child->width + APART;
        widest = left - APART - FRAME > widest ? left - APART - FRAME : widest;
        row_height = child->height > row_height ? child->height : row_height;
    }
    *height = row_top + row_height - top;
    return widest;
}

/* Places a box at 0, 0, and all boxes in it. */
static void place(figure_boxes *boxes, int index, int width)
{
    int below = 0, own = text_width(&boxes->box[index]);
    int lines = boxes->box[index].line_count;
    int inner = place_children(boxes, index, width - 2 * FRAME, BORDER + lines, &below);
    figure_box *box = &boxes->box[index];
    box->left = box->top = 0;
    box->width = 2 * FRAME + (inner > own ? inner : own);
    box->height = 2 * BORDER + lines + below;
}

void figure_layout(figure_boxes *boxes)
{
    if (boxes->count > 0)
        place(boxes, 0, ACROSS);
}
