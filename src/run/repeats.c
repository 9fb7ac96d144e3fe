/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/repeats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "run/raw_file.h"

/* Share of the time of a run for all repeats together; each probe has an equal part of it. */
static const double SHARE = 0.08;

/* Two repeats that are nearer see the same moment: what moves processes looks every few
 * milliseconds to a tenth of a second. */
static const double PAUSE_SECONDS = 0.1;

/* A few repeats suffice for a probe that takes so long: it covers longer moments. */
static const double LONG_SECONDS = 0.2;
enum { ENOUGH_LONG = 4 };

/* A moment at the end comes every so often. */
static const double MOMENT_SECONDS = 0.2;

/* Time allowed for the first answer, which is not known yet: warming up, memory that is touched. */
static const double UNKNOWN_SECONDS = 0.1;

void srv_repeats_begin(srv_repeats *on, void *context, double (*now)(void *context), uint64_t seed)
{
    *on = (srv_repeats){.context = context, .now = now, .seed = seed, .error = SERVET_ERROR_INIT};
}

/* --- probes ----------------------------------------------------------------------------------- */

static srv_repeated *find(const srv_repeats *on, const char *fact)
{
    for (int i = 0; i < on->count; i++)
        if (strcmp(on->of[i].fact, fact) == 0)
            return &on->of[i];
    return NULL;
}

static srv_repeated *add_one(srv_repeats *on)
{
    srv_repeated *grown = realloc(on->of, (size_t)(on->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    on->of = grown;
    on->of[on->count] = (srv_repeated){0};
    return &on->of[on->count++];
}

int srv_repeats_add(srv_repeats *on, const srv_probe *probe, servet_error *error)
{
    if (!on)
        return SERVET_OK;
    void *arguments = malloc(probe->bytes);
    srv_repeated *one = arguments ? find(on, probe->fact) : NULL;
    if (arguments && !one)
        one = add_one(on);
    if (!one) {
        free(arguments);
        return srv_fail_memory(error);
    }
    free(one->arguments);
    memcpy(arguments, probe->arguments, probe->bytes);
    *one = (srv_repeated){.unit = probe->unit,
                          .measure = probe->measure,
                          .arguments = arguments,
                          .sent = -INFINITY,
                          .pause = PAUSE_SECONDS};
    snprintf(one->fact, sizeof one->fact, "%s", probe->fact);
    return SERVET_OK;
}

/* Without memory for one more, the others stay. */
void srv_repeats_take(srv_repeats *on, srv_repeats *from)
{
    for (int i = 0; i < from->count; i++) {
        srv_repeated *one = find(on, from->of[i].fact);
        one = one ? one : add_one(on);
        if (!one)
            break;
        free(one->arguments);
        *one = from->of[i];
        from->of[i].arguments = NULL;
    }
    if (on->code == SERVET_OK) {
        on->code = from->code;
        on->error = from->error;
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Makes room: every second repeat stays, and later ones have the same distance, so that repeats are
 * spread over the whole time, however long it is. */
static void thin(srv_repeated *one)
{
    int kept = 0;
    for (int i = 0; i < one->count; i += 2)
        one->repeat[kept++] = one->repeat[i];
    one->count = kept;
    one->pause *= 2;
}

static void keep(srv_repeated *one, double value, double moment)
{
    if (!(value > 0) || !isfinite(value))
        return;
    if (one->count == SRV_REPEATS_MAX)
        thin(one);
    one->repeat[one->count++] = (srv_repeat){value, moment, one->buffers};
}

static void measure(srv_repeats *on, srv_repeated *one)
{
    double value = NAN, before = on->now(on->context);
    on->repeating = true;
    one->buffers++;
    /* no two repeats of a run have the same seed: each uses other memory */
    uint64_t seed = on->seed + 1000003 * (uint64_t)(one - on->of + 1) + (uint64_t)one->buffers;
    on->code = one->measure(on->context, one->arguments, seed, &value, &on->error);
    on->repeating = false;
    one->sent = on->now(on->context);
    one->cost = one->sent - before;
    if (on->code == SERVET_OK)
        keep(one, value, before);
}

/* True if an answer comes before `until`; on a busy machine it takes longer than the last one. */
static bool fits(const srv_repeats *on, const srv_repeated *one, double until)
{
    double cost = one->buffers > 0 ? 2 * one->cost : UNKNOWN_SECONDS;
    return on->now(on->context) + cost < until;
}

/* When the next repeat is due. */
static double due(const srv_repeats *on, const srv_repeated *one)
{
    return one->sent + fmax(one->pause, one->cost * on->count / SHARE);
}

void srv_repeats_tick(srv_repeats *on, double until)
{
    srv_repeated *next = NULL;
    if (!on || on->repeating || on->code != SERVET_OK)
        return;
    double now = on->now(on->context);
    for (int i = 0; i < on->count; i++) {
        srv_repeated *one = &on->of[i];
        bool is_due = due(on, one) <= now && fits(on, one, until);
        if (is_due && (!next || one->sent < next->sent))
            next = one;
    }
    if (next)
        measure(on, next);
}

int srv_repeats_round(srv_repeats *on, int enough, double until)
{
    int sent = 0;
    for (int i = 0; i < on->count && on->code == SERVET_OK; i++) {
        srv_repeated *one = &on->of[i];
        int wanted = one->cost > LONG_SECONDS && enough > ENOUGH_LONG ? ENOUGH_LONG : enough;
        if (one->count >= wanted || one->buffers >= 2 * wanted || !fits(on, one, until))
            continue;
        measure(on, one);
        sent++;
    }
    return sent;
}

void srv_repeats_part(srv_repeats *on)
{
    for (int i = 0; i < on->count; i++)
        on->of[i].before = on->of[i].buffers;
}

/* Buffers are counted in the order of the answers. */
void srv_repeats_drop(srv_repeats *on)
{
    for (int i = 0; i < on->count; i++) {
        srv_repeated *one = &on->of[i];
        while (one->count > 0 && one->repeat[one->count - 1].buffer > one->before)
            one->count--;
    }
}

void srv_repeats_finish(srv_repeats *on)
{
    for (int i = 0; i < on->count; i++)
        free(on->of[i].arguments);
    free(on->of);
    *on = (srv_repeats){0};
}

/* --- at the end of a run ---------------------------------------------------------------------- */

int srv_repeats_linger(srv_repeats *on, double seconds, double limit,
                       int (*wait)(void *context, double seconds, servet_error *error),
                       void *context, servet_error *error)
{
    double now = on->now(on->context), until = fmin(now + seconds, limit);
    int code = SERVET_OK;
    while (code == SERVET_OK && srv_repeats_round(on, SRV_REPEATS_ENOUGH, until) > 0) {
        code = wait(context, MOMENT_SECONDS - (on->now(on->context) - now), error);
        now = on->now(on->context);
    }
    bool ended = code == SERVET_EUNMEASURED || on->code == SERVET_EUNMEASURED;
    if (code == SERVET_OK && on->code != SERVET_OK && !ended)
        return srv_fail(error, on->code, "%s", on->error.text);
    return code == SERVET_EUNMEASURED ? SERVET_OK : code;
}

double srv_machine_now(void *machine)
{
    srv_machine *on = machine;
    return on->ops->elapsed(on);
}

servet_value srv_repeated_value(const srv_repeated *one, servet_modes *modes)
{
    servet_value value = srv_repeats_value(one->repeat, one->count, one->unit);
    srv_repeats_modes(one->repeat, one->count, modes);
    srv_modes_join(&value, modes);
    value.trusted = true;
    return value;
}

static void print(const srv_repeats *repeats, FILE *stream)
{
    fputs("fact,moment,buffer,value,unit\n", stream);
    for (int i = 0; i < repeats->count; i++) {
        const srv_repeated *one = &repeats->of[i];
        for (int k = 0; k < one->count; k++)
            fprintf(stream, "%s,%.6g,%d,%.6g,%s\n", one->fact, one->repeat[k].moment,
                    one->repeat[k].buffer, one->repeat[k].value, servet_unit_symbol(one->unit));
    }
}

int srv_repeats_save(const srv_repeats *repeats, const char *raw_dir, const char *name,
                     servet_error *error)
{
    srv_raw_file file;
    if (repeats->count == 0)
        return SERVET_OK;
    if (srv_raw_begin(&file, raw_dir, error, "%s", name))
        print(repeats, file.stream);
    return srv_raw_end(&file, error);
}
