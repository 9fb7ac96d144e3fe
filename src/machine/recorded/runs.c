/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/runs.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/* Tuples that are repeated together, at most: pairs of the cores of a node. */
enum { GROUP_MAX = 64 };

/* Some tuples, and how often they come with equal steps. */
typedef struct run {
    int group, times;
} run;

static const int *tuple(const int *numbers, int width, int at)
{
    return numbers + (size_t)at * (size_t)width;
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool same_step(const int *from, const int *to, const int *first, const int *second,
                      int width)
{
    for (int k = 0; k < width; k++)
        if ((long long)to[k] - from[k] != (long long)second[k] - first[k])
            return false;
    return true;
}

/* How often the first `group` of the tuples come. */
static int count_times(const int *numbers, int width, int count, int group)
{
    int at = group;
    while (at < count && same_step(tuple(numbers, width, at - group), tuple(numbers, width, at),
                                   numbers, tuple(numbers, width, group), width))
        at++;
    return at / group;
}

/* The one that spares the most tuples; a run of two spares nothing. */
static run best_run(const int *numbers, int width, int count)
{
    run best = {1, 1};
    int spared = 1;
    for (int group = 1; group <= GROUP_MAX && 2 * group <= count; group++) {
        int times = count_times(numbers, width, count, group);
        if ((times - 1) * group <= spared)
            continue;
        spared = (times - 1) * group;
        best = (run){group, times};
    }
    return best;
}

static void write_run(const int *first, int width, run of, FILE *stream)
{
    for (int i = 0; i < of.group * width; i++)
        fprintf(stream, "%c%d", i == 0 ? ' ' : i % width ? ',' : ';', first[i]);
    if (of.times == 1)
        return;
    fprintf(stream, "*%d", of.times);
    for (int k = 0; k < width; k++)
        fprintf(stream, "%+d", tuple(first, width, of.group)[k] - first[k]);
}

void srv_runs_write(const int *numbers, int width, int count, FILE *stream)
{
    for (int i = 0; i < count;) {
        const int *first = tuple(numbers, width, i);
        run next = best_run(first, width, count - i);
        write_run(first, width, next, stream);
        i += next.group * next.times;
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_number(const char **text, int *number)
{
    char *end;
    long read = strtol(*text, &end, 10);
    bool fits = end != *text && read >= INT_MIN && read <= INT_MAX;
    *number = fits ? (int)read : 0;
    *text = end;
    return fits;
}

static bool read_sign(const char **text, char sign)
{
    bool found = **text == sign;
    *text += found;
    return found;
}

static bool read_tuple(const char **text, int width, int *numbers)
{
    bool whole = true;
    for (int k = 0; k < width && whole; k++)
        whole = (k == 0 || read_sign(text, ',')) && read_number(text, &numbers[k]);
    return whole;
}

/* The tuples of a group, room for `most`; 0 for other things. */
static int read_group(const char **text, int width, int *numbers, int most)
{
    int count = 0;
    do {
        if (count == most || !read_tuple(text, width, numbers + (size_t)count * (size_t)width))
            return 0;
        count++;
    } while (read_sign(text, ';'));
    return count;
}

static bool read_steps(const char **text, int width, int *times, int *steps)
{
    *times = 1;
    if (!read_sign(text, '*'))
        return true;
    bool whole = read_number(text, times) && *times > 0;
    for (int k = 0; k < width && whole; k++)
        whole = (**text == '+' || **text == '-') && read_number(text, &steps[k]);
    return whole;
}

/* The further groups of a run, behind its first one. */
static void fill(int *numbers, int width, run of, const int *steps)
{
    int columns = of.group * width;
    for (int i = columns; i < columns * of.times; i++)
        numbers[i] = (int)((long long)numbers[i - columns] + steps[i % width]);
}

int srv_runs_read(const char **text, int width, int *numbers, int most)
{
    int count = 0;
    while (count < most && read_sign(text, ' ')) {
        int *first = numbers + (size_t)count * (size_t)width, steps[SRV_RUNS_WIDTH_MAX] = {0};
        run next = {.group = read_group(text, width, first, most - count)};
        bool whole = next.group > 0 && read_steps(text, width, &next.times, steps);
        if (!whole || next.times > (most - count) / next.group)
            return -1;
        fill(first, width, next, steps);
        count += next.group * next.times;
    }
    return **text == '\0' || **text == ' ' ? count : -1;
}
