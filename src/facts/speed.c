/* SPDX-License-Identifier: BSD-3-Clause */
/* Each core by loads that its nearest cache holds, and memory by all cores that copy at once. */
#include "facts/speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/memory/stage_parts.h"
#include "sample/visit.h"
#include "servet/diff.h"
#include "stats/robust.h"

/* Number of visits in a row whose median decides whether a part passes, at any time: a disturbance
 * ends. If each visit to a slow part has a chance of one in ten, their median has one of 9e-4. */
enum { VISITS = 9 };

/* Something that is compared. */
typedef struct part {
    int core; /* -1: memory */
    double expected;
    double limit;  /* the median must not be above (times), or below (memory) */
    double median; /* of the last visits; 0: there was no time */
    bool passes;
} part;

/* The check. */
typedef struct checking {
    srv_machine *machine;
    const servet_profile *profile;
    const char *node_class;
    double deadline;
    int *cores;
    int count;
    srv_memory_plan plan;
    part *parts;
    int part_count;
    servet_error *error;
} checking;

static void expect_core(checking *on, int core)
{
    const servet_at at = {on->node_class, core};
    servet_cache cache;
    if (servet_cache_get(on->profile, &at, 1, &cache) != SERVET_OK ||
        !servet_value_known(&cache.latency) || !cache.latency.trusted)
        return;
    double tolerance = servet_quantity_tolerance(SERVET_QUANTITY_LATENCY);
    on->parts[on->part_count++] = (part){.core = core,
                                         .expected = cache.latency.value,
                                         .limit = cache.latency.high * (1 + tolerance)};
}

static void choose_copy(checking *on)
{
    const servet_at at = {on->node_class, SERVET_ANY_CORE};
    servet_value plain, past;
    on->plan.kernel = SERVET_KERNEL_COPY;
    if (servet_memory_bandwidth(on->profile, &at, SERVET_KERNEL_COPY_NT, &past) == SERVET_OK &&
        (servet_memory_bandwidth(on->profile, &at, SERVET_KERNEL_COPY, &plain) != SERVET_OK ||
         past.value > plain.value))
        on->plan.kernel = SERVET_KERNEL_COPY_NT;
}

/* The bandwidth of all cores, if as many were measured as may be used here. */
static void expect_memory(checking *on)
{
    const servet_at at = {on->node_class, SERVET_ANY_CORE};
    servet_value each;
    if (servet_memory_scaling(on->profile, &at, 0, on->count, &each) != SERVET_OK ||
        !servet_value_known(&each) || !each.trusted)
        return;
    double tolerance = servet_quantity_tolerance(SERVET_QUANTITY_BANDWIDTH);
    choose_copy(on);
    on->parts[on->part_count++] = (part){.core = -1,
                                         .expected = each.value * on->count,
                                         .limit = each.low * on->count * (1 - tolerance)};
}

static int time_core(checking *on, const part *now, double *found)
{
    const servet_at at = {on->node_class, now->core};
    servet_cache cache;
    srv_timing timing;
    int code = servet_cache_get(on->profile, &at, 1, &cache);
    if (code != SERVET_OK)
        return srv_fail(on->error, code, "no cache of core %d", now->core);
    double line = servet_value_known(&cache.line) ? cache.line.value : SRV_LINE_DEFAULT;
    const srv_traversal traversal = {.core = now->core,
                                     .bytes = fmax(line, floor(cache.bytes.low / 2 / line) * line),
                                     .pattern = SRV_PATTERN_LINES,
                                     .line_bytes = line,
                                     .chains = 1,
                                     .pages = SERVET_PAGES_HUGE,
                                     .seed = 1,
                                     .seconds = SRV_MOMENT_SECONDS};
    code = on->machine->ops->traverse(on->machine, &traversal, 1, &timing, on->error);
    *found = timing.mean * 1e-9;
    return code;
}

static int time_memory(checking *on, double *found)
{
    srv_spread *rates = calloc((size_t)on->count + 1, sizeof *rates);
    int *places = calloc((size_t)on->count + 1, sizeof *places);
    int code = rates && places ? SERVET_OK : srv_fail_memory(on->error);
    for (int i = 0; places && i < on->count; i++)
        places[i] = i;
    on->plan.sampler.machine = on->machine;
    if (code == SERVET_OK)
        code = srv_memory_together(&on->plan, places, on->count, rates, on->error);
    *found = 0;
    for (int i = 0; i < on->count && code == SERVET_OK; i++)
        *found += rates[i].median;
    free(rates);
    free(places);
    return code;
}

static bool is_over(const checking *on)
{
    return on->machine->ops->elapsed(on->machine) >= on->deadline;
}

/* The median of visits in a row; after the deadline there is none. */
static int visit(checking *on, part *now)
{
    double found[VISITS];
    int code = SERVET_OK;
    for (int i = 0; i < VISITS && code == SERVET_OK; i++) {
        if (is_over(on))
            return SERVET_OK;
        code = now->core < 0 ? time_memory(on, &found[i]) : time_core(on, now, &found[i]);
    }
    if (code != SERVET_OK)
        return code;
    srv_sort(found, VISITS);
    now->median = srv_sorted_quantile(found, VISITS, 0.5);
    now->passes = now->core < 0 ? now->median >= now->limit : now->median <= now->limit;
    return SERVET_OK;
}

static int visit_all(checking *on)
{
    int code = SERVET_OK, left = on->part_count;
    while (left > 0 && code == SERVET_OK && !is_over(on)) {
        left = 0;
        for (int i = 0; i < on->part_count && code == SERVET_OK && !is_over(on); i++) {
            if (!on->parts[i].passes)
                code = visit(on, &on->parts[i]);
            left += !on->parts[i].passes;
        }
    }
    return code;
}

static void add_slow(servet_speed *speed, const part *now)
{
    int index = speed->slow_count++;
    if (index >= SERVET_SLOW_MAX)
        return;
    servet_slow_part *slow = &speed->slow[index];
    *slow = (servet_slow_part){
        .core = now->core,
        .expected = now->expected,
        .found = now->median,
        .unit = now->core < 0 ? SERVET_UNIT_BYTE_PER_SECOND : SERVET_UNIT_SECOND,
        .loss = now->core < 0 ? 1 - now->median / now->expected : 1 - now->expected / now->median};
}

static void conclude(const checking *on, servet_speed *speed)
{
    *speed = (servet_speed){.seconds = on->machine->ops->elapsed(on->machine)};
    for (int i = 0; i < on->part_count; i++) {
        const part *now = &on->parts[i];
        if (!(now->median > 0)) {
            speed->unchecked++;
            continue;
        }
        speed->cores += now->core >= 0;
        speed->memory = speed->memory || now->core < 0;
        if (!now->passes)
            add_slow(speed, now);
    }
}

static int prepare(checking *on)
{
    servet_machine machine;
    int code = on->machine->ops->describe(on->machine, &machine, on->error);
    if (code != SERVET_OK)
        return code;
    on->cores = calloc((size_t)machine.pu_count + 1, sizeof *on->cores);
    on->parts = calloc((size_t)machine.pu_count + 1, sizeof *on->parts);
    if (!on->cores || !on->parts)
        return srv_fail_memory(on->error);
    int first, last;
    for (const char *at = machine.cores; srv_ranges_next(&at, &first, &last);)
        for (int core = first; core <= last && on->count < machine.pu_count; core++)
            on->cores[on->count++] = core;
    on->plan = (srv_memory_plan){
        .cores = on->cores, .count = on->count, .pages = SERVET_PAGES_HUGE, .seed = 1};
    code = srv_memory_sizes(on->profile, on->node_class, on->machine, on->cores, on->count,
                            &on->plan, on->error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < on->count; i++) /* before memory: their visits are shorter */
        expect_core(on, on->cores[i]);
    expect_memory(on);
    return on->part_count ? SERVET_OK
                          : srv_fail(on->error, SERVET_EUNMEASURED,
                                     "of this node class the profile has neither a trusted latency "
                                     "of the L1 nor a bandwidth of as many cores as may be used");
}

int srv_speed_check(srv_machine *machine, const servet_profile *profile, const char *node_class,
                    double seconds, servet_speed *speed, servet_error *error)
{
    checking on = {.machine = machine,
                   .profile = profile,
                   .node_class = node_class,
                   .deadline = machine->ops->elapsed(machine) + seconds,
                   .error = error};
    int code = prepare(&on);
    if (code == SERVET_OK)
        code = visit_all(&on);
    if (code == SERVET_OK)
        conclude(&on, speed);
    if (code == SERVET_OK && speed->unchecked == on.part_count)
        code =
            srv_fail(error, SERVET_EUNMEASURED, "%g s are too little to compare anything", seconds);
    free(on.cores);
    free(on.parts);
    return code;
}
