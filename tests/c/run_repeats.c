/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes that are repeated throughout a run, on a clock that the test moves. */
#include "test.h"

#include "run/repeats.h"
#include "core/error.h"

/* A run: its clock, the cost of its probes, and the order of the probes. */
typedef struct run {
    double clock;
    srv_repeats *repeats;
    int sent[8];
    int fails_at, all;
    double spent;
} run;

typedef struct fact_probe {
    int number;
    double cost, value;
} fact_probe;

static run now;
static srv_repeats repeats;

static double clock_of(void *context)
{
    return ((run *)context)->clock;
}

static int answer(void *context, const void *arguments, uint64_t seed, double *value,
                  servet_error *error)
{
    run *on = context;
    const fact_probe *of = arguments;
    (void)seed;
    on->sent[of->number]++;
    on->clock += of->cost;
    on->spent += of->cost;
    if (++on->all == on->fails_at)
        return srv_fail(error, SERVET_EMACHINE, "the machine broke");
    if (on->repeats)
        srv_repeats_tick(on->repeats, INFINITY); /* as the progress of a probe would */
    *value = of->value;
    return SERVET_OK;
}

TEST_FIXTURE(set_up)
{
    now = (run){0};
    srv_repeats_begin(&repeats, &now, clock_of, 7);
    return 0;
}

TEST_FIXTURE(tear_down)
{
    srv_repeats_finish(&repeats);
    return 0;
}

static void add(int number, double cost, double value)
{
    char fact[24];
    fact_probe arguments = {number, cost, value};
    snprintf(fact, sizeof fact, "fact.%d", number);
    srv_probe probe = {fact, SERVET_UNIT_SECOND, answer, &arguments, sizeof arguments};
    assert_ok(srv_repeats_add(&repeats, &probe, NULL));
}

/* A run that sends a probe of its own every 50 ms. */
static void go_on(double seconds)
{
    for (double end = now.clock + seconds; now.clock < end; now.clock += 0.05)
        srv_repeats_tick(&repeats, INFINITY);
}

TEST_EACH(set_up, tear_down)

TEST(repeats_are_spread_over_the_run)
{
    add(0, 5e-3, 1);
    go_on(20);
    const srv_repeated *one = &repeats.of[0];
    assert_true(one->count >= 30);
    assert_true(one->repeat[0].moment < 1 && one->repeat[one->count - 1].moment > 19);
    for (int i = 1; i < one->count; i++) {
        double apart = one->repeat[i].moment - one->repeat[i - 1].moment;
        assert_true(apart > 0.09 && apart < 1.5);
        assert_true(one->repeat[i].buffer > one->repeat[i - 1].buffer);
    }
}

/* However long it is: what there is no room for is thinned, not cut. */
TEST(repeats_are_spread_over_a_long_run)
{
    add(0, 5e-3, 1);
    go_on(2000);
    const srv_repeated *one = &repeats.of[0];
    assert_true(one->count > SRV_REPEATS_MAX / 4 && one->count <= SRV_REPEATS_MAX);
    assert_true(one->repeat[0].moment < 10 && one->repeat[one->count - 1].moment > 1800);
}

TEST(repeats_take_a_small_part_of_the_run)
{
    for (int i = 0; i < 8; i++)
        add(i, i % 2 ? 0.5 : 5e-3, 1);
    go_on(100);
    assert_true(now.spent < 0.1 * now.clock + 4 * 0.5); /* each is sent once to learn its cost */
    for (int i = 0; i < 8; i++)
        assert_true(now.sent[i] >= 2);
    assert_true(now.sent[0] > 5 * now.sent[1]);
}

TEST(nothing_is_probed_after_the_deadline)
{
    add(0, 1, 1);
    srv_repeats_tick(&repeats, now.clock + 0.05);
    assert_int_equal(now.all, 0);
    srv_repeats_tick(&repeats, now.clock + 5);
    assert_int_equal(now.all, 1);
    now.clock += 1000;
    srv_repeats_tick(&repeats, now.clock + 1.5);
    assert_int_equal(now.all, 1);
}

TEST(a_repeat_causes_no_further_repeat)
{
    now.repeats = &repeats;
    add(0, 5e-3, 1);
    add(1, 5e-3, 1);
    srv_repeats_tick(&repeats, INFINITY);
    assert_int_equal(now.all, 1);
}

TEST(incomplete_rounds_are_completed)
{
    add(0, 5e-3, 1);
    add(1, 5e-3, NAN); /* never has an answer */
    int rounds = 0;
    while (srv_repeats_round(&repeats, 12, INFINITY) > 0)
        rounds++;
    assert_int_equal(now.sent[0], 12);
    assert_int_equal(repeats.of[0].count, 12);
    assert_int_equal(repeats.of[1].count, 0);
    assert_true(rounds < 30);
    assert_int_equal(srv_repeats_round(&repeats, 100, now.clock), 0);
}

/* Answers of a disturbed part of a run are dropped; those of earlier parts stay. */
TEST(a_disturbed_part_is_dropped)
{
    add(0, 5e-3, 1);
    go_on(3);
    srv_repeats_part(&repeats);
    int before = repeats.of[0].count;
    assert_true(before > 1);
    add(1, 5e-3, 1);
    go_on(3);
    assert_true(repeats.of[0].count > before);
    assert_true(repeats.of[1].count > 0);
    srv_repeats_drop(&repeats);
    assert_int_equal(repeats.of[0].count, before);
    assert_int_equal(repeats.of[1].count, 0);
    srv_repeats_drop(&repeats);
    assert_int_equal(repeats.of[0].count, before);
}

TEST(a_fact_has_one_probe)
{
    add(0, 5e-3, 1);
    srv_repeats_tick(&repeats, INFINITY);
    add(0, 5e-3, 3);
    assert_int_equal(repeats.count, 1);
    assert_int_equal(repeats.of[0].count, 0);
    srv_repeats_tick(&repeats, INFINITY);
    assert_true(repeats.of[0].repeat[0].value == 3);
}

TEST(the_first_failure_ends_all_repeats)
{
    now.fails_at = 3;
    add(0, 5e-3, 1);
    go_on(20);
    assert_int_equal(now.all, 3);
    assert_code(repeats.code, SERVET_EMACHINE);
    assert_string_equal(repeats.error.text, "the machine broke");
    assert_int_equal(repeats.of[0].count, 2);
}

TEST_EACH(NULL, NULL)

/* Times of 7 and of 29 ns, bandwidths of 7 and of 29 GB/s, 1 % around them, in turn. */
TEST(of_two_modes_the_slower_one_counts)
{
    srv_repeated time = {.unit = SERVET_UNIT_SECOND}, rate = {.unit = SERVET_UNIT_BYTE_PER_SECOND};
    servet_modes modes;
    for (int i = 0; i < 20; i++) {
        double value = (i % 2 ? 29 : 7) * (1 + 0.002 * (i % 5));
        time.repeat[time.count++] = (srv_repeat){1e-9 * value, i, i};
        rate.repeat[rate.count++] = (srv_repeat){1e9 * value, i, i};
    }
    servet_value of_time = srv_repeated_value(&time, &modes);
    assert_int_equal(modes.count, 2);
    assert_float_equal(of_time.value / 29e-9, 1, 0.01);
    assert_true(of_time.trusted && of_time.low <= 7.1e-9 && of_time.high >= of_time.value);
    assert_float_equal(srv_repeated_value(&rate, &modes).value / 7e9, 1, 0.01);
}

TEST_EACH(set_up, tear_down)

TEST(repeats_are_optional)
{
    fact_probe arguments = {0, 1, 1};
    srv_probe probe = {"fact", SERVET_UNIT_SECOND, answer, &arguments, sizeof arguments};
    assert_ok(srv_repeats_add(NULL, &probe, NULL));
    srv_repeats_tick(NULL, INFINITY);
    assert_int_equal(now.all, 0);
}
