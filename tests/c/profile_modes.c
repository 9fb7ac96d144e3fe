/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes of stored facts, from repeats at several moments. */
#include "test.h"

#include <locale.h>
#include <unistd.h>

#include "core/units.h"
#include "servet/network.h"
#include "servet/record.h"
#include "../record.h"
#include "folder.h"
#include "profile_fixture.h"

static servet_value of(double value, servet_unit unit)
{
    return (servet_value){value, 0.9 * value, 1.1 * value, 5, unit, SERVET_METHOD_TIMED, true};
}

/* A class with a distance of 50 ns and copies of 8 and 9 GB/s, and a layer of 0.4 us. */
TEST_FIXTURE(set_up)
{
    servet_machine machine = {.cores = "0-1", .pu_count = 2};
    servet_distance_layer distance = {srv_value_in_seconds(of(50, SRV_UNIT_NANOSECOND)), 1,
                                      SERVET_VERDICT_AGREES, true};
    servet_value kernels[SERVET_KERNEL_COUNT];
    servet_network job = {.ranks = 2, .nodes = 1, .message_bytes = 8};
    const char *nodes[] = {"one"};
    servet_network_layer layer = {.latency = of(4e-7, SERVET_UNIT_SECOND),
                                  .bandwidth = of(2e7, SERVET_UNIT_BYTE_PER_SECOND),
                                  .confidence = 1,
                                  .from = {0, 0},
                                  .to = {0, 1}};
    int number;
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        kernels[i] = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    kernels[SERVET_KERNEL_COPY] = of(8e9, SERVET_UNIT_BYTE_PER_SECOND);
    kernels[SERVET_KERNEL_COPY_NT] = of(9e9, SERVET_UNIT_BYTE_PER_SECOND);
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "a", &machine, &number, NULL));
    assert_ok(record_distances(profile, 0, &distance, 1, NULL));
    assert_ok(record_memory(profile, 0, kernels, SERVET_KERNEL_COUNT, NULL));
    assert_ok(servet_profile_set_network(profile, &job, nodes, NULL));
    assert_ok(record_network_layers(profile, &layer, 1, NULL));
    return 0;
}

static const servet_modes one = {0}, two = {2, {30, 120}, {0.6, 0.4}},
                          two_times = {2, {30e-9, 120e-9}, {0.6, 0.4}};

static void store(const char *key, double value, servet_unit unit, const servet_modes *modes)
{
    servet_value repeats = of(value, unit);
    repeats.trusted = modes->count == 0;
    assert_ok(servet_profile_set_repeats(profile, 0, key, &repeats, modes, NULL));
}

static void prints(const char *key, const char *expected)
{
    profile_prints(profile, NULL, key, expected);
}

TEST_EACH(set_up, profile_end)

TEST(values_and_modes_are_stored)
{
    servet_modes modes;
    servet_distance_layer layer;
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &two_times);
    assert_ok(servet_profile_modes(profile, NULL, "distance.layers.1.latency_ns", &modes, NULL));
    assert_int_equal(modes.count, 2);
    assert_true(modes.value[0] == 30e-9 && modes.value[1] == 120e-9 && modes.share[0] == 0.6);
    assert_ok(servet_distance_layer_get(profile, NULL, 1, &layer));
    assert_true(layer.latency.value == 32e-9 && !layer.latency.trusted);
    prints("distance.layers.1.latency_ns.modes", "30 0.6\n120 0.4");
}

TEST(shares_of_modes_have_a_point_in_every_locale)
{
    if (!use_comma_locale())
        test_skip("this system makes no locales");
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &two_times);
    prints("distance.layers.1.latency_ns.modes", "30 0.6\n120 0.4");
    setlocale(LC_NUMERIC, "C");
}

/* The stored one was 45 to 55 ns, the repeats say 28.8 to 35.2. */
TEST(intervals_only_grow)
{
    servet_distance_layer layer;
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &one);
    assert_ok(servet_distance_layer_get(profile, NULL, 1, &layer));
    assert_float_equal(layer.latency.low, 28.8e-9, 1e-18);
    assert_float_equal(layer.latency.high, 55e-9, 1e-18);
    assert_true(layer.latency.trusted);
}

TEST(one_mode_is_the_value)
{
    servet_modes modes = two;
    prints("distance.layers.1.latency_ns.modes", "50 1");
    assert_ok(servet_profile_modes(profile, NULL, "distance.layers.1.latency_ns", &modes, NULL));
    assert_int_equal(modes.count, 0);
}

/* Later repeats replace what earlier ones said. */
TEST(modes_can_go)
{
    store("memory.copy", 8e9, SERVET_UNIT_BYTE_PER_SECOND, &two);
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &two_times);
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &one);
    prints("distance.layers.1.latency_ns.modes", "32 1");
    prints("memory.copy.modes", "30 0.6\n120 0.4");
}

TEST(untrusted_values_stay_untrusted)
{
    assert_ok(servet_profile_distrust(profile, 0, "distance.layers", "noise", NULL));
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &one);
    prints("distance.layers.1.latency_ns.trusted", "no");
}

TEST(the_best_copy_has_its_kernel_s_modes)
{
    static const servet_modes rates = {2, {7e9, 12e9}, {0.25, 0.75}};
    store("memory.copy-nt", 9e9, SERVET_UNIT_BYTE_PER_SECOND, &rates);
    prints("memory.single.modes", "7000000000 0.25\n12000000000 0.75");
    prints("memory.copy.modes", "8000000000 1");
}

TEST(messages_have_modes_in_microseconds)
{
    static const servet_modes times = {2, {1.9e-7, 4.8e-7}, {0.4, 0.6}};
    store("layers.1.latency_us", 4.8e-7, SERVET_UNIT_SECOND, &times);
    prints("layers.1.latency_us.modes", "0.19 0.4\n0.48 0.6");
}

TEST(a_file_keeps_them)
{
    const servet_at other = {servet_profile_class_name(profile, 0), SERVET_ANY_CORE};
    store("distance.layers.1.latency_ns", 32e-9, SERVET_UNIT_SECOND, &two_times);
    store("layers.1.latency_us", 1e-7, SERVET_UNIT_SECOND, &two_times);
    servet_profile *read = profile_reopened(profile);
    profile_prints(read, &other, "distance.layers.1.latency_ns.modes", "30 0.6\n120 0.4");
    profile_prints(read, &other, "layers.1.latency_us.modes", "0.03 0.6\n0.12 0.4");
    servet_profile_close(read);
}

TEST(impossible_modes_are_refused)
{
    static const servet_modes turned = {2, {120, 30}, {0.6, 0.4}};
    static const struct {
        const char *key;
        servet_unit unit;
        const servet_modes *modes;
        int code;
    } cases[] = {
        {"distance.layers.1.latency", SERVET_UNIT_SECOND, &one, SERVET_EKEY},
        {"distance.layers.1.latency_ns.low", SERVET_UNIT_SECOND, &one, SERVET_EKEY},
        {"layers.1.time_us.8", SERVET_UNIT_SECOND, &one, SERVET_EKEY},
        {"memory.single", SERVET_UNIT_BYTE_PER_SECOND, &one, SERVET_EKEY},
        {"distance.layers.2.latency_ns", SERVET_UNIT_SECOND, &one, SERVET_ERANGE},
        {"memory.read", SERVET_UNIT_BYTE_PER_SECOND, &one, SERVET_EUNMEASURED},
        {"distance.layers.1.latency_ns", SERVET_UNIT_CYCLE, &one, SERVET_EARGUMENT},
        {"distance.layers.1.latency_ns", SERVET_UNIT_SECOND, &turned, SERVET_EARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        servet_value value = of(1, cases[i].unit);
        assert_int_equal(
            servet_profile_set_repeats(profile, 0, cases[i].key, &value, cases[i].modes, NULL),
            cases[i].code);
    }
    prints("distance.layers.1.latency_ns", "50");
}
