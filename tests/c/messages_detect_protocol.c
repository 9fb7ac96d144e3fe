/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves made of protocols that are known. */
#include "test.h"

#include <math.h>

#include "alloc.h"
#include "facts/messages/detect_protocol.h"

typedef struct piece {
    double from, latency, bandwidth;
} piece;

enum { POINTS_MAX = 64 };

static double bytes[POINTS_MAX], seconds[POINTS_MAX];
static srv_message_curve curve;
static srv_protocol found[SRV_PROTOCOLS_MAX];
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
    assert_int_equal(srv_detect_protocols(&curve, noise, found, &count, NULL), SERVET_OK);
}

static void is_near(const servet_value *value, double truth, double share)
{
    assert_true(servet_value_known(value));
    assert_float_equal(value->value / truth, 1, share);
    assert_true(value->low <= value->value && value->value <= value->high);
}

static void one_protocol_is_one_piece(void **state)
{
    (void)state;
    draw((const piece[]){{0, 2e-6, 3e9}}, 1, 0, 1);
    detect(0.02);
    assert_int_equal(count, 1);
    is_near(&found[0].latency, 2e-6, 1e-6);
    is_near(&found[0].bandwidth, 3e9, 1e-6);
}

/* Eager, rendezvous, and by another channel. */
static const piece three[] = {{0, 1e-6, 2e9}, {12288, 5e-6, 4e9}, {1 << 20, 50e-6, 11e9}};

static void each_protocol_is_a_piece(void **state)
{
    (void)state;
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
static void noise_makes_no_protocols(void **state)
{
    (void)state;
    for (unsigned random = 0; random < 200; random++) {
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

/* As `noise` is uniform, its standard deviation is a root of 3 less. */
static void with_errors(double noise)
{
    static double errors[POINTS_MAX];
    for (int i = 0; i < curve.count; i++)
        errors[i] = noise / sqrt(3);
    curve.errors = errors;
}

/* Large messages are few: their times are off by 15 %, which is known. */
static void known_errors_make_no_protocols(void **state)
{
    (void)state;
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
static void where_a_protocol_begins_has_an_interval(void **state)
{
    (void)state;
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

static void small_messages_have_no_bandwidth(void **state)
{
    (void)state;
    draw((const piece[]){{0, 100e-6, 1e9}}, 1, 0.02, 1);
    curve.count = 8;
    detect(0.02);
    assert_int_equal(count, 1);
    assert_false(servet_value_known(&found[0].bandwidth));
    is_near(&found[0].latency, 100e-6, 0.02);
}

static void too_few_points_say_nothing(void **state)
{
    (void)state;
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

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    draw(three, 3, 0, 1);
    assert_true(alloc_fail_everywhere(detect_once, NULL) >= 2);
    assert_int_equal(count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_protocol_is_one_piece),
        cmocka_unit_test(each_protocol_is_a_piece),
        cmocka_unit_test(noise_makes_no_protocols),
        cmocka_unit_test(known_errors_make_no_protocols),
        cmocka_unit_test(where_a_protocol_begins_has_an_interval),
        cmocka_unit_test(small_messages_have_no_bandwidth),
        cmocka_unit_test(too_few_points_say_nothing),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
