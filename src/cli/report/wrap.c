/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/wrap.h"

#include <ctype.h>
#include <stdio.h>
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
