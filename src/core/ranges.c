/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/ranges.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

/* strtol() would also take blanks and signs. */
static bool take_number(const char **cursor, int *number)
{
    if (!isdigit((unsigned char)**cursor))
        return false;
    char *end;
    long value = strtol(*cursor, &end, 10);
    if (value > INT_MAX - 1)
        return false;
    *cursor = end;
    *number = (int)value;
    return true;
}

bool srv_ranges_next(const char **cursor, int *first, int *last)
{
    const char *at = *cursor;
    if (!take_number(&at, first))
        return false;
    *last = *first;
    if (*at == '-' && (at++, !take_number(&at, last)))
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
        /* Both ascend: the one that ends first meets nothing further on. */
        more = last_a < last_b ? srv_ranges_next(&a, &first_a, &last_a)
                               : srv_ranges_next(&b, &first_b, &last_b);
    }
    return false;
}

int srv_ranges_count(const char *text)
{
    int first, last, count = 0;
    while (srv_ranges_next(&text, &first, &last))
        count += last - first + 1;
    return count;
}
