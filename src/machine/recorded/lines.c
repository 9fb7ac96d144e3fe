/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "machine/recorded/entry.h"

int srv_record_path(const char *folder, const char *part, char path[SRV_RECORD_PATH_MAX],
                    servet_error *error)
{
    int length = snprintf(path, SRV_RECORD_PATH_MAX, "%s/answers-%s.txt", folder, part);
    return length < SRV_RECORD_PATH_MAX
               ? SERVET_OK
               : srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
}

int srv_record_begin(srv_file *file, const char *folder, const char *part, const char *title,
                     servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int code = srv_record_path(folder, part, path, error);
    if (code == SERVET_OK)
        code = srv_file_begin(file, path, error);
    if (code == SERVET_OK)
        fprintf(file->stream, "# %s\n", title);
    return code;
}

int srv_lines_add(srv_lines *lines, char *text, servet_error *error)
{
    if (lines->count == lines->room) {
        int room = lines->room > 0 ? 2 * lines->room : 64;
        srv_line *larger = realloc(lines->line, (size_t)room * sizeof *larger);
        if (!larger) {
            free(text);
            return srv_fail_memory(error);
        }
        lines->line = larger;
        lines->room = room;
    }
    lines->line[lines->count++] = (srv_line){.text = text};
    return SERVET_OK;
}

/* A time, or a probe with its answer or its refusal. */
static bool is_recorded(const char *line)
{
    return strncmp(line, "at ", strlen("at ")) == 0 || strstr(line, " = ") || strstr(line, " ! ");
}

static int add_line(srv_lines *lines, const char *line, int number, servet_error *error)
{
    if (!is_recorded(line))
        return srv_fail_at(error, SERVET_EFORMAT, lines->path, number,
                           "no probe with its answer: the recording is damaged; measure again");
    char *copy = strdup(line);
    int code = copy ? srv_lines_add(lines, copy, error) : srv_fail_memory(error);
    if (code == SERVET_OK)
        lines->line[lines->count - 1].number = number;
    return code;
}

int srv_lines_read(srv_lines *lines, const char *path, servet_error *error)
{
    char *text, *rest, *line;
    size_t size;
    int number = 0, code = srv_text_read_found(path, SRV_SERIES_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    free(lines->path);
    lines->path = strdup(path);
    if (!lines->path)
        code = srv_fail_memory(error);
    for (rest = text; code == SERVET_OK && (line = strsep(&rest, "\n"));) {
        number++;
        if (*line != '#' && *line)
            code = add_line(lines, line, number, error);
    }
    free(text);
    return code;
}

static bool fits(const srv_line *line, const char *probe, const char **answer)
{
    return !line->given && srv_recorded_probe_matches(line->text, probe, answer);
}

int srv_lines_find(const srv_lines *lines, int from, const char *probe, const char **answer)
{
    for (int i = 0; i < lines->count; i++) {
        int at = (from + i) % lines->count;
        if (fits(&lines->line[at], probe, answer))
            return at;
    }
    return -1;
}

void srv_lines_finish(srv_lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->line[i].text);
    free(lines->line);
    free(lines->path);
    *lines = (srv_lines){NULL, 0, 0, NULL};
}
