/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample model: L1 of 4 KiB, 4 ways, 2 ns; L2 of 64 KiB, 8 ways, 10 ns, shared by two of the
 * four PUs; memory at 100 ns. */
#include "test.h"

#include <math.h>

#include "sim/hierarchy.h"
#include "sim/random.h"
#include "sample_model.h"

static const double L1_NS = 2, L2_NS = 10, MEMORY_NS = 100;
enum { LINE = 64, PAGE = 4096 };

/* A hierarchy in which PUs 0..pus-1 have entered with `bytes` each. */
static srv_hierarchy *entered(const srv_model *model, int pus, double bytes, uint64_t seed)
{
    srv_hierarchy *hierarchy;
    assert_int_equal(srv_hierarchy_create(&hierarchy, model, NULL), SERVET_OK);
    srv_hierarchy_flush(hierarchy, seed);
    for (int pu = 0; pu < pus; pu++) {
        srv_address_range range = {.pu = pu, .first = 0, .bytes = bytes};
        assert_int_equal(srv_hierarchy_enter(hierarchy, &range, NULL), SERVET_OK);
    }
    return hierarchy;
}

/* Mean latency of PU 0 in round `rounds` of a walk over `count` addresses, `step` bytes apart. */
static double cyclic(const srv_model *model, int count, int step, int rounds, uint64_t seed)
{
    srv_hierarchy *hierarchy = entered(model, 1, (double)count * step, seed);
    double ns = 0;
    for (int round = 0; round < rounds; round++) {
        ns = 0;
        for (int i = 0; i < count; i++)
            ns += srv_hierarchy_load(hierarchy, 0, (uint64_t)i * (uint64_t)step, 0);
    }
    srv_hierarchy_destroy(hierarchy);
    return ns / count;
}

/* Turns a row into a fully associative cache of `lines` lines. */
static void of_lines(srv_model_cache *cache, int lines)
{
    cache->bytes = lines * (double)LINE;
    cache->ways = lines;
}

/* --- capacities ------------------------------------------------------------------------------- */

static void a_load_takes_the_latency_of_its_level(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->core_type[0].clock_ghz = 2; /* latencies of caches are cycles, that of memory is not */
    assert_float_equal(cyclic(model, 64, LINE, 1, 1), MEMORY_NS, 1e-9);
    assert_float_equal(cyclic(model, 64, LINE, 2, 1), L1_NS / 2, 1e-9);
    of_lines(&model->cache[0], 4);
    assert_float_equal(cyclic(model, 64, LINE, 2, 1), L2_NS / 2, 1e-9);
    srv_model_free(model);
}

static void one_line_too_many_always_misses_under_lru(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->cache_count = 1;
    of_lines(&model->cache[0], 64);
    assert_float_equal(cyclic(model, 64, LINE, 3, 1), L1_NS, 1e-9);
    assert_float_equal(cyclic(model, 65, LINE, 3, 1), MEMORY_NS, 1e-9);
    srv_model_free(model);
}

/* Uniform random loads over S in an ideal LRU cache of C: the share of hits is C/S. 50,000 loads
 * tell it to 0.0022 (one standard deviation). */
static void random_loads_hit_in_proportion_to_the_capacity(void **state)
{
    (void)state;
    enum { LINES = 64, LOADS = 50000 };
    srv_model *model = sample_model();
    model->cache_count = 1;
    of_lines(&model->cache[0], LINES);
    for (uint32_t times = 2; times <= 8; times *= 2) {
        srv_hierarchy *hierarchy = entered(model, 1, LINES * LINE * times, 1);
        uint64_t random = 5;
        int hits = 0;
        for (int i = -1000; i < LOADS; i++) {
            uint64_t address = (uint64_t)srv_random_below(&random, LINES * times) * LINE;
            double ns = srv_hierarchy_load(hierarchy, 0, address, 0);
            hits += i >= 0 && ns == L1_NS;
        }
        assert_float_equal((double)hits / LOADS, 1.0 / times, 0.01);
        srv_hierarchy_destroy(hierarchy);
    }
    srv_model_free(model);
}

/* --- placement -------------------------------------------------------------------------------- */

/* P(Y >= k) for Y ~ B(n, p). */
static double at_least(int k, int n, double p)
{
    double below = 0;
    for (int i = 0; i < k; i++)
        below += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) +
                     (n - i) * log1p(-p));
    return 1 - below;
}

/* Share of the pages of a cyclic walk (a line in each line's place of every page) that miss. */
static double missing(const srv_model *model, int pages, int seeds)
{
    double ns = 0;
    int step = (int)model->machine.page_bytes / 4;
    for (int seed = 0; seed < seeds; seed++)
        ns += cyclic(model, pages * 4, step, 3, (uint64_t)seed) / seeds;
    return (ns - L2_NS) / (MEMORY_NS - L2_NS);
}

/* Requirement C12-C14 in its per-access form: with K ways and random pages, an access misses when K
 * or more other pages share its page set, Y ~ B(NP - 1, K * PS / CS). */
static void random_pages_miss_by_the_binomial_distribution(void **state)
{
    (void)state;
    enum { WAYS = 8, COLOURS = 32, SEEDS = 30 };
    srv_model *model = sample_model();
    of_lines(&model->cache[0], 1);
    model->cache[1].bytes = WAYS * COLOURS * PAGE;
    model->cache[1].ways = WAYS;
    static const int pages[] = {128, 192, 256, 320, 384};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        assert_float_equal(missing(model, pages[i], SEEDS),
                           at_least(WAYS, pages[i] - 1, 1.0 / COLOURS), 0.04);
    srv_model_free(model);
}

/* Larger pages miss in the same way; a cache has fewer colours of them. */
static void pages_of_any_size_miss_by_the_binomial_distribution(void **state)
{
    (void)state;
    enum { WAYS = 8, COLOURS = 16, SEEDS = 60 };
    static const int sizes[] = {16 << 10, 64 << 10}, pages[] = {64, 96, 128, 160};
    srv_model *model = sample_model();
    of_lines(&model->cache[0], 1);
    model->cache[1].ways = WAYS;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        model->machine.page_bytes = sizes[i];
        model->cache[1].bytes = (double)WAYS * COLOURS * sizes[i];
        for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
            assert_float_equal(missing(model, pages[k], SEEDS),
                               at_least(WAYS, pages[k] - 1, 1.0 / COLOURS), 0.05);
    }
    srv_model_free(model);
}

/* 64 KiB of 4 ways, indexed physically: where a way is a page or less, no placement makes a
 * conflict. */
static void a_way_within_a_page_has_no_colours(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->cache_count = 1;
    model->cache[0].bytes = 64 << 10;
    model->cache[0].virtually_indexed = false;
    for (double page = PAGE; page <= 64 << 10; page *= 4) {
        int conflicts = 0;
        model->machine.page_bytes = page;
        for (uint64_t seed = 0; seed < 20; seed++)
            conflicts += cyclic(model, 1024, LINE, 2, seed) > L1_NS;
        assert_int_equal(conflicts > 0, page < 16 << 10);
    }
    srv_model_free(model);
}

static void coloured_pages_fit_up_to_the_capacity(void **state)
{
    (void)state;
    enum { WAYS = 8, COLOURS = 32 };
    srv_model *model = sample_model();
    model->placement = SRV_PAGES_COLOURED;
    of_lines(&model->cache[0], 1);
    model->cache[1].bytes = WAYS * COLOURS * PAGE;
    model->cache[1].ways = WAYS;
    assert_float_equal(missing(model, WAYS * COLOURS, 5), 0, 1e-9);
    /* One page more: the nine of its colour miss. */
    assert_float_equal(missing(model, WAYS * COLOURS + 1, 5), 9.0 / 257, 1e-9);
    srv_model_free(model);
}

/* 16 KiB with one way: the virtual addresses of four neighbouring pages never meet, their physical
 * ones nearly always do. */
static void virtual_indexing_does_not_depend_on_placement(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->cache_count = 1;
    model->cache[0].bytes = 16 << 10;
    model->cache[0].ways = 1;
    int conflicts = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        model->cache[0].virtually_indexed = true;
        assert_float_equal(cyclic(model, 256, LINE, 2, seed), L1_NS, 1e-9);
        model->cache[0].virtually_indexed = false;
        conflicts += cyclic(model, 256, LINE, 2, seed) > L1_NS;
    }
    assert_in_range(conflicts, 12, 20); /* 4!/4^4 = 9 % are without */
    srv_model_free(model);
}

/* --- inclusion -------------------------------------------------------------------------------- */

/* L1 of 4 lines above L2 of 8. A line that is always used stays in L1, while 8 others make it the
 * oldest of L2. What its next use takes. */
static double use_of_what_l2_forgot(srv_model *model)
{
    srv_hierarchy *hierarchy = entered(model, 1, 16 * PAGE, 1);
    double ns = 0;
    for (uint64_t i = 1; i <= 8; i++) {
        srv_hierarchy_load(hierarchy, 0, 0, 0);
        srv_hierarchy_load(hierarchy, 0, i * PAGE, 0);
    }
    ns = srv_hierarchy_load(hierarchy, 0, 0, 0);
    srv_hierarchy_destroy(hierarchy);
    return ns;
}

static void inclusive_caches_evict_from_those_above(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    of_lines(&model->cache[0], 4);
    of_lines(&model->cache[1], 8);
    assert_float_equal(use_of_what_l2_forgot(model), L1_NS, 1e-9);
    model->cache[1].inclusion = SRV_INCLUSIVE;
    assert_float_equal(use_of_what_l2_forgot(model), MEMORY_NS, 1e-9);
    /* Also where the set above is chosen by virtual address bits that L2 does not know: 16 KiB of 2
     * ways, so the pages fall on two sets alternately. */
    model->cache[0].bytes = 16 << 10;
    model->cache[0].ways = 2;
    assert_float_equal(use_of_what_l2_forgot(model), MEMORY_NS, 1e-9);
    srv_model_free(model);
}

/* L1 of 4 lines, L2 of 8: without duplicates they hold 12. */
static void capacities_of_exclusive_caches_add_up(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    of_lines(&model->cache[0], 4);
    of_lines(&model->cache[1], 8);
    model->cache[1].inclusion = SRV_EXCLUSIVE;
    assert_float_equal(cyclic(model, 12, LINE, 4, 1), L2_NS, 1e-9);
    assert_float_equal(cyclic(model, 13, LINE, 4, 1), MEMORY_NS, 1e-9);
    model->cache[1].inclusion = SRV_NON_INCLUSIVE;
    assert_float_equal(cyclic(model, 9, LINE, 4, 1), MEMORY_NS, 1e-9);
    srv_model_free(model);
}

/* A victim cache is filled by evictions, too, but keeps what it serves: of 12 lines, some are there
 * twice, and 12 no longer fit. */
static void victim_caches_keep_what_they_serve(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    of_lines(&model->cache[0], 4);
    of_lines(&model->cache[1], 8);
    model->cache[1].inclusion = SRV_VICTIM;
    assert_float_equal(cyclic(model, 8, LINE, 4, 1), L2_NS, 1e-9);
    assert_true(cyclic(model, 12, LINE, 4, 1) > L2_NS + 1);
    srv_model_free(model);
}

/* Neighbouring lines fill four slices of four alike, also together with the L1 above. */
static void slices_are_filled_evenly(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    of_lines(&model->cache[0], 4);
    model->cache[1].bytes = 16 * LINE;
    model->cache[1].ways = model->cache[1].slices = 4;
    assert_float_equal(cyclic(model, 16, LINE, 4, 1), L2_NS, 1e-9);
    assert_true(cyclic(model, 17, LINE, 4, 1) > L2_NS + 1);
    model->cache[1].inclusion = SRV_EXCLUSIVE;
    assert_float_equal(cyclic(model, 16, LINE, 4, 1), L2_NS, 1e-9);
    assert_true(cyclic(model, 21, LINE, 4, 1) > L2_NS + 1);
    srv_model_free(model);
}

static void lower_levels_may_have_longer_lines(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->cache[0].line_bytes = 16;
    srv_hierarchy *hierarchy = entered(model, 1, PAGE, 1);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 0, 0), MEMORY_NS, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 16, 0), L2_NS, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 24, 0), L1_NS, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 64, 0), MEMORY_NS, 1e-9);
    srv_hierarchy_destroy(hierarchy);
    srv_model_free(model);
}

/* --- sharing ---------------------------------------------------------------------------------- */

/* Mean latency of PU 0 in the third round of walks over `lines` lines by it and `other`. */
static double beside(const srv_model *model, int other, int lines)
{
    srv_hierarchy *hierarchy = entered(model, 4, lines * (double)LINE, 1);
    double ns = 0;
    for (int round = 0; round < 3; round++) {
        ns = 0;
        for (int i = 0; i < lines; i++) {
            ns += srv_hierarchy_load(hierarchy, 0, (uint64_t)i * LINE, 0);
            srv_hierarchy_load(hierarchy, other, (uint64_t)i * LINE, 0);
        }
    }
    srv_hierarchy_destroy(hierarchy);
    return ns / lines;
}

static void cores_that_share_a_cache_have_a_part_of_it(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    of_lines(&model->cache[1], 1024);
    assert_float_equal(beside(model, 1, 600), MEMORY_NS, 1e-9);
    assert_float_equal(beside(model, 2, 600), L2_NS, 1e-9);
    assert_float_equal(beside(model, 1, 500), L2_NS, 1e-9);
    srv_model_free(model);
}

/* PUs of a core share its translation buffers: 3 pages each are too many for 4 entries. */
static void hardware_threads_share_tlbs(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->tlb_count = 1;
    model->tlb[0] = (srv_model_tlb){.entries = 4, .ways = 0, .penalty_cycles = 30};
    for (int smt = 1; smt <= 2; smt++) {
        model->core_type[0].smt = model->smt = smt;
        srv_hierarchy *hierarchy = entered(model, 2, 3 * PAGE, 1);
        double ns = 0;
        for (uint64_t i = 0; i < 9; i++) {
            ns = srv_hierarchy_load(hierarchy, 0, i % 3 * PAGE, 0);
            srv_hierarchy_load(hierarchy, 1, i % 3 * PAGE, 0);
        }
        assert_float_equal(ns, smt == 1 ? L1_NS : L1_NS + 30, 1e-9);
        srv_hierarchy_destroy(hierarchy);
    }
    srv_model_free(model);
}

/* --- memory and prefetching ------------------------------------------------------------------- */

/* 6.4 GB/s move a line in 10 ns: of requests at the same time, each waits for those before. */
static void requests_queue_for_memory(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->domain_count = 1;
    model->domain[0] = (srv_model_domain){.name = "bus", .pus = 4, .bytes_per_second = 6.4e9};
    srv_hierarchy *hierarchy = entered(model, 2, 8 * PAGE, 1);
    for (int i = 0; i < 8; i++)
        assert_float_equal(srv_hierarchy_load(hierarchy, i % 2, (uint64_t)i * LINE, 1000),
                           MEMORY_NS + 10 * i, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 4 * PAGE, 1080), MEMORY_NS, 1e-9);
    srv_hierarchy_destroy(hierarchy);
    srv_model_free(model);
}

/* A stride of half a KiB: three loads show it, those after are there, but for the first of each
 * page. */
static void prefetched_lines_hit(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->prefetcher_count = 1;
    model->prefetcher[0] =
        (srv_model_prefetcher){.type = SRV_PREFETCH_STRIDE, .level = 2, .reach_bytes = 512};
    srv_hierarchy *hierarchy = entered(model, 1, 4 * PAGE, 1);
    for (uint64_t i = 0; i < 24; i++) {
        double expected = i == 1 || i == 2 || i % 8 == 0 ? MEMORY_NS : L2_NS;
        assert_float_equal(srv_hierarchy_load(hierarchy, 0, i * 512, 0), expected, 1e-9);
    }
    srv_hierarchy_destroy(hierarchy);
    srv_model_free(model);
}

static void invalid_probes_are_refused(void **state)
{
    (void)state;
    srv_model *model = sample_model();
    model->cache[0].replacement = SRV_REPLACE_PLRU;
    model->cache[0].bytes = 8 << 10;
    model->cache[0].ways = 128;
    srv_hierarchy *hierarchy;
    assert_int_equal(srv_hierarchy_create(&hierarchy, model, NULL), SERVET_OK);
    srv_address_range range = {.pu = 0, .first = 0, .bytes = PAGE};
    for (int i = 0; i < 2; i++)
        assert_int_equal(srv_hierarchy_enter(hierarchy, &range, NULL), SERVET_EUNSUPPORTED);
    srv_hierarchy_destroy(hierarchy);
    srv_hierarchy_destroy(NULL);
    srv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_takes_the_latency_of_its_level),
        cmocka_unit_test(one_line_too_many_always_misses_under_lru),
        cmocka_unit_test(random_loads_hit_in_proportion_to_the_capacity),
        cmocka_unit_test(random_pages_miss_by_the_binomial_distribution),
        cmocka_unit_test(pages_of_any_size_miss_by_the_binomial_distribution),
        cmocka_unit_test(a_way_within_a_page_has_no_colours),
        cmocka_unit_test(coloured_pages_fit_up_to_the_capacity),
        cmocka_unit_test(virtual_indexing_does_not_depend_on_placement),
        cmocka_unit_test(inclusive_caches_evict_from_those_above),
        cmocka_unit_test(capacities_of_exclusive_caches_add_up),
        cmocka_unit_test(victim_caches_keep_what_they_serve),
        cmocka_unit_test(slices_are_filled_evenly),
        cmocka_unit_test(lower_levels_may_have_longer_lines),
        cmocka_unit_test(cores_that_share_a_cache_have_a_part_of_it),
        cmocka_unit_test(hardware_threads_share_tlbs),
        cmocka_unit_test(requests_queue_for_memory),
        cmocka_unit_test(prefetched_lines_hit),
        cmocka_unit_test(invalid_probes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
