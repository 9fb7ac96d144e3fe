/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "sim/translate.h"
#include "sample_model.h"

static const double MIB = 1 << 20;

/* The model's pages under a placement, mapped from virtual page `first` on. */
static srv_space mapped(const srv_model *model, uint64_t first, double pages, bool huge,
                        uint64_t seed)
{
    srv_frames frames;
    srv_space space = SRV_SPACE_INIT;
    srv_frames_init(&frames, model, seed);
    assert_ok(srv_space_map(&space, &frames, first * 4096, pages * 4096, huge, NULL));
    return space;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

TEST(random_pages_have_distinct_random_addresses)
{
    srv_model *model = kept_model(sample_model());
    srv_space space = mapped(model, 5, 8192, false, 1);
    int colours[16] = {0}, neighbours = 0;
    assert_int_equal(space.count, 8192);
    for (size_t i = 0; i < space.count; i++) {
        assert_true(space.frame[i] < 4e9 / 4096);
        colours[space.frame[i] % 16]++;
        neighbours += i > 0 && space.frame[i] == space.frame[i - 1] + 1;
    }
    assert_true(neighbours < 10);
    for (int i = 0; i < 16; i++) /* 512 expected, standard deviation 22 */
        assert_in_range(colours[i], 512 - 110, 512 + 110);
    qsort(space.frame, space.count, sizeof *space.frame, ascending);
    for (size_t i = 1; i < space.count; i++)
        assert_true(space.frame[i] > space.frame[i - 1]);
    srv_space_finish(&space);
}

TEST(each_seed_has_other_addresses)
{
    srv_model *model = kept_model(sample_model());
    srv_space one = mapped(model, 0, 64, false, 1), same = mapped(model, 0, 64, false, 1),
              other = mapped(model, 0, 64, false, 2);
    assert_memory_equal(one.frame, same.frame, 64 * sizeof *one.frame);
    assert_memory_not_equal(one.frame, other.frame, 64 * sizeof *one.frame);
    srv_space_finish(&one);
    srv_space_finish(&same);
    srv_space_finish(&other);
}

/* 3 MiB with 12 ways have 64 page colours, 1.5 MiB with 8 ways 48: together 192. */
TEST(coloured_pages_keep_their_colour_in_every_cache)
{
    srv_model *model = kept_model(sample_model());
    model->placement = SRV_PAGES_COLOURED;
    model->cache[1].bytes = 1.5 * MIB;
    model->cache_count = 3;
    model->cache[2] = model->cache[1];
    model->cache[2].level = 3;
    model->cache[2].bytes = 3 * MIB;
    model->cache[2].ways = 12;
    srv_space space = mapped(model, 77, 1000, false, 3);
    int jumps = 0;
    for (size_t i = 0; i < space.count; i++) {
        assert_int_equal(space.frame[i] % 64, (77 + i) % 64);
        assert_int_equal(space.frame[i] % 48, (77 + i) % 48);
        jumps += i > 0 && space.frame[i] != space.frame[i - 1] + 1;
    }
    assert_true(jumps > 0);
    srv_space_finish(&space);
}

TEST(huge_pages_are_contiguous)
{
    srv_model *model = kept_model(sample_model());
    model->huge_bytes = 2 * MIB;
    srv_space space = mapped(model, 511, 1026, true, 3);
    assert_int_equal(space.count, 4); /* the last of the first, two whole, the first of the last */
    assert_int_equal(space.page_bits, 21);
    uint64_t first = 511 * 4096;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = i + 1; k < 4; k++)
            assert_int_not_equal(space.frame[i], space.frame[k]);
    assert_int_equal(srv_space_page(&space, first), 0);
    assert_int_equal(srv_space_page(&space, first + 4096), 1);
    assert_int_equal(srv_space_physical(&space, 0, first), space.frame[0] * 2 * MIB + 511 * 4096);
    srv_space base = mapped(model, 0, 512, false, 3);
    assert_int_equal(base.count, 512); /* not requested */
    srv_space_finish(&space);
    srv_space_finish(&base);
}

/* The system gives contiguous memory, the program uses base pages. */
TEST(huge_placement_keeps_base_pages_contiguous)
{
    srv_model *model = kept_model(sample_model());
    model->placement = SRV_PAGES_HUGE;
    model->huge_bytes = 2 * MIB;
    srv_space space = mapped(model, 512, 512, false, 3);
    for (size_t i = 0; i < 512; i++)
        assert_int_equal(space.frame[i], space.frame[0] + i);
    srv_space_finish(&space);
}

/* Cycles for each page in the last of three rounds over pages 0, step, .. (count - 1) * step. */
static double round_cost(int ways_of_second, int count, int step)
{
    srv_model *model = kept_model(sample_model());
    model->tlb_count = 2;
    model->tlb[0] = (srv_model_tlb){.entries = 4, .ways = 0, .penalty_cycles = 7};
    model->tlb[1] = (srv_model_tlb){.entries = 8, .ways = ways_of_second, .penalty_cycles = 30};
    srv_tlb tlb;
    assert_ok(srv_tlb_init(&tlb, model, 2, NULL)); /* 2 GHz */
    double ns = 0;
    for (int round = 0; round < 3; round++) {
        ns = 0;
        for (int i = 0; i < count; i++)
            ns += srv_tlb_use(&tlb, (uint64_t)(i * step), (uint32_t)(1000 + i), false);
    }
    srv_tlb_finish(&tlb);
    return ns * 2 / count;
}

TEST(translation_costs_its_misses)
{
    assert_float_equal(round_cost(0, 4, 1), 0, 1e-12);
    assert_float_equal(round_cost(0, 5, 1), 7, 1e-12);
    assert_float_equal(round_cost(0, 8, 1), 7, 1e-12);
    assert_float_equal(round_cost(0, 9, 1), 37, 1e-12);
    assert_float_equal(round_cost(2, 8, 1), 7, 1e-12);  /* 4 sets of 2: 8 neighbours fit */
    assert_float_equal(round_cost(2, 5, 4), 37, 1e-12); /* 5 pages on one set do not */
}
