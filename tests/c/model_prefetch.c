/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "sim/prefetch.h"

static srv_prefetcher made(srv_prefetcher_type kind, double reach)
{
    srv_prefetcher prefetcher;
    srv_model_prefetcher model = {.type = kind, .level = 2, .reach_bytes = reach};
    srv_prefetcher_init(&prefetcher, &model, 64, 4096);
    return prefetcher;
}

/* The load of `address` makes the prefetcher fetch `count` lines, at these distances. */
static void expect(srv_prefetcher *prefetcher, uint64_t address, int count,
                   const int64_t *distances)
{
    int64_t offsets[SRV_PREFETCH_LINES_MAX];
    assert_int_equal(srv_prefetcher_see(prefetcher, address, offsets), count);
    if (count > 0)
        assert_memory_equal(offsets, distances, (size_t)count * sizeof *offsets);
}

TEST(the_next_line_prefetcher_fetches_the_other_line_of_a_pair)
{
    srv_prefetcher prefetcher = made(SRV_PREFETCH_NEXT_LINE, 0);
    expect(&prefetcher, 0x1000, 1, (int64_t[]){64});
    expect(&prefetcher, 0x1048, 1, (int64_t[]){-64});
    expect(&prefetcher, 0x1fc0, 1, (int64_t[]){-64});
}

TEST(strides_are_followed_from_the_second_time_on)
{
    srv_prefetcher prefetcher = made(SRV_PREFETCH_STRIDE, 1024);
    expect(&prefetcher, 0x5000, 0, NULL);
    expect(&prefetcher, 0x5400, 0, NULL);
    expect(&prefetcher, 0x5800, 1, (int64_t[]){1024});
    expect(&prefetcher, 0x5c00, 0, NULL); /* the next one is in another page */
    expect(&prefetcher, 0x5800, 0, NULL);
    expect(&prefetcher, 0x5400, 1, (int64_t[]){-1024});
    expect(&prefetcher, 0x5400, 0, NULL); /* no stride */
}

TEST(strides_beyond_the_reach_are_not_followed)
{
    srv_prefetcher prefetcher = made(SRV_PREFETCH_STRIDE, 512);
    for (uint64_t address = 0x8000; address < 0x9000; address += 1024)
        expect(&prefetcher, address, 0, NULL);
}

/* A stream runs 256 B ahead of the loads, each line is fetched once, and it ends with the page. */
TEST(streams_run_ahead_within_the_page)
{
    srv_prefetcher prefetcher = made(SRV_PREFETCH_STREAM, 256);
    expect(&prefetcher, 0x1000, 0, NULL);
    expect(&prefetcher, 0x1040, 0, NULL);
    expect(&prefetcher, 0x1080, 4, (int64_t[]){64, 128, 192, 256});
    expect(&prefetcher, 0x10c0, 1, (int64_t[]){256});
    expect(&prefetcher, 0x10c8, 0, NULL); /* the same line again */
    expect(&prefetcher, 0x1100, 1, (int64_t[]){256});
    for (uint64_t line = 0x1140; line < 0x1f00; line += 64)
        expect(&prefetcher, line, 1, (int64_t[]){256});
    expect(&prefetcher, 0x1f00, 0, NULL);
}

TEST(streams_in_several_pages_do_not_disturb_each_other)
{
    srv_prefetcher prefetcher = made(SRV_PREFETCH_STREAM, 128);
    for (uint64_t i = 0; i < 2; i++)
        for (uint64_t page = 0; page < 8; page++)
            expect(&prefetcher, page * 4096 + i * 64, 0, NULL);
    for (uint64_t page = 0; page < 8; page++)
        expect(&prefetcher, page * 4096 + 128, 2, (int64_t[]){64, 128});
}

TEST(descending_and_distant_accesses_are_not_streams)
{
    srv_prefetcher prefetcher = made(SRV_PREFETCH_STREAM, 256);
    for (uint64_t line = 0x1fc0; line >= 0x1000; line -= 64)
        expect(&prefetcher, line, 0, NULL);
    for (uint64_t line = 0x2000; line < 0x3000; line += 512)
        expect(&prefetcher, line, 0, NULL);
}
