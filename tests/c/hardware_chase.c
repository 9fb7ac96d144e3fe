/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "machine/hardware/chase.h"

enum { LINE = 64, PAGE = 4096 };

static char *memory;

static int allocate(void **state)
{
    (void)state;
    memory = aligned_alloc(PAGE, (size_t)4096 * PAGE);
    return memory ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    free(memory);
    return 0;
}

static srv_slots lines(size_t count)
{
    return (srv_slots){.base = memory, .count = count, .stride = LINE, .line = LINE, .lines = 1};
}

/* Follows the cycle: every slot once, then back at the start. */
static void assert_one_cycle(const srv_chase *chase, const srv_slots *slots)
{
    bool *seen = calloc(slots->count, sizeof *seen);
    void *at = chase->start[0];
    for (size_t i = 0; i < slots->count; i++) {
        size_t slot = (size_t)((char *)at - slots->base) / slots->stride;
        assert_true(slot < slots->count);
        assert_false(seen[slot]);
        seen[slot] = true;
        at = *(void **)at;
    }
    assert_ptr_equal(at, chase->start[0]);
    free(seen);
}

TEST(every_slot_is_visited_once_a_cycle)
{
    const size_t counts[] = {1, 2, 3, 63, 64, 65, 1000, 4097, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            srv_slots slots = lines(counts[i]);
            srv_chase chase;
            srv_chase_build(&chase, &slots, seed);
            assert_one_cycle(&chase, &slots);
        }
}

TEST(page_slots_lie_inside_their_pages)
{
    srv_slots slots = {
        .base = memory, .count = 1000, .stride = PAGE, .line = LINE, .lines = PAGE / LINE};
    srv_chase chase;
    srv_chase_build(&chase, &slots, 7);
    assert_one_cycle(&chase, &slots);
    bool offsets[PAGE / LINE] = {false};
    void *at = chase.start[0];
    for (size_t i = 0; i < slots.count; i++, at = *(void **)at)
        offsets[(size_t)((char *)at - memory) % PAGE / LINE] = true;
    size_t used = 0;
    for (size_t i = 0; i < PAGE / LINE; i++)
        used += offsets[i];
    assert_int_equal(used, PAGE / LINE); /* all sets of a cache share the load */
}

TEST(a_grown_cycle_is_whole)
{
    srv_slots slots = lines(1000);
    srv_chase chase;
    srv_chase_build(&chase, &slots, 1);
    for (size_t count = 1000; count < 200000; count = count * 3 / 2) {
        slots = lines(count);
        srv_chase_grow(&chase, &slots, 1);
        assert_one_cycle(&chase, &slots);
    }
}

/* Share of loads that go to the same page as the load before, or to the page behind it. */
static double share_nearby(const srv_chase *chase, const srv_slots *slots)
{
    size_t near = 0;
    void *at = chase->start[0];
    for (size_t i = 0; i < slots->count; i++) {
        void *next = *(void **)at;
        size_t here = (size_t)((char *)at - slots->base) / PAGE;
        size_t there = (size_t)((char *)next - slots->base) / PAGE;
        near += there == here || there == here + 1;
        at = next;
    }
    return (double)near / (double)slots->count;
}

TEST(the_order_has_no_locality)
{
    srv_slots slots = lines(64 * 1024); /* 1024 pages: chance says 2 in 1024 */
    srv_chase chase;
    srv_chase_build(&chase, &slots, 3);
    assert_true(share_nearby(&chase, &slots) < 3.0 / 1024);
    srv_slots more = lines(128 * 1024);
    srv_chase_grow(&chase, &more, 3);
    assert_true(share_nearby(&chase, &more) < 3.0 / 2048);
}

TEST(another_seed_is_another_order)
{
    srv_slots slots = lines(1000);
    srv_chase chase;
    srv_chase_build(&chase, &slots, 1);
    void *first = *(void **)chase.start[0];
    srv_chase_build(&chase, &slots, 2);
    void *second = *(void **)chase.start[0];
    assert_ptr_not_equal(first, second);
}

/* Each kernel leaves its cursors exactly `loads` steps further on. */
TEST(kernels_make_the_given_number_of_steps)
{
    srv_slots slots = lines(5000);
    srv_chase chase;
    srv_chase_build(&chase, &slots, 5);
    for (int chains = 1; chains <= SRV_CHASE_STARTS; chains++) {
        void *cursor[SRV_CHASE_STARTS], *expected[SRV_CHASE_STARTS];
        for (int i = 0; i < chains; i++) {
            cursor[i] = expected[i] = chase.start[i];
            for (int k = 0; k < 160; k++)
                expected[i] = *(void **)expected[i];
        }
        srv_chase_kernel_for(chains)(cursor, 160);
        for (int i = 0; i < chains; i++)
            assert_ptr_equal(cursor[i], expected[i]);
    }
    assert_null(srv_chase_kernel_for(0));
    assert_null(srv_chase_kernel_for(SRV_CHASE_STARTS + 1));
    void *delayed = chase.start[0], *plain = chase.start[0];
    srv_chase_delayed(&delayed, 160, 5);
    srv_chase_kernel_for(1)(&plain, 160);
    assert_ptr_equal(delayed, plain);
}

TEST(starts_are_spread_along_the_cycle)
{
    srv_slots slots = lines(6400);
    srv_chase chase;
    srv_chase_build(&chase, &slots, 5);
    void *at = chase.start[0];
    for (int start = 0; start < SRV_CHASE_STARTS; start++) {
        assert_ptr_equal(at, chase.start[start]);
        for (int k = 0; k < 100; k++)
            at = *(void **)at;
    }
}

TEST_GROUP(allocate, release)
