/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/text.h"

/* --- lines ------------------------------------------------------------------------------------ */

/* The line is owned, also where this fails. */
static int add_line(srv_lines *lines, char *text, servet_error *error)
{
    srv_line *larger = srv_grow(lines->line, (size_t)lines->count, sizeof *larger);
    if (!larger) {
        free(text);
        return srv_fail_memory(error);
    }
    lines->line = larger;
    lines->line[lines->count++] = (srv_line){.text = text};
    return SERVET_OK;
}

/* A time, or a probe with its answer or its refusal. */
static bool is_recorded(const char *line)
{
    return strncmp(line, "at ", strlen("at ")) == 0 || strstr(line, " = ") || strstr(line, " ! ");
}

/* Those of a file, without empty ones and comments. */
static int read_lines(srv_lines *lines, const char *path, int piece, servet_error *error)
{
    char *text, *rest, *line;
    size_t size;
    int number = 0, code = srv_text_read_found(path, SRV_SERIES_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    for (rest = text; code == SERVET_OK && (line = strsep(&rest, "\n"));) {
        number++;
        if (*line == '#' || !*line)
            continue;
        if (!is_recorded(line)) {
            code = srv_fail_at(error, SERVET_EFORMAT, path, number,
                               "no probe with its answer: the recording is damaged; measure again");
            break;
        }
        char *copy = strdup(line);
        code = copy ? add_line(lines, copy, error) : srv_fail_memory(error);
        if (code == SERVET_OK)
            lines->line[lines->count - 1] = (srv_line){copy, piece, number, false};
    }
    free(text);
    return code;
}

/* The next line after `from` (and then from the first on) that has not been given and begins with
 * the request; `*answer` is what follows it. -1: there is none. */
static int find_line(const srv_lines *lines, int from, const char *request, const char **answer)
{
    for (int i = 0; i < lines->count; i++) {
        int at = (from + i) % lines->count;
        const srv_line *line = &lines->line[at];
        if (!line->given && srv_call_matches(line->text, request, answer))
            return at;
    }
    return -1;
}

static void finish_lines(srv_lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->line[i].text);
    free(lines->line);
    *lines = (srv_lines){NULL, 0};
}

/* --- files ------------------------------------------------------------------------------------ */

int srv_record_path(const srv_record *on, const char *part, int piece,
                    char path[SRV_RECORD_PATH_MAX], servet_error *error)
{
    char job[24] = "", number[16] = "";
    const char *word = part ? part : on->job ? "" : "machine";
    if (on->job)
        snprintf(job, sizeof job, "network-%d%s", on->job, part ? "-" : "");
    if (piece > 1)
        snprintf(number, sizeof number, "-%d", piece);
    int length =
        snprintf(path, SRV_RECORD_PATH_MAX, "%s/answers-%s%s%s.txt", on->folder, job, word, number);
    return length < SRV_RECORD_PATH_MAX
               ? SERVET_OK
               : srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
}

static int begin_file(const srv_record *on, const char *part, int piece, srv_file *file,
                      servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int code = srv_record_path(on, part, piece, path, error);
    if (code == SERVET_OK)
        code = srv_file_begin(file, path, error);
    if (code == SERVET_OK)
        fprintf(file->stream, "# probes and answers: %s\n", part ? part : "what is fixed");
    return code;
}

static int store_fixed(srv_record *on, servet_error *error)
{
    srv_file file;
    if (!on->changed)
        return SERVET_OK;
    int code = begin_file(on, NULL, 1, &file, error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < on->fixed.count; i++)
        fprintf(file.stream, "%s\n", on->fixed.line[i].text);
    on->changed = false;
    return srv_file_commit(&file, error);
}

static int end_part(srv_record *on, servet_error *error)
{
    int code = SERVET_OK;
    if (on->open)
        code = srv_file_commit(&on->file, error);
    on->open = false;
    return code == SERVET_OK ? store_fixed(on, error) : code;
}

static int begin_part(srv_record *on, const char *name, servet_error *error)
{
    on->piece = strcmp(on->part, name) == 0 ? on->piece + 1 : 1;
    snprintf(on->part, sizeof on->part, "%s", name);
    int code = begin_file(on, name, on->piece, &on->file, error);
    on->open = code == SERVET_OK;
    return code;
}

static int read_part(srv_record *on, const char *name, servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    servet_error wrong = SERVET_ERROR_INIT;
    int code = SERVET_OK;
    finish_lines(&on->lines);
    snprintf(on->part, sizeof on->part, "%s", name);
    on->next = on->piece = 0;
    while (code == SERVET_OK) {
        code = srv_record_path(on, name, ++on->piece, path, &wrong);
        if (code == SERVET_OK)
            code = read_lines(&on->lines, path, on->piece, &wrong);
    }
    if (code != SERVET_ENOTFOUND)
        return srv_fail_at(error, code, wrong.file, wrong.line, "%s", wrong.text);
    return on->piece > 1 ? SERVET_OK
                         : srv_fail(error, SERVET_EUNMEASURED, "not on record: part %s", name);
}

int srv_record_part(srv_record *on, const char *name, servet_error *error)
{
    if (on->replays)
        return name && strcmp(name, on->part) != 0 ? read_part(on, name, error) : SERVET_OK;
    int code = end_part(on, error);
    return code == SERVET_OK && name ? begin_part(on, name, error) : code;
}

int srv_record_open(srv_record *on, const char *folder, int job, bool replays, bool known,
                    servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    *on = (srv_record){.job = job, .replays = replays};
    int length = snprintf(on->folder, sizeof on->folder, "%s", folder);
    if (length >= (int)sizeof on->folder)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    int code = srv_record_path(on, NULL, 1, path, error);
    return code == SERVET_OK && known ? read_lines(&on->fixed, path, 1, error) : code;
}

void srv_record_finish(srv_record *on)
{
    if (on->open)
        srv_file_abandon(&on->file);
    finish_lines(&on->fixed);
    finish_lines(&on->lines);
}

/* --- recording -------------------------------------------------------------------------------- */

/* Fixed answers stand in the recording once; the last one counts. */
static int keep_fixed(srv_record *on, const char *request, char *line, servet_error *error)
{
    const char *answer;
    int known = find_line(&on->fixed, 0, request, &answer);
    on->changed = true;
    if (known < 0)
        return add_line(&on->fixed, line, error);
    free(on->fixed.line[known].text);
    on->fixed.line[known].text = line;
    return SERVET_OK;
}

static int keep(srv_record *on, const srv_call *call, const char *request, const char *answer,
                servet_error *error)
{
    srv_probe_kept kept = srv_probes[call->kind].kept;
    size_t size = strlen(request) + strlen(answer) + 1;
    if (kept != SRV_KEPT_FIXED && on->open)
        fprintf(on->file.stream, "%s%s\n", request, answer);
    if (kept == SRV_KEPT_PART)
        return SERVET_OK;
    char *line = malloc(size);
    if (!line)
        return srv_fail_memory(error);
    snprintf(line, size, "%s%s", request, answer);
    return keep_fixed(on, request, line, error);
}

static int record(srv_record *on, const srv_call *call, int status, servet_error *error)
{
    char *request = srv_call_text(call, false), *answer = srv_answer_text(call, status);
    int code = request && answer ? keep(on, call, request, answer, error) : srv_fail_memory(error);
    if (code == SERVET_OK && status == SERVET_OK && !call->list &&
        (code = srv_answer_read(answer, call)) != SERVET_OK)
        code = srv_fail(error, code, "an answer cannot be recorded: %s", answer);
    free(request);
    free(answer);
    return code == SERVET_OK ? status : code;
}

/* --- answering -------------------------------------------------------------------------------- */

static int give(srv_record *on, const srv_line *line, const char *part, const srv_call *call,
                const char *answer, servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int code = srv_answer_read(answer, call);
    if (code == SERVET_OK)
        return code;
    int found = srv_record_path(on, part, line->piece, path, error);
    return found != SERVET_OK ? found
                              : srv_fail_at(error, code, path, line->number, "on record: %s: %s",
                                            srv_probes[call->kind].word,
                                            code == SERVET_EFORMAT
                                                ? "the answer is cut off or damaged; measure again"
                                                : servet_error_text(code));
}

static int answer_unknown(const srv_call *call, const char *request, servet_error *error)
{
    const srv_probe_row *probe = &srv_probes[call->kind];
    if (!probe->unknown)
        return srv_fail(error, SERVET_EUNMEASURED, "not on record: %s", request);
    for (int i = 0; i < call->most; i++)
        memcpy((char *)call->answer + (size_t)i * probe->answer.size, probe->unknown,
               probe->answer.size);
    return SERVET_OK;
}

/* True if the request is on record; `*code` is then that of its answer. */
static bool find(srv_record *on, const srv_call *call, const char *request, int *code,
                 servet_error *error)
{
    const char *answer;
    int at = find_line(&on->lines, on->next, request, &answer);
    if (at >= 0) {
        on->lines.line[at].given = true;
        on->next = at + 1;
        *code = give(on, &on->lines.line[at], on->part, call, answer, error);
        return true;
    }
    at = find_line(&on->fixed, 0, request, &answer);
    if (at >= 0)
        *code = give(on, &on->fixed.line[at], NULL, call, answer, error);
    return at >= 0;
}

static int look_up(srv_record *on, const srv_call *call, servet_error *error)
{
    char *exact = srv_call_text(call, false), *loose = srv_call_text(call, true);
    int code = SERVET_OK;
    if (!exact || !loose)
        code = srv_fail_memory(error);
    else if (!find(on, call, exact, &code, error) && !find(on, call, loose, &code, error))
        code = answer_unknown(call, exact, error);
    free(exact);
    free(loose);
    return code;
}

int srv_record_answer(srv_record *on, const srv_call *call, int status, servet_error *error)
{
    srv_numbers numbers = srv_numbers_begin();
    int code = on->replays ? look_up(on, call, error) : record(on, call, status, error);
    srv_numbers_end(numbers);
    return code;
}

/* --- the clock -------------------------------------------------------------------------------- */

/* Longest time of any job, in us: thirty years. */
static const double LONGEST = 1e15;

/* The next line, if it is a look at the clock; else the last look. */
static double next_look(srv_record *on)
{
    const char *line = on->next < on->lines.count ? on->lines.line[on->next].text : "";
    if (strncmp(line, "at ", strlen("at ")) != 0)
        return (double)on->now;
    on->next++;
    return fmin(fmax(strtod(line + strlen("at "), NULL), 0) * SRV_MICROSECONDS, LONGEST);
}

double srv_record_elapsed(srv_record *on, double now)
{
    srv_numbers numbers = srv_numbers_begin();
    long long read = llround(on->replays ? next_look(on) : now * SRV_MICROSECONDS);
    on->now = read > on->now ? read : on->now;
    double seconds = (double)on->now / SRV_MICROSECONDS;
    if (on->open)
        fprintf(on->file.stream, "at %.6f\n", seconds);
    srv_numbers_end(numbers);
    return seconds;
}
