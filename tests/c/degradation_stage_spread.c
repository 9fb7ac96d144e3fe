/* SPDX-License-Identifier: BSD-3-Clause */
/* Every beginning of the order is spread evenly over what cores share. */
#include "test.h"

#include "alloc.h"
#include "core/ranges.h"
#include "sample_model.h"
#include "sim/system.h"
#include "facts/degradation/stage_senders.h"

enum { CORES_MAX = 64 };

static int cores[CORES_MAX], order[CORES_MAX];

static void spread(const srv_sets *sets, int count)
{
    for (int i = 0; i < count; i++)
        cores[i] = i;
    assert_ok(srv_network_spread(sets, cores, count, order, NULL));
    bool seen[CORES_MAX] = {false};
    for (int i = 0; i < count; i++) {
        assert_true(order[i] >= 0 && order[i] < count && !seen[order[i]]);
        seen[order[i]] = true;
    }
}

/* Each set of `size` neighbours has its share of the first `n` cores. */
static void is_even(int count, int size, int n)
{
    for (int first = 0; first < count; first += size) {
        int taken = 0;
        for (int i = 0; i < n; i++)
            taken += order[i] >= first && order[i] < first + size;
        assert_true(taken >= n * size / count);
        assert_true(taken <= (n * size + count - 1) / count);
    }
}

static void add_neighbours(srv_sets *sets, int count, int size)
{
    char text[32];
    for (int first = 0; first < count; first += size) {
        snprintf(text, sizeof text, "%d-%d", first, first + size - 1);
        assert_ok(srv_sets_add(sets, text, NULL));
    }
}

/* 32 cores in two packages of two NUMA nodes of two modules of four. */
TEST(packages_come_first_then_what_is_in_them)
{
    const int sizes[] = {32, 16, 8, 4};
    srv_sets sets = {0};
    for (int i = 0; i < 4; i++)
        add_neighbours(&sets, 32, sizes[i]);
    spread(&sets, 32);
    for (int i = 0; i < 4; i++)
        for (int n = 1; n <= 32; n++)
            is_even(32, sizes[i], n);
    srv_sets_finish(&sets);
}

/* Even numbers are on one socket, odd ones on the other: neighbours are not near. */
TEST(the_numbering_of_the_system_is_not_trusted)
{
    char even_ones[] = "0,2,4,6", odd_ones[] = "1,3,5,7", *texts[] = {even_ones, odd_ones};
    const srv_sets sets = {texts, 2};
    spread(&sets, 8);
    for (int n = 2; n <= 8; n += 2) {
        int even = 0;
        for (int i = 0; i < n; i++)
            even += cores[order[i]] % 2 == 0;
        assert_int_equal(even, n / 2);
    }
}

TEST(without_sets_it_goes_by_number)
{
    const srv_sets sets = {0};
    spread(&sets, 16);
    for (int size = 1; size <= 16; size *= 2)
        for (int n = 1; n <= 16; n *= 2)
            is_even(16, size, n);
    spread(&sets, 1);
    spread(&sets, 13);
}

/* The order by the system's report of the model: package, NUMA node, module. */
TEST(hector_has_one_process_per_processor_first)
{
    srv_sets sets = {0};
    assert_ok(srv_system_objects(shipped_model("hector"), &sets, NULL));
    spread(&sets, 32);
    is_even(32, 16, 2);
    is_even(32, 8, 4);
    is_even(32, 4, 8);
    srv_sets_finish(&sets);
}

static int spread_once(void *context)
{
    return srv_network_spread(context, cores, 16, order, NULL);
}

TEST(memory_may_run_out_anywhere)
{
    srv_sets sets = {0};
    add_neighbours(&sets, 16, 4);
    assert_true(alloc_fail_everywhere(spread_once, &sets) >= 4);
    srv_sets_finish(&sets);
}
