/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIGURE_STYLE_(name, text, colour, sign) [name] = {text, colour, sign},
const figure_tone_style figure_tones[FIGURE_TONE_COUNT] = {FIGURE_TONE_LIST(FIGURE_STYLE_)};
#undef FIGURE_STYLE_

/* The first byte of a character tells its length: its highest bits are that many ones. */
void figure_end_character(char *text)
{
    size_t end = strlen(text), first = end;
    while (first > 0 && ((unsigned char)text[first - 1] & 0xc0) == 0x80)
        first--;
    if (first == 0)
        return;
    unsigned char lead = (unsigned char)text[--first];
    size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (end - first < length)
        text[first] = '\0';
}

void figure_finish(figure *of)
{
    for (int i = 0; i < of->chart.series_count; i++)
        free(of->chart.series[i].point);
    free(of->map.core);
    free(of->map.group);
    free(of->map.cost);
    free(of->boxes.box);
    *of = (figure){.form = of->form};
}

figure_series *figure_add_series(figure_chart *chart, const char *format, ...)
{
    if (chart->series_count == FIGURE_SERIES_MAX)
        return NULL;
    figure_series *series = &chart->series[chart->series_count++];
    va_list args;
    va_start(args, format);
    vsnprintf(series->name, sizeof series->name, format, args);
    va_end(args);
    figure_end_character(series->name);
    return series;
}

/* Grows at powers of two. */
int figure_add_point(figure_series *series, figure_point point)
{
    if (!isfinite(point.x) || !isfinite(point.y))
        return SERVET_OK;
    if ((series->n & (series->n - 1)) == 0) {
        size_t room = series->n ? 2 * series->n : 1;
        figure_point *grown = realloc(series->point, room * sizeof *grown);
        if (!grown)
            return SERVET_EMEMORY;
        series->point = grown;
    }
    series->point[series->n++] = point;
    return SERVET_OK;
}

void figure_add_mark(figure_chart *chart, const figure_mark *mark)
{
    if (chart->mark_count < FIGURE_MARKS_MAX)
        chart->mark[chart->mark_count++] = *mark;
}

void figure_set_title(figure *of, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(of->title, sizeof of->title, format, args);
    va_end(args);
    figure_end_character(of->title);
}

void figure_add_note(figure *to, const char *format, ...)
{
    size_t used = strlen(to->note);
    va_list args;
    va_start(args, format);
    if (used > 0 && used + 1 < sizeof to->note)
        to->note[used++] = ' ';
    vsnprintf(to->note + used, sizeof to->note - used, format, args);
    va_end(args);
    figure_end_character(to->note);
}

void figure_add_doubt(figure *to, const char *what, const char *reason)
{
    char end[FIGURE_NOTE_MAX];
    int length = snprintf(end, sizeof end, " (%s).", reason);
    size_t used = strlen(to->note), before = used - (size_t)length;
    bool is_same = used > (size_t)length && strcmp(to->note + before, end) == 0;
    if (!is_same) {
        figure_add_note(to, "Not trusted: %s%s", what, end);
        return;
    }
    snprintf(to->note + before, sizeof to->note - before, ", %s%s", what, end);
    figure_end_character(to->note);
}

int figure_unmeasured(servet_error *error, const char *what)
{
    error->code = SERVET_EUNMEASURED;
    snprintf(error->text, sizeof error->text, "%s", what);
    return error->code;
}

int figure_out_of_memory(servet_error *error)
{
    error->code = SERVET_EMEMORY;
    snprintf(error->text, sizeof error->text, "%s", servet_error_text(SERVET_EMEMORY));
    return error->code;
}
