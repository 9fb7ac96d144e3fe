/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bit.h"
#include "core/error.h"
#include "core/names.h"
#include "run/stage.h"

/* Share of too short a time for what most others need: they would have no use for it. */
static const double NEEDED_SHARE = 0.5;

unsigned srv_plan_set(const srv_benchmark *plan, const char *list)
{
    unsigned set = 0;
    while (*list) {
        size_t length = strcspn(list, ",");
        for (const srv_benchmark *row = plan; row->cost; row++)
            if (strlen(row->name) == length && strncmp(row->name, list, length) == 0)
                set |= SRV_BIT(row->id);
        list += length + (list[length] == ',');
    }
    return set;
}

void srv_plan_list(const srv_benchmark *plan, unsigned set, char list[SERVET_TEXT_MAX])
{
    size_t n = 0;
    *list = '\0';
    for (const srv_benchmark *row = plan; row->cost && n < SERVET_TEXT_MAX; row++)
        if (set & SRV_BIT(row->id))
            n += (size_t)snprintf(list + n, SERVET_TEXT_MAX - n, "%s%s", n ? "," : "", row->name);
}

unsigned srv_plan_wanted(const srv_benchmark *plan, unsigned only)
{
    unsigned wanted = 0, before;
    for (const srv_benchmark *row = plan; row->cost; row++)
        if (!only || only & SRV_BIT(row->id))
            wanted |= SRV_BIT(row->id);
    do {
        before = wanted;
        for (const srv_benchmark *row = plan; row->cost; row++)
            if (wanted & SRV_BIT(row->id))
                wanted |= row->needs;
    } while (wanted != before);
    return wanted;
}

double srv_plan_cost(const srv_benchmark *plan, unsigned set, const srv_scale *scale)
{
    double cost = 0;
    for (const srv_benchmark *row = plan; row->cost; row++)
        if (set & SRV_BIT(row->id))
            cost += row->cost(scale);
    return cost;
}

double srv_plan_quiet(const srv_benchmark *plan, unsigned set, const srv_scale *scale)
{
    double cost = 0;
    for (const srv_benchmark *row = plan; row->cost; row++)
        if (set & SRV_BIT(row->id))
            cost += (row->quiet ? row->quiet : row->cost)(scale);
    return cost;
}

/* Seconds that a benchmark takes if its cost is estimated too low. */
static double most_of(const srv_benchmark *row, const srv_scale *scale)
{
    return fmax(1, row->doubt) * row->cost(scale);
}

/* The time that each of a set may take so that all fit, where those that take less leave the rest
 * to the others; INFINITY if all of them take less. */
static double level_of(const srv_benchmark *plan, unsigned set, const srv_scale *scale, double left)
{
    double level = 0;
    for (unsigned open = set, before = 0; open && open != before;) {
        int count = 0;
        before = open;
        for (const srv_benchmark *row = plan; row->cost; row++)
            count += (open & SRV_BIT(row->id)) != 0;
        level = left / count;
        for (const srv_benchmark *row = plan; row->cost; row++)
            if (open & SRV_BIT(row->id) && most_of(row, scale) <= level) {
                left -= most_of(row, scale);
                open &= ~SRV_BIT(row->id);
            }
        level = open ? level : INFINITY;
    }
    return level;
}

/* True if half of the others of a set, or more, cannot be measured without it. */
static bool is_needed(const srv_benchmark *benchmark, const srv_benchmark *plan, unsigned set)
{
    int others = 0, needing = 0;
    for (const srv_benchmark *row = plan; row->cost; row++) {
        bool other = set & SRV_BIT(row->id) && row->id != benchmark->id;
        others += other;
        needing += other && row->needs & SRV_BIT(benchmark->id);
    }
    return needing > 0 && 2 * needing >= others;
}

double srv_plan_share(const srv_benchmark *benchmark, const srv_benchmark *plan, unsigned set,
                      const srv_scale *scale, double left)
{
    double cost = benchmark->cost(scale), all = srv_plan_cost(plan, set, scale);
    if (!(all > cost) || !isfinite(left))
        return left;
    double even = left * cost / all, most = most_of(benchmark, scale);
    double least = is_needed(benchmark, plan, set) ? fmin(most, NEEDED_SHARE * left) : 0;
    double level = benchmark->doubt > 0 ? level_of(plan, set, scale, left) : INFINITY;
    return fmax(least, isfinite(level) ? fmin(most, level) : even);
}

void srv_plan_name_facts(const char *facts, int number, char *names, size_t size)
{
    *names = '\0';
    for (size_t n = 0; *facts && n + 1 < size; facts++, n = strlen(names))
        snprintf(names + n, size - n, *facts == '#' ? "%d" : "%c", *facts == '#' ? number : *facts);
}

SRV_NAMES(servet_approach_name, servet_approach, SERVET_APPROACH_LIST)
SRV_NAMES(servet_benchmark_name, servet_benchmark, SERVET_BENCHMARK_LIST)

int srv_check_options(const servet_measure_options *options, servet_error *error)
{
    if (!(options->min_bytes > 0) || options->max_bytes < 0 || options->budget_seconds < 0 ||
        (unsigned)options->pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "sizes and budget must be positive");
    if (options->max_bytes > 0 && options->max_bytes < SRV_RANGE_MIN * options->min_bytes)
        return srv_fail(
            error, SERVET_EARGUMENT,
            "the largest working set (%.0f B) must be twice the smallest (%.0f B) or more",
            options->max_bytes, options->min_bytes);
    if ((unsigned)options->approach >= SERVET_APPROACH_COUNT ||
        options->only >= 1u << SERVET_BENCHMARK_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown method or benchmark");
    if (!(options->sharing_ratio >= 1))
        return srv_fail(error, SERVET_EARGUMENT, "the sharing ratio must be at least 1");
    if (options->votes < 1 || options->votes > SERVET_2010_VOTES_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "votes must be between 1 and %d",
                        SERVET_2010_VOTES_MAX);
    return SERVET_OK;
}
