/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/company.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/clock.h"

/* --- a thread --------------------------------------------------------------------------------- */

/* A thread that lost its core lost it for longer than a step takes. The CPU time of a thread is
 * only read after such a step: that enters the kernel, which has the caches then. */
static const double LONG_RATIO = 2;

/* A thread that has less than this share of a core is not waited for any longer. */
static const double CORE_SHARE_MIN = 0.1;

void srv_step_log_begin(srv_step_log *log)
{
    log->spell = srv_spell_begin();
    log->begin_ns = log->spell.wall_ns;
    log->fastest_ns = NAN;
}

static double end_of(const srv_step_log *log, size_t step)
{
    return step == 0 ? log->begin_ns : log->end_ns[(step - 1) % SRV_SAMPLES_MAX];
}

/* True if the thread had no core for most of a step. */
static bool was_absent(srv_step_log *log, double step_ns)
{
    srv_spell spell = log->spell;
    srv_spell_end(&spell, false);
    log->spell = srv_spell_begin();
    double lost_ns = srv_spell_absent_ns(&spell);
    log->lost_ns += lost_ns;
    return lost_ns > step_ns / 2;
}

void srv_step_log_add(srv_step_log *log, double sample)
{
    double now = srv_clock_raw_ns(), step_ns = now - end_of(log, log->count);
    size_t at = log->count++ % SRV_SAMPLES_MAX;
    log->value[at] = sample;
    log->end_ns[at] = now;
    bool is_short = step_ns <= LONG_RATIO * log->fastest_ns;
    log->absent[at] = !is_short && was_absent(log, step_ns);
    log->fastest_ns = fmin(log->fastest_ns, step_ns);
}

bool srv_step_log_suffices(const srv_step_log *log, double seconds)
{
    double ns = end_of(log, log->count) - log->begin_ns;
    return log->count >= SRV_SAMPLES_MIN &&
           fmax(ns - log->lost_ns, ns * CORE_SHARE_MIN) >= seconds * 1e9;
}

/* --- all of them ------------------------------------------------------------------------------ */

int srv_company_init(srv_company *company, int count, servet_error *error)
{
    *company = (srv_company){.count = count};
    company->log = calloc((size_t)count, sizeof *company->log);
    return company->log ? SERVET_OK : srv_fail_memory(error);
}

void srv_company_finish(srv_company *company)
{
    free(company->log);
    free(company->from);
    free(company->to);
    *company = (srv_company){.log = NULL};
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_absence(srv_company *company, double from, double to)
{
    company->from[company->absences] = from;
    company->to[company->absences++] = to;
}

static size_t oldest_of(const srv_step_log *log)
{
    return log->count > SRV_SAMPLES_MAX ? log->count - SRV_SAMPLES_MAX : 0;
}

/* A thread is absent before its first step and after its last one, too; of steps that are not kept
 * nothing is known. */
static void add_absences(srv_company *company, const srv_step_log *log)
{
    size_t oldest = oldest_of(log);
    bool overwritten = oldest > 0;
    add_absence(company, -INFINITY, overwritten ? end_of(log, oldest + 1) : log->begin_ns);
    for (size_t step = oldest + overwritten; step < log->count; step++)
        if (log->absent[step % SRV_SAMPLES_MAX])
            add_absence(company, end_of(log, step), end_of(log, step + 1));
    add_absence(company, end_of(log, log->count), INFINITY);
}

int srv_company_compare(srv_company *company, servet_error *error)
{
    size_t most = (size_t)company->count * (SRV_SAMPLES_MAX + 2);
    company->from = calloc(most, sizeof *company->from);
    company->to = calloc(most, sizeof *company->to);
    if (!company->from || !company->to)
        return srv_fail_memory(error);
    for (int i = 0; i < company->count; i++)
        add_absences(company, &company->log[i]);
    qsort(company->from, company->absences, sizeof *company->from, by_value);
    qsort(company->to, company->absences, sizeof *company->to, by_value);
    return SERVET_OK;
}

int srv_company_run(srv_company *company, srv_topology *topology, const srv_clock *clock,
                    const srv_thread_team_job *job, void *states, size_t size, servet_error *error)
{
    int code = srv_thread_team_run(topology, clock, job, states, size, company->count, error);
    return code == SERVET_OK ? srv_company_compare(company, error) : code;
}

/* The number of ascending values below a limit. */
static size_t count_below(const double *values, size_t count, double limit)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Threads that did not run during a part of a step. */
static size_t missing_at(const srv_company *company, const srv_step_log *log, size_t step)
{
    return count_below(company->from, company->absences, end_of(log, step + 1)) -
           count_below(company->to, company->absences, nextafter(end_of(log, step), INFINITY));
}

/* The samples with at most `most` missing threads; adds up the missing ones. */
static size_t choose(const srv_company *company, const srv_step_log *log, size_t most,
                     double *samples, double *missing)
{
    size_t n = 0, oldest = oldest_of(log);
    for (size_t step = oldest > 0 ? oldest + 1 : 0; step < log->count; step++) {
        size_t away = missing_at(company, log, step);
        if (away > most)
            continue;
        samples[n++] = log->value[step % SRV_SAMPLES_MAX];
        *missing += (double)away;
    }
    return n;
}

size_t srv_company_samples(srv_company *company, int thread, double samples[SRV_SAMPLES_MAX])
{
    const srv_step_log *log = &company->log[thread];
    size_t n = 0, wanted = log->count < SRV_SAMPLES_MIN ? log->count : SRV_SAMPLES_MIN;
    double missing = 0;
    for (size_t most = 0; n < wanted; most++) {
        missing = 0;
        n = choose(company, log, most, samples, &missing);
    }
    if (n > 0)
        company->missing += fmin(1, missing / (double)n / fmax(1, company->count - 1));
    return n;
}

void srv_company_note(const srv_company *company, srv_absences *absences)
{
    if (company->count > 1)
        srv_absences_add_share(absences, company->missing, company->count);
}
