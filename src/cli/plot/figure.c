/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/units.h"
#include "servet/profile.h"

#define FIGURE_STYLE_(name, text, colour) [name] = {text, colour},
const figure_tone_style figure_tones[FIGURE_TONE_COUNT] = {FIGURE_TONE_LIST(FIGURE_STYLE_)};
#undef FIGURE_STYLE_

/* The first byte of a character gives its length: the number of its highest bits that are set. */
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
    free(of->note);
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

int figure_add_point(figure_series *series, figure_point point)
{
    if (!srv_is_bounded(point.x) || !srv_is_bounded(point.y))
        return SERVET_OK;
    point.low = srv_is_bounded(point.low) ? point.low : point.y;
    point.high = srv_is_bounded(point.high) ? point.high : point.y;
    figure_point *grown = srv_grow(series->point, series->n, sizeof *grown);
    if (!grown)
        return SERVET_EMEMORY;
    series->point = grown;
    series->point[series->n++] = point;
    return SERVET_OK;
}

int figure_add_value(figure_series *series, double x, const servet_value *value, double scale)
{
    if (!series || !servet_value_known(value))
        return SERVET_OK;
    series->is_doubted = series->is_doubted || !value->trusted;
    return figure_add_point(series, (figure_point){.x = x,
                                                   .y = value->value * scale,
                                                   .low = value->low * scale,
                                                   .high = value->high * scale});
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

const char *figure_note(const figure *of)
{
    return of->note ? of->note : "";
}

/* Writes a text behind the first `keep` bytes of the note. */
__attribute__((format(printf, 3, 0))) static void write_note_list(figure *to, size_t keep,
                                                                  const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *grown = realloc(to->note, keep + size);
    to->is_incomplete = to->is_incomplete || !grown;
    if (!grown)
        return;
    to->note = grown;
    vsnprintf(to->note + keep, size, format, args);
}

__attribute__((format(printf, 3, 4))) static void write_note(figure *to, size_t keep,
                                                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_note_list(to, keep, format, args);
    va_end(args);
}

void figure_continue_note(figure *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_note_list(to, strlen(figure_note(to)), format, args);
    va_end(args);
}

void figure_add_note(figure *to, const char *format, ...)
{
    va_list args;
    if (to->note)
        figure_continue_note(to, " ");
    va_start(args, format);
    write_note_list(to, strlen(figure_note(to)), format, args);
    va_end(args);
}

void figure_add_doubt(figure *to, const char *what, const char *reason)
{
    char end[SERVET_TEXT_MAX + 8];
    size_t length = (size_t)snprintf(end, sizeof end, " (%.*s).", SERVET_TEXT_MAX, reason);
    size_t used = strlen(figure_note(to)), before = used - length;
    bool is_same = used > length && strcmp(to->note + before, end) == 0;
    if (is_same)
        write_note(to, before, ", %s%s", what, end);
    else
        figure_add_note(to, "Not trusted: %s%s", what, end);
}
