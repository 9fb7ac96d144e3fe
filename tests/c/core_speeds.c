/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds of core types, measured on a model whose speeds are known, and the placements that follow
 * from them. */
#include "test.h"

#include "facts/stages.h"
#include "known_node.h"
#include "map_machine.h"
#include "model_file.h"
#include "servet/map.h"
#include "servet/place.h"
#include "../record.h"

/* Four big cores of two PUs (0-1, 4-9) under one L2, four small ones (2-3, 10-11) under another. A
 * small core does 32 of the 80 GFLOP/s, 8 of the 25 G additions, and loads 2.64 of the 12 GB/s of a
 * big one: 0.4, 0.32 and 0.22. */
static const char model[] =
    "{\"model\": 1, \"os_numbering\": \"0-1,4-9,2-3,10-11\","
    " \"kinds\": [{\"name\": \"big\", \"cores\": 4, \"smt\": 2, \"clock_ghz\": 5},"
    "  {\"name\": \"small\", \"cores\": 4, \"clock_ghz\": 4, \"core_bytes_per_second\": 2.64e9}],"
    " \"caches\": ["
    "  {\"level\": 1, \"kind\": \"big\", \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": 4},"
    "  {\"level\": 1, \"kind\": \"small\", \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": 3},"
    "  {\"level\": 2, \"kind\": \"big\", \"bytes\": \"128K\", \"ways\": 16, \"latency_cycles\": 14,"
    "   \"shared_by\": 8},"
    "  {\"level\": 2, \"kind\": \"small\", \"bytes\": \"128K\", \"ways\": 16,"
    "   \"latency_cycles\": 14, \"shared_by\": 4}],"
    " \"flops\": ["
    "  {\"kind\": \"big\", \"precision\": \"f64\", \"width\": \"vector\", \"bits\": 256,"
    "   \"per_cycle\": 16},"
    "  {\"kind\": \"small\", \"precision\": \"f64\", \"width\": \"vector\", \"bits\": 128,"
    "   \"per_cycle\": 8},"
    "  {\"kind\": \"big\", \"precision\": \"i64\", \"width\": \"scalar\", \"bits\": 64,"
    "   \"per_cycle\": 5},"
    "  {\"kind\": \"small\", \"precision\": \"i64\", \"width\": \"scalar\", \"bits\": 64,"
    "   \"per_cycle\": 2}],"
    " \"memory\": {\"bytes\": \"4G\", \"latency_ns\": 80, \"core_bytes_per_second\": 12e9,"
    "  \"domains\": [{\"bytes_per_second\": 24e9}]}}\n";

enum { PUS = 12 };
static const double speeds[SERVET_WORK_COUNT] = {[SERVET_WORK_USUAL] = 0.4,
                                                 [SERVET_WORK_VECTOR] = 0.4,
                                                 [SERVET_WORK_INTEGER] = 0.32,
                                                 [SERVET_WORK_MEMORY] = 0.22};

static known_node known(void)
{
    model_file_store(model, sizeof model - 1);
    return known_node_kept(model_path);
}

/* The rates of cores are measured, those of memory stored as they would be. */
static servet_profile *profile_with_speeds(void)
{
    known_node node = known();
    servet_value none = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    known_node_measure(&node, srv_measure_peaks, 0);
    for (int kind = 0; kind < 2; kind++) {
        servet_concurrency memory = {
            .requests = 1,
            .best = none,
            .chains = 1,
            .threads = 1,
            .bandwidth = sure_value(kind ? 2.64e9 : 12e9, SERVET_UNIT_BYTE_PER_SECOND)};
        assert_ok(record_concurrency(node.place.profile, 0, kind, 0, &memory, &none, &none, NULL));
    }
    return node.place.profile;
}

/* --- measured --------------------------------------------------------------------------------- */

TEST(speeds_are_those_of_the_model)
{
    known_node node = known();
    known_node_measure(&node, srv_measure_peaks, 0);
    known_node_measure(&node, srv_measure_concurrency, 0);
    const servet_at big = {"default", 9}, small = {"default", 10};
    for (int work = 0; work < SERVET_WORK_COUNT; work++) {
        servet_value speed;
        assert_ok(servet_core_speed(node.place.profile, &small, (servet_work)work, &speed));
        assert_float_equal(speed.value / speeds[work], 1, 0.02);
        assert_true(speed.low <= speed.value && speed.value <= speed.high && speed.trusted);
        assert_ok(servet_core_speed(node.place.profile, &big, (servet_work)work, &speed));
        assert_true(speed.value == 1 && speed.low == 1 && speed.high == 1);
    }
}

/* --- processes -------------------------------------------------------------------------------- */

/* The cores of processes that fill the node, by their ranks: "0 4 2". */
static void map_is(const servet_profile *profile, servet_map_request request, const char *expected)
{
    char text[8 * PUS] = "";
    servet_map *map;
    servet_map_process process;
    assert_ok(servet_map_create(&map, profile, &request, NULL));
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++)
        for (int t = 0; t < process.core_count; t++)
            sprintf(text + strlen(text), *text ? " %d" : "%d", process.cores[t]);
    assert_string_equal(text, expected);
    servet_map_destroy(map);
}

static servet_map_request request_of(servet_code code, servet_work work)
{
    return (servet_map_request){.processes = PUS, .code = code, .work = work};
}

/* A process makes all cores of its L2 worse by 10, and its sibling by 20; a small core begins with
 * 10 (1 / speed - 1): 15, 21.25 or 35.5. */
TEST(slow_cores_count_more)
{
    const servet_profile *profile = profile_with_speeds();
    map_is(profile, request_of(SERVET_CODE_MEMORY, SERVET_WORK_VECTOR),
           "0 4 2 6 3 8 10 11 1 5 7 9");
    map_is(profile, request_of(SERVET_CODE_MEMORY, SERVET_WORK_INTEGER),
           "0 4 6 2 8 3 10 1 11 5 7 9");
    map_is(profile, request_of(SERVET_CODE_MEMORY, SERVET_WORK_MEMORY),
           "0 4 6 8 2 3 1 10 5 11 7 9");
    map_is(profile, request_of(SERVET_CODE_MEMORY, SERVET_WORK_USUAL), "0 4 6 8 2 3 1 10 5 11 7 9");
    map_is(profile, request_of(SERVET_CODE_COMMUNICATION, SERVET_WORK_USUAL),
           "0 4 6 8 1 5 7 9 2 3 10 11");
}

/* Without speeds the L2 of the small cores is as good as that of the big ones. */
TEST(without_speeds_all_cores_are_alike)
{
    const servet_profile *profile = known().place.profile;
    map_is(profile, request_of(SERVET_CODE_MEMORY, SERVET_WORK_VECTOR),
           "0 2 3 4 6 10 8 11 1 5 7 9");
}

/* Three threads fill no pair of siblings: two processes get big cores, the last one must mix. */
TEST(threads_of_a_process_are_equally_fast)
{
    const servet_profile *profile = profile_with_speeds();
    servet_map_request request = {.processes = 4, .threads = 3, .code = SERVET_CODE_COMMUNICATION};
    servet_map *map;
    servet_map_process process;
    map_is(profile, request, "0 1 4 5 6 7 2 3 10 8 9 11");
    assert_ok(servet_map_create(&map, profile, &request, NULL));
    for (int rank = 0; rank < 4; rank++) {
        assert_ok(servet_map_process_get(map, rank, &process));
        assert_float_equal(process.speed, rank < 2 ? 1 : 0.4, 0.01);
    }
    servet_map_destroy(map);
}

/* Messages between two of four processes are fastest between the small cores 2 and 3, which the
 * scheduler's order takes, too. */
TEST(messages_do_not_outweigh_slow_cores)
{
    servet_profile *profile = profile_with_speeds();
    const servet_network job = {"layers", 1, PUS, 1, MAP_MESSAGE_BYTES};
    const char *const nodes[] = {"n0"}, *const near[] = {"0:2-3"}, *const all[] = {"0:0-11"};
    const servet_network_layer layers[] = {map_layer(1e-6, false, 0), map_layer(4e-6, false, 0)};
    servet_map_request request = {.processes = 4, .code = SERVET_CODE_COMMUNICATION};
    servet_traffic *traffic = map_no_messages(4);
    map_send(traffic, 2, 3, MAP_MESSAGE_BYTES);
    request.traffic = traffic;
    assert_ok(servet_profile_add_node(profile, 0, "n0", NULL));
    assert_ok(servet_profile_set_network(profile, &job, nodes, NULL));
    assert_ok(record_network_layers(profile, layers, 2, NULL));
    assert_ok(record_network_groups(profile, 1, near, 1, NULL));
    assert_ok(record_network_groups(profile, 2, all, 1, NULL));
    map_is(profile, request, "0 4 6 8");
    request.work = SERVET_WORK_INTEGER;
    assert_ok(servet_profile_set(profile, 0, "peak", NULL, sizeof(servet_peak), 0, NULL));
    map_is(profile, request, "0 1 2 3");
}

TEST(speeds_that_are_not_trusted_are_left_out)
{
    servet_profile *profile = profile_with_speeds();
    servet_map_request request = request_of(SERVET_CODE_MEMORY, SERVET_WORK_VECTOR);
    servet_map *map;
    assert_ok(servet_profile_distrust(profile, 0, "peak.1.rate", "busy", NULL));
    servet_profile_trusted_only(profile, true);
    assert_code(servet_map_create(&map, profile, &request, NULL), SERVET_EUNTRUSTED);
    request.work = SERVET_WORK_COUNT;
    assert_code(servet_map_create(&map, profile, &request, NULL), SERVET_EARGUMENT);
}

/* --- threads ---------------------------------------------------------------------------------- */

static void threads_get(const servet_profile *profile, servet_policy policy, int threads,
                        const char *expected)
{
    const servet_at any = {"default", SERVET_ANY_CORE};
    int cores[PUS];
    char text[8 * PUS];
    assert_ok(servet_thread_place(profile, &any, policy, NULL, 0, cores, threads, NULL, NULL));
    assert_ok(servet_cores_to_text(cores, threads, text, sizeof text));
    assert_string_equal(text, expected);
}

/* Scattered threads would share less with one of them on a small core. */
TEST(threads_fill_fast_cores_first)
{
    const servet_profile *profile = profile_with_speeds();
    threads_get(profile, SERVET_POLICY_SCATTER, 2, "0,4");
    threads_get(profile, SERVET_POLICY_SCATTER, 6, "0,2-4,6,8");
    threads_get(profile, SERVET_POLICY_SCATTER, 9, "0-4,6,8,10-11");
    threads_get(profile, SERVET_POLICY_COMPACT, 8, "0-1,4-9");
    threads_get(profile, SERVET_POLICY_COMPACT, 9, "0-2,4-9");
    threads_get(known().place.profile, SERVET_POLICY_SCATTER, 2, "0,2");
}

/* A profile that lists the small cores first: the system's order is not the order of speed. */
TEST(speed_decides_before_the_order_of_the_profile)
{
    servet_profile *profile = profile_with_speeds();
    servet_peak peaks[6];
    int count = 0;
    const servet_at any = {"default", SERVET_ANY_CORE};
    while (count < 6 && servet_profile_item(profile, &any, "peak", (const int[]){count + 1},
                                            &peaks[count], sizeof *peaks) == SERVET_OK) {
        servet_peak *peak = &peaks[count++];
        if (peak->precision == SERVET_PRECISION_F64 && peak->cores == 1)
            peak->rate = (servet_value){.value = peak->core == 0 ? 4e9 : 8e9,
                                        .low = peak->core == 0 ? 4e9 : 8e9,
                                        .high = peak->core == 0 ? 4e9 : 8e9,
                                        .samples = 9,
                                        .unit = SERVET_UNIT_FLOP_PER_SECOND,
                                        .method = SERVET_METHOD_TIMED,
                                        .trusted = true};
    }
    assert_ok(servet_profile_set(profile, 0, "peak", peaks, sizeof *peaks, count, NULL));
    threads_get(profile, SERVET_POLICY_COMPACT, 4, "2-3,10-11");
    map_is(profile, (servet_map_request){.processes = 4, .code = SERVET_CODE_COMMUNICATION},
           "2 3 10 11");
}

TEST_GROUP(model_file_begin, model_file_end)
