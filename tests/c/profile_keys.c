/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys: what they print, and what is said where they print nothing. */
#include "test.h"
#include "profile_sample.h"

#include "core/units.h"
#include "profile/keys/keys.h"
#include "profile_fixture.h"

static const servet_at big = {"fat", 0}, thin = {"thin", SERVET_ANY_CORE};

static void prints(const char *key, const char *expected)
{
    profile_prints(profile, &big, key, expected);
}

static void fails(const servet_at *at, const char *key, int code, const char *what)
{
    servet_error error = SERVET_ERROR_INIT;
    char text[64] = "untouched";
    assert_int_equal(servet_profile_get(profile, at, key, text, sizeof text, &error), code);
    assert_string_equal(error.text, what);
    assert_string_equal(text, "untouched");
}

/* Is true if the pattern with some number for N and M is the key. */
static bool follows(const char *key, const char *pattern)
{
    for (; *key && *pattern; pattern++) {
        bool number = *pattern == 'N' || *pattern == 'M';
        if (!number && *key != *pattern)
            return false;
        key += number ? strspn(key, "0123456789") : 1;
    }
    return *key == *pattern;
}

TEST_EACH(profile_begin, profile_end)

TEST(every_key_prints_its_fact)
{
    for (size_t i = 0; i < sizeof sample_keys / sizeof *sample_keys; i++)
        prints(sample_keys[i].key, sample_keys[i].text);
    /* The lists have all patterns, except those that only what_was_not_measured() tests. */
    static const char *const unmeasured[] = {
        "memory.write",        "memory.write-nt",      "memory.threads.count", "memory.threads.N",
        "memory.requests_low", "memory.requests_high", "speed.integer",        "speed.memory"};
    char pattern[SERVET_NAME_MAX];
    const char *summary;
    for (int i = 0; servet_profile_key(i, pattern, sizeof pattern, &summary) == SERVET_OK; i++) {
        bool listed = false;
        for (size_t j = 0; j < sizeof sample_keys / sizeof *sample_keys; j++)
            listed = listed || follows(sample_keys[j].key, pattern);
        for (size_t j = 0; j < sizeof unmeasured / sizeof *unmeasured; j++)
            listed = listed || strcmp(unmeasured[j], pattern) == 0;
        assert_true(listed);
        assert_true(*summary != '\0');
    }
    assert_code(servet_profile_key(-1, pattern, sizeof pattern, NULL), SERVET_ERANGE);
    assert_code(servet_profile_key(0, pattern, strlen("kind.name"), NULL), SERVET_ERANGE);
    assert_ok(servet_profile_key(0, pattern, sizeof "kind.name", NULL));
    assert_string_equal(pattern, "kind.name");
}

enum { VISITED_MAX = 1024 };

typedef struct visited {
    char keys[VISITED_MAX][SRV_KEY_NAME_MAX];
    int count;
} visited;

static int note_key(void *context, const char *key)
{
    visited *all = context;
    assert_in_range(all->count, 0, VISITED_MAX - 1);
    assert_true(strlen(key) < SRV_KEY_NAME_MAX);
    strcpy(all->keys[all->count++], key);
    return 0;
}

static int times_visited(const visited *all, const char *key)
{
    int times = 0;
    for (int i = 0; i < all->count; i++)
        times += strcmp(all->keys[i], key) == 0;
    return times;
}

/* Answers for any number have no list of their own, and one number can be written in two ways. */
static bool has_a_place(const char *key)
{
    srv_request request = {.name = key};
    assert_true(srv_request_parse(&request));
    bool any_number = srv_key_is_computed(&request.key) && strpbrk(request.key.pattern, "NM");
    return !any_number &&
           request.aspect ==
               (request.key.derived ? request.key.derived->aspect : SRV_ASPECT_ESTIMATE) &&
           !strstr(key, ".0");
}

TEST(each_fact_is_visited_once)
{
    static visited all;
    char text[SERVET_TEXT_MAX];
    all.count = 0;
    assert_ok(servet_profile_each(profile, &big, note_key, &all, NULL));
    for (size_t i = 0; i < sizeof sample_keys / sizeof *sample_keys; i++)
        if (has_a_place(sample_keys[i].key) && times_visited(&all, sample_keys[i].key) != 1)
            fail_msg("%s", sample_keys[i].key);
    for (int i = 0; i < all.count; i++) {
        assert_int_equal(times_visited(&all, all.keys[i]), 1);
        assert_ok(servet_profile_get(profile, &big, all.keys[i], text, sizeof text, NULL));
    }
}

/* Computed keys are visited at the sizes, and numbers of messages, that were measured. */
TEST(computed_answers_are_visited_where_they_were_measured)
{
    static visited all;
    static const char *const measured[] = {"layers.1.time_us.1024", "layers.1.time_us.8192",
                                           "layers.1.aggregation_below.4"};
    all.count = 0;
    assert_ok(servet_profile_each(profile, &big, note_key, &all, NULL));
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (times_visited(&all, measured[i]) != 1)
            fail_msg("%s", measured[i]);
    assert_int_equal(times_visited(&all, "layers.1.time_us.2816"), 0); /* between two sizes */
}

static int stop_at_second(void *context, const char *key)
{
    int *count = context;
    (void)key;
    return ++*count == 2 ? 17 : 0;
}

TEST(a_visit_ends_the_visits)
{
    int count = 0;
    const servet_at nowhere = {"slim", SERVET_ANY_CORE};
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(servet_profile_each(profile, &big, stop_at_second, &count, NULL), 17);
    assert_int_equal(count, 2);
    assert_code(servet_profile_each(profile, &nowhere, stop_at_second, &count, &error),
                SERVET_ERANGE);
    assert_string_equal(error.text, "the profile has no node class 'slim', only fat, thin");
    assert_int_equal(count, 2);
}

TEST(types_of_answers)
{
    static const struct {
        const char *key;
        servet_key_type type;
    } rows[] = {
        {"caches.1.bytes", SERVET_KEY_VALUE},
        {"caches.1.low", SERVET_KEY_NUMBER},
        {"caches.1.bytes.high", SERVET_KEY_NUMBER},
        {"caches.count", SERVET_KEY_NUMBER},
        {"run.seed", SERVET_KEY_NUMBER},
        {"caches.1.confidence", SERVET_KEY_NUMBER},
        {"layers.1.between_nodes", SERVET_KEY_TRUTH},
        {"caches.1.bytes.trusted", SERVET_KEY_TRUTH},
        {"caches.1.verdict", SERVET_KEY_TEXT},
        {"machine.hostname", SERVET_KEY_TEXT},
        {"class.node.1", SERVET_KEY_TEXT},
        {"layers.1.from", SERVET_KEY_TEXT},
        {"caches.1.bytes.reason", SERVET_KEY_TEXT},
        {"caches.1.groups", SERVET_KEY_LINES},
        {"layers.1.groups", SERVET_KEY_LINES},
        {"memory.single.modes", SERVET_KEY_LINES},
        {"machine.cores", SERVET_KEY_TEXT},
        {"memory.levels.1.scaling.4", SERVET_KEY_VALUE},
    };
    servet_error error = SERVET_ERROR_INIT;
    servet_key_type type;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(servet_profile_key_type(rows[i].key, &type, NULL));
        assert_int_equal(type, rows[i].type);
    }
    assert_code(servet_profile_key_type("caches.1.byts", &type, &error), SERVET_EKEY);
    assert_string_equal(error.text, "unknown key caches.1.byts; the nearest one is caches.N.bytes");
}

/* 75 % and 150 % of an estimate are its interval (network_value(), sample_value()). */
TEST(parts_of_values)
{
    prints("layers.1.latency_us.low", "1.875");
    prints("layers.1.latency_us.high", "3.75");
    prints("layers.1.latency_us.samples", "21");
    prints("layers.1.latency_us.method", "timed");
    prints("layers.1.latency_us.trusted", "yes");
    prints("layers.1.points.3.time_us.trusted", "no");
    prints("layers.1.time_us.2816.method", "interpolated");
    prints("caches.1.bytes.high", "61440");
    prints("memory.single.low", "3005250000");
    fails(&big, "memory.write.trusted", SERVET_EUNMEASURED, "memory.write.trusted: not measured");
    fails(&big, "caches.count.low", SERVET_EKEY,
          "unknown key caches.count.low; the nearest one is caches.count");
    fails(&big, "caches.1.bytes.mean", SERVET_EKEY,
          "unknown key caches.1.bytes.mean; the nearest one is caches.N.bytes");
    fails(&big, "caches.1.bytes.", SERVET_EKEY,
          "unknown key caches.1.bytes.; the nearest one is caches.N.bytes");
}

TEST(sizes_are_whole_bytes)
{
    servet_cache cache = sample_cache(1);
    servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    cache.bytes =
        (servet_value){2097151.6, 2e6, 1e15, 9, SERVET_UNIT_BYTE, SERVET_METHOD_TIMED, true};
    assert_ok(record_caches(profile, 0, 0, &cache, 1, &unknown, NULL));
    prints("caches.1.bytes", "2097152");
    prints("caches.1.low", "2000000");
    prints("caches.1.high", "1000000000000000");
}

/* The whole message where the benchmark of the fact was not finished, and where it was. */
TEST(what_was_not_measured)
{
    const servet_at little = {"fat", 8};
    static const char *const of_big[] = {
        "caches.2.reported",   "caches.2.groups",      "memory.write",
        "memory.write-nt",     "caches.2.requests",    "memory.requests_low",
        "caches.1.chains.3",   "memory.requests_high", "memory.threads.count",
        "memory.threads.1",    "numa.3.bandwidth.1",   "memory.levels.2.saturation",
        "layers.3.groups",     "layers.2.time_us.8",   "caches.2.sharing.verdict",
        "layers.2.slowdown.2", "speed.integer",        "speed.memory"};
    static const char *const of_thin[] = {"caches.count", "caches.1.bytes",    "memory.latency_ns",
                                          "numa.count",   "memory.saturation", "coherence_line",
                                          "memory.single"};
    for (size_t i = 0; i < sizeof of_big / sizeof *of_big; i++)
        prints(of_big[i], NULL);
    for (size_t i = 0; i < sizeof of_thin / sizeof *of_thin; i++)
        profile_prints(profile, &thin, of_thin[i], NULL);
    fails(&big, "caches.2.latency_cycles", SERVET_EUNMEASURED,
          "caches.2.latency_cycles: not measured");
    fails(&little, "memory.latency_ns", SERVET_EUNMEASURED, "memory.latency_ns: not measured");
    fails(&big, "distance.layers.3.groups", SERVET_EUNMEASURED,
          "distance.layers.3.groups: not measured (unfinished: distance)");
}

TEST(out_of_range)
{
    const servet_at thick = {"thick", SERVET_ANY_CORE}, far = {"fat", 5}, little = {"fat", 8};
    fails(&big, "caches.4.bytes", SERVET_ERANGE,
          "caches.4.bytes: cache levels must be between 1 and 3");
    fails(&big, "caches.0.line", SERVET_ERANGE,
          "caches.0.line: cache levels must be between 1 and 3");
    fails(&big, "caches.99999999999999999999.line", SERVET_ERANGE,
          "caches.99999999999999999999.line: cache levels must be between 1 and 3");
    fails(&big, "memory.levels.1.scaling.5", SERVET_ERANGE,
          "memory.levels.1.scaling.5: numbers of cores must be between 1 and 4");
    fails(&big, "layers.4.bandwidth", SERVET_ERANGE,
          "layers.4.bandwidth: layers must be between 1 and 3");
    fails(&big, "layers.4.time_us.8", SERVET_ERANGE,
          "layers.4.time_us.8: beyond what was measured");
    fails(&big, "network.distance_ratio.6", SERVET_ERANGE,
          "network.distance_ratio.6: beyond what was measured");
    fails(&big, "network.access_ratio.0", SERVET_ERANGE,
          "network.access_ratio.0: beyond what was measured");
    fails(&little, "caches.1.bytes", SERVET_ERANGE,
          "caches.1.bytes: the profile has no cache levels");
    fails(&thick, "caches.count", SERVET_ERANGE,
          "the profile has no node class 'thick', only fat, thin");
    fails(&far, "caches.count", SERVET_ERANGE, "node class 'fat' has no core 5");
    char text[5];
    assert_code(servet_profile_get(profile, &big, "caches.1.bytes", text, 5, NULL), SERVET_ERANGE);
    assert_ok(servet_profile_get(profile, &big, "caches.1.latency_ns", text, 5, NULL));
    char groups[8];
    for (size_t size = 1; size < 8; size++)
        assert_code(servet_profile_get(profile, &big, "caches.1.groups", groups, size, NULL),
                    SERVET_ERANGE);
    assert_ok(servet_profile_get(profile, &big, "caches.1.groups", groups, 8, NULL));
}

TEST(unknown_keys_name_the_nearest)
{
    static const struct {
        const char *key, *nearest;
    } cases[] = {
        {"caches.2.byte", "caches.N.bytes"},
        {"caches.2.latency", "caches.N.latency_ns"},
        {"cache.count", "caches.count"},
        {"caches.count.", "caches.count"},
        {"caches.-1.bytes", "caches.N.bytes"},
        {"caches..bytes", "caches.N.bytes"},
        {"machine.cpus", "machine.cpu"},
        {"run.sed", "run.seed"},
        {"memory", "memory.latency_ns"},
        {"Schema", "schema"},
        {"caches.N.bytes", "caches.N.bytes"},
        {"mach", "machine.hostname"},
        {"numa.1.latency_ns", "numa.N.latency_ns.M"},
        {"coherence.line", "coherence_line"},
        {"layers.1.latency_ns", "layers.N.latency_us"},
        {"network.distance.3", "network.distance.N.at"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "unknown key %s; the nearest one is %s", cases[i].key,
                 cases[i].nearest);
        fails(&big, cases[i].key, SERVET_EKEY, expected);
    }
    char endless[5000], text[8];
    memset(endless, '7', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_code(servet_profile_get(profile, &big, endless, text, sizeof text, NULL), SERVET_EKEY);
    assert_code(servet_profile_get(profile, &big, "", text, sizeof text, NULL), SERVET_EKEY);
}

TEST(of_an_empty_profile)
{
    servet_profile *empty;
    char text[16];
    assert_ok(servet_profile_create(&empty, NULL));
    assert_code(servet_profile_get(empty, NULL, "caches.count", text, 16, NULL), SERVET_ERANGE);
    profile_prints(empty, NULL, "classes.count", "0");
    profile_prints(empty, NULL, "run.clock", NULL);
    profile_prints(empty, NULL, "layers.count", NULL);
    profile_prints(empty, NULL, "network.access_ratio.2", NULL);
    profile_prints(empty, NULL, "network.access_ratio.count", NULL);
    servet_profile_close(empty);
}

/* The key of a value that is neither a ratio nor bytes ends with its unit, except for a number that
 * follows. */
static bool says_unit(const srv_key *key, void *context)
{
    static const struct {
        servet_unit unit;
        const char *endings[2];
    } said[] = {
        {SERVET_UNIT_CYCLE, {"_cycles", "_cycles"}}, {SERVET_UNIT_HERTZ, {"_hz", "_hz"}},
        {SERVET_UNIT_SECOND, {"_s", "_s"}},          {SRV_UNIT_MICROSECOND, {"_us", "_us"}},
        {SRV_UNIT_NANOSECOND, {"_ns", "_ns.M"}},
    };
    const char *unit = strrchr(key->pattern, '_');
    int *times = context;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (key->type != SRV_VALUE || key->derived || key->field->unit != said[i].unit)
            continue;
        if (!unit || (strcmp(unit, said[i].endings[0]) && strcmp(unit, said[i].endings[1])))
            fail_msg("%s does not say its unit", key->pattern);
        ++*times;
    }
    return true;
}

TEST(keys_of_times_say_their_unit)
{
    int times = 0;
    (void)srv_keys_walk(says_unit, &times);
    assert_true(times > 5);
}

TEST(names_of_verdicts)
{
    assert_string_equal(servet_verdict_name(SERVET_VERDICT_AGREES), "agrees");
    assert_string_equal(servet_verdict_name(SERVET_VERDICT_DIFFERS), "differs");
    assert_string_equal(servet_verdict_name(SERVET_VERDICT_NOT_VISIBLE), "not visible");
    assert_string_equal(servet_verdict_name(SERVET_VERDICT_NOT_COMPARABLE), "not comparable");
    assert_string_equal(servet_verdict_name((servet_verdict)77), "?");
    assert_string_equal(servet_verdict_name((servet_verdict)-1), "?");
}
