/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/rows.h"

#define ITEM(struct_, member, form)                                                                \
    {                                                                                              \
        .type = SRV_ITEM_##form, .offset = offsetof(struct_, member),                              \
        .size = sizeof((struct_ *)NULL)->member                                                    \
    }

/* Another value requests another sample of the same. */
#define LOOSE(struct_, member, form)                                                               \
    {                                                                                              \
        .type = SRV_ITEM_##form, .offset = offsetof(struct_, member), .loose = true                \
    }

#define ROW(name, struct_)                                                                         \
    static const srv_row name##_row = {name, sizeof name / sizeof *name, sizeof(struct_)}

static const srv_item core[] = {{.type = SRV_ITEM_INT}};
ROW(core, int);

static const srv_item bytes[] = {{.type = SRV_ITEM_EXACT}};
ROW(bytes, double);

static const srv_item set[] = {{.type = SRV_ITEM_STRING}};
ROW(set, char *);

static const srv_item run[] = {
    ITEM(srv_recorded_run, version, TEXT),
    ITEM(srv_recorded_run, started, TEXT),
    ITEM(srv_recorded_run, min_bytes, EXACT),
    ITEM(srv_recorded_run, max_bytes, EXACT),
    ITEM(srv_recorded_run, budget_seconds, NUMBER),
    ITEM(srv_recorded_run, pages, INT),
    ITEM(srv_recorded_run, seed, LONG),
    ITEM(srv_recorded_run, approach, INT),
    ITEM(srv_recorded_run, only, INT),
    ITEM(srv_recorded_run, sharing_ratio, NUMBER),
    ITEM(srv_recorded_run, votes, INT),
    ITEM(srv_recorded_run, progress, FLAG),
    ITEM(srv_recorded_run, command, TEXT),
};
ROW(run, srv_recorded_run);

static const srv_item job[] = {
    ITEM(srv_recorded_job, version, TEXT),
    ITEM(srv_recorded_job, started, TEXT),
    ITEM(srv_recorded_job, layer_bytes, EXACT),
    ITEM(srv_recorded_job, message_bytes, EXACT),
    ITEM(srv_recorded_job, budget_seconds, EXACT),
    ITEM(srv_recorded_job, only, INT),
    ITEM(srv_recorded_job, nodes, INT),
    ITEM(srv_recorded_job, buffers, INT),
    ITEM(srv_recorded_job, progress, FLAG),
    ITEM(srv_recorded_job, command, TEXT),
};
ROW(job, srv_recorded_job);

static const srv_item node[] = {
    ITEM(srv_network_node, name, TEXT),
    ITEM(srv_network_node, cores, TEXT),
    ITEM(srv_network_node, rank_count, INT),
    ITEM(srv_network_node, machine, INT),
};
ROW(node, srv_network_node);

static const srv_item machine[] = {
    ITEM(servet_machine, hostname, TEXT),
    ITEM(servet_machine, os, TEXT),
    ITEM(servet_machine, architecture, TEXT),
    ITEM(servet_machine, cpu, TEXT),
    ITEM(servet_machine, cores, TEXT),
    ITEM(servet_machine, pu_count, INT),
    ITEM(servet_machine, core_count, INT),
    ITEM(servet_machine, package_count, INT),
    ITEM(servet_machine, numa_count, INT),
    ITEM(servet_machine, memory_bytes, EXACT),
    ITEM(servet_machine, page_bytes, EXACT),
    {.type = SRV_ITEM_TEXT,
     .offset = offsetof(servet_machine, fingerprint),
     .size = sizeof((servet_machine *)NULL)->fingerprint,
     .later = true},
    {.type = SRV_ITEM_TEXT,
     .offset = offsetof(servet_machine, logical_order),
     .size = sizeof((servet_machine *)NULL)->logical_order,
     .later = true},
};
ROW(machine, servet_machine);

static const srv_item core_type[] = {
    ITEM(srv_core_type, name, TEXT),
    ITEM(srv_core_type, cores, TEXT),
};
ROW(core_type, srv_core_type);

/* A level of srv_reported, which has no name of its own. */
#define LEVEL(member, form)                                                                        \
    {                                                                                              \
        .type = SRV_ITEM_##form,                                                                   \
        .offset = offsetof(srv_reported, level[0].member) - offsetof(srv_reported, level),         \
        .size = sizeof((srv_reported *)NULL)->level[0].member                                      \
    }

static const srv_item level[] = {
    LEVEL(bytes, EXACT),
    LEVEL(line_bytes, EXACT),
    LEVEL(cores, TEXT),
};
static const srv_row level_row = {level, sizeof level / sizeof *level,
                                  sizeof((srv_reported *)NULL)->level[0]};

static const srv_item clock[] = {
    ITEM(srv_clock_facts, name, TEXT),
    ITEM(srv_clock_facts, overhead_ns, NUMBER),
    ITEM(srv_clock_facts, resolution_ns, NUMBER),
};
ROW(clock, srv_clock_facts);

static const srv_item glance[] = {
    ITEM(srv_glance, core, INT),
    LOOSE(srv_glance, seconds, NUMBER),
};
ROW(glance, srv_glance);

static const srv_item noise[] = {
    ITEM(srv_noise, lost, NUMBER),
    ITEM(srv_noise, steal, NUMBER),
    ITEM(srv_noise, others, NUMBER),
    ITEM(srv_noise, ghz, NUMBER),
};
ROW(noise, srv_noise);

static const srv_item absence[] = {
    ITEM(srv_absence, share, NUMBER),
    ITEM(srv_absence, longest, NUMBER),
    ITEM(srv_absence, foreign, NUMBER),
    ITEM(srv_absence, moved, INT),
};
ROW(absence, srv_absence);

static const srv_item traversal[] = {
    ITEM(srv_traversal, core, INT),
    ITEM(srv_traversal, bytes, EXACT),
    LOOSE(srv_traversal, largest_bytes, EXACT),
    ITEM(srv_traversal, pattern, INT),
    ITEM(srv_traversal, line_bytes, EXACT),
    ITEM(srv_traversal, stride, EXACT),
    ITEM(srv_traversal, apart, EXACT),
    ITEM(srv_traversal, phases, INT),
    ITEM(srv_traversal, chains, INT),
    ITEM(srv_traversal, delay, INT),
    ITEM(srv_traversal, pages, INT),
    ITEM(srv_traversal, node, INT),
    LOOSE(srv_traversal, seed, SEED),
    LOOSE(srv_traversal, seconds, NUMBER),
};
ROW(traversal, srv_traversal);

static const srv_item timing[] = {
    ITEM(srv_timing, mean, NUMBER),           ITEM(srv_timing, spread.median, NUMBER),
    ITEM(srv_timing, spread.minimum, NUMBER), ITEM(srv_timing, spread.low, NUMBER),
    ITEM(srv_timing, spread.high, NUMBER),    ITEM(srv_timing, spread.n, SIZE),
    ITEM(srv_timing, huge_share, NUMBER),     ITEM(srv_timing, ghz, NUMBER),
    ITEM(srv_timing, error, NUMBER),          ITEM(srv_timing, busy, NUMBER),
};
ROW(timing, srv_timing);

static const srv_item stream[] = {
    ITEM(srv_stream, core, INT), ITEM(srv_stream, kernel, INT), ITEM(srv_stream, bytes, EXACT),
    ITEM(srv_stream, node, INT), ITEM(srv_stream, pages, INT),  LOOSE(srv_stream, seconds, NUMBER),
};
ROW(stream, srv_stream);

static const srv_item spread[] = {
    ITEM(srv_spread, median, NUMBER), ITEM(srv_spread, minimum, NUMBER),
    ITEM(srv_spread, low, NUMBER),    ITEM(srv_spread, high, NUMBER),
    ITEM(srv_spread, n, SIZE),
};
ROW(spread, srv_spread);

static const srv_item transfer[] = {
    ITEM(srv_line_transfer, owner, INT),       ITEM(srv_line_transfer, reader, INT),
    ITEM(srv_line_transfer, bytes, EXACT),     ITEM(srv_line_transfer, line_bytes, EXACT),
    ITEM(srv_line_transfer, modified, FLAG),   LOOSE(srv_line_transfer, seed, SEED),
    LOOSE(srv_line_transfer, seconds, NUMBER),
};
ROW(transfer, srv_line_transfer);

static const srv_item false_sharing[] = {
    ITEM(srv_false_sharing, core, INT),
    ITEM(srv_false_sharing, other, INT),
    ITEM(srv_false_sharing, apart, EXACT),
    LOOSE(srv_false_sharing, seconds, NUMBER),
};
ROW(false_sharing, srv_false_sharing);

static const srv_item evicted[] = {
    ITEM(srv_evicted_by, eviction.core, INT),
    ITEM(srv_evicted_by, eviction.other, INT),
    ITEM(srv_evicted_by, eviction.pages, INT),
    ITEM(srv_evicted_by, eviction.elements, INT),
    ITEM(srv_evicted_by, eviction.element_bytes, EXACT),
    ITEM(srv_evicted_by, eviction.lines, INT),
    ITEM(srv_evicted_by, eviction.line_bytes, EXACT),
    LOOSE(srv_evicted_by, eviction.seed, SEED),
    ITEM(srv_evicted_by, eviction.rounds, INT),
    ITEM(srv_evicted_by, eviction.trials, INT),
    ITEM(srv_evicted_by, eviction.walked, INT),
    ITEM(srv_evicted_by, eviction.others, INT),
    ITEM(srv_evicted_by, hash, SEED),
};
ROW(evicted, srv_evicted_by);

static const srv_item brief[] = {{.type = SRV_ITEM_SHORT}};
ROW(brief, float);

static const srv_item numa[] = {
    ITEM(srv_numa, number, INT),
    ITEM(srv_numa, bytes, EXACT),
    ITEM(srv_numa, cores, TEXT),
};
ROW(numa, srv_numa);

/* --- probes ----------------------------------------------------------------------------------- */

/* A new probe needs its rows here, and a line in the recorder and in the replay; `watch` is none.
 */
_Static_assert(sizeof(srv_machine_ops) == 18 * sizeof(void (*)(void)), "each probe has its entry");

/* One answer to each struct of the probe. */
static srv_entry each(const char *word, srv_rows parameters, const srv_row *answer, void *at)
{
    return (srv_entry){{word, parameters}, {answer, at, NULL, parameters.count}};
}

/* One answer to one probe, which may need no words. */
static srv_entry single(const char *word, const srv_row *parameters, const void *probe,
                        const srv_row *answer, void *at)
{
    return (srv_entry){{word, {parameters, probe, 1}}, {answer, at, NULL, 1}};
}

/* A list. */
static srv_entry listed(const char *word, const srv_row *parameters, const void *probe,
                        srv_answer answer)
{
    return (srv_entry){{word, {parameters, probe, 1}}, answer};
}

srv_entry srv_entry_run(srv_recorded_run *of)
{
    return single("run", NULL, NULL, &run_row, of);
}

srv_entry srv_entry_describe(servet_machine *description)
{
    return single("describe", NULL, NULL, &machine_row, description);
}

srv_entry srv_entry_core_types(srv_core_type types[SRV_CORE_TYPES_MAX], int *count)
{
    return listed("kinds", NULL, NULL,
                  (srv_answer){&core_type_row, types, count, SRV_CORE_TYPES_MAX});
}

srv_entry srv_entry_reported(const int *of, srv_reported *reported)
{
    return listed("reported", &core_row, of,
                  (srv_answer){&level_row, reported->level, &reported->count, SRV_CACHES_MAX});
}

srv_entry srv_entry_clock(srv_clock_facts *facts)
{
    return single("clock", NULL, NULL, &clock_row, facts);
}

srv_entry srv_entry_memory(double *memory)
{
    return single("memory", NULL, NULL, &bytes_row, memory);
}

srv_entry srv_entry_noise(const srv_glance *at, srv_noise *seen)
{
    return single("noise", &glance_row, at, &noise_row, seen);
}

srv_entry srv_entry_absence(srv_absence *seen)
{
    return single("absence", NULL, NULL, &absence_row, seen);
}

srv_entry srv_entry_traverse(const srv_traversal *traversals, int count, srv_timing *timings)
{
    return each("traverse", (srv_rows){&traversal_row, traversals, count}, &timing_row, timings);
}

srv_entry srv_entry_stream(const srv_stream *streams, int count, srv_spread *rates)
{
    return each("stream", (srv_rows){&stream_row, streams, count}, &spread_row, rates);
}

srv_entry srv_entry_line_transfer(const srv_line_transfer *transfers, int count,
                                  srv_timing *timings)
{
    return each("hand_over", (srv_rows){&transfer_row, transfers, count}, &timing_row, timings);
}

srv_entry srv_entry_false_sharing(const srv_false_sharing *between, srv_timing *timed)
{
    return single("contest", &false_sharing_row, between, &timing_row, timed);
}

/* FNV-1a over the numbers of the elements. */
srv_evicted_by srv_eviction_hashed(const srv_eviction *eviction)
{
    size_t count = (size_t)eviction->trials * (size_t)(eviction->walked + eviction->others);
    srv_evicted_by made = {*eviction, UINT64_C(0xcbf29ce484222325)};
    for (size_t i = 0; i < count; i++)
        made.hash = (made.hash ^ eviction->element[i]) * UINT64_C(0x100000001b3);
    return made;
}

srv_entry srv_entry_evict(const srv_evicted_by *probe, float *ns)
{
    srv_entry entry = single("evict", &evicted_row, probe, &brief_row, ns);
    entry.answer.most = probe->eviction.trials * probe->eviction.walked;
    return entry;
}

srv_entry srv_entry_nodes(srv_numa numas[SRV_NUMA_MAX], int *count)
{
    return listed("nodes", NULL, NULL, (srv_answer){&numa_row, numas, count, SRV_NUMA_MAX});
}

srv_entry srv_entry_job(srv_recorded_job *of)
{
    return single("job", NULL, NULL, &job_row, of);
}

srv_entry srv_entry_node(const int *number, srv_network_node *found)
{
    return single("node", &core_row, number, &node_row, found);
}

srv_entry srv_entry_objects(srv_sets *sets)
{
    return listed("objects", NULL, NULL,
                  (srv_answer){&set_row, sets->set, &sets->count, sets->count});
}
