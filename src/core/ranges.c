/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "servet/error.h"

/* Writes one range, with a comma if it is behind others; returns the length as snprintf() does. */
static int range_text(int first, int last, bool behind, char *text, size_t size)
{
    const char *comma = behind ? "," : "";
    return last > first ? snprintf(text, size, "%s%d-%d", comma, first, last)
                        : snprintf(text, size, "%s%d", comma, first);
}

/* strtol() would accept blanks and signs, and takes several times as long. */
bool srv_ranges_number(const char **cursor, int most, int *number)
{
    const char *digit = *cursor;
    long long value = 0;
    for (; *digit >= '0' && *digit <= '9' && value <= most; digit++)
        value = 10 * value + (*digit - '0');
    if (digit == *cursor || value > most)
        return false;
    *cursor = digit;
    *number = (int)value;
    return true;
}

bool srv_ranges_next(const char **cursor, int *first, int *last)
{
    const char *at = *cursor;
    if (!srv_ranges_number(&at, SRV_RANGES_MAX - 1, first))
        return false;
    *last = *first;
    if (*at == '-' && (at++, !srv_ranges_number(&at, SRV_RANGES_MAX - 1, last)))
        return false;
    if (*last < *first || (*at && *at != ',') || (*at == ',' && !at[1]))
        return false;
    *cursor = at + (*at == ',');
    return true;
}

bool srv_ranges_valid(const char *text)
{
    int first, last, previous = -1;
    if (!*text)
        return false;
    while (srv_ranges_next(&text, &first, &last)) {
        if (first <= previous)
            return false;
        previous = last;
    }
    return !*text;
}

bool srv_ranges_contain(const char *text, int number)
{
    int first, last;
    while (srv_ranges_next(&text, &first, &last))
        if (first <= number && number <= last)
            return true;
    return false;
}

bool srv_ranges_overlap(const char *a, const char *b)
{
    int first_a, last_a, first_b, last_b;
    bool more = srv_ranges_next(&a, &first_a, &last_a) && srv_ranges_next(&b, &first_b, &last_b);
    while (more) {
        if (first_a <= last_b && first_b <= last_a)
            return true;
        /* Both sets ascend: the range that ends first cannot overlap any later one. */
        more = last_a < last_b ? srv_ranges_next(&a, &first_a, &last_a)
                               : srv_ranges_next(&b, &first_b, &last_b);
    }
    return false;
}

int srv_ranges_common(const char *a, const char *b, char *text, size_t size)
{
    int first_a, last_a, first_b, last_b, count = 0;
    size_t used = 0;
    bool more = srv_ranges_next(&a, &first_a, &last_a) && srv_ranges_next(&b, &first_b, &last_b);
    *text = '\0';
    while (more) {
        int first = first_a > first_b ? first_a : first_b, last = last_a < last_b ? last_a : last_b;
        if (first <= last) {
            char part[32];
            int length = range_text(first, last, count > 0, part, sizeof part);
            if (used + (size_t)length >= size)
                break;
            memcpy(text + used, part, (size_t)length + 1);
            used += (size_t)length;
            count += last - first + 1;
        }
        more = last_a < last_b ? srv_ranges_next(&a, &first_a, &last_a)
                               : srv_ranges_next(&b, &first_b, &last_b);
    }
    return count;
}

int srv_ranges_count(const char *text)
{
    int first, last, count = 0;
    while (srv_ranges_next(&text, &first, &last))
        count += last - first + 1;
    return count;
}

bool srv_ranges_write(const int *numbers, int count, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0, end = 0; i < count; i = end + 1) {
        for (end = i; end + 1 < count && numbers[end + 1] == numbers[end] + 1;)
            end++;
        used += (size_t)range_text(numbers[i], numbers[end], i > 0, text + used, size - used);
        if (used >= size)
            return false;
    }
    return count > 0;
}

/* --- several sets ----------------------------------------------------------------------------- */

typedef struct range {
    int first, last;
} range;

static int by_first(const void *a, const void *b)
{
    const range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Stores the ranges of all sets in `list`, unless it is NULL; returns their number. */
static size_t collect(const char *const *sets, int count, range *list)
{
    size_t n = 0;
    for (int i = 0; i < count; i++) {
        const char *at = sets[i];
        range next;
        while (srv_ranges_next(&at, &next.first, &next.last)) {
            if (list)
                list[n] = next;
            n++;
        }
    }
    return n;
}

int srv_ranges_disjoint(const char *const *sets, int count, bool *disjoint)
{
    size_t n = collect(sets, count, NULL);
    range *list = malloc((n + 1) * sizeof *list);
    if (!list)
        return SERVET_EMEMORY;
    collect(sets, count, list);
    qsort(list, n, sizeof *list, by_first);
    *disjoint = true;
    for (size_t i = 1; i < n; i++)
        *disjoint = *disjoint && list[i - 1].last < list[i].first;
    free(list);
    return SERVET_OK;
}
