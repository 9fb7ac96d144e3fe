/* SPDX-License-Identifier: BSD-3-Clause */
/* A network analysed again from its raw folder gives the results of the measurement. */
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "folder.h"
#include "sim/messages.h"
#include "run/measure.h"
#include "run/network/replay.h"
#include "network_run.h"
#include "sample_cluster.h"
#include "servet/measure.h"
#include "profile_text.h"

static servet_profile *live;

TEST_FIXTURE(begin)
{
    live = NULL;
    return network_run_begin(state) == 0 ? make_folder(state) : -1;
}

TEST_FIXTURE(end)
{
    network_run_end(state);
    servet_profile_close(live);
    return remove_folder(state);
}

/* --- a measurement, as a job does it ---------------------------------------------------------- */

static void begin_profile(void)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count, index;
    servet_run run = srv_run_begin("--only much");
    servet_machine machine = {.hostname = "node0", .os = "Linux", .cores = "0-3"};
    network->ops->describe(network, &ranks, &rank_count, &nodes, &node_count, NULL);
    assert_ok(servet_profile_create(&live, NULL));
    assert_ok(servet_profile_set_run(live, &run, NULL));
    assert_ok(servet_profile_add_class(live, "default", &machine, &index, NULL));
    for (int i = 0; i < node_count; i++)
        assert_ok(servet_profile_add_node(live, index, nodes[i].name, NULL));
}

/* Returns the code of the replay, which continues with the known facts. */
static int record(void)
{
    servet_error error = SERVET_ERROR_INIT;
    if (!live)
        begin_profile();
    options.raw_dir = folder;
    int code = srv_record_network(network, &options, "--only much", live, &error);
    network_view_read(&facts, live, network);
    return code;
}

static void measure(srv_model *model, int ranks)
{
    network_run_open(model, ranks);
    assert_ok(record());
}

/* --- the same again --------------------------------------------------------------------------- */

typedef struct missing_facts {
    char benchmarks[128], why[256];
} missing_facts;

static void note(void *context, const char *benchmark, const char *why)
{
    missing_facts *missing = context;
    size_t n = strlen(missing->benchmarks);
    snprintf(missing->benchmarks + n, sizeof missing->benchmarks - n, "%s,", benchmark);
    snprintf(missing->why, sizeof missing->why, "%s", why);
}

static servet_profile *replay(missing_facts *missing)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    *missing = (missing_facts){0};
    if (servet_replay_network(folder, note, missing, &profile, &error) != SERVET_OK)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    return profile;
}

/* Except for the noise of the run, which the function that stores the run sets. */
static void says_the_same(void)
{
    missing_facts missing;
    servet_run run, then;
    servet_profile *again = replay(&missing);
    servet_profile_run(again, &run);
    servet_profile_run(live, &then);
    assert_string_equal(run.started, then.started);
    assert_string_equal(run.version, then.version);
    assert_string_equal(run.options, then.options);
    assert_string_equal(missing.why, "");
    assert_string_equal(run.unfinished, "");
    assert_ok(servet_profile_set_run(live, &run, NULL));
    char *first = profile_text(live), *second = profile_text(again);
    assert_string_equal(missing.benchmarks, "");
    assert_string_equal(first, second);
    free(first);
    free(second);
    servet_profile_close(again);
}

/* --- whole ------------------------------------------------------------------------------------ */

TEST_EACH(begin, end)

TEST(a_whole_measurement_comes_out_the_same)
{
    measure(sample_two_leaves(4, 3), 12);
    assert_int_equal(facts.layer_count, 3);
    assert_true(facts.distance.count > 0 && facts.access.count > 0);
    says_the_same();
}

static srv_model *noisy(srv_model *model)
{
    model->noise = (srv_model_noise){
        .jitter = 0.05, .outlier_share = 0.05, .outlier_factor = 4, .steal = 0.1, .drift = 0.05};
    return model;
}

static int no_progress(void *context, const servet_progress *progress)
{
    (void)context;
    (void)progress;
    return 0;
}

/* The replay cuts the measurement at the same place, by the recorded clock. */
TEST(so_does_one_that_had_little_time)
{
    static const srv_buffers touched = SRV_BUFFERS_TOUCHED;
    options.budget_seconds = 4.000000123;
    options.buffers = &touched;
    options.nodes = 3;
    options.message_bytes = 1 << 20;
    options.progress = no_progress;
    measure(noisy(sample_two_leaves(6, 8)), 48);
    says_the_same();
}

/* The node of the job that measured itself is in its folder, too: then the network goes to it. */
TEST(a_profile_that_is_there_is_added_to)
{
    servet_profile *node;
    char then[64], now[64];
    options.only = SRV_BIT(SRV_NETWORK_LAYERS);
    measure(sample_ring(4, 2), 8);
    assert_ok(servet_profile_create(&node, NULL));
    servet_profile *given = node;
    assert_ok(servet_replay_network(folder, NULL, NULL, &node, NULL));
    assert_ptr_equal(node, given);
    assert_int_equal(servet_profile_class_count(node), 0);
    assert_ok(servet_profile_get(live, NULL, "layers.2.latency_us", then, sizeof then, NULL));
    assert_ok(servet_profile_get(node, NULL, "layers.2.latency_us", now, sizeof now, NULL));
    assert_string_equal(then, now);
    servet_profile_close(node);
}

/* --- several jobs ----------------------------------------------------------------------------- */

/* A kill after the curves. */
static int kill_after_curves(void *context, servet_error *error)
{
    (void)context;
    return srv_network_done(live) & SRV_BIT(SRV_NETWORK_CURVES)
               ? srv_fail(error, SERVET_EINTERRUPTED, "killed")
               : SERVET_OK;
}

TEST(a_recording_continued_by_another_job_is_analyzed_as_a_whole)
{
    options.keep = kill_after_curves;
    network_run_open(noisy(sample_ring(4, 2)), 8);
    assert_code(record(), SERVET_EINTERRUPTED);
    options.keep = NULL;
    measure(noisy(sample_ring(4, 2)), 8);
    says_the_same();
}

/* On slow links facts are stored between the probes of a benchmark, too. */
static srv_model *slow_ring(void)
{
    srv_model *model = noisy(sample_ring(5, 2));
    model->network.link_bytes_per_second = SAMPLE_LINK / 50;
    model->layer[1].protocol[0].bytes_per_second = SAMPLE_LINK / 50;
    return model;
}

static int keeps_left;

static int kill_after_some(void *context, servet_error *error)
{
    (void)context;
    return --keeps_left == 0 ? srv_fail(error, SERVET_EINTERRUPTED, "killed") : SERVET_OK;
}

TEST(so_is_one_that_was_killed_within_a_benchmark)
{
    int within = 0;
    for (int keeps = 1;; keeps += (int)test_step(3)) {
        options.message_bytes = 1 << 20;
        options.keep = kill_after_some;
        keeps_left = keeps;
        network_run_open(slow_ring(), 10);
        int code = record();
        if (code == SERVET_OK)
            break;
        within += facts.distance.count > 0 && !(facts.done & SRV_BIT(SRV_NETWORK_DISTANCE));
        options.keep = NULL;
        measure(slow_ring(), 10);
        says_the_same();
        assert_int_equal(end(NULL) | begin(NULL), 0);
    }
    assert_true(within > 0);
}

/* The results of a job that fails are kept. */
TEST(so_is_one_that_hung)
{
    for (int at = 2; at < 400; at += 1 + at * (int)test_step(4) / 2) {
        network_run_open(noisy(sample_ring(5, 2)), 10);
        static watched_network watched;
        watch_network(&watched, network);
        network = &watched.network;
        watched.hangs_at = at;
        assert_code(record(), SERVET_ECOMMUNICATION);
        measure(noisy(sample_ring(5, 2)), 10);
        says_the_same();
        assert_int_equal(end(NULL) | begin(NULL), 0);
    }
}

/* Measurements between other nodes say nothing about these. */
TEST(a_job_on_other_nodes_begins_again)
{
    options.keep = kill_after_curves;
    network_run_open(sample_ring(6, 2), 12);
    assert_code(record(), SERVET_EINTERRUPTED);
    servet_profile_close(live);
    live = NULL;
    options.keep = NULL;
    measure(sample_ring(4, 2), 8);
    says_the_same();
}

/* --- less than all ---------------------------------------------------------------------------- */

static void path_of(const char *part, char path[TEST_PATH_MAX])
{
    snprintf(path, 96, "%s/answers-network-1%s.txt", folder, part);
}

static bool knows(const servet_profile *profile, const char *key)
{
    char text[4096];
    return servet_profile_get(profile, NULL, key, text, sizeof text, NULL) == SERVET_OK;
}

TEST(facts_without_a_recording_stay_unmeasured)
{
    char path[TEST_PATH_MAX];
    missing_facts missing;
    servet_run run;
    measure(sample_ring(4, 2), 8);
    path_of("-curves", path);
    assert_int_equal(unlink(path), 0);
    servet_profile *again = replay(&missing);
    assert_string_equal(missing.benchmarks, "curves,");
    assert_non_null(strstr(missing.why, "not on record: part curves"));
    servet_profile_run(again, &run);
    assert_string_equal(run.unfinished, "curves,collectives"); /* which need curves */
    assert_true(knows(again, "layers.2.latency_us"));
    assert_true(knows(again, "network.distance_ratio.2"));
    servet_profile_close(again);
}

/* The message names the line. */
TEST(half_an_answer_is_named)
{
    char path[TEST_PATH_MAX];
    size_t size;
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    options.only = SRV_BIT(SRV_NETWORK_LAYERS);
    measure(sample_ring(4, 2), 8);
    path_of("-layers", path);
    char *text = test_read_file(path, &size);
    char *answer = strstr(text, "\nexchange"), *cut = strchr(strchr(answer, '=') + 5, ' ');
    int line = 2;
    for (const char *at = text; at < answer; at++)
        line += *at == '\n';
    test_write_file(path, text, (size_t)(cut - text));
    assert_code(servet_replay_network(folder, NULL, NULL, &profile, &error), SERVET_EFORMAT);
    assert_string_equal(error.file, path);
    assert_int_equal(error.line, line);
    free(text);
}

TEST(there_must_be_a_record)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    assert_code(servet_replay_network(folder, NULL, NULL, &profile, &error), SERVET_ENOTFOUND);
    assert_non_null(strstr(error.file, "answers-network-1.txt"));
}

/* A file that ends anywhere, or has any byte anywhere, is read or refused. */
TEST(a_broken_record_is_read_or_refused)
{
    static const char *const parts[] = {"", "-begin", "-layers", "-access"};
    options.message_bytes = 1 << 16;
    measure(noisy(sample_ring(3, 2)), 6);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        char path[TEST_PATH_MAX];
        size_t size;
        path_of(parts[k], path);
        char *text = test_read_file(path, &size);
        for (size_t at = 0, step = 1 + size / test_cases(5, 150); at < size; at += step) {
            char kept = text[at];
            for (int change = 0; change < 3; change++) {
                servet_profile *profile = NULL;
                servet_error error = SERVET_ERROR_INIT;
                text[at] = change == 0 ? kept : change == 1 ? '9' : '-';
                test_write_file(path, text, change == 0 ? at : size);
                int code = servet_replay_network(folder, NULL, NULL, &profile, &error);
                if (code == SERVET_OK)
                    servet_profile_close(profile);
                else
                    assert_true(*error.text);
            }
            text[at] = kept;
        }
        test_write_file(path, text, size);
        free(text);
    }
    says_the_same();
}

/* --- many ------------------------------------------------------------------------------------- */

static double pairs_exchanged, ranks_sampled;
static const srv_network_ops *passed_on;

static int count_pairs(srv_network *self, const srv_exchange *exchange, srv_spread *times,
                       servet_error *error)
{
    pairs_exchanged += exchange->count;
    return passed_on->exchange(self, exchange, times, error);
}

static int count_ranks(srv_network *self, const int *ranks, int count, double seconds,
                       srv_rank_noise *noises, servet_error *error)
{
    ranks_sampled += count;
    return passed_on->noise(self, ranks, count, seconds, noises, error);
}

static double bytes_of_record(void)
{
    double sum = 0;
    DIR *names = opendir(folder);
    assert_non_null(names);
    for (struct dirent *entry; (entry = readdir(names));) {
        struct stat status;
        if (strncmp(entry->d_name, "answers-", strlen("answers-")) == 0 &&
            fstatat(dirfd(names), entry->d_name, &status, 0) == 0)
            sum += (double)status.st_size;
    }
    closedir(names);
    return sum;
}

/* 48 nodes of 16 cores: a pair is two ranks and five numbers of at most 13 characters, a sample of
 * noise eight numbers. */
TEST(a_pair_takes_few_bytes)
{
    options.message_bytes = 1 << 16;
    network_run_open(noisy(sample_two_leaves(48, 16)), 768);
    static srv_network_ops ops; /* until the network ends */
    passed_on = network->ops;
    ops = *passed_on;
    ops.exchange = count_pairs;
    ops.noise = count_ranks;
    network->ops = &ops;
    pairs_exchanged = ranks_sampled = 0;
    assert_ok(record());
    double bytes = bytes_of_record();
    print_message("# %.0f bytes for %.0f pairs and %.0f samples of noise\n", bytes, pairs_exchanged,
                  ranks_sampled);
    assert_true(pairs_exchanged > 10000);
    assert_true(bytes < 80 * (pairs_exchanged + ranks_sampled));
}
