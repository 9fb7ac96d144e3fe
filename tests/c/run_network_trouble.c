/* SPDX-License-Identifier: BSD-3-Clause */
/* Network measurements that lack time, end early, are disturbed, or have invalid options. */
#include "test.h"

#include "core/error.h"
#include "sim/messages.h"
#include "network_run.h"
#include "sample_cluster.h"
#include "../record.h"

static watched_network watched_job;

static void open_watched(srv_model *model, int ranks)
{
    network_run_open(model, ranks);
    watch_network(&watched_job, network);
    network = &watched_job.network;
}

/* --- time, interruption, failure -------------------------------------------------------------- */

TEST_EACH(network_run_begin, network_run_end)

/* Measures a star of `nodes` nodes of two cores whose last one may be slow. */
static void measure_star(int nodes, bool slow, int used)
{
    srv_model *model = sample_cluster(nodes, 2);
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    model->noise = (srv_model_noise){.jitter = 0.1, .outlier_factor = 1};
    open_watched(model, 2 * nodes);
    watched_job.slow_factor = slow ? 4 : 0;
    watched_job.slow_node = 1;
    options.nodes = used;
    network_run_measure(0);
}

/* If one process of a node has more of the link, another has less. */
TEST(processes_of_a_node_may_share_its_link_unevenly)
{
    srv_model *model = sample_cluster(8, 4);
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    open_watched(model, 32);
    watched_job.uneven = true;
    network_run_measure(SRV_BIT(SRV_NETWORK_ACCESS));
    is_near(&facts.access.ratio[3].bandwidth, SAMPLE_LINK / 4, 0.01);
}

/* A star with one slow interface: in a ring it would delay all. The others are measured without it,
 * the same ones each time; the near neighbour, nodes all alike, as ever. */
TEST(a_slow_node_is_left_out_of_rings)
{
    for (int slow = 0; slow < 2; slow++) {
        measure_star(8, slow, 0);
        const view_ratios *ratios[] = {&facts.distance, &facts.access};
        for (int i = 0; i < 2; i++) {
            assert_string_equal(ratios[i]->doubt, "");
            assert_int_equal(ratios[i]->constant_total, i == 0 || !slow);
            for (int k = 0; k < ratios[i]->count; k++) {
                double truth = i == 0 ? 1 : k + 1; /* each has a link, processes share it */
                assert_true(ratios[i]->ratio[k].ratio.trusted);
                is_near(&ratios[i]->ratio[k].ratio, truth, 0.1);
                assert_int_equal(ratios[i]->ratio[k].nodes, slow ? 7 : i == 0 ? 8 : 4 / (k + 1));
            }
        }
        assert_int_equal(facts.distance.count, slow ? 3 : 4);
        for (int node = 0; node < 8; node++)
            assert_float_equal(network_view_slowness(measured, node), slow && node == 1 ? 4 : 1,
                               0.1 * 4);
    }
}

/* Between nodes 1 and 4, or 1 and 2, of two cores. */
static double bad_way_to(int end, const srv_rank_pair *pair)
{
    int nodes = 1 << pair->from / 2 | 1 << pair->to / 2;
    return nodes == (1 << 1 | 1 << end) ? 2.5 : 1;
}

static double bad_way(const srv_rank_pair *pair, double seconds)
{
    (void)seconds;
    return bad_way_to(4, pair);
}

static double bad_way_of_neighbours(const srv_rank_pair *pair, double seconds)
{
    (void)seconds;
    return bad_way_to(2, pair);
}

static void open_with_bad_way(double (*load)(const srv_rank_pair *pair, double seconds))
{
    open_watched(sample_cluster(8, 2), 16);
    watched_job.load = load;
}

/* The nodes of a slow link are as fast as others, and remain in rings. */
TEST(a_slow_link_is_named)
{
    for (int slow = 0; slow < 2; slow++) {
        open_with_bad_way(slow ? bad_way : NULL);
        network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
        assert_true(facts.links_known);
        assert_int_equal(facts.slow_link_count, slow);
        const servet_slow_link *link = &facts.slow_link[0];
        if (slow) {
            assert_string_equal(link->from, "1");
            assert_string_equal(link->to, "4");
            is_near(&link->factor, 2.5, 0.05);
            assert_true(link->factor.trusted && link->confidence > 0.8);
        }
        for (int node = 0; node < 8; node++)
            assert_float_equal(network_view_slowness(measured, node), 1, 0.1);
    }
}

/* With a slow link among three nodes, each of its ends has only one other link for comparison. */
TEST(three_nodes_do_not_tell_a_slow_link)
{
    for (int nodes = 3; nodes <= 4; nodes++) {
        network_run_open(sample_cluster(nodes, 2), 2 * nodes);
        network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
        assert_int_equal(facts.links_known, nodes == 4);
    }
}

/* Nothing else limits messages: each of the others takes as long at any distance, by any number of
 * processes. One of eight that takes 2.5 times as long would make the mean 1.19. */
TEST(messages_over_a_slow_link_are_not_in_ratios)
{
    for (int of = 0; of < 2; of++) {
        open_with_bad_way(of == 0 ? bad_way : bad_way_of_neighbours);
        network_run_measure(0);
        assert_int_equal(facts.slow_link_count, 1);
        assert_int_equal(facts.distance.count, 4);
        assert_int_equal(facts.access.count, 2);
        for (int i = 0; i < 4; i++) {
            const servet_ratio *ratio = &facts.distance.ratio[i];
            is_near(&ratio->ratio, 1, 0.05);
            assert_int_equal(ratio->nodes, 8);
            assert_int_equal(ratio->bandwidth.samples, 8 - (i == (of == 0 ? 2 : 0)));
        }
        for (int i = 0; i < 2; i++)
            is_near(&facts.access.ratio[i].ratio, 1, 0.05);
        assert_string_equal(facts.distance.doubt, "");
    }
}

/* If each message of a ring crosses a slow link, the ratios are those of these links. */
TEST(ratios_of_slow_links_alone_are_doubtful)
{
    const servet_network about = {.nodes = 8, .ranks = 16, .benchmarks = "layers"};
    const servet_slow_link link = {
        .from = "0-7",
        .to = "0-7",
        .factor = {2, 2, 2, 1, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true},
        .confidence = 1};
    static const char *const nodes[] = {"cluster-0", "cluster-1", "cluster-2", "cluster-3",
                                        "cluster-4", "cluster-5", "cluster-6", "cluster-7"};
    open_with_bad_way(NULL);
    assert_ok(servet_profile_set_network(measured, &about, nodes, NULL));
    assert_ok(record_network_slow_links(measured, &link, 1, NULL));
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(facts.distance.count, 4);
    assert_string_equal(facts.distance.doubt, "all of its messages go over slow links");
    for (int i = 0; i < 4; i++)
        assert_false(facts.distance.ratio[i].ratio.trusted);
}

/* One of the two nodes of the ring is slow; the third node shows which. */
TEST(two_nodes_of_which_one_is_slow_are_doubtful)
{
    measure_star(3, true, 2);
    const view_ratios *ratios[] = {&facts.distance, &facts.access};
    for (int i = 0; i < 2; i++) {
        double factor = 0;
        int read = sscanf(ratios[i]->doubt, "cluster-1: its messages take %lf times", &factor);
        if (read != 1 || fabs(factor - 4) > 0.2 * 4)
            fail_msg("'%s'", ratios[i]->doubt);
        for (int k = 0; k < ratios[i]->count; k++)
            assert_false(ratios[i]->ratio[k].ratio.trusted);
    }
}

static int stop_at_third(void *context, servet_error *error)
{
    network_run_look();
    (void)context;
    assert_true(facts.done & SRV_BIT(SRV_NETWORK_LAYERS));
    return facts.done & SRV_BIT(SRV_NETWORK_SCALABILITY)
               ? srv_fail(error, SERVET_EINTERRUPTED, "stopped")
               : SERVET_OK;
}

/* Messages of the two pairs that tell what links are like, of four sizes. */
enum { PROBES = 2 * 4 };

/* After the third part; what comes later does not repeat them. */
TEST(an_interrupted_measurement_is_resumed)
{
    open_watched(sample_ring(8, 2), 16);
    options.keep = stop_at_third;
    assert_code(network_run_try(NULL), SERVET_EINTERRUPTED);
    assert_int_equal(facts.done, SRV_BIT(0) | SRV_BIT(1) | SRV_BIT(2));
    double latency = facts.layer[1].latency.value;
    watched_job.passes = 0;
    options.keep = NULL;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE) | SRV_BIT(SRV_NETWORK_ACCESS));
    assert_int_equal(facts.done, SRV_BIT(SRV_NETWORK_AGGREGATION) - 1);
    assert_int_equal(watched_job.passes, PROBES + 4 + 2);
    assert_true(facts.layer[1].latency.value == latency);
}

/* --- in the middle of a benchmark ------------------------------------------------------------- */

/* Ends the measurement when a benchmark that is not done has something to keep for the n-th time.
 */
typedef struct part_way {
    int times;
    int (*count)(void);
    unsigned benchmark;
} part_way;

static int stop_part_way(void *context, servet_error *error)
{
    network_run_look();
    const part_way *at = context;
    bool inside = !(facts.done & at->benchmark) && at->count() >= at->times;
    return inside ? srv_fail(error, SERVET_EINTERRUPTED, "stopped") : SERVET_OK;
}

static int distances(void)
{
    return facts.distance.count;
}

static int numbers(void)
{
    return facts.access.count;
}

static int curves(void)
{
    int count = 0;
    for (int i = 0; i < facts.layer_count; i++)
        count += facts.layer[i].curve_count > 0;
    return count;
}

/* Probes of a whole measurement of these benchmarks on a ring, and of one that is ended when
 * `at` says so and of another that goes on: through a measured, as after a kill. */
typedef struct exchanged {
    int whole, before, after, kept;
} exchanged;

static exchanged measure_in_two(unsigned only, part_way at)
{
    exchanged seen;
    open_watched(sample_ring(8, 4), 32);
    network_run_measure(only);
    seen.whole = watched_job.passes;
    open_watched(sample_ring(8, 4), 32);
    options.keep = stop_part_way;
    options.context = &at;
    assert_code(network_run_try(NULL), SERVET_EINTERRUPTED);
    seen.before = watched_job.passes;
    seen.kept = at.count();
    network_run_reopen();
    watched_job.passes = 0;
    options.keep = NULL;
    network_run_measure(only);
    seen.after = watched_job.passes;
    return seen;
}

/* Repeats of the messages of layers follow the clock, a few after each probe. Of the curves of two
 * layers, one is there. */
TEST(what_was_kept_is_not_measured_again)
{
    const part_way at_distance = {2, distances, SRV_BIT(SRV_NETWORK_DISTANCE)},
                   at_access = {3, numbers, SRV_BIT(SRV_NETWORK_ACCESS)},
                   at_curves = {1, curves, SRV_BIT(SRV_NETWORK_CURVES)};
    exchanged seen = measure_in_two(at_distance.benchmark, at_distance);
    assert_int_equal(seen.kept, 2);
    assert_int_equal(seen.whole, PROBES + 4);
    assert_int_equal(seen.before, PROBES + 2);
    assert_int_equal(seen.after, PROBES + 2);
    assert_int_equal(facts.distance.count, 4);
    for (int i = 0; i < 4; i++)
        is_near(&facts.distance.ratio[i].ratio, i + 1, 0.05);
    seen = measure_in_two(at_access.benchmark, at_access);
    assert_int_equal(seen.kept, 3);
    assert_int_equal(seen.after, PROBES + 1); /* the fourth; layers are known, too */
    assert_int_equal(facts.access.count, 4);
    seen = measure_in_two(at_curves.benchmark, at_curves);
    assert_int_equal(seen.kept, 1);
    assert_true(seen.after < seen.whole / 2);
    assert_int_equal(curves(), 2);
}

/* Clears the list of benchmarks, so that none counts as measured. */
static void forget_benchmarks(void)
{
    servet_network about;
    const char *nodes[8];
    assert_ok(servet_network_get(measured, &about));
    for (int i = 0; i < 8; i++)
        nodes[i] = servet_network_node(measured, i);
    *about.benchmarks = '\0';
    assert_ok(servet_profile_set_network(measured, &about, nodes, NULL));
}

/* Earlier results are for another message size. */
TEST(ratios_of_another_message_size_are_measured_again)
{
    part_way at = {2, distances, SRV_BIT(SRV_NETWORK_DISTANCE)};
    (void)measure_in_two(SRV_BIT(SRV_NETWORK_DISTANCE), at);
    forget_benchmarks();
    watched_job.passes = 0;
    options.message_bytes = 1 << 20;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(watched_job.passes, PROBES + 4);
    assert_int_equal(facts.distance.count, 4);
}

/* A disturbance of the first half is on record when the second half begins. */
TEST(noise_before_an_interruption_counts)
{
    part_way at = {2, distances, SRV_BIT(SRV_NETWORK_DISTANCE)};
    open_watched(sample_ring(8, 2), 16);
    watched_job.disturbed = 0;
    watched_job.lost = 0.6;
    options.only = SRV_BIT(SRV_NETWORK_DISTANCE);
    options.keep = stop_part_way;
    options.context = &at;
    assert_code(network_run_try(NULL), SERVET_EINTERRUPTED);
    assert_false(facts.distance.ratio[0].ratio.trusted || facts.distance.ratio[1].ratio.trusted);
    watched_job.lost = 0;
    options.keep = NULL;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    for (int i = 0; i < 2; i++)
        assert_false(facts.distance.ratio[i].bandwidth.trusted ||
                     facts.distance.ratio[i].ratio.trusted);
}

TEST(results_before_a_hang_are_kept)
{
    bool hung = true;
    for (int at = 1; hung; at = 1 + at * 5 / 4) {
        servet_error error = SERVET_ERROR_INIT;
        open_watched(sample_ring(8, 2), 16);
        watched_job.hangs_at = at;
        int code = network_run_try(&error);
        hung = watched_job.passes >= at;
        assert_int_equal(code, hung ? SERVET_ECOMMUNICATION : SERVET_OK);
        assert_true(!hung || strstr(error.text, "hang"));
        assert_true(!(facts.done & SRV_BIT(SRV_NETWORK_DISTANCE)) || facts.distance.count == 4);
        assert_true(hung || facts.done == SRV_BIT(SRV_NETWORK_BENCHMARK_COUNT) - 1);
    }
}

/* --- disturbances ----------------------------------------------------------------------------- */

/* Somebody takes most of a core after the layers are known, and ends before the last benchmark. */
static int disturb_for_a_while(void *context, servet_error *error)
{
    network_run_look();
    (void)context, (void)error;
    watched_job.disturbed = facts.layer[1].pair.to;
    watched_job.lost = facts.done & SRV_BIT(SRV_NETWORK_SCALABILITY) ? 0 : 0.6;
    return SERVET_OK;
}

static void run_has_noise(double share)
{
    servet_run run;
    assert_ok(servet_profile_run(measured, &run));
    assert_true(run.noise.value == share);
}

/* One disturbed sample before or after a benchmark makes its facts not trusted. */
TEST(results_with_a_disturbed_rank_are_not_trusted)
{
    open_watched(sample_ring(8, 2), 16);
    options.keep = disturb_for_a_while;
    network_run_measure(0);
    const view_layer *within = &facts.layer[0], *between = &facts.layer[1];
    assert_true(within->latency.trusted && within->bandwidth.trusted);
    assert_true(between->latency.trusted && between->bandwidth.trusted);
    assert_string_equal(between->doubt[SRV_NETWORK_LAYERS], "");
    assert_non_null(
        strstr(between->doubt[SRV_NETWORK_CURVES], ": other work took 60 % of the core's time"));
    assert_false(between->curve[0].time.trusted);
    assert_false(between->protocol[0].latency.trusted);
    assert_false(between->together[0].time.trusted);
    assert_false(between->together[between->together_count - 1].ratio.trusted);
    assert_false(facts.distance.ratio[3].ratio.trusted);
    assert_true(facts.access.ratio[1].ratio.trusted && facts.access.ratio[1].bandwidth.trusted);
    run_has_noise(0.6);
}

/* A core of the third node loses a fifth of its time, which is not yet in doubt. */
TEST(a_node_that_loses_time_is_an_outlier)
{
    servet_node_rate rate;
    open_watched(sample_cluster(6, 1), 6);
    watched_job.disturbed = 2;
    watched_job.lost = 0.2;
    network_run_measure(SRV_BIT(SRV_NETWORK_BISECTION));
    for (int i = 0; i < 6; i++) {
        assert_ok(SERVET_ITEM(measured, "network.node_rates", &rate, i + 1));
        assert_true(rate.noisy == (i == 2) && !rate.slow && rate.bandwidth.trusted);
        assert_float_equal(rate.lost.value, i == 2 ? 0.2 : 0, 1e-6);
    }
}

/* Layers are found before somebody comes; of the two pairs one is disturbed. */
static int disturb_after_layers(void *context, servet_error *error)
{
    network_run_look();
    (void)context, (void)error;
    watched_job.disturbed = facts.layer[1].pair.to;
    watched_job.lost = facts.done & SRV_BIT(SRV_NETWORK_LAYERS) ? 0.6 : 0;
    return SERVET_OK;
}

TEST(batches_of_a_disturbed_rank_are_not_trusted)
{
    open_watched(sample_ring(8, 2), 16);
    options.keep = disturb_after_layers;
    network_run_measure(SRV_BIT(SRV_NETWORK_AGGREGATION));
    const view_layer *within = &facts.layer[0], *between = &facts.layer[1];
    assert_true(within->batches[0].gain.trusted && within->aggregation[0].gain.trusted);
    assert_string_equal(within->doubt[SRV_NETWORK_AGGREGATION], "");
    assert_non_null(strstr(between->doubt[SRV_NETWORK_AGGREGATION],
                           ": other work took 60 % of the core's time"));
    for (int i = 0; i < between->batch_count; i++)
        assert_false(between->batches[i].gain.trusted || between->batches[i].at_once.trusted);
    for (int i = 0; i < between->aggregation_count; i++)
        assert_false(between->aggregation[i].gain.trusted);
}

/* The pair within node 0 has nothing to do with what disturbs node 3. */
TEST(results_without_the_disturbed_rank_are_trusted)
{
    open_watched(sample_ring(8, 2), 16);
    watched_job.disturbed = 7;
    watched_job.lost = 0.6;
    network_run_measure(0);
    assert_int_equal(facts.layer[0].pair.from, 0);
    assert_true(facts.layer[0].latency.trusted && facts.layer[1].latency.trusted);
    assert_true(facts.layer[0].curve[0].time.trusted && facts.layer[0].together[0].time.trusted);
    assert_true(facts.distance.ratio[0].ratio.trusted); /* rank 7 is not the first of its node */
    assert_false(facts.access.ratio[0].ratio.trusted);
}

/* Rank 1 had its core whenever that was sampled, but not for its messages. */
TEST(facts_of_absent_ranks_are_not_trusted)
{
    static const struct {
        srv_absence absence;
        const char *reason; /* NULL: none */
    } cases[] = {
        {{0.2, 0.5, 0.05, 0}, NULL},
        {{0.6, 0, 0, 0}, "the benchmark did not run for 60 % of the time"},
        {{0.01, 2, NAN, 0}, "the benchmark stood still for 2.0 s"},
        {{0, 0, 0, 3}, "others moved the benchmark to other cores"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_watched(sample_cluster(2, 1), 2);
        watched_job.disturbed = 1;
        watched_job.absent = &cases[i].absence;
        network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_CURVES));
        assert_int_equal(facts.layer[0].latency.trusted, !cases[i].reason);
        assert_int_equal(facts.layer[0].curve[0].time.trusted, !cases[i].reason);
        if (cases[i].reason)
            assert_non_null(strstr(facts.layer[0].doubt[SRV_NETWORK_LAYERS], cases[i].reason));
    }
}

/* Half of node 0's processors work for others: messages within it, and all of its processes at
 * once, go through the memory that those use; a single message to another node does not. */
TEST(other_programs_on_a_node_count_where_memory_does)
{
    static const srv_absence busy = {0, 0, 0.5, 0};
    open_watched(sample_ring(8, 2), 16);
    watched_job.disturbed = 0;
    watched_job.absent = &busy;
    network_run_measure(0);
    const view_layer *within = &facts.layer[0], *between = &facts.layer[1];
    assert_int_equal(within->pair.from, 0);
    assert_false(within->latency.trusted || within->curve[0].time.trusted);
    assert_string_equal(strchr(within->doubt[SRV_NETWORK_CURVES], ':'),
                        ": other programs used 50 % of the processors");
    assert_true(between->latency.trusted && between->curve[0].time.trusted);
    assert_false(between->together[0].time.trusted);
    assert_true(facts.distance.ratio[0].ratio.trusted);
    assert_false(facts.access.ratio[0].ratio.trusted);
}

TEST(one_disturbed_rank_of_two_is_not_tolerated)
{
    for (int little = 0; little < 2; little++) {
        open_watched(sample_cluster(2, 1), 2);
        watched_job.disturbed = 1;
        watched_job.lost = little ? 0.1 : 0.3;
        network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
        assert_int_equal(facts.layer[0].latency.trusted, little);
        assert_int_equal(facts.layer[0].bandwidth.trusted, little);
    }
}

static int describe_one_machine(srv_network *inner, const srv_rank **ranks, int *rank_count,
                                const srv_network_node **nodes, int *node_count,
                                servet_error *error)
{
    static srv_network_node copies[2];
    srv_network *model = ((watched_network *)inner)->inner;
    int code = model->ops->describe(model, ranks, rank_count, nodes, node_count, error);
    for (int i = 0; i < 2; i++) {
        copies[i] = (*nodes)[i];
        copies[i].machine = 0;
    }
    *nodes = copies;
    return code;
}

/* Among virtual hosts that share a core only one rank spins on it, and answers for the others. */
TEST(hosts_on_one_machine_do_not_disturb_each_other)
{
    open_watched(sample_cluster(2, 1), 2);
    static srv_network_ops ops;
    ops = *watched_job.network.ops;
    ops.describe = describe_one_machine;
    watched_job.network.ops = &ops;
    watched_job.disturbed = 0;
    watched_job.lost = 0.3;
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
    assert_int_equal(watched_job.sampled, 1);
    run_has_noise(0.3);
}

/* A hypervisor that takes a third of all time. */
TEST(stolen_time_of_models_is_reported)
{
    srv_model *model = sample_cluster(2, 1);
    model->noise = (srv_model_noise){.steal = 0.33, .outlier_factor = 1};
    network_run_open(model, 2);
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
    assert_false(facts.layer[0].latency.trusted);
    servet_run run;
    assert_ok(servet_profile_run(measured, &run));
    assert_true(run.steal.value > 0.25);
}

/* --- progress and options --------------------------------------------------------------------- */

static double last_done;

static int goes_forward(void *context, const servet_progress *progress)
{
    (void)context;
    assert_true(progress->done >= last_done - 1e-9 && progress->done <= 1);
    last_done = progress->done;
    return 0;
}

TEST(progress_never_decreases)
{
    last_done = 0;
    network_run_open(sample_ring(8, 2), 16);
    options.progress = goes_forward;
    network_run_measure(0);
    assert_true(last_done > 0.85); /* when the last probe begins */
}

static unsigned buffers_of(unsigned only)
{
    open_watched(sample_ring(4, 2), 8);
    network_run_measure(only);
    return watched_job.buffers;
}

TEST(the_user_chooses_buffers)
{
    for (srv_buffers wanted = 0; wanted < SRV_BUFFERS_COUNT; wanted++) {
        options.buffers = &wanted;
        assert_int_equal(buffers_of(0), SRV_BIT(wanted));
    }
    options.buffers = NULL;
    assert_int_equal(buffers_of(SRV_BIT(SRV_NETWORK_SCALABILITY)), SRV_BIT(SRV_BUFFERS_WARM));
    assert_int_equal(buffers_of(SRV_BIT(SRV_NETWORK_DISTANCE)),
                     SRV_BIT(SRV_BUFFERS_ROTATED) |
                         SRV_BIT(SRV_BUFFERS_WARM)); /* warm: what it costs */
    assert_string_equal(srv_buffers_name(SRV_BUFFERS_TOUCHED), "touched");
}

TEST(invalid_options_are_refused)
{
    const srv_network_options sane = SRV_NETWORK_OPTIONS_INIT;
    srv_network_options wrong[] = {sane, sane, sane, sane, sane, sane};
    wrong[0].only = SRV_BIT(SRV_NETWORK_BENCHMARK_COUNT);
    wrong[1].layer_bytes = 0;
    wrong[2].message_bytes = NAN;
    wrong[3].nodes = 9;
    wrong[4].nodes = 1;
    wrong[5].budget_seconds = -1;
    network_run_open(sample_ring(8, 1), 8);
    for (int i = 0; i < 6; i++)
        assert_code(srv_measure_network(network, &wrong[i], measured, NULL), SERVET_EARGUMENT);
}
