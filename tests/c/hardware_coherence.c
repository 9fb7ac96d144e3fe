/* SPDX-License-Identifier: BSD-3-Clause */
/* Line transfers and false sharing on this machine: properties of any machine with two cores. */
#include "test.h"

#include "two_cores.h"

/* A line of any machine is smaller, and two of them are nearer together than this. */
static const double FAR = 2048;

static srv_line_transfer lines(double count, double apart)
{
    return (srv_line_transfer){.owner = cores[0],
                               .reader = cores[1],
                               .bytes = count * apart,
                               .line_bytes = apart,
                               .modified = true,
                               .seconds = 5e-3};
}

static double ns_of(srv_line_transfer transfer)
{
    srv_timing timing = {.mean = NAN, .error = -1};
    assert_ok(machine->ops->transfer_lines(machine, &transfer, 1, &timing, NULL));
    assert_true(isnan(timing.error));
    assert_true(timing.spread.n >= 9);
    assert_true(timing.ghz > 0);
    assert_true(timing.spread.low <= timing.spread.median);
    double rounding = 1e-9 * timing.mean; /* samples of a coarse clock may all be alike */
    assert_true(timing.spread.low <= timing.mean + rounding);
    assert_true(timing.mean <= timing.spread.high + rounding);
    return timing.spread.median;
}

/* NaN where others had one of the cores: samples count only while both store. */
static double false_sharing_ns(double apart)
{
    srv_false_sharing false_sharing = {cores[0], cores[1], apart, 5e-3};
    srv_timing timing = {.mean = NAN};
    assert_ok(machine->ops->false_sharing(machine, &false_sharing, &timing, NULL));
    return timing.spread.n >= 9 ? timing.spread.median : NAN;
}

/* A hypervisor may move a guest's cores nearer to each other or farther away (28 and 126 ns were
 * seen on one guest by turns), or run both on the threads of one core for a while, where a shared
 * line costs little; and others may take a core. */
enum { MOMENTS = 12, ATTEMPTS = 10 };

/* Is true if a quarter of the moments of one attempt show it. */
static bool is_seen(bool (*shows)(void))
{
    int shown = 0;
    for (int k = 0; k < ATTEMPTS && shown < MOMENTS / 4; k++) {
        shown = 0;
        for (int i = 0; i < MOMENTS && shown < MOMENTS / 4; i++)
            shown += shows();
    }
    return shown >= MOMENTS / 4;
}

/* A few lines that both cores only load stay in the first cache of each. */
static bool modified_lines_cost_more(void)
{
    srv_line_transfer loaded = lines(16, 64);
    loaded.modified = false;
    return ns_of(lines(16, 64)) > 2 * ns_of(loaded);
}

TEST(modified_lines_come_from_the_other_core)
{
    needs_two_cores();
    assert_true(is_seen(modified_lines_cost_more));
}

static bool one_costs_what_many_do(void)
{
    double one = ns_of(lines(1, 1088)), many = ns_of(lines(64, 1088));
    return one > many / 3 && one < many * 3;
}

/* Each line is loaded once a round: a set of one line is no faster than a set of many, whose loads
 * wait for each other. */
TEST(one_line_takes_as_long_as_each_of_many)
{
    needs_two_cores();
    assert_true(is_seen(one_costs_what_many_do));
}

/* Sets that take turns leave even the second cache of many machines. */
TEST(many_loaded_lines_are_measured)
{
    needs_two_cores();
    srv_line_transfer loaded = lines(4096, 64);
    loaded.modified = false;
    assert_true(ns_of(loaded) > 0);
}

TEST(both_directions_are_measured_repeatedly)
{
    needs_two_cores();
    for (int i = 0; i < 4; i++) {
        srv_line_transfer transfer = lines(16, 1088);
        transfer.owner = cores[i % 2];
        transfer.reader = cores[1 - i % 2];
        transfer.seed = (uint64_t)i;
        assert_true(ns_of(transfer) > 0);
    }
}

static bool one_line_is_contended(void)
{
    return false_sharing_ns(1) > 2 * false_sharing_ns(FAR);
}

/* The one thing that false sharing means. */
TEST(bytes_of_one_line_are_contended)
{
    needs_two_cores();
    assert_true(is_seen(one_line_is_contended));
}

/* NaN where the cores never ran at once. */
static double sync_ns(servet_sync_op op, int count)
{
    const srv_sync sync = {op, cores, count, 2e-3};
    srv_spread ns = {.median = NAN};
    assert_ok(machine->ops->synchronize(machine, &sync, &ns, NULL));
    assert_true(ns.n == 0 || (ns.median > 0 && ns.low <= ns.median && ns.median <= ns.high));
    return ns.median;
}

TEST(one_core_synchronizes_with_itself)
{
    static const servet_sync_op alone[] = {SERVET_SYNC_ADD, SERVET_SYNC_CAS, SERVET_SYNC_LOCK};
    for (int i = 0; i < 3; i++)
        assert_true(sync_ns(alone[i], 1) > 0);
    const srv_sync hint = {SERVET_SYNC_PAUSE, cores, 1, 1e-3};
    srv_spread ns = {.median = NAN};
    if (machine->ops->synchronize(machine, &hint, &ns, NULL) == SERVET_OK)
        assert_true(ns.median > 0);
}

/* An owner of a lock waits for the line of the one before; alone it has the line. */
static bool owners_wait(void)
{
    return sync_ns(SERVET_SYNC_LOCK, 2) > 2 * sync_ns(SERVET_SYNC_LOCK, 1);
}

TEST(an_owner_of_a_lock_waits_for_its_line)
{
    needs_two_cores();
    assert_true(is_seen(owners_wait));
}

/* Both threads of a barrier read a line that the other one wrote. */
static bool barriers_cost_a_transfer(void)
{
    double line = ns_of(lines(1, 1088));
    return sync_ns(SERVET_SYNC_CENTRAL, 2) > line / 2 &&
           sync_ns(SERVET_SYNC_DISSEMINATION, 2) > line / 2;
}

TEST(barriers_pass_lines)
{
    needs_two_cores();
    assert_true(is_seen(barriers_cost_a_transfer));
}

TEST(invalid_probes_are_refused)
{
    srv_timing timing;
    int here = cores[0], there = core_count > 1 ? cores[1] : cores[0];
    srv_line_transfer empty = {here, there, 32, 64, true, 0, 1e-3};
    srv_line_transfer crooked = {here, there, 1024, 65, true, 0, 1e-3};
    srv_line_transfer alone = {here, here, 1024, 64, true, 0, 1e-3};
    srv_false_sharing none = {here, there, 0, 1e-3}, self = {here, here, 64, 1e-3};
    assert_int_equal(machine->ops->transfer_lines(machine, &empty, 1, &timing, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->transfer_lines(machine, &crooked, 1, &timing, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->transfer_lines(machine, &alone, 1, &timing, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->false_sharing(machine, &none, &timing, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->false_sharing(machine, &self, &timing, NULL), SERVET_EARGUMENT);
    const srv_sync nobody = {SERVET_SYNC_ADD, cores, 0, 1e-3};
    const srv_sync lonely = {SERVET_SYNC_DISSEMINATION, cores, 1, 1e-3};
    const srv_sync twice = {SERVET_SYNC_ADD, (const int[]){here, here}, 2, 1e-3};
    assert_int_equal(machine->ops->synchronize(machine, &nobody, &timing.spread, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->synchronize(machine, &lonely, &timing.spread, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->synchronize(machine, &twice, &timing.spread, NULL),
                     SERVET_EARGUMENT);
}

TEST_GROUP(two_cores_begin, two_cores_end)
