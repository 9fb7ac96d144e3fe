/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever advice says of a profile is what the queries answer: for the profiles in tests/data, all
 * models, and profiles that are generated. */
#include "test.h"

#include <ctype.h>
#include <dirent.h>

#include "core/human.h"
#include "known_node.h"
#include "map_machine.h"
#include "servet/advice.h"
#include "servet/network.h"
#include "servet/node.h"
#include "machine/model/random.h"

enum { ADVICE_MAX = 64, CORES_MAX = 4096 };

static servet_advice list[ADVICE_MAX];

/* --- one advice against the queries -----------------------------------------------------------
 */

/* The text has the number as a word of its own. */
static void says(const servet_advice *advice, const char *number)
{
    size_t length = strlen(number);
    for (const char *at = advice->text; (at = strstr(at, number)); at++)
        if ((at == advice->text || at[-1] == ' ') && !isalnum((unsigned char)at[length]))
            return;
    print_error("'%s' is not in '%s'\n", number, advice->text);
    fail();
}

static void says_bytes(const servet_advice *advice, double bytes)
{
    char text[HUMAN_MAX];
    assert_float_equal(advice->value.value, bytes, 1e-9 * bytes);
    human_bytes(bytes, text);
    says(advice, text);
}

static void says_count(const servet_advice *advice, int count)
{
    char text[16];
    assert_true(advice->value.value == count);
    snprintf(text, sizeof text, "%d", count);
    says(advice, count == 2 && strstr(advice->text, "both PUs") ? "both" : text);
}

static void check_block(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_block block;
    servet_cache cache;
    assert_int_equal(servet_cache_block(profile, at, advice->level, 1, 1, 0, &block), SERVET_OK);
    assert_int_equal(servet_cache_get(profile, at, advice->level, &cache), SERVET_OK);
    says_bytes(advice, block.bytes);
    assert_false(block.emptied);
    assert_int_equal(advice->trusted, block.trusted);
    assert_true(!servet_value_known(&cache.bytes) || block.bytes <= cache.bytes.value);
}

/* A level that others empty has a block if it is named, but the block is never trusted. */
static void check_no_block(const servet_profile *profile, const servet_at *at,
                           const servet_advice *advice)
{
    servet_block block;
    assert_int_equal(servet_cache_block(profile, at, advice->level, 1, 1, 0, &block), SERVET_OK);
    assert_true(block.emptied);
    assert_false(block.trusted);
    if (servet_cache_block(profile, at, 0, 1, 1, 0, &block) == SERVET_OK)
        assert_int_not_equal(block.level, advice->level);
}

static void check_threads(const servet_profile *profile, const servet_at *at,
                          const servet_advice *advice)
{
    static int all[CORES_MAX], cores[CORES_MAX];
    servet_machine machine;
    char text[SERVET_CORES_MAX];
    int count, threads;
    assert_int_equal(servet_profile_machine(profile, at, &machine), SERVET_OK);
    assert_int_equal(servet_cores_from_text(machine.cores, all, CORES_MAX, &count), SERVET_OK);
    assert_int_equal(
        servet_thread_room(profile, at, SERVET_POLICY_MEMORY, all, count, &threads, NULL, NULL),
        SERVET_OK);
    says_count(advice, threads);
    assert_int_equal(servet_thread_place(profile, at, SERVET_POLICY_MEMORY, all, count, cores,
                                         threads, NULL, NULL),
                     SERVET_OK);
    assert_int_equal(servet_cores_to_text(cores, threads, text, sizeof text), SERVET_OK);
    assert_string_equal(advice->cores, text);
}

static void check_loads(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_concurrency loads;
    assert_int_equal(servet_concurrency_get(profile, at, 0, &loads), SERVET_OK);
    says_count(advice, loads.requests);
}

static void check_padding(const servet_profile *profile, const servet_at *at,
                          const servet_advice *advice)
{
    servet_coherence coherence;
    assert_int_equal(servet_coherence_get(profile, at, &coherence), SERVET_OK);
    says_bytes(advice, coherence.line.value);
}

static void check_pages(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_tlb tlb;
    int levels;
    assert_int_equal(servet_tlb_count(profile, at, SERVET_PAGES_BASE, &levels), SERVET_OK);
    assert_int_equal(servet_tlb_get(profile, at, SERVET_PAGES_BASE, levels, &tlb), SERVET_OK);
    says_bytes(advice, tlb.reach_bytes.value);
}

typedef void check(const servet_profile *profile, const servet_at *at, const servet_advice *advice);

static check *const checks[SERVET_ADVICE_COUNT] = {
    [SERVET_ADVICE_BLOCK] = check_block,     [SERVET_ADVICE_NO_BLOCK] = check_no_block,
    [SERVET_ADVICE_THREADS] = check_threads, [SERVET_ADVICE_LOADS] = check_loads,
    [SERVET_ADVICE_PADDING] = check_padding, [SERVET_ADVICE_PAGES] = check_pages,
};

/* A text is a sentence without its full stop; a doubt has its reason; facts are keys. */
static void check_form(const servet_profile *profile, const servet_at *at,
                       const servet_advice *advice)
{
    char key[SERVET_NAME_MAX];
    servet_trust trust;
    assert_true(*advice->text && advice->text[strlen(advice->text) - 1] != '.');
    assert_true(*advice->why && strlen(advice->why) < sizeof advice->why - 1);
    assert_int_equal(advice->trusted, !*advice->doubt);
    assert_true(advice->trusted || !advice->value.trusted);
    assert_true(*advice->facts);
    assert_int_equal(sscanf(advice->facts, "%63s", key), 1);
    assert_int_equal(servet_profile_trust(profile, at, key, &trust, NULL), SERVET_OK);
}

/* All advice for a class, each core type by one of its cores. */
static int check_all(const servet_profile *profile, const servet_at *at)
{
    int count = -1, again = -1;
    assert_int_equal(servet_advise(profile, at, SERVET_ADVICE_FOR_NODE, NULL, 0, &count),
                     SERVET_OK);
    assert_in_range(count, 0, ADVICE_MAX);
    assert_int_equal(servet_advise(profile, at, SERVET_ADVICE_FOR_NODE, list, count, &again),
                     SERVET_OK);
    assert_int_equal(again, count);
    for (int i = 0; i < count; i++) {
        check_form(profile, at, &list[i]);
        if (checks[list[i].topic])
            checks[list[i].topic](profile, at, &list[i]);
    }
    return count;
}

static int check_profile(const servet_profile *profile)
{
    servet_kind kind;
    int count = 0;
    for (int i = 0; i < servet_profile_class_count(profile); i++) {
        servet_at at = {.node_class = servet_profile_class_name(profile, i)};
        for (int k = 0; servet_kind_get(profile, &at, k, &kind) == SERVET_OK; k++) {
            at.core = atoi(kind.cores);
            count += check_all(profile, &at);
        }
    }
    return count;
}

/* --- profiles --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), of_end = strlen(end);
    return length > of_end && strcmp(text + length - of_end, end) == 0;
}

static void of_stored_profiles(void **state)
{
    (void)state;
    char folder[1024], path[2048];
    int profiles = 0, advice = 0;
    snprintf(folder, sizeof folder, "%s/tests/data/profiles", getenv("SOURCE_ROOT"));
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        servet_profile *profile;
        if (!ends_with(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
        advice += check_profile(profile);
        profiles++;
        servet_profile_close(profile);
    }
    closedir(entries);
    assert_true(profiles >= 5 && advice > profiles);
}

static void of_models(void **state)
{
    (void)state;
    int models = 0;
    DIR *entries = opendir(getenv("SERVET_MODELS"));
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char name[64];
        known_node node;
        if (!ends_with(entry->d_name, ".json"))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strlen(entry->d_name) - 5, entry->d_name);
        if (strcmp(name, "apple-m1") == 0)
            continue; /* it hides a cache, of which known_node then knows no groups */
        known_node_init(&node, name);
        assert_true(check_profile(node.place.profile) > 0);
        models++;
        known_node_finish(&node);
    }
    closedir(entries);
    assert_true(models > 10);
}

/* --- generated ones --------------------------------------------------------------------------- */

static servet_value between(uint64_t *random, double least, double most)
{
    double value = least * pow(most / least, srv_random_unit(random));
    return (servet_value){value,
                          value * (1 - 0.5 * srv_random_unit(random)),
                          value * (1 + srv_random_unit(random)),
                          9,
                          SERVET_UNIT_BYTE,
                          SERVET_METHOD_CURVE_FIT,
                          srv_random_unit(random) < 0.7};
}

/* Capacity and reach disagree as they like; sharing is known or not. */
static void generate(servet_profile *profile, uint64_t *random)
{
    static const char *const groups[][2] = {{"0-7", NULL}, {"0-3", "4-7"}};
    servet_cache caches[3];
    const servet_value memory = {1e-7, 1e-7, 1e-7, 9, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED,
                                 true};
    double least = 4096;
    for (int i = 0; i < 3; i++) {
        servet_value latency = memory;
        latency.value = latency.low = latency.high = 1e-9 * (i + 1);
        caches[i] = (servet_cache){
            .level = i + 1,
            .kind = srv_random_unit(random) < 0.8 ? SERVET_CACHE_CAPACITY : SERVET_CACHE_TURNOVER,
            .bytes = between(random, least, 16 * least),
            .reachable_bytes = between(random, least, 64 * least),
            .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
            .verdict = srv_random_unit(random) < 0.8 ? SERVET_VERDICT_AGREES
                                                     : SERVET_VERDICT_NOT_COMPARABLE,
            .latency = latency,
            .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
            .line = servet_value_unknown(SERVET_UNIT_BYTE),
            .confidence = srv_random_unit(random)};
        least = 16 * least;
    }
    assert_int_equal(servet_profile_set_caches(profile, 0, 0, caches, 3, &memory, NULL), SERVET_OK);
    for (int level = 1; level <= 3; level++) {
        int sets = srv_random_unit(random) < 0.5 ? 1 : 2;
        if (srv_random_unit(random) < 0.5)
            assert_int_equal(servet_profile_set_cache_groups(profile, 0, 0, level, groups[sets - 1],
                                                             sets, NULL, NULL),
                             SERVET_OK);
    }
}

/* No block is larger than the capacity, whatever was measured. */
static void of_generated_profiles(void **state)
{
    (void)state;
    const map_machine machine = {.nodes = 1, .cores = "0-7"};
    size_t cases = test_cases(10000, 10000);
    uint64_t random = 33;
    for (size_t i = 0; i < cases; i++) {
        servet_profile *profile = map_profile(&machine, 1);
        generate(profile, &random);
        const servet_at at = {.node_class = servet_profile_class_name(profile, 0), .core = 5};
        check_all(profile, &at);
        for (int level = 1; level <= 3; level++) {
            servet_cache cache;
            servet_block block;
            if (servet_cache_block(profile, &at, level, 3, 8, 1, &block) != SERVET_OK)
                continue;
            assert_int_equal(servet_cache_get(profile, &at, level, &cache), SERVET_OK);
            assert_true(block.bytes <= cache.bytes.value);
            assert_true(24 * (double)block.elements <= block.bytes);
            assert_true(24 * (double)block.side * (double)block.side <= block.bytes);
        }
        servet_profile_close(profile);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    const servet_at nowhere = {.node_class = "nowhere", .core = SERVET_ANY_CORE};
    servet_profile *profile = map_profile(&map_flat, 1);
    int count = -7;
    assert_int_equal(servet_advise(profile, &nowhere, SERVET_ADVICE_FOR_NODE, NULL, 0, &count),
                     SERVET_ERANGE);
    assert_int_equal(servet_advise(profile, &nowhere, (servet_advice_for)7, NULL, 0, &count),
                     SERVET_EARGUMENT);
    assert_int_equal(count, -7);
    assert_string_equal(servet_advice_topic_name(SERVET_ADVICE_NO_BLOCK), "no-block");
    assert_string_equal(servet_advice_topic_name(SERVET_ADVICE_COUNT), "?");
    assert_string_equal(servet_advice_for_name(SERVET_ADVICE_FOR_PROCESS), "process");
    servet_profile_close(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_stored_profiles),
        cmocka_unit_test(of_models),
        cmocka_unit_test(of_generated_profiles),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
