/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the members of a profile and of its run, and checks the names of classes and nodes. */
#include "profile/hosts.h"
#include "profile/shape/shape.h"

#include <stdlib.h>
#include <string.h>

/* --- the profile ------------------------------------------------------------------------------ */

static const srv_field run_fields[] = {
    SRV_CHARS(servet_run, version, .label = {"version of Servet that measured", SRV_NOTE}),
    SRV_CHARS(servet_run, started, .label = {"start of the run, UTC", SRV_NOTE},
              .detail = "ISO 8601"),
    SRV_CHARS(servet_run, options, .label = {"command-line options of the run", SRV_NOTE}),
    SRV_CHARS(servet_run, clock, .label = {"clock", SRV_NOTE},
              .detail = "tsc, cntvct, monotonic_raw, ..."),
    SRV_MEMBER_NS(servet_run, clock_overhead,
                  .label = {"time between two successive readings of the clock, ns", SRV_NOTE}),
    SRV_MEMBER_NS(servet_run, clock_resolution,
                  .label = {"smallest step of the clock, ns", SRV_NOTE}),
    SRV_NAMED_VALUE("frequency_hz", servet_run, frequency, SERVET_UNIT_HERTZ, SRV_NOT_NEGATIVE,
                    .label = {"frequency of the measuring core, Hz", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, huge_pages, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"share of the arrays that huge pages backed, 0..1", SRV_NOTE}),
    SRV_NAMED_VALUE("duration_s", servet_run, duration, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE,
                    .label = {"duration of the run, s", SRV_NOTE}),
    SRV_MEMBER_VALUE(
        servet_run, noise, SERVET_UNIT_NONE, SRV_SHARE,
        .label = {"share of time in which a spinning thread did not run, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(
        servet_run, steal, SERVET_UNIT_NONE, SRV_SHARE,
        .label = {"share of time that the hypervisor reports as stolen, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(
        servet_run, others, SERVET_UNIT_NONE, SRV_SHARE,
        .label = {"share of time in which other processes ran on the core, 0..1", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_run, drift, SERVET_UNIT_NONE, SRV_SHARE,
                     .label = {"largest decrease of the frequency, 0..1", SRV_NOTE}),
    SRV_CHARS(servet_run, benchmarks, .optional = true,
              .label = {"benchmarks that were run, in order", SRV_NOTE}),
    SRV_CHARS(servet_run, unfinished, .optional = true,
              .label = {"benchmarks that are not finished", SRV_NOTE}),
    SRV_CHARS(servet_run, cut, .optional = true,
              .label = {"benchmarks that the time limit shortened or left out", SRV_NOTE}),
    SRV_MEMBER(servet_run, seed, .type = SRV_LONG,
               .label = {"seed of the random numbers", SRV_NOTE}),
    SRV_END,
};
const srv_shape srv_run_shape = {.name = "run", .fields = run_fields, .size = sizeof(servet_run)};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the names: otherwise a hostile file with 1e5 classes would take 1e10 comparisons. */
static int check_names(const servet_profile *profile, srv_json_path *where)
{
    const srv_class *classes = profile->classes.items;
    int count = profile->classes.count, code = SERVET_OK;
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    if (!names)
        return srv_fail_memory(where->error);
    for (int i = 0; i < count; i++)
        names[i] = classes[i].name;
    qsort(names, (size_t)count, sizeof *names, compare_names);
    srv_json_path_enter(where, "classes");
    for (int i = 1; i < count && code == SERVET_OK; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            code = srv_json_path_fail(where, "two node classes are called '%s'", names[i]);
    srv_json_path_leave(where);
    free(names);
    return code;
}

/* Fails because class `first` has the node, too. */
static int refuse_node(const srv_class *classes, int first, int class, int index,
                       srv_json_path *where)
{
    const char *name = ((char *const *)classes[class].nodes.items)[index];
    srv_json_path_enter(where, "classes");
    srv_json_path_enter_item(where, class);
    srv_json_path_enter(where, "nodes");
    srv_json_path_enter_item(where, index);
    if (first == class)
        return srv_json_path_fail(where, "node '%s' is listed twice", name);
    return srv_json_path_fail(where, "node '%s' is in class '%s', too: remove it from one of them",
                              name, classes[first].name);
}

static int list_nodes(const srv_class *classes, int class, srv_hosts *listed, srv_json_path *where)
{
    for (int i = 0; i < classes[class].nodes.count; i++) {
        const char *name = ((char *const *)classes[class].nodes.items)[i];
        int first = *name ? srv_hosts_find(listed, name) : -1;
        if (first >= 0)
            return refuse_node(classes, first, class, i, where);
        srv_hosts_add(listed, name, class);
    }
    return SERVET_OK;
}

/* Fails if a node is in two classes, or twice in one. */
static int check_nodes(const servet_profile *profile, srv_json_path *where)
{
    const srv_class *classes = profile->classes.items;
    int code = SERVET_OK, names = 0;
    for (int i = 0; i < profile->classes.count; i++)
        names += classes[i].nodes.count;
    srv_hosts *listed = srv_hosts_create(names);
    if (!listed)
        return srv_fail_memory(where->error);
    for (int i = 0; i < profile->classes.count && code == SERVET_OK; i++)
        code = list_nodes(classes, i, listed, where);
    srv_hosts_destroy(listed);
    return code;
}

static int check_profile(const void *item, srv_json_path *where)
{
    int code = check_names(item, where);
    return code == SERVET_OK ? check_nodes(item, where) : code;
}

static const srv_field profile_fields[] = {
    SRV_MEMBER(servet_profile, schema, .type = SRV_INTEGER, .range = SRV_WITHIN,
               .least = SRV_SCHEMA, .most = SRV_SCHEMA,
               .label = {"version of the file format", SRV_NOTE}),
    SRV_MEMBER(servet_profile, run, .type = SRV_MAYBE, .shape = &srv_run_shape,
               .detail = "how and when the profile was measured"),
    SRV_MEMBER(servet_profile, classes, .type = SRV_LIST, .shape = &srv_class_shape,
               .max = SRV_COUNT_MAX, .label = {"number of node classes", SRV_NOTE},
               .items = {"name of class N", SRV_NOTE, "classes.N.name"}, .noun = "node classes",
               .detail = "nodes that measure alike share a class; names differ"),
    SRV_MEMBER(servet_profile, network, .type = SRV_MAYBE, .shape = &srv_comm_shape,
               .detail = "communication between the processes of one job"),
    SRV_END,
};
const srv_shape srv_profile_shape = {
    .fields = profile_fields, .size = sizeof(servet_profile), .check = check_profile};
