/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording communication: what is refused, with the member named, and leaves all as it was. */
#include "test.h"
#include "profile_sample.h"

#include <math.h>
#include "../record.h"

static servet_profile *profile;
static char *before;

static char *dump(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(servet_profile_dump(profile, stream, NULL), SERVET_OK);
    fclose(stream);
    return text;
}

static int setup(void **state)
{
    (void)state;
    if (sample_profile(&profile, NULL) != SERVET_OK)
        return -1;
    before = dump();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(before);
    servet_profile_close(profile);
    return 0;
}

static servet_error error;

static servet_error *fresh(void)
{
    error = (servet_error)SERVET_ERROR_INIT;
    return &error;
}

static void refused(int code, const char *what)
{
    assert_int_equal(code, SERVET_EARGUMENT);
    if (!strstr(error.text, what))
        fail_msg("'%s' does not say '%s'", error.text, what);
    char *after = dump();
    assert_string_equal(before, after);
    free(after);
}

/* --- the job ---------------------------------------------------------------------------------- */

static void refused_job(servet_network job, const char *what)
{
    static const char *const names[] = {"a", "b", "c"};
    refused(servet_profile_set_network(profile, &job, names, fresh()), what);
}

static void jobs(void **state)
{
    (void)state;
    static const char *const strange[] = {"a\xff"
                                          "b"};
    refused_job((servet_network){"layers", 3, 2, 2, 8}, "2 processes took part on 3 nodes");
    refused_job((servet_network){"layers", 0, 2, 0, 8}, "network.nodes: missing or empty");
    refused_job((servet_network){"layers", -1, 2, 0, 8}, "-1 items");
    refused_job((servet_network){"layers", 2, 2, 3, 8}, "3 of 2 nodes were measured");
    refused_job((servet_network){"layers", 2, 0, 1, 8}, "network.ranks");
    refused_job((servet_network){"layers", 2, SERVET_RANKS_MAX + 1, 1, 8}, "network.ranks");
    refused_job((servet_network){"layers", 2, 2, 2, -1}, "network.message_bytes");
    refused_job((servet_network){"layers", 2, 2, 2, NAN}, "network.message_bytes");
    assert_int_equal(
        servet_profile_set_network(profile, &(servet_network){"", 1, 1, 1, 8}, strange, NULL),
        SERVET_OK);
    assert_string_equal(servet_network_node(profile, 0), "a?b");
}

/* A new job forgets all of the old one. */
static void a_new_job(void **state)
{
    (void)state;
    int count, layer;
    servet_ratios about;
    servet_network job = network_job;
    job.ranks++;
    assert_int_equal(servet_profile_set_network(profile, &job, network_nodes, NULL), SERVET_OK);
    assert_int_equal(servet_network_layer_count(profile, &count), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about),
                     SERVET_EUNMEASURED);
    assert_int_equal(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 1}, &layer),
        SERVET_EUNMEASURED);
}

static void the_same_job_goes_on(void **state)
{
    (void)state;
    servet_network job = network_job, stored;
    int before_it, after;
    strcpy(job.benchmarks, "layers");
    assert_int_equal(servet_network_layer_count(profile, &before_it), SERVET_OK);
    assert_int_equal(servet_profile_set_network(profile, &job, network_nodes, NULL), SERVET_OK);
    assert_int_equal(servet_network_get(profile, &stored), SERVET_OK);
    assert_string_equal(stored.benchmarks, "layers");
    assert_int_equal(servet_network_layer_count(profile, &after), SERVET_OK);
    assert_int_equal(after, before_it);
    assert_true(servet_profile_has_job(profile, job.ranks, network_nodes, job.nodes));
    assert_false(servet_profile_has_job(profile, job.ranks + 1, network_nodes, job.nodes));
    assert_false(servet_profile_has_job(profile, job.ranks, network_nodes, job.nodes - 1));
    assert_false(servet_profile_has_job(profile, job.ranks, (const char *const[]){"a", "b"}, 2));
}

static void all_facts_of_a_job_move(void **state)
{
    (void)state;
    servet_profile *empty;
    servet_network job;
    int first, second;
    assert_int_equal(servet_network_layer_count(profile, &first), SERVET_OK);
    assert_int_equal(servet_profile_create(&empty, NULL), SERVET_OK);
    servet_profile_adopt_network(profile, empty);
    assert_int_equal(servet_network_get(profile, &job), SERVET_OK);
    servet_profile_adopt_network(empty, profile);
    assert_int_equal(servet_network_get(profile, &job), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_layer_count(empty, &second), SERVET_OK);
    assert_int_equal(second, first);
    servet_profile_close(empty);
}

static void without_a_job(void **state)
{
    (void)state;
    servet_profile *empty;
    const char *const groups[] = {"0:0"};
    servet_ratio ratio = network_ratio(1, 2, 1);
    assert_int_equal(servet_profile_create(&empty, NULL), SERVET_OK);
    assert_int_equal(record_network_layers(empty, NULL, 0, fresh()), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "network: there is none"));
    assert_int_equal(record_network_groups(empty, 1, groups, 1, NULL), SERVET_EARGUMENT);
    assert_int_equal(record_network_curve(empty, 1, NULL, 0, NULL, 0, NULL), SERVET_EARGUMENT);
    assert_int_equal(record_network_together(empty, 1, NULL, 0, NULL), SERVET_EARGUMENT);
    assert_int_equal(
        record_network_ratios(empty, SERVET_DEGRADATION_ACCESS, &network_about[0], &ratio, 1, NULL),
        SERVET_EARGUMENT);
    servet_profile_close(empty);
}

/* --- layers ----------------------------------------------------------------------------------- */

static void layers(void **state)
{
    (void)state;
    servet_network_layer layer = network_layer(1);
    refused(record_network_layers(profile, &layer, -1, fresh()), "-1 items");
    layer.to.node = 2;
    refused(record_network_layers(profile, &layer, 1, fresh()), "took no part");
    layer = network_layer(1);
    layer.from.node = 2;
    refused(record_network_layers(profile, &layer, 1, fresh()), "took no part");
    layer = network_layer(1);
    layer.from.core = -1;
    refused(record_network_layers(profile, &layer, 1, fresh()), "network.layers[0].from.core");
    layer = network_layer(1);
    layer.latency.unit = SERVET_UNIT_CYCLE;
    refused(record_network_layers(profile, &layer, 1, fresh()), "network.layers[0].latency_us");
    layer = network_layer(1);
    layer.latency.method = SERVET_METHOD_INTERPOLATED;
    refused(record_network_layers(profile, &layer, 1, fresh()),
            "network.layers[0].latency_us.method");
}

static void groups(void **state)
{
    (void)state;
    static const struct {
        int layer, count;
        const char *set[2], *what;
    } cases[] = {
        {0, 1, {"0:0"}, "network.layers[-1]: there is none"},
        {4, 1, {"0:0"}, "network.layers[3]: there is none"},
        {3, 0, {NULL}, "network.layers[2].groups: no set at all"},
        {3, 1, {"0-3"}, "network.layers[2].groups[0]: not a set of cores of nodes"},
        {3, 2, {"0:0", ""}, "network.layers[2].groups[1]: not a set of cores of nodes"},
        {3, 1, {"0:0,"}, "not a set of cores of nodes"},
        {3, 1, {"0:3-1"}, "not a set of cores of nodes"},
        {3, 1, {"0:-1"}, "not a set of cores of nodes"},
        {3, 1, {"0:99999999999"}, "not a set of cores of nodes"},
        {3, 1, {"2:0"}, "network.layers[2].groups[0]: there is no node 2, only 2"},
        {3, 1, {"0-1000000:0"}, "there is no node 1000000"},
        {3, 2, {"0:0-1", "0:1-2"}, "network.layers[2].groups[1]: core 1 of node 0 is in two"},
        {3, 1, {"0:0-1,0:1"}, "core 1 of node 0 is in two"},
        {3, 1, {"0-1:0-4"}, "more cores than the 8 processes of the job"},
        {3, 2, {"0:0-3", "1:0-4"}, "more cores than the 8 processes of the job"},
        {3, 1, {"0-1:0-1048575"}, "more cores than the 8 processes of the job"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(
            record_network_groups(profile, cases[i].layer, cases[i].set, cases[i].count, fresh()),
            cases[i].what);
    int layer;
    assert_int_equal(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 1}, &layer),
        SERVET_OK);
    assert_int_equal(layer, 1);
}

/* --- what a layer costs ----------------------------------------------------------------------- */

static void curves(void **state)
{
    (void)state;
    servet_message points[3];
    servet_protocol protocols[2];
    network_curve(points);
    network_protocols(protocols);
    points[2].bytes = points[1].bytes;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "points[2]: does not ascend");
    network_curve(points);
    points[1].time.low = 0;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "network.layers[0].points[1].time_us");
    points[1].time = servet_value_unknown(SERVET_UNIT_SECOND);
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "network.layers[0].points[1].time_us: missing");
    network_curve(points);
    points[1].bytes = 3276.8;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "network.layers[0].points[1].bytes: 3276.8 is no whole number of bytes");
    network_curve(points);
    points[0].bytes = 0;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "network.layers[0].points[0].bytes");
    network_curve(points);
    protocols[1].from = protocols[0].from;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "protocols[1]: does not ascend");
    refused(record_network_curve(profile, 1, points, 3, protocols, -1, fresh()), "-1 items");
}

static void messages_at_once(void **state)
{
    (void)state;
    servet_together together[4];
    network_together(together);
    together[1].messages = 2;
    refused(record_network_together(profile, 1, together, 4, fresh()),
            "together[1]: does not ascend");
    network_together(together);
    together[2].bytes = 32;
    refused(record_network_together(profile, 1, together, 4, fresh()),
            "together[2]: does not ascend");
    network_together(together);
    together[0].messages = 0;
    refused(record_network_together(profile, 1, together, 4, fresh()),
            "network.layers[0].together[0].messages");
}

static void refused_batches(const servet_batch *batches, const servet_aggregation *ranges,
                            const char *what)
{
    refused(record_network_aggregation(profile, 1, batches, 4, ranges, 4, fresh()), what);
}

static void batches(void **state)
{
    (void)state;
    servet_batch made[4];
    servet_aggregation ranges[4];
    network_ranges(ranges);
    network_batches(made);
    made[2].messages = 2;
    refused_batches(made, ranges, "batches[2]: does not ascend");
    network_batches(made);
    made[1].bytes = 64;
    refused_batches(made, ranges, "batches[1]: does not ascend");
    network_batches(made);
    made[0].messages = 1;
    refused_batches(made, ranges, "network.layers[0].batches[0].messages");
    network_batches(made);
    made[3].payoff = SERVET_PAYOFF_COUNT;
    refused_batches(made, ranges, "network.layers[0].batches[3].payoff");
    network_batches(made);
    ranges[1].from = 128;
    refused_batches(made, ranges, "aggregation[1]: does not ascend");
    network_ranges(ranges);
    ranges[3].below = 256;
    refused_batches(made, ranges, "network.layers[0].aggregation[3]: begins behind its end");
    network_ranges(ranges);
    ranges[1].below = INFINITY;
    refused_batches(made, ranges, "network.layers[0].aggregation[1].below");
}

/* --- degradation ------------------------------------------------------------------------------ */

static void refused_ratios(servet_ratio first, servet_ratio second, const char *what)
{
    const servet_ratio both[2] = {first, second};
    refused(record(profile, 0, both, sizeof *both, 2, fresh(), "network.access.ratios"), what);
}

static void ratios(void **state)
{
    (void)state;
    servet_ratio unknown = network_ratio(2, 2, 1);
    unknown.ratio = servet_value_unknown(SERVET_UNIT_NONE);
    refused_ratios(network_ratio(2, 2, 1), network_ratio(3, 2, 1), "the first ratio");
    refused_ratios(network_ratio(1, 2, 1), network_ratio(1, 2, 1), "ratios[1]: does not ascend");
    refused_ratios(network_ratio(1, 2, 1), network_ratio(SERVET_RATIO_MAX + 1, 2, 1),
                   "network.access.ratios[1].at");
    refused_ratios(network_ratio(1, 2, 1), network_ratio(2, 0, 1),
                   "network.access.ratios[1].nodes");
    refused_ratios(network_ratio(1, 2, 1), unknown, "network.access.ratios[1].ratio: missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jobs, setup, teardown),
        cmocka_unit_test_setup_teardown(a_new_job, setup, teardown),
        cmocka_unit_test_setup_teardown(the_same_job_goes_on, setup, teardown),
        cmocka_unit_test_setup_teardown(all_facts_of_a_job_move, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_job, setup, teardown),
        cmocka_unit_test_setup_teardown(layers, setup, teardown),
        cmocka_unit_test_setup_teardown(groups, setup, teardown),
        cmocka_unit_test_setup_teardown(curves, setup, teardown),
        cmocka_unit_test_setup_teardown(messages_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(batches, setup, teardown),
        cmocka_unit_test_setup_teardown(ratios, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
