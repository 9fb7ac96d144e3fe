/* SPDX-License-Identifier: BSD-3-Clause */
/* Four cores of 2 GHz whose L1 takes 4 cycles (2 ns), on memory of 20 GB/s; and nodes that should
 * be like it. */
#include "test.h"

#include <unistd.h>

#include "servet/measure.h"

#define NODE                                                                                       \
    "{\"model\": 1, \"about\": \"test\", \"cpu\": \"Imaginary\", \"architecture\": \"none64\", "   \
    "\"os\": \"none\", \"cores\": 4, \"clock_ghz\": %s, \"caches\": [{\"level\": 1, \"bytes\": "   \
    "\"32K\", "                                                                                    \
    "\"ways\": 8, \"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"1M\", \"ways\": 8, "         \
    "\"latency_cycles\": 20}], \"pages\": {\"bytes\": \"4K\", \"placement\": \"random\"}, "        \
    "\"memory\": "                                                                                 \
    "{\"bytes\": \"8G\", \"latency_ns\": 90, \"core_bytes_per_second\": 12e9, \"domains\": "       \
    "[{\"name\": \"memory\", \"bytes_per_second\": %s}]}, \"line_transfer\": [{\"within\": 4, "    \
    "\"ns\": 40}], \"noise\": {\"jitter\": 0.03%d, \"outlier_share\": 0.01, \"outlier_factor\": "  \
    "4, "                                                                                          \
    "\"steal\": 0.02, \"drift\": 0.01}}"

static char path[TEST_PATH_MAX];
static servet_profile *profile;

/* Another jitter draws other noise. */
static void write_model(const char *ghz, const char *rate, int jitter)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, NODE, ghz, rate, jitter);
    fclose(file);
}

TEST_FIXTURE(setup)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    test_path(path, "speed_XXXXXX");
    close(mkstemp(path));
    write_model("2.0", "20e9", 0);
    options.machine = path;
    options.only = 1u << SERVET_BENCHMARK_CACHE | 1u << SERVET_BENCHMARK_MEMORY;
    return servet_measure(&options, &profile, NULL);
}

TEST_FIXTURE(teardown)
{
    servet_profile_close(profile);
    unlink(path);
    return 0;
}

static servet_speed check(const char *ghz, const char *rate, int jitter)
{
    servet_speed speed;
    servet_error error = SERVET_ERROR_INIT;
    write_model(ghz, rate, jitter);
    int code = servet_check_speed(profile, "default", path, 20, &speed, &error);
    if (code != SERVET_OK)
        fail_msg("%s", error.text);
    assert_int_equal(speed.cores, 4);
    assert_true(speed.memory);
    assert_int_equal(speed.unchecked, 0);
    return speed;
}

TEST_GROUP(setup, teardown)

TEST(no_fault_is_found_with_a_node_like_its_class)
{
    for (int i = 100; i < 100 + (int)test_cases(10, 100); i++) {
        servet_speed speed = check("2.0", "20e9", i);
        assert_int_equal(speed.slow_count, 0);
        assert_true(speed.seconds < 20);
    }
}

TEST(less_bandwidth_is_found)
{
    for (int i = 100; i < 100 + (int)test_cases(2, 20); i++) {
        servet_speed speed = check("2.0", "17e9", i);
        assert_int_equal(speed.slow_count, 1);
        assert_int_equal(speed.slow[0].core, -1);
        assert_int_equal(speed.slow[0].unit, SERVET_UNIT_BYTE_PER_SECOND);
        assert_float_equal(speed.slow[0].loss, 0.15, 0.03);
        assert_float_equal(speed.slow[0].found / 17e9, 1, 0.03);
    }
}

TEST(slow_cores_are_found)
{
    servet_speed speed = check("1.6", "20e9", 100);
    assert_int_equal(speed.slow_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(speed.slow[i].core, i);
        assert_float_equal(speed.slow[i].loss, 0.2, 0.03);
        assert_float_equal(speed.slow[i].found, 2.5e-9, 0.1e-9);
    }
}

/* The last tenth of the time that all parts take is a part of that of memory. */
TEST(cores_are_compared_first)
{
    servet_speed speed = check("2.0", "20e9", 100);
    assert_ok(servet_check_speed(profile, "default", path, 0.9 * speed.seconds, &speed, NULL));
    assert_int_equal(speed.cores, 4);
    assert_false(speed.memory);
    assert_int_equal(speed.unchecked, 1);
}

TEST(without_time_or_facts_the_check_fails)
{
    servet_speed speed;
    write_model("2.0", "20e9", 0);
    assert_code(servet_check_speed(profile, "default", path, 0, &speed, NULL), SERVET_EARGUMENT);
    assert_code(servet_check_speed(profile, "default", path, 1e-6, &speed, NULL),
                SERVET_EUNMEASURED);
    assert_code(servet_check_speed(profile, "none", path, 20, &speed, NULL), SERVET_EUNMEASURED);
}
