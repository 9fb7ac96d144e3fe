/* SPDX-License-Identifier: BSD-3-Clause */
/* Independent random loads on real memory: their addresses, and that each waits for the one
 * before. */
#include "test.h"

#include "machine/hardware/chase.h"
#include "machine/machine.h"
#include "machine/order.h"

enum { LINE = 64, LINES_MAX = 1 << 12 };

static char *memory;

static int allocate(void **state)
{
    (void)state;
    memory = aligned_alloc(4096, (size_t)LINES_MAX * LINE);
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

TEST(the_slots_hold_zeros)
{
    memset(memory, 0xff, (size_t)LINES_MAX * LINE);
    srv_slots slots = lines(1000);
    srv_random_loads at;
    srv_random_loads_begin(&at, &slots, 1);
    for (size_t i = 0; i < LINES_MAX; i++)
        assert_true((*(uintptr_t *)(void *)(memory + i * LINE) == 0) == (i < 1000));
    srv_random_loads_run(&at, 100000); /* a load elsewhere finds only ones, an invalid address */
    assert_true(at.zero == 0);
}

/* The generator says where the loads go: all slots alike, and none beyond. */
TEST(all_slots_are_loaded_equally_often)
{
    const uint64_t counts[] = {1, 2, 3, 100, 4095};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint64_t count = counts[c], state_now = srv_mix(3);
        int *visits = calloc(count, sizeof *visits);
        double expected = 400, squares = 0;
        for (uint64_t i = 0; i < count * 400; i++) {
            state_now = srv_load_next(state_now);
            uint64_t slot = srv_load_slot(state_now, count);
            assert_true(slot < count);
            visits[slot]++;
        }
        for (uint64_t i = 0; i < count; i++)
            squares += (visits[i] - expected) * (visits[i] - expected) / expected;
        double freedom =
            (double)count - 1; /* chi-square: five deviations from its mean are chance no more */
        assert_true(squares <= freedom + 5 * sqrt(2 * freedom) + 1e-9);
        free(visits);
    }
}

/* The loads follow the numbers of the random generator, one number per load. */
TEST(loads_follow_the_random_generator)
{
    srv_slots slots = lines(100);
    srv_random_loads at;
    srv_random_loads_begin(&at, &slots, 9);
    uint64_t expected = at.state;
    srv_random_loads_run(&at, 30);
    for (int i = 0; i < 32; i++) /* rounded up to whole passes */
        expected = srv_load_next(expected);
    assert_true(at.state == expected);
}

/* Slots hold offsets in place of zeros, which each load adds to the next address. If slot i holds i
 * modulo a prime, the last load finds the sum of all chosen slots: it would find another sum if a
 * single load ignored the content of the previous one. */
TEST(each_load_depends_on_the_one_before)
{
    enum { COUNT = 1000, PRIME = 1009 };
    const size_t loads[] = {8, 16, 104, 1000};
    srv_slots slots = lines(COUNT);
    srv_random_loads at;
    srv_random_loads_begin(&at, &slots, 5);
    for (size_t i = 0; i < COUNT + PRIME; i++)
        *(uintptr_t *)(void *)(memory + i * LINE) = i % PRIME * LINE;
    uint64_t state_now = at.state, sum = 0;
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        srv_random_loads_run(&at, loads[k]);
        for (size_t i = 0; i < loads[k]; i++) {
            state_now = srv_load_next(state_now);
            sum += srv_load_slot(state_now, COUNT);
        }
        assert_int_equal(at.zero, sum % PRIME * LINE);
        assert_int_equal(at.state, state_now); /* the generator waits for no load */
    }
}

TEST(the_machine_times_them)
{
    srv_machine *machine;
    srv_timing timing;
    srv_core_type kinds[SRV_CORE_TYPES_MAX];
    int count;
    srv_traversal traversal = {.bytes = 8 << 10,
                               .pattern = SRV_PATTERN_RANDOM,
                               .line_bytes = LINE,
                               .chains = 1,
                               .pages = SERVET_PAGES_BASE,
                               .seed = 1,
                               .seconds = 2e-3};
    assert_ok(srv_hardware_create(&machine, NULL));
    assert_ok(machine->ops->core_types(machine, kinds, &count, NULL));
    traversal.core = atoi(kinds[0].cores);
    assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
    assert_true(timing.spread.minimum > 0 && isfinite(timing.spread.high));
    assert_true(timing.busy >= 1 && timing.error > 0);
    srv_machine_destroy(machine);
}

TEST(several_chains_and_delays_are_refused)
{
    srv_machine *machine;
    srv_timing timing;
    assert_ok(srv_hardware_create(&machine, NULL));
    srv_traversal traversal = {
        .bytes = 8 << 10, .pattern = SRV_PATTERN_RANDOM, .line_bytes = LINE, .chains = 2};
    assert_int_equal(machine->ops->traverse(machine, &traversal, 1, &timing, NULL),
                     SERVET_EARGUMENT);
    traversal.chains = 1;
    traversal.delay = 4;
    assert_int_equal(machine->ops->traverse(machine, &traversal, 1, &timing, NULL),
                     SERVET_EARGUMENT);
    srv_machine_destroy(machine);
}

TEST_GROUP(allocate, release)
