/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording communication: what is refused, with the member named, and leaves all as it was. */
#include "test.h"
#include "profile_sample.h"
#include "profile_fixture.h"

static char *before;

TEST_FIXTURE(setup)
{
    int code = profile_begin(state);
    before = profile_text(profile);
    return code;
}

TEST_FIXTURE(teardown)
{
    free(before);
    return profile_end(state);
}

static servet_error error;

static servet_error *fresh(void)
{
    error = (servet_error)SERVET_ERROR_INIT;
    return &error;
}

static void refused(int code, const char *what)
{
    assert_code(code, SERVET_EARGUMENT);
    if (!strstr(error.text, what))
        fail_msg("'%s' does not say '%s'", error.text, what);
    char *after = profile_text(profile);
    assert_string_equal(before, after);
    free(after);
}

/* --- the job ---------------------------------------------------------------------------------- */

static void refused_job(servet_network job, const char *what)
{
    static const char *const names[] = {"a", "b", "c"};
    refused(servet_profile_set_network(profile, &job, names, fresh()), what);
}

TEST_EACH(setup, teardown)

TEST(jobs)
{
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
    assert_ok(
        servet_profile_set_network(profile, &(servet_network){"", 1, 1, 1, 8}, strange, NULL));
    assert_string_equal(servet_network_node(profile, 0), "a?b");
}

/* A new job forgets all of the old one. */
TEST(a_new_job)
{
    int count, layer;
    servet_ratios about;
    servet_network job = network_job;
    job.ranks++;
    assert_ok(servet_profile_set_network(profile, &job, network_nodes, NULL));
    assert_code(servet_network_layer_count(profile, &count), SERVET_EUNMEASURED);
    assert_code(servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about),
                SERVET_EUNMEASURED);
    assert_code(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 1}, &layer),
        SERVET_EUNMEASURED);
}

TEST(the_same_job_goes_on)
{
    servet_network job = network_job, stored;
    int before_it, after;
    strcpy(job.benchmarks, "layers");
    assert_ok(servet_network_layer_count(profile, &before_it));
    assert_ok(servet_profile_set_network(profile, &job, network_nodes, NULL));
    assert_ok(servet_network_get(profile, &stored));
    assert_string_equal(stored.benchmarks, "layers");
    assert_ok(servet_network_layer_count(profile, &after));
    assert_int_equal(after, before_it);
    assert_true(servet_profile_has_job(profile, job.ranks, network_nodes, job.nodes));
    assert_false(servet_profile_has_job(profile, job.ranks + 1, network_nodes, job.nodes));
    assert_false(servet_profile_has_job(profile, job.ranks, network_nodes, job.nodes - 1));
    assert_false(servet_profile_has_job(profile, job.ranks, (const char *const[]){"a", "b"}, 2));
}

TEST(all_facts_of_a_job_move)
{
    servet_profile *empty;
    servet_network job;
    int first, second;
    assert_ok(servet_network_layer_count(profile, &first));
    assert_ok(servet_profile_create(&empty, NULL));
    servet_profile_adopt_network(profile, empty);
    assert_ok(servet_network_get(profile, &job));
    servet_profile_adopt_network(empty, profile);
    assert_code(servet_network_get(profile, &job), SERVET_EUNMEASURED);
    assert_ok(servet_network_layer_count(empty, &second));
    assert_int_equal(second, first);
    servet_profile_close(empty);
}

TEST(without_a_job)
{
    servet_profile *empty;
    const char *const groups[] = {"0:0"};
    servet_ratio ratio = network_ratio(1, 2, 1);
    assert_ok(servet_profile_create(&empty, NULL));
    assert_code(record_network_layers(empty, NULL, 0, fresh()), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "network: there is none"));
    assert_code(record_network_groups(empty, 1, groups, 1, NULL), SERVET_EARGUMENT);
    assert_code(record_network_curve(empty, 1, NULL, 0, NULL, 0, NULL), SERVET_EARGUMENT);
    assert_code(record_network_together(empty, 1, NULL, 0, NULL), SERVET_EARGUMENT);
    assert_code(
        record_network_ratios(empty, SERVET_DEGRADATION_ACCESS, &network_about[0], &ratio, 1, NULL),
        SERVET_EARGUMENT);
    servet_profile_close(empty);
}

/* --- layers ----------------------------------------------------------------------------------- */

TEST(layers)
{
    servet_network_layer layer = network_layer(1);
    refused(record_network_layers(profile, &layer, -1, fresh()), "-1 items");
    layer.to.node = 2;
    refused(record_network_layers(profile, &layer, 1, fresh()), "took no part");
    layer = network_layer(1);
    layer.from = (servet_place){2, 0};
    refused(record_network_layers(profile, &layer, 1, fresh()), "took no part");
    layer = network_layer(1);
    layer.latency.method = SERVET_METHOD_INTERPOLATED;
    refused(record_network_layers(profile, &layer, 1, fresh()),
            "network.layers[0].latency_us.method");
}

TEST(groups)
{
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
    assert_ok(servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 1}, &layer));
    assert_int_equal(layer, 1);
}

/* --- orders and ends of lists ----------------------------------------------------------------- */

TEST(curves)
{
    servet_message points[3];
    servet_protocol protocols[2];
    network_curve(points);
    network_protocols(protocols);
    points[2].bytes = points[1].bytes;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "points[2]: does not ascend");
    network_curve(points);
    points[1].time = servet_value_unknown(SERVET_UNIT_SECOND);
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "network.layers[0].points[1].time_us: missing");
    network_curve(points);
    points[1].bytes = 3276.8;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "network.layers[0].points[1].bytes: 3276.8 is no whole number of bytes");
    network_curve(points);
    protocols[1].from = protocols[0].from;
    refused(record_network_curve(profile, 1, points, 3, protocols, 2, fresh()),
            "protocols[1]: does not ascend");
}

TEST(messages_at_once)
{
    servet_together together[4];
    network_together(together);
    together[1].messages = 2;
    refused(record_network_together(profile, 1, together, 4, fresh()),
            "together[1]: does not ascend");
    network_together(together);
    together[2].bytes = 32;
    refused(record_network_together(profile, 1, together, 4, fresh()),
            "together[2]: does not ascend");
}

static void refused_batches(const servet_batch *batches, const servet_aggregation *ranges,
                            const char *what)
{
    refused(record_network_aggregation(profile, 1, batches, 4, ranges, 4, fresh()), what);
}

TEST(batches)
{
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
    ranges[1].from = 128;
    refused_batches(made, ranges, "aggregation[1]: does not ascend");
    network_ranges(ranges);
    ranges[3].below = 256;
    refused_batches(made, ranges, "network.layers[0].aggregation[3]: begins behind its end");
}

TEST(ratios)
{
    const servet_ratio first = network_ratio(1, 2, 1);
    servet_ratio unknown = network_ratio(2, 2, 1);
    unknown.ratio = servet_value_unknown(SERVET_UNIT_NONE);
    const struct {
        servet_ratio ratio[2];
        const char *what;
    } rows[] = {{{network_ratio(2, 2, 1), network_ratio(3, 2, 1)}, "the first ratio"},
                {{first, first}, "ratios[1]: does not ascend"},
                {{first, network_ratio(SERVET_RATIO_MAX + 1, 2, 1)}, "access.ratios[1].at"},
                {{first, unknown}, "network.access.ratios[1].ratio: missing"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refused(
            record(profile, 0, rows[i].ratio, sizeof first, 2, fresh(), "network.access.ratios"),
            rows[i].what);
}
