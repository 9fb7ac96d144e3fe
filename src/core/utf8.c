/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Printable ASCII and well-formed sequences: range of the first byte, of the second, and the length
 * (Unicode, 3-7). */
static const struct {
    unsigned char first, last, low, high;
    int length;
} sequences[] = {
    {0x20, 0x7e, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* C1 controls, marks, embeddings, overrides and isolates of direction, separators of lines. */
static const struct {
    unsigned first, last;
} obeyed[] = {
    {0x80, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
};

/* Length of the sequence at `at`, which ends with a NUL; 0 if it is malformed. */
static int sequence_length(const unsigned char *at)
{
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        if (*at < sequences[i].first || *at > sequences[i].last)
            continue;
        int length = sequences[i].length;
        if (length > 1 && (at[1] < sequences[i].low || at[1] > sequences[i].high))
            return 0;
        for (int j = 2; j < length; j++)
            if ((at[j] & 0xc0) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

/* Returns true for a character that terminals obey. These have two or three bytes. */
static bool is_obeyed(const unsigned char *at, int length)
{
    unsigned point = length == 2   ? (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu)
                     : length == 3 ? (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu)
                                   : 0;
    for (size_t i = 0; i < sizeof obeyed / sizeof *obeyed; i++)
        if (point >= obeyed[i].first && point <= obeyed[i].last)
            return true;
    return false;
}

int srv_utf8_sequence(const char *text)
{
    return sequence_length((const unsigned char *)text);
}

int srv_utf8_length(const char *text)
{
    int length = srv_utf8_sequence(text);
    return is_obeyed((const unsigned char *)text, length) ? 0 : length;
}

void srv_utf8_clean(char *text)
{
    while (*text) {
        int length = srv_utf8_length(text);
        if (!length)
            *text = '?';
        text += length ? length : 1;
    }
}

bool srv_utf8_is_clean_of(const char *clean, const char *text)
{
    while (*text) {
        int length = srv_utf8_length(text);
        if (length ? strncmp(clean, text, (size_t)length) != 0 : *clean != '?')
            return false;
        clean += length ? length : 1;
        text += length ? length : 1;
    }
    return !*clean;
}

void srv_utf8_mark_cut(char *text, size_t size, int length)
{
    static const char mark[] = "...";
    if (length < 0 || (size_t)length < size || size < sizeof mark)
        return;
    size_t end = size - sizeof mark, word = end;
    while (word > size / 2 && text[word] != ' ')
        word--;
    /* Cuts a long word, such as a path, between two characters of UTF-8. */
    if (text[word] == ' ')
        end = word;
    while (end > 0 && (((unsigned char)text[end] & 0xc0) == 0x80 || strchr(",;:", text[end - 1])))
        end--;
    strcpy(text + end, mark);
}
