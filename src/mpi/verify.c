/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/verify.h"

#include <stdarg.h>
#include <string.h>

#include "core/ranges.h"
#include "profile/hosts.h"

/* --- sets ------------------------------------------------------------------------------------- */

/* Returns the first number of `set` that is not in `other`; -1 if there is none. */
static int first_outside(const char *set, const char *other)
{
    int first, last;
    while (srv_ranges_next(&set, &first, &last))
        for (int core = first; core <= last; core++)
            if (!srv_ranges_contain(other, core))
                return core;
    return -1;
}

static bool within(const char *set, const char *other)
{
    return first_outside(set, other) < 0;
}

/* --- reasons ---------------------------------------------------------------------------------- */

/* Checks one cause, and prints it if it applies. */
typedef bool reason(const mpi_placed *placed, const srv_observed_binding *observed,
                    mpi_verdict *verdict);

static bool say(mpi_verdict *verdict, const char *format, ...) SRV_PRINTF(2, 3);

static bool say(mpi_verdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->text, sizeof verdict->text, format, arguments);
    va_end(arguments);
    return true;
}

static bool on_other_host(const mpi_placed *placed, const srv_observed_binding *observed,
                          mpi_verdict *verdict)
{
    return !srv_same_host(placed->host, observed->host) && say(verdict, "runs on another node");
}

/* The core is not a part of the job: no option of a launcher helps. */
static bool outside_job(const mpi_placed *placed, const srv_observed_binding *observed,
                        mpi_verdict *verdict)
{
    int core = first_outside(placed->cores, observed->job);
    if (core < 0)
        return false;
    if (srv_ranges_contain(observed->job_whole, core))
        return say(verdict, "the job may use one hardware thread per core, which excludes %d",
                   core);
    return say(verdict, "core %d is not in the job's cpuset (%.100s)", core, observed->job);
}

static bool unbound(const mpi_placed *placed, const srv_observed_binding *observed,
                    mpi_verdict *verdict)
{
    if (strcmp(observed->cores, observed->job) != 0 || !within(placed->cores, observed->cores))
        return false;
    if (*observed->requested)
        return say(verdict, "not bound: Slurm has no task plugin that binds, although %.60s is set",
                   observed->requested);
    return say(verdict, "not bound: it may run on all cores of the job");
}

static bool whole_cores(const mpi_placed *placed, const srv_observed_binding *observed,
                        mpi_verdict *verdict)
{
    bool all_threads = strcmp(observed->cores, observed->cores_whole) == 0;
    return within(placed->cores, observed->cores) && all_threads &&
           observed->core_count <= placed->core_count &&
           say(verdict, "bound to whole cores, but placed on single hardware threads");
}

static bool other_thread(const mpi_placed *placed, const srv_observed_binding *observed,
                         mpi_verdict *verdict)
{
    return within(placed->cores, observed->cores_whole) &&
           !within(placed->cores, observed->cores) &&
           say(verdict, "bound to another hardware thread of the core");
}

static bool wider(const mpi_placed *placed, const srv_observed_binding *observed,
                  mpi_verdict *verdict)
{
    return within(placed->cores, observed->cores) &&
           say(verdict, "bound to more cores than placed on");
}

static bool elsewhere(const mpi_placed *placed, const srv_observed_binding *observed,
                      mpi_verdict *verdict)
{
    bool part = within(observed->cores, placed->cores);
    return say(verdict, part ? "bound to fewer cores than placed on" : "bound to other cores");
}

/* The most specific reason comes first; the last one always applies. */
static reason *const reasons[] = {
    on_other_host, outside_job, unbound, whole_cores, other_thread, wider, elsewhere,
};

/* --- threads ---------------------------------------------------------------------------------- */

/* Returns the core to which a thread is bound; -1 if it may move among the cores of its process. */
static int bound_to(const srv_observed_thread *thread)
{
    int first, last;
    const char *at = thread->cores;
    bool one = srv_ranges_next(&at, &first, &last) && first == last && *at == '\0';
    return one ? first : -1;
}

static void verify_threads(const mpi_placed *placed, const srv_observed_binding *observed,
                           mpi_verdict *verdict)
{
    if (!observed->openmp || placed->core_count == 1)
        return;
    if (observed->thread_count != placed->core_count) {
        verdict->agrees = false;
        say(verdict, "%d threads for %d cores", observed->thread_count, placed->core_count);
        return;
    }
    for (int i = 0; i < observed->thread_count && verdict->agrees; i++)
        for (int k = 0; k < i && verdict->agrees; k++) {
            int core = bound_to(&observed->threads[i]);
            verdict->agrees = core < 0 || core != bound_to(&observed->threads[k]);
            if (!verdict->agrees)
                say(verdict, "threads %d and %d are both bound to core %d", k, i, core);
        }
}

mpi_verdict mpi_verify(const mpi_placed *placed, const srv_observed_binding *observed)
{
    mpi_verdict verdict = {.agrees = srv_same_host(placed->host, observed->host) &&
                                     strcmp(placed->cores, observed->cores) == 0};
    if (verdict.agrees) {
        verify_threads(placed, observed, &verdict);
        return verdict;
    }
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0] && !verdict.text[0]; i++)
        reasons[i](placed, observed, &verdict);
    return verdict;
}
