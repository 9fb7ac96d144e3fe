/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/svg.h"

#include <string.h>

void svg_escape(FILE *to, const char *text, int length)
{
    static const char special[] = "&<>\"";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (int i = 0; i < length && text[i]; i++) {
        const char *found = strchr(special, text[i]);
        unsigned char c = (unsigned char)text[i];
        if (found)
            fputs(entities[found - special], to);
        else
            fputc(c < ' ' || c == 127 ? '?' : c, to);
    }
}

void svg_begin(FILE *to, double width, double height, const char *title)
{
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.6g %.6g\" width=\"%.6g\" "
            "height=\"%.6g\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>",
            width, height, width, height);
    svg_escape(to, title, (int)strlen(title));
    fputs("</title>\n", to);
    svg_rect(to, 0, 0, width, height, "fill=\"#ffffff\"");
}

void svg_end(FILE *to)
{
    fputs("</svg>\n", to);
}

void svg_rect(FILE *to, double x, double y, double width, double height, const char *style)
{
    fprintf(to, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" %s/>\n", x, y, width,
            height, style);
}

void svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *style)
{
    fprintf(to, "<line x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\" %s/>\n", x1, y1, x2, y2,
            style);
}

void svg_text(FILE *to, double x, double y, const char *style, const char *text, int length)
{
    fprintf(to, "<text x=\"%.6g\" y=\"%.6g\" %s>", x, y, style);
    svg_escape(to, text, length);
    fputs("</text>\n", to);
}
