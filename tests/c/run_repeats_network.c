/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines and networks that alternate between two states: a model of a Dempsey with two cores,
 * whose answers depend on the time. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bit.h"
#include "folder.h"
#include "machine/model/messages.h"
#include "machine/model/simulated.h"
#include "run/measure.h"
#include "run/network/network.h"
#include "sample_cluster.h"

/* --- a node ----------------------------------------------------------------------------------- */

static srv_machine_ops steady;
static double factor; /* of times, and divisor of rates, in every second stretch of 0.9 s */

static double factor_at(double seconds)
{
    return fmod(seconds, 1.8) < 0.9 ? 1 : factor;
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    double by = factor_at(steady.elapsed(machine));
    int code = steady.transfer_lines(machine, transfers, count, timings, error);
    for (int i = 0; i < count; i++) {
        timings[i].mean *= by;
        timings[i].spread.median *= by;
        timings[i].spread.low *= by;
        timings[i].spread.high *= by;
    }
    return code;
}

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    double by = factor_at(steady.elapsed(machine));
    int code = steady.stream(machine, streams, count, rates, error);
    for (int i = 0; i < count; i++) {
        rates[i].median /= by;
        rates[i].low /= by;
        rates[i].high /= by;
    }
    return code;
}

static servet_measure_options options;

static servet_profile *measured(double by, unsigned only)
{
    srv_machine *machine;
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    factor = by;
    assert_int_equal(srv_simulated_create(&machine, "dempsey", NULL), SERVET_OK);
    steady = *machine->ops;
    srv_machine_ops changed = steady;
    changed.transfer_lines = transfer_lines;
    changed.stream = stream;
    machine->ops = &changed;
    options.only = only;
    if (srv_measure_on(machine, &options, &profile, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    machine->ops = &steady;
    srv_machine_destroy(machine);
    return profile;
}

static int set_up(void **state)
{
    (void)state;
    options = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    options.max_bytes = 8 << 20; /* four times the largest cache */
    return 0;
}

static servet_modes modes_of(const servet_profile *profile, const char *key)
{
    servet_modes modes;
    assert_int_equal(servet_profile_modes(profile, NULL, key, &modes, NULL), SERVET_OK);
    return modes;
}

/* 110 ns from core to core. */
static void a_distance_with_two_modes_is_reported(void **state)
{
    (void)state;
    servet_distance_layer layer;
    servet_profile *profile = measured(4, SRV_BIT(SERVET_BENCHMARK_DISTANCE));
    servet_modes modes = modes_of(profile, "distance.layers.1.latency_ns");
    assert_int_equal(modes.count, 2);
    assert_float_equal(1e9 * modes.value[0], 110, 2);
    assert_float_equal(1e9 * modes.value[1], 440, 8);
    assert_true(modes.share[0] > 0.2 && modes.share[0] < 0.8);
    assert_int_equal(servet_distance_layer_get(profile, NULL, 1, &layer), SERVET_OK);
    assert_true(layer.latency.low < 112e-9 && layer.latency.high > 430e-9);
    assert_false(layer.latency.trusted);
    assert_true(layer.latency.samples >= 12);
    servet_profile_close(profile);
}

static void a_steady_distance_has_one_mode(void **state)
{
    (void)state;
    servet_distance_layer layer;
    servet_profile *profile = measured(1, SRV_BIT(SERVET_BENCHMARK_DISTANCE));
    assert_int_equal(modes_of(profile, "distance.layers.1.latency_ns").count, 0);
    assert_int_equal(servet_distance_layer_get(profile, NULL, 1, &layer), SERVET_OK);
    assert_float_equal(1e9 * layer.latency.value, 110, 2);
    assert_true(layer.latency.trusted);
    servet_profile_close(profile);
}

static void a_bandwidth_with_two_modes_is_reported(void **state)
{
    (void)state;
    servet_value single;
    options.max_bytes = 1 << 20; /* of the caches the L1 is enough */
    servet_profile *profile = measured(2, SRV_BIT(SERVET_BENCHMARK_MEMORY));
    servet_modes modes = modes_of(profile, "memory.single");
    assert_int_equal(modes.count, 2);
    assert_float_equal(modes.value[1] / modes.value[0], 2, 0.1);
    assert_int_equal(servet_memory_single(profile, NULL, &single), SERVET_OK);
    assert_true(single.low <= 1.02 * modes.value[0] && single.high >= 0.98 * modes.value[1]);
    assert_false(single.trusted);
    servet_profile_close(profile);
    profile = measured(1, SRV_BIT(SERVET_BENCHMARK_MEMORY));
    assert_int_equal(modes_of(profile, "memory.single").count, 0);
    assert_int_equal(servet_memory_single(profile, NULL, &single), SERVET_OK);
    assert_true(single.trusted);
    servet_profile_close(profile);
}

static void every_repeat_is_kept(void **state)
{
    (void)state;
    char path[64], line[256];
    assert_int_equal(make_folder(NULL), 0);
    options.raw_dir = folder;
    servet_profile_close(measured(4, SRV_BIT(SERVET_BENCHMARK_DISTANCE)));
    snprintf(path, sizeof path, "%s/repeats.csv", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int lines = 0;
    double moment, before = -1;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "distance.layers.1.latency_ns,%lf", &moment) == 1) {
            assert_true(moment > before);
            before = moment;
            lines++;
        }
    fclose(file);
    assert_true(lines >= 12);
    assert_int_equal(remove_folder(NULL), 0);
}

/* --- messages --------------------------------------------------------------------------------- */

static watched_network watched;

static void layers_with_two_modes_are_reported(void **state)
{
    (void)state;
    srv_network *inner;
    srv_network_facts found = {0};
    srv_network_options how = SRV_NETWORK_OPTIONS_INIT;
    assert_int_equal(srv_messages_from(&inner, sample_cluster(2, 1), NULL, 2, NULL), SERVET_OK);
    watch_network(&watched, inner);
    watched.changes_every = 0.7;
    how.only = SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_CURVES);
    assert_int_equal(srv_measure_network(&watched.network, &how, &found, NULL), SERVET_OK);
    assert_int_equal(found.layer_count, 1);
    const srv_network_layer *layer = &found.layer[0];
    double truth = 50e-6 + 32768 / SAMPLE_LINK;
    assert_int_equal(layer->modes.count, 2);
    assert_float_equal(layer->modes.value[0] / truth, 1, 0.01);
    assert_float_equal(layer->modes.value[1] / truth, 2, 0.02);
    assert_false(layer->latency.trusted);
    assert_true(layer->latency.low < 1.01 * truth && layer->latency.high > 1.99 * truth);
    assert_float_equal(layer->bandwidth.low * layer->latency.high / 32768, 1, 1e-9);
    srv_network_facts_finish(&found);
    srv_network_destroy(&watched.network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_distance_with_two_modes_is_reported, set_up),
        cmocka_unit_test_setup(a_steady_distance_has_one_mode, set_up),
        cmocka_unit_test_setup(a_bandwidth_with_two_modes_is_reported, set_up),
        cmocka_unit_test_setup(every_repeat_is_kept, set_up),
        cmocka_unit_test_setup(layers_with_two_modes_are_reported, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
