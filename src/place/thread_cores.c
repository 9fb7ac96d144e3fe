/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/thread_cores.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/affinity.h"
#include "core/error.h"
#include "core/ranges.h"
#include "map/nodes/rules.h"
#include "map/nodes/speed.h"
#include "profile/here.h"
#include "servet/node.h"
#include "servet/place.h"

/* --- which cores ------------------------------------------------------------------------------ */

/* Room for the text of a core and its separator from the next. */
enum { CORE_TEXT = 11 };

/* Keeps the cores that the class has; returns their number. */
static int keep_known(const char *of_class, int *cores, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (srv_ranges_contain(of_class, cores[i]))
            cores[kept++] = cores[i];
    return kept;
}

static int begin_set(srv_map_class *class, const int *cores, int count, servet_error *error)
{
    size_t size = CORE_TEXT * (size_t)count + 1;
    char *text = malloc(size);
    int code = text ? servet_cores_to_text(cores, count, text, size) : SERVET_EMEMORY;
    code = code == SERVET_OK ? srv_map_class_begin(class, text, error) : srv_fail_memory(error);
    free(text);
    return code;
}

static int begin_usable(srv_map_class *class, const char *of_class, servet_error *error)
{
    int count = 0, *cores = calloc(SRV_AFFINITY_CORES_MAX, sizeof *cores);
    int code = cores ? servet_cores_usable(cores, SRV_AFFINITY_CORES_MAX, &count, error)
                     : srv_fail_memory(error);
    count = code == SERVET_OK ? keep_known(of_class, cores, count) : 0;
    if (code == SERVET_OK && count == 0)
        code = srv_fail(error, SERVET_ERANGE,
                        "the thread may use none of the cores that the profile has");
    if (code == SERVET_OK)
        code = begin_set(class, cores, count, error);
    free(cores);
    return code;
}

static int begin_among(srv_map_class *class, const char *of_class, const int *among, int count,
                       servet_error *error)
{
    if (count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "no cores to choose from");
    for (int i = 0; i < count; i++)
        if (!srv_ranges_contain(of_class, among[i]))
            return srv_fail(error, SERVET_ERANGE, "the node class has no core %d", among[i]);
    return begin_set(class, among, count, error);
}

static int begin_cores(srv_map_class *class, const servet_profile *profile, int node_class,
                       const int *among, int count, servet_error *error)
{
    const srv_class *of = (const srv_class *)profile->classes.items + node_class;
    if (!*of->machine.cores)
        return srv_fail(error, SERVET_EUNMEASURED, "node class '%s' has no list of cores",
                        of->name);
    if (among)
        return begin_among(class, of->machine.cores, among, count, error);
    if (srv_is_here(profile, node_class))
        return begin_usable(class, of->machine.cores, error);
    return srv_map_class_begin(class, of->machine.cores, error);
}

/* --- groups that cores share ------------------------------------------------------------------ */

static void add_kind(srv_thread_cores *candidates, const servet_profile *profile,
                     const servet_at *at, const servet_kind *kind)
{
    const srv_map_class *class = &candidates->class;
    for (int i = 0; i < class->core_count; i++) {
        servet_at core = *at;
        core.core = class->cores[i];
        if (!srv_ranges_contain(kind->cores, core.core))
            continue;
        candidates->kind[i] = candidates->kind_count;
        (void)servet_cache_count(profile, &core, &candidates->levels[i]);
    }
    candidates->kind_count++;
}

static int begin_kinds(srv_thread_cores *candidates, const servet_profile *profile,
                       const servet_at *at, servet_error *error)
{
    size_t room = (size_t)candidates->class.core_count + 1;
    servet_kind kind;
    candidates->kind = calloc(room, sizeof *candidates->kind);
    candidates->levels = calloc(room, sizeof *candidates->levels);
    if (!candidates->kind || !candidates->levels)
        return srv_fail_memory(error);
    while (servet_kind_get(profile, at, candidates->kind_count, &kind) == SERVET_OK)
        add_kind(candidates, profile, at, &kind);
    candidates->kind_count += candidates->kind_count == 0;
    return SERVET_OK;
}

/* Adds NUMA nodes as groups of cores that share a path to memory: some machines have no overhead
 * levels.
 */
static int add_numa(srv_map_class *class, const servet_profile *profile, const servet_at *at,
                    servet_error *error)
{
    int count = 0;
    servet_numa node;
    if (servet_numa_count(profile, at, &count) != SERVET_OK)
        return SERVET_OK;
    srv_grouping *grouping = srv_map_class_add(class, SERVET_RULE_MEMORY, 0);
    if (!grouping)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++) {
        int first, last;
        if (servet_numa_get(profile, at, i, &node) != SERVET_OK)
            continue;
        while (srv_ranges_next(&node.cores, &first, &last))
            srv_grouping_mark(class, grouping, i, first, last);
    }
    return SERVET_OK;
}

int srv_thread_cores_begin(srv_thread_cores *candidates, const servet_profile *profile,
                           int node_class, servet_code limit, const int *among, int among_count,
                           servet_error *error)
{
    const servet_at at = {.node_class = servet_profile_class_name(profile, node_class),
                          .core = SERVET_ANY_CORE};
    const srv_map_node node = {.node_class = node_class, .job_node = -1};
    int code = begin_cores(&candidates->class, profile, node_class, among, among_count, error);
    if (code == SERVET_OK)
        code = begin_kinds(candidates, profile, &at, error);
    if (code == SERVET_OK)
        code = srv_map_class_speeds(&candidates->class, profile, at.node_class, limit,
                                    SERVET_WORK_USUAL, error);
    if (code == SERVET_OK)
        code = srv_rules_node(&candidates->class, profile, &node, SERVET_CODE_MEMORY, error);
    if (code == SERVET_OK)
        code = add_numa(&candidates->class, profile, &at, error);
    return code;
}

void srv_thread_cores_finish(srv_thread_cores *candidates)
{
    srv_map_class_finish(&candidates->class);
    free(candidates->kind);
    free(candidates->levels);
}
