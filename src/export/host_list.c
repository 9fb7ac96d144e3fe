/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/host_list.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "servet/network.h"

/* A number with more digits is treated as text. */
enum { DIGITS_MAX = 9 };

/* --- reading ---------------------------------------------------------------------------------- */

/* A list that is being read, and the name that is being built. */
typedef struct reading {
    const char *list;
    srv_host_taker *take;
    void *context;
    servet_error *error;
    char name[SERVET_NAME_MAX];
} reading;

static int refuse(const reading *on)
{
    return srv_fail(on->error, SERVET_EFORMAT,
                    "not a list of nodes: '%.64s' (expected names such as node[01-16],login1)",
                    on->list);
}

/* Reads the number at `*at` and counts its digits. Returns false if there is no number. */
static bool read_number(const char **at, const char *end, int *digits, long *number)
{
    *number = 0;
    *digits = 0;
    for (; *at < end && isdigit((unsigned char)**at); ++*at, ++*digits)
        if (*digits == DIGITS_MAX)
            return false;
        else
            *number = 10 * *number + (**at - '0');
    return *digits > 0;
}

static int expand(reading *on, size_t used, const char *at, const char *end);

/* Expands one range of a bracket, "01-04" or "07"; `rest` is the text behind the bracket. */
static int expand_range(reading *on, size_t used, const char **at, const char *close,
                        const char *end)
{
    int digits, last_digits, code = SERVET_OK;
    long first, last;
    if (!read_number(at, close, &digits, &first))
        return refuse(on);
    last = first;
    if (*at < close && **at == '-') {
        ++*at;
        if (!read_number(at, close, &last_digits, &last))
            return refuse(on);
    }
    if (last < first || last - first >= SERVET_RANKS_MAX)
        return refuse(on);
    for (long i = first; i <= last && code == SERVET_OK; i++) {
        int n = snprintf(on->name + used, sizeof on->name - used, "%0*ld", digits, i);
        if (used + (size_t)n >= sizeof on->name)
            return refuse(on);
        code = expand(on, used + (size_t)n, close + 1, end);
    }
    return code;
}

static int expand_bracket(reading *on, size_t used, const char *open, const char *end)
{
    const char *close = memchr(open, ']', (size_t)(end - open)), *at = open + 1;
    if (!close)
        return refuse(on);
    for (;; at++) {
        int code = expand_range(on, used, &at, close, end);
        if (code != SERVET_OK || at == close)
            return code;
        if (*at != ',')
            return refuse(on);
    }
}

/* Appends the text from `at` to `end` to the name, which has `used` characters already. */
static int expand(reading *on, size_t used, const char *at, const char *end)
{
    for (; at < end && *at != '['; at++) {
        if (used + 1 >= sizeof on->name || *at == ']' || !isgraph((unsigned char)*at))
            return refuse(on);
        on->name[used++] = *at;
    }
    if (at < end)
        return expand_bracket(on, used, at, end);
    on->name[used] = '\0';
    return used > 0 ? on->take(on->name, on->context) : refuse(on);
}

/* The end of the item that begins at `at`: a comma outside of brackets, or the end of the list. */
static const char *end_of_item(const char *at)
{
    bool inside = false;
    for (; *at && (inside || *at != ','); at++)
        inside = *at == '[' || (inside && *at != ']');
    return at;
}

int srv_host_list_read(const char *list, srv_host_taker *take, void *context, servet_error *error)
{
    reading on = {.list = list, .take = take, .context = context, .error = error};
    for (const char *at = list;; at++) {
        const char *end = end_of_item(at);
        int code = expand(&on, 0, at, end);
        if (code != SERVET_OK || !*end)
            return code;
        at = end;
    }
}

/* --- writing ---------------------------------------------------------------------------------- */

/* The length of the name before the number that it ends with. */
static size_t prefix_length(const char *name)
{
    size_t length = strlen(name), digits = 0;
    while (digits < length && isdigit((unsigned char)name[length - 1 - digits]))
        digits++;
    return digits <= DIGITS_MAX ? length - digits : length;
}

int srv_host_order(const char *a, const char *b)
{
    size_t m = prefix_length(a), n = prefix_length(b);
    int order = strncmp(a, b, m < n ? m : n);
    if (order == 0)
        order = (m > n) - (m < n);
    if (order == 0) {
        long x = atol(a + m), y = atol(b + n);
        order = (x > y) - (x < y);
    }
    return order ? order : strcmp(a, b);
}

/* Returns true if the name is the name before it with the next number, padded like the first one.
 */
static bool goes_on(const char *first, const char *before, const char *name)
{
    char next[DIGITS_MAX + 2];
    size_t length = prefix_length(first);
    if (!first[length] || prefix_length(name) != length || strncmp(first, name, length) != 0)
        return false;
    snprintf(next, sizeof next, "%0*ld", (int)strlen(first + length), atol(before + length) + 1);
    return strcmp(name + length, next) == 0;
}

/* Counts the names, from the first one on, that differ in their number only. */
static int count_alike(const char *const *names, int count)
{
    size_t length = prefix_length(names[0]);
    int n = 1;
    while (names[0][length] && n < count && names[n][length] && prefix_length(names[n]) == length &&
           strncmp(names[0], names[n], length) == 0)
        n++;
    return n;
}

static void write_ranges(const char *const *names, int count, size_t length, FILE *stream)
{
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && goes_on(names[first], names[end - 1], names[end]);)
            end++;
        fprintf(stream, "%s%s", first ? "," : "", names[first] + length);
        if (end - first > 1)
            fprintf(stream, "-%s", names[end - 1] + length);
    }
}

void srv_host_list_write(const char *const *names, int count, FILE *stream)
{
    for (int i = 0, alike; i < count; i += alike) {
        alike = count_alike(names + i, count - i);
        int length = (int)prefix_length(names[i]);
        fputs(i ? "," : "", stream);
        if (alike == 1) {
            fputs(names[i], stream);
            continue;
        }
        fprintf(stream, "%.*s[", length, names[i]);
        write_ranges(names + i, alike, (size_t)length, stream);
        fputc(']', stream);
    }
}
