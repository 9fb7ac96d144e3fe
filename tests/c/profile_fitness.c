/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitness for use: the facts and the noise that make a profile unfit. */
#include "test.h"
#include "network_sample.h"

#include "../record.h"
#include "profile_fixture.h"

static servet_value value_of(double value, servet_unit unit, bool trusted)
{
    return (servet_value){value, value, value, 5, unit, SERVET_METHOD_TIMED, trusted};
}

/* --- a profile of which all is trusted -------------------------------------------------------- */

static servet_cache cache_of(int level, bool size, bool latency)
{
    servet_value bytes = value_of(32768 * level, SERVET_UNIT_BYTE, size);
    return (servet_cache){.level = level,
                          .kind = SERVET_CACHE_CAPACITY,
                          .bytes = bytes,
                          .ways = servet_value_unknown(SERVET_UNIT_NONE),
                          .sets = servet_value_unknown(SERVET_UNIT_NONE),
                          .reachable_bytes = bytes,
                          .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
                          .verdict = SERVET_VERDICT_NOT_VISIBLE,
                          .latency = value_of(1e-9 * level, SERVET_UNIT_SECOND, latency),
                          .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
                          .line = servet_value_unknown(SERVET_UNIT_BYTE),
                          .confidence = 1};
}

static void set_caches(int node_class, const servet_cache *caches, int count)
{
    const servet_value memory = value_of(100e-9, SERVET_UNIT_SECOND, true);
    assert_ok(record_caches(profile, node_class, 0, caches, count, &memory, NULL));
}

static void add_class(const char *name, const char *host)
{
    const servet_cache caches[] = {cache_of(1, true, true), cache_of(2, true, true)};
    servet_machine machine = {.cores = "0-1", .pu_count = 2};
    int number, kind;
    snprintf(machine.hostname, sizeof machine.hostname, "%s", host);
    assert_ok(servet_profile_add_class(profile, name, &machine, &number, NULL));
    assert_ok(servet_profile_add_kind(profile, number, "all", "0-1", &kind, NULL));
    set_caches(number, caches, 2);
}

TEST_FIXTURE(begin)
{
    assert_ok(servet_profile_create(&profile, NULL));
    add_class("default", "a");
    return 0;
}

static void set_bandwidth(bool trusted)
{
    servet_value bandwidth[SERVET_KERNEL_COUNT];
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        bandwidth[i] = value_of(1e9, SERVET_UNIT_BYTE_PER_SECOND, trusted);
    assert_ok(record_memory(profile, 0, bandwidth, SERVET_KERNEL_COUNT, NULL));
}

static void set_noise(double noise, double others, double steal, double drift)
{
    servet_run run = {.seed = 1};
    run.clock_overhead = run.clock_resolution = servet_value_unknown(SERVET_UNIT_SECOND);
    run.frequency = servet_value_unknown(SERVET_UNIT_HERTZ);
    run.huge_pages = servet_value_unknown(SERVET_UNIT_NONE);
    run.duration = servet_value_unknown(SERVET_UNIT_SECOND);
    run.noise = value_of(noise, SERVET_UNIT_NONE, true);
    run.others = value_of(others, SERVET_UNIT_NONE, true);
    run.steal = value_of(steal, SERVET_UNIT_NONE, true);
    run.drift = value_of(drift, SERVET_UNIT_NONE, true);
    assert_ok(servet_profile_set_run(profile, &run, NULL));
}

static void assert_doubtful(const servet_profile *of, const servet_at *at, const char *expected)
{
    char text[SERVET_TEXT_MAX];
    assert_ok(servet_profile_doubtful(of, at, text, sizeof text));
    assert_string_equal(text, expected);
}

static void is(const char *node_class, bool fit, const char *doubtful, const char *noise)
{
    servet_at at = {node_class, SERVET_ANY_CORE};
    servet_fitness fitness;
    assert_ok(servet_profile_fitness(profile, &at, &fitness));
    assert_doubtful(profile, &at, doubtful);
    assert_int_equal(fitness.doubtful_count > 0, *doubtful != '\0');
    assert_string_equal(fitness.noise, noise);
    assert_int_equal(fitness.fit, fit);
}

static void distrust(const char *fact)
{
    assert_ok(servet_profile_distrust(profile, 0, fact, "noise", NULL));
}

/* A layer of communication, with its groups. */
static void set_layer(bool trusted)
{
    servet_network_layer layer = network_layer(1);
    layer.latency.trusted = trusted;
    assert_ok(servet_profile_set_network(profile, &network_job, network_nodes, NULL));
    assert_ok(record_network_layers(profile, &layer, 1, NULL));
    assert_ok(record_network_groups(profile, 1, network_groups[0], network_group_count[0], NULL));
}

/* --- facts ------------------------------------------------------------------------------------ */

TEST_EACH(begin, profile_end)

TEST(a_profile_of_trusted_facts_is_fit_even_if_some_were_not_measured)
{
    servet_fitness fitness;
    is(NULL, true, "", "");
    set_bandwidth(true);
    set_noise(0.02, 0, 0, 0);
    is(NULL, true, "", "");
    is("default", true, "", "");
    assert_ok(servet_profile_fitness(profile, NULL, &fitness));
    assert_true(fitness.fit);
}

TEST(facts_that_are_not_trusted_are_named)
{
    const servet_cache latency[] = {cache_of(1, true, true), cache_of(2, true, false)};
    const servet_cache size[] = {cache_of(1, true, true), cache_of(2, false, true)};
    const servet_cache both[] = {cache_of(1, false, true), cache_of(2, false, false)};
    const servet_coherence coherence = {.line = value_of(64, SERVET_UNIT_BYTE, false),
                                        .reported = servet_value_unknown(SERVET_UNIT_BYTE),
                                        .verdict = SERVET_VERDICT_NOT_VISIBLE};
    set_caches(0, latency, 2); /* nothing is blocked or placed by it */
    is(NULL, true, "", "");
    set_caches(0, size, 2);
    is(NULL, false, "L2", "");
    set_caches(0, both, 2);
    is(NULL, false, "L1 and L2", "");
    set_bandwidth(false);
    is(NULL, false, "L1, L2 and memory bandwidth", "");
    assert_ok(record_coherence(profile, 0, &coherence, NULL));
    is("default", false, "L1, L2, coherence block and memory bandwidth", "");
    servet_profile_trusted_only(profile, true);
    is(NULL, false, "L1, L2, coherence block and memory bandwidth", "");
}

TEST(distances_and_contention_count)
{
    const servet_distance_layer layer = {value_of(50e-9, SERVET_UNIT_SECOND, false), 1,
                                         SERVET_VERDICT_AGREES, .trusted = true};
    const servet_memory_level level = {value_of(1e9, SERVET_UNIT_BYTE_PER_SECOND, false), 2,
                                       SERVET_VERDICT_AGREES, .trusted = true};
    assert_ok(record_distances(profile, 0, &layer, 1, NULL));
    is(NULL, false, "distances between cores", "");
    assert_ok(record_memory_levels(profile, 0, &level, 1, NULL));
    is(NULL, false, "distances between cores and memory overhead of several cores", "");
    servet_profile_trusted_only(profile, true);
    is("default", false, "distances between cores and memory overhead of several cores", "");
}

/* At 51 % noise a run found no level of memory overhead, and no cache. */
TEST(lists_that_are_empty_under_noise_count)
{
    set_caches(0, NULL, 0);
    assert_ok(record_memory_levels(profile, 0, NULL, 0, NULL));
    assert_ok(record_distances(profile, 0, NULL, 0, NULL));
    is(NULL, true, "", "");
    distrust("memory.levels");
    is(NULL, false, "memory overhead of several cores", "");
    distrust("kinds.caches.count distance.layers.count");
    is(NULL, false,
       "number of cache levels, distances between cores and memory overhead of several cores", "");
}

/* Placements rest on who shares what, and on how many there are of it, whatever its size. */
TEST(groups_and_counts_that_are_not_trusted_are_named)
{
    const char *const groups[] = {"0-1"};
    const servet_distance_layer layer = {value_of(50e-9, SERVET_UNIT_SECOND, true), 1,
                                         SERVET_VERDICT_AGREES, .trusted = true};
    assert_ok(record_distances(profile, 0, &layer, 1, NULL));
    assert_ok(record_distance_groups(profile, 0, 1, groups, 1, NULL));
    assert_ok(record_cache_groups(profile, 0, 0, 2, groups, 1, NULL, NULL));
    is(NULL, true, "", "");
    distrust("kinds.caches.groups");
    is(NULL, false, "sharing of L2", "");
    distrust("distance.layers.groups");
    is(NULL, false, "sharing of L2 and distances between cores", "");
    distrust("kinds.caches.count");
    is(NULL, false, "number of cache levels, sharing of L2 and distances between cores", "");
}

TEST(doubtful_groups_of_memory_count_but_not_its_saturation)
{
    const servet_value each[] = {value_of(1e9, SERVET_UNIT_BYTE_PER_SECOND, true),
                                 value_of(0.6e9, SERVET_UNIT_BYTE_PER_SECOND, true)};
    const servet_memory_level level = {value_of(1e9, SERVET_UNIT_BYTE_PER_SECOND, true), 2,
                                       SERVET_VERDICT_AGREES, .trusted = true};
    const char *const groups[] = {"0-1"};
    const char overhead[] = "memory overhead of several cores";
    assert_ok(record_memory_scaling(profile, 0, 0, each, 2, 2, NULL));
    is(NULL, true, "", "");
    distrust("memory.saturation");
    is(NULL, true, "", "");
    assert_ok(record_memory_scaling(profile, 0, 0, each, 2, 0, NULL));
    is(NULL, true, "", "");
    for (int i = 0; i < 2; i++) {
        const char *const parts[] = {"memory.levels.groups", "memory.levels.count"};
        assert_int_equal(profile_end(NULL) + begin(NULL), 0);
        assert_ok(record_memory_levels(profile, 0, &level, 1, NULL));
        assert_ok(record_memory_groups(profile, 0, 1, groups, 1, NULL));
        is(NULL, true, "", "");
        distrust(parts[i]);
        is(NULL, false, overhead, "");
    }
}

/* 0.6 and 1.2 GB/s in turns: each is known. Noise that was seen besides is a doubt. */
TEST(two_modes_are_no_doubt)
{
    const servet_value repeats = value_of(0.6e9, SERVET_UNIT_BYTE_PER_SECOND, true);
    const servet_modes modes = {2, {0.6e9, 1.2e9}, {0.3, 0.7}};
    servet_trust trust;
    set_bandwidth(true);
    assert_ok(servet_profile_set_repeats(profile, 0, "memory.copy", &repeats, &modes, NULL));
    assert_ok(servet_profile_trust(profile, NULL, "memory.single", &trust, NULL));
    assert_true(trust.trusted);
    is(NULL, true, "", "");
    distrust("memory.bandwidth");
    is(NULL, false, "memory bandwidth", "");
}

/* The reachable rest is reported as such, and nothing more can be known. */
TEST(a_cache_that_others_fill_does_not_count)
{
    servet_cache caches[] = {cache_of(1, true, true), cache_of(2, false, true)};
    caches[1].kind = SERVET_CACHE_TURNOVER;
    caches[1].latency.trusted = false;
    set_caches(0, caches, 2);
    is(NULL, true, "", "");
    caches[1].kind = SERVET_CACHE_CAPACITY;
    set_caches(0, caches, 2);
    is(NULL, false, "L2", "");
}

TEST(layers_of_communication_count)
{
    for (int i = 0; i < 2; i++) {
        set_layer(true);
        is(NULL, true, "", "");
        distrust(i ? "network.layers.count" : "network.layers.groups");
        is(NULL, false, "communication layers", "");
    }
    set_layer(false);
    is(NULL, false, "communication layers", "");
    servet_profile_trusted_only(profile, true);
    is(NULL, false, "communication layers", "");
}

/* A login node, where a profile is installed, is another machine. */
TEST(on_other_machines_the_answer_is_the_same)
{
    servet_fitness fitness;
    set_layer(false);
    set_noise(0, 0, 0, 0);
    set_bandwidth(false);
    servet_profile *read = profile_reopened(profile);
    assert_code(servet_profile_here(read, NULL, NULL), SERVET_EOTHER);
    assert_ok(servet_profile_fitness(read, NULL, &fitness));
    assert_int_equal(fitness.doubtful_count, 2);
    assert_doubtful(read, NULL, "memory bandwidth and communication layers");
    servet_profile_close(read);
}

TEST(of_several_classes_each_counts_or_the_one_that_is_named)
{
    const servet_cache doubtful[] = {cache_of(1, false, true)};
    servet_fitness fitness;
    add_class("fat", "b");
    set_caches(1, doubtful, 1);
    is(NULL, false, "L1 of node class fat", "");
    is("fat", false, "L1", "");
    is("default", true, "", "");
    assert_code(servet_profile_fitness(profile, &(servet_at){"thin", SERVET_ANY_CORE}, &fitness),
                SERVET_ERANGE);
}

/* A cluster of unlike nodes: nothing is cut, and each class is named once. */
TEST(a_list_is_as_long_as_it_is)
{
    enum { CLASSES = 20, ROOM = 4096 };
    const servet_cache doubtful[] = {cache_of(1, false, true), cache_of(2, false, true)};
    servet_fitness fitness;
    char expected[ROOM] = "", text[ROOM];
    set_layer(false);
    for (int i = 1; i <= CLASSES; i++) {
        char name[32];
        size_t used = strlen(expected);
        snprintf(name, sizeof name, "a-class-with-a-name-%d", i);
        add_class(name, name);
        set_caches(i, doubtful, 2);
        snprintf(expected + used, ROOM - used, "L1 and L2 of node class %s, and ", name);
    }
    strcat(expected, "communication layers");
    assert_true(strlen(expected) > SERVET_TEXT_MAX);
    assert_ok(servet_profile_fitness(profile, NULL, &fitness));
    assert_false(fitness.fit);
    assert_int_equal(fitness.doubtful_count, 2 * CLASSES + 1);
    assert_code(servet_profile_doubtful(profile, NULL, text, strlen(expected)), SERVET_ERANGE);
    assert_ok(servet_profile_doubtful(profile, NULL, text, strlen(expected) + 1));
    assert_string_equal(text, expected);
}

/* --- noise ------------------------------------------------------------------------------------ */

TEST(noise_is_reported_from_10_percent_on_but_does_not_decide)
{
    set_noise(0.1, 0.04, 0, 0);
    is(NULL, true, "", "");
    set_noise(0.11, 0.04, 0, 0);
    is(NULL, true, "", "other work took 11 % of the measuring time");
    set_noise(0.11, 0.25, 0, 0);
    is(NULL, true, "", "other processes had the cores 25 % of the time");
    set_noise(0.06, 0.51, 0.3, 0.1);
    is(NULL, true, "", "other processes had the cores 51 % of the time");
    set_noise(0, 0, 0.66, 0.1);
    is(NULL, true, "", "the hypervisor took 66 % of the time");
    set_noise(0, 0, 0, 0.3);
    is(NULL, true, "", "cores slowed down by 30 % meanwhile");
}

/* A copy has the same doubts. */
TEST(doubts_are_found_by_benchmark)
{
    servet_profile *copy;
    set_bandwidth(false);
    assert_ok(servet_profile_copy(profile, &copy, NULL));
    assert_true(servet_profile_doubts(copy, NULL, "memory"));
    assert_false(servet_profile_doubts(copy, NULL, "distance"));
    assert_false(servet_profile_doubts(copy, &(servet_at){.node_class = "fat"}, "memory"));
    set_bandwidth(true);
    assert_false(servet_profile_doubts(profile, NULL, "memory"));
    assert_true(servet_profile_doubts(copy, NULL, "memory"));
    servet_profile_close(copy);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* Finds the part of a name; a profile that was only created has all that do not depend on a level.
 */
static servet_part part_named(const servet_at *at, const char *name)
{
    servet_part part;
    for (int i = 0; servet_profile_part(profile, at, i, &part) == SERVET_OK; i++)
        if (strcmp(part.name, name) == 0)
            return part;
    fail_msg("there is no part '%s'", name);
    return (servet_part){.known = false};
}

static bool has_part(const char *name)
{
    servet_part part;
    for (int i = 0; servet_profile_part(profile, NULL, i, &part) == SERVET_OK; i++)
        if (strcmp(part.name, name) == 0)
            return true;
    return false;
}

TEST(parts_say_what_was_measured)
{
    servet_part part;
    assert_false(part_named(NULL, "memory bandwidth").known);
    set_bandwidth(true);
    part = part_named(NULL, "memory bandwidth");
    assert_true(part.known && part.used && !part.of_pairs && !part.of_job);
    assert_string_equal(part.benchmark, "memory");
    assert_string_equal(part.doubt, "");
    assert_false(has_part("communication layers"));
    part = part_named(NULL, "sharing of L2");
    assert_string_equal(part.fact, "sharing");
    assert_string_equal(part.of, "L2");
    assert_true(part.of_pairs && !part.known);
    assert_false(has_part("sharing of L3"));
    assert_code(servet_profile_part(profile, NULL, -1, &part), SERVET_ERANGE);
    assert_code(servet_profile_part(profile, NULL, 1000, &part), SERVET_ERANGE);
}

/* Other cores change the rest, which is therefore neither missing nor doubtful. */
TEST(a_turnover_has_only_its_sharing)
{
    static const char *const facts[] = {"", "latency of ", "line of ",
                                        "memory-level parallelism of "};
    servet_cache caches[] = {cache_of(1, true, true), cache_of(2, true, true)};
    char name[64];
    caches[1].kind = SERVET_CACHE_TURNOVER;
    set_caches(0, caches, 2);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (int level = 1; level <= 2; level++) {
            snprintf(name, sizeof name, "%sL%d", facts[i], level);
            assert_int_equal(has_part(name), level == 1);
        }
    assert_true(has_part("sharing of L2"));
}

/* A second core type has one cache level, whose sharing is not known: of both it is not, too. */
TEST(a_part_of_several_core_types_is_known_of_each)
{
    const char *const groups[] = {"0-1"}, *const others[] = {"2-3"};
    const servet_cache one[] = {cache_of(1, false, true)};
    const servet_value memory = value_of(100e-9, SERVET_UNIT_SECOND, true);
    int kind;
    servet_profile_close(profile);
    assert_ok(servet_profile_create(&profile, NULL));
    servet_machine machine = {.hostname = "a", .cores = "0-3", .pu_count = 4};
    assert_ok(servet_profile_add_class(profile, "default", &machine, &kind, NULL));
    assert_ok(servet_profile_add_kind(profile, 0, "fast", "0-1", &kind, NULL));
    assert_ok(servet_profile_add_kind(profile, 0, "slow", "2-3", &kind, NULL));
    const servet_cache two[] = {cache_of(1, true, true), cache_of(2, true, true)};
    assert_ok(record_caches(profile, 0, 0, two, 2, &memory, NULL));
    assert_ok(record_caches(profile, 0, 1, one, 1, &memory, NULL));
    assert_ok(record_cache_groups(profile, 0, 0, 1, groups, 1, NULL, NULL));
    const servet_at any = {"default", SERVET_ANY_CORE}, fast = {"default", 0},
                    slow = {"default", 2};
    assert_false(part_named(&any, "sharing of L1").known);
    assert_true(part_named(&fast, "sharing of L1").known);
    assert_false(part_named(&slow, "sharing of L1").known);
    assert_ok(record_cache_groups(profile, 0, 1, 1, others, 1, NULL, NULL));
    assert_true(part_named(&any, "sharing of L1").known);
    assert_string_equal(part_named(&fast, "L1").doubt, "");
    assert_true(*part_named(&any, "L1").doubt);
    assert_string_equal(part_named(&any, "L2").doubt, "");
}
