/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The report as a document: blocks of text and tables that the parts of the report add. They are
 * written as text here, and as HTML by page/html.h.
 */
#ifndef SRV_CLI_REPORT_DOCUMENT_H
#define SRV_CLI_REPORT_DOCUMENT_H

#include <stdbool.h>

#include "cli/report/table.h"

typedef enum document_kind {
    DOCUMENT_ENTRY,   /**< `label` and text; "" continues the entry before */
    DOCUMENT_HEADING, /**< of a section */
    DOCUMENT_LINE,    /**< a sentence of a section */
    DOCUMENT_NOTE,    /**< a sentence that belongs to no section */
    DOCUMENT_WARNING, /**< a sentence that readers must not overlook */
    DOCUMENT_DOUBT, /**< the fact `label` is not trusted; the text is the reason, which may be "" */
    DOCUMENT_ADVICE, /**< a sentence; `label` is its reason, `doubt` why it is not trusted, or "" */
    DOCUMENT_TABLE,
} document_kind;

/** A block. Its texts are never NULL; `table` is, but in blocks of that kind. */
typedef struct document_block {
    document_kind kind;
    char *label, *text, *doubt;
    report_table *table;
} document_block;

typedef struct document {
    document_block *block;
    int count;
    bool failed;        /**< there was no memory for a block, which is left out */
    report_table spare; /**< stands for a table that there was no memory for */
} document;

/** An empty document, for document_free(); NULL without memory. */
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
/** The format is that of the fact. */
void document_doubt(document *to, const char *reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void document_advice(document *to, const char *sentence, const char *reason, const char *doubt);

/** Continues the text of the last block. */
void document_append(document *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * A table, with a title or NULL, to add rows to; without rows it is not written. `align` has a
 * letter for each column, 'l' or 'r'; the heads of the columns follow.
 */
report_table *document_table(document *to, const char *title, const char *align, ...);

/**
 * Four doubts and more in one run of warnings that have one reason, its numbers apart, become one:
 * its first doubt lists all facts, with the range of the reason's first number.
 */
void document_join_doubts(document *whole);

/** Prints it on stdout, in lines of at most REPORT_WIDTH columns. False: there was no memory, here
 * or for a block. */
bool document_print(const document *whole);

#endif
