/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"
#include "core/units.h"
#include "known_node.h"
#include "sample_model.h"

#include "sim/model.h"
#include "sim/simulated.h"
#include "sim/system.h"
#include "../record.h"

void known_node_of(known_node *node, srv_machine *machine)
{
    servet_machine description;
    srv_core_type kinds[SRV_CORE_TYPES_MAX];
    int count, number;
    *node = (known_node){.machine = machine, .options = SERVET_MEASURE_OPTIONS_INIT};
    assert_ok(servet_profile_create(&node->place.profile, NULL));
    assert_ok(machine->ops->describe(machine, &description, NULL));
    assert_ok(servet_profile_add_class(node->place.profile, "default", &description,
                                       &node->place.node_class, NULL));
    assert_ok(machine->ops->core_types(machine, kinds, &count, NULL));
    for (int i = 0; i < count; i++)
        assert_ok(servet_profile_add_kind(node->place.profile, node->place.node_class,
                                          kinds[i].name, kinds[i].cores, &number, NULL));
}

static servet_value exactly(double value, servet_unit unit)
{
    return (servet_value){value, value, value, 1, unit, SERVET_METHOD_TIMED, true};
}

static int by_level(const void *a, const void *b)
{
    return ((const servet_cache *)a)->level - ((const servet_cache *)b)->level;
}

static void set_caches(known_node *node, const srv_model *model, int kind, double size,
                       bool has_lines, bool counted)
{
    servet_cache caches[SERVET_CACHE_LEVELS_MAX];
    int count = 0, pu = model->core_type[kind].first_pu;
    for (int i = 0; i < model->cache_count; i++) {
        const srv_model_cache *row = &model->cache[i];
        if (!srv_system_covers(model, row, pu))
            continue;
        servet_value bytes = exactly(row->bytes * size, SERVET_UNIT_BYTE);
        bool has_turnover = row->turnover_ms > 0;
        bytes.method = has_turnover ? SERVET_METHOD_TURNOVER : SERVET_METHOD_TIMED;
        servet_value latency = srv_value_in_seconds(
            exactly(row->latency_cycles / model->core_type[kind].clock_ghz, SRV_UNIT_NANOSECOND));
        caches[count++] = (servet_cache){
            .level = row->level,
            .kind = has_turnover ? SERVET_CACHE_TURNOVER : SERVET_CACHE_CAPACITY,
            .bytes = bytes,
            .reachable_bytes = bytes,
            .reported_bytes = exactly(row->reported_bytes > 0 ? row->reported_bytes : row->bytes,
                                      SERVET_UNIT_BYTE),
            .verdict = SERVET_VERDICT_AGREES,
            .latency = latency,
            .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
            .ways = counted ? exactly(row->ways, SERVET_UNIT_NONE)
                            : servet_value_unknown(SERVET_UNIT_NONE),
            .sets = counted ? exactly(row->bytes / row->ways / row->line_bytes, SERVET_UNIT_NONE)
                            : servet_value_unknown(SERVET_UNIT_NONE),
            .line = has_lines ? exactly(row->line_bytes, SERVET_UNIT_BYTE)
                              : servet_value_unknown(SERVET_UNIT_BYTE),
            .confidence = 1};
    }
    qsort(caches, (size_t)count, sizeof *caches, by_level);
    servet_value memory =
        srv_value_in_seconds(exactly(model->memory_latency_ns, SRV_UNIT_NANOSECOND));
    assert_ok(record_caches(node->place.profile, node->place.node_class, kind, caches, count,
                            &memory, NULL));
}

void known_node_counted_caches(known_node *node, const srv_model *model)
{
    for (int kind = 0; kind < model->core_type_count; kind++)
        set_caches(node, model, kind, 1, true, true);
}

void known_node_caches(known_node *node, const srv_model *model, double size)
{
    for (int kind = 0; kind < model->core_type_count; kind++)
        set_caches(node, model, kind, size, true, false);
}

/* The instances of a level that the PUs of a kind use; the groups of a level that the OS hides stay
 * unknown. */
static void set_groups(known_node *node, const srv_model *model, int kind, int level)
{
    static srv_reported reported;
    const srv_model_core_type *of = &model->core_type[kind];
    const char **groups = calloc((size_t)of->pu_count, sizeof *groups);
    int count = 0;
    bool hidden = false;
    assert_non_null(groups);
    for (int pu = of->first_pu; pu < of->first_pu + of->pu_count; pu++) {
        assert_ok(
            node->machine->ops->reported(node->machine, model->os_index[pu], &reported, NULL));
        const char *cores = reported.level[level - 1].cores;
        hidden = hidden || !*cores;
        if (count == 0 || strcmp(groups[count - 1], cores) != 0)
            assert_non_null(groups[count++] = strdup(cores));
    }
    if (!hidden)
        assert_ok(record_cache_groups(node->place.profile, node->place.node_class, kind, level,
                                      groups, count, NULL, NULL));
    for (int i = 0; i < count; i++)
        free((void *)(uintptr_t)groups[i]);
    free(groups);
}

void known_node_init(known_node *node, const char *name)
{
    srv_machine *machine;
    srv_model *model;
    int levels;
    assert_ok(srv_simulated_create(&machine, name, NULL));
    assert_ok(srv_model_read(&model, name, NULL));
    known_node_of(node, machine);
    for (int kind = 0; kind < model->core_type_count; kind++) {
        servet_at at = {"default", model->os_index[model->core_type[kind].first_pu]};
        set_caches(node, model, kind, 1, false, false);
        assert_ok(servet_cache_count(node->place.profile, &at, &levels));
        for (int level = 1; level <= levels; level++)
            set_groups(node, model, kind, level);
    }
    srv_model_free(model);
}

TEST_KEEPS(servet_profile, servet_profile_close)
TEST_KEEPS(srv_machine, srv_machine_destroy)

known_node known_node_of_model(srv_model *model)
{
    known_node node;
    known_node_of(&node, machine_of_model(model));
    keep_servet_profile(node.place.profile);
    return node;
}

known_node known_node_bare(const char *model)
{
    known_node node;
    known_node_of(&node, shipped_machine(model));
    keep_servet_profile(node.place.profile);
    return node;
}

known_node known_node_kept(const char *model)
{
    known_node node;
    known_node_init(&node, model);
    keep_srv_machine(node.machine);
    keep_servet_profile(node.place.profile);
    return node;
}

void known_node_measure(known_node *node, srv_node_stage *measure, double until)
{
    srv_stage stage = known_node_stage(node, until);
    servet_error error = SERVET_ERROR_INIT;
    if (measure(&stage, &node->place, &error) != SERVET_OK)
        fail_msg("%s", error.text);
}

void known_node_finish(known_node *node)
{
    servet_profile_close(node->place.profile);
    srv_machine_destroy(node->machine);
}

srv_stage known_node_stage(const known_node *node, double until)
{
    return (srv_stage){.machine = node->machine,
                       .options = &node->options,
                       .name = "all",
                       .slot = {.to = 1, .until = until}};
}

void known_node_prints(const known_node *node, int core, const char *key, const char *expected)
{
    char text[8192];
    servet_at at = {"default", core};
    int code = servet_profile_get(node->place.profile, &at, key, text, sizeof text, NULL);
    assert_int_equal(code, expected ? SERVET_OK : SERVET_EUNMEASURED);
    if (expected)
        assert_string_equal(text, expected);
}
