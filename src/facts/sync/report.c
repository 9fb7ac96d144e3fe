/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics, locks and barriers in the report. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"

static int get(const servet_profile *profile, const servet_at *at, int number, servet_sync *sync)
{
    return servet_profile_item(profile, at, "sync", &number, sync, sizeof *sync);
}

/* The time of an operation of the threads of `like`. One thread has no barriers. */
static void find_time(const servet_profile *profile, const servet_at *at, const servet_sync *like,
                      int op, char text[HUMAN_MAX])
{
    servet_sync sync;
    strcpy(text, like->threads > 1 ? report_unknown : "");
    for (int i = 1; get(profile, at, i, &sync) == SERVET_OK; i++)
        if ((int)sync.op == op && sync.threads == like->threads && sync.layer == like->layer)
            report_time(&sync.time, HUMAN_NS, text);
}

static void add_set(report_table *table, const servet_profile *profile, const servet_at *at,
                    const servet_sync *set)
{
    char threads[16], layer[24] = "", text[SERVET_SYNC_PAUSE][HUMAN_MAX];
    const char *cells[SERVET_SYNC_PAUSE + 2] = {threads, layer};
    snprintf(threads, sizeof threads, "%d", set->threads);
    if (set->layer > 0)
        snprintf(layer, sizeof layer, "layer %d", set->layer);
    for (int op = 0; op < SERVET_SYNC_PAUSE; op++) {
        find_time(profile, at, set, op, text[op]);
        cells[op + 2] = text[op];
    }
    report_table_row(table, cells);
}

/* True if no item before the `number`-th is of its threads. */
static bool is_first(const servet_profile *profile, const servet_at *at, int number,
                     const servet_sync *sync)
{
    servet_sync before;
    for (int i = 1; i < number; i++)
        if (get(profile, at, i, &before) == SERVET_OK && before.threads == sync->threads &&
            before.layer == sync->layer)
            return false;
    return true;
}

static void add_table(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_sync sync;
    report_table *table =
        document_table(to, "Time until the next operation of any of the threads ends, ns", "rl",
                       "threads", "distance");
    for (int op = 0; op < SERVET_SYNC_PAUSE; op++)
        report_table_column(table, 'r', servet_sync_name((servet_sync_op)op));
    for (int i = 1; get(profile, at, i, &sync) == SERVET_OK; i++)
        if (is_first(profile, at, i, &sync))
            add_set(table, profile, at, &sync);
}

void report_sync(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_sync sync;
    char ns[HUMAN_MAX];
    if (get(profile, at, 1, &sync) != SERVET_OK)
        return;
    document_heading(to, "Synchronization");
    add_table(to, profile, at);
    find_time(profile, at, &(servet_sync){.threads = 1}, SERVET_SYNC_PAUSE, ns);
    if (*ns)
        document_line(to, "The hint of spinning loops (PAUSE, YIELD) takes %s ns", ns);
}
