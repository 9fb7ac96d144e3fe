/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/items.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "servet/error.h"

/* --- words ------------------------------------------------------------------------------------ */

srv_word srv_word_next(const char **text)
{
    const char *from = *text + strspn(*text, " ");
    size_t length = strcspn(from, " ");
    *text = from + length;
    return (srv_word){from, length};
}

bool srv_word_is(srv_word word, const char *text)
{
    return strlen(text) == word.length && strncmp(word.text, text, word.length) == 0;
}

/* --- types of items -------------------------------------------------------------------------- */

/* Least and most of a whole number by its bytes. */
static const struct range {
    long long least, most;
} ranges[] = {[sizeof(bool)] = {0, 1},
              [sizeof(int)] = {INT_MIN, INT_MAX},
              [sizeof(long long)] = {LLONG_MIN, LLONG_MAX}};

/* No recording has more samples: what is beyond has been damaged. */
static const struct range samples = {0, 1000000000};

static void write_whole(const srv_item *item, const char *at, FILE *stream)
{
    long long whole;
    if (item->size == sizeof whole)
        memcpy(&whole, at, sizeof whole);
    else
        whole = item->size == sizeof(int) ? *(const int *)(const void *)at : *(const bool *)at;
    fprintf(stream, "%lld", whole);
}

static bool read_whole(const srv_item *item, srv_word from, void *at)
{
    char *end;
    long long whole = strtoll(from.text, &end, 10);
    struct range range = item->type == SRV_ITEM_COUNT ? samples : ranges[item->size];
    if (item->size == sizeof whole)
        memcpy(at, &whole, sizeof whole);
    else if (item->size == sizeof(int))
        *(int *)at = (int)whole;
    else
        *(bool *)at = whole != 0;
    return end == from.text + from.length && whole >= range.least && whole <= range.most;
}

static void write_seed(const srv_item *item, const char *at, FILE *stream)
{
    uint64_t seed;
    (void)item;
    memcpy(&seed, at, sizeof seed);
    fprintf(stream, "%" PRIu64, seed);
}

/* No timing is known to more than four digits. Whole bytes have any number of them. */
static const int digits[] = {[SRV_ITEM_NUMBER] = 7, [SRV_ITEM_SHORT] = 4, [SRV_ITEM_EXACT] = 15};

/* Some C libraries write "-nan". */
static void write_number(const srv_item *item, const char *at, FILE *stream)
{
    const void *number = at;
    double value = item->type == SRV_ITEM_SHORT ? *(const float *)number : *(const double *)number;
    if (isnan(value))
        fputs("nan", stream);
    else
        fprintf(stream, "%.*g", digits[item->type], value);
}

static bool read_number(const srv_item *item, srv_word from, void *at)
{
    char *end;
    double value = strtod(from.text, &end);
    if (item->type == SRV_ITEM_SHORT)
        *(float *)at = (float)value;
    else
        *(double *)at = value;
    return end == from.text + from.length && (!isfinite(value) || srv_is_bounded(value));
}

/* Words have no blanks: these and the percent sign are written as %20 and %25, an empty text as %.
 */
static void write_text(const srv_item *item, const char *at, FILE *stream)
{
    (void)item;
    if (!*at)
        fputc('%', stream);
    for (; *at; at++)
        if ((unsigned char)*at <= ' ' || *at == '%')
            fprintf(stream, "%%%02x", (unsigned char)*at);
        else
            fputc(*at, stream);
}

static bool decode(srv_word from, char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < from.length && n < size; i++) {
        text[n] = from.text[i];
        if (from.text[i] == '%' && i + 2 < from.length) {
            const char code[3] = {from.text[i + 1], from.text[i + 2], '\0'};
            text[n] = (char)strtol(code, NULL, 16);
            i += 2;
        }
        n += text[n] != '%' || from.length > 1;
    }
    if (n >= size)
        return false;
    text[n] = '\0';
    return true;
}

static bool read_text(const srv_item *item, srv_word from, void *at)
{
    return decode(from, at, item->size);
}

static void write_string(const srv_item *item, const char *at, FILE *stream)
{
    write_text(item, *(char *const *)(const void *)at, stream);
}

static bool read_string(const srv_item *item, srv_word from, void *at)
{
    char *text = malloc(from.length + 1);
    (void)item;
    *(char **)at = text;
    return text && decode(from, text, from.length + 1);
}

static void write_list(const srv_item *item, const char *at, FILE *stream)
{
    const int *numbers;
    int count;
    memcpy(&numbers, at, sizeof numbers);
    memcpy(&count, at - item->offset + item->count, sizeof count);
    fprintf(stream, "%d", count);
    for (int i = 0; i < count * (int)item->size; i++)
        fprintf(stream, " %d", numbers[i]);
}

static const struct codec {
    void (*write)(const srv_item *item, const char *at, FILE *stream);
    bool (*read)(const srv_item *item, srv_word from, void *at); /* NULL: of requests alone */
} codecs[] = {
    [SRV_ITEM_WHOLE] = {write_whole, read_whole},   [SRV_ITEM_COUNT] = {write_whole, read_whole},
    [SRV_ITEM_SEED] = {write_seed, NULL},           [SRV_ITEM_NUMBER] = {write_number, read_number},
    [SRV_ITEM_SHORT] = {write_number, read_number}, [SRV_ITEM_EXACT] = {write_number, read_number},
    [SRV_ITEM_TEXT] = {write_text, read_text},      [SRV_ITEM_STRING] = {write_string, read_string},
    [SRV_ITEM_LIST] = {write_list, NULL},
};

/* --- structs ---------------------------------------------------------------------------------- */

static void write_struct(const srv_items *items, const char *at, bool loosely, FILE *stream)
{
    for (const srv_item *item = items->item; item < items->item + items->count; item++) {
        fputc(' ', stream);
        if (loosely && item->loose)
            fputc('*', stream);
        else
            codecs[item->type].write(item, at + item->offset, stream);
    }
}

void srv_items_write(const srv_items *items, const void *structs, int count, bool loosely,
                     FILE *stream)
{
    fprintf(stream, " %d", count);
    for (int i = 0; i < count; i++)
        write_struct(items, (const char *)structs + (size_t)i * items->size, loosely, stream);
}

static int read_struct(const srv_items *items, const char **text, char *at)
{
    for (const srv_item *item = items->item; item < items->item + items->count; item++) {
        srv_word from = srv_word_next(text);
        if (from.length > 0 && codecs[item->type].read(item, from, at + item->offset))
            continue;
        bool no_memory = from.length > 0 && item->type == SRV_ITEM_STRING &&
                         !*(char **)(void *)(at + item->offset);
        return no_memory ? SERVET_EMEMORY : SERVET_EFORMAT;
    }
    return SERVET_OK;
}

int srv_items_read(const srv_items *items, const char *text, void *structs, int count)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = read_struct(items, &text, (char *)structs + (size_t)i * items->size);
    bool whole = code != SERVET_OK || srv_word_next(&text).length == 0;
    return whole ? code : SERVET_EFORMAT;
}
