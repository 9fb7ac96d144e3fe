/* SPDX-License-Identifier: BSD-3-Clause */
/* Each answer says whether it is to be trusted: counts, groups, words and numbers, too; and a
 * profile that answers what is trusted only has no others. */
#include "test.h"
#include "profile_sample.h"

#include <math.h>
#include "../record.h"

#define NOISE "other work took 51 % of the core's time"

static servet_profile *profile;
static const servet_at big = {"fat", 0};

static int set_up(void **state)
{
    (void)state;
    return sample_profile(&profile, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    servet_profile_close(profile);
    return 0;
}

static void distrust(const char *facts)
{
    assert_int_equal(servet_profile_distrust(profile, 0, facts, NOISE, NULL), SERVET_OK);
}

static servet_trust trust_in(const char *key)
{
    servet_trust trust;
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_trust(profile, &big, key, &trust, &error) != SERVET_OK)
        fail_msg("%s: %s", key, error.text);
    return trust;
}

static void trusted(const char *key)
{
    servet_trust trust = trust_in(key);
    if (!trust.trusted || *trust.reason)
        fail_msg("%s is not trusted: %s", key, trust.reason);
}

static void doubted(const char *key)
{
    servet_trust trust = trust_in(key);
    if (trust.trusted || strcmp(trust.reason, NOISE) != 0)
        fail_msg("%s: reason %s", key, trust.reason);
}

static void prints(const char *key, const char *expected)
{
    char text[SERVET_TEXT_MAX];
    assert_int_equal(servet_profile_get(profile, &big, key, text, sizeof text, NULL), SERVET_OK);
    assert_string_equal(text, expected);
}

/* --- by keys ---------------------------------------------------------------------------------- */

static void a_quiet_profile(void **state)
{
    (void)state;
    trusted("memory.levels.count");
    trusted("caches.1.groups");
    trusted("memory.saturation");
    trusted("caches.1.bytes");
    trusted("layers.count");
    prints("memory.levels.count.trusted", "yes");
    prints("memory.levels.count.reason", "");
    prints("caches.1.confidence", "0.6");
    prints("caches.1.groups.confidence",
           "0.6"); /* of the level, which is less than its sharing's */
    prints("distance.layers.count.confidence", "0.625"); /* that of the least sure one */
    prints("caches.3.bytes.confidence", "0.8");
    assert_true(isnan(trust_in("memory.levels.count").confidence));
}

/* The run that was told of: 51 % noise, and no two cores that slow each other down. */
static void no_levels_at_all(void **state)
{
    (void)state;
    assert_int_equal(record_memory_levels(profile, 0, NULL, 0, NULL), SERVET_OK);
    distrust("memory.levels memory.saturation");
    prints("memory.levels.count", "0");
    prints("memory.levels.count.trusted", "no");
    prints("memory.levels.count.reason", NOISE);
    doubted("memory.saturation");
    trusted("distance.layers.count");
}

static void all_in_a_member(void **state)
{
    (void)state;
    distrust("memory.levels kinds.caches.groups kinds.caches.sharing");
    doubted("memory.levels.count");
    doubted("memory.levels.1.groups");
    doubted("memory.levels.1.saturation");
    doubted("memory.levels.2.verdict");
    doubted("memory.levels.1.bandwidth");
    doubted("memory.levels.1.scaling.2");
    doubted("caches.1.groups");
    doubted("caches.1.sharing.verdict");
    trusted("memory.levels.1.scaling.count"); /* a count of measurements */
    trusted("caches.1.bytes");
    trusted("caches.1.verdict");
    trusted("caches.count");
    trusted("memory.saturation");
}

static void an_item_and_a_count(void **state)
{
    (void)state;
    distrust("distance.layers.2 memory.levels.count network.layers.2.aggregation "
             "network.layers.1.points");
    doubted("distance.layers.2.groups");
    doubted("distance.layers.2.latency_ns");
    trusted("distance.layers.1.groups");
    trusted("distance.layers.count");
    doubted("memory.levels.count");
    trusted("memory.levels.1.groups");
    doubted("layers.1.time_us.1024"); /* from a curve, at a point and between two */
    doubted("layers.1.time_us.2816");
    doubted("layers.1.points.1.time_us");
    trusted("layers.1.latency_us");
    trusted("layers.1.aggregation.1.below");
}

/* A doubted confidence is reported as 0.5 at most. */
static void confidence_falls(void **state)
{
    (void)state;
    distrust("distance.layers kinds.caches.sharing kinds.caches.groups");
    prints("distance.layers.1.confidence", "0.5");
    prints("caches.1.sharing.confidence", "0.5");
    prints("caches.1.groups.confidence", "0.5");
    prints("caches.3.confidence", "0.8");
}

/* In the sample, only the sets are counted by conflicts: this makes the sizes counted, too. */
static void values_counted_by_conflicts_stay_trusted(void **state)
{
    (void)state;
    servet_cache caches[2] = {sample_cache(1), sample_cache(2)};
    servet_value memory = sample_memory();
    caches[0].bytes.method = SERVET_METHOD_CONFLICT;
    assert_int_equal(record_caches(profile, 0, 0, caches, 2, &memory, NULL), SERVET_OK);
    distrust("kinds.caches.count kinds.caches.bytes kinds.caches.verdict kinds.caches.confidence");
    trusted("caches.1.bytes");
    trusted("caches.1.verdict");
    assert_float_equal(trust_in("caches.1.verdict").confidence, caches[0].confidence, 0);
    doubted("caches.2.bytes");
    doubted("caches.2.verdict");
    doubted("caches.count"); /* there may be another one */
    assert_float_equal(trust_in("caches.2.verdict").confidence, 0.5, 0);
}

static void other_reasons(void **state)
{
    (void)state;
    servet_coherence coherence = sample_coherence();
    const servet_sharing unsure = {.confidence = 0.4, .verdict = SERVET_VERDICT_DIFFERS};
    coherence.reported.trusted = false;
    assert_int_equal(record_coherence(profile, 0, &coherence, NULL), SERVET_OK);
    assert_int_equal(record_cache_groups(profile, 0, 0, 1, sample_groups, 3, &unsure, NULL),
                     SERVET_OK);
    assert_string_equal(trust_in("coherence_reported").reason,
                        "only reported by the operating system");
    trusted("coherence_line");
    assert_string_equal(trust_in("caches.1.groups").reason, "confidence of 40 %");
    assert_string_equal(trust_in("layers.1.time_us.9000").reason,
                        "beyond what was measured, or between values not trusted");
    assert_string_equal(trust_in("layers.1.time_us.8192").reason,
                        "the measurements do not determine it");
}

static void what_is_not_there(void **state)
{
    (void)state;
    servet_trust trust;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(servet_profile_trust(profile, &big, "cashes.count", &trust, &error),
                     SERVET_EKEY);
    assert_int_equal(servet_profile_trust(profile, &big, "caches.2.groups", &trust, NULL),
                     SERVET_EUNMEASURED);
    assert_int_equal(servet_profile_trust(profile, &big, "caches.4.bytes", &trust, NULL),
                     SERVET_ERANGE);
    assert_int_equal(
        servet_profile_trust(profile, &big, "memory.levels.2.saturation", &trust, NULL),
        SERVET_EUNMEASURED);
    char text[64];
    assert_int_equal(servet_profile_get(profile, &big, "memory.levels.count.confidence", text,
                                        sizeof text, NULL),
                     SERVET_EUNMEASURED);
    assert_int_equal(
        servet_profile_get(profile, &big, "memory.levels.count.low", text, sizeof text, NULL),
        SERVET_EKEY);
}

/* --- structs ---------------------------------------------------------------------------------- */

/* Queries all that have a `trusted`; each is as expected. */
static void structs_are(bool expected)
{
    servet_cache cache;
    servet_sharing sharing;
    servet_coherence coherence;
    servet_distance_layer distance;
    servet_memory_level level;
    servet_saturation advice;
    servet_translation translation;
    servet_tlb tlb;
    servet_concurrency loads;
    servet_network_layer layer;
    servet_aggregation range;
    servet_batch measured, between;
    servet_ratio ratio;
    const struct {
        int code;
        const bool *trusted;
    } all[] = {
        {servet_cache_get(profile, &big, 1, &cache), &cache.trusted},
        {servet_cache_sharing(profile, &big, 1, &sharing), &sharing.trusted},
        {servet_coherence_get(profile, &big, &coherence), &coherence.trusted},
        {servet_distance_layer_get(profile, &big, 2, &distance), &distance.trusted},
        {servet_memory_level_get(profile, &big, 1, &level), &level.trusted},
        {servet_memory_saturation_of(profile, &big, &advice), &advice.trusted},
        {servet_translation_get(profile, &big, SERVET_PAGES_BASE, &translation),
         &translation.trusted},
        {servet_tlb_get(profile, &big, SERVET_PAGES_HUGE, 1, &tlb), &tlb.trusted},
        {servet_concurrency_get(profile, &big, 1, &loads), &loads.trusted},
        {servet_network_layer_get(profile, 1, &layer), &layer.trusted},
        {SERVET_ITEM(profile, "network.layers.aggregation", &range, 1, 1), &range.trusted},
        {SERVET_ITEM(profile, "network.layers.batches", &measured, 1, 1), &measured.trusted},
        {servet_network_aggregate(profile, 1, 64, 3, &between), &between.trusted},
        {servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, 2, &ratio), &ratio.trusted},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(all[i].code, SERVET_OK);
        if (*all[i].trusted != expected)
            fail_msg("struct %zu: trusted %d", i, *all[i].trusted);
    }
}

#define EVERYTHING                                                                                 \
    "kinds.caches kinds.translation kinds.translation_huge coherence distance.layers "             \
    "memory.levels "                                                                               \
    "memory.saturation network.layers network.access"

static void structs_say_it(void **state)
{
    (void)state;
    structs_are(true);
    distrust(EVERYTHING);
    structs_are(false);
}

/* --- trusted only ----------------------------------------------------------------------------- */

static void refused(int code)
{
    assert_int_equal(code, SERVET_EUNTRUSTED);
}

static void nothing_doubtful_is_answered(void **state)
{
    (void)state;
    char text[64] = "as it was";
    const char *cores;
    int number = -1, some[4];
    servet_value value;
    servet_cache cache;
    servet_concurrency loads;
    servet_ratio ratio;
    servet_saturation advice;
    servet_error error = SERVET_ERROR_INIT;
    distrust(EVERYTHING " memory.bandwidth memory.scaling kinds.memory.latency_ns");
    servet_profile_trusted_only(profile, true);
    refused(servet_profile_get(profile, &big, "memory.levels.count", text, sizeof text, &error));
    assert_string_equal(error.text, "memory.levels.count: not trusted: " NOISE);
    assert_string_equal(text, "as it was");
    refused(servet_profile_get(profile, &big, "layers.1.time_us.64", text, sizeof text, NULL));
    refused(servet_cache_count(profile, &big, &number));
    refused(servet_cache_get(profile, &big, 1, &cache));
    refused(servet_cache_group_count(profile, &big, 1, &number));
    refused(servet_cache_group(profile, &big, 1, 0, &cores));
    refused(servet_cache_group_of(profile, &big, 1, &number));
    refused(servet_memory_latency(profile, &big, &value));
    refused(servet_distance_layer_of(profile, &big, 1, &number));
    refused(servet_distance_nearest(profile, &big, some, 4, &number));
    refused(servet_memory_single(profile, &big, &value));
    refused(servet_memory_bandwidth(profile, &big, SERVET_KERNEL_READ, &value));
    refused(servet_memory_scaling(profile, &big, 0, 1, &value));
    refused(servet_memory_saturation(profile, &big, &number));
    refused(servet_memory_saturation_of(profile, &big, &advice));
    refused(servet_concurrency_get(profile, &big, 1, &loads));
    refused(servet_network_layer_count(profile, &number));
    refused(servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 1}, &number));
    refused(servet_network_group_of(profile, 1, (servet_place){0, 0}, &number));
    refused(servet_network_time(profile, 1, 1, &value));
    refused(servet_network_slowdown(profile, 1, 64, 2, &value));
    refused(servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, 2, &ratio));
    assert_int_equal(number, -1);
    prints("memory.levels.count.trusted", "no"); /* of trust itself there is always an answer */
    doubted("layers.1.time_us.64");
}

static void trusted_facts_are_answered(void **state)
{
    (void)state;
    int number;
    servet_profile_trusted_only(profile, true);
    structs_are(true);
    prints("memory.levels.count", "2");
    assert_int_equal(servet_cache_group_of(profile, &big, 1, &number), SERVET_OK);
    servet_profile_trusted_only(profile, false);
    distrust(EVERYTHING);
    prints("memory.levels.count", "2");
}

/* --- worked out when a profile is opened ------------------------------------------------------ */

enum { ANSWERS = 32 };

/* The code of a query, and whether its answer is trusted. */
typedef struct answers {
    int count, code[ANSWERS];
    bool trusted[ANSWERS];
} answers;

static void add(answers *to, int code, bool is_trusted)
{
    assert_in_range(to->count, 0, ANSWERS - 1);
    to->code[to->count] = code;
    to->trusted[to->count++] = code == SERVET_OK && is_trusted;
}

/* The effect of marks of lists, of their numbers and of their items, with more than one item each.
 */
static answers answers_of(const servet_profile *of)
{
    answers to = {.count = 0};
    int number;
    servet_saturation advice = {.trusted = false};
    servet_sharing sharing = {.trusted = false};
    servet_tlb tlb = {.trusted = false};
    servet_message point;
    for (int i = 1; i <= 2; i++) {
        servet_cache cache = {.trusted = false};
        servet_distance_layer distance = {.trusted = false};
        servet_memory_level level = {.trusted = false};
        servet_network_layer layer = {.trusted = false};
        add(&to, servet_cache_get(of, &big, i, &cache), cache.trusted);
        add(&to, servet_cache_group_count(of, &big, i, &number), true);
        add(&to, servet_cache_group_of(of, &big, i, &number), true);
        add(&to, servet_distance_layer_get(of, &big, i, &distance), distance.trusted);
        add(&to, servet_distance_group_of(of, &big, i, &number), true);
        add(&to, servet_memory_level_get(of, &big, i, &level), level.trusted);
        add(&to, servet_memory_group_count(of, &big, i, &number), true);
        add(&to, servet_network_layer_get(of, i, &layer), layer.trusted);
        add(&to, servet_network_group_count(of, i, &number), true);
        add(&to, SERVET_ITEM(of, "network.layers.points", &point, i, 2), true);
    }
    add(&to, servet_cache_count(of, &big, &number), true);
    add(&to, servet_cache_sharing(of, &big, 1, &sharing), sharing.trusted);
    add(&to, servet_tlb_get(of, &big, SERVET_PAGES_HUGE, 1, &tlb), tlb.trusted);
    add(&to, servet_memory_level_count(of, &big, &number), true);
    add(&to, servet_memory_saturation(of, &big, &number), true);
    add(&to, servet_memory_saturation_of(of, &big, &advice), advice.trusted);
    add(&to, servet_network_layer_count(of, &number), true);
    return to;
}

static void same_answers(servet_profile *a, servet_profile *b, const char *facts)
{
    for (int only = 0; only < 2; only++) {
        servet_profile_trusted_only(a, only);
        servet_profile_trusted_only(b, only);
        const answers of_a = answers_of(a), of_b = answers_of(b);
        for (int i = 0; i < of_a.count; i++)
            if (of_a.code[i] != of_b.code[i] || of_a.trusted[i] != of_b.trusted[i])
                fail_msg("%s: answer %d is %d (trusted %d), and %d (%d) once opened", facts, i,
                         of_a.code[i], of_a.trusted[i], of_b.code[i], of_b.trusted[i]);
    }
}

/* Each doubt concerns one list, one item of it, or their number. */
static const char *const single_facts[] = {
    "kinds.caches.count",   "kinds.caches.2",         "kinds.1.caches.1.groups",
    "kinds.caches.sharing", "distance.layers.2",      "distance.layers.1.groups",
    "memory.levels.count",  "memory.levels.2.groups", "memory.saturation",
    "memory.levels.1",      "memory.scaling",         "kinds.translation_huge",
    "network.layers.2",     "network.layers.groups",  "network.layers.1.points",
    "network.layers.count",
};

static void an_opened_profile_gives_the_same_answers(void **state)
{
    char path[TEST_PATH_MAX];
    sample_path(path);
    for (size_t i = 0; i < sizeof single_facts / sizeof *single_facts; i++) {
        servet_profile *opened;
        tear_down(state);
        set_up(state);
        distrust(single_facts[i]);
        assert_int_equal(servet_profile_write(profile, path, NULL), SERVET_OK);
        assert_int_equal(servet_profile_open(&opened, path, NULL), SERVET_OK);
        same_answers(profile, opened, single_facts[i]);
        servet_profile_close(opened);
    }
    assert_int_equal(sample_remove(path), 0);
}

static void a_change_of_an_opened_profile_counts(void **state)
{
    (void)state;
    char path[TEST_PATH_MAX];
    servet_cache cache;
    sample_path(path);
    assert_int_equal(servet_profile_write(profile, path, NULL), SERVET_OK);
    servet_profile_close(profile);
    assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
    assert_int_equal(servet_cache_get(profile, &big, 1, &cache), SERVET_OK);
    assert_true(cache.trusted);
    distrust("kinds.caches");
    assert_int_equal(servet_cache_get(profile, &big, 1, &cache), SERVET_OK);
    assert_false(cache.trusted);
    assert_int_equal(sample_remove(path), 0);
}

/* --- in the file ------------------------------------------------------------------------------ */

static void doubts_are_stored(void **state)
{
    (void)state;
    char path[TEST_PATH_MAX];
    sample_path(path);
    distrust("memory.levels network.layers.count");
    assert_int_equal(servet_profile_write(profile, path, NULL), SERVET_OK);
    servet_profile_close(profile);
    assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
    doubted("memory.levels.count");
    doubted("layers.count");
    trusted("layers.1.groups");
    assert_int_equal(sample_remove(path), 0);
}

/* Said again, a doubt has its last reason. */
static void a_doubt_stands_once(void **state)
{
    (void)state;
    distrust("distance.layers");
    assert_int_equal(servet_profile_distrust(profile, 0, "distance.layers", "it was late", NULL),
                     SERVET_OK);
    assert_string_equal(trust_in("distance.layers.count").reason, "it was late");
}

int main(void)
{
#undef TEST
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_quiet_profile),
        TEST(no_levels_at_all),
        TEST(all_in_a_member),
        TEST(an_item_and_a_count),
        TEST(confidence_falls),
        TEST(values_counted_by_conflicts_stay_trusted),
        TEST(other_reasons),
        TEST(what_is_not_there),
        TEST(structs_say_it),
        TEST(nothing_doubtful_is_answered),
        TEST(trusted_facts_are_answered),
        TEST(an_opened_profile_gives_the_same_answers),
        TEST(a_change_of_an_opened_profile_counts),
        TEST(doubts_are_stored),
        TEST(a_doubt_stands_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
