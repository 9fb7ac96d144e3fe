/* SPDX-License-Identifier: BSD-3-Clause */
/* Placements on known machines, and all placements on small machines against a literal
 * implementation of the rules. */
#include "test.h"
#include "map_machine.h"

#include <time.h>

#include "core/ranges.h"
#include "servet/map.h"

/* The cores of node n0, in the order of their ranks. */
static void expect_cores(const map_machine *machine, servet_code code, const int *cores, int count)
{
    servet_map *map =
        map_placed(machine, 1, (servet_map_request){.processes = count, .code = code});
    for (int i = 0; i < count; i++)
        assert_int_equal(map_process(map, i).cores[0], cores[i]);
}

/* --- the machines of the papers --------------------------------------------------------------- */

TEST(the_kind_of_code_decides_cores_of_dunnington)
{
    expect_cores(&map_dunnington, SERVET_CODE_COMMUNICATION, (const int[]){0, 12}, 2);
    expect_cores(&map_dunnington, SERVET_CODE_MEMORY, (const int[]){0, 3, 6, 9}, 4);
}

TEST(processes_of_finis_terrae_use_different_buses)
{
    expect_cores(&map_finis_terrae, SERVET_CODE_MEMORY, (const int[]){0, 8, 4, 12}, 4);
    servet_map *map = map_placed(&map_finis_terrae, 2, (servet_map_request){.processes = 8});
    const int cores[] = {0, 8, 4, 12, 0, 8, 4, 12};
    for (int rank = 0; rank < 8; rank++) {
        assert_int_equal(map_process(map, rank).node, rank / 4);
        assert_int_equal(map_process(map, rank).cores[0], cores[rank]);
    }
}

/* How many processes of a node run on its cores first..last. */
static int on_cores(const servet_map *map, int node, int first, int last)
{
    int count = 0;
    for (int rank = 0; rank < servet_map_process_count(map); rank++) {
        servet_map_process process = map_process(map, rank);
        count += process.node == node && first <= process.cores[0] && process.cores[0] <= last;
    }
    return count;
}

static void expect_blocks(int processes, int size, int each, servet_code code)
{
    servet_map *map =
        map_placed(&map_hector, 128, (servet_map_request){.processes = processes, .code = code});
    for (int node = 0; node < 128; node += 9)
        for (int first = 0; first < 32; first += size)
            assert_int_equal(on_cores(map, node, first, first + size - 1), each);
}

TEST(processes_of_hector_are_spread_evenly)
{
    expect_blocks(128, 32, 1, SERVET_CODE_COMMUNICATION); /* nodes */
    expect_blocks(256, 16, 1, SERVET_CODE_COMMUNICATION); /* processors */
    expect_blocks(512, 8, 1, SERVET_CODE_COMMUNICATION);  /* level 3 caches */
    expect_blocks(1024, 4, 1, SERVET_CODE_COMMUNICATION);
    expect_blocks(4096, 1, 1, SERVET_CODE_COMMUNICATION);
    expect_blocks(512, 8, 1, SERVET_CODE_MEMORY);
}

TEST(without_differences_the_schedulers_order_is_kept)
{
    for (int code = 0; code < SERVET_CODE_COUNT; code++)
        for (int processes = 1; processes <= 35; processes += (int)test_step(1)) {
            servet_map *map =
                map_placed(&map_flat, 5,
                           (servet_map_request){.processes = processes, .code = (servet_code)code});
            for (int rank = 0; rank < processes; rank++) {
                assert_int_equal(map_process(map, rank).node, rank / 7);
                assert_int_equal(map_process(map, rank).cores[0], rank % 7);
            }
        }
}

/* --- the rules word by word ------------------------------------------------------------------- */

enum { PLACES_MAX = 64 };
typedef struct place {
    int node, core;
} place;

static int shared(const map_sets *levels, int count, place a, place b)
{
    int found = 0;
    for (int l = 0; l < count; l++)
        for (int s = 0; s < MAP_SETS_MAX && levels[l].sets[s]; s++)
            found += srv_ranges_contain(levels[l].sets[s], a.core) &&
                     srv_ranges_contain(levels[l].sets[s], b.core);
    return found;
}

static double nearness(const map_machine *machine, place a, place b)
{
    double latency = machine->between, longest = machine->between;
    if (machine->between == 0) {
        longest = latency = 120;
        for (int l = 2; l >= 0; l--)
            if (shared(&machine->distances[l], 1, a, b))
                latency = machine->distances[l].latency;
    } else if (a.node == b.node)
        latency = machine->inside;
    else if (machine->close_nodes && a.node / machine->close_nodes == b.node / machine->close_nodes)
        latency = machine->close;
    return latency <= 0.8 * longest ? 1 - latency / longest : 0;
}

static long change(const map_machine *machine, servet_code code, place selected, place other)
{
    bool memory = code == SERVET_CODE_MEMORY;
    long weight = -lround(1000 * nearness(machine, selected, other)) * (memory ? 1 : 10);
    if (selected.node != other.node)
        return weight;
    weight += 1000 * (memory ? 10 : 1) *
              (shared(machine->caches, MAP_LEVELS_MAX, selected, other) +
               shared(machine->memory, MAP_LEVELS_MAX, selected, other));
    return weight +
           1000 * (memory ? 1 : 10) * shared(machine->blocks, MAP_RATIOS_MAX, selected, other);
}

/* Takes the lightest, changes the others, repeats; whether each place is taken. */
static void select_places(const map_machine *machine, servet_code code, const place *places,
                          int count, int processes, bool *taken)
{
    long weights[PLACES_MAX] = {0};
    memset(taken, 0, PLACES_MAX * sizeof *taken);
    for (int p = 0; p < processes; p++) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (!taken[i] && (best < 0 || weights[i] < weights[best]))
                best = i;
        taken[best] = true;
        for (int i = 0; i < count; i++)
            weights[i] += change(machine, code, places[best], places[i]);
    }
}

static void compare(const map_machine *machine, int nodes, servet_code code, int processes)
{
    place places[PLACES_MAX];
    bool taken[PLACES_MAX], used[PLACES_MAX] = {false};
    int count = 0;
    for (int n = 0; n < nodes; n++)
        for (int core = 0; core < PLACES_MAX; core++)
            if (srv_ranges_contain(machine->cores, core))
                places[count++] = (place){n, core};
    if (processes > count)
        return;
    select_places(machine, code, places, count, processes, taken);
    servet_map *map =
        map_placed(machine, nodes, (servet_map_request){.processes = processes, .code = code});
    for (int rank = 0; rank < processes; rank++)
        for (int i = 0; i < count; i++)
            used[i] |= places[i].node == map_process(map, rank).node &&
                       places[i].core == map_process(map, rank).cores[0];
    assert_memory_equal(taken, used, sizeof used[0] * (size_t)count);
}

TEST(placements_follow_the_rules)
{
    for (int code = 0; code < SERVET_CODE_COUNT; code++)
        for (int processes = 1; processes <= 48; processes += (int)test_step(1)) {
            compare(&map_hector, 2, (servet_code)code, processes);
            compare(&map_finis_terrae, 2, (servet_code)code, processes);
            compare(&map_dunnington, 1, (servet_code)code, processes);
            compare(&map_flat, 5, (servet_code)code, processes);
            compare(&map_switches, 6, (servet_code)code, processes);
        }
}

/* --- threads, nodes, mistakes ----------------------------------------------------------------- */

TEST(threads_stay_together)
{
    servet_map *map =
        map_placed(&map_dunnington, 1, (servet_map_request){.processes = 4, .threads = 2});
    const int first[] = {0, 3, 6, 9};
    for (int rank = 0; rank < 4; rank++) {
        assert_int_equal(map_process(map, rank).core_count, 2);
        assert_int_equal(map_process(map, rank).cores[0], first[rank]);
        assert_int_equal(map_process(map, rank).cores[1], first[rank] + 12);
    }
}

TEST(listed_nodes_are_used)
{
    servet_map *map = map_placed(
        &map_flat, 5, (servet_map_request){.processes = 9, .nodes = "n3,n1,n2", .node_count = 2});
    assert_string_equal(map_process(map, 0).host, "n3");
    assert_string_equal(map_process(map, 8).host, "n1");
    assert_int_equal(map_process(map, 8).local, 1);
    servet_map_process process;
    assert_code(servet_map_process_get(map, 9, &process), SERVET_ERANGE);
}

TEST(invalid_arguments_are_refused)
{
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 15}, SERVET_ERANGE,
                "15 processes of 1 thread do not fit: the cores suffice for 14 on 2 nodes");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 5, .threads = 3, .nodes = "n1"},
                SERVET_ERANGE,
                "5 processes of 3 threads do not fit: the cores suffice for 2 on 1 node");
    map_refuses(
        &map_flat, 2, (servet_map_request){.processes = 8, .nodes = "n1,n0", .node_count = 1},
        SERVET_ERANGE, "8 processes of 1 thread do not fit: the cores suffice for 7 on 1 node");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 0}, SERVET_EARGUMENT,
                "the number of processes must be at least 1");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .threads = -1}, SERVET_EARGUMENT,
                "numbers of threads and nodes must not be negative");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .node_count = -1},
                SERVET_EARGUMENT, "numbers of threads and nodes must not be negative");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .code = SERVET_CODE_COUNT},
                SERVET_EARGUMENT, "unknown kind of program 2");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .node_count = 3}, SERVET_ERANGE,
                "3 nodes were requested, the profile has 2");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .nodes = "n1,n0,n1"},
                SERVET_EARGUMENT, "node n1 is listed twice");
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .nodes = "n1,"},
                SERVET_EARGUMENT, "the list of nodes has an empty name");
    /* Slurm writes several nodes so, and splitting at commas cuts the second one. */
    static const char *const lists[] = {"n[0-1]", "n[0,1]", "n0;n1", "n0 n1"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "'%.*s' is not a host name: list each node, separated by commas (Slurm: scontrol "
                 "show hostnames | paste -s -d , -)",
                 (int)strcspn(lists[i], ","), lists[i]);
        map_refuses(&map_flat, 2,
                    (servet_map_request){.processes = 1, .nodes = lists[i], .node_class = "node"},
                    SERVET_EARGUMENT, text);
    }
}

/* A node that took no part has the class that the caller names. */
TEST(nodes_that_no_class_lists_need_a_name)
{
    map_refuses(&map_flat, 2, (servet_map_request){.processes = 1, .nodes = "new"}, SERVET_EOTHER,
                "no node class lists new: name the class of nodes that were not measured");
    map_refuses(&map_flat, 2,
                (servet_map_request){.processes = 1, .nodes = "new", .node_class = "nodes"},
                SERVET_ERANGE, "the profile has no node class 'nodes'");
    servet_map *map =
        map_placed(&map_flat, 2,
                   (servet_map_request){.processes = 8, .nodes = "new,n1", .node_class = "node"});
    assert_string_equal(map_process(map, 6).host, "new");
    assert_string_equal(map_process(map, 7).host, "n1");
}

/* --- what is not trusted ---------------------------------------------------------------------- */

static void expect_trusted(const servet_profile *profile, servet_map_request request, int code)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_map *map = NULL;
    assert_int_equal(servet_map_create(&map, profile, &request, &error), code);
    if (code != SERVET_OK)
        assert_string_equal(error.text, "the placement depends on facts that are not trusted");
    servet_map_destroy(map);
}

/* The facts about cores that share a bus are not trusted, and they decide where four processes run;
 * in the order of the cores they make no difference. */
TEST(a_placement_by_doubtful_facts_is_refused)
{
    servet_profile *profile = map_profile(&map_finis_terrae, 2);
    servet_map_request four = {.processes = 4, .code = SERVET_CODE_MEMORY};
    servet_profile_trusted_only(profile, true);
    expect_trusted(profile, four, SERVET_OK);
    assert_ok(servet_profile_distrust(profile, 0, "memory.levels", "noise", NULL));
    expect_trusted(profile, four, SERVET_EUNTRUSTED);
    four.order = SERVET_ORDER_BLOCK;
    expect_trusted(profile, four, SERVET_OK);
    four.order = SERVET_ORDER_SERVET;
    servet_profile_trusted_only(profile, false);
    expect_trusted(profile, four, SERVET_OK);
}

/* Rules 1 and 2 count ten times for programs that memory limits; of the longest latency, 120 ns,
 * those of 13 and 42 ns leave 0.108 and 0.35, so that pairs lose 0.892 and 0.65 by rule 3. */
TEST(weights_can_be_read)
{
    static const servet_map_weight expected[] = {
        {SERVET_RULE_CACHE, 2, 12, 10},       {SERVET_RULE_CACHE, 3, 4, 10},
        {SERVET_RULE_MEMORY, 1, 1, 10},       {SERVET_RULE_PROXIMITY, 1, 12, -0.242},
        {SERVET_RULE_PROXIMITY, 2, 4, -0.65}, {SERVET_RULE_PROXIMITY, 3, 1, 0}};
    servet_profile *profile = map_profile(&map_dunnington, 1);
    servet_map_request request = {.processes = 5, .code = SERVET_CODE_MEMORY};
    servet_map_weight weight;
    int count;
    servet_map *map = map_placed_by(profile, request);
    assert_ok(servet_map_weight_count(map, 0, &count));
    assert_int_equal(count, 6);
    for (int i = 0; i < count; i++) {
        assert_ok(servet_map_weight_get(map, 0, i, &weight));
        assert_int_equal(weight.rule, expected[i].rule);
        assert_int_equal(weight.level, expected[i].level);
        assert_int_equal(weight.groups, expected[i].groups);
        assert_true(weight.weight == expected[i].weight);
    }
    assert_code(servet_map_weight_get(map, 0, 6, &weight), SERVET_ERANGE);
    assert_code(servet_map_weight_get(map, 0, -1, &weight), SERVET_ERANGE);
    assert_code(servet_map_weight_count(map, 1, &count), SERVET_ERANGE);
    assert_true(map_process(map, 0).weight == 0);
    assert_true(map_process(map, 1).weight == 10); /* another socket: memory */
    assert_true(map_process(map, 4).weight ==
                49.35); /* four in memory, one in the socket, near it */

    request.order = SERVET_ORDER_BLOCK;
    map = map_placed_by(profile, request);
    assert_ok(servet_map_weight_count(map, 0, &count));
    assert_int_equal(count, 0);
    assert_true(map_process(map, 4).weight == 0);
    assert_string_equal(servet_rule_name(SERVET_RULE_PROXIMITY), "proximity");
}

TEST(large_clusters_take_seconds)
{
    const int nodes = (int)test_cases(3125, 3125);
    servet_profile *profile = map_profile(&map_hector, nodes);
    servet_map_request request = {.processes = 32 * nodes, .code = SERVET_CODE_COMMUNICATION};
    clock_t begin = clock();
    servet_map *map = map_placed_by(profile, request);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 2);
    assert_int_equal(map_process(map, 32 * nodes - 1).node, nodes - 1);
}
