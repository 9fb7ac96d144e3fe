/* SPDX-License-Identifier: BSD-3-Clause */
/* A measurement analysed again from its raw folder gives the results of the measurement. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "sim/simulated.h"
#include "run/measure.h"
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
    assert_int_equal(srv_simulated_from(&machine, model, NULL), SERVET_OK);
    if (srv_measure_on(machine, &options, &profile, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    srv_machine_destroy(machine);
    return profile;
}

static servet_profile *measure(srv_model *model, double budget)
{
    return measure_only(model, budget, 0);
}

static char *text_of(const servet_profile *profile)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(servet_profile_dump(profile, stream, NULL), SERVET_OK);
    fclose(stream);
    return text;
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
    char *then = text_of(measured), *now = text_of(again);
    assert_int_equal(missing.benchmarks, 0);
    assert_string_equal(then, now);
    servet_profile_close(again);
    free(then);
    free(now);
}

static void another_says_the_same(srv_model *model, double budget)
{
    servet_profile *measured = measure(model, budget);
    says_the_same(measured);
    servet_profile_close(measured);
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

static void a_replayed_measurement_gives_the_same_profile(void **state)
{
    (void)state;
    says_the_same(whole);
}

/* The replay cuts the measurement at the same place. */
static void so_does_one_that_had_little_time(void **state)
{
    (void)state;
    another_says_the_same(small_model(), 2);
}

static void so_does_one_that_was_disturbed(void **state)
{
    (void)state;
    srv_model *model = small_model();
    model->noise = (srv_model_noise){
        .jitter = 0.02, .outlier_share = 0.02, .outlier_factor = 5, .steal = 0.1, .drift = 0.05};
    another_says_the_same(model, 3);
}

static void remove_part(const char *name)
{
    char path[TEST_PATH_MAX];
    snprintf(path, sizeof path, "%s/answers-%s.txt", folder, name);
    assert_int_equal(unlink(path), 0);
}

static bool knows(const servet_profile *profile, const char *key)
{
    char text[4096];
    servet_at at = {NULL, 0};
    return servet_profile_get(profile, &at, key, text, sizeof text, NULL) == SERVET_OK;
}

/* The parts are apart: without one, the others are decided all the same. */
static void facts_without_a_recording_stay_unmeasured(void **state)
{
    (void)state;
    missing_facts missing;
    remove_part("memory");
    servet_profile *profile = replay(&missing);
    assert_int_equal(missing.benchmarks, 1u << SERVET_BENCHMARK_MEMORY);
    assert_non_null(strstr(missing.why, "not on record"));
    assert_false(knows(profile, "memory.single"));
    assert_true(knows(profile, "caches.1.bytes"));
    assert_true(knows(profile, "distance.layers.1.latency_ns"));
    servet_profile_close(profile);
}

static void there_must_be_a_record(void **state)
{
    (void)state;
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(servet_replay(folder, NULL, NULL, &profile, &error), SERVET_ENOTFOUND);
    assert_non_null(strstr(error.file, "answers-machine.txt"));
}

static void write_record(const char *text)
{
    char path[TEST_PATH_MAX];
    snprintf(path, sizeof path, "%s/answers-machine.txt", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void a_record_must_make_sense(void **state)
{
    (void)state;
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
        write_record(records[i]);
        int code = servet_replay(folder, NULL, NULL, &profile, NULL);
        if (code != SERVET_EFORMAT && code != SERVET_EARGUMENT)
            fail_msg("%zu: %s", i, servet_error_name(code));
    }
}

static size_t read_part(const char *name, char *text, size_t size)
{
    char path[TEST_PATH_MAX];
    snprintf(path, sizeof path, "%s/answers-%s.txt", folder, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t length = fread(text, 1, size, stream);
    fclose(stream);
    assert_true(length < size);
    return length;
}

static void write_part(const char *name, const char *text, size_t length)
{
    char path[TEST_PATH_MAX];
    snprintf(path, sizeof path, "%s/answers-%s.txt", folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

/* The options alone would stand for all benchmarks, also for those that a later version adds. */
static void a_record_lists_what_was_planned(void **state)
{
    (void)state;
    static char text[1 << 16];
    servet_profile_close(measure_only(small_model(), 2, 0));
    text[read_part("machine", text, sizeof text - 1)] = '\0';
    assert_non_null(strstr(text, " cache,sharing,line,distance,"));
}

/* A file that ends anywhere, or has any byte anywhere, is read or refused. */
static void a_broken_record_is_refused_or_read(void **state)
{
    (void)state;
    static const char *const parts[] = {"machine", "begin", "distance"};
    static char text[1 << 16];
    servet_profile_close(measure_only(small_model(), 0, 1u << SERVET_BENCHMARK_DISTANCE));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t length = read_part(parts[k], text, sizeof text),
               step = 1 + length / test_cases(20, 60);
        for (size_t at = 0; at < length; at += step) {
            char kept = text[at];
            servet_profile *profile = NULL;
            write_part(parts[k], text, at);
            if (servet_replay(folder, NULL, NULL, &profile, NULL) == SERVET_OK)
                servet_profile_close(profile);
            text[at] = '9';
            write_part(parts[k], text, length);
            if (servet_replay(folder, NULL, NULL, &profile, NULL) == SERVET_OK)
                servet_profile_close(profile);
            text[at] = kept;
        }
        write_part(parts[k], text, length);
    }
    missing_facts missing;
    servet_profile_close(replay(&missing));
    assert_int_equal(missing.benchmarks, 0);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_replayed_measurement_gives_the_same_profile, measure_whole),
        cmocka_unit_test_teardown(facts_without_a_recording_stay_unmeasured, remove_whole),
        IN_FOLDER(so_does_one_that_had_little_time),
        IN_FOLDER(so_does_one_that_was_disturbed),
        IN_FOLDER(there_must_be_a_record),
        IN_FOLDER(a_record_must_make_sense),
        IN_FOLDER(a_record_lists_what_was_planned),
        IN_FOLDER(a_broken_record_is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
