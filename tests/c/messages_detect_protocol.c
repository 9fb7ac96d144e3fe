/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves made of protocols that are known. */
#include "test.h"

#include <math.h>

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

/* `noise` is uniform, so its standard deviation is smaller by the root of 3. */
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

/* --- intervals -------------------------------------------------------------------------------- */

/* A line through points first..end-1, each wrong by `error` of itself: with x from its weighted
 * mean, latency and slope have the textbook's errors. */
typedef struct regression {
    double latency, slope, latency_error, slope_error, misfit;
} regression;

static regression regress(int first, int end, double error)
{
    double one = 0, x = 0, t = 0, xx = 0, xt = 0;
    regression line = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = first; i < end; i++) {
            double weight = 1 / pow(error * seconds[i], 2);
            if (pass == 0) {
                one += weight;
                x += weight * bytes[i];
                t += weight * seconds[i];
            } else {
                xx += weight * pow(bytes[i] - x / one, 2);
                xt += weight * (bytes[i] - x / one) * (seconds[i] - t / one);
            }
        }
    line.slope = xt / xx;
    line.latency = (t - line.slope * x) / one;
    line.slope_error = 1 / sqrt(xx);
    line.latency_error = sqrt(1 / one + pow(x / one, 2) / xx);
    for (int i = first; i < end; i++)
        line.misfit += pow(((line.latency + line.slope * bytes[i]) / seconds[i] - 1) / error, 2);
    return line;
}

static void is_regression(const servet_protocol *of, const regression *line, double times,
                          int samples)
{
    double late = 2 * times * line->latency_error, steep = 2 * times * line->slope_error;
    assert_float_equal(of->latency.value / line->latency, 1, 1e-6);
    assert_float_equal(of->latency.low / fmax(0, line->latency - late), 1, 1e-6);
    assert_float_equal(of->latency.high / (line->latency + late), 1, 1e-6);
    assert_int_equal(of->latency.samples, samples);
    assert_int_equal(of->from.samples, samples);
    assert_int_equal(of->latency.unit, SERVET_UNIT_SECOND);
    assert_float_equal(of->bandwidth.value * line->slope, 1, 1e-6);
    assert_float_equal(of->bandwidth.low * (line->slope + steep), 1, 1e-6);
    assert_float_equal(of->bandwidth.high * (line->slope - steep), 1, 1e-6);
    assert_int_equal(of->bandwidth.samples, samples);
    assert_int_equal(of->bandwidth.unit, SERVET_UNIT_BYTE_PER_SECOND);
    assert_true(of->latency.trusted && of->bandwidth.trusted);
}

static void exact_times_are_wrong_by_what_they_may_be(void **state)
{
    (void)state;
    for (int n = 5; n <= 51; n += 23) {
        draw((const piece[]){{0, 2e-6, 1e7}}, 1, 0, 1);
        curve.count = n;
        detect(0.02);
        assert_int_equal(count, 1);
        regression line = regress(0, n, 0.02);
        is_regression(&found[0], &line, 1, n);
        assert_true(found[0].from.value == 1 && found[0].from.low == 1 && found[0].from.high == 1);
        assert_int_equal(found[0].from.unit, SERVET_UNIT_BYTE);
    }
}

/* Ten points are not cut to see by how much the errors are too small: seven are left when one line
 * has its three parameters. */
static void times_that_are_off_by_more_widen_the_interval(void **state)
{
    (void)state;
    draw((const piece[]){{0, 2e-6, 1e7}}, 1, 0, 1);
    curve.count = 10;
    for (int i = 0; i < 10; i++)
        seconds[i] *= i % 2 ? 1.05 : 0.95;
    detect(0.02);
    assert_int_equal(count, 1);
    regression line = regress(0, 10, 0.02);
    assert_true(line.misfit > 2 * 7);
    is_regression(&found[0], &line, sqrt(line.misfit / 7), 10);
    detect(0.06); /* what the errors allow */
    line = regress(0, 10, 0.06);
    assert_true(line.misfit < 7);
    is_regression(&found[0], &line, 1, 10);
}

/* The bandwidth is known where the slope is larger than two of its errors. */
static void a_bandwidth_must_show(void **state)
{
    (void)state;
    int known = 0;
    for (double bandwidth = 1e7; bandwidth < 1e9; bandwidth *= 1.1) {
        draw((const piece[]){{0, 10e-6, bandwidth}}, 1, 0, 1);
        curve.count = 14;
        detect(0.02);
        regression line = regress(0, 14, 0.02);
        assert_int_equal(servet_value_known(&found[0].bandwidth),
                         line.slope > 2 * line.slope_error);
        known += servet_value_known(&found[0].bandwidth);
    }
    assert_true(known > 5 && known < 40);
}

/* Sizes at which the second piece could begin: both lines then leave at most 3.84 more than the
 * best two. */
static void a_beginning_is_between_the_sizes_that_explain_as_much(void **state)
{
    (void)state;
    int wider = 0;
    for (double step = 1.6; step < 3; step += 0.1) {
        const piece two[] = {{0, 5e-6, 2e9}, {512, 5e-6 * step, 2e9}};
        draw(two, 2, 0, 1);
        detect(0.25);
        if (count != 2)
            continue;
        int first = 0, end = curve.count;
        while (bytes[first] < found[1].from.value)
            first++;
        double least = regress(0, first, 0.25).misfit + regress(first, end, 0.25).misfit;
        double low = bytes[first - 1], high = bytes[first];
        for (int other = 3; other + 3 <= end; other++)
            if (regress(0, other, 0.25).misfit + regress(other, end, 0.25).misfit <= least + 3.84) {
                low = fmin(low, bytes[other - 1]);
                high = fmax(high, bytes[other]);
            }
        assert_float_equal(found[1].from.low, low, 0);
        assert_float_equal(found[1].from.high, high, 0);
        wider += low < bytes[first - 1] || high > bytes[first];
    }
    assert_true(wider > 0);
}

/* No protocol has a negative latency or bandwidth. */
static void lines_rise_from_zero_or_more(void **state)
{
    (void)state;
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

static void too_few_points_give_no_protocol(void **state)
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
        cmocka_unit_test(exact_times_are_wrong_by_what_they_may_be),
        cmocka_unit_test(times_that_are_off_by_more_widen_the_interval),
        cmocka_unit_test(a_bandwidth_must_show),
        cmocka_unit_test(a_beginning_is_between_the_sizes_that_explain_as_much),
        cmocka_unit_test(lines_rise_from_zero_or_more),
        cmocka_unit_test(too_few_points_give_no_protocol),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
