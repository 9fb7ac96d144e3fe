/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/network_recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text.h"
#include "machine/recorded/lines.h"
#include "machine/recorded/network_entry.h"
#include "machine/recorded/recorder.h"
#include "machine/recorded/runs.h"

typedef struct recorder {
    srv_network head;
    srv_network *inner;
    const char *folder;
    int job;
    char name[SERVET_NAME_MAX]; /* of the part that is open, or was the last one */
    int piece;                  /* of it */
    srv_file part;
    bool open;
    bool telling_time; /* a line of times of the clock is not ended */
    long long now;     /* as the clock was read last; us */
} recorder;

static recorder *self(srv_network *network)
{
    return (recorder *)network;
}

/* --- parts ------------------------------------------------------------------------------------ */

void srv_network_part_name(int job, const char *part, int piece, char name[SERVET_NAME_MAX])
{
    int length = snprintf(name, SERVET_NAME_MAX, "network-%d", job);
    if (part)
        length += snprintf(name + length, SERVET_NAME_MAX - (size_t)length, "-%.32s", part);
    if (piece > 1)
        snprintf(name + length, SERVET_NAME_MAX - (size_t)length, "-%d", piece);
}

static void end_clock(recorder *on)
{
    if (on->telling_time)
        fputc('\n', on->part.stream);
    on->telling_time = false;
}

static int end_part(recorder *on, servet_error *error)
{
    if (!on->open)
        return SERVET_OK;
    end_clock(on);
    on->open = false;
    return srv_file_commit(&on->part, error);
}

static int begin_part(recorder *on, const char *part, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    on->piece = strcmp(on->name, part) == 0 ? on->piece + 1 : 1;
    snprintf(on->name, sizeof on->name, "%s", part);
    srv_network_part_name(on->job, part, on->piece, name);
    int code = srv_record_begin(&on->part, on->folder, name,
                                "probes of the network, and its answers", error);
    on->open = code == SERVET_OK;
    return code;
}

static int part(srv_network *network, const char *name, servet_error *error)
{
    recorder *on = self(network);
    int code = end_part(on, error);
    return code == SERVET_OK && name ? begin_part(on, name, error) : code;
}

/* --- probes ----------------------------------------------------------------------------------- */

/* An entry, and whether it was answered. */
typedef struct answered {
    const srv_network_entry *entry;
    int code;
} answered;

static void write_line(FILE *stream, const void *context)
{
    const answered *of = context;
    srv_network_probe_write(of->entry, false, stream);
    if (of->code == SERVET_OK)
        srv_network_answer_write(of->entry, stream);
    else
        srv_refusal_write(of->code, stream);
}

/* Gives the benchmark the answer as it was written. */
static int keep(recorder *on, const srv_network_entry *entry, int status, servet_error *error)
{
    char *text = srv_text_written(write_line, &(answered){entry, status});
    if (!text)
        return srv_fail_memory(error);
    end_clock(on);
    if (on->open)
        fprintf(on->part.stream, "%s\n", text);
    const char *answer = strstr(text, " = ");
    int code = answer ? srv_network_answer_read(answer, entry) : SERVET_OK;
    free(text);
    if (code != SERVET_OK)
        return srv_fail(error, code, "cannot write the answers");
    return status;
}

static int note(recorder *on, const srv_network_entry *entry, int status, servet_error *error)
{
    srv_numbers numbers = srv_numbers_begin();
    int code = keep(on, entry, status, error);
    srv_numbers_end(numbers);
    return code;
}

static int exchange_messages(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                             servet_error *error)
{
    recorder *on = self(network);
    int code = on->inner->ops->exchange(on->inner, exchange, times, error);
    srv_network_entry entry = srv_entry_pass(exchange, times);
    return note(on, &entry, code, error);
}

static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    recorder *on = self(network);
    srv_glances glances = {ranks, count, seconds};
    int code = on->inner->ops->noise(on->inner, ranks, count, seconds, noises, error);
    srv_network_entry entry = srv_entry_glances(&glances, noises);
    return note(on, &entry, code, error);
}

/* Benchmarks read the clock more often than they send probes: consecutive readings are one line,
 * the first in seconds, the others in microseconds after the one before. */
static double elapsed(srv_network *network)
{
    recorder *on = self(network);
    long long now = llround(on->inner->ops->elapsed(on->inner) * SRV_MICROSECONDS),
              before = on->now;
    on->now = now > before ? now : before;
    double seconds = (double)on->now / SRV_MICROSECONDS;
    if (!on->open)
        return seconds;
    srv_numbers numbers = srv_numbers_begin();
    if (on->telling_time)
        fprintf(on->part.stream, " %lld", on->now - before);
    else
        fprintf(on->part.stream, "at %.6f", seconds);
    srv_numbers_end(numbers);
    on->telling_time = true;
    return seconds;
}

/* --- what is fixed, or passed on -------------------------------------------------------------- */

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    recorder *on = self(network);
    return on->inner->ops->describe(on->inner, ranks, rank_count, nodes, node_count, error);
}

static void write_fixed(const srv_entry *entry, FILE *stream)
{
    srv_recorded_probe_write(&entry->probe, false, stream);
    srv_answer_write(&entry->answer, stream);
    fputc('\n', stream);
}

static void write_nodes(const srv_network_node *nodes, int count, FILE *stream)
{
    for (int i = 0; i < count; i++) {
        srv_network_node node = nodes[i];
        srv_entry entry = srv_entry_node(&i, &node);
        write_fixed(&entry, stream);
    }
}

_Static_assert(sizeof(srv_rank) == 2 * sizeof(int), "a rank is two numbers");

static int write_network(recorder *on, FILE *stream, servet_error *error)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
    int code = describe(&on->head, &ranks, &rank_count, &nodes, &node_count, error);
    if (code != SERVET_OK)
        return code;
    write_nodes(nodes, node_count, stream);
    fprintf(stream, "ranks 0 = %d", rank_count);
    srv_runs_write(&ranks->node, 2, rank_count, stream);
    fputc('\n', stream);
    return SERVET_OK;
}

static int write_record(recorder *on, const srv_network_record *record, FILE *stream,
                        servet_error *error)
{
    srv_network_record kept = *record;
    const srv_entry entries[] = {srv_entry_job(&kept.job), srv_entry_describe(&kept.machine),
                                 srv_entry_objects(&kept.objects)};
    srv_numbers numbers = srv_numbers_begin();
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        write_fixed(&entries[i], stream);
    int code = write_network(on, stream, error);
    srv_numbers_end(numbers);
    return code;
}

/* --- the network ------------------------------------------------------------------------------ */

static void destroy(srv_network *network)
{
    recorder *on = self(network);
    if (on->open)
        srv_file_abandon(&on->part);
    free(on);
}

/* The first number that no job has. */
static int find_number(recorder *on, char name[SERVET_NAME_MAX], servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int code;
    do {
        srv_network_part_name(++on->job, NULL, 1, name);
        code = srv_record_path(on->folder, name, path, error);
    } while (code == SERVET_OK && access(path, F_OK) == 0);
    return code;
}

static int begin(recorder *on, const srv_network_record *record, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    srv_file file;
    int code = find_number(on, name, error);
    if (code == SERVET_OK)
        code = srv_record_begin(&file, on->folder, name, "the job, a node and the network", error);
    if (code != SERVET_OK)
        return code;
    code = write_record(on, record, file.stream, error);
    if (code == SERVET_OK)
        code = srv_file_commit(&file, error);
    else
        srv_file_abandon(&file);
    return code == SERVET_OK ? begin_part(on, SRV_RECORD_BEGIN, error) : code;
}

int srv_network_recorder_create(srv_network **network, srv_network *inner, const char *folder,
                                const srv_network_record *record, servet_error *error)
{
    static const srv_network_ops ops = {
        .describe = describe,
        .exchange = exchange_messages,
        .noise = noise,
        .elapsed = elapsed,
        .part = part,
        .destroy = destroy,
    };
    recorder *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    *on = (recorder){.head = {&ops}, .inner = inner, .folder = folder};
    int code = begin(on, record, error);
    if (code == SERVET_OK)
        *network = &on->head;
    else
        destroy(&on->head);
    return code;
}
