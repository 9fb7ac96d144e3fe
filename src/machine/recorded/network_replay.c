/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/network_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text.h"
#include "machine/recorded/answers.h"
#include "machine/recorded/network_entry.h"
#include "machine/recorded/recorder.h"
#include "machine/recorded/runs.h"

/* Ranks of any job; a record with more is invalid. */
enum { RANKS_MAX = 1 << 26 };

typedef struct replay {
    srv_network head;
    char folder[SRV_RECORD_PATH_MAX];
    int job;
    char name[SERVET_NAME_MAX]; /* of the part */
    srv_lines part;
    int next;          /* line of the part after the last one that was given */
    const char *clock; /* looks that were not given yet, of the line before; NULL: none */
    long long now;     /* as the clock was read last; us */
    srv_rank *ranks;
    srv_network_node *nodes;
    int rank_count, node_count;
} replay;

static replay *self(srv_network *network)
{
    return (replay *)network;
}

static int piece_path(const replay *on, const char *part, int piece, char path[SRV_RECORD_PATH_MAX],
                      servet_error *error)
{
    char name[SERVET_NAME_MAX];
    srv_network_part_name(on->job, part, piece, name);
    return srv_record_path(on->folder, name, path, error);
}

/* --- finding answers -------------------------------------------------------------------------- */

static void write_exactly(FILE *stream, const void *entry)
{
    srv_network_probe_write(entry, false, stream);
}

static void write_loosely(FILE *stream, const void *entry)
{
    srv_network_probe_write(entry, true, stream);
}

static srv_text_writer *const writers[] = {write_exactly, write_loosely};

static int unanswered(const srv_network_entry *entry, servet_error *error)
{
    char text[SERVET_NAME_MAX];
    srv_network_probe_describe(entry, text);
    return srv_fail(error, SERVET_EUNMEASURED, "not on record: %s", text);
}

/* Lines are numbered anew in each piece. */
static int wrong_answer(const replay *on, int at, int code, servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int piece = 1;
    for (int i = 1; i <= at; i++)
        piece += on->part.line[i].number <= on->part.line[i - 1].number;
    int found = piece_path(on, on->name, piece, path, error);
    return found != SERVET_OK ? found
                              : srv_fail_at(error, code, path, on->part.line[at].number,
                                            "on record: %s", srv_answers_reason(code));
}

static int give(replay *on, int at, const srv_network_entry *entry, const char *answer,
                servet_error *error)
{
    on->part.line[at].given = true;
    on->next = at + 1;
    on->clock = NULL;
    int code = srv_network_answer_read(answer, entry);
    return code == SERVET_OK ? code : wrong_answer(on, at, code, error);
}

static int look_up(replay *on, const srv_network_entry *entry, servet_error *error)
{
    const char *answer;
    srv_numbers numbers = srv_numbers_begin();
    int line = -1, code = SERVET_OK;
    for (int loosely = 0; loosely < 2 && line < 0 && code == SERVET_OK; loosely++) {
        char *text = srv_text_written(writers[loosely], entry);
        code = text ? SERVET_OK : srv_fail_memory(error);
        line = text ? srv_lines_find(&on->part, on->next, text, &answer) : -1;
        free(text);
    }
    if (code == SERVET_OK)
        code = line < 0 ? unanswered(entry, error) : give(on, line, entry, answer, error);
    srv_numbers_end(numbers);
    return code;
}

/* --- probes ----------------------------------------------------------------------------------- */

static int exchange_messages(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                             servet_error *error)
{
    srv_network_entry entry = srv_entry_pass(exchange, times);
    return look_up(self(network), &entry, error);
}

/* Without a recorded sample, nothing is known. */
static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    srv_glances glances = {ranks, count, seconds};
    srv_network_entry entry = srv_entry_glances(&glances, noises);
    servet_error missing = SERVET_ERROR_INIT;
    int code = look_up(self(network), &entry, &missing);
    if (code == SERVET_OK)
        return code;
    if (code != SERVET_EUNMEASURED)
        return srv_fail_at(error, code, missing.file, missing.line, "%s", missing.text);
    for (int i = 0; i < count; i++)
        noises[ranks[i]] = (srv_rank_noise){{NAN, NAN, NAN, NAN}, SRV_ABSENCE_UNKNOWN};
    return SERVET_OK;
}

/* --- the clock -------------------------------------------------------------------------------- */

/* Longest time of any job, in us: thirty years. */
static const long long LONGEST = 1000000000000000;

/* Microseconds from the last look to the next one in the line. */
static bool next_look(replay *on, long long *later)
{
    char *end;
    if (!on->clock)
        return false;
    *later = strtoll(on->clock, &end, 10);
    bool found = end != on->clock && *later >= 0 && *later < LONGEST;
    on->clock = found ? end : NULL;
    return found;
}

static bool begin_looks(replay *on, long long *now)
{
    char *end;
    const char *line = on->next < on->part.count ? on->part.line[on->next].text : "";
    if (strncmp(line, "at ", strlen("at ")) != 0)
        return false;
    srv_numbers numbers = srv_numbers_begin();
    double seconds = strtod(line + strlen("at "), &end);
    *now = llround(fmin(fmax(seconds, 0) * SRV_MICROSECONDS, (double)LONGEST));
    srv_numbers_end(numbers);
    on->clock = end;
    on->next++;
    return true;
}

/* The time that was recorded between the same probes; it does not run backwards if the probes
 * differ. */
static double elapsed(srv_network *network)
{
    replay *on = self(network);
    long long later = 0, now = on->now;
    if (next_look(on, &later))
        now += later;
    else
        (void)begin_looks(on, &now);
    on->now = now > on->now ? now : on->now;
    return (double)on->now / SRV_MICROSECONDS;
}

/* --- what is fixed ---------------------------------------------------------------------------- */

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    const replay *on = self(network);
    (void)error;
    *ranks = on->ranks;
    *rank_count = on->rank_count;
    *nodes = on->nodes;
    *node_count = on->node_count;
    return SERVET_OK;
}

/* The nodes are numbered from 0 on, a line each. */
static int read_nodes(replay *on, const srv_lines *fixed, servet_error *error)
{
    int code = SERVET_OK, most = fixed->count;
    on->nodes = calloc((size_t)most + 1, sizeof *on->nodes);
    if (!on->nodes)
        return srv_fail_memory(error);
    while (code == SERVET_OK && on->node_count < most) {
        srv_entry entry = srv_entry_node(&on->node_count, &on->nodes[on->node_count]);
        servet_error missing = SERVET_ERROR_INIT;
        code = srv_answers_fixed(fixed, &entry, &missing);
        if (code == SERVET_EUNMEASURED)
            return SERVET_OK;
        if (code != SERVET_OK)
            return srv_fail_at(error, code, missing.file, missing.line, "%s", missing.text);
        on->node_count++;
    }
    return code;
}

static int no_ranks(servet_error *error)
{
    return srv_fail(error, SERVET_EFORMAT, "the recording lacks the locations of the ranks");
}

static bool is_rank(const replay *on, const srv_rank *rank)
{
    return rank->node >= 0 && rank->node < on->node_count && rank->core >= 0;
}

/* The number of ranks of each node is the one in its description. */
static int check_ranks(const replay *on, servet_error *error)
{
    bool sound = on->node_count > 0;
    int *found = calloc((size_t)on->node_count + 1, sizeof *found);
    if (!found)
        return srv_fail_memory(error);
    for (int i = 0; i < on->rank_count && sound; i++) {
        sound = is_rank(on, &on->ranks[i]);
        found[sound ? on->ranks[i].node : 0]++;
    }
    for (int i = 0; i < on->node_count && sound; i++)
        sound = found[i] == on->nodes[i].rank_count && found[i] > 0 && on->nodes[i].machine >= 0;
    free(found);
    return sound ? SERVET_OK : no_ranks(error);
}

static int read_ranks(replay *on, const srv_lines *fixed, servet_error *error)
{
    const char *answer;
    int count, used, line = srv_lines_find(fixed, 0, "ranks 0", &answer);
    bool found = line >= 0 && sscanf(answer, " = %d%n", &count, &used) == 1 && count > 0 &&
                 count <= RANKS_MAX;
    if (!found)
        return no_ranks(error);
    on->ranks = calloc((size_t)count, sizeof *on->ranks);
    if (!on->ranks)
        return srv_fail_memory(error);
    answer += used;
    on->rank_count = srv_runs_read(&answer, 2, &on->ranks->node, count);
    return on->rank_count == count && *answer == '\0' ? check_ranks(on, error) : no_ranks(error);
}

static int read_fixed(replay *on, const srv_lines *fixed, srv_network_record *record,
                      servet_error *error)
{
    srv_entry job = srv_entry_job(&record->job), machine = srv_entry_describe(&record->machine);
    int code = srv_answers_fixed(fixed, &job, error);
    if (code == SERVET_OK)
        code = srv_answers_fixed(fixed, &machine, error);
    if (code == SERVET_OK)
        code = srv_answers_objects(fixed, &record->objects, error);
    if (code == SERVET_OK)
        code = read_nodes(on, fixed, error);
    return code == SERVET_OK ? read_ranks(on, fixed, error) : code;
}

/* --- the network ------------------------------------------------------------------------------ */

static int open_piece(replay *on, const char *part, int piece, srv_lines *lines,
                      servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int code = piece_path(on, part, piece, path, error);
    return code == SERVET_OK ? srv_lines_read(lines, path, error) : code;
}

static int open_part(replay *on, const char *name, servet_error *error)
{
    servet_error wrong = SERVET_ERROR_INIT;
    int code = SERVET_OK, piece = 0;
    snprintf(on->name, sizeof on->name, "%s", name);
    while (code == SERVET_OK)
        code = open_piece(on, name, ++piece, &on->part, &wrong);
    if (code != SERVET_ENOTFOUND)
        return srv_fail_at(error, code, wrong.file, wrong.line, "%s", wrong.text);
    return piece > 1 ? SERVET_OK
                     : srv_fail(error, SERVET_EUNMEASURED, "not on record: part %s of job %d", name,
                                on->job);
}

/* A job that was killed has not ended all of them. A continued part is there already. */
static int part(srv_network *network, const char *name, servet_error *error)
{
    replay *on = self(network);
    if (!name || strcmp(name, on->name) == 0)
        return SERVET_OK;
    srv_lines_finish(&on->part);
    on->next = 0;
    on->clock = NULL;
    return open_part(on, name, error);
}

static void destroy(srv_network *network)
{
    replay *on = self(network);
    srv_lines_finish(&on->part);
    free(on->ranks);
    free(on->nodes);
    free(on);
}

static int begin(replay *on, srv_network_record *record, servet_error *error)
{
    srv_lines fixed = {NULL, 0, 0, NULL};
    servet_error wrong = SERVET_ERROR_INIT;
    char path[SRV_RECORD_PATH_MAX];
    int code = open_piece(on, NULL, 1, &fixed, error);
    if (code == SERVET_OK) {
        code = read_fixed(on, &fixed, record, &wrong);
        code = code == SERVET_EUNMEASURED ? SERVET_EFORMAT : code;
        if (code != SERVET_OK && piece_path(on, NULL, 1, path, error) == SERVET_OK)
            code = srv_fail_at(error, code, path, wrong.line, "%s", wrong.text);
    }
    srv_lines_finish(&fixed);
    if (code != SERVET_OK)
        return code;
    code = part(&on->head, SRV_RECORD_BEGIN, &wrong);
    return code == SERVET_OK || code == SERVET_EUNMEASURED
               ? SERVET_OK
               : srv_fail_at(error, code, wrong.file, wrong.line, "%s", wrong.text);
}

int srv_network_replay_create(srv_network **network, const char *folder, int number,
                              srv_network_record *record, servet_error *error)
{
    static const srv_network_ops ops = {
        .describe = describe,
        .exchange = exchange_messages,
        .noise = noise,
        .elapsed = elapsed,
        .part = part,
        .destroy = destroy,
    };
    *record = (srv_network_record){0};
    replay *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    *on = (replay){.head = {&ops}, .job = number};
    snprintf(on->folder, sizeof on->folder, "%s", folder);
    int code = begin(on, record, error);
    if (code == SERVET_OK)
        *network = &on->head;
    else
        destroy(&on->head);
    return code;
}
