/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/page/html.h"

#include <stdarg.h>
#include <string.h>

#include "cli/plot/svg.h"

/* Wide tables and pictures scroll in their own box, so that the page does not scroll sideways. */
static const char style[] =
    "body{font:16px/1.5 sans-serif;color:#1d1d1f;background:#f4f4f1;margin:0}\n"
    "main{max-width:1120px;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:2px solid #b9c2cc}\n"
    "h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
    "p,li{max-width:75ch;overflow-wrap:anywhere}li{margin:.5rem 0}\n"
    ".why{display:block;color:#55585c;font-size:.9rem}\n"
    ".doubt{color:#6a4a00}.doubt::before{content:'Not trusted: ';font-weight:bold}\n"
    ".fit,.unfit{padding:.5rem .8rem;border-radius:6px;background:#d9f0df}\n"
    ".unfit{background:#ffe1d6}\n"
    ".pictures{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,"
    "440px),1fr))}\n"
    "figure{margin:0;background:#fff;border-radius:6px;padding:.3rem;overflow-x:auto;min-width:0}\n"
    "figure.wide{grid-column:1/-1}figure.wide svg{max-width:none}\n"
    "svg{max-width:100%;height:auto;display:block}\n"
    "figure:not(.wide) svg{width:100%;max-width:560px}\n"
    ".table{overflow-x:auto}\n"
    "table{border-collapse:collapse;background:#fff;font-size:.9rem}\n"
    "th,td{padding:.25rem .6rem;border:1px solid #d5d8dc;text-align:left;white-space:nowrap}\n"
    "th{background:#e9ecef}\n"
    "@media print{body{background:#fff;font-size:11pt}main{max-width:none;padding:0}"
    "figure,table,li{break-inside:avoid}h2,h3{break-after:avoid}"
    ".pictures{grid-template-columns:1fr 1fr}figure{padding:0}"
    "figure.wide svg{max-width:100%}figure,.table{overflow:visible}"
    "th,td{white-space:normal;padding:.15rem .3rem}}\n";

static void put(FILE *to, const char *text)
{
    svg_escape(to, text, (int)strlen(text));
}

/* Writes an element with a text; with a label, "LABEL: TEXT". */
static void put_element(FILE *to, const char *tag, const char *class, const char *label,
                        const char *text)
{
    fprintf(to, *class ? "<%s class=\"%s\">" : "<%s>", tag, class);
    put(to, label);
    fputs(*label && *text ? ": " : "", to);
    put(to, text);
    fprintf(to, "</%s>", tag);
}

void html_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          to);
    put(to, title);
    fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void html_end(FILE *to)
{
    fputs("</main>\n</body>\n</html>\n", to);
}

void html_heading(FILE *to, int level, const char *text)
{
    fprintf(to, "<h%d>", level);
    put(to, text);
    fprintf(to, "</h%d>\n", level);
}

void html_text(FILE *to, const char *tag, const char *class, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_element(to, tag, class, "", text);
    fputc('\n', to);
}

/* --- documents -------------------------------------------------------------------------------- */

static void put_row(FILE *to, const char *tag, const report_table *table, int row)
{
    fputs("<tr>", to);
    for (int i = 0; i < table->columns; i++)
        put_element(to, tag, "", "", table->cell[row][i]);
    fputs("</tr>\n", to);
}

static void put_table(FILE *to, const document_block *block)
{
    const report_table *table = block->table;
    if (table->rows < 2)
        return;
    if (*block->text)
        html_text(to, "p", "", "%s", block->text);
    fputs("<div class=\"table\"><table>\n", to);
    for (int i = 0; i < table->rows; i++)
        put_row(to, i ? "td" : "th", table, i);
    fputs("</table></div>\n", to);
}

static void put_advice(FILE *to, const document_block *block)
{
    fputs("<li>", to);
    html_text(to, "b", "", "%s", block->text);
    html_text(to, "span", "why", "%s", block->label);
    if (*block->doubt)
        html_text(to, "span", "why doubt", "%s.", block->doubt);
    fputs("</li>\n", to);
}

/* Writes a block. Most kinds are one element; advice and tables have several. */
static void put_block(FILE *to, const document_block *block)
{
    static const struct {
        const char *tag, *class;
    } elements[] = {
        [DOCUMENT_ENTRY] = {"p", ""},    [DOCUMENT_HEADING] = {"h2", ""},
        [DOCUMENT_LINE] = {"p", ""},     [DOCUMENT_NOTE] = {"p", ""},
        [DOCUMENT_WARNING] = {"li", ""}, [DOCUMENT_DOUBT] = {"li", "doubt"},
    };
    if (block->kind == DOCUMENT_ADVICE) {
        put_advice(to, block);
    } else if (block->kind == DOCUMENT_TABLE) {
        put_table(to, block);
    } else {
        put_element(to, elements[block->kind].tag, elements[block->kind].class, block->label,
                    block->text);
        fputc('\n', to);
    }
}

static bool is_item(const document_block *block)
{
    return block->kind == DOCUMENT_WARNING || block->kind == DOCUMENT_DOUBT ||
           block->kind == DOCUMENT_ADVICE;
}

void html_document(FILE *to, const document *whole)
{
    bool listed = false;
    for (int i = 0; i < whole->count; i++) {
        const document_block *block = &whole->block[i];
        if (is_item(block) != listed)
            fputs(listed ? "</ul>\n" : "<ul>\n", to);
        listed = is_item(block);
        put_block(to, block);
    }
    fputs(listed ? "</ul>\n" : "", to);
}
