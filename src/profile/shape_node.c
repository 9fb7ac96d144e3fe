/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cores of a node have in common: lines, distances, memory. */
#include "profile/shape.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/ranges.h"

static_assert(offsetof(srv_distance, fact) == 0 && offsetof(srv_overhead, fact) == 0,
              "the rows of the public structs serve the stored ones");

/* --- coherence and distances ------------------------------------------------------------------ */

static const srv_field coherence_fields[] = {
    SRV_MEMBER_VALUE(servet_coherence, line, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER(servet_coherence, level, .type = SRV_COUNT),
    SRV_MEMBER_VALUE(servet_coherence, reported, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER(servet_coherence, verdict, .type = SRV_WORD, .words = &srv_verdict_words),
    SRV_END,
};
static const srv_shape coherence_shape = {.fields = coherence_fields,
                                          .size = sizeof(servet_coherence)};

static int check_distance(const void *item, srv_json_path *where)
{
    return srv_check_disjoint(&((const srv_distance *)item)->groups, "groups", where);
}

static const srv_field distance_fields[] = {
    SRV_MEMBER_VALUE(servet_distance_layer, latency, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_distance_layer, confidence, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_MEMBER(servet_distance_layer, verdict, .type = SRV_WORD, .words = &srv_verdict_words),
    SRV_MEMBER(srv_distance, groups, .type = SRV_SETS),
    SRV_END,
};
const srv_shape srv_distance_shape = {
    .fields = distance_fields, .size = sizeof(srv_distance), .check = check_distance};

/* --- memory ----------------------------------------------------------------------------------- */

#define KERNEL_FIELD(number, text, bytes, streaming)                                               \
    {.name = text,                                                                                 \
     .type = SRV_VALUE,                                                                            \
     .offset = offsetof(srv_kernels, bandwidth[number]),                                           \
     .unit = SERVET_UNIT_BYTE_PER_SECOND,                                                          \
     .range = SRV_NOT_NEGATIVE,                                                                    \
     .shape = &srv_value_shape},
static const srv_field kernel_fields[] = {SERVET_KERNEL_LIST(KERNEL_FIELD) SRV_END};
const srv_shape srv_kernels_shape = {.fields = kernel_fields, .size = sizeof(srv_kernels)};

/* More cores than were asked cannot have been found to saturate anything. */
static int check_saturation(int cores, const srv_list *scaling, const char *name,
                            srv_json_path *where)
{
    if (!scaling->known || cores <= scaling->count)
        return SERVET_OK;
    srv_json_path_enter(where, name);
    return srv_json_path_fail(where, "%d cores, but up to %d were asked", cores, scaling->count);
}

static int check_overhead(const void *item, srv_json_path *where)
{
    const srv_overhead *level = item;
    int code = srv_check_disjoint(&level->groups, "groups", where);
    return code == SERVET_OK
               ? check_saturation(level->fact.saturation, &level->scaling, "saturation", where)
               : code;
}

static const srv_field overhead_fields[] = {
    SRV_MEMBER_VALUE(servet_memory_level, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_memory_level, saturation, .type = SRV_COUNT),
    SRV_MEMBER(servet_memory_level, verdict, .type = SRV_WORD, .words = &srv_verdict_words),
    SRV_MEMBER(srv_overhead, groups, .type = SRV_SETS),
    SRV_MEMBER_VALUES(srv_overhead, scaling, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_END,
};
const srv_shape srv_overhead_shape = {
    .fields = overhead_fields, .size = sizeof(srv_overhead), .check = check_overhead};

/* --- NUMA nodes ------------------------------------------------------------------------------- */

static int check_numa(const void *item, srv_json_path *where)
{
    const char *cores = ((const srv_numa_node *)item)->cores;
    if (!*cores || srv_ranges_valid(cores))
        return SERVET_OK;
    srv_json_path_enter(where, "cores");
    return srv_json_path_fail(where, "not a set of cores such as 0-3,8, nor empty");
}

static const srv_field numa_fields[] = {
    SRV_MEMBER(srv_numa_node, number, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(srv_numa_node, cores, .type = SRV_STRING),
    SRV_MEMBER_VALUES(srv_numa_node, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUES(srv_numa_node, latency, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    SRV_END,
};
const srv_shape srv_numa_shape = {
    .fields = numa_fields, .size = sizeof(srv_numa_node), .check = check_numa};

static int check_row(const srv_list *row, int nodes, const char *name, srv_json_path *where)
{
    if (!row->known || row->count == nodes)
        return SERVET_OK;
    srv_json_path_enter(where, name);
    return srv_json_path_fail(where, "%d values for %d NUMA nodes", row->count, nodes);
}

static int check_node(const srv_numa_node *nodes, int i, int count, srv_json_path *where)
{
    if (i > 0 && nodes[i].number <= nodes[i - 1].number) {
        srv_json_path_enter(where, "number");
        return srv_json_path_fail(where, "NUMA node %d after %d", nodes[i].number,
                                  nodes[i - 1].number);
    }
    int code = check_row(&nodes[i].bandwidth, count, "bandwidth", where);
    return code == SERVET_OK ? check_row(&nodes[i].latency, count, "latency", where) : code;
}

static int check_near_cores(const srv_numa_node *nodes, int count, srv_json_path *where)
{
    bool disjoint = true;
    const char **cores = malloc(((size_t)count + 1) * sizeof *cores);
    for (int i = 0; i < count && cores; i++)
        cores[i] = nodes[i].cores;
    int code = cores ? srv_ranges_disjoint(cores, count, &disjoint) : SERVET_EMEMORY;
    free(cores);
    if (code != SERVET_OK)
        return srv_fail_memory(where->error);
    return disjoint ? SERVET_OK : srv_json_path_fail(where, "a core is in two NUMA nodes");
}

static int check_nodes(const srv_list *numa, srv_json_path *where)
{
    const srv_numa_node *nodes = numa->items;
    int code = SERVET_OK;
    srv_json_path_enter(where, "numa");
    for (int i = 0; i < numa->count && code == SERVET_OK; i++) {
        srv_json_path_enter_item(where, i);
        code = check_node(nodes, i, numa->count, where);
        srv_json_path_leave(where);
    }
    if (code == SERVET_OK)
        code = check_near_cores(nodes, numa->count, where);
    srv_json_path_leave(where);
    return code;
}

/* --- node classes ----------------------------------------------------------------------------- */

static int check_machine(const void *item, srv_json_path *where)
{
    const servet_machine *machine = item;
    if (!*machine->cores || srv_ranges_valid(machine->cores))
        return SERVET_OK;
    srv_json_path_enter(where, "cores");
    return srv_json_path_fail(where, "not a set of cores such as 0-3,8");
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

static int check_kinds(const srv_class *class, srv_json_path *where)
{
    const srv_core_kind *kinds = class->kinds.items;
    for (int i = 0; i < class->kinds.count; i++)
        for (int j = 0; j < i; j++)
            if (srv_ranges_overlap(kinds[i].cores, kinds[j].cores)) {
                srv_json_path_enter(where, "kinds");
                srv_json_path_enter_item(where, i);
                return srv_json_path_fail(where, "core kinds '%s' and '%s' share cores",
                                          kinds[j].name, kinds[i].name);
            }
    return SERVET_OK;
}

static int check_class(const void *item, srv_json_path *where)
{
    const srv_class *class = item;
    if (!*class->name)
        return srv_json_path_fail(where, "a node class needs a name");
    int code = check_kinds(class, where);
    if (code == SERVET_OK)
        code = check_saturation(class->memory_saturation, &class->memory_scaling,
                                "memory_saturation", where);
    return code == SERVET_OK ? check_nodes(&class->numa, where) : code;
}

static const srv_field class_fields[] = {
    SRV_CHARS(srv_class, name),
    SRV_MEMBER(srv_class, nodes, .type = SRV_STRINGS),
    SRV_MEMBER(srv_class, machine, .type = SRV_OBJECT, .shape = &machine_shape),
    SRV_MEMBER(srv_class, kinds, .type = SRV_LIST, .shape = &srv_kind_shape,
               .max = SRV_PROFILE_KINDS_MAX),
    SRV_MEMBER(srv_class, coherence, .type = SRV_MAYBE, .shape = &coherence_shape),
    SRV_MEMBER(srv_class, distances, .type = SRV_FACTS, .shape = &srv_distance_shape),
    SRV_MEMBER(srv_class, memory_bandwidth, .type = SRV_MAYBE, .shape = &srv_kernels_shape),
    SRV_MEMBER(srv_class, memory_levels, .type = SRV_FACTS, .shape = &srv_overhead_shape),
    SRV_MEMBER_VALUES(srv_class, memory_scaling, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER(srv_class, memory_saturation, .type = SRV_COUNT),
    SRV_MEMBER(srv_class, numa, .type = SRV_FACTS, .shape = &srv_numa_shape),
    SRV_MEMBER(srv_class, modes, .type = SRV_FACTS, .shape = &srv_bimodal_shape),
    SRV_END,
};
const srv_shape srv_class_shape = {
    .fields = class_fields, .size = sizeof(srv_class), .check = check_class};
