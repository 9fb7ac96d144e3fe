/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A picture before it is drawn: a chart, a map of numbers, or nested boxes. The code that fills it
 * in knows the profile, but no formats; the code that draws it does not know the profile.
 */
#ifndef SRV_CLI_PLOT_FIGURE_H
#define SRV_CLI_PLOT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/human.h"
#include "servet/error.h"
#include "servet/value.h"

enum {
    FIGURE_TITLE_MAX = 160,
    FIGURE_NAME_MAX = 64,
    FIGURE_SERIES_MAX = 12,
    FIGURE_MARKS_MAX = 12,
    FIGURE_LINE_MAX = 64
};

/* --- charts ----------------------------------------------------------------------------------- */

typedef enum figure_scale { FIGURE_LINEAR, FIGURE_LOG2, FIGURE_LOG10 } figure_scale;

typedef struct figure_axis {
    const char *label;
    figure_scale scale;
    void (*text)(double value, char text[HUMAN_MAX]); /**< writes the text of a tick */
    bool whole;                                       /**< only whole numbers have ticks */
} figure_axis;

/** Numbers are positive on a logarithmic axis. */
typedef struct figure_point {
    double x, y;
    double low, high; /**< interval of y; y itself if it has none */
} figure_point;

typedef struct figure_series {
    char name[FIGURE_NAME_MAX];
    bool is_model;   /**< computed from facts, not measured: a line without points */
    bool is_doubted; /**< not trusted: drawn with dashes, and the legend says so */
    size_t n;
    figure_point *point; /**< owned by the figure */
} figure_series;

/** A position on the x axis with a name; low..high is its interval. */
typedef struct figure_mark {
    char name[FIGURE_NAME_MAX];
    double x, low, high;
    bool is_doubted;
} figure_mark;

typedef struct figure_chart {
    figure_axis x, y;
    int series_count, mark_count;
    figure_series series[FIGURE_SERIES_MAX];
    figure_mark mark[FIGURE_MARKS_MAX];
} figure_chart;

/* --- maps ------------------------------------------------------------------------------------- */

/** A number for each pair of n cores, in the order in which they are drawn. */
typedef struct figure_map {
    int n;
    int *core;  /**< OS numbers; owned by the figure */
    int *group; /**< number for each core: there is a border between neighbours with different ones
                 */
    double *cost; /**< n * n by rows, NaN where unknown; owned by the figure */
    const char *unit;
} figure_map;

/* --- boxes ------------------------------------------------------------------------------------ */

/** The meanings of the colours of lines in boxes, in the words of the legend. */
#define FIGURE_TONE_LIST(X)                                                                        \
    X(FIGURE_PLAIN, "", "#ffffff")                                                                 \
    X(FIGURE_AGREES, "agrees with the OS", "#cdebd5")                                              \
    X(FIGURE_DIFFERS, "differs from the OS", "#ffcfc2")                                            \
    X(FIGURE_NOT_VISIBLE, "the OS does not report it", "#d3e3fa")                                  \
    X(FIGURE_PART, "only a part was reached", "#fde7b0")                                           \
    X(FIGURE_DOUBTED, "not trusted", "#e3e3e3")

#define FIGURE_ENUM_(name, text, colour) name,
typedef enum figure_tone { FIGURE_TONE_LIST(FIGURE_ENUM_) FIGURE_TONE_COUNT } figure_tone;
#undef FIGURE_ENUM_

/** Text of the legend, and colour. */
typedef struct figure_tone_style {
    const char *text, *colour;
} figure_tone_style;
extern const figure_tone_style figure_tones[FIGURE_TONE_COUNT];

typedef struct figure_line {
    char text[FIGURE_LINE_MAX];
    figure_tone tone;
} figure_line;

enum { FIGURE_LINES_MAX = 10, FIGURE_NONE = -1 };

/** A box: lines of text, and below them boxes side by side. */
typedef struct figure_box {
    int line_count;
    figure_line line[FIGURE_LINES_MAX];
    int child, next;   /**< indices of the first box in it, and of the one beside it */
    int left, top;     /**< in characters and lines, from the corner of the drawing */
    int width, height; /**< with its border; set by figure_layout() */
} figure_box;

/** Boxes; the first one contains all others. */
typedef struct figure_boxes {
    int count;
    figure_box *box; /**< owned by the figure */
} figure_boxes;

/** Adds a box as the last one in box `parent` (FIGURE_NONE: it is the first box); returns its
 * index, FIGURE_NONE without memory. */
int figure_add_box(figure_boxes *boxes, int parent);

/** Adds a line at the end of a box. A text that is too long is cut; too many lines are dropped. */
void figure_add_line(figure_box *box, figure_tone tone, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Sets the positions of all boxes. */
void figure_layout(figure_boxes *boxes);

/* --- all of them ------------------------------------------------------------------------------ */

typedef enum figure_form { FIGURE_CHART, FIGURE_MAP, FIGURE_BOXES } figure_form;

typedef struct figure {
    figure_form form;
    char title[FIGURE_TITLE_MAX];
    char *note;         /**< see figure_note() */
    bool is_incomplete; /**< a part of the note is missing because memory was short */
    figure_chart chart; /**< of these, only the member that the form names is filled in */
    figure_map map;
    figure_boxes boxes;
} figure;

/** Drops the last character of a text that was cut within it; otherwise `text` is UTF-8. */
void figure_end_character(char *text);

/** Frees the memory of the figure. A zeroed figure is allowed. */
void figure_finish(figure *of);

/** Sentences for the reader, mainly doubts; "" if there are none. */
const char *figure_note(const figure *of);

/** A new series without points; NULL if there are too many. */
figure_series *figure_add_series(figure_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Appends a point, if it is finite; returns SERVET_OK or SERVET_EMEMORY. */
int figure_add_point(figure_series *series, figure_point point);

/** Appends a value with its interval, in units of 1 / `scale`; if it is not trusted, the series is
 * doubted. An unknown value is left out. Returns SERVET_OK or SERVET_EMEMORY. */
int figure_add_value(figure_series *series, double x, const servet_value *value, double scale);

/** Appends a mark; if there are too many, it is dropped. */
void figure_add_mark(figure_chart *chart, const figure_mark *mark);

/** Sets the title; a text that is too long is cut. */
void figure_set_title(figure *of, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Appends a sentence to the note. */
void figure_add_note(figure *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Appends more to the last sentence. */
void figure_continue_note(figure *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Notes that `what` is not trusted; joins it with earlier notes of the same reason in one
 * sentence. */
void figure_add_doubt(figure *to, const char *what, const char *reason);

#endif
