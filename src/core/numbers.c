/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/numbers.h"

#include <stdlib.h>

#include "core/text.h"

srv_numbers srv_numbers_begin(void)
{
    srv_numbers numbers = {.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (numbers.plain)
        numbers.before = uselocale(numbers.plain);
    return numbers;
}

void srv_numbers_end(srv_numbers numbers)
{
    if (!numbers.plain)
        return;
    uselocale(numbers.before);
    freelocale(numbers.plain);
}

int srv_numbers_read(const char *path, size_t max, int *line, srv_line_taker *take, void *context,
                     servet_error *error)
{
    char *text, *next;
    size_t size;
    int code = srv_text_read(path, max, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    char *rest = text;
    for (*line = 1; code == SERVET_OK && (next = srv_text_line(&rest)); ++*line)
        code = take(context, next);
    srv_numbers_end(numbers);
    free(text);
    return code;
}
