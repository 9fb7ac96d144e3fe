/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/where_report.h"

#include <jansson.h>

/* --- for people ------------------------------------------------------------------------------- */

static void print_rank(int number, const srv_observed_binding *rank)
{
    printf("rank %d on %s, cores %s, now on", number, rank->host, rank->cores);
    for (int i = 0; i < rank->thread_count; i++)
        printf("%c%d", i ? ',' : ' ', rank->threads[i].core);
}

void mpi_where_text(const mpi_where *where)
{
    int agree = 0;
    for (int i = 0; i < where->count; i++) {
        print_rank(i, &where->ranks[i]);
        if (where->verdicts && where->verdicts[i].agrees)
            agree++;
        else if (where->verdicts)
            printf("; placed on %s, cores %s: %s", where->placed[i].host, where->placed[i].cores,
                   where->verdicts[i].text);
        printf("\n");
    }
    if (where->verdicts)
        printf("%d of %d rank%s as placed\n", agree, where->count,
               where->count == 1 ? " runs" : "s run");
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *threads_of(const srv_observed_binding *rank)
{
    json_t *threads = json_array();
    for (int i = 0; i < rank->thread_count; i++)
        json_array_append_new(threads, json_pack("{s:s, s:i}", "cores", rank->threads[i].cores,
                                                 "core", rank->threads[i].core));
    return threads;
}

static json_t *rank_of(const mpi_where *where, int i)
{
    const srv_observed_binding *observed = &where->ranks[i];
    json_t *rank = json_pack("{s:i, s:s, s:s, s:o}", "rank", i, "host", observed->host, "cores",
                             observed->cores, "threads", threads_of(observed));
    if (!where->verdicts)
        return rank;
    const mpi_placed *placed = &where->placed[i];
    const mpi_verdict *verdict = &where->verdicts[i];
    json_object_set_new(rank, "placed",
                        json_pack("{s:s, s:s}", "host", placed->host, "cores", placed->cores));
    json_object_set_new(rank, "agrees", json_boolean(verdict->agrees));
    if (!verdict->agrees)
        json_object_set_new(rank, "reason", json_string(verdict->text));
    return rank;
}

void mpi_where_json(const mpi_where *where)
{
    json_t *ranks = json_array();
    for (int i = 0; i < where->count; i++)
        json_array_append_new(ranks, rank_of(where, i));
    json_t *document = json_pack("{s:o}", "ranks", ranks);
    json_dumpf(document, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(document);
}
