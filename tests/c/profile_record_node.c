/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording facts of a node: what is refused, with the member named, and leaves the profile as it
 * was; what replaces what. The rules of each row and struct are those of files (profile_invalid.c).
 */
#include "test.h"
#include "core/units.h"
#include "profile_sample.h"
#include "profile_fixture.h"

static char *before;
static const servet_at big = {"fat", 0}, fat = {"fat", SERVET_ANY_CORE};

TEST_FIXTURE(setup)
{
    int code = profile_begin(state);
    before = profile_text(profile);
    return code;
}

TEST_FIXTURE(teardown)
{
    free(before);
    return profile_end(state);
}

/* `call`, which has `error` for its last argument, fails so and changes nothing. */
#define REFUSED(what, call)                                                                        \
    do {                                                                                           \
        servet_error error = SERVET_ERROR_INIT;                                                    \
        refused((call), &error, what);                                                             \
    } while (0)

/* Stores `count` facts, the first of which is `facts`. */
#define PUT(facts, count, path)                                                                    \
    servet_profile_set(profile, 0, path, &(facts), sizeof(facts), count, &error)

static void refused(int code, const servet_error *error, const char *what)
{
    char *after = profile_text(profile);
    assert_code(code, SERVET_EARGUMENT);
    assert_string_equal(error->text, what);
    assert_string_equal(after, before);
    free(after);
}

TEST_EACH(setup, teardown)

TEST(no_such_facts)
{
    static const char *const paths[] = {
        "",       "caches",       "kinds.caches", "kinds.1", "kinds.1.name",
        "memory", "numa.x.cores", "doubts.1",     "network", "coherence.coherence_line.value"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char what[80];
        snprintf(what, sizeof what, "no fact is called %s", paths[i]);
        REFUSED(what, PUT(*paths, 1, paths[i]));
    }
}

TEST(other_sizes_and_numbers_of_items)
{
    servet_value rates[SERVET_KERNEL_COUNT];
    sample_rates(SAMPLE_KERNELS, rates, SERVET_KERNEL_COUNT);
    REFUSED("memory.bandwidth: 40 bytes where 280 belong", PUT(*rates, 7, "memory.bandwidth"));
    REFUSED("memory.bandwidth: 2 items, at most 1 are allowed", PUT(rates, 2, "memory.bandwidth"));
    REFUSED("a list of -3 items", PUT(*rates, -3, "memory.scaling"));
    REFUSED("classes[0].memory.levels[0].groups: no set at all",
            record_memory_groups(profile, 0, 1, NULL, 0, &error));
}

TEST(no_such_items)
{
    const servet_value line = sample_value(64, SERVET_UNIT_BYTE);
    const servet_concurrency loads = sample_concurrency();
    REFUSED("classes[0].kinds[0].caches[3]: there is none",
            record_cache_line(profile, 0, 0, 4, &line, &error));
    REFUSED("classes[0].kinds[5]: there is none",
            record_cache_line(profile, 0, 5, 1, &line, &error));
    REFUSED("classes[0].kinds[0].caches[-2]: there is none",
            record_concurrency(profile, 0, 0, -1, &loads, NULL, NULL, &error));
    REFUSED("classes[0].distance.layers[-1]: there is none",
            record_distance_groups(profile, 0, 0, sample_groups, 3, &error));
    REFUSED("classes[-1]: there is none",
            record_distance_groups(profile, -1, 1, sample_groups, 3, &error));
}

/* Values, numbers and words are in a struct, a list and a list of a list. */
TEST(rows_are_checked)
{
    servet_coherence coherence = sample_coherence();
    servet_distance_layer layers[2] = {sample_layer(1), sample_layer(2)};
    const servet_sharing unknown = {1, (servet_verdict)7, true};
    servet_value rates[3] = {sample_rate(1, 1), sample_rate(1, 2), sample_rate(1, 1)};
    coherence.level = -1;
    REFUSED("classes[0].coherence.coherence_level: -1 is negative",
            record_coherence(profile, 0, &coherence, &error));
    coherence = sample_coherence();
    coherence.line.unit = SERVET_UNIT_NONE;
    REFUSED("classes[0].coherence.coherence_line: the unit is '1' where 'B' belongs",
            record_coherence(profile, 0, &coherence, &error));
    layers[1].confidence = 1.5;
    REFUSED("classes[0].distance.layers[1].confidence: 1.5, not within 0 to 1",
            record_distances(profile, 0, layers, 2, &error));
    layers[1] = sample_layer(2);
    layers[0].latency.value = NAN;
    REFUSED("classes[0].distance.layers[0].latency_ns.value: not a finite number",
            record_distances(profile, 0, layers, 2, &error));
    REFUSED("classes[0].kinds[0].caches[1].sharing.verdict: 7 is none of its words",
            PUT(unknown, 1, "kinds.1.caches.2.sharing"));
    rates[1].low = -1;
    REFUSED("classes[0].kinds[0].caches[0].concurrency.chains[1]: -1 is negative",
            PUT(*rates, 3, "kinds.1.caches.1.concurrency.chains"));
}

/* Also rules of other members than those that are stored. */
TEST(structs_are_checked)
{
    static const char *const twice[] = {"0-2", "1,3"};
    const servet_value rates[3] = {sample_rate(1, 1), sample_rate(1, 2), sample_rate(1, 1)};
    const int many = 9;
    REFUSED("classes[0].kinds[0].caches[0].groups: a core is in two groups",
            record_cache_groups(profile, 0, 0, 1, twice, 2, &sample_sharing, &error));
    REFUSED("classes[0].kinds[0].memory.concurrency.requests: 5 loads, but at most 2 were measured",
            PUT(*rates, 2, "kinds.1.memory.concurrency.chains"));
    REFUSED("classes[0].memory.saturation: 9 cores, but at most 8 were measured",
            PUT(many, 1, "memory.saturation"));
    REFUSED("classes[0].memory.levels[0].saturation: 3 cores, but at most 1 were measured",
            record_memory_scaling(profile, 0, 1, rates, 1, 0, &error));
    REFUSED("classes[0].numa[1].bandwidth: 2 values for 3 NUMA nodes",
            PUT(*rates, 2, "numa.2.bandwidth"));
}

TEST(facts_of_levels_are_deleted_with_them)
{
    servet_distance_layer layer = sample_layer(1);
    servet_memory_level level = sample_overhead(2);
    servet_value value, unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_cache cache = sample_cache(1);
    servet_concurrency loads;
    servet_sharing sharing;
    int count;
    assert_ok(record_distances(profile, 0, &layer, 1, NULL));
    assert_code(servet_distance_group_count(profile, &fat, 1, &count), SERVET_EUNMEASURED);
    assert_code(servet_distance_group_count(profile, &fat, 2, &count), SERVET_ERANGE);
    assert_ok(record_memory_levels(profile, 0, &level, 1, NULL));
    assert_code(servet_memory_group_count(profile, &fat, 1, &count), SERVET_EUNMEASURED);
    assert_code(servet_memory_scaling(profile, &fat, 1, 1, &value), SERVET_EUNMEASURED);
    assert_ok(record_caches(profile, 0, 0, &cache, 1, &unknown, NULL));
    assert_code(servet_cache_sharing(profile, &big, 1, &sharing), SERVET_EUNMEASURED);
    assert_code(servet_concurrency_get(profile, &big, 1, &loads), SERVET_EUNMEASURED);
    /* The concurrency of memory belongs to no cache level. */
    assert_ok(servet_concurrency_get(profile, &big, 0, &loads));
}

TEST(each_fact_replaces_the_earlier_one)
{
    servet_value rates[9], value;
    servet_concurrency loads = sample_concurrency();
    servet_sharing sharing;
    int count, cores;
    for (int i = 0; i < 9; i++)
        rates[i] = sample_rate(5, 1);
    assert_ok(record_cache_groups(profile, 0, 0, 1, sample_groups, 2, NULL, NULL));
    assert_code(servet_cache_sharing(profile, &big, 1, &sharing), SERVET_EUNMEASURED);
    loads.requests = loads.requests_low = loads.requests_high = loads.chains = 1;
    loads.threads = 0;
    assert_ok(record_concurrency(profile, 0, 0, 1, &loads, rates, NULL, NULL));
    assert_code(servet_concurrency_of_chains(profile, &big, 1, 2, &value), SERVET_ERANGE);
    assert_ok(record_memory_scaling(profile, 0, 0, rates, 2, 0, NULL));
    assert_code(servet_memory_scaling(profile, &fat, 0, 3, &value), SERVET_ERANGE);
    assert_code(servet_memory_saturation(profile, &fat, &cores), SERVET_EUNMEASURED);
    assert_ok(record_memory_scaling(profile, 0, 0, NULL, 0, 0, NULL));
    assert_code(servet_memory_scaling(profile, &fat, 0, 1, &value), SERVET_EUNMEASURED);
    assert_code(record_numa(profile, 0, sample_numa, 1, rates, rates + 4, NULL),
                SERVET_EARGUMENT); /* a bandwidth for a latency */
    rates[4] = servet_value_unknown(SERVET_UNIT_SECOND);
    assert_ok(record_numa(profile, 0, sample_numa, 1, rates, rates + 4, NULL));
    assert_ok(servet_numa_count(profile, &fat, &count));
    assert_int_equal(count, 1);
    assert_ok(servet_numa_bandwidth(profile, &fat, 0, 0, &value));
    assert_code(servet_numa_latency(profile, &fat, 0, 0, &value), SERVET_EUNMEASURED);
}

/* A single core has no distances, and cores on buses of their own no overhead: that was measured.
 */
TEST(nothing_there_is_not_unmeasured)
{
    int count = -1;
    assert_ok(record_distances(profile, 0, NULL, 0, NULL));
    assert_ok(servet_distance_layer_count(profile, &fat, &count));
    assert_int_equal(count, 0);
    count = -1;
    assert_ok(record_memory_levels(profile, 0, NULL, 0, NULL));
    assert_ok(servet_memory_level_count(profile, &fat, &count));
    assert_int_equal(count, 0);
}

/* Bytes of a profile of a node with `cores` cores in two groups. */
static size_t bytes_for(int cores)
{
    char all[32], low[32], high[32];
    const char *const groups[] = {low, high};
    servet_machine machine = sample_machine("large");
    servet_distance_layer layer = sample_layer(1);
    servet_memory_level level = sample_overhead(2);
    int class, kind;
    snprintf(all, sizeof all, "0-%d", cores - 1);
    snprintf(low, sizeof low, "0-%d", cores / 2 - 1);
    snprintf(high, sizeof high, "%d-%d", cores / 2, cores - 1);
    servet_profile_close(profile);
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "large", &machine, &class, NULL));
    assert_ok(servet_profile_add_kind(profile, class, "all", all, &kind, NULL));
    assert_ok(record_distances(profile, class, &layer, 1, NULL));
    assert_ok(record_distance_groups(profile, class, 1, groups, 2, NULL));
    assert_ok(record_memory_levels(profile, class, &level, 1, NULL));
    assert_ok(record_memory_groups(profile, class, 1, groups, 2, NULL));
    char *text = profile_text(profile);
    size_t bytes = strlen(text);
    free(text);
    return bytes;
}

TEST(files_grow_with_groups_not_with_cores)
{
    /* A factor of 1,000 lengthens each number by three digits. */
    enum { NUMBERS = 1 + 2 * 3, DIGITS = 3 };
    size_t few = bytes_for(16), many = bytes_for(16000);
    assert_int_equal(many - few, NUMBERS * DIGITS);
}

/* Huge pages are kept apart from base pages. */
TEST(translation_by_pages)
{
    const servet_translation huge = {
        .page_bytes = sample_value(2 << 20, SERVET_UNIT_BYTE),
        .granule_bytes = sample_value(4096, SERVET_UNIT_BYTE),
        .walk = srv_value_in_seconds(sample_value(20, SRV_UNIT_NANOSECOND)),
        .pages_asked = 8192};
    servet_translation read;
    servet_tlb tlb;
    int count;
    assert_ok(record_translation(profile, 0, 0, SERVET_PAGES_HUGE, &huge, NULL, 0, NULL));
    assert_ok(servet_tlb_count(profile, &big, SERVET_PAGES_HUGE, &count));
    assert_int_equal(count, 0);
    assert_ok(servet_translation_get(profile, &big, SERVET_PAGES_HUGE, &read));
    assert_float_equal(read.page_bytes.value, 2097152, 0);
    assert_ok(servet_tlb_get(profile, &big, SERVET_PAGES_BASE, 1, &tlb));
    assert_float_equal(tlb.entries.value, 64, 0);
    assert_code(servet_tlb_get(profile, &big, SERVET_PAGES_BASE, 2, &tlb), SERVET_ERANGE);
    assert_code(servet_translation_get(profile, &big, SERVET_PAGES_COUNT, &read), SERVET_ERANGE);
}
