/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/shape.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"

static_assert(sizeof(servet_unit) == sizeof(int), "SRV_WORD holds enums as int");

static const char *const unit_texts[] = {SERVET_UNIT_LIST(SRV_TEXT_OF)};
static const char *const method_texts[] = {SERVET_METHOD_LIST(SRV_TEXT_OF)};
static const char *const cache_kind_texts[] = {SERVET_CACHE_KIND_LIST(SRV_TEXT_OF)};
static const char *const verdict_texts[] = {SERVET_VERDICT_LIST(SRV_TEXT_OF)};
static const srv_words units = SRV_WORDS(unit_texts), methods = SRV_WORDS(method_texts);
const srv_words srv_cache_kind_words = SRV_WORDS(cache_kind_texts),
                srv_verdict_words = SRV_WORDS(verdict_texts);

#define VALUE(struct_, member, unit_, range_)                                                      \
    SRV_MEMBER(struct_, member, .type = SRV_VALUE, .unit = unit_, .range = range_,                 \
               .shape = &value_shape)

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
    SRV_MEMBER(servet_value, low, .type = SRV_NUMBER),
    SRV_MEMBER(servet_value, high, .type = SRV_NUMBER),
    SRV_MEMBER(servet_value, unit, .type = SRV_WORD, .words = &units),
    SRV_MEMBER(servet_value, samples, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_value, method, .type = SRV_WORD, .words = &methods),
    SRV_MEMBER(servet_value, trusted, .type = SRV_BOOL),
    SRV_END,
};
static const srv_shape value_shape = {
    .fields = value_fields, .size = sizeof(servet_value), .check = check_value};

/* --- core kinds ------------------------------------------------------------------------------- */

static_assert(offsetof(srv_cache, fact) == 0, "the rows of servet_cache serve srv_cache");

static int check_cache(const void *item, srv_trail *trail)
{
    const srv_list *groups = &((const srv_cache *)item)->groups;
    bool disjoint;
    if (srv_ranges_disjoint(groups->items, groups->count, &disjoint) != SERVET_OK)
        return srv_fail_memory(trail->error);
    if (disjoint)
        return SERVET_OK;
    srv_trail_enter(trail, "groups");
    return srv_trail_fail(trail, "a core is in two groups");
}

static const srv_field cache_fields[] = {
    SRV_MEMBER(servet_cache, level, .type = SRV_INTEGER, .range = SRV_POSITIVE),
    SRV_MEMBER(servet_cache, kind, .type = SRV_WORD, .words = &srv_cache_kind_words),
    VALUE(servet_cache, bytes, SERVET_UNIT_BYTE, SRV_POSITIVE),
    VALUE(servet_cache, measured_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE),
    VALUE(servet_cache, reported_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER(servet_cache, verdict, .type = SRV_WORD, .words = &srv_verdict_words),
    VALUE(servet_cache, latency, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    VALUE(servet_cache, latency_cycles, SERVET_UNIT_CYCLE, SRV_NOT_NEGATIVE),
    VALUE(servet_cache, line, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER(servet_cache, confidence, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_MEMBER(srv_cache, groups, .type = SRV_SETS),
    SRV_END,
};
const srv_shape srv_cache_shape = {
    .fields = cache_fields, .size = sizeof(srv_cache), .check = check_cache};

static int check_kind(const void *item, srv_trail *trail)
{
    const srv_core_kind *kind = item;
    const srv_cache *caches = kind->caches.items;
    if (!*kind->name)
        return srv_trail_fail(trail, "a core kind needs a name");
    if (!srv_ranges_valid(kind->cores)) {
        srv_trail_enter(trail, "cores");
        return srv_trail_fail(trail, "not a set of cores such as 0-3,8");
    }
    for (int i = 0; i < kind->caches.count; i++) {
        if (caches[i].fact.level == i + 1)
            continue;
        srv_trail_enter(trail, "caches");
        srv_trail_enter_item(trail, i);
        srv_trail_enter(trail, "level");
        return srv_trail_fail(trail, "level %d where level %d belongs", caches[i].fact.level,
                              i + 1);
    }
    return SERVET_OK;
}

static const srv_field kind_fields[] = {
    SRV_CHARS(srv_core_kind, name),
    SRV_MEMBER(srv_core_kind, cores, .type = SRV_STRING),
    SRV_MEMBER(srv_core_kind, caches, .type = SRV_FACTS, .shape = &srv_cache_shape,
               .max = SERVET_CACHE_LEVELS_MAX),
    VALUE(srv_core_kind, memory_latency, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    SRV_END,
};
const srv_shape srv_kind_shape = {
    .fields = kind_fields, .size = sizeof(srv_core_kind), .check = check_kind};

/* --- node classes ----------------------------------------------------------------------------- */

static int check_machine(const void *item, srv_trail *trail)
{
    const servet_machine *machine = item;
    if (!*machine->cores || srv_ranges_valid(machine->cores))
        return SERVET_OK;
    srv_trail_enter(trail, "cores");
    return srv_trail_fail(trail, "not a set of cores such as 0-3,8");
}

static const srv_field machine_fields[] = {
    SRV_CHARS(servet_machine, hostname),
    SRV_CHARS(servet_machine, os),
    SRV_CHARS(servet_machine, architecture),
    SRV_CHARS(servet_machine, cpu),
    SRV_CHARS(servet_machine, cores),
    SRV_MEMBER(servet_machine, pu_count, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_machine, core_count, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_machine, package_count, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_machine, numa_count, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_machine, memory_bytes, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_machine, page_bytes, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE),
    SRV_END,
};
static const srv_shape machine_shape = {
    .fields = machine_fields, .size = sizeof(servet_machine), .check = check_machine};

static int check_class(const void *item, srv_trail *trail)
{
    const srv_class *class = item;
    const srv_core_kind *kinds = class->kinds.items;
    if (!*class->name)
        return srv_trail_fail(trail, "a node class needs a name");
    for (int i = 0; i < class->kinds.count; i++)
        for (int j = 0; j < i; j++)
            if (srv_ranges_overlap(kinds[i].cores, kinds[j].cores)) {
                srv_trail_enter(trail, "kinds");
                srv_trail_enter_item(trail, i);
                return srv_trail_fail(trail, "core kinds '%s' and '%s' share cores", kinds[j].name,
                                      kinds[i].name);
            }
    return SERVET_OK;
}

static const srv_field class_fields[] = {
    SRV_CHARS(srv_class, name),
    SRV_MEMBER(srv_class, nodes, .type = SRV_STRINGS),
    SRV_MEMBER(srv_class, machine, .type = SRV_OBJECT, .shape = &machine_shape),
    SRV_MEMBER(srv_class, kinds, .type = SRV_LIST, .shape = &srv_kind_shape, .max = SRV_PROFILE_KINDS_MAX),
    SRV_END,
};
const srv_shape srv_class_shape = {
    .fields = class_fields, .size = sizeof(srv_class), .check = check_class};

/* --- the whole -------------------------------------------------------------------------------- */

static const srv_field run_fields[] = {
    SRV_CHARS(servet_run, version),
    SRV_CHARS(servet_run, started),
    SRV_CHARS(servet_run, options),
    SRV_CHARS(servet_run, clock),
    VALUE(servet_run, clock_overhead, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    VALUE(servet_run, clock_resolution, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    VALUE(servet_run, frequency, SERVET_UNIT_HERTZ, SRV_NOT_NEGATIVE),
    VALUE(servet_run, huge_pages, SERVET_UNIT_NONE, SRV_SHARE),
    VALUE(servet_run, duration, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE),
    VALUE(servet_run, noise, SERVET_UNIT_NONE, SRV_SHARE),
    VALUE(servet_run, steal, SERVET_UNIT_NONE, SRV_SHARE),
    SRV_MEMBER(servet_run, seed, .type = SRV_LONG),
    SRV_END,
};
const srv_shape srv_run_shape = {.fields = run_fields, .size = sizeof(servet_run)};

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
    SRV_MEMBER(servet_profile, schema, .type = SRV_INTEGER, .range = SRV_POSITIVE),
    SRV_MEMBER(servet_profile, run, .type = SRV_MAYBE, .shape = &srv_run_shape),
    SRV_MEMBER(servet_profile, classes, .type = SRV_LIST, .shape = &srv_class_shape),
    SRV_END,
};
const srv_shape srv_profile_shape = {
    .fields = profile_fields, .size = sizeof(servet_profile), .check = check_profile};
