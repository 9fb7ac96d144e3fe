/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves made of protocols that are known. */
#include "test.h"

#include "alloc.h"
#include "facts/messages/detect.h"

typedef struct piece {
    double from, latency, bandwidth;
} piece;

enum { POINTS_MAX = 64 };

static double bytes[POINTS_MAX], seconds[POINTS_MAX];
static srv_message_curve curve;
static servet_protocol found[SRV_PROTOCOLS_MAX];
static int count;

/* Two sizes a power of two up to 32 MiB; each time is off by up to `noise`, by chance. */
static void draw(const piece *pieces, int n, double noise, unsigned random)
{
    curve = (srv_message_curve){.bytes = bytes, .seconds = seconds};
    for (double size = 1; size <= 1 << 25; size *= 2)
        for (int half = 0; half < (size > 1 ? 2 : 1); half++) {
            int i = curve.count++, of = 0;
            bytes[i] = size * (half ? 1.5 : 1);
            while (of + 1 < n && pieces[of + 1].from <= bytes[i])
                of++;
            random = random * 1664525 + 1013904223;
            double off = 1 + noise * (2. * random / 4294967296. - 1);
            seconds[i] = off * (pieces[of].latency + bytes[i] / pieces[of].bandwidth);
        }
}

static void detect(double noise)
{
    assert_ok(srv_detect_protocols(&curve, noise, found, &count, NULL));
}

static void is_near(const servet_value *value, double truth, double share)
{
    assert_true(servet_value_known(value));
    assert_float_equal(value->value / truth, 1, share);
    assert_true(value->low <= value->value && value->value <= value->high);
}

TEST(one_protocol_is_one_piece)
{
    draw((const piece[]){{0, 2e-6, 3e9}}, 1, 0, 1);
    detect(0.02);
    assert_int_equal(count, 1);
    is_near(&found[0].latency, 2e-6, 1e-6);
    is_near(&found[0].bandwidth, 3e9, 1e-6);
    assert_int_equal(found[0].latency.unit, SERVET_UNIT_SECOND);
    assert_int_equal(found[0].bandwidth.unit, SERVET_UNIT_BYTE_PER_SECOND);
    assert_true(found[0].latency.trusted && found[0].bandwidth.trusted);
    assert_int_equal(found[0].latency.samples, curve.count);
    assert_true(found[0].from.value == 1 && found[0].from.low == 1 && found[0].from.high == 1);
}

/* Eager, rendezvous, and by another channel. */
static const piece three[] = {{0, 1e-6, 2e9}, {12288, 5e-6, 4e9}, {1 << 20, 50e-6, 11e9}};

TEST(each_protocol_is_a_piece)
{
    draw(three, 3, 0, 1);
    detect(0.02);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        is_near(&found[i].latency, three[i].latency, 1e-6);
        is_near(&found[i].bandwidth, three[i].bandwidth, 1e-6);
    }
    assert_true(found[1].from.low < 12288 && found[1].from.value == 12288);
    assert_true(found[2].from.low < 1 << 20 && found[2].from.value == 1 << 20);
}

/* Rates of 1 % and 3 % and many courses of chance. */
TEST(noise_makes_no_protocols)
{
    for (unsigned random = 0; random < test_cases(100, 200); random++) {
        draw(three, 3, random % 2 ? 0.03 : 0.01, random);
        detect(0.02);
        assert_int_equal(count, 3);
        assert_true(found[1].from.value == 12288 && found[2].from.value == 1 << 20);
        is_near(&found[0].latency, 1e-6, 0.05);
        is_near(&found[2].bandwidth, 11e9, 0.05);
        draw(three, 1, random % 2 ? 0.03 : 0.01, random);
        detect(0.02);
        assert_int_equal(count, 1);
    }
}

/* `noise` is uniform, so its standard deviation is smaller by the root of 3. */
static void with_errors(double noise)
{
    static double errors[POINTS_MAX];
    for (int i = 0; i < curve.count; i++)
        errors[i] = noise / sqrt(3);
    curve.errors = errors;
}

/* Large messages are few: their times are off by 15 %, which is known. */
TEST(known_errors_make_no_protocols)
{
    test_leave_to_plain_build();
    int invented = 0;
    for (unsigned random = 0; random < 400; random++) {
        draw(three, 1, 0.15, random);
        with_errors(0.15);
        detect(0.02);
        invented += count > 1;
    }
    assert_true(invented <= 0.03 * 400);
}

/* A switch of a fifth amid noise: where it is is not known to the next size, but within the
 * interval. The near neighbour, without noise, is known to the next size. */
TEST(where_a_protocol_begins_has_an_interval)
{
    test_leave_to_plain_build();
    static const piece two[] = {{0, 5e-6, 2e9}, {8192, 7e-6, 2e9}};
    int found_two = 0, held = 0, next = 0;
    for (unsigned random = 0; random < 400; random++) {
        draw(two, 2, 0.12, random);
        with_errors(0.12);
        detect(0.02);
        if (count != 2)
            continue;
        found_two++;
        held += found[1].from.low <= 8192 && 8192 <= found[1].from.high;
        next += found[1].from.low == 6144 && found[1].from.high == 8192;
    }
    assert_true(found_two > 200);
    assert_true(held >= 0.93 * found_two && next < 0.8 * found_two);
    draw(two, 2, 0, 1);
    detect(0.02);
    assert_int_equal(count, 2);
    assert_true(found[1].from.low == 6144 && found[1].from.high == 8192);
}

TEST(small_messages_have_no_bandwidth)
{
    draw((const piece[]){{0, 100e-6, 1e9}}, 1, 0.02, 1);
    curve.count = 8;
    detect(0.02);
    assert_int_equal(count, 1);
    assert_false(servet_value_known(&found[0].bandwidth));
    is_near(&found[0].latency, 100e-6, 0.02);
}

static bool holds(const servet_value *value, double truth)
{
    return value->low <= truth && truth <= value->high;
}

/* Intervals of two standard errors hold the truth in 95 of 100 courses of chance, which 400 courses
 * show to 1.1. */
TEST(intervals_hold_the_truth)
{
    enum { COURSES = 400 };
    int latencies = 0, bandwidths = 0;
    for (unsigned random = 0; random < COURSES; random++) {
        draw((const piece[]){{0, 2e-6, 1e7}}, 1, 0.1, random);
        curve.count = 24;
        with_errors(0.1);
        detect(0.02);
        latencies += holds(&found[0].latency, 2e-6);
        bandwidths += holds(&found[0].bandwidth, 1e7);
    }
    print_message("# %d latencies, %d bandwidths of %d\n", latencies, bandwidths, COURSES);
    assert_in_range(latencies, 0.91 * COURSES, 0.99 * COURSES);
    assert_in_range(bandwidths, 0.91 * COURSES, 0.99 * COURSES);
}

/* The width of the latency's interval of ten times that are off by `off`, one up, one down. */
static double width_of(double off, double said)
{
    draw((const piece[]){{0, 2e-6, 1e7}}, 1, 0, 1);
    curve.count = 10;
    for (int i = 0; i < 10; i++)
        seconds[i] *= i % 2 ? 1 + off : 1 - off;
    detect(said);
    assert_int_equal(count, 1);
    return found[0].latency.high - found[0].latency.low;
}

TEST(times_that_are_off_by_more_widen_the_interval)
{
    assert_true(width_of(0.05, 0.02) > 2 * width_of(0, 0.02));
    assert_float_equal(width_of(0.05, 0.06) / width_of(0, 0.06), 1, 0.1);
}

/* No protocol has a negative latency or bandwidth. */
TEST(lines_rise_from_zero_or_more)
{
    draw(three, 1, 0, 1);
    curve.count = 12;
    for (int i = 0; i < 12; i++)
        seconds[i] = 1e-6 * (2 - 0.01 * i);
    detect(0.02);
    assert_int_equal(count, 1);
    assert_false(servet_value_known(&found[0].bandwidth));
    assert_true(found[0].latency.value > 1.88e-6 && found[0].latency.value < 2e-6);
    for (int i = 0; i < 12; i++)
        seconds[i] = 1e-9 * bytes[i] * (i < 2 ? 0.9 : 1);
    detect(0.2);
    assert_int_equal(count, 1);
    assert_float_equal(found[0].latency.value, 0, 0);
    assert_float_equal(found[0].latency.low, 0, 0);
    assert_float_equal(found[0].bandwidth.value, 1e9, 0.05e9);
}

TEST(too_few_points_give_no_protocol)
{
    draw(three, 3, 0, 1);
    curve.count = SRV_PROTOCOL_POINTS_MIN - 1;
    detect(0.02);
    assert_int_equal(count, 0);
}

static int detect_once(void *context)
{
    (void)context;
    return srv_detect_protocols(&curve, 0.02, found, &count, NULL);
}

TEST(memory_may_run_out_anywhere)
{
    draw(three, 3, 0, 1);
    assert_true(alloc_fail_everywhere(detect_once, NULL) >= 2);
    assert_int_equal(count, 3);
}
