/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample model: L1 of 4 KiB, 4 ways, 2 ns; L2 of 64 KiB, 8 ways, 10 ns, shared by two of the
 * four PUs; memory at 100 ns. */
#include "test.h"

#include "sim/hierarchy.h"
#include "sim/random.h"
#include "sample_model.h"

static const double L1_NS = 2, L2_NS = 10, MEMORY_NS = 100;
enum { LINE = 64, PAGE = 4096 };

/* A hierarchy in which PUs 0..pus-1 have entered with `bytes` each. */
static srv_hierarchy *entered(const srv_model *model, int pus, double bytes, uint64_t seed)
{
    srv_hierarchy *hierarchy;
    assert_ok(srv_hierarchy_create(&hierarchy, model, NULL));
    srv_hierarchy_flush(hierarchy, seed);
    for (int pu = 0; pu < pus; pu++) {
        srv_address_range range = {.pu = pu, .first = 0, .bytes = bytes};
        assert_ok(srv_hierarchy_enter(hierarchy, &range, NULL));
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
TEST(pages_of_any_size_miss_by_the_binomial_distribution)
{
    enum { WAYS = 8, COLOURS = 16, SEEDS = 60 };
    static const int sizes[] = {PAGE, 16 << 10, 64 << 10}, pages[] = {64, 96, 128, 160};
    srv_model *model = kept_model(sample_model());
    of_lines(&model->cache[0], 1);
    model->cache[1].ways = WAYS;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        model->machine.page_bytes = sizes[i];
        model->cache[1].bytes = (double)WAYS * COLOURS * sizes[i];
        for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
            assert_float_equal(missing(model, pages[k], SEEDS),
                               at_least(WAYS, pages[k] - 1, 1.0 / COLOURS), 0.05);
    }
}

/* 64 KiB of 4 ways, indexed physically: where a way is a page or less, no placement makes a
 * conflict. */
TEST(a_way_within_a_page_has_no_colours)
{
    srv_model *model = kept_model(sample_model());
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
}

TEST(coloured_pages_fit_up_to_the_capacity)
{
    enum { WAYS = 8, COLOURS = 32 };
    srv_model *model = kept_model(sample_model());
    model->placement = SRV_PAGES_COLOURED;
    of_lines(&model->cache[0], 1);
    model->cache[1].bytes = WAYS * COLOURS * PAGE;
    model->cache[1].ways = WAYS;
    assert_float_equal(missing(model, WAYS * COLOURS, 5), 0, 1e-9);
    /* One page more: the nine of its colour miss. */
    assert_float_equal(missing(model, WAYS * COLOURS + 1, 5), 9.0 / 257, 1e-9);
}

/* 16 KiB with one way: the virtual addresses of four neighbouring pages never meet, their physical
 * ones nearly always do. */
TEST(virtual_indexing_does_not_depend_on_placement)
{
    srv_model *model = kept_model(sample_model());
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

TEST(inclusive_caches_evict_from_those_above)
{
    srv_model *model = kept_model(sample_model());
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
}

/* L1 of 4 lines, L2 of 8: without duplicates they hold 12. */
TEST(capacities_of_exclusive_caches_add_up)
{
    srv_model *model = kept_model(sample_model());
    of_lines(&model->cache[0], 4);
    of_lines(&model->cache[1], 8);
    model->cache[1].inclusion = SRV_EXCLUSIVE;
    assert_float_equal(cyclic(model, 12, LINE, 4, 1), L2_NS, 1e-9);
    assert_float_equal(cyclic(model, 13, LINE, 4, 1), MEMORY_NS, 1e-9);
    model->cache[1].inclusion = SRV_NON_INCLUSIVE;
    assert_float_equal(cyclic(model, 9, LINE, 4, 1), MEMORY_NS, 1e-9);
}

/* A victim cache is filled by evictions, too, but keeps what it serves: of 12 lines, some are there
 * twice, and 12 no longer fit. */
TEST(victim_caches_keep_what_they_serve)
{
    srv_model *model = kept_model(sample_model());
    of_lines(&model->cache[0], 4);
    of_lines(&model->cache[1], 8);
    model->cache[1].inclusion = SRV_VICTIM;
    assert_float_equal(cyclic(model, 8, LINE, 4, 1), L2_NS, 1e-9);
    assert_true(cyclic(model, 12, LINE, 4, 1) > L2_NS + 1);
}

/* Neighbouring lines fill four slices of four alike, also together with the L1 above. */
TEST(slices_are_filled_evenly)
{
    srv_model *model = kept_model(sample_model());
    of_lines(&model->cache[0], 4);
    model->cache[1].bytes = 16 * LINE;
    model->cache[1].ways = model->cache[1].slices = 4;
    assert_float_equal(cyclic(model, 16, LINE, 4, 1), L2_NS, 1e-9);
    assert_true(cyclic(model, 17, LINE, 4, 1) > L2_NS + 1);
    model->cache[1].inclusion = SRV_EXCLUSIVE;
    assert_float_equal(cyclic(model, 16, LINE, 4, 1), L2_NS, 1e-9);
    assert_true(cyclic(model, 21, LINE, 4, 1) > L2_NS + 1);
}

TEST(lower_levels_may_have_longer_lines)
{
    srv_model *model = kept_model(sample_model());
    model->cache[0].line_bytes = 16;
    srv_hierarchy *hierarchy = entered(model, 1, PAGE, 1);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 0, 0), MEMORY_NS, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 16, 0), L2_NS, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 24, 0), L1_NS, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 64, 0), MEMORY_NS, 1e-9);
    srv_hierarchy_destroy(hierarchy);
}

/* --- sharing ---------------------------------------------------------------------------------- */

/* PUs of a core share its translation buffers: 3 pages each are too many for 4 entries. */
TEST(hardware_threads_share_tlbs)
{
    srv_model *model = kept_model(sample_model());
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
}

/* --- memory and prefetching ------------------------------------------------------------------- */

/* 6.4 GB/s move a line in 10 ns: of requests at the same time, each waits for those before. */
TEST(requests_queue_for_memory)
{
    srv_model *model = kept_model(sample_model());
    model->domain_count = 1;
    model->domain[0] = (srv_model_domain){.name = "bus", .pus = 4, .bytes_per_second = 6.4e9};
    srv_hierarchy *hierarchy = entered(model, 2, 8 * PAGE, 1);
    for (int i = 0; i < 8; i++)
        assert_float_equal(srv_hierarchy_load(hierarchy, i % 2, (uint64_t)i * LINE, 1000),
                           MEMORY_NS + 10 * i, 1e-9);
    assert_float_equal(srv_hierarchy_load(hierarchy, 0, 4 * PAGE, 1080), MEMORY_NS, 1e-9);
    srv_hierarchy_destroy(hierarchy);
}

/* A stride of half a KiB: three loads show it, those after are there, but for the first of each
 * page. */
TEST(prefetched_lines_hit)
{
    srv_model *model = kept_model(sample_model());
    model->prefetcher_count = 1;
    model->prefetcher[0] =
        (srv_model_prefetcher){.type = SRV_PREFETCH_STRIDE, .level = 2, .reach_bytes = 512};
    srv_hierarchy *hierarchy = entered(model, 1, 4 * PAGE, 1);
    for (uint64_t i = 0; i < 24; i++) {
        double expected = i == 1 || i == 2 || i % 8 == 0 ? MEMORY_NS : L2_NS;
        assert_float_equal(srv_hierarchy_load(hierarchy, 0, i * 512, 0), expected, 1e-9);
    }
    srv_hierarchy_destroy(hierarchy);
}

TEST(invalid_probes_are_refused)
{
    srv_model *model = kept_model(sample_model());
    model->cache[0].replacement = SRV_REPLACE_PLRU;
    model->cache[0].bytes = 8 << 10;
    model->cache[0].ways = 128;
    srv_hierarchy *hierarchy;
    assert_ok(srv_hierarchy_create(&hierarchy, model, NULL));
    srv_address_range range = {.pu = 0, .first = 0, .bytes = PAGE};
    for (int i = 0; i < 2; i++)
        assert_int_equal(srv_hierarchy_enter(hierarchy, &range, NULL), SERVET_EUNSUPPORTED);
    srv_hierarchy_destroy(hierarchy);
    srv_hierarchy_destroy(NULL);
}
