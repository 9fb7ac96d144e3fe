/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gather/read.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

/* Returns true for a line "at 0.17", "PROBE ... = COUNT ..." or "PROBE ... ! ERROR". */
static bool is_answer(const char *line, size_t length)
{
    size_t at = 0;
    if (length > 3 && strncmp(line, "at ", 3) == 0)
        return isdigit((unsigned char)line[3]);
    while (at + 3 < length &&
           !(line[at] == ' ' && strchr("=!", line[at + 1]) && line[at + 2] == ' '))
        at++;
    return at > 0 && at + 3 < length &&
           (line[at + 1] == '=' ? isdigit((unsigned char)line[at + 3])
                                : strncmp(line + at + 3, "SERVET_E", 8) == 0);
}

/* Returns true for numbers and words with commas: "kernel,bandwidth,low,high",
 * "read,1.79749e+10,,". */
static bool is_row(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && (isalnum((unsigned char)line[at]) || strchr(".,_+-/", line[at])))
        at++;
    return at == length;
}

/* The forms of files. A profile has no form here, because it was read as a profile before. */
static const struct form {
    const char *name;
    bool (*has)(const char *line, size_t length);
    const char *wrong;
} forms[] = {
    {"*.txt", is_answer, "this is no line of a recording"},
    {"*.csv", is_row, "this is no row of a series"},
};

static int check_lines(const char *text, const struct form *form, const char *path,
                       servet_error *error)
{
    int number = 1;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        size_t shown = length - (length > 0 && line[length - 1] == '\r');
        if (shown > 0 && *line != '#' && !form->has(line, shown))
            return srv_fail_at(error, SERVET_EFORMAT, path, number,
                               "%s: move the file away if Servet did not write it", form->wrong);
        line += length + (line[length] == '\n');
    }
    return SERVET_OK;
}

int cli_gather_read(const char *path, char **text, servet_error *error)
{
    size_t size;
    int code = srv_text_read_found(path, SRV_SERIES_BYTES_MAX, text, &size, error);
    if (code != SERVET_OK)
        return code;
    if (strlen(*text) != size)
        code = srv_fail_at(error, SERVET_EFORMAT, path, 0, "not a text file");
    for (size_t i = 0; i < sizeof forms / sizeof *forms && code == SERVET_OK; i++)
        if (fnmatch(forms[i].name, path, 0) == 0)
            code = check_lines(*text, &forms[i], path, error);
    if (code == SERVET_OK)
        return code;
    free(*text);
    *text = NULL;
    return code;
}
