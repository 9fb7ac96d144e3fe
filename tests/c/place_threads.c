/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement of threads on machines whose caches and ways to memory are known from their makers. */
#include "test.h"

#include <unistd.h>

#include "core/units.h"
#include "known_node.h"
#include "map_machine.h"
#include "servet/advice.h"
#include "../record.h"

enum { THREADS_MAX = 256 };

static const servet_at any = {.core = SERVET_ANY_CORE};

/* Calls with what is in `among`, a set as text, as numbers; NULL stays NULL. */
typedef struct chosen_from {
    int cores[THREADS_MAX], count;
} chosen_from;

static chosen_from from_set(const char *set)
{
    chosen_from from = {.count = 0};
    if (set)
        assert_ok(servet_cores_from_text(set, from.cores, THREADS_MAX, &from.count));
    return from;
}

static void place(const servet_profile *profile, servet_policy policy, const char *among,
                  int threads, int *cores)
{
    servet_error error = SERVET_ERROR_INIT;
    bool trusted = false;
    const chosen_from from = from_set(among);
    int code = servet_thread_place(profile, &any, policy, among ? from.cores : NULL, from.count,
                                   cores, threads, &trusted, &error);
    if (code != SERVET_OK)
        print_message("# %s\n", error.text);
    assert_ok(code);
    assert_true(trusted);
}

/* The threads get these cores in this order, given as "0 12 1". */
static void places(const servet_profile *profile, servet_policy policy, const char *among,
                   int threads, const char *expected)
{
    int cores[THREADS_MAX];
    char text[8 * THREADS_MAX] = "";
    place(profile, policy, among, threads, cores);
    for (int i = 0; i < threads; i++)
        sprintf(text + strlen(text), i ? " %d" : "%d", cores[i]);
    assert_string_equal(text, expected);
}

/* Checks that the threads get the cores of this set, in any order. */
static void occupies(const servet_profile *profile, servet_policy policy, int threads,
                     const char *expected)
{
    int cores[THREADS_MAX];
    char text[8 * THREADS_MAX];
    place(profile, policy, NULL, threads, cores);
    assert_ok(servet_cores_to_text(cores, threads, text, sizeof text));
    assert_string_equal(text, expected);
}

static void has_room(const servet_profile *profile, servet_policy policy, const char *among,
                     int expected)
{
    int threads = -1;
    const chosen_from from = from_set(among);
    assert_ok(servet_thread_room(profile, &any, policy, among ? from.cores : NULL, from.count,
                                 &threads, NULL, NULL));
    assert_int_equal(threads, expected);
}

static void fails(const servet_profile *profile, servet_policy policy, const char *among,
                  int threads, int code, const char *text)
{
    int cores[THREADS_MAX] = {-7};
    bool trusted = true;
    const chosen_from from = from_set(among);
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(servet_thread_place(profile, &any, policy, among ? from.cores : NULL,
                                         from.count, cores, threads, &trusted, &error),
                     code);
    assert_string_equal(error.text, text);
    assert_int_equal(cores[0], -7);
    assert_true(trusted);
}

/* --- four sockets of six cores, of which pairs share a level 2 cache -------------------------- */

TEST(near_threads_share_caches)
{
    servet_profile *profile = map_profile(&map_dunnington, 1);
    places(profile, SERVET_POLICY_COMPACT, NULL, 1, "0");
    places(profile, SERVET_POLICY_COMPACT, NULL, 2, "0 12");
    places(profile, SERVET_POLICY_COMPACT, NULL, 6, "0 12 1 13 2 14");
    places(profile, SERVET_POLICY_COMPACT, NULL, 8, "0 12 1 13 2 14 3 15");
}

TEST(far_threads_share_as_little_as_there_is_room)
{
    servet_profile *profile = map_profile(&map_dunnington, 1);
    places(profile, SERVET_POLICY_SCATTER, NULL, 2, "0 3");
    places(profile, SERVET_POLICY_SCATTER, NULL, 4, "0 3 6 9");
    places(profile, SERVET_POLICY_SCATTER, NULL, 8, "0 1 3 4 6 7 9 10");
    occupies(profile, SERVET_POLICY_SCATTER, 12, "0-11");
}

TEST(each_thread_gets_its_own_cache)
{
    servet_profile *profile = map_profile(&map_dunnington, 1);
    has_room(profile, SERVET_POLICY_PER_L2, NULL, 12);
    has_room(profile, SERVET_POLICY_PER_LAST, NULL, 4);
    has_room(profile, SERVET_POLICY_SCATTER, NULL, 24);
    has_room(profile, SERVET_POLICY_COMPACT, NULL, 24);
    occupies(profile, SERVET_POLICY_PER_L2, 12, "0-11");
    places(profile, SERVET_POLICY_PER_LAST, NULL, 4, "0 3 6 9");
    fails(profile, SERVET_POLICY_PER_LAST, NULL, 5, SERVET_ERANGE,
          "5 threads do not fit: one-per-last-cache has cores for 4");
    fails(profile, SERVET_POLICY_SCATTER, NULL, 25, SERVET_ERANGE,
          "25 threads do not fit: scatter has cores for 24");
}

/* Only one core of the first socket is left, so that the second one is closer together. */
TEST(cores_that_are_left_decide)
{
    servet_profile *profile = map_profile(&map_dunnington, 1);
    places(profile, SERVET_POLICY_COMPACT, "0,3-5,15", 3, "3 15 4");
    places(profile, SERVET_POLICY_COMPACT, "0,3-5,15", 5, "0 3 15 4 5");
    places(profile, SERVET_POLICY_SCATTER, "12,14,15", 2, "12 15");
    has_room(profile, SERVET_POLICY_PER_L2, "0,3,12", 2);
    has_room(profile, SERVET_POLICY_PER_LAST, "0-2,12-14", 1);
    fails(profile, SERVET_POLICY_COMPACT, "0,24", 1, SERVET_ERANGE,
          "the node class has no core 24");
    fails(profile, SERVET_POLICY_COMPACT, "", 1, SERVET_EARGUMENT, "no cores to choose from");
}

TEST(facts_that_were_not_measured_are_not_guessed)
{
    servet_profile *profile = map_profile(&map_dunnington, 1);
    const char *text = "which cores share a cache of core 0 was not measured";
    fails(profile, SERVET_POLICY_PER_L1, NULL, 1, SERVET_EUNMEASURED, text);
    places(profile, SERVET_POLICY_PER_L1, "5", 1, "5"); /* alone, it has all its caches */

    profile = map_profile(&map_flat, 1);
    fails(profile, SERVET_POLICY_PER_L2, NULL, 1, SERVET_EUNMEASURED, text);
    places(profile, SERVET_POLICY_COMPACT, NULL, 3, "0 1 2");
    places(profile, SERVET_POLICY_SCATTER, NULL, 3, "0 1 2");
}

TEST(invalid_requests_are_refused)
{
    servet_profile *profile = map_profile(&map_flat, 1);
    const servet_at elsewhere = {.node_class = "elsewhere", .core = SERVET_ANY_CORE};
    int cores[4];
    fails(profile, SERVET_POLICY_COMPACT, NULL, 0, SERVET_EARGUMENT,
          "the number of threads must be at least 1");
    fails(profile, SERVET_POLICY_COUNT, NULL, 1, SERVET_EARGUMENT, "unknown policy 6");
    assert_code(servet_thread_place(profile, &elsewhere, SERVET_POLICY_COMPACT, NULL, 0, cores, 1,
                                    NULL, NULL),
                SERVET_ERANGE);
    assert_code(
        servet_thread_room(profile, &elsewhere, SERVET_POLICY_COMPACT, NULL, 0, cores, NULL, NULL),
        SERVET_ERANGE);
    assert_string_equal(servet_policy_name(SERVET_POLICY_PER_L2), "one-per-l2");
}

/* --- buses of four cores in cells of eight ---------------------------------------------------- */

TEST(threads_are_balanced_over_memory)
{
    servet_profile *profile = map_profile(&map_finis_terrae, 1);
    places(profile, SERVET_POLICY_MEMORY, NULL, 2, "0 8");
    places(profile, SERVET_POLICY_MEMORY, NULL, 4, "0 4 8 12");
    places(profile, SERVET_POLICY_MEMORY, NULL, 6, "0 1 4 8 9 12");
    has_room(profile, SERVET_POLICY_MEMORY, NULL, 16); /* saturation was not measured */
}

/* --- shipped models --------------------------------------------------------------------------- */

/* Groups of `each` neighbouring cores; the caller frees them. */
static void make_groups(int cores, int each, char (*texts)[16], const char **groups)
{
    for (int i = 0; i < cores / each; i++) {
        snprintf(texts[i], sizeof texts[i], "%d-%d", i * each, (i + 1) * each - 1);
        groups[i] = texts[i];
    }
}

static void set_memory(servet_profile *profile, int cores, int each, int saturation)
{
    char texts[64][16];
    const char *groups[64];
    const servet_memory_level level = {sure_value(2e9, SERVET_UNIT_BYTE_PER_SECOND), saturation,
                                       SERVET_VERDICT_NOT_VISIBLE, true};
    make_groups(cores, each, texts, groups);
    assert_ok(record_memory_levels(profile, 0, &level, 1, NULL));
    assert_ok(record_memory_groups(profile, 0, 1, groups, cores / each, NULL));
}

static void set_distances(servet_profile *profile, int cores, const int each[3], double confidence)
{
    servet_distance_layer layers[3];
    for (int i = 0; i < 3; i++)
        layers[i] = (servet_distance_layer){
            .latency = srv_value_in_seconds(sure_value(50 << i, SRV_UNIT_NANOSECOND)),
            .confidence = confidence,
            .verdict = SERVET_VERDICT_NOT_VISIBLE};
    layers[0].latency.trusted = confidence > 0.5;
    assert_ok(record_distances(profile, 0, layers, 3, NULL));
    for (int i = 0; i < 3; i++) {
        char texts[64][16];
        const char *groups[64];
        make_groups(cores, each[i], texts, groups);
        assert_ok(record_distance_groups(profile, 0, i + 1, groups, cores / each[i], NULL));
    }
}

/* Eight cores of two PUs (0-15), sixteen small ones that share level 2 caches by four (16-31). */
TEST(fast_cores_come_first)
{
    known_node node;
    known_node_init(&node, "hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    places(profile, SERVET_POLICY_COMPACT, NULL, 2, "0 1");
    places(profile, SERVET_POLICY_COMPACT, NULL, 4, "0 1 2 3");
    occupies(profile, SERVET_POLICY_COMPACT, 20, "0-19");
    places(profile, SERVET_POLICY_SCATTER, NULL, 8, "0 2 4 6 8 10 12 14");
    places(profile, SERVET_POLICY_SCATTER, NULL, 12, "0 2 4 6 8 10 12 14 16 20 24 28");
    has_room(profile, SERVET_POLICY_PER_L1, NULL, 24);
    has_room(profile, SERVET_POLICY_PER_L2, NULL, 12);
    has_room(profile, SERVET_POLICY_PER_LAST, NULL, 1);
    places(profile, SERVET_POLICY_PER_LAST, NULL, 1, "0");
    known_node_finish(&node);
}

/* Eight cores of four PUs. */
TEST(smt_threads_are_near_and_share_a_cache)
{
    known_node node;
    known_node_init(&node, "niagara-t1");
    const servet_profile *profile = node.place.profile;
    places(profile, SERVET_POLICY_COMPACT, NULL, 6, "0 1 2 3 4 5");
    places(profile, SERVET_POLICY_SCATTER, NULL, 8, "0 4 8 12 16 20 24 28");
    places(profile, SERVET_POLICY_PER_L1, NULL, 8, "0 4 8 12 16 20 24 28");
    has_room(profile, SERVET_POLICY_PER_L1, NULL, 8);
    fails(profile, SERVET_POLICY_MEMORY, NULL, 2, SERVET_EUNMEASURED,
          "which cores contend for memory was not measured");
    known_node_finish(&node);
}

/* Two sockets, each of four clusters of 14 cores with memory and a last cache of their own. */
TEST(clusters_below_sockets_are_balanced)
{
    known_node node;
    const int each[3] = {14, 56, 112};
    known_node_init(&node, "sapphire-rapids-snc4");
    servet_profile *profile = node.place.profile;
    set_memory(profile, 112, 14, 5);
    set_distances(profile, 112, each, 1);
    has_room(profile, SERVET_POLICY_PER_LAST, NULL, 8);
    has_room(profile, SERVET_POLICY_MEMORY, NULL, 40);
    has_room(profile, SERVET_POLICY_MEMORY, "0-3,14", 5);
    has_room(profile, SERVET_POLICY_MEMORY, "0-9,14", 6);
    places(profile, SERVET_POLICY_PER_LAST, NULL, 8, "0 14 28 42 56 70 84 98");
    places(profile, SERVET_POLICY_SCATTER, NULL, 2, "0 56");
    places(profile, SERVET_POLICY_SCATTER, NULL, 4, "0 14 56 70");
    occupies(profile, SERVET_POLICY_MEMORY, 40, "0-4,14-18,28-32,42-46,56-60,70-74,84-88,98-102");
    occupies(profile, SERVET_POLICY_COMPACT, 14, "0-13");
    occupies(profile, SERVET_POLICY_COMPACT, 56, "0-55");
    places(profile, SERVET_POLICY_COMPACT, "54-59", 4, "56 57 58 59");
    known_node_finish(&node);
}

/* --- trust ------------------------------------------------------------------------------------ */

TEST(a_placement_that_depends_on_doubtful_facts_is_not_trusted)
{
    known_node node;
    const int each[3] = {14, 56, 112};
    int cores[4];
    bool trusted = true;
    servet_error error = SERVET_ERROR_INIT;
    known_node_init(&node, "sapphire-rapids-snc4");
    servet_profile *profile = node.place.profile;
    set_distances(profile, 112, each, 0.2);
    assert_ok(servet_thread_place(profile, &any, SERVET_POLICY_SCATTER, NULL, 0, cores, 2, &trusted,
                                  NULL));
    assert_int_equal(cores[1], 56);
    assert_false(trusted);
    places(profile, SERVET_POLICY_COMPACT, NULL, 4, "0 1 2 3"); /* by the caches alone, too */
    servet_profile_trusted_only(profile, true);
    places(profile, SERVET_POLICY_COMPACT, NULL, 4, "0 1 2 3");
    assert_code(
        servet_thread_place(profile, &any, SERVET_POLICY_SCATTER, NULL, 0, cores, 2, NULL, &error),
        SERVET_EUNTRUSTED);
    assert_string_equal(error.text, "the placement depends on facts that are not trusted");
    known_node_finish(&node);
}

/* --- this node -------------------------------------------------------------------------------- */

static servet_profile *profile_of_this_node(const char *cores)
{
    servet_profile *profile;
    servet_machine machine = {.memory_bytes = 1e9, .page_bytes = 4096};
    char host[256];
    int index;
    assert_int_equal(gethostname(host, sizeof host), 0);
    snprintf(machine.hostname, sizeof machine.hostname, "%.60s", host);
    snprintf(machine.cores, sizeof machine.cores, "%s", cores);
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "here", &machine, &index, NULL));
    assert_ok(servet_profile_add_node(profile, index, host, NULL));
    return profile;
}

/* Only measured cores that the thread may use are chosen by default. */
TEST(the_mask_of_the_thread_is_kept)
{
    int usable[4096], count, room, core;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = profile_of_this_node("0-16382");
    assert_ok(servet_cores_usable(usable, 4096, &count, NULL));
    assert_ok(servet_thread_room(profile, NULL, SERVET_POLICY_COMPACT, NULL, 0, &room, NULL, NULL));
    assert_int_equal(room, count);
    assert_ok(servet_bind_thread(&usable[count - 1], 1, NULL));
    assert_ok(servet_thread_room(profile, NULL, SERVET_POLICY_COMPACT, NULL, 0, &room, NULL, NULL));
    assert_int_equal(room, 1);
    assert_ok(
        servet_thread_place(profile, NULL, SERVET_POLICY_COMPACT, NULL, 0, &core, 1, NULL, NULL));
    assert_int_equal(core, usable[count - 1]);
    assert_ok(servet_bind_thread(usable, count, NULL));
    servet_profile_close(profile);

    profile = profile_of_this_node("16382");
    assert_code(
        servet_thread_place(profile, NULL, SERVET_POLICY_COMPACT, NULL, 0, &core, 1, NULL, &error),
        SERVET_ERANGE);
    assert_string_equal(error.text, "the thread may use none of the cores that the profile has");
    servet_profile_close(profile);
}

/* The advice to stay in a set, "" for none. */
static void find_near(const servet_profile *profile, servet_advice_for whom, char *text,
                      size_t size)
{
    static servet_advice list[8];
    int count;
    *text = '\0';
    assert_ok(servet_advise(profile, NULL, whom, list, 8, &count));
    for (int i = 0; i < count; i++)
        if (list[i].topic == SERVET_ADVICE_NEAR)
            snprintf(text, size, "%s", list[i].text);
}

/* A process that may only use cores of one set has no other set to avoid. */
TEST(sets_are_advised_of_cores_that_may_be_used)
{
    const servet_value fast = sure_value(4e-8, SERVET_UNIT_SECOND);
    const servet_distance_layer layers[] = {
        {.latency = fast, .confidence = 1, .verdict = SERVET_VERDICT_NOT_VISIBLE},
        {.latency = sure_value(2e-7, SERVET_UNIT_SECOND),
         .confidence = 1,
         .verdict = SERVET_VERDICT_NOT_VISIBLE}};
    const char *const near[] = {"0-8191", "8192-16382"}, *const far[] = {"0-16382"};
    char text[SERVET_ADVICE_TEXT_MAX];
    servet_profile *profile = profile_of_this_node("0-16382");
    assert_ok(record_distances(profile, 0, layers, 2, NULL));
    assert_ok(record_distance_groups(profile, 0, 1, near, 2, NULL));
    assert_ok(record_distance_groups(profile, 0, 2, far, 1, NULL));
    find_near(profile, SERVET_ADVICE_FOR_NODE, text, sizeof text);
    assert_string_equal(text,
                        "place threads that exchange data on PUs of one set: 0-8191; 8192-16382");
    find_near(profile, SERVET_ADVICE_FOR_PROCESS, text, sizeof text);
    assert_string_equal(text, "");
    servet_profile_close(profile);
}

/* Each core is a core type and a group of its own, so that answers tell them apart. */
TEST(without_a_core_the_one_that_runs_the_thread_is_meant)
{
    int usable[4096], count, kind, group, answer = -1;
    const servet_at first = {.core = SERVET_ANY_CORE}, this = {.core = SERVET_THIS_CORE};
    const servet_value none = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_value latency;
    servet_memory_level level = {sure_value(1e9, SERVET_UNIT_BYTE_PER_SECOND), 1,
                                 SERVET_VERDICT_NOT_VISIBLE, true};
    servet_profile *profile = profile_of_this_node("0-16382");
    assert_ok(servet_cores_usable(usable, 4096, &count, NULL));
    const char **groups = calloc((size_t)count, sizeof *groups);
    assert_non_null(groups);
    for (int i = 0; i < count; i++) {
        char cores[16];
        const servet_value memory = sure_value(1e-9 * (i + 1), SERVET_UNIT_SECOND);
        snprintf(cores, sizeof cores, "%d", usable[i]);
        assert_non_null(groups[i] = strdup(cores));
        assert_ok(servet_profile_add_kind(profile, 0, cores, cores, &kind, NULL));
        assert_ok(record_caches(profile, 0, kind, NULL, 0, i < 8 ? &memory : &none, NULL));
    }
    assert_ok(record_memory_levels(profile, 0, &level, 1, NULL));
    assert_ok(record_memory_groups(profile, 0, 1, groups, count, NULL));
    for (int i = 0; i < count && i < 8; i++) {
        servet_saturation advice;
        assert_ok(servet_bind_thread(&usable[i], 1, NULL));
        assert_ok(servet_memory_latency(profile, NULL, &latency));
        assert_true(latency.value == 1e-9 * (i + 1));
        assert_ok(servet_memory_latency(profile, &this, &latency));
        assert_true(latency.value == 1e-9 * (i + 1));
        assert_ok(servet_memory_group_of(profile, NULL, 1, &group));
        assert_int_equal(group, i);
        assert_ok(servet_memory_saturation_of(profile, NULL, &advice));
        assert_string_equal(advice.cores, groups[i]);
        assert_ok(servet_memory_latency(profile, &first, &latency));
        assert_true(latency.value == 1e-9);
    }
    assert_code(servet_memory_group_of(profile, &first, 1, &answer), SERVET_EARGUMENT);
    assert_ok(servet_bind_thread(usable, count, NULL));
    for (int i = 0; i < count; i++)
        free((void *)(uintptr_t)groups[i]);
    free(groups);
    servet_profile_close(profile);
}

/* Nothing runs on a machine that is only simulated. */
TEST(of_a_model_the_first_core_type_is_meant)
{
    known_node node;
    int index;
    servet_cache cache;
    known_node_init(&node, "hybrid-desktop");
    assert_ok(servet_cache_get(node.place.profile, NULL, 1, &cache));
    assert_true(cache.bytes.value == 49152);
    assert_code(servet_cache_group_of(node.place.profile, NULL, 1, &index), SERVET_EARGUMENT);
    known_node_finish(&node);
}
