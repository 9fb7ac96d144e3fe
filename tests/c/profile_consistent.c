/* SPDX-License-Identifier: BSD-3-Clause */
/* Lies in profiles: what no measurement can produce is refused, what noise can is marked. */
#include "test.h"

#include "folder.h"
#include "servet/node.h"
#include "servet/profile.h"
#include "servet/record.h"
#include "../record.h"

static char path[TEST_PATH_MAX], *text, *job_text;

/* The text of a stored profile. */
static char *read_sample(const char *file_name)
{
    char name[512];
    snprintf(name, sizeof name, "%s/tests/data/profiles/%s", getenv("SOURCE_ROOT"), file_name);
    return test_read_file(name, NULL);
}

TEST_FIXTURE(setup)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/profile.json", folder);
    text = read_sample("node.json");
    job_text = read_sample("job.json");
    return text && *text && job_text && *job_text ? 0 : -1;
}

TEST_FIXTURE(teardown)
{
    free(text);
    free(job_text);
    return remove_folder(state);
}

/* Stores a sample with `to` in place of the first `from` behind the first `after`. */
static void store_in(const char *sample, const char *after, const char *from, const char *to)
{
    const char *begin = strstr(sample, after);
    assert_non_null(begin);
    const char *at = strstr(begin, from);
    assert_non_null(at);
    char *lie = calloc(1, strlen(sample) + strlen(to) + 1);
    assert_non_null(lie);
    sprintf(lie, "%.*s%s%s", (int)(at - sample), sample, to, at + strlen(from));
    test_write_file(path, lie, strlen(lie));
    free(lie);
}

static void store(const char *after, const char *from, const char *to)
{
    store_in(text, after, from, to);
}

/* Changes the first `from` of the stored file to `to`. */
static void lie_in_file(const char *from, const char *to)
{
    char *stored = test_read_file(path, NULL);
    store_in(stored, "", from, to);
    free(stored);
}

/* --- what is refused -------------------------------------------------------------------------- */

TEST_GROUP(setup, teardown)

TEST(a_node_that_is_listed_twice)
{
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    store("classes", "[\"node01\"]", "[\"node01\", \"b\", \"node01\"]");
    assert_code(servet_profile_open(&profile, path, &error), SERVET_EFORMAT);
    assert_string_equal(error.file, path);
    assert_true(error.line > 1);
    assert_string_equal(error.text, "classes[0].nodes[2]: node 'node01' is listed twice");
}

TEST(a_node_is_in_one_class)
{
    static const char in_two[] = "classes[1].nodes[2]: node 'n1.cluster' is in class 'a', too: "
                                 "remove it from one of them";
    servet_profile *profile, *read;
    servet_error error = SERVET_ERROR_INIT;
    const servet_machine machine = {.cores = "0-1", .pu_count = 2};
    int first, second;
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "a", &machine, &first, NULL));
    assert_ok(servet_profile_add_class(profile, "b", &machine, &second, NULL));
    assert_ok(servet_profile_add_node(profile, first, "n1", NULL));
    assert_ok(servet_profile_add_node(profile, second, "n2", NULL));
    assert_ok(servet_profile_write(profile, path, NULL));
    assert_ok(servet_profile_add_node(profile, first, "n1.cluster", NULL));
    assert_code(servet_profile_add_node(profile, second, "n1.cluster", &error), SERVET_EARGUMENT);
    assert_string_equal(error.text, in_two);
    assert_ok(servet_profile_write(profile, path, NULL));
    servet_profile_close(profile);
    assert_ok(servet_profile_open(&read, path, NULL));
    servet_profile_close(read);
    error = (servet_error)SERVET_ERROR_INIT;
    lie_in_file("\"n2\"", "\"n2\", \"n1.cluster\"");
    assert_code(servet_profile_open(&read, path, &error), SERVET_EFORMAT);
    assert_string_equal(error.text, in_two);
}

/* --- what is marked --------------------------------------------------------------------------- */

static const struct marked {
    const char *after, *from, *to;
    const char *keys[2]; /* not trusted any more */
    const char *reason;  /* of the first one */
} marked[] = {
    {"\"level\": 1,",
     "\"latency_ns\": {\"value\": 1.39, \"low\": 1.38, \"high\": 1.4",
     "\"latency_ns\": {\"value\": 9, \"low\": 8.9, \"high\": 9.1",
     {"caches.1.latency_ns", "caches.2.latency_ns"},
     "a nearer cache answers sooner: 9 ns here, but 4.45 ns in kinds.1.caches.2.latency_ns"},
    {"\"level\": 1,",
     "\"bytes\": {\"value\": 49152, \"low\": 48000, \"high\": 50000",
     "\"bytes\": {\"value\": 4194304, \"low\": 4194304, \"high\": 4194304",
     {"caches.1.bytes", "caches.2.bytes"},
     "a nearer cache is no larger: 4 MiB here, but 2 MiB in kinds.1.caches.2.bytes"},
    {"\"memory\": {\n",
     "\"value\": 187.5, \"low\": 165, \"high\": 270",
     "\"value\": 2, \"low\": 2, \"high\": 2",
     {"memory.latency_ns", "caches.3.latency_ns"},
     "memory is slower than caches: 2 ns here, but 37 ns in kinds.1.caches.3.latency_ns"},
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

/* Layers of communication: of job.json, where the second one is between nodes. */
#define SOME_CORES "\"kinds\": [{\"name\": \"core\", \"cores\": \"0-2\", \"caches\": null}]"
#define A_PAIR     "a layer is measured on one of its pairs: "
static const struct marked lying_layers[] = {
    {"between_nodes",
     "\"to\": {\"node\": 0",
     "\"to\": {\"node\": 1",
     {"layers.1.from", "layers.1.to"},
     A_PAIR "0:0 and 1:1 are of layer 2"},
    {"\"between_nodes\": true",
     "\"to\": {\"node\": 1, \"core\": 0}",
     "\"to\": {\"node\": 0, \"core\": 1}",
     {"layers.2.from", "layers.2.to"},
     A_PAIR "0:0 and 0:1 are of layer 1"},
    {"\"between_nodes\": true",
     "\"to\": {\"node\": 1, \"core\": 0}",
     "\"to\": {\"node\": 1, \"core\": 9}",
     {"layers.2.from", "layers.2.to"},
     A_PAIR "0:0 and 1:9 are of no layer"},
    {"",
     "\"kinds\": []",
     SOME_CORES,
     {"layers.1.groups", "layers.2.groups"},
     "core 3 of node 0 is of no core type (kinds.cores)"},
    {"",
     "\"between_nodes\": false",
     "\"between_nodes\": true",
     {"layers.1.from", "layers.1.to"},
     A_PAIR "0:0 and 0:1 are of no layer"},
};

/* The keys are not trusted, the first one for this reason. */
static void are_marked(const servet_profile *profile, const char *const keys[2], const char *reason)
{
    const servet_at at = {servet_profile_class_name(profile, 0), SERVET_ANY_CORE};
    servet_trust trust;
    for (int k = 0; k < 2 && keys[k]; k++) {
        assert_ok(servet_profile_trust(profile, &at, keys[k], &trust, NULL));
        if (trust.trusted)
            fail_msg("%s is trusted", keys[k]);
        if (k == 0)
            assert_string_equal(trust.reason, reason);
    }
}

static void lies_are_marked(const char *sample, const struct marked *lies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        servet_profile *profile;
        store_in(sample, lies[i].after, lies[i].from, lies[i].to);
        assert_ok(servet_profile_open(&profile, path, NULL));
        are_marked(profile, lies[i].keys, lies[i].reason);
        servet_profile_close(profile);
    }
}

TEST(contradictions_are_marked)
{
    lies_are_marked(text, marked, sizeof marked / sizeof *marked);
    lies_are_marked(job_text, lying_layers, sizeof lying_layers / sizeof *lying_layers);
}

/* Two TLBs, and the walk when both miss. */
static const struct tlbs {
    double entries[2], ways, reach[2], miss[2], walk;
    const char *keys[2], *reason;
} tlbs[] = {
    {{64, 1536}, 4, {262144, 6291456}, {2e-9, 7e-9}, 9e-9, {NULL}, NULL},
    {{64, 48},
     4,
     {262144, 6291456},
     {2e-9, 7e-9},
     9e-9,
     {"translation.1.entries", "translation.2.entries"},
     "a nearer TLB has no more entries: 64 here, but 48 in kinds.1.translation.tlbs.2.entries"},
    {{64, 1536},
     96,
     {262144, 6291456},
     {2e-9, 7e-9},
     9e-9,
     {"translation.1.ways", "translation.1.entries"},
     "a TLB has no more ways than entries: 96 here, but 64 in kinds.1.translation.tlbs.1.entries"},
    {{64, 1536},
     4,
     {262144, 131072},
     {2e-9, 7e-9},
     9e-9,
     {"translation.1.reach_bytes", "translation.2.reach_bytes"},
     "a nearer TLB reaches no farther: 256 KiB here, but 128 KiB in "
     "kinds.1.translation.tlbs.2.reach_bytes"},
    {{64, 1536},
     4,
     {262144, 6291456},
     {2e-9, 7e-9},
     3e-9,
     {"translation.walk_ns", "translation.2.latency_ns"},
     "a page walk takes no less than one miss: 3 ns here, but 7 ns in "
     "kinds.1.translation.tlbs.2.latency_ns"},
};

static void store_tlbs(servet_profile *profile, const struct tlbs *of)
{
    const servet_translation all = {.page_bytes = sure_value(4096, SERVET_UNIT_BYTE),
                                    .granule_bytes = sure_value(4096, SERVET_UNIT_BYTE),
                                    .walk = sure_value(of->walk, SERVET_UNIT_SECOND),
                                    .pages_asked = 65536};
    servet_tlb each[2];
    for (int i = 0; i < 2; i++)
        each[i] = (servet_tlb){.entries = sure_value(of->entries[i], SERVET_UNIT_NONE),
                               .ways = sure_value(of->ways, SERVET_UNIT_NONE),
                               .reach_bytes = sure_value(of->reach[i], SERVET_UNIT_BYTE),
                               .latency = sure_value(of->miss[i], SERVET_UNIT_SECOND),
                               .confidence = 1};
    assert_ok(record_translation(profile, 0, 0, SERVET_PAGES_BASE, &all, each, 2, NULL));
}

TEST(contradictions_of_tlbs_are_marked)
{
    for (size_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++) {
        const servet_at at = {"default", 0};
        servet_profile *profile;
        servet_trust trust;
        store("", "\"schema\"", "\"schema\"");
        assert_ok(servet_profile_open(&profile, path, NULL));
        store_tlbs(profile, &tlbs[i]);
        assert_ok(servet_profile_reconcile(profile, NULL));
        are_marked(profile, tlbs[i].keys, tlbs[i].reason);
        assert_ok(servet_profile_trust(profile, &at, "translation.1.latency_ns", &trust, NULL));
        assert_true(trust.trusted);
        servet_profile_close(profile);
    }
}

/* A job of eight processes on a node with two layers: the latency of the second one, its groups. */
static const struct nested {
    double seconds;
    const char *groups[2];
    const char *keys[2], *reason;
} nested[] = {
    {2e-6, {"0:0-7"}, {NULL}, NULL},
    {5e-7,
     {"0:0-7"},
     {"layers.1.latency_us", "layers.2.latency_us"},
     "layers are listed from fast to slow: 1000 ns here, but 500 ns in "
     "network.layers.2.latency_us"},
    {2e-6,
     {"0:0-1,0:4-5", "0:2-3,0:6-7"},
     {"layers.1.groups", "layers.2.groups"},
     "a layer joins what faster ones join: no group of layer 2 has all of group 1 of layer 1"},
    {2e-6,
     {"0:0,0:2-7"},
     {"layers.1.groups", "layers.2.groups"},
     "a layer joins what faster ones join: no group of layer 2 has all of group 1 of layer 1"},
};

TEST(a_layer_joins_what_faster_ones_join)
{
    const servet_network about = {"layers", 1, 8, 1, 1024};
    const char *const node[] = {"a"}, *const near[] = {"0:0-3", "0:4-7"};
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
        servet_network_layer pair[2] = {
            {.latency = sure_value(1e-6, SERVET_UNIT_SECOND), .to = {0, 1}},
            {.latency = sure_value(nested[i].seconds, SERVET_UNIT_SECOND), .to = {0, 4}}};
        servet_profile *profile;
        int count = nested[i].groups[1] ? 2 : 1;
        for (int k = 0; k < 2; k++) {
            pair[k].bandwidth = sure_value(1e9, SERVET_UNIT_BYTE_PER_SECOND);
            pair[k].confidence = 1;
        }
        assert_ok(servet_profile_create(&profile, NULL));
        assert_ok(servet_profile_set_network(profile, &about, node, NULL));
        assert_ok(record_network_layers(profile, pair, 2, NULL));
        assert_ok(record_network_groups(profile, 1, near, 2, NULL));
        assert_ok(record_network_groups(profile, 2, nested[i].groups, count, NULL));
        assert_ok(servet_profile_reconcile(profile, NULL));
        are_marked(profile, nested[i].keys, nested[i].reason);
        servet_profile_close(profile);
    }
}

/* Values whose intervals meet, and those that are not trusted anyway, contradict nothing. */
TEST(noise_is_no_contradiction)
{
    const servet_at at = {"default", 0};
    servet_profile *profile;
    servet_trust trust;
    store("\"level\": 1,", "\"latency_ns\": {\"value\": 1.39, \"low\": 1.38, \"high\": 1.4",
          "\"latency_ns\": {\"value\": 5, \"low\": 4.4, \"high\": 6");
    assert_ok(servet_profile_open(&profile, path, NULL));
    assert_int_equal(servet_profile_trust(profile, &at, "caches.1.latency_ns", &trust, NULL), 0);
    assert_true(trust.trusted);
    servet_profile_close(profile);
}

/* A profile that was never in a file is checked in the same way. */
TEST(a_measured_profile_is_marked)
{
    servet_profile *profile;
    servet_trust trust;
    const servet_machine machine = {.cores = "0-1", .pu_count = 2};
    const servet_at at = {.node_class = "a", .core = SERVET_ANY_CORE};
    const servet_distance_layer layers[] = {
        {.latency = sure_value(2e-7, SERVET_UNIT_SECOND), .confidence = 1},
        {.latency = sure_value(4e-8, SERVET_UNIT_SECOND), .confidence = 1}};
    int class;
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "a", &machine, &class, NULL));
    assert_ok(record_distances(profile, class, layers, 2, NULL));
    assert_ok(servet_profile_reconcile(profile, NULL));
    assert_ok(servet_profile_trust(profile, &at, "distance.layers.1.latency_ns", &trust, NULL));
    assert_false(trust.trusted);
    servet_profile_close(profile);
}

TEST(a_marked_profile_opens_again)
{
    const servet_at at = {"default", 0};
    servet_profile *profile, *again;
    servet_trust trust;
    store(marked[0].after, marked[0].from, marked[0].to);
    assert_ok(servet_profile_open(&profile, path, NULL));
    assert_ok(servet_profile_write(profile, path, NULL));
    assert_ok(servet_profile_open(&again, path, NULL));
    assert_int_equal(servet_profile_trust(again, &at, "caches.1.latency_ns", &trust, NULL), 0);
    assert_false(trust.trusted);
    assert_string_equal(trust.reason, marked[0].reason);
    servet_profile_close(again);
    servet_profile_close(profile);
}
