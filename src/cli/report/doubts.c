/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/doubts.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Fewer are read as they are. */
enum { GROUP_LEAST = 4 };

static const char SIGN[] = "! ", SAYS[] = " not trusted: ";

static int length_of(const char *line)
{
    return (int)strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += length_of(line);
    return line + (*line == '\n');
}

/* The reason in a line, which ends with it; NULL: it is about something else. */
static const char *reason_in(const char *line)
{
    const char *says = strstr(line, SAYS);
    bool is_doubt = strncmp(line, SIGN, strlen(SIGN)) == 0 && says && says < line + length_of(line);
    return is_doubt ? says + strlen(SAYS) : NULL;
}

/* True if two lines have one reason, numbers apart. */
static bool alike(const char *a, const char *b)
{
    while (true) {
        a += strspn(a, "0123456789.");
        b += strspn(b, "0123456789.");
        bool ends = !*a || *a == '\n';
        if (ends || *a != *b)
            return ends && (!*b || *b == '\n');
        a++;
        b++;
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

/* The next line after `line` with such a reason; NULL: there is none. */
static const char *next_alike(const char *line, const char *reason)
{
    for (line = next_line(line); *line; line = next_line(line)) {
        const char *other = reason_in(line);
        if (other && alike(reason, other))
            return line;
    }
    return NULL;
}

/* The first line of those with this reason, and how many they are. */
static const char *first_alike(const char *lines, const char *reason, int *count)
{
    const char *first = NULL;
    *count = 0;
    for (const char *line = lines; *line; line = next_line(line)) {
        const char *other = reason_in(line);
        if (!other || !alike(reason, other))
            continue;
        first = first ? first : line;
        ++*count;
    }
    return first;
}

/* "latency of L1" of "! L1: latency not trusted: REASON". */
static void write_what(FILE *to, const char *line)
{
    const char *what = line + strlen(SIGN), *end = strstr(what, SAYS), *colon = strstr(what, ": ");
    while (end[-1] == ':')
        end--;
    if (colon && colon < end)
        fprintf(to, "%.*s of %.*s", (int)(end - colon) - 2, colon + 2, (int)(colon - what), what);
    else
        fprintf(to, "%.*s", (int)(end - what), what);
}

/* The reason, with all that its first number is in these lines. */
static void write_reason(FILE *to, const char *first)
{
    const char *reason = reason_in(first);
    int before = (int)strcspn(reason, "0123456789\n");
    double least = INFINITY, most = -INFINITY;
    if (!isdigit((unsigned char)reason[before])) {
        fprintf(to, "%.*s", length_of(reason), reason);
        return;
    }
    for (const char *line = first; line; line = next_alike(line, reason)) {
        double number = strtod(reason_in(line) + before, NULL);
        least = fmin(least, number);
        most = fmax(most, number);
    }
    const char *after = reason + before + strspn(reason + before, "0123456789.");
    fprintf(to, "%.*s%g", before, reason, least);
    if (most > least)
        fprintf(to, "-%g", most);
    fprintf(to, "%.*s", length_of(after), after);
}

static void write_group(FILE *to, const char *first)
{
    const char *reason = reason_in(first), *between = ": ";
    fputs("! not trusted, ", to);
    write_reason(to, first);
    for (const char *line = first; line; line = next_alike(line, reason)) {
        fputs(between, to);
        write_what(to, line);
        between = ", ";
    }
    fputc('\n', to);
}

void report_write_doubts(FILE *to, const char *lines)
{
    for (const char *line = lines; *line; line = next_line(line)) {
        const char *reason = reason_in(line), *first = NULL;
        int count = 0;
        if (reason)
            first = first_alike(lines, reason, &count);
        if (count < GROUP_LEAST)
            fprintf(to, "%.*s\n", length_of(line), line);
        else if (line == first)
            write_group(to, first);
    }
}
