/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines and networks that alternate between two states: models whose answers depend on the time.
 */
#include "test.h"

#include "core/bit.h"
#include "folder.h"
#include "sim/messages.h"
#include "sim/simulated.h"
#include "run/measure.h"
#include "network_run.h"
#include "run/network/repeat.h"
#include "sample_cluster.h"
#include "sample_model.h"
#include "../record.h"

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

static servet_measure_options how;

static servet_profile *profile_of(srv_machine *machine, double by, unsigned only)
{
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    factor = by;
    steady = *machine->ops;
    srv_machine_ops changed = steady;
    changed.transfer_lines = transfer_lines;
    changed.stream = stream;
    machine->ops = &changed;
    how.only = only;
    if (srv_measure_on(machine, &how, &profile, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    machine->ops = &steady;
    srv_machine_destroy(machine);
    return profile;
}

/* Two cores: 110 ns from one to the other, or `by` times as much. */
static servet_profile *profile_of_distance(double by)
{
    srv_machine *machine;
    char tiny[TEST_PATH_MAX];
    snprintf(tiny, sizeof tiny, "%s/tests/cli/tiny.json", getenv("SOURCE_ROOT"));
    assert_ok(srv_simulated_create(&machine, tiny, NULL));
    return profile_of(machine, by, SRV_BIT(SERVET_BENCHMARK_DISTANCE));
}

/* Each core can copy 5 GB/s, or 1 / `by` of that. */
static servet_profile *profile_of_memory(double by)
{
    srv_machine *machine;
    srv_model *model = sample_model();
    model->memory_bytes_per_second_core = 5e9;
    model->memory_latency_ns = 150;
    assert_ok(srv_simulated_from(&machine, model, NULL));
    return profile_of(machine, by, SRV_BIT(SERVET_BENCHMARK_MEMORY));
}

TEST_FIXTURE(set_up)
{
    how = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    how.max_bytes = 1 << 18; /* four times the largest cache */
    return 0;
}

static servet_modes modes_of(const servet_profile *profile, const char *key)
{
    servet_modes modes;
    assert_ok(servet_profile_modes(profile, NULL, key, &modes, NULL));
    return modes;
}

/* Two tests look at this run. */
static servet_profile *wavering;

static int measure_wavering(void **state)
{
    wavering = NULL;
    if (set_up(state) != 0 || make_folder(state) != 0)
        return -1;
    how.raw_dir = folder;
    wavering = profile_of_distance(4);
    return 0;
}

static int remove_wavering(void **state)
{
    servet_profile_close(wavering);
    return remove_folder(state);
}

TEST_EACH(measure_wavering, NULL)

TEST(a_distance_with_two_modes_is_reported)
{
    servet_distance_layer layer;
    servet_modes modes = modes_of(wavering, "distance.layers.1.latency_ns");
    assert_int_equal(modes.count, 2);
    assert_float_equal(1e9 * modes.value[0], 110, 2);
    assert_float_equal(1e9 * modes.value[1], 440, 8);
    assert_true(modes.share[0] > 0.2 && modes.share[0] < 0.8);
    assert_ok(servet_distance_layer_get(wavering, NULL, 1, &layer));
    assert_true(layer.latency.low < 112e-9 && layer.latency.high > 430e-9);
    assert_true(layer.latency.trusted);
    assert_true(layer.latency.samples >= 12);
}

TEST_EACH(set_up, NULL)

TEST(a_steady_distance_has_one_mode)
{
    servet_distance_layer layer;
    servet_profile *profile = profile_of_distance(1);
    assert_int_equal(modes_of(profile, "distance.layers.1.latency_ns").count, 0);
    assert_ok(servet_distance_layer_get(profile, NULL, 1, &layer));
    assert_float_equal(1e9 * layer.latency.value, 110, 2);
    assert_true(layer.latency.trusted);
    servet_profile_close(profile);
}

TEST(a_bandwidth_with_two_modes_is_reported)
{
    servet_value single;
    servet_profile *profile = profile_of_memory(2);
    servet_modes modes = modes_of(profile, "memory.single");
    assert_int_equal(modes.count, 2);
    assert_float_equal(modes.value[1] / modes.value[0], 2, 0.1);
    assert_ok(servet_memory_single(profile, NULL, &single));
    assert_true(single.low <= 1.02 * modes.value[0] && single.high >= 0.98 * modes.value[1]);
    assert_true(single.trusted);
    servet_profile_close(profile);
    profile = profile_of_memory(1);
    assert_int_equal(modes_of(profile, "memory.single").count, 0);
    assert_ok(servet_memory_single(profile, NULL, &single));
    assert_true(single.trusted);
    servet_profile_close(profile);
}

TEST_EACH(NULL, remove_wavering)

TEST(every_repeat_is_kept)
{
    char path[TEST_PATH_MAX], line[256];
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
}

/* --- messages --------------------------------------------------------------------------------- */

static watched_network watched;

TEST_EACH(network_run_begin, network_run_end)

TEST(layers_with_two_modes_are_reported)
{
    network_run_open(sample_cluster(2, 1), 2);
    watch_network(&watched, network);
    network = &watched.network;
    watched.changes_every = 0.7;
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_CURVES));
    assert_int_equal(facts.layer_count, 1);
    const view_layer *layer = &facts.layer[0];
    double truth = 50e-6 + 32768 / SAMPLE_LINK;
    assert_int_equal(layer->modes.count, 2);
    assert_float_equal(layer->modes.value[0] / truth, 1, 0.01);
    assert_float_equal(layer->modes.value[1] / truth, 2, 0.02);
    assert_true(layer->latency.trusted);
    assert_true(layer->latency.low < 1.01 * truth && layer->latency.high > 1.99 * truth);
    assert_float_equal(layer->bandwidth.low * layer->latency.high / 32768, 1, 1e-4);
}

/* --- others begin to use the memory ----------------------------------------------------------- */

/* Layers are found before. */
static const double LOAD_BEGINS = 5;

static double memory_factor;

/* Ranks of a node of four follow each other. */
static double within_nodes(const srv_rank_pair *pair, double seconds)
{
    bool loaded = seconds > LOAD_BEGINS && pair->from / 4 == pair->to / 4;
    return loaded ? memory_factor : 1;
}

static double within_halves(const srv_rank_pair *pair, double seconds)
{
    bool loaded = seconds > LOAD_BEGINS && pair->from / 2 == pair->to / 2;
    return loaded ? memory_factor : 1;
}

/* Two nodes of two sockets: messages of 32 KiB take 1024 us within sockets, 2048 us between them,
 * and 2672 us between nodes. */
static void measure_while(double (*load)(const srv_rank_pair *, double), double by)
{
    srv_model *model = sample_cluster(2, 4);
    model->layer[2] = model->layer[1];
    model->layer[0] = (srv_model_layer){.pus = 2, .protocol_count = 1, .protocol = {{0, 1, 32e6}}};
    model->layer[1] = (srv_model_layer){.pus = 4, .protocol_count = 1, .protocol = {{0, 1, 16e6}}};
    model->layer_count = 3;
    network_run_open(model, 8);
    watch_network(&watched, network);
    network = &watched.network;
    watched.load = load;
    memory_factor = by;
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_CURVES));
    assert_int_equal(facts.layer_count, 3);
    assert_true(facts.layer[2].between_nodes);
}

TEST(layers_have_the_latency_of_all_moments)
{
    measure_while(within_nodes, 1.2);
    assert_float_equal(1e6 * facts.layer[1].latency.value, 2458, 60);
}

/* Groups of a node's second layer consist of those of its first one. */
TEST(layers_keep_the_order_that_all_pairs_gave)
{
    measure_while(within_halves, 2.4);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(facts.layer[i].groups.count, i == 0 ? 4 : 2);
        assert_float_equal(1e6 * facts.layer[i].latency.value, i == 0 ? 1025 : 2049, 50);
        assert_false(facts.layer[i].latency.trusted);
    }
    assert_true(facts.layer[0].latency.high > 2.3 * 1025e-6);
    assert_true(facts.layer[2].latency.trusted);
    measure_while(within_nodes, 2);
    assert_float_equal(1e6 * facts.layer[1].latency.value, 2049, 50);
    assert_float_equal(1e6 * facts.layer[2].latency.value, 2672, 50);
    assert_true(facts.layer[1].latency.high > 2 * 2000e-6);
    for (int i = 1; i <= 2; i++)
        assert_false(facts.layer[i].latency.trusted || facts.layer[i].bandwidth.trusted);
}

/* The profile that a job continues may have layers without a latency. */
TEST(layers_without_a_latency_stay_so)
{
    const servet_network about = {.nodes = 2, .ranks = 2};
    const servet_network_layer unknown = {.latency = servet_value_unknown(SERVET_UNIT_SECOND),
                                          .bandwidth =
                                              servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND)};
    const servet_network_layer layers[2] = {unknown, unknown};
    const char *const nodes[] = {"a", "b"};
    srv_course course = {.profile = measured};
    srv_network_job job = {.profile = measured, .options = &options, .course = &course};
    network_run_open(sample_cluster(2, 1), 2);
    job.network = network;
    assert_ok(servet_profile_set_network(measured, &about, nodes, NULL));
    assert_ok(record_network_layers(measured, layers, 2, NULL));
    /* Neither is slower, whatever is tried: it would never end. */
    assert_ok(srv_network_settle_repeats(&job, NULL));
    network_run_look();
    assert_false(servet_value_known(&facts.layer[0].latency));
}
