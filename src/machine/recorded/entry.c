/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/entry.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"

/* No timing is known to more than four digits. Whole bytes have any number of them. */
enum { SHORT_DIGITS = 4, TIMED_DIGITS = 7, EXACT_DIGITS = 15 };

static const char LOOSE[] = "*";

/* --- types of members ------------------------------------------------------------------------- */

/* A word of a line. */
typedef struct word {
    const char *text;
    size_t length;
} word;

static void write_int(const void *at, FILE *stream)
{
    fprintf(stream, "%d", *(const int *)at);
}

static bool read_int(word from, void *at, size_t size)
{
    char *end;
    (void)size;
    long long number = strtoll(from.text, &end, 10);
    *(int *)at = (int)number;
    return end == from.text + from.length && number >= INT_MIN && number <= INT_MAX;
}

static void write_long(const void *at, FILE *stream)
{
    fprintf(stream, "%lld", *(const long long *)at);
}

static bool read_long(word from, void *at, size_t size)
{
    char *end;
    (void)size;
    *(long long *)at = strtoll(from.text, &end, 10);
    return end == from.text + from.length;
}

static void write_size(const void *at, FILE *stream)
{
    fprintf(stream, "%zu", *(const size_t *)at);
}

static bool read_size(word from, void *at, size_t size)
{
    char *end;
    (void)size;
    *(size_t *)at = (size_t)strtoull(from.text, &end, 10);
    return end == from.text + from.length;
}

static void write_seed(const void *at, FILE *stream)
{
    fprintf(stream, "%" PRIu64, *(const uint64_t *)at);
}

static bool read_seed(word from, void *at, size_t size)
{
    char *end;
    (void)size;
    *(uint64_t *)at = (uint64_t)strtoull(from.text, &end, 10);
    return end == from.text + from.length;
}

/* Some C libraries write "-nan". */
static void write_double(double number, int digits, FILE *stream)
{
    if (isnan(number))
        fputs("nan", stream);
    else
        fprintf(stream, "%.*g", digits, number);
}

static void write_number(const void *at, FILE *stream)
{
    write_double(*(const double *)at, TIMED_DIGITS, stream);
}

static void write_short(const void *at, FILE *stream)
{
    write_double(*(const float *)at, SHORT_DIGITS, stream);
}

static bool read_short(word from, void *at, size_t size)
{
    char *end;
    (void)size;
    *(float *)at = strtof(from.text, &end);
    return end == from.text + from.length && srv_is_timing(*(float *)at);
}

static void write_exact(const void *at, FILE *stream)
{
    write_double(*(const double *)at, EXACT_DIGITS, stream);
}

static bool read_number(word from, void *at, size_t size)
{
    char *end;
    (void)size;
    *(double *)at = strtod(from.text, &end);
    return end == from.text + from.length && srv_is_timing(*(double *)at);
}

static void write_flag(const void *at, FILE *stream)
{
    fputc(*(const bool *)at ? '1' : '0', stream);
}

static bool read_flag(word from, void *at, size_t size)
{
    (void)size;
    *(bool *)at = *from.text == '1';
    return from.length == 1 && (*from.text == '0' || *from.text == '1');
}

bool srv_is_timing(double number)
{
    return !isfinite(number) || srv_is_bounded(number);
}

/* Words have no blanks: these and the percent sign are written as %20 and %25, an empty text as %.
 */
static void write_text(const void *at, FILE *stream)
{
    const unsigned char *text = at;
    if (!*text)
        fputc('%', stream);
    for (; *text; text++)
        if (*text <= ' ' || *text == '%')
            fprintf(stream, "%%%02x", *text);
        else
            fputc(*text, stream);
}

static bool read_text(word from, void *at, size_t size)
{
    char *text = at;
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

static void write_string(const void *at, FILE *stream)
{
    write_text(*(char *const *)at, stream);
}

static bool read_string(word from, void *at, size_t size)
{
    char *text = malloc(from.length + 1);
    (void)size;
    *(char **)at = text;
    return text && read_text(from, text, from.length + 1);
}

static const struct codec {
    void (*write)(const void *at, FILE *stream);
    bool (*read)(word from, void *at, size_t size);
} codecs[] = {
    [SRV_ITEM_INT] = {write_int, read_int},
    [SRV_ITEM_LONG] = {write_long, read_long},
    [SRV_ITEM_SIZE] = {write_size, read_size},
    [SRV_ITEM_SEED] = {write_seed, read_seed},
    [SRV_ITEM_NUMBER] = {write_number, read_number},
    [SRV_ITEM_EXACT] = {write_exact, read_number},
    [SRV_ITEM_SHORT] = {write_short, read_short},
    [SRV_ITEM_FLAG] = {write_flag, read_flag},
    [SRV_ITEM_TEXT] = {write_text, read_text},
    [SRV_ITEM_STRING] = {write_string, read_string},
};

/* --- writing ---------------------------------------------------------------------------------- */

static const void *member(const srv_row *row, const void *items, int index, const srv_item *item)
{
    return (const char *)items + (size_t)index * row->size + item->offset;
}

static void write_rows(const srv_row *row, const void *items, int count, bool loosely, FILE *stream)
{
    fprintf(stream, " %d", count);
    for (int i = 0; i < count; i++)
        for (const srv_item *item = row->items; item < row->items + row->count; item++) {
            fputc(' ', stream);
            if (loosely && item->loose)
                fputs(LOOSE, stream);
            else
                codecs[item->type].write(member(row, items, i, item), stream);
        }
}

void srv_recorded_probe_write(const srv_recorded_probe *probe, bool loosely, FILE *stream)
{
    const srv_rows *parameters = &probe->parameters;
    fputs(probe->word, stream);
    write_rows(parameters->row, parameters->at, parameters->row ? parameters->count : 0, loosely,
               stream);
}

void srv_answer_write(const srv_answer *answer, FILE *stream)
{
    fputs(" =", stream);
    write_rows(answer->row, answer->at, answer->count ? *answer->count : answer->most, false,
               stream);
}

void srv_refusal_write(int code, FILE *stream)
{
    fprintf(stream, " ! %s", servet_error_name(code));
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The next word; its length is 0 at the end. */
static word next_word(const char **text)
{
    const char *from = *text + strspn(*text, " ");
    size_t length = strcspn(from, " ");
    *text = from + length;
    return (word){from, length};
}

static bool same(word a, word b)
{
    return a.length == b.length && strncmp(a.text, b.text, a.length) == 0;
}

static bool is(word a, const char *text)
{
    return same(a, (word){text, strlen(text)});
}

bool srv_recorded_probe_matches(const char *line, const char *probe, const char **answer)
{
    for (;;) {
        word wanted = next_word(&probe);
        if (wanted.length == 0)
            break;
        word found = next_word(&line);
        if (!same(wanted, found) && !is(wanted, LOOSE))
            return false;
    }
    *answer = line;
    word next = next_word(&line);
    return is(next, "=") || is(next, "!");
}

int srv_refusal_read(const char *text)
{
#define CODE(code, value, text) code,
    static const int codes[] = {SERVET_ERROR_LIST(CODE)};
#undef CODE
    if (!is(next_word(&text), "!"))
        return SERVET_OK;
    word name = next_word(&text);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] != SERVET_OK && is(name, servet_error_name(codes[i])))
            return codes[i];
    return SERVET_EFORMAT;
}

static int read_item(const srv_item *item, word from, void *at)
{
    if (from.length > 0 && codecs[item->type].read(from, at, item->size))
        return SERVET_OK;
    bool no_memory = from.length > 0 && item->type == SRV_ITEM_STRING && !*(char **)at;
    return no_memory ? SERVET_EMEMORY : SERVET_EFORMAT;
}

static int read_rows(const char *text, const srv_answer *answer, int count)
{
    for (int i = 0; i < count; i++)
        for (const srv_item *item = answer->row->items;
             item < answer->row->items + answer->row->count; item++) {
            void *at = (char *)answer->at + (size_t)i * answer->row->size + item->offset;
            word from = next_word(&text);
            if (item->later && from.length == 0) {
                *(char *)at = '\0';
                continue;
            }
            int code = read_item(item, from, at);
            if (code != SERVET_OK)
                return code;
        }
    return next_word(&text).length == 0 ? SERVET_OK : SERVET_EFORMAT;
}

int srv_answer_read(const char *text, const srv_answer *answer)
{
    int count, refused = srv_refusal_read(text);
    if (refused != SERVET_OK)
        return refused;
    word sign = next_word(&text);
    word number = next_word(&text);
    if (!is(sign, "=") || number.length == 0 || !read_int(number, &count, 0) || count < 0 ||
        count > answer->most || (!answer->count && count != answer->most))
        return SERVET_EFORMAT;
    int code = read_rows(text, answer, count);
    if (code == SERVET_OK && answer->count)
        *answer->count = count;
    return code;
}
