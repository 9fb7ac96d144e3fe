/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes elements of the page. All texts are escaped. */
#ifndef SRV_CLI_PAGE_HTML_H
#define SRV_CLI_PAGE_HTML_H

#include <stdio.h>

#include "cli/report/document.h"

/** Writes the page up to its body, with styles for screens, phones and paper. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

void html_heading(FILE *to, int level, const char *text);

/** Writes an element `tag`, with class `class` unless that is "". */
void html_text(FILE *to, const char *tag, const char *class, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Writes the blocks of a document. */
void html_document(FILE *to, const document *whole);

#endif
