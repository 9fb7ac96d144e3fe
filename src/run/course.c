/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/course.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bit.h"
#include "core/error.h"

static double elapsed(const srv_course *on)
{
    return on->network->ops->elapsed(on->network);
}

/* --- beginning -------------------------------------------------------------------------------- */

/* Cost of a set of benchmarks, as progress counts. */
static double work_of(const srv_course *on, unsigned set)
{
    return srv_plan_cost(on->plan, set & ~on->instant, &on->begun);
}

int srv_course_begin(srv_course *on, unsigned wanted, unsigned done, servet_error *error)
{
    int rows = 0;
    for (const srv_benchmark *row = on->plan; row->cost; row++)
        rows += !srv_plan_is_idle(row, &on->now);
    on->begun = on->now;
    on->left = wanted & ~done;
    on->measured = done;
    on->whole = fmax(work_of(on, wanted), DBL_MIN);
    return srv_noise_monitor_begin(&on->monitor, on->network, on->budget, rows, error);
}

void srv_course_finish(srv_course *on)
{
    srv_noise_monitor_finish(&on->monitor);
    srv_repeats_finish(&on->repeats);
}

/* --- the profile so far ----------------------------------------------------------------------- */

/* Adds what the monitor saw to the run of the profile, if it has one. */
static int record_noise(srv_course *on, servet_error *error)
{
    servet_run run;
    if (servet_profile_run(on->profile, &run) != SERVET_OK)
        return SERVET_OK;
    srv_noise_monitor_record(&on->monitor, &run);
    return servet_profile_set_run(on->profile, &run, error);
}

/* The record of the facts is on the disk before the facts; those of half a second look are not
 * stored. */
static int keep(srv_course *on, servet_error *error)
{
    on->kept = elapsed(on);
    if (on->again)
        return SERVET_OK;
    int code = srv_network_part(on->network, NULL, error);
    if (code == SERVET_OK)
        code = record_noise(on, error);
    return code == SERVET_OK ? on->ops->keep(on, error) : code;
}

static int keep_benchmark(srv_course *on, servet_error *error)
{
    int code = on->ops->doubt(on, on->row, error);
    return code == SERVET_OK ? keep(on, error) : code;
}

/* The part of the record that has the probes of a benchmark. */
static int record_part(srv_course *on, const srv_benchmark *row, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    if (!on->again)
        return srv_network_part(on->network, row->name, error);
    snprintf(name, sizeof name, "again-%.24s-%.24s", on->again, row->name);
    return srv_network_part(on->network, name, error);
}

/* A sample of 0.1 s and a file now and then are little of that. */
static const double KEEP_SECONDS = 2;

int srv_course_keep(srv_course *on, servet_error *error)
{
    if (elapsed(on) < on->kept + KEEP_SECONDS)
        return SERVET_OK;
    int code = srv_noise_monitor_sample(&on->monitor, error);
    if (code == SERVET_OK)
        code = keep_benchmark(on, error);
    return code == SERVET_OK ? record_part(on, on->row, error) : code;
}

/* The profile says which benchmarks left something out for lack of time. */
static int note_cut(srv_course *on, const srv_benchmark *row, servet_error *error)
{
    servet_run run;
    on->cut |= SRV_BIT(row->id);
    if (servet_profile_run(on->profile, &run) != SERVET_OK)
        return SERVET_OK;
    srv_plan_list(on->plan, srv_plan_set(on->plan, run.cut) | SRV_BIT(row->id), run.cut);
    return servet_profile_set_run(on->profile, &run, error);
}

/* --- one benchmark after the other ------------------------------------------------------------ */

static srv_slot slot_of(const srv_course *on, const srv_benchmark *row, bool *cut)
{
    double now = elapsed(on), work = work_of(on, on->left), left = on->until - now;
    for (const srv_benchmark *other = on->plan; other->cost; other++)
        left -=
            on->left & SRV_BIT(other->id) && !srv_plan_is_idle(other, &on->now) ? on->reserve : 0;
    left = fmax(0, left);
    return (srv_slot){.from = 1 - work / on->whole,
                      .to = 1 - (work - work_of(on, SRV_BIT(row->id))) / on->whole,
                      .until = now + srv_plan_share(row, on->plan, on->left, &on->now, left),
                      .cut = cut};
}

static void begin_part(srv_course *on)
{
    srv_noise_monitor_next(&on->monitor);
    srv_repeats_part(&on->repeats);
}

/* Benchmarks without an answer in the recording stay unmeasured; others can still be decided,
 * unless they need it. */
static int miss(srv_course *on, const srv_benchmark *row, int code, const servet_error *failed,
                servet_error *error)
{
    if (code != SERVET_EUNMEASURED || (!on->missing && !on->again))
        return srv_fail_at(error, code, failed->file, failed->line, "%s", failed->text);
    if (on->again || !on->missing(on, row, failed->text))
        on->missed |= SRV_BIT(row->id);
    return SERVET_OK;
}

static int measure(srv_course *on, const srv_benchmark *row, const srv_slot *slot,
                   servet_error *error)
{
    servet_error failed = SERVET_ERROR_INIT;
    int code = on->ops->measure(on, row, slot, &failed);
    return code == SERVET_OK ? code : miss(on, row, code, &failed, error);
}

static int run_row(srv_course *on, const srv_benchmark *row, servet_error *error)
{
    bool cut = false;
    srv_slot slot = slot_of(on, row, &cut);
    slot.repeats = &on->repeats;
    on->row = row;
    on->left &= ~SRV_BIT(row->id);
    /* later benchmarks can use time in which one would not find anything */
    if (row->needs && on->least_seconds > 0 && isfinite(slot.until) &&
        elapsed(on) + on->least_seconds > slot.until)
        return note_cut(on, row, error);
    begin_part(on);
    int code = measure(on, row, &slot, error);
    if (code != SERVET_OK || on->missed & SRV_BIT(row->id))
        return code;
    if (!srv_plan_is_idle(row, &on->now))
        code = srv_noise_monitor_sample(&on->monitor, error);
    if (code == SERVET_OK && cut)
        code = note_cut(on, row, error);
    if (code == SERVET_OK)
        code = on->ops->note(on, row, error);
    if (code != SERVET_OK)
        return code;
    on->measured |= SRV_BIT(row->id);
    on->ops->learn(on);
    return srv_plan_is_idle(row, &on->now) ? keep(on, error) : keep_benchmark(on, error);
}

int srv_course_run(srv_course *on, servet_error *error)
{
    int code = SERVET_OK;
    for (const srv_benchmark *row = on->plan; row->cost && code == SERVET_OK; row++) {
        servet_error failed = SERVET_ERROR_INIT;
        if (row->needs & on->missed)
            on->left &= ~SRV_BIT(row->id);
        if (!(on->left & SRV_BIT(row->id)))
            continue;
        code = record_part(on, row, &failed);
        /* a part that is not on record has no facts */
        code = code == SERVET_OK ? run_row(on, row, error) : miss(on, row, code, &failed, error);
    }
    return code;
}

/* --- a second look ---------------------------------------------------------------------------- */

/* The benchmarks that rest on one, as far as they are measured. */
static unsigned resting_on(const srv_course *on, const srv_benchmark *row)
{
    unsigned set = SRV_BIT(row->id);
    for (const srv_benchmark *other = on->plan; other->cost; other++)
        if (other->needs & set)
            set |= SRV_BIT(other->id);
    return set & on->measured & ~SRV_BIT(row->id);
}

/* Measures a set of benchmarks again; `*whole` if each of them was, and left nothing out. */
static int measure_again(srv_course *on, unsigned set, bool *whole, servet_error *error)
{
    const unsigned cut = on->cut, missed = on->missed, measured = on->measured;
    on->left = set;
    on->cut = on->missed = 0;
    on->measured = measured & ~set;
    on->begun = on->now;
    on->whole = fmax(work_of(on, set), DBL_MIN);
    int code = srv_course_run(on, error);
    *whole = (on->measured & set) == set && !on->cut;
    on->cut = cut;
    on->missed = missed;
    on->measured = measured;
    return code;
}

/* Facts, and the probes that are repeated for them, of the other look. */
typedef struct other_look {
    servet_profile *profile;
    srv_repeats repeats;
} other_look;

static int set_aside(srv_course *on, other_look *first, servet_error *error)
{
    int code = servet_profile_copy(on->profile, &first->profile, error);
    first->repeats = on->repeats;
    if (code == SERVET_OK)
        srv_repeats_begin(&on->repeats, first->repeats.context, first->repeats.now,
                          first->repeats.seed);
    return code;
}

/* The second look stays, and with it its repeats, or the first one comes back. */
static void decide(srv_course *on, other_look *first, bool stays)
{
    if (stays) {
        srv_repeats_take(&first->repeats, &on->repeats);
    } else {
        servet_profile *second = on->profile;
        on->profile = first->profile;
        first->profile = second;
        on->ops->learn(on);
    }
    srv_repeats_finish(&on->repeats);
    on->repeats = first->repeats;
    servet_profile_close(first->profile);
}

/* Takes the facts of a set of benchmarks from an earlier profile, which keeps them. */
static int take_over(srv_course *on, unsigned set, const servet_profile *earlier,
                     servet_error *error)
{
    servet_profile *copy;
    int code = servet_profile_copy(earlier, &copy, error);
    if (code != SERVET_OK)
        return code;
    for (const srv_benchmark *row = on->plan; row->cost && code == SERVET_OK; row++)
        if (set & SRV_BIT(row->id))
            code = on->ops->take(on, row, copy, error);
    servet_profile_close(copy);
    return code;
}

static bool fits(const srv_course *on, unsigned set, double until)
{
    return elapsed(on) + srv_plan_quiet(on->plan, set, &on->now) <= fmin(until, on->until);
}

/* Measures those that rest on a benchmark again, if it found something else to rest on. */
static int follow(srv_course *on, const srv_benchmark *row, const servet_profile *earlier,
                  double until, bool *whole, servet_error *error)
{
    unsigned resting = resting_on(on, row);
    if (!resting)
        return SERVET_OK;
    if (on->ops->stands(on, row, earlier))
        return take_over(on, resting, earlier, error);
    *whole = fits(on, resting, until);
    return *whole ? measure_again(on, resting, whole, error) : SERVET_OK;
}

static int look_again_at(srv_course *on, const srv_benchmark *row, int doubtful, double until,
                         servet_error *error)
{
    other_look first;
    unsigned benchmarks;
    int now = 0;
    bool whole = false;
    int code = set_aside(on, &first, error);
    if (code != SERVET_OK)
        return code;
    on->again = row->name;
    code = measure_again(on, SRV_BIT(row->id), &whole, error);
    if (code == SERVET_OK && whole)
        code = follow(on, row, first.profile, until, &whole, error);
    if (code == SERVET_OK)
        code = on->ops->doubtful(on, &benchmarks, &now, error);
    on->again = NULL;
    bool stays = whole && now <= doubtful && !on->ops->loses(on, first.profile);
    decide(on, &first, code != SERVET_OK || stays);
    return code == SERVET_OK ? keep(on, error) : code;
}

int srv_course_look_again(srv_course *on, servet_error *error)
{
    const double until = on->before + 2 * elapsed(on);
    int code = SERVET_OK;
    for (const srv_benchmark *row = on->plan; row->cost && code == SERVET_OK; row++) {
        unsigned benchmarks = 0;
        int doubtful = 0;
        code = on->ops->doubtful(on, &benchmarks, &doubtful, error);
        if (code == SERVET_OK && benchmarks & SRV_BIT(row->id) && fits(on, SRV_BIT(row->id), until))
            code = look_again_at(on, row, doubtful, until, error);
    }
    return code;
}

/* --- results of other moments ----------------------------------------------------------------- */

/* The noise of a core is sampled to let time pass. */
static int wait(void *context, double seconds, servet_error *error)
{
    srv_course *on = context;
    if (on->progress) {
        servet_progress progress = {"the same at other moments", 1, elapsed(on)};
        if (on->progress(on->context, &progress))
            return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    }
    return seconds > 0 ? srv_noise_monitor_wait(&on->monitor, seconds, error) : SERVET_OK;
}

static int settle(srv_course *on, servet_error *error)
{
    begin_part(on);
    int code = srv_repeats_linger(&on->repeats, SRV_PLAN_LINGER_SECONDS, on->until - on->reserve,
                                  wait, on, error);
    if (code == SERVET_OK && on->repeats.count > 0)
        code = srv_noise_monitor_sample(&on->monitor, error);
    if (code == SERVET_OK)
        code = on->ops->doubt(on, NULL, error);
    if (code == SERVET_OK)
        code = on->ops->settle(on, error);
    if (code == SERVET_OK)
        code = srv_repeats_save(&on->repeats, on->raw_dir, on->ops->repeats, error);
    return code == SERVET_OK && on->repeats.count > 0 ? keep(on, error) : code;
}

/* A run that was killed has not come to this. */
int srv_course_settle(srv_course *on, servet_error *error)
{
    servet_error failed = SERVET_ERROR_INIT;
    int code = srv_network_part(on->network, "repeats", &failed);
    if (code == SERVET_OK)
        return settle(on, error);
    return code == SERVET_EUNMEASURED
               ? SERVET_OK
               : srv_fail_at(error, code, failed.file, failed.line, "%s", failed.text);
}
