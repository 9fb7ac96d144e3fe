/* SPDX-License-Identifier: BSD-3-Clause */
/* Values, and the profile as a whole. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"

static_assert(sizeof(servet_unit) == sizeof(int), "SRV_WORD holds enums as int");

static const char *const unit_texts[] = {SERVET_UNIT_LIST(SRV_TEXT_OF)};
static const char *const method_texts[] = {SERVET_METHOD_LIST(SRV_TEXT_OF)};
static const char *const cache_kind_texts[] = {SERVET_CACHE_KIND_LIST(SRV_TEXT_OF)};
static const char *const verdict_texts[] = {SERVET_VERDICT_LIST(SRV_TEXT_OF)};
static const srv_words units = SRV_WORDS(unit_texts);
/* What is interpolated is an answer; files hold what was measured. */
static const srv_words methods = {SERVET_METHOD_INTERPOLATED, method_texts};
static_assert(SERVET_METHOD_INTERPOLATED == SERVET_METHOD_COUNT - 1, "all others are stored");
const srv_words srv_cache_kind_words = SRV_WORDS(cache_kind_texts),
                srv_verdict_words = SRV_WORDS(verdict_texts);

const char *servet_verdict_name(servet_verdict verdict)
{
    return (unsigned)verdict < SERVET_VERDICT_COUNT ? srv_verdict_words.text[verdict] : "?";
}

/* --- values ----------------------------------------------------------------------------------- */

static int check_value(const void *item, srv_trail *trail)
{
    const servet_value *value = item;
    if (!(value->low <= value->value && value->value <= value->high))
        return srv_trail_fail(trail, "the value lies outside its interval low..high");
    return SERVET_OK;
}

static const srv_field value_fields[] = {
    SRV_MEMBER(servet_value, value, .type = SRV_NUMBER),
    SRV_MEMBER(servet_value, low, .type = SRV_NUMBER,
               .detail = "lower end of the 95 % interval: low <= value <= high"),
    SRV_MEMBER(servet_value, high, .type = SRV_NUMBER),
    SRV_MEMBER(servet_value, unit, .type = SRV_WORD, .words = &units),
    SRV_MEMBER(servet_value, samples, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_value, method, .type = SRV_WORD, .words = &methods,
               .first_word = SERVET_METHOD_NONE + 1, .detail = "what is not known is null"),
    SRV_MEMBER(servet_value, trusted, .type = SRV_BOOL),
    SRV_END,
};
const srv_shape srv_value_shape = {
    .name = "value", .fields = value_fields, .size = sizeof(servet_value), .check = check_value};

/* --- modes ------------------------------------------------------------------------------------ */

static int check_bimodal(const void *item, srv_trail *trail)
{
    const srv_bimodal *modes = item;
    if (!(modes->first < modes->second))
        return srv_trail_fail(trail, "of two modes the smaller value comes first");
    return SERVET_OK;
}

static const srv_field bimodal_fields[] = {
    SRV_CHARS(srv_bimodal, fact, .needed = true,
              .detail = "its key, such as distance.layers.1.latency_ns"),
    SRV_MEMBER(srv_bimodal, first, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .detail = "the smaller value, in the unit of the fact's value"),
    SRV_MEMBER(srv_bimodal, first_share, .type = SRV_NUMBER, .range = SRV_SHARE,
               .detail = "share of the repeats that it was so"),
    SRV_MEMBER(srv_bimodal, second, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .detail = "the larger value"),
    SRV_MEMBER(srv_bimodal, second_share, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_END,
};
const srv_shape srv_bimodal_shape = {
    .name = "modes", .fields = bimodal_fields, .size = sizeof(srv_bimodal), .check = check_bimodal};

/* --- sets of cores ---------------------------------------------------------------------------- */

int srv_check_disjoint(const srv_list *sets, const char *name, srv_trail *trail)
{
    bool disjoint;
    if (srv_ranges_disjoint(sets->items, sets->count, &disjoint) != SERVET_OK)
        return srv_fail_memory(trail->error);
    if (disjoint)
        return SERVET_OK;
    srv_trail_enter(trail, name);
    return srv_trail_fail(trail, "a core is in two groups");
}

/* --- the whole -------------------------------------------------------------------------------- */

static const srv_field run_fields[] = {
    SRV_CHARS(servet_run, version, .label = {"run.version", "the Servet that measured", SRV_NOTE}),
    SRV_CHARS(servet_run, started, .label = {"run.started", "when, UTC", SRV_NOTE},
              .detail = "ISO 8601"),
    SRV_CHARS(servet_run, options, .label = {"run.options", "options given", SRV_NOTE}),
    SRV_CHARS(servet_run, clock, .label = {"run.clock", "clock used", SRV_NOTE},
              .detail = "tsc, cntvct, monotonic_raw, ..."),
    SRV_MEMBER_VALUE(servet_run, clock_overhead, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE,
                     .label = {"run.clock_overhead_ns", "of reading it twice in a row", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, clock_resolution, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE,
                     .label = {"run.clock_resolution_ns", "its smallest step", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, frequency, SERVET_UNIT_HERTZ, SRV_NOT_NEGATIVE,
                     .label = {"run.frequency_hz", "of the core while it was measured", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, huge_pages, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"run.huge_pages", "share of memory on huge pages, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, duration, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE,
                     .label = {"run.duration_s", "of the whole run", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, noise, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"run.noise", "share of time lost to others, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, steal, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"run.steal", "share of time stolen, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, others, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"run.others", "share of time other processes took, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, drift, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"run.drift", "largest loss of frequency, 0..1", SRV_NOTE}),
    SRV_CHARS(servet_run, benchmarks, .optional = true,
              .label = {"run.benchmarks", "what was run, in order", SRV_NOTE}),
    SRV_CHARS(servet_run, unfinished, .optional = true,
              .label = {"run.unfinished", "what a job has not measured yet", SRV_NOTE}),
    SRV_MEMBER(servet_run, seed, .type = SRV_LONG,
               .label = {"run.seed", "of the random orders", SRV_NOTE}),
    SRV_END,
};
const srv_shape srv_run_shape = {.name = "run", .fields = run_fields, .size = sizeof(servet_run)};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, so that a hostile file with 1e5 classes costs no 1e10 comparisons. */
static int check_profile(const void *item, srv_trail *trail)
{
    const servet_profile *profile = item;
    const srv_class *classes = profile->classes.items;
    int count = profile->classes.count, code = SERVET_OK;
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    if (!names)
        return srv_fail_memory(trail->error);
    for (int i = 0; i < count; i++)
        names[i] = classes[i].name;
    qsort(names, (size_t)count, sizeof *names, compare_names);
    srv_trail_enter(trail, "classes");
    for (int i = 1; i < count && code == SERVET_OK; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            code = srv_trail_fail(trail, "two node classes are called '%s'", names[i]);
    srv_trail_leave(trail);
    free(names);
    return code;
}

static const srv_field profile_fields[] = {
    SRV_MEMBER(servet_profile, schema, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SRV_SCHEMA, .label = {"schema", "version of the file format", SRV_NOTE}),
    SRV_MEMBER(servet_profile, run, .type = SRV_MAYBE, .shape = &srv_run_shape,
               .detail = "how and when the profile was measured"),
    SRV_MEMBER(servet_profile, classes, .type = SRV_LIST, .shape = &srv_class_shape,
               .label = {"classes.count", "number of node classes", SRV_NOTE},
               .items = {"classes.N.name", "the Nth of them", SRV_NOTE}, .noun = "node classes",
               .detail = "nodes that measure alike share a class; names differ"),
    SRV_MEMBER(servet_profile, network, .type = SRV_MAYBE, .shape = &srv_comm_shape,
               .detail = "communication between the processes of one job"),
    SRV_END,
};
const srv_shape srv_profile_shape = {
    .fields = profile_fields, .size = sizeof(servet_profile), .check = check_profile};
