/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/document.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length up to a possible line end: "480 MiB" is one word. */
static int word_length(const char *word)
{
    size_t length = strcspn(word, " \n");
    while (length > 0 && isdigit((unsigned char)word[length - 1]) && word[length] == ' ' &&
           (isalpha((unsigned char)word[length + 1]) || word[length + 1] == '%'))
        length += 1 + strcspn(word + length + 1, " \n");
    return (int)length;
}

void report_print_wrapped(const char *label, int indent, const char *text)
{
    int column = printf("%s", label);
    for (const char *word = text; *word && *word != '\n'; word += *word == ' ') {
        int length = word_length(word), blank = word > text;
        if (blank && column + blank + length > REPORT_WIDTH) {
            column = printf("\n%*s", indent, "") - 1;
            blank = 0;
        }
        column += printf("%*s%.*s", blank, "", length, word);
        word += length;
    }
    putchar('\n');
}

document *document_new(void)
{
    return calloc(1, sizeof(document));
}

static void finish_block(document_block *block)
{
    free(block->label);
    free(block->text);
    free(block->doubt);
    free(block->table);
}

void document_free(document *whole)
{
    for (int i = 0; whole && i < whole->count; i++)
        finish_block(&whole->block[i]);
    if (whole)
        free(whole->block);
    free(whole);
}

void document_remove(document *whole, int index)
{
    finish_block(&whole->block[index]);
    whole->count--;
    memmove(&whole->block[index], &whole->block[index + 1],
            (size_t)(whole->count - index) * sizeof whole->block[0]);
}

bool document_has(const document *whole, document_kind kind)
{
    for (int i = 0; i < whole->count; i++)
        if (whole->block[i].kind == kind)
            return true;
    return false;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Takes over `text` and the table. False: there is no memory. */
static bool add(document *to, document_kind kind, const char *label, char *text, const char *doubt,
                report_table *table)
{
    document_block block = {kind, strdup(label), text, strdup(doubt), table};
    document_block *all = realloc(to->block, ((size_t)to->count + 1) * sizeof *all);
    to->block = all ? all : to->block;
    bool is_whole = all && block.label && block.text && block.doubt;
    if (is_whole)
        all[to->count++] = block;
    else
        finish_block(&block);
    to->failed = to->failed || !is_whole;
    return is_whole;
}

/* NULL without memory. */
__attribute__((format(printf, 1, 0))) static char *format_text(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

/* Defines a function that adds a block of one kind, which has only a text. */
#define ADDS_TEXT(function, kind)                                                                  \
    void function(document *to, const char *format, ...)                                           \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        add(to, kind, "", format_text(format, args), "", NULL);                                    \
        va_end(args);                                                                              \
    }

ADDS_TEXT(document_heading, DOCUMENT_HEADING)
ADDS_TEXT(document_line, DOCUMENT_LINE)
ADDS_TEXT(document_note, DOCUMENT_NOTE)
ADDS_TEXT(document_warning, DOCUMENT_WARNING)

void document_entry(document *to, const char *label, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(to, DOCUMENT_ENTRY, label, format_text(format, args), "", NULL);
    va_end(args);
}

void document_doubt(document *to, const char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *fact = format_text(format, args);
    va_end(args);
    add(to, DOCUMENT_DOUBT, fact ? fact : "", fact ? strdup(reason) : NULL, "", NULL);
    free(fact);
}

void document_advice(document *to, const char *sentence, const char *reason, const char *doubt)
{
    add(to, DOCUMENT_ADVICE, reason, strdup(sentence), doubt, NULL);
}

void document_append(document *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *more = format_text(format, args);
    va_end(args);
    char **text = to->count > 0 ? &to->block[to->count - 1].text : NULL;
    char *longer = more && text ? realloc(*text, strlen(*text) + strlen(more) + 1) : NULL;
    if (longer)
        *text = strcat(longer, more);
    to->failed = to->failed || !longer;
    free(more);
}

report_table *document_table(document *to, const char *title, const char *align, ...)
{
    report_table *table = malloc(sizeof *table);
    if (!table || !add(to, DOCUMENT_TABLE, "", strdup(title ? title : ""), "", table)) {
        to->failed = true;
        table = &to->spare;
    }
    va_list args;
    va_start(args, align);
    report_table_begin(table);
    for (; *align; align++)
        report_table_column(table, *align, va_arg(args, const char *));
    va_end(args);
    return table;
}

/* --- as text ---------------------------------------------------------------------------------- */

/* Prints a table. There is an empty line before it, except after its heading or after warnings
 * below the heading. */
static void print_table(const document_block *before, const document_block *block)
{
    if (before && before->kind != DOCUMENT_HEADING && before->kind != DOCUMENT_WARNING &&
        before->kind != DOCUMENT_DOUBT)
        putchar('\n');
    if (*block->text)
        report_print_wrapped("  ", 4, block->text);
    report_table_print(block->table);
}

static char *format(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = format_text(format, args);
    va_end(args);
    return text;
}

/* Returns the printed sentence of a block without a table; the caller frees it. NULL without
 * memory. */
static char *sentence_of(const document_block *block)
{
    bool doubted = *block->doubt;
    switch (block->kind) {
    case DOCUMENT_ENTRY:
        return format("%-10s%s", block->label, block->text);
    case DOCUMENT_DOUBT:
        return format("%s not trusted%s%s", block->label, *block->text ? ": " : "", block->text);
    case DOCUMENT_ADVICE:
        return format("%s%s%s%s", block->text, doubted ? " Not trusted: " : "", block->doubt,
                      doubted ? "." : "");
    default:
        return format("%s", block->text);
    }
}

static bool print_sentence(const document_block *block)
{
    static const struct {
        const char *before, *first;
        int indent;
    } layouts[] = {
        [DOCUMENT_ENTRY] = {"", "", 10},    [DOCUMENT_HEADING] = {"\n", "", 2},
        [DOCUMENT_LINE] = {"", "  ", 4},    [DOCUMENT_NOTE] = {"\n", "", 2},
        [DOCUMENT_WARNING] = {"", "! ", 2}, [DOCUMENT_DOUBT] = {"", "! ", 2},
        [DOCUMENT_ADVICE] = {"", "  ", 4},
    };
    char *sentence = sentence_of(block);
    fputs(layouts[block->kind].before, stdout);
    report_print_wrapped(layouts[block->kind].first, layouts[block->kind].indent,
                         sentence ? sentence : "");
    free(sentence);
    return sentence;
}

bool document_print(const document *whole)
{
    const document_block *before = NULL;
    bool printed = !whole->failed;
    for (int i = 0; i < whole->count && printed; i++) {
        const document_block *block = &whole->block[i];
        if (block->kind == DOCUMENT_TABLE && block->table->rows < 2)
            continue;
        if (block->kind == DOCUMENT_TABLE)
            print_table(before, block);
        else
            printed = print_sentence(block);
        before = block;
    }
    return printed;
}
