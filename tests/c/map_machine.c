/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"
#include "core/units.h"
#include "map_machine.h"

#include "../record.h"

TEST_KEEPS(servet_profile, servet_profile_close)
TEST_KEEPS(servet_traffic, servet_traffic_destroy)
TEST_KEEPS(servet_map, servet_map_destroy)

/* Two processors of sixteen cores; the network slows down from four processes of a node on (Servet
   3.0, section 5 and figure 4). */
const map_machine map_hector = {
    .nodes = 128,
    .cores = "0-31",
    .caches = {{.sets = {"0-3", "4-7", "8-11", "12-15", "16-19", "20-23", "24-27", "28-31"}},
               {.sets = {"0-7", "8-15", "16-23", "24-31"}}},
    .inside = 1e-6,
    .between = 4e-6,
    .access = {1, 1.01, 1.9, 3.6, 7, 14},
    .blocks = {{.sets = {"0-31"}},
               {.sets = {"0-15", "16-31"}},
               {.sets = {"0-7", "8-15", "16-23", "24-31"}},
               {.sets = {"0-3", "4-7", "8-11", "12-15", "16-19", "20-23", "24-27", "28-31"}},
               {.sets = {"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15", "16-17",
                         "18-19", "20-21", "22-23", "24-25", "26-27", "28-29", "30-31"}}},
};

/* Buses of four cores in cells of eight (IPDPS 2010, figure 9). */
const map_machine map_finis_terrae = {
    .nodes = 2,
    .cores = "0-15",
    .memory = {{.sets = {"0-7", "8-15"}}, {.sets = {"0-3", "4-7", "8-11", "12-15"}}},
    .inside = 1.5e-6,
    .between = 6e-6,
};

/* Pairs that share a level 2 cache, sockets of six (IPDPS 2010, figures 8 and 10). */
const map_machine map_dunnington = {
    .nodes = 1,
    .cores = "0-23",
    .logical_order = "0,12,1,13,2,14,3,15,4,16,5,17,6,18,7,19,8,20,9,21,10,22,11,23",
    .caches = {{.sets = {"0,12", "1,13", "2,14", "3,15", "4,16", "5,17", "6,18", "7,19", "8,20",
                         "9,21", "10,22", "11,23"}},
               {.sets = {"0-2,12-14", "3-5,15-17", "6-8,18-20", "9-11,21-23"}}},
    .memory = {{.sets = {"0-23"}}},
    .distances = {{.latency = 13,
                   .sets = {"0,12", "1,13", "2,14", "3,15", "4,16", "5,17", "6,18", "7,19", "8,20",
                            "9,21", "10,22", "11,23"}},
                  {.latency = 42, .sets = {"0-2,12-14", "3-5,15-17", "6-8,18-20", "9-11,21-23"}},
                  {.latency = 120, .sets = {"0-23"}}},
};

/* Nothing is shared, nothing degrades. */
const map_machine map_flat = {.nodes = 5, .cores = "0-6", .inside = 1e-6, .between = 3e-6};

/* Two nodes on each switch, numbers of cores with a gap. */
const map_machine map_switches = {
    .nodes = 6,
    .cores = "0-3,8-11",
    .caches = {{.sets = {"0,8", "1,9", "2,10", "3,11"}}},
    .memory = {{.sets = {"0-1,8-9", "2-3,10-11"}}},
    .inside = 1e-6,
    .close_nodes = 2,
    .close = 2e-6,
    .between = 5e-6,
};

/* Two nodes on each of two switches; a node's interface carries one message at a time each way, the
   link between the switches no more than one node's interface. */
const map_machine map_uplinks = {
    .nodes = 4,
    .cores = "0-3",
    .inside = 1e-6,
    .close_nodes = 2,
    .close = 4e-6,
    .between = 4e-6,
    .slowdown = {{1, 1}, {1, 2, 4, 4}, {1, 2, 4, 8}},
    .node_copies = {10e9, 9e9, 6.5e9, 5e9},
};

/* --- recording -------------------------------------------------------------------------------- */

static int set_count(const map_sets *sets)
{
    int count = 0;
    while (count < MAP_SETS_MAX && sets->sets[count])
        count++;
    return count;
}

static int level_count(const map_sets levels[MAP_LEVELS_MAX])
{
    int count = 0;
    while (count < MAP_LEVELS_MAX && levels[count].sets[0])
        count++;
    return count;
}

static void store_caches(servet_profile *profile, const map_machine *machine)
{
    servet_cache caches[MAP_LEVELS_MAX + 1] = {{.level = 0}};
    int kind, shared = level_count(machine->caches);
    for (int i = 0; i <= shared; i++)
        caches[i] = (servet_cache){
            .level = i + 1,
            .bytes = sure_value(32768 << (5 * i), SERVET_UNIT_BYTE),
            .reachable_bytes = sure_value(32768 << (5 * i), SERVET_UNIT_BYTE),
            .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
            .verdict = SERVET_VERDICT_NOT_VISIBLE,
            .latency = srv_value_in_seconds(sure_value(1 << (2 * i), SRV_UNIT_NANOSECOND)),
            .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
            .line = servet_value_unknown(SERVET_UNIT_BYTE),
            .confidence = 1,
        };
    servet_value memory = srv_value_in_seconds(sure_value(100, SRV_UNIT_NANOSECOND));
    assert_int_equal(servet_profile_add_kind(profile, 0, "core", machine->cores, &kind, NULL), 0);
    assert_int_equal(record_caches(profile, 0, kind, caches, shared + 1, &memory, NULL), 0);
    for (int i = 0; i < shared; i++)
        assert_int_equal(record_cache_groups(profile, 0, kind, i + 2, machine->caches[i].sets,
                                             set_count(&machine->caches[i]), NULL, NULL),
                         0);
}

static void store_memory(servet_profile *profile, const map_machine *machine)
{
    servet_memory_level levels[MAP_LEVELS_MAX];
    int count = level_count(machine->memory);
    for (int i = 0; i < count; i++)
        levels[i] = (servet_memory_level){sure_value(2e9 / (i + 1), SERVET_UNIT_BYTE_PER_SECOND), 0,
                                          SERVET_VERDICT_NOT_VISIBLE, true};
    assert_int_equal(record_memory_levels(profile, 0, levels, count, NULL), 0);
    for (int i = 0; i < count; i++)
        assert_int_equal(record_memory_groups(profile, 0, i + 1, machine->memory[i].sets,
                                              set_count(&machine->memory[i]), NULL),
                         0);
}

static void store_copies(servet_profile *profile, const map_machine *machine)
{
    servet_value each[MAP_CONCURRENT_MAX];
    int count = 0;
    for (; count < MAP_CONCURRENT_MAX && machine->node_copies[count] > 0; count++)
        each[count] = sure_value(machine->node_copies[count], SERVET_UNIT_BYTE_PER_SECOND);
    if (count > 0)
        assert_int_equal(record_memory_scaling(profile, 0, 0, each, count, count, NULL), 0);
}

static void store_distances(servet_profile *profile, const map_machine *machine)
{
    servet_distance_layer layers[MAP_LEVELS_MAX];
    int count = level_count(machine->distances);
    for (int i = 0; i < count; i++)
        layers[i] = (servet_distance_layer){
            srv_value_in_seconds(sure_value(machine->distances[i].latency, SRV_UNIT_NANOSECOND)), 1,
            SERVET_VERDICT_NOT_VISIBLE, true};
    assert_int_equal(record_distances(profile, 0, layers, count, NULL), 0);
    for (int i = 0; i < count; i++)
        assert_int_equal(record_distance_groups(profile, 0, i + 1, machine->distances[i].sets,
                                                set_count(&machine->distances[i]), NULL),
                         0);
}

/* Gives layer `layer` groups with the same number of nodes. */
static void store_groups(servet_profile *profile, const map_machine *machine, int layer, int nodes,
                         int each)
{
    int count = (nodes + each - 1) / each;
    char(*texts)[128] = calloc((size_t)count, sizeof *texts);
    const char **groups = calloc((size_t)count, sizeof *groups);
    assert_true(texts && groups);
    for (int g = 0; g < count; g++) {
        int first = g * each, last = first + each < nodes ? first + each - 1 : nodes - 1;
        char range[32];
        snprintf(range, sizeof range, first == last ? "%d" : "%d-%d", first, last);
        int used = 0;
        for (const char *cores = machine->cores; *cores;) {
            int length = (int)strcspn(cores, ",");
            used += snprintf(texts[g] + used, sizeof texts[g] - (size_t)used, "%s%s:%.*s",
                             used ? "," : "", range, length, cores);
            cores += length + (cores[length] == ',');
        }
        groups[g] = texts[g];
    }
    assert_int_equal(record_network_groups(profile, layer, groups, count, NULL), 0);
    free(texts);
    free(groups);
}

servet_network_layer map_layer(double latency, bool between, int to)
{
    return (servet_network_layer){between,
                                  sure_value(latency, SERVET_UNIT_SECOND),
                                  sure_value(1e9, SERVET_UNIT_BYTE_PER_SECOND),
                                  1,
                                  {0, 0},
                                  {between ? to : 0, between ? 0 : 1},
                                  true};
}

/* Messages as long as those that told the layers apart. */
static void store_concurrent(servet_profile *profile, const map_machine *machine, int layer,
                             double latency)
{
    const double *slow = machine->slowdown[layer - 1];
    servet_together together[MAP_CONCURRENT_MAX + 1] = {{1, MAP_MESSAGE_BYTES,
                                                         sure_value(latency, SERVET_UNIT_SECOND),
                                                         sure_value(1, SERVET_UNIT_NONE)}};
    int count = 1;
    for (; count <= MAP_CONCURRENT_MAX && slow[count - 1] > 0; count++)
        together[count] =
            (servet_together){1 << count, MAP_MESSAGE_BYTES,
                              sure_value(latency * slow[count - 1], SERVET_UNIT_SECOND),
                              sure_value(slow[count - 1], SERVET_UNIT_NONE)};
    for (int i = 1; i < count; i++)
        together[i].ratio.trusted = !machine->doubtful;
    if (count > 1)
        assert_int_equal(record_network_together(profile, layer, together, count, NULL), 0);
}

/* The largest of two batches between nodes. */
static void store_batches(servet_profile *profile, const map_machine *machine, int layer,
                          double alone)
{
    servet_batch batches[2];
    for (int i = 0; i < 2; i++) {
        servet_value time = sure_value(alone + (i ? 8 : 1) * machine->further, SERVET_UNIT_SECOND);
        batches[i] = (servet_batch){i ? 9 : 2,
                                    MAP_MESSAGE_BYTES,
                                    time,
                                    time,
                                    time,
                                    sure_value(1, SERVET_UNIT_NONE),
                                    SERVET_PAYOFF_EVEN,
                                    true};
    }
    if (machine->further > 0)
        assert_int_equal(record(profile, 0, batches, sizeof *batches, 2, NULL,
                                "network.layers.%d.batches", layer),
                         0);
}

static void store_layers(servet_profile *profile, const map_machine *machine, int nodes)
{
    servet_network_layer layers[3] = {map_layer(machine->inside, false, 0)};
    int each[3] = {1, nodes, nodes}, count = 1;
    if (machine->close_nodes && nodes > 1) {
        each[count] = machine->close_nodes;
        layers[count++] = map_layer(machine->close, true, 1);
    }
    if (nodes > (machine->close_nodes ? machine->close_nodes : 1))
        layers[count++] = map_layer(machine->between, true, nodes - 1);
    assert_int_equal(record_network_layers(profile, layers, count, NULL), 0);
    for (int i = 0; i < count; i++) {
        store_groups(profile, machine, i + 1, nodes, each[i]);
        store_concurrent(profile, machine, i + 1, layers[i].latency.value);
        if (layers[i].between_nodes)
            store_batches(profile, machine, i + 1, layers[i].latency.value);
    }
}

static void record_ratios(servet_profile *profile, servet_degradation what,
                          const servet_ratio *ratios, int count)
{
    const servet_ratios about = {33554432, 0, true};
    if (count)
        assert_int_equal(record_network_ratios(profile, what, &about, ratios, count, NULL), 0);
}

static servet_ratio ratio_of(int at, int nodes, double bandwidth, double ratio)
{
    return (servet_ratio){at, nodes, sure_value(bandwidth / ratio, SERVET_UNIT_BYTE_PER_SECOND),
                          sure_value(ratio, SERVET_UNIT_NONE), true};
}

static void store_access(servet_profile *profile, const map_machine *machine, int nodes)
{
    servet_ratio ratios[MAP_RATIOS_MAX];
    int count = 0;
    for (; count < MAP_RATIOS_MAX && machine->access[count] > 0; count++)
        ratios[count] = ratio_of(1 << count, count && machine->access_in_half ? nodes / 2 : nodes,
                                 2.9e9, machine->access[count]);
    record_ratios(profile, SERVET_DEGRADATION_ACCESS, ratios, count);
}

static void store_distance(servet_profile *profile, const map_machine *machine, int nodes)
{
    servet_ratio ratios[MAP_RATIOS_MAX];
    int count = 0;
    for (; count < MAP_RATIOS_MAX && machine->distance[count] > 0; count++)
        ratios[count] = ratio_of(count + 1, nodes, MAP_MESSAGE_BYTES / machine->between,
                                 machine->distance[count]);
    record_ratios(profile, SERVET_DEGRADATION_DISTANCE, ratios, count);
}

static void store_torus(servet_profile *profile, const map_machine *machine)
{
    servet_dimension dimensions[MAP_LEVELS_MAX];
    int count = 0;
    for (; count < MAP_LEVELS_MAX && machine->torus[count] > 0; count++)
        dimensions[count] = (servet_dimension){machine->torus[count],
                                               sure_value(machine->step, SERVET_UNIT_SECOND)};
    assert_ok(record_network_torus(profile, dimensions, count, NULL));
}

static void store_all_to_all(servet_profile *profile, const map_machine *machine, int ranks)
{
    const servet_collective measured = {
        .op = SERVET_COLLECTIVE_ALLTOALL,
        .ranks = ranks,
        .groups = 1,
        .bytes = MAP_MESSAGE_BYTES,
        .time = sure_value(machine->all_to_all, SERVET_UNIT_SECOND),
    };
    if (machine->all_to_all > 0)
        assert_int_equal(record_network_collectives(profile, &measured, 1, NULL), 0);
}

static void store_network(servet_profile *profile, const map_machine *machine, int nodes,
                          const char *const *names, int cores)
{
    servet_network network = {"layers,access", nodes, nodes * cores, nodes, MAP_MESSAGE_BYTES};
    assert_int_equal(servet_profile_set_network(profile, &network, names, NULL), 0);
    store_layers(profile, machine, nodes);
    store_access(profile, machine, nodes);
    store_distance(profile, machine, nodes);
    store_torus(profile, machine);
    store_all_to_all(profile, machine, nodes * cores);
}

static int cores_of(const char *cores)
{
    int count = 0, first, last;
    for (; *cores; cores += strcspn(cores, ","), cores += *cores == ',') {
        int read = sscanf(cores, "%d-%d", &first, &last);
        count += read == 2 ? last - first + 1 : 1;
    }
    return count;
}

servet_profile *map_profile(const map_machine *machine, int nodes)
{
    servet_profile *profile;
    nodes = nodes ? nodes : machine->nodes;
    const char *prefix = machine->nodes_prefix ? machine->nodes_prefix : "n";
    servet_machine node = {.memory_bytes = 1e9, .page_bytes = 4096};
    int index, cores = cores_of(machine->cores);
    char(*texts)[16] = calloc((size_t)nodes, sizeof *texts);
    const char **names = calloc((size_t)nodes, sizeof *names);
    assert_true(texts && names);
    snprintf(node.hostname, sizeof node.hostname, "%s0", prefix);
    snprintf(node.cores, sizeof node.cores, "%s", machine->cores);
    if (machine->logical_order)
        snprintf(node.logical_order, sizeof node.logical_order, "%s", machine->logical_order);
    node.pu_count = node.core_count = cores;
    node.package_count = node.numa_count = 1;
    assert_int_equal(servet_profile_create(&profile, NULL), 0);
    assert_int_equal(servet_profile_add_class(profile, "node", &node, &index, NULL), 0);
    for (int i = 0; i < nodes; i++) {
        snprintf(texts[i], sizeof texts[i], "%s%d", prefix, i);
        names[i] = texts[i];
        assert_int_equal(servet_profile_add_node(profile, 0, names[i], NULL), 0);
    }
    store_caches(profile, machine);
    store_memory(profile, machine);
    store_copies(profile, machine);
    store_distances(profile, machine);
    if (machine->between > 0)
        store_network(profile, machine, nodes, names, cores);
    free(texts);
    free(names);
    return keep_servet_profile(profile);
}

servet_map *map_placed_by(const servet_profile *profile, servet_map_request request)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_map *map;
    if (servet_map_create(&map, profile, &request, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    return keep_servet_map(map);
}

servet_map *map_placed(const map_machine *machine, int nodes, servet_map_request request)
{
    return map_placed_by(map_profile(machine, nodes), request);
}

servet_map_process map_process(const servet_map *map, int rank)
{
    servet_map_process process;
    assert_ok(servet_map_process_get(map, rank, &process));
    return process;
}

void map_refuses(const map_machine *machine, int nodes, servet_map_request request, int code,
                 const char *text)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_map *map = NULL;
    assert_int_equal(servet_map_create(&map, map_profile(machine, nodes), &request, &error), code);
    assert_string_equal(error.text, text);
    assert_null(map);
}

servet_traffic *map_pattern(servet_pattern which, int processes)
{
    servet_traffic *traffic;
    assert_ok(servet_traffic_pattern(&traffic, which, processes, MAP_MESSAGE_BYTES, NULL));
    return keep_servet_traffic(traffic);
}

servet_traffic *map_no_messages(int processes)
{
    servet_traffic *traffic;
    assert_ok(servet_traffic_create(&traffic, processes, NULL));
    return keep_servet_traffic(traffic);
}

void map_send(servet_traffic *traffic, int from, int to, double bytes)
{
    assert_ok(servet_traffic_add(traffic, from, to, bytes, NULL));
}
