/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/answers.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text.h"

static void write_exactly(FILE *stream, const void *probe)
{
    srv_numbers numbers = srv_numbers_begin();
    srv_recorded_probe_write(probe, false, stream);
    srv_numbers_end(numbers);
}

static void write_loosely(FILE *stream, const void *probe)
{
    srv_numbers numbers = srv_numbers_begin();
    srv_recorded_probe_write(probe, true, stream);
    srv_numbers_end(numbers);
}

static srv_text_writer *const writers[] = {write_exactly, write_loosely};

int srv_answers_find(const srv_lines *lines, int from, const srv_recorded_probe *probe,
                     const char **answer)
{
    int line = SRV_ANSWERS_NONE;
    for (int loosely = 0; loosely < 2 && line == SRV_ANSWERS_NONE; loosely++) {
        char *text = srv_text_written(writers[loosely], probe);
        line = text ? srv_lines_find(lines, from, text, answer) : SRV_ANSWERS_NO_MEMORY;
        free(text);
    }
    return line;
}

static int unanswered(const srv_lines *lines, const srv_recorded_probe *probe, servet_error *error)
{
    char *text = srv_text_written(write_exactly, probe);
    if (!text)
        return srv_fail_memory(error);
    int code = srv_fail_at(error, SERVET_EUNMEASURED, lines->path ? lines->path : "", 0,
                           "not on record: %s", text);
    free(text);
    return code;
}

const char *srv_answers_reason(int code)
{
    return code == SERVET_EFORMAT ? "the answer is cut off or damaged; measure again"
                                  : servet_error_text(code);
}

int srv_answers_give(const srv_lines *lines, int line, const srv_entry *entry, const char *answer,
                     servet_error *error)
{
    srv_numbers numbers = srv_numbers_begin();
    int code = srv_answer_read(answer, &entry->answer);
    srv_numbers_end(numbers);
    return code == SERVET_OK
               ? code
               : srv_fail_at(error, code, lines->path ? lines->path : "", lines->line[line].number,
                             "on record: %s: %s", entry->probe.word, srv_answers_reason(code));
}

int srv_answers_fixed(const srv_lines *fixed, const srv_entry *entry, servet_error *error)
{
    const char *answer;
    int line = srv_answers_find(fixed, 0, &entry->probe, &answer);
    if (line == SRV_ANSWERS_NO_MEMORY)
        return srv_fail_memory(error);
    return line == SRV_ANSWERS_NONE ? unanswered(fixed, &entry->probe, error)
                                    : srv_answers_give(fixed, line, entry, answer, error);
}

/* Every word after the sign and the number is a set. */
int srv_answers_objects(const srv_lines *fixed, srv_sets *sets, servet_error *error)
{
    const char *answer;
    *sets = (srv_sets){NULL, 0};
    srv_entry entry = srv_entry_objects(sets);
    int line = srv_lines_find(fixed, 0, "objects 0", &answer);
    if (line < 0)
        return unanswered(fixed, &entry.probe, error);
    int most = (int)strlen(answer);
    sets->set = calloc((size_t)most + 1, sizeof *sets->set);
    if (!sets->set)
        return srv_fail_memory(error);
    sets->count = most;
    entry = srv_entry_objects(sets);
    return srv_answers_give(fixed, line, &entry, answer, error);
}
