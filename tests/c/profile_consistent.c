/* SPDX-License-Identifier: BSD-3-Clause */
/* Lies in profiles: what no measurement can produce is refused, what noise can is marked. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "servet/node.h"
#include "servet/profile.h"
#include "servet/record.h"

static char path[TEST_PATH_MAX], *text;

/* The text of a stored profile of one node. */
static char *read_sample(void)
{
    char name[512], *read = calloc(1, 1 << 20);
    snprintf(name, sizeof name, "%s/tests/data/profiles/node.json", getenv("SOURCE_ROOT"));
    FILE *file = fopen(name, "r");
    if (!file || !read)
        return read;
    (void)!fread(read, 1, (1 << 20) - 1, file);
    fclose(file);
    return read;
}

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/profile.json", folder);
    text = read_sample();
    return text && *text ? 0 : -1;
}

static int teardown(void **state)
{
    free(text);
    return remove_folder(state);
}

/* Stores the sample with `to` in place of the first `from` behind the first `after`. */
static void store(const char *after, const char *from, const char *to)
{
    char *begin = strstr(text, after);
    assert_non_null(begin);
    char *at = strstr(begin, from);
    assert_non_null(at);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void a_node_that_is_listed_twice(void **state)
{
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    (void)state;
    store("classes", "[\"node01\"]", "[\"node01\", \"b\", \"node01\"]");
    assert_int_equal(servet_profile_open(&profile, path, &error), SERVET_EFORMAT);
    assert_string_equal(error.file, path);
    assert_true(error.line > 1);
    assert_string_equal(error.text, "classes[0].nodes[2]: node 'node01' is listed twice");
}

static void a_node_is_in_one_class(void **state)
{
    servet_profile *profile, *read;
    servet_error error = SERVET_ERROR_INIT;
    const servet_machine machine = {.cores = "0-1", .pu_count = 2};
    int first, second;
    (void)state;
    assert_int_equal(servet_profile_create(&profile, NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_class(profile, "a", &machine, &first, NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_class(profile, "b", &machine, &second, NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_node(profile, first, "n1", NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_node(profile, second, "n2", NULL), SERVET_OK);
    assert_int_equal(servet_profile_write(profile, path, NULL), SERVET_OK);
    assert_int_equal(servet_profile_open(&read, path, NULL), SERVET_OK);
    servet_profile_close(read);
    assert_int_equal(servet_profile_add_node(profile, second, "n1.cluster", NULL), SERVET_OK);
    assert_int_equal(servet_profile_write(profile, path, NULL), SERVET_OK);
    assert_int_equal(servet_profile_open(&read, path, &error), SERVET_EFORMAT);
    assert_non_null(strstr(error.text, "node 'n1.cluster' is in class 'a', too"));
    servet_profile_close(profile);
}

/* --- what is marked --------------------------------------------------------------------------- */

static const struct marked {
    const char *after, *from, *to;
    const char *keys[2]; /* not trusted any more */
    const char *reason;  /* of the first one */
} marked[] = {
    {"\"level\": 1,",
     "\"latency\": {\"value\": 1.39, \"low\": 1.38, \"high\": 1.4",
     "\"latency\": {\"value\": 9, \"low\": 8.9, \"high\": 9.1",
     {"caches.1.latency_ns", "caches.2.latency_ns"},
     "a nearer cache answers sooner: 9 ns here, but 4.45 ns in kinds.1.caches.2.latency"},
    {"\"level\": 1,",
     "\"bytes\": {\"value\": 49152, \"low\": 48000, \"high\": 50000",
     "\"bytes\": {\"value\": 4194304, \"low\": 4194304, \"high\": 4194304",
     {"caches.1.bytes", "caches.2.bytes"},
     "a nearer cache is no larger: 4 MiB here, but 2 MiB in kinds.1.caches.2.bytes"},
    {"\"memory_latency\"",
     "\"value\": 187.5, \"low\": 165, \"high\": 270",
     "\"value\": 2, \"low\": 2, \"high\": 2",
     {"memory.latency_ns", "caches.3.latency_ns"},
     "memory is slower than caches: 2 ns here, but 37 ns in kinds.1.caches.3.latency"},
    {"\"level\": 1,",
     "\"ways\": null,\n              \"sets\": null",
     "\"ways\": {\"value\": 12, \"low\": 12, \"high\": 12, \"unit\": \"1\", \"samples\": 9,"
     "\"method\": \"conflict\", \"trusted\": true}, \"sets\": {\"value\": 64, \"low\": 64, "
     "\"high\": 64,"
     "\"unit\": \"1\", \"samples\": 9, \"method\": \"conflict\", \"trusted\": true}",
     {"caches.1.sets", NULL},
     "sets follow from a line that is not trusted: 64 here, but 64 B in kinds.1.caches.1.line"},
    {"\"level\": 2",
     "\"0,2\", \"1,3\"",
     "\"0,2\", \"1,7\"",
     {"caches.2.groups", NULL},
     "core 7 is of no core type (kinds.cores)"},
    {"\"level\": 1,",
     "\"0\", \"1\", \"2\", \"3\"",
     "\"0-2\", \"3-9999\"",
     {"caches.1.groups", NULL},
     "core 4 is of no core type (kinds.cores)"},
    {"\"kinds\"",
     "\"cores\": \"0-3\"",
     "\"cores\": \"0,2-5\"",
     {"caches.1.groups", "caches.2.groups"},
     "core 1 is of no core type (kinds.cores)"},
};

static void contradictions_are_marked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        const struct marked *lie = &marked[i];
        const servet_at at = {"default", 0};
        servet_profile *profile;
        servet_trust trust;
        store(lie->after, lie->from, lie->to);
        assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
        for (int k = 0; k < 2 && lie->keys[k]; k++) {
            assert_int_equal(servet_profile_trust(profile, &at, lie->keys[k], &trust, NULL), 0);
            if (trust.trusted)
                fail_msg("%s is trusted", lie->keys[k]);
            if (k == 0)
                assert_string_equal(trust.reason, lie->reason);
        }
        servet_profile_close(profile);
    }
}

/* Values whose intervals meet, and those that are not trusted anyway, contradict nothing. */
static void noise_is_no_contradiction(void **state)
{
    const servet_at at = {"default", 0};
    servet_profile *profile;
    servet_trust trust;
    (void)state;
    store("\"level\": 1,", "\"latency\": {\"value\": 1.39, \"low\": 1.38, \"high\": 1.4",
          "\"latency\": {\"value\": 5, \"low\": 4.4, \"high\": 6");
    assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
    assert_int_equal(servet_profile_trust(profile, &at, "caches.1.latency_ns", &trust, NULL), 0);
    assert_true(trust.trusted);
    servet_profile_close(profile);
}

/* A mark is stored with the profile, and not made again. */
static servet_distance_layer layer_of(double seconds)
{
    return (servet_distance_layer){
        .latency = {seconds, seconds, seconds, 9, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED, true},
        .confidence = 1,
        .verdict = SERVET_VERDICT_NOT_VISIBLE};
}

/* The same of a profile that was never in a file. */
static void a_measured_profile_is_marked(void **state)
{
    (void)state;
    servet_profile *profile;
    servet_trust trust;
    const servet_machine machine = {.cores = "0-1", .pu_count = 2};
    const servet_at at = {.node_class = "a", .core = SERVET_ANY_CORE};
    const servet_distance_layer layers[] = {layer_of(2e-7), layer_of(4e-8)};
    int class;
    assert_int_equal(servet_profile_create(&profile, NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_class(profile, "a", &machine, &class, NULL), SERVET_OK);
    assert_int_equal(servet_profile_set_distances(profile, class, layers, 2, NULL), SERVET_OK);
    assert_int_equal(servet_profile_reconcile(profile, NULL), SERVET_OK);
    assert_int_equal(
        servet_profile_trust(profile, &at, "distance.layers.1.latency_ns", &trust, NULL),
        SERVET_OK);
    assert_false(trust.trusted);
    servet_profile_close(profile);
}

static void a_marked_profile_opens_again(void **state)
{
    const servet_at at = {"default", 0};
    servet_profile *profile, *again;
    servet_trust trust;
    (void)state;
    store(marked[0].after, marked[0].from, marked[0].to);
    assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
    assert_int_equal(servet_profile_write(profile, path, NULL), SERVET_OK);
    assert_int_equal(servet_profile_open(&again, path, NULL), SERVET_OK);
    assert_int_equal(servet_profile_trust(again, &at, "caches.1.latency_ns", &trust, NULL), 0);
    assert_false(trust.trusted);
    assert_string_equal(trust.reason, marked[0].reason);
    servet_profile_close(again);
    servet_profile_close(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_that_is_listed_twice),
        cmocka_unit_test(a_node_is_in_one_class),
        cmocka_unit_test(contradictions_are_marked),
        cmocka_unit_test(noise_is_no_contradiction),
        cmocka_unit_test(a_measured_profile_is_marked),
        cmocka_unit_test(a_marked_profile_opens_again),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
