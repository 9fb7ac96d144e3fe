/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that the cores of a node share: lines, distances, memory. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/ranges.h"

static_assert(offsetof(srv_distance, fact) == 0 && offsetof(srv_overhead, fact) == 0 &&
                  offsetof(srv_loaded_facts, fact) == 0 &&
                  offsetof(srv_accelerator_level, fact) == 0 &&
                  offsetof(srv_accelerator, cores) == offsetof(servet_accelerator, cores) &&
                  offsetof(srv_accelerator, trusted) == offsetof(servet_accelerator, trusted) &&
                  offsetof(srv_numa_node, cores) == offsetof(servet_numa, cores),
              "the rows of the public structs serve the stored ones");

/* --- coherence and distances ------------------------------------------------------------------ */

static const srv_field coherence_fields[] = {
    SRV_NAMED_VALUE("coherence_line", servet_coherence, line, SERVET_UNIT_BYTE, SRV_POSITIVE,
                    .label = {"false-sharing granularity, bytes", SRV_FACT},
                    .detail = "pad data written by different cores to that size"),
    SRV_NAMED("coherence_level", servet_coherence, level, .type = SRV_COUNT,
              .label = {"cache level whose line this is", SRV_FACT}),
    SRV_NAMED_VALUE("coherence_reported", servet_coherence, reported, SERVET_UNIT_BYTE,
                    SRV_POSITIVE,
                    .label = {"largest line size that the OS reports, bytes", SRV_FACT}),
    SRV_NAMED_VERDICT("coherence_verdict", servet_coherence, "agrees, differs or not visible"),
    SRV_END,
};
static const srv_shape coherence_shape = {.fields = coherence_fields, SRV_WHOLE(servet_coherence)};

static const srv_field distance_fields[] = {
    SRV_MEMBER_NS(servet_distance_layer, latency,
                  .label = {"transfer time of a line that the other core modified, ns", SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_distance_layer, "probability that the layer is distinct"),
    SRV_MEMBER_VERDICT(servet_distance_layer, "groups compared with those that the OS reports"),
    SRV_MEMBER(srv_distance, groups, .type = SRV_SETS, .max = SRV_NODE_CORES_MAX,
               .label = {"sets of cores connected by this or faster layers", SRV_FACT},
               .detail = "by pairs of this layer or a faster one"),
    SRV_END,
};
static const srv_shape distance_shape = {.name = "distance",
                                         .fields = distance_fields,
                                         .size = sizeof(srv_distance),
                                         SRV_PART(servet_distance_layer)};

/* --- synchronization -------------------------------------------------------------------------- */

static const char *const sync_texts[] = {SERVET_SYNC_LIST(SRV_TEXT_OF)};
static const srv_words sync_words = SRV_WORDS(sync_texts);

SRV_NAMES(servet_sync_name, servet_sync_op, SERVET_SYNC_LIST)

static const srv_field sync_fields[] = {
    SRV_MEMBER(servet_sync, op, .type = SRV_WORD, .words = &sync_words,
               .label = {"operation by which threads synchronize", SRV_FACT}),
    SRV_MEMBER(servet_sync, threads, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SRV_NODE_CORES_MAX,
               .label = {"number of threads that do it at once, a core each", SRV_FACT}),
    SRV_MEMBER(
        servet_sync, layer, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
        .label = {"distance layer of the pair, or of the group that the threads fill", SRV_FACT},
        .detail = "0: one thread alone"),
    SRV_MEMBER_NS(
        servet_sync, time, .needed = true,
        .label = {"time until the next operation of any of the threads ends, ns", SRV_FACT},
        .detail = "for a barrier, the time from one to the next"),
    SRV_END,
};
static const srv_shape sync_shape = {.name = "sync",
                                     .fields = sync_fields,
                                     .size = sizeof(servet_sync),
                                     .order = {"op", "threads", "layer"}};

/* --- memory ----------------------------------------------------------------------------------- */

#define KERNEL(number, text, summary_)                                                             \
    SRV_NAMED_VALUE(text, srv_kernels, bandwidth[number], SERVET_UNIT_BYTE_PER_SECOND,             \
                    SRV_NOT_NEGATIVE, .label = {summary_, SRV_FACT})
static const srv_field kernel_fields[] = {
    KERNEL(SERVET_KERNEL_READ, "read", "read bandwidth"),
    KERNEL(SERVET_KERNEL_WRITE, "write", "write bandwidth"),
    KERNEL(SERVET_KERNEL_COPY, "copy", "copy bandwidth"),
    KERNEL(SERVET_KERNEL_TRIAD, "triad", "triad bandwidth"),
    KERNEL(SERVET_KERNEL_WRITE_NT, "write-nt", "write bandwidth, non-temporal stores"),
    KERNEL(SERVET_KERNEL_COPY_NT, "copy-nt", "copy bandwidth, non-temporal stores"),
    KERNEL(SERVET_KERNEL_TRIAD_NT, "triad-nt", "triad bandwidth, non-temporal stores"),
    SRV_END,
};
static_assert(sizeof kernel_fields / sizeof *kernel_fields == SERVET_KERNEL_COUNT + 1,
              "each kernel has a row");
static const srv_shape kernels_shape = {.fields = kernel_fields, .size = sizeof(srv_kernels)};

/* Checks that a saturation point is not larger than the number of measured cores. */
static int check_saturation(int cores, const srv_list *scaling, const char *name,
                            srv_json_path *where)
{
    if (!scaling->known || cores <= scaling->count)
        return SERVET_OK;
    srv_json_path_enter(where, name);
    return srv_json_path_fail(where, "%d cores, but at most %d were measured", cores,
                              scaling->count);
}

static int check_overhead(const void *item, srv_json_path *where)
{
    const srv_overhead *level = item;
    return check_saturation(level->fact.saturation, &level->scaling, "saturation", where);
}

static const srv_field overhead_fields[] = {
    SRV_MEMBER_RATE(servet_memory_level, bandwidth,
                    .label = {"copy bandwidth of a core of a pair, bytes per second", SRV_FACT},
                    .detail = "while both copy"),
    SRV_MEMBER(servet_memory_level, saturation, .type = SRV_COUNT,
               .label = {"number of cores that saturate a group", SRV_ENOUGH},
               .detail = "the smallest number of them that gets 95 % or more of its best"),
    SRV_MEMBER_VERDICT(servet_memory_level, "groups compared with those that the OS reports"),
    SRV_MEMBER(srv_overhead, groups, .type = SRV_SETS, .max = SRV_NODE_CORES_MAX,
               .label = {"sets of cores connected by pairs of this level", SRV_FACT}),
    SRV_NAMED_RATES("scaling", srv_overhead, scaling,
                    .label = {"largest measured number of cores of a group", SRV_EXTENT},
                    .items = {"copy bandwidth per core while M copy, bytes per second", SRV_FACT},
                    .noun = "numbers of cores",
                    .detail =
                        "bandwidth of each of 1, 2, ... cores of a group while all of them copy"),
    SRV_END,
};
static const srv_shape overhead_shape = {.name = "memory_level",
                                         .fields = overhead_fields,
                                         .size = sizeof(srv_overhead),
                                         SRV_PART(servet_memory_level),
                                         .check = check_overhead};

/* --- peak rates ------------------------------------------------------------------------------- */

static const char *const precision_texts[] = {SERVET_PRECISION_LIST(SRV_TEXT_OF)};
static const srv_words precision_words = SRV_WORDS(precision_texts);
static const char *const width_texts[] = {SERVET_WIDTH_LIST(SRV_TEXT_OF)};
static const srv_words width_words = SRV_WORDS(width_texts);

static const srv_field peak_fields[] = {
    SRV_MEMBER(servet_peak, precision, .type = SRV_WORD, .words = &precision_words,
               .label = {"precision of the numbers", SRV_FACT}),
    SRV_MEMBER(servet_peak, width, .type = SRV_WORD, .words = &width_words,
               .label = {"scalar: one number per instruction; vector: a full register", SRV_FACT}),
    SRV_MEMBER(servet_peak, bits, .type = SRV_INTEGER, .range = SRV_POSITIVE, .most = INT_MAX,
               .label = {"bits of a register that an instruction uses", SRV_FACT}),
    SRV_MEMBER(servet_peak, cores, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SRV_NODE_CORES_MAX,
               .label = {"number of cores that compute at once", SRV_FACT}),
    SRV_MEMBER(servet_peak, core, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .label = {"first core that computes", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_peak, rate, SERVET_UNIT_FLOP_PER_SECOND, SRV_POSITIVE, .needed = true,
                     .label = {"floating-point operations a second of all these cores", SRV_FACT}),
    SRV_NAMED_VALUE("clock_hz", servet_peak, clock, SERVET_UNIT_HERTZ, SRV_POSITIVE,
                    .label = {"mean clock of these cores under this load, Hz", SRV_FACT}),
    SRV_END,
};
static const srv_shape peak_shape = {.name = "peak",
                                     .fields = peak_fields,
                                     .size = sizeof(servet_peak),
                                     .order = {"precision", "width", "cores", "core"}};

/* --- NUMA nodes ------------------------------------------------------------------------------- */

static const srv_field numa_fields[] = {
    SRV_MEMBER(srv_numa_node, number, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .label = {"number that the OS uses", SRV_FACT}),
    SRV_MEMBER(srv_numa_node, cores, .type = SRV_STRING, .is_set = true, .max = SRV_NODE_CORES_MAX,
               .label = {"cores as ranges; empty: only memory", SRV_FACT}),
    SRV_NAMED_RATES("bandwidth", srv_numa_node, bandwidth,
                    .label = {"number of NUMA nodes whose memory was read", SRV_EXTENT},
                    .items = {"read bandwidth from node M, bytes per second", SRV_FACT},
                    .noun = "NUMA nodes",
                    .detail = "bandwidth of one of its cores from the memory of each, in order"),
    SRV_NAMED_VALUES(
        "latency_ns", srv_numa_node, latency, SRV_UNIT_NANOSECOND, SRV_NOT_NEGATIVE,
        .label = {"number of NUMA nodes whose latency was measured", SRV_EXTENT},
        .items = {"latency of a load from NUMA node M, ns", SRV_FACT}, .noun = "NUMA nodes",
        .detail = "latency of a load of one of its cores from the memory of each, in order"),
    SRV_END,
};
static const srv_shape numa_shape = {.name = "numa_node",
                                     .fields = numa_fields,
                                     .size = sizeof(srv_numa_node),
                                     .part = sizeof(servet_numa),
                                     .order = {"number"}};

static int check_row(const srv_list *row, int nodes, const char *name, srv_json_path *where)
{
    if (!row->known || row->count == nodes)
        return SERVET_OK;
    srv_json_path_enter(where, name);
    return srv_json_path_fail(where, "%d values for %d NUMA nodes", row->count, nodes);
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
        code = check_row(&nodes[i].bandwidth, numa->count, "bandwidth", where);
        if (code == SERVET_OK)
            code = check_row(&nodes[i].latency, numa->count, "latency_ns", where);
        srv_json_path_leave(where);
    }
    if (code == SERVET_OK)
        code = check_near_cores(nodes, numa->count, where);
    srv_json_path_leave(where);
    return code;
}

/* --- loaded latency --------------------------------------------------------------------------- */

static const srv_field loaded_point_fields[] = {
    SRV_MEMBER_RATE(
        servet_loaded_point, bandwidth, .needed = true, .is_brief = true,
        .label = {"bandwidth of the cores that load the memory, bytes per second", SRV_NOTE}),
    SRV_MEMBER_NS(servet_loaded_point, latency, .needed = true, .is_brief = true,
                  .label = {"latency of a load at this bandwidth, ns", SRV_NOTE}),
    SRV_END,
};
static const srv_shape loaded_point_shape = {.fields = loaded_point_fields,
                                             .size = sizeof(servet_loaded_point),
                                             .order = {"bandwidth"},
                                             .may_repeat = true};

#define LINES(member, least_, most_, summary_)                                                     \
    SRV_MEMBER(servet_loaded, member, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = least_,   \
               .most = most_, .label = {summary_, SRV_FACT})
#define NODE(member, summary_)                                                                     \
    SRV_MEMBER(servet_loaded, member, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,              \
               .label = {summary_, SRV_FACT})

static const srv_field loaded_fields[] = {
    NODE(from, "NUMA node of the core whose loads are timed, as the OS numbers it"),
    NODE(node, "NUMA node of the memory, as the OS numbers it"),
    LINES(reads, 1, 3, "loaded lines for each written one"),
    LINES(writes, 0, 1, "written lines: 1, or 0 with reads alone"),
    SRV_MEMBER(servet_loaded, generators, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SRV_NODE_CORES_MAX,
               .label = {"number of cores that load the memory", SRV_NOTE}),
    SRV_MEMBER_NS(servet_loaded, unloaded, .label = {"latency of a load alone, ns", SRV_FACT}),
    SRV_MEMBER_NS(servet_loaded, at_50,
                  .label = {"latency of a load at 50 % of the best bandwidth, ns", SRV_FACT}),
    SRV_MEMBER_NS(servet_loaded, at_80,
                  .label = {"latency of a load at 80 % of the best bandwidth, ns", SRV_FACT}),
    SRV_MEMBER_NS(servet_loaded, at_95,
                  .label = {"latency of a load at 95 % of the best bandwidth, ns", SRV_FACT}),
    SRV_MEMBER_RATE(
        servet_loaded, best,
        .label = {"best bandwidth of the cores that load the memory, bytes per second", SRV_FACT}),
    SRV_MEMBER_RATE(
        servet_loaded, knee,
        .label = {"bandwidth with the most bandwidth per latency, bytes per second", SRV_FACT},
        .detail = "null if the cores do not load the memory to its limit"),
    SRV_NAMED_FACTS("points", srv_loaded_facts, points, &loaded_point_shape,
                    .label = {"number of points of the curve", SRV_EXTENT}, .noun = "points",
                    .detail = "latency by bandwidth, ascending"),
    SRV_END,
};
static const srv_shape loaded_shape = {.name = "loaded",
                                       .fields = loaded_fields,
                                       .size = sizeof(srv_loaded_facts),
                                       SRV_PART(servet_loaded)};

/* --- accelerators ----------------------------------------------------------------------------- */

static const char *const direction_texts[] = {SERVET_DIRECTION_LIST(SRV_TEXT_OF)};
static const srv_words direction_words = SRV_WORDS(direction_texts);

SRV_NAMES(servet_direction_name, servet_direction, SERVET_DIRECTION_LIST)

#define LINK(member, summary_)                                                                     \
    SRV_MEMBER_RATE(servet_accelerator_link, member, .label = {summary_, SRV_FACT})
#define LINK_US(member, summary_)                                                                  \
    SRV_MEMBER_US(servet_accelerator_link, member, SRV_NOT_NEGATIVE, .label = {summary_, SRV_FACT})

static const srv_field link_fields[] = {
    SRV_MEMBER(servet_accelerator_link, node, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .label = {"NUMA node of the host's memory, as the OS numbers it", SRV_FACT}),
    LINK(to_device, "bandwidth of copies from this memory to the device, bytes per second"),
    LINK(to_host, "bandwidth of copies from the device to this memory, bytes per second"),
    LINK(to_device_together, "to the device while all devices copy, bytes per second"),
    LINK(to_host_together, "from the device while all devices copy, bytes per second"),
    LINK_US(to_device_latency, "time of a copy of 64 bytes to the device, us"),
    LINK_US(to_host_latency, "time of a copy of 64 bytes from the device, us"),
    SRV_END,
};
static const srv_shape link_shape = {
    .name = "accelerator_link", .fields = link_fields, .size = sizeof(servet_accelerator_link)};

static const char *const device_cache_texts[] = {SERVET_DEVICE_CACHE_LIST(SRV_TEXT_OF)};
static const srv_words device_cache_words = SRV_WORDS(device_cache_texts);

SRV_NAMES(servet_device_cache_name, servet_device_cache, SERVET_DEVICE_CACHE_LIST)

static const srv_field device_cache_fields[] = {
    SRV_MEMBER(servet_accelerator_cache, cache, .type = SRV_WORD, .words = &device_cache_words,
               .label = {"cache of the accelerator, or its shared memory", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_accelerator_cache, bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"size of one instance, bytes", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_accelerator_cache, line, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"line size, bytes", SRV_FACT}),
    SRV_NAMED_VALUE("latency_cycles", servet_accelerator_cache, latency, SERVET_UNIT_CYCLE,
                    SRV_POSITIVE,
                    .label = {"latency of a load that hits, cycles of the accelerator", SRV_FACT}),
    SRV_END,
};
static const srv_shape device_cache_shape = {.name = "accelerator_cache",
                                             .fields = device_cache_fields,
                                             .size = sizeof(servet_accelerator_cache),
                                             .order = {"cache"}};

static const srv_field accelerator_fields[] = {
    SRV_MEMBER(srv_accelerator, name, .type = SRV_STRING,
               .label = {"name of the accelerator", SRV_FACT}),
    SRV_MEMBER(srv_accelerator, bus, .type = SRV_STRING, .label = {"its PCI address", SRV_NOTE}),
    SRV_MEMBER(srv_accelerator, cards, .type = SRV_STRING,
               .label = {"network cards under the nearest PCI bridge that has any", SRV_NOTE}),
    SRV_MEMBER(srv_accelerator, node, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = -1,
               .most = SRV_NODE_CORES_MAX, .label = {"NUMA node that is reported near", SRV_NOTE},
               .detail = "-1: none is"),
    SRV_MEMBER(srv_accelerator, cores, .type = SRV_STRING, .is_set = true,
               .max = SRV_NODE_CORES_MAX,
               .label = {"cores near to it by measurement, as ranges", SRV_FACT},
               .detail = "empty: not measured"),
    SRV_MEMBER(srv_accelerator, uniform, .type = SRV_BOOL,
               .label = {"whether no NUMA node is nearer than another", SRV_FACT}),
    SRV_MEMBER_VERDICT(srv_accelerator, "near node compared with the one that is reported"),
    SRV_NAMED_FACTS("links", srv_accelerator, links, &link_shape,
                    .label = {"number of NUMA nodes whose memory was copied", SRV_EXTENT},
                    .noun = "NUMA nodes", .detail = "copies by NUMA node of the host's memory"),
    SRV_NAMED_FACTS("caches", srv_accelerator, caches, &device_cache_shape, .optional = true,
                    .label = {"number of caches of the accelerator", SRV_EXTENT}, .noun = "caches",
                    .detail = "from servet merge --mt4g"),
    SRV_END,
};
static const srv_shape accelerator_shape = {.name = "accelerator",
                                            .fields = accelerator_fields,
                                            .size = sizeof(srv_accelerator),
                                            SRV_PART(servet_accelerator)};

#define DEVICE(member, summary_)                                                                   \
    SRV_MEMBER(servet_accelerator_pair, member, .type = SRV_INTEGER, .range = SRV_WITHIN,          \
               .least = 0, .most = SRV_ITEMS_MAX, .label = {summary_, SRV_NOTE})

static const srv_field device_pair_fields[] = {
    DEVICE(from, "accelerator that is copied from, as the driver numbers it"),
    DEVICE(to, "accelerator that is copied to, likewise"),
    SRV_MEMBER(servet_accelerator_pair, direct, .type = SRV_BOOL,
               .label = {"whether they reach each other's memory", SRV_FACT}),
    SRV_MEMBER_RATE(servet_accelerator_pair, bandwidth,
                    .label = {"bandwidth of copies between them, bytes per second", SRV_FACT}),
    SRV_MEMBER_US(servet_accelerator_pair, latency, SRV_NOT_NEGATIVE,
                  .label = {"time of a copy of 64 bytes, us", SRV_FACT}),
    SRV_END,
};
static const srv_shape device_pair_shape = {.name = "accelerator_pair",
                                            .fields = device_pair_fields,
                                            .size = sizeof(servet_accelerator_pair),
                                            .order = {"from", "to"}};

static const srv_field device_level_fields[] = {
    SRV_MEMBER(servet_accelerator_level, direction, .type = SRV_WORD, .words = &direction_words,
               .label = {"direction of the copies", SRV_FACT}),
    SRV_MEMBER_RATE(
        servet_accelerator_level, bandwidth,
        .label = {"bandwidth of a device of a pair while both copy, bytes per second", SRV_FACT}),
    SRV_MEMBER(srv_accelerator_level, groups, .type = SRV_SETS, .max = SRV_ITEMS_MAX,
               .label = {"sets of accelerators connected by pairs of this level", SRV_FACT}),
    SRV_END,
};
static const srv_shape device_level_shape = {.name = "accelerator_level",
                                             .fields = device_level_fields,
                                             .size = sizeof(srv_accelerator_level),
                                             .part = sizeof(servet_accelerator_level),
                                             .order = {"direction"},
                                             .may_repeat = true};

/* --- node classes ----------------------------------------------------------------------------- */

#define MACHINE_COUNT(member, summary_)                                                            \
    SRV_MEMBER(servet_machine, member, .type = SRV_INTEGER, .zero_is_unknown = true,               \
               .range = SRV_NOT_NEGATIVE, .most = SRV_NODE_CORES_MAX,                              \
               .label = {summary_, SRV_NOTE})
#define MACHINE_BYTES(member, summary_)                                                            \
    SRV_MEMBER(servet_machine, member, .type = SRV_NUMBER, .zero_is_unknown = true,                \
               .range = SRV_NOT_NEGATIVE, .unit = SERVET_UNIT_BYTE, .label = {summary_, SRV_FACT})

static const srv_field machine_fields[] = {
    SRV_CHARS(servet_machine, hostname,
              .label = {"host name of the first node of the class", SRV_NOTE}),
    SRV_CHARS(servet_machine, os, .label = {"operating system", SRV_NOTE}),
    SRV_CHARS(servet_machine, architecture, .label = {"architecture", SRV_FACT}),
    SRV_CHARS(servet_machine, cpu, .label = {"processor model", SRV_FACT},
              .detail = "empty if not told"),
    SRV_CHARS(servet_machine, cores, .is_set = true, .max = SRV_NODE_CORES_MAX,
              .label = {"usable PUs, as ranges", SRV_NOTE}, .detail = "empty if not told"),
    MACHINE_COUNT(pu_count, "number of usable PUs"),
    MACHINE_COUNT(core_count, "number of cores"),
    MACHINE_COUNT(package_count, "number of packages"),
    MACHINE_COUNT(numa_count, "number of NUMA nodes"),
    MACHINE_BYTES(memory_bytes, "installed memory"),
    MACHINE_BYTES(page_bytes, "size of a base page"),
    SRV_CHARS(servet_machine, fingerprint, .optional = true,
              .label = {"properties that nodes of this type have in common", SRV_FACT},
              .detail = "words NAME=VALUE of the whole node; empty if not known"),
    SRV_CHARS(servet_machine, logical_order, .optional = true,
              .label = {"PUs in the order of hwloc's logical numbers", SRV_NOTE},
              .detail = "OS numbers, ascending neighbours as ranges; empty if not known"),
    SRV_END,
};

/* Checks the sets and the logical order of PUs, which need not ascend. */
static int check_machine(const void *item, srv_json_path *where)
{
    const servet_machine *machine = item;
    const char *order = machine->logical_order;
    int first, last;
    while (srv_ranges_next(&order, &first, &last))
        ;
    if (!*order)
        return SERVET_OK;
    srv_json_path_enter(where, "logical_order");
    return srv_json_path_fail(where, "'%.32s' is no range of cores", order);
}

static const srv_shape machine_shape = {.name = "machine",
                                        .fields = machine_fields,
                                        .size = sizeof(servet_machine),
                                        .check = check_machine};

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
    int code = check_kinds(class, where);
    if (code == SERVET_OK)
        code = check_saturation(class->memory_saturation, &class->memory_scaling,
                                "memory.saturation", where);
    return code == SERVET_OK ? check_nodes(&class->numa, where) : code;
}

const servet_value *srv_best_copy(const srv_kernels *kernels)
{
    const servet_value *plain = &kernels->bandwidth[SERVET_KERNEL_COPY];
    const servet_value *streaming = &kernels->bandwidth[SERVET_KERNEL_COPY_NT];
    if (!servet_value_known(plain) || !servet_value_known(streaming))
        return servet_value_known(streaming) ? streaming : plain;
    if (plain->trusted != streaming->trusted)
        return plain->trusted ? streaming : plain;
    return streaming->value > plain->value ? streaming : plain;
}

/* Returns the best copy bandwidth, which is that of one of the kernels. */
static const void *pick_single(const void *class)
{
    const srv_list *kernels = &((const srv_class *)class)->memory_bandwidth;
    return kernels->count ? srv_best_copy(kernels->items) : NULL;
}

static const srv_derived single[] = {
    {.name = "memory.single",
     .label = {"best copy bandwidth of one core alone, bytes per second", SRV_FACT},
     .pick = pick_single},
    {.name = NULL},
};

static const srv_field class_fields[] = {
    SRV_CHARS(srv_class, name, .needed = true,
              .label = {"name of the node class", SRV_NOTE, "class.name"}),
    SRV_MEMBER(srv_class, nodes, .type = SRV_STRINGS,
               .label = {"number of nodes of the class", SRV_NOTE, "class.nodes"},
               .items = {"host name of node N of the class", SRV_NOTE, "class.node.N"},
               .noun = "nodes", .detail = "host names"),
    SRV_MEMBER(srv_class, machine, .type = SRV_OBJECT, .shape = &machine_shape,
               .detail = "the first node of the class as its operating system describes it"),
    SRV_MEMBER(srv_class, kinds, .type = SRV_LIST, .shape = &srv_kind_shape,
               .max = SRV_PROFILE_KINDS_MAX, .label = {"number of core types", SRV_FACT},
               .detail = "cores that measure alike share a kind; no core is in two of them"),
    SRV_MEMBER(srv_class, coherence, .type = SRV_MAYBE, .shape = &coherence_shape, .is_inner = true,
               .detail = "the block that cores lose to each other by false sharing"),
    SRV_NAMED_FACTS("distance.layers", srv_class, distances, &distance_shape,
                    .label = {"number of layers of core distances", SRV_FACT}, .noun = "layers",
                    .detail = "pairs of cores that are equally far from each other, fastest first; "
                              "empty for a single core"),
    SRV_MEMBER_FACTS(srv_class, sync, &sync_shape,
                     .label = {"number of measured ways to synchronize", SRV_FACT},
                     .noun = "ways to synchronize",
                     .detail = "atomics, locks, barriers and the hint of spinning loops, sorted by "
                               "operation, threads and layer"),
    SRV_NAMED("memory.bandwidth", srv_class, memory_bandwidth, .type = SRV_MAYBE,
              .shape = &kernels_shape, .is_inner = true, .derived = single,
              .detail = "bandwidth of one core alone on its own memory, by kernel; -nt are "
                        "non-temporal stores"),
    SRV_NAMED_FACTS(
        "memory.levels", srv_class, memory_levels, &overhead_shape,
        .label = {"number of levels of memory overhead", SRV_FACT}, .noun = "overhead levels",
        .detail = "pairs of cores with the same contention, the least overhead first; empty "
                  "if no pair slows down"),
    SRV_NAMED_RATES("memory.scaling", srv_class, memory_scaling,
                    .label = {"largest measured number of cores of the node", SRV_EXTENT},
                    .items = {"copy bandwidth per core while N copy, bytes per second", SRV_FACT},
                    .noun = "numbers of cores",
                    .detail =
                        "bandwidth of each of 1, 2, ... cores of the node while all of them copy"),
    SRV_NAMED("memory.saturation", srv_class, memory_saturation, .type = SRV_COUNT,
              .label = {"number of cores that saturate the node", SRV_ENOUGH},
              .detail = "the smallest number of them that gets 95 % or more of its best"),
    SRV_MEMBER_FACTS(srv_class, numa, &numa_shape,
                     .label = {"number of measured NUMA nodes", SRV_FACT}, .noun = "NUMA nodes",
                     .detail = "their numbers ascending; no core is in two of them"),
    SRV_MEMBER_FACTS(srv_class, loaded, &loaded_shape,
                     .label = {"number of curves of latency under load", SRV_EXTENT},
                     .noun = "curves",
                     .detail = "latency of memory while other cores load it: reads for each two "
                               "NUMA nodes, then mixes of reads and writes on each"),
    SRV_MEMBER_FACTS(srv_class, peak, &peak_shape,
                     .label = {"number of measured peak rates", SRV_FACT}, .noun = "peak rates",
                     .detail = "floating-point operations of one core of each type and of all at "
                               "once, sorted by precision, width, cores and core"),
    SRV_NAMED_FACTS("accelerators.devices", srv_class, accelerators, &accelerator_shape,
                    .label = {"number of accelerators", SRV_FACT}, .noun = "accelerators",
                    .detail = "devices with memory of their own, in the order of their driver; "
                              "empty if there are none"),
    SRV_NAMED_FACTS("accelerators.pairs", srv_class, device_pairs, &device_pair_shape,
                    .label = {"number of measured pairs of accelerators", SRV_EXTENT},
                    .noun = "pairs", .detail = "copies from one accelerator to another"),
    SRV_NAMED_FACTS("accelerators.levels", srv_class, device_levels, &device_level_shape,
                    .label = {"number of levels of overhead of accelerators", SRV_FACT},
                    .noun = "levels",
                    .detail = "pairs of accelerators that slow each other down alike, sorted by "
                              "direction, the least overhead first; empty if no pair slows down"),
    SRV_MEMBER_FACTS(srv_class, modes, &srv_bimodal_shape, .detail = SRV_MODES_DETAIL),
    SRV_MEMBER_FACTS(srv_class, doubts, &srv_doubt_shape, .detail = SRV_DOUBTS_DETAIL),
    SRV_END,
};
const srv_shape srv_class_shape = {
    .name = "class", .fields = class_fields, .size = sizeof(srv_class), .check = check_class};
