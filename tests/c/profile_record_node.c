/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording what the cores of a node have in common, and loads in flight: what is refused, with the
 * member named, and leaves the profile as it was; what replaces what. */
#include "test.h"
#include "core/units.h"
#include "profile_sample.h"

#include <math.h>
#include "../record.h"

static servet_profile *profile;
static char *before;
static const servet_at big = {"fat", 0}, fat = {"fat", SERVET_ANY_CORE};
static const char *const twice[] = {"0-2", "1,3"}, *const malformed[] = {"0", "1 2"};

static char *dump(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(servet_profile_dump(profile, stream, NULL), SERVET_OK);
    fclose(stream);
    return text;
}

static int setup(void **state)
{
    (void)state;
    int code = sample_profile(&profile, NULL);
    before = code == SERVET_OK ? dump() : NULL;
    return code;
}

static int teardown(void **state)
{
    (void)state;
    servet_profile_close(profile);
    free(before);
    return 0;
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
    char *after = dump();
    assert_int_equal(code, SERVET_EARGUMENT);
    assert_string_equal(error->text, what);
    assert_string_equal(after, before);
    free(after);
}

/* A bandwidth that is not to be believed. */
static servet_value negative(void)
{
    servet_value value = sample_value(1e9, SERVET_UNIT_BYTE_PER_SECOND);
    value.low = -1;
    return value;
}

static void bad_sharing(void **state)
{
    (void)state;
    const servet_sharing certain = {1.5, SERVET_VERDICT_AGREES, true},
                         unknown = {1, (servet_verdict)7, true};
    REFUSED("classes[0].kinds[0].caches[0].sharing.confidence: 1.5, not within 0 to 1",
            PUT(certain, 1, "kinds.1.caches.1.sharing"));
    REFUSED("classes[0].kinds[0].caches[1].sharing.verdict: 7 is none of its words",
            PUT(unknown, 1, "kinds.1.caches.2.sharing"));
    REFUSED("classes[0].kinds[0].caches[0].groups: a core is in two groups",
            record_cache_groups(profile, 0, 0, 1, twice, 2, &sample_sharing, &error));
    REFUSED("a list of -1 items",
            record_cache_groups(profile, 0, 0, 1, sample_groups, -1, NULL, &error));
}

static void no_such_facts(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "",       "caches",       "kinds.caches", "kinds.1", "kinds.1.name",
        "memory", "numa.x.cores", "doubts.1",     "network", "coherence.coherence_line.value"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char what[80];
        snprintf(what, sizeof what, "no fact is called %s", paths[i]);
        REFUSED(what, PUT(*paths, 1, paths[i]));
    }
}

static void bad_lines(void **state)
{
    (void)state;
    servet_value none = sample_value(0, SERVET_UNIT_BYTE),
                 time = srv_value_in_seconds(sample_value(64, SRV_UNIT_NANOSECOND));
    REFUSED("classes[0].kinds[0].caches[1].line: 0 is not positive",
            record_cache_line(profile, 0, 0, 2, &none, &error));
    REFUSED("classes[0].kinds[0].caches[0].line: the unit is 's' where 'B' belongs",
            record_cache_line(profile, 0, 0, 1, &time, &error));
    REFUSED("classes[0].kinds[0].caches[3]: there is none",
            record_cache_line(profile, 0, 0, 4, &none, &error));
    REFUSED("classes[0].kinds[5]: there is none",
            record_cache_line(profile, 0, 5, 1, &none, &error));
}

static void bad_concurrency(void **state)
{
    (void)state;
    servet_concurrency loads = sample_concurrency();
    servet_value rates[4] = {sample_rate(1, 1), sample_rate(1, 2), negative(), sample_rate(1, 4)};
    REFUSED("classes[0].kinds[0].caches[0].concurrency.chains[2]: -1 is negative",
            PUT(*rates, 4, "kinds.1.caches.1.concurrency.chains"));
    REFUSED("classes[0].kinds[0].memory.concurrency.threads[2]: -1 is negative",
            PUT(*rates, 3, "kinds.1.memory.concurrency.threads"));
    REFUSED("classes[0].kinds[0].memory.concurrency.requests: 5 loads, but at most 2 were measured",
            PUT(*rates, 2, "kinds.1.memory.concurrency.chains"));
    loads.requests = 2;
    loads.requests_low = 3;
    REFUSED("classes[0].kinds[0].caches[0].concurrency.requests: 2 loads, not within 3 to 3",
            record_concurrency(profile, 0, 0, 1, &loads, rates, NULL, &error));
    loads.requests_low = 1;
    loads.requests_high = 1;
    REFUSED("classes[0].kinds[0].memory.concurrency.requests: 2 loads, not within 1 to 1",
            record_concurrency(profile, 0, 0, 0, &loads, rates, NULL, &error));
    loads.requests_low = loads.requests_high = 0;
    loads.requests = 0;
    REFUSED("classes[0].kinds[0].caches[0].concurrency.requests: 0 is not positive",
            record_concurrency(profile, 0, 0, 1, &loads, rates, NULL, &error));
    loads = sample_concurrency();
    REFUSED("a list of -1 items", PUT(*rates, -1, "kinds.1.caches.1.concurrency.chains"));
    REFUSED("classes[0].kinds[0].caches[-2]: there is none",
            record_concurrency(profile, 0, 0, -1, &loads, rates, NULL, &error));
}

static void bad_coherence(void **state)
{
    (void)state;
    servet_coherence coherence = sample_coherence();
    coherence.level = -1;
    REFUSED("classes[0].coherence.coherence_level: -1 is negative",
            record_coherence(profile, 0, &coherence, &error));
    coherence = sample_coherence();
    coherence.line.unit = SERVET_UNIT_NONE;
    REFUSED("classes[0].coherence.coherence_line: the unit is '1' where 'B' belongs",
            record_coherence(profile, 0, &coherence, &error));
    REFUSED("classes[2]: there is none", record_coherence(profile, 2, &coherence, &error));
}

static void bad_distances(void **state)
{
    (void)state;
    servet_distance_layer layers[2] = {sample_layer(1), sample_layer(2)};
    layers[1].confidence = -0.5;
    REFUSED("classes[0].distance.layers[1].confidence: -0.5 is negative",
            record_distances(profile, 0, layers, 2, &error));
    layers[1] = sample_layer(2);
    layers[0].latency.value = NAN;
    REFUSED("classes[0].distance.layers[0].latency_ns.value: not a finite number",
            record_distances(profile, 0, layers, 2, &error));
    REFUSED("a list of -1 items", record_distances(profile, 0, layers, -1, &error));
    REFUSED("classes[0].distance.layers[0].groups: a core is in two groups",
            record_distance_groups(profile, 0, 1, twice, 2, &error));
    REFUSED("classes[0].distance.layers[2].groups[1]: not a set of cores such as 0-3,8",
            record_distance_groups(profile, 0, 3, malformed, 2, &error));
    REFUSED("classes[0].distance.layers[1].groups: no set at all",
            record_distance_groups(profile, 0, 2, NULL, 0, &error));
    REFUSED("classes[0].distance.layers[3]: there is none",
            record_distance_groups(profile, 0, 4, sample_groups, 3, &error));
    REFUSED("classes[0].distance.layers[-1]: there is none",
            record_distance_groups(profile, 0, 0, sample_groups, 3, &error));
    REFUSED("classes[-1]: there is none",
            record_distance_groups(profile, -1, 1, sample_groups, 3, &error));
}

static void bad_memory(void **state)
{
    (void)state;
    servet_value rates[SERVET_KERNEL_COUNT];
    sample_rates(SAMPLE_KERNELS, rates, SERVET_KERNEL_COUNT);
    rates[SERVET_KERNEL_COPY_NT] = negative();
    REFUSED("classes[0].memory.bandwidth.copy-nt: -1 is negative",
            record_memory(profile, 0, rates, SERVET_KERNEL_COUNT, &error));
    REFUSED("memory.bandwidth: 40 bytes where 280 belong", PUT(*rates, 7, "memory.bandwidth"));
    REFUSED("memory.bandwidth: 2 items, at most 1 are allowed", PUT(rates, 2, "memory.bandwidth"));
    servet_memory_level levels[2] = {sample_overhead(1), sample_overhead(2)};
    levels[1].saturation = -2;
    REFUSED("classes[0].memory.levels[1].saturation: -2 is negative",
            record_memory_levels(profile, 0, levels, 2, &error));
    REFUSED("a list of -1 items", record_memory_levels(profile, 0, levels, -1, &error));
    REFUSED("classes[0].memory.levels[0].groups: a core is in two groups",
            record_memory_groups(profile, 0, 1, twice, 2, &error));
    REFUSED("classes[0].memory.levels[2]: there is none",
            record_memory_groups(profile, 0, 3, sample_groups, 3, &error));
}

static void bad_scaling(void **state)
{
    (void)state;
    servet_value rates[3] = {sample_rate(1, 1), negative(), sample_rate(1, 3)};
    REFUSED("classes[0].memory.scaling[1]: -1 is negative", PUT(*rates, 3, "memory.scaling"));
    REFUSED("classes[0].memory.levels[1].scaling[1]: -1 is negative",
            record_memory_scaling(profile, 0, 2, rates, 3, 0, &error));
    const int many = 9, negative_count = -1;
    REFUSED("classes[0].memory.saturation: 9 cores, but at most 8 were measured",
            PUT(many, 1, "memory.saturation"));
    REFUSED("classes[0].memory.saturation: -1 is negative",
            PUT(negative_count, 1, "memory.saturation"));
    REFUSED("classes[0].memory.levels[0].saturation: 3 cores, but at most 1 were measured",
            record_memory_scaling(profile, 0, 1, rates, 1, 0, &error));
    REFUSED("classes[0].memory.levels[-2]: there is none",
            record_memory_scaling(profile, 0, -1, rates, 1, 0, &error));
    REFUSED("a list of -3 items", PUT(*rates, -3, "memory.scaling"));
}

static void bad_numa(void **state)
{
    (void)state;
    static const struct {
        servet_numa nodes[2];
        const char *what;
    } cases[] = {
        {{{1, "0"}, {1, "1"}}, "classes[0].numa[1].number: NUMA node 1 after 1"},
        {{{-1, "0"}, {1, "1"}}, "classes[0].numa[0].number: -1 is negative"},
        {{{0, "0-1"}, {1, "1"}}, "classes[0].numa: a core is in two NUMA nodes"},
        {{{0, "0"}, {1, "one"}},
         "classes[0].numa[1].cores: not a set of cores such as 0-3,8, nor empty"},
    };
    servet_value rates[4], latencies[4];
    for (int i = 0; i < 4; i++) {
        rates[i] = sample_rate(1, 1);
        latencies[i] = srv_value_in_seconds(sample_value(100, SRV_UNIT_NANOSECOND));
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSED(cases[i].what,
                record_numa(profile, 0, cases[i].nodes, 2, rates, latencies, &error));
    REFUSED("classes[0].numa[1].bandwidth: 2 values for 3 NUMA nodes",
            PUT(*rates, 2, "numa.2.bandwidth"));
    latencies[1].unit = SERVET_UNIT_CYCLE;
    REFUSED("classes[0].numa[1].latency_ns[1]: the unit is 'cycles' where 's' belongs",
            PUT(*latencies, 3, "numa.2.latency_ns"));
    rates[0] = negative();
    REFUSED("classes[0].numa[1].bandwidth[0]: -1 is negative", PUT(*rates, 3, "numa.2.bandwidth"));
    REFUSED("a list of -1 items",
            record_numa(profile, 0, cases[0].nodes, -1, rates, latencies, &error));
}

static void facts_of_levels_are_deleted_with_them(void **state)
{
    (void)state;
    servet_distance_layer layer = sample_layer(1);
    servet_memory_level level = sample_overhead(2);
    servet_value value, unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_cache cache = sample_cache(1);
    servet_concurrency loads;
    servet_sharing sharing;
    int count;
    assert_int_equal(record_distances(profile, 0, &layer, 1, NULL), SERVET_OK);
    assert_int_equal(servet_distance_group_count(profile, &fat, 1, &count), SERVET_EUNMEASURED);
    assert_int_equal(servet_distance_group_count(profile, &fat, 2, &count), SERVET_ERANGE);
    assert_int_equal(record_memory_levels(profile, 0, &level, 1, NULL), SERVET_OK);
    assert_int_equal(servet_memory_group_count(profile, &fat, 1, &count), SERVET_EUNMEASURED);
    assert_int_equal(servet_memory_scaling(profile, &fat, 1, 1, &value), SERVET_EUNMEASURED);
    assert_int_equal(record_caches(profile, 0, 0, &cache, 1, &unknown, NULL), SERVET_OK);
    assert_int_equal(servet_cache_sharing(profile, &big, 1, &sharing), SERVET_EUNMEASURED);
    assert_int_equal(servet_concurrency_get(profile, &big, 1, &loads), SERVET_EUNMEASURED);
    /* The concurrency of memory belongs to no cache level. */
    assert_int_equal(servet_concurrency_get(profile, &big, 0, &loads), SERVET_OK);
}

static void each_fact_replaces_the_earlier_one(void **state)
{
    (void)state;
    servet_value rates[9], value;
    servet_concurrency loads = sample_concurrency();
    servet_sharing sharing;
    int count, cores;
    for (int i = 0; i < 9; i++)
        rates[i] = sample_rate(5, 1);
    assert_int_equal(record_cache_groups(profile, 0, 0, 1, sample_groups, 2, NULL, NULL),
                     SERVET_OK);
    assert_int_equal(servet_cache_sharing(profile, &big, 1, &sharing), SERVET_EUNMEASURED);
    loads.requests = loads.requests_low = loads.requests_high = loads.chains = 1;
    loads.threads = 0;
    assert_int_equal(record_concurrency(profile, 0, 0, 1, &loads, rates, NULL, NULL), SERVET_OK);
    assert_int_equal(servet_concurrency_of_chains(profile, &big, 1, 2, &value), SERVET_ERANGE);
    assert_int_equal(record_memory_scaling(profile, 0, 0, rates, 2, 0, NULL), SERVET_OK);
    assert_int_equal(servet_memory_scaling(profile, &fat, 0, 3, &value), SERVET_ERANGE);
    assert_int_equal(servet_memory_saturation(profile, &fat, &cores), SERVET_EUNMEASURED);
    assert_int_equal(record_memory_scaling(profile, 0, 0, NULL, 0, 0, NULL), SERVET_OK);
    assert_int_equal(servet_memory_scaling(profile, &fat, 0, 1, &value), SERVET_EUNMEASURED);
    assert_int_equal(record_numa(profile, 0, sample_numa, 1, rates, rates + 4, NULL),
                     SERVET_EARGUMENT); /* a bandwidth for a latency */
    rates[4] = servet_value_unknown(SERVET_UNIT_SECOND);
    assert_int_equal(record_numa(profile, 0, sample_numa, 1, rates, rates + 4, NULL), SERVET_OK);
    assert_int_equal(servet_numa_count(profile, &fat, &count), SERVET_OK);
    assert_int_equal(count, 1);
    assert_int_equal(servet_numa_bandwidth(profile, &fat, 0, 0, &value), SERVET_OK);
    assert_int_equal(servet_numa_latency(profile, &fat, 0, 0, &value), SERVET_EUNMEASURED);
}

/* A single core has no distances, and cores on buses of their own no overhead: that was measured.
 */
static void nothing_there_is_not_unmeasured(void **state)
{
    (void)state;
    int count = -1;
    assert_int_equal(record_distances(profile, 0, NULL, 0, NULL), SERVET_OK);
    assert_int_equal(servet_distance_layer_count(profile, &fat, &count), SERVET_OK);
    assert_int_equal(count, 0);
    count = -1;
    assert_int_equal(record_memory_levels(profile, 0, NULL, 0, NULL), SERVET_OK);
    assert_int_equal(servet_memory_level_count(profile, &fat, &count), SERVET_OK);
    assert_int_equal(count, 0);
}

/* Bytes of a profile of a node with `cores` cores in two groups. */
static size_t bytes_for(int cores)
{
    char all[32], low[32], high[32], *text;
    const char *const groups[] = {low, high};
    servet_machine machine = sample_machine("large");
    servet_distance_layer layer = sample_layer(1);
    servet_memory_level level = sample_overhead(2);
    int class, kind;
    snprintf(all, sizeof all, "0-%d", cores - 1);
    snprintf(low, sizeof low, "0-%d", cores / 2 - 1);
    snprintf(high, sizeof high, "%d-%d", cores / 2, cores - 1);
    servet_profile_close(profile);
    assert_int_equal(servet_profile_create(&profile, NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_class(profile, "large", &machine, &class, NULL), SERVET_OK);
    assert_int_equal(servet_profile_add_kind(profile, class, "all", all, &kind, NULL), SERVET_OK);
    assert_int_equal(record_distances(profile, class, &layer, 1, NULL), SERVET_OK);
    assert_int_equal(record_distance_groups(profile, class, 1, groups, 2, NULL), SERVET_OK);
    assert_int_equal(record_memory_levels(profile, class, &level, 1, NULL), SERVET_OK);
    assert_int_equal(record_memory_groups(profile, class, 1, groups, 2, NULL), SERVET_OK);
    text = dump();
    size_t bytes = strlen(text);
    free(text);
    return bytes;
}

static void files_grow_with_groups_not_with_cores(void **state)
{
    (void)state;
    /* A factor of 1,000 lengthens each number by three digits. */
    enum { NUMBERS = 1 + 2 * 3, DIGITS = 3 };
    size_t few = bytes_for(16), many = bytes_for(16000);
    assert_int_equal(many - few, NUMBERS * DIGITS);
}

static servet_tlb sample_tlb(double entries)
{
    servet_value number = sample_value(entries, SERVET_UNIT_NONE);
    return (servet_tlb){.entries = number,
                        .ways = sample_value(4, SERVET_UNIT_NONE),
                        .reach_bytes = sample_value(4096 * entries, SERVET_UNIT_BYTE),
                        .latency = srv_value_in_seconds(sample_value(2, SRV_UNIT_NANOSECOND)),
                        .confidence = 0.9};
}

/* Huge pages are kept apart from base pages; a wrong unit changes neither. */
static void translation_by_pages(void **state)
{
    (void)state;
    const servet_translation base = {
        .page_bytes = sample_value(4096, SERVET_UNIT_BYTE),
        .granule_bytes = sample_value(4096, SERVET_UNIT_BYTE),
        .walk = srv_value_in_seconds(sample_value(20, SRV_UNIT_NANOSECOND)),
        .pages_asked = 8192};
    servet_translation huge = base, read;
    servet_tlb tlbs[] = {sample_tlb(64), sample_tlb(1536)}, tlb;
    int count;
    huge.page_bytes = sample_value(2 << 20, SERVET_UNIT_BYTE);
    assert_int_equal(record_translation(profile, 0, 0, SERVET_PAGES_BASE, &base, tlbs, 2, NULL),
                     SERVET_OK);
    assert_int_equal(record_translation(profile, 0, 0, SERVET_PAGES_HUGE, &huge, tlbs, 0, NULL),
                     SERVET_OK);
    assert_int_equal(servet_tlb_count(profile, &big, SERVET_PAGES_BASE, &count), SERVET_OK);
    assert_int_equal(count, 2);
    assert_int_equal(servet_tlb_get(profile, &big, SERVET_PAGES_BASE, 2, &tlb), SERVET_OK);
    assert_float_equal(tlb.entries.value, 1536, 0);
    assert_int_equal(servet_tlb_get(profile, &big, SERVET_PAGES_BASE, 3, &tlb), SERVET_ERANGE);
    assert_int_equal(servet_tlb_count(profile, &big, SERVET_PAGES_HUGE, &count), SERVET_OK);
    assert_int_equal(count, 0);
    assert_int_equal(servet_translation_get(profile, &big, SERVET_PAGES_HUGE, &read), SERVET_OK);
    assert_float_equal(read.page_bytes.value, 2097152, 0);
    assert_int_equal(servet_translation_get(profile, &big, SERVET_PAGES_COUNT, &read),
                     SERVET_ERANGE);
    free(before);
    before = dump();
    tlbs[1].reach_bytes = tlbs[1].latency;
    REFUSED(
        "classes[0].kinds[0].translation.tlbs[1].reach_bytes: the unit is 's' where 'B' belongs",
        PUT(*tlbs, 2, "kinds.1.translation.tlbs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bad_sharing, setup, teardown),
        cmocka_unit_test_setup_teardown(no_such_facts, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_concurrency, setup, teardown),
        cmocka_unit_test_setup_teardown(translation_by_pages, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_coherence, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_distances, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_scaling, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_numa, setup, teardown),
        cmocka_unit_test_setup_teardown(facts_of_levels_are_deleted_with_them, setup, teardown),
        cmocka_unit_test_setup_teardown(each_fact_replaces_the_earlier_one, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_there_is_not_unmeasured, setup, teardown),
        cmocka_unit_test_setup_teardown(files_grow_with_groups_not_with_cores, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
