/* SPDX-License-Identifier: BSD-3-Clause */
/* A measurement analysed again from its raw folder gives the results of the measurement. */
#include "test.h"

#include <unistd.h>

#include "folder.h"
#include "sim/simulated.h"
#include "run/measure.h"
#include "profile_text.h"
#include "sample_model.h"

/* The machine's memory is limited. */
static srv_model *small_model(void)
{
    srv_model *model = sample_model();
    model->memory_bytes_per_second_core = 10e9;
    return model;
}

/* Measures the model, which is freed. */
static servet_profile *measure_only(srv_model *model, double budget, unsigned only)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    servet_profile *profile;
    srv_machine *machine;
    servet_error error = SERVET_ERROR_INIT;
    options.budget_seconds = budget;
    options.max_bytes = 1 << 18;
    options.only = only;
    options.seed = 7;
    options.raw_dir = folder;
    options.command = "--seed 7 --max-bytes 256K";
    assert_ok(srv_simulated_from(&machine, model, NULL));
    if (srv_measure_on(machine, &options, &profile, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    srv_machine_destroy(machine);
    return profile;
}

static servet_profile *measure(srv_model *model, double budget)
{
    return measure_only(model, budget, 0);
}

typedef struct missing_facts {
    unsigned benchmarks;
    char why[512];
} missing_facts;

static void note(void *context, servet_benchmark benchmark, const char *why)
{
    missing_facts *missing = context;
    missing->benchmarks |= 1u << benchmark;
    snprintf(missing->why, sizeof missing->why, "%s", why);
}

static servet_profile *replay(missing_facts *missing)
{
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    *missing = (missing_facts){0};
    if (servet_replay(folder, note, missing, &profile, &error) != SERVET_OK)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    return profile;
}

/* The replayed profile is that of the measurement. */
static void says_the_same(const servet_profile *measured)
{
    missing_facts missing;
    servet_profile *again = replay(&missing);
    char *then = profile_text(measured), *now = profile_text(again);
    assert_int_equal(missing.benchmarks, 0);
    assert_string_equal(then, now);
    servet_profile_close(again);
    free(then);
    free(now);
}

/* A whole measurement, which the first tests take more and more parts of the record from. */
static servet_profile *whole;

static int measure_whole(void **state)
{
    whole = NULL;
    if (make_folder(state) != 0)
        return -1;
    whole = measure(small_model(), 11);
    return 0;
}

static int remove_whole(void **state)
{
    servet_profile_close(whole);
    return remove_folder(state);
}

static void path_of(const char *part, char path[TEST_PATH_MAX])
{
    int length = snprintf(path, TEST_PATH_MAX, "%s/answers-%s.txt", folder, part);
    assert_in_range(length, 1, TEST_PATH_MAX - 1);
}

TEST_EACH(measure_whole, NULL)

TEST(a_replayed_measurement_gives_the_same_profile)
{
    says_the_same(whole);
}

TEST_EACH(NULL, NULL)

/* The options alone would stand for all benchmarks, also for those that a later version adds. */
TEST(a_record_lists_what_was_planned)
{
    char path[TEST_PATH_MAX];
    path_of("machine", path);
    char *text = test_read_file(path, NULL), *line = strstr(text, "run 0 = 1 ");
    assert_non_null(line);
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < SERVET_BENCHMARK_COUNT; i++)
        assert_non_null(strstr(line, servet_benchmark_name((servet_benchmark)i)));
    free(text);
}

static bool knows(const servet_profile *profile, const char *key)
{
    char text[4096];
    servet_at at = {NULL, 0};
    return servet_profile_get(profile, &at, key, text, sizeof text, NULL) == SERVET_OK;
}

TEST_EACH(NULL, remove_whole)

/* The parts are apart: without one, the others are decided all the same. */
TEST(facts_without_a_recording_stay_unmeasured)
{
    missing_facts missing;
    char path[TEST_PATH_MAX];
    path_of("memory", path);
    assert_int_equal(unlink(path), 0);
    servet_profile *profile = replay(&missing);
    assert_int_equal(missing.benchmarks, 1u << SERVET_BENCHMARK_MEMORY);
    assert_non_null(strstr(missing.why, "not on record"));
    assert_false(knows(profile, "memory.single"));
    assert_true(knows(profile, "caches.1.bytes"));
    assert_true(knows(profile, "distance.layers.1.latency_ns"));
    servet_profile_close(profile);
}

TEST_EACH(make_folder, remove_folder)

/* The replay cuts the measurement at the same place, and takes the same values for disturbed. */
TEST(so_does_one_that_was_disturbed_and_had_little_time)
{
    srv_model *model = small_model();
    model->noise = (srv_model_noise){
        .jitter = 0.02, .outlier_share = 0.02, .outlier_factor = 5, .steal = 0.1, .drift = 0.05};
    servet_profile *measured = measure(model, 2);
    says_the_same(measured);
    servet_profile_close(measured);
}

TEST(there_must_be_a_record)
{
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    assert_code(servet_replay(folder, NULL, NULL, &profile, &error), SERVET_ENOTFOUND);
    assert_non_null(strstr(error.file, "answers-machine.txt"));
}

TEST(a_record_must_make_sense)
{
    static const char *const records[] = {
        "run 0 = 1\n",
        "run 0 = 1 0.1.0 now 4096 0 0 1 2010 9 cache 1.5 5 0 %\n", /* an approach that is none */
        "run 0 = 1 0.1.0 now 4096 0 0 7 2010 0 cache 1.5 5 0 %\n", /* pages that are none */
        "run 0 = 1 0.1.0 now -1 0 0 1 2010 0 cache 1.5 5 0 %\n",   /* a size that is none */
        "run 0 = 1 0.1.0 now 4096 0 0 1 2010 0 none 1.5 5 0 %\n",  /* benchmarks that are none */
        "run 0 = 1 0.1.0 now 4096 0 0 1 2010 0 cache 1.5 5 0 %\ndescribe 0 = 1 vm\n",
    };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        servet_profile *profile;
        put_file("answers-machine.txt", records[i]);
        int code = servet_replay(folder, NULL, NULL, &profile, NULL);
        if (code != SERVET_EFORMAT && code != SERVET_EARGUMENT)
            fail_msg("%zu: %s", i, servet_error_name(code));
    }
}

/* A file that ends anywhere, or has any byte anywhere, is read or refused. */
TEST(a_broken_record_is_refused_or_read)
{
    static const char *const parts[] = {"machine", "begin", "distance"};
    servet_profile_close(measure_only(small_model(), 0, 1u << SERVET_BENCHMARK_DISTANCE));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        char path[TEST_PATH_MAX];
        size_t length;
        path_of(parts[k], path);
        char *text = test_read_file(path, &length);
        for (size_t at = 0, step = 1 + length / test_cases(4, 60); at < length; at += step) {
            char kept = text[at];
            for (int cut = 0; cut < 2; cut++) {
                servet_profile *profile = NULL;
                text[at] = cut ? kept : '9';
                test_write_file(path, text, cut ? at : length);
                if (servet_replay(folder, NULL, NULL, &profile, NULL) == SERVET_OK)
                    servet_profile_close(profile);
            }
        }
        test_write_file(path, text, length);
        free(text);
    }
    missing_facts missing;
    servet_profile_close(replay(&missing));
    assert_int_equal(missing.benchmarks, 0);
}
