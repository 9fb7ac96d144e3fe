/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins doubts with the same reason: often a dozen facts have one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/document.h"
#include "core/memory_stream.h"

/* Least number of doubts that are joined. */
enum { JOINED_MIN = 4 };

static const char DIGITS[] = "0123456789.";

/* Returns true if two reasons differ only in numbers. */
static bool is_alike(const char *a, const char *b)
{
    while (true) {
        a += strspn(a, DIGITS);
        b += strspn(b, DIGITS);
        if (!*a || *a != *b)
            return !*a && !*b;
        a++;
        b++;
    }
}

/* Returns the next doubt with this reason, from `block` on; `end` if there is none before it. */
static const document_block *find_alike(const document_block *block, const document_block *end,
                                        const char *reason)
{
    while (block < end && (block->kind != DOCUMENT_DOUBT || !is_alike(reason, block->text)))
        block++;
    return block;
}

static int count_alike(const document_block *first, const document_block *end)
{
    int count = 0;
    for (const document_block *block = first; block < end;
         block = find_alike(block + 1, end, first->text))
        count++;
    return count;
}

/* Writes the reason, with the range of its first number in all of these doubts. */
static void write_reason(FILE *to, const document_block *first, const document_block *end)
{
    const char *reason = first->text;
    size_t before = strcspn(reason, "0123456789");
    double least = INFINITY, most = -INFINITY;
    if (!reason[before]) {
        fputs(reason, to);
        return;
    }
    for (const document_block *block = first; block < end;
         block = find_alike(block + 1, end, reason)) {
        double number = strtod(block->text + before, NULL);
        least = fmin(least, number);
        most = fmax(most, number);
    }
    fprintf(to, "%.*s%g", (int)before, reason, least);
    if (most > least)
        fprintf(to, "-%g", most);
    fputs(reason + before + strspn(reason + before, DIGITS), to);
}

/* Returns "not trusted, REASON: FACT, FACT ..."; NULL without memory. */
static char *join(const document_block *first, const document_block *end)
{
    srv_memory_stream memory;
    char *text;
    if (!srv_memory_stream_open(&memory))
        return NULL;
    fputs("not trusted, ", memory.stream);
    write_reason(memory.stream, first, end);
    const char *between = ": ";
    for (const document_block *block = first; block < end;
         block = find_alike(block + 1, end, first->text)) {
        fprintf(memory.stream, "%s%s", between, block->label);
        between = ", ";
    }
    return srv_memory_stream_close(&memory, &text, NULL) ? text : NULL;
}

static bool is_warning(const document_block *block)
{
    return block->kind == DOCUMENT_WARNING || block->kind == DOCUMENT_DOUBT;
}

/* Joins the doubts with the reason of block `first`, if there are enough. */
static void join_alike(document *whole, int first)
{
    document_block *block = &whole->block[first];
    const document_block *end = block;
    while (end < whole->block + whole->count && is_warning(end))
        end++;
    char *joined = count_alike(block, end) < JOINED_MIN ? NULL : join(block, end);
    if (!joined)
        return;
    for (int i = (int)(end - whole->block) - 1; i > first; i--)
        if (whole->block[i].kind == DOCUMENT_DOUBT && is_alike(block->text, whole->block[i].text))
            document_remove(whole, i);
    free(block->text);
    block->text = joined;
    block->kind = DOCUMENT_WARNING;
}

void document_join_doubts(document *whole)
{
    for (int i = 0; i < whole->count; i++)
        if (whole->block[i].kind == DOCUMENT_DOUBT && *whole->block[i].text)
            join_alike(whole, i);
}
