/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/accelerators/benchmark.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "stats/copy_alike.h"

enum { VISITS_LEAST = 2 };

/* --- visits ----------------------------------------------------------------------------------- */

/* The fastest visit to a copy but for `other`; NULL: there is none. */
static const srv_copy_visit *find_fastest(const srv_copy_row *row, int copy,
                                          const srv_copy_visit *other)
{
    const srv_copy_visit *best = NULL;
    for (int i = 0; i < row->visits; i++) {
        const srv_copy_visit *visit = &row->visit[i][copy];
        if (visit != other && (!best || visit->ns < best->ns))
            best = visit;
    }
    return best;
}

static bool is_confirmed(const srv_copy_row *row, int copy)
{
    const srv_copy_visit *best = find_fastest(row, copy, NULL);
    const srv_copy_visit *second = find_fastest(row, copy, best);
    double alike = row->copy[copy].in_flight > 1 ? SRV_COPY_RATES_ALIKE : SRV_COPY_TIMES_ALIKE;
    return second && second->ns <= (1 + alike) * best->ns;
}

static srv_want want_visit(const srv_copy_row *row)
{
    bool confirmed = true;
    if (row->refused)
        return SRV_WANT_NOTHING;
    if (row->visits < VISITS_LEAST)
        return SRV_WANT_VISIT;
    for (int i = 0; i < row->count; i++)
        confirmed = confirmed && is_confirmed(row, i);
    return confirmed ? SRV_WANT_NOTHING : SRV_WANT_SPARE;
}

static int visit(srv_machine *machine, srv_copy_row *row, char refusal[SERVET_TEXT_MAX],
                 servet_error *error)
{
    srv_spread ns[SRV_DEVICES_MAX];
    servet_error local = SERVET_ERROR_INIT;
    int code = machine->ops->copy(machine, row->copy, row->count, ns, &local);
    row->refused = code == SERVET_EUNSUPPORTED;
    if (row->refused)
        snprintf(refusal, SERVET_TEXT_MAX, "%.*s", SERVET_TEXT_MAX - 1, local.text);
    if (code == SERVET_OK) {
        for (int i = 0; i < row->count; i++)
            row->visit[row->visits][i] = (srv_copy_visit){ns[i].median, ns[i].low};
        row->visits++;
    }
    return code == SERVET_OK || row->refused ? SERVET_OK : srv_fail(error, code, "%s", local.text);
}

int srv_bench_copies(const srv_sampler *sampler, srv_copy_row *rows, int count,
                     char refusal[SERVET_TEXT_MAX], servet_error *error)
{
    double seconds = SRV_COPY_SECONDS; /* of the last visit */
    char what[64];
    srv_loop loop = srv_loop_of(sampler, count, SRV_COPY_VISITS_MAX, error);
    while (srv_loop_next(&loop)) {
        srv_copy_row *row = &rows[loop.row];
        snprintf(what, sizeof what, "%d at once, of accelerator %d", row->count,
                 row->copy[0].device);
        if (!srv_loop_due(&loop, want_visit(row), seconds, what))
            continue;
        double begun = srv_sampler_now(sampler);
        loop.code = visit(sampler->machine, row, refusal, error);
        /* The first visit of a device also begins its context. */
        seconds = row->visits > 1 ? srv_sampler_now(sampler) - begun : seconds;
    }
    return loop.code;
}

/* --- values ----------------------------------------------------------------------------------- */

servet_value srv_copy_time(const srv_copy_row *row, int copy)
{
    const srv_copy_visit *best = find_fastest(row, copy, NULL);
    const srv_copy_visit *second = find_fastest(row, copy, best);
    if (!best)
        return servet_value_unknown(SERVET_UNIT_SECOND);
    return (servet_value){.value = best->ns * 1e-9,
                          .low = best->fast * 1e-9,
                          .high = (second ? second : best)->ns * 1e-9,
                          .samples = row->visits,
                          .unit = SERVET_UNIT_SECOND,
                          .method = SERVET_METHOD_TIMED,
                          .trusted = is_confirmed(row, copy)};
}

servet_value srv_copy_rate(const srv_copy_row *row, int copy)
{
    servet_value time = srv_copy_time(row, copy);
    double bytes = row->copy[copy].bytes;
    if (!servet_value_known(&time))
        return servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    return (servet_value){bytes / time.value, bytes / time.high,           bytes / time.low,
                          time.samples,       SERVET_UNIT_BYTE_PER_SECOND, time.method,
                          time.trusted};
}
