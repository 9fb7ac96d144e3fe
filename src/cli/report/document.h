/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The report as a document: blocks of text and tables, which the parts of the report add. This file
 * prints them as text, commands/report.c writes them as HTML.
 */
#ifndef SRV_CLI_REPORT_DOCUMENT_H
#define SRV_CLI_REPORT_DOCUMENT_H

#include <stdbool.h>

#include "cli/report/table.h"

typedef enum document_kind {
    DOCUMENT_ENTRY,   /**< `label` and text; the label "" continues the entry before */
    DOCUMENT_HEADING, /**< heading of a section */
    DOCUMENT_LINE,    /**< a sentence of a section */
    DOCUMENT_NOTE,    /**< a sentence that belongs to no section */
    DOCUMENT_WARNING, /**< a sentence that readers must not overlook */
    DOCUMENT_DOUBT, /**< the fact `label` is not trusted; the text is the reason, which may be "" */
    DOCUMENT_ADVICE, /**< a sentence; `label` is its reason, `doubt` why it is not trusted, or "" */
    DOCUMENT_TABLE,
} document_kind;

/** A block. Its texts are never NULL; `table` is NULL except in blocks of that kind. */
typedef struct document_block {
    document_kind kind;
    char *label, *text, *doubt;
    report_table *table;
} document_block;

typedef struct document {
    document_block *block;
    int count;
    bool failed;        /**< a block is left out because memory was short */
    report_table spare; /**< replaces a table for which memory was short */
} document;

/** Creates an empty document; document_free() frees it. NULL without memory. */
document *document_new(void);
void document_free(document *whole);

/** True if it has blocks of this kind. */
bool document_has(const document *whole, document_kind kind);

/** Removes a block. */
void document_remove(document *whole, int index);

/* Each adds a block. */

void document_entry(document *to, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void document_heading(document *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void document_line(document *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void document_note(document *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void document_warning(document *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Adds a doubt; `format` is for the name of the fact. */
void document_doubt(document *to, const char *reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void document_advice(document *to, const char *sentence, const char *reason, const char *doubt);

/** Continues the text of the last block. */
void document_append(document *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Adds a table with a title (or NULL) and returns it for adding rows. A table without rows is not
 * written. `align` has a letter for each column, 'l' or 'r'; the heads of the columns follow.
 */
report_table *document_table(document *to, const char *title, const char *align, ...);

/**
 * Joins four or more doubts in one sequence of warnings if their reasons differ only in numbers.
 * The first of them then lists all facts, with the range of the reason's first number.
 */
void document_join_doubts(document *whole);

/** Prints the document on stdout, in lines of at most REPORT_WIDTH columns. Returns false if memory
 * was short, here or for a block. */
bool document_print(const document *whole);

/** Limit of the columns of a line of the report. */
enum { REPORT_WIDTH = 100 };

/** Prints `label` and a text, up to its end or the end of its line, as lines of at most
 * REPORT_WIDTH columns; the second and later ones are indented by `indent`. */
void report_print_wrapped(const char *label, int indent, const char *text);

#endif
