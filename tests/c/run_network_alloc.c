/* SPDX-License-Identifier: BSD-3-Clause */
/* Each allocation of a measurement of communication may fail, and each raw file be refused. */
#include "test.h"

#include <unistd.h>

#include "alloc.h"
#include "folder.h"
#include "sim/messages.h"
#include "run/network/replay.h"
#include "sample_cluster.h"
#include "servet/measure.h"

static srv_network *network;
static srv_network_options options = SRV_NETWORK_OPTIONS_INIT;

static int measure_all(void *context)
{
    servet_profile *profile = context;
    int code = servet_profile_create(&profile, NULL);
    if (code == SERVET_OK)
        code = srv_measure_network(network, &options, profile, NULL);
    servet_profile_close(profile);
    return code;
}

/* There are thousands, most of them in the model, of which half are left out. */
static void fail_here_and_there(int (*action)(void *context))
{
    for (size_t n = 1;; n += 2 * alloc_next(n) - 1) {
        alloc_fail_at(n);
        int code = action(NULL);
        assert_int_equal(code, alloc_has_failed() ? SERVET_EMEMORY : SERVET_OK);
        if (code == SERVET_OK) {
            assert_true(n > 1000);
            break;
        }
    }
    alloc_fail_at(0);
}

TEST(each_failed_allocation_is_reported)
{
    options = (srv_network_options)SRV_NETWORK_OPTIONS_INIT;
    options.message_bytes = 1 << 20;
    assert_ok(srv_messages_from(&network, sample_two_leaves(4, 2), NULL, 7, NULL));
    fail_here_and_there(measure_all);
    srv_network_destroy(network);
}

/* --- records ---------------------------------------------------------------------------------- */

/* Runs as a job of its own in the same folder. */
static int record_layers(void *context)
{
    servet_profile *profile = context;
    int code = servet_profile_create(&profile, NULL);
    if (code == SERVET_OK)
        code = srv_record_network(network, &options, "", profile, NULL);
    servet_profile_close(profile);
    return code;
}

TEST_EACH(make_folder, remove_folder)

TEST(recording_reports_each_failed_allocation)
{
    options = (srv_network_options)SRV_NETWORK_OPTIONS_INIT;
    options.only = 1u << SRV_NETWORK_LAYERS;
    options.raw_dir = folder;
    options.message_bytes = 32 << 20; /* more than the model's links carry in a second */
    assert_ok(srv_messages_from(&network, sample_two_leaves(4, 2), NULL, 8, NULL));
    fail_here_and_there(record_layers);
    srv_network_destroy(network);
}

static int replay(void *context)
{
    char path[512];
    servet_profile *profile = context;
    snprintf(path, sizeof path, "%s/tests/data/machines/leaves-of-hosts/m1", getenv("SOURCE_ROOT"));
    int code = servet_replay_network(path, NULL, NULL, &profile, NULL);
    if (code == SERVET_OK)
        servet_profile_close(profile);
    return code;
}

TEST_EACH(NULL, NULL)

TEST(replaying_reports_each_failed_allocation)
{
    fail_here_and_there(replay);
}

/* --- raw series ------------------------------------------------------------------------------- */

/* Lines of a file in the folder that do not begin with '#'. */
static int lines_of(const char *name)
{
    char path[TEST_PATH_MAX], *text, *line, *rest;
    int lines = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    text = rest = test_read_file(path, NULL);
    while ((line = strtok_r(rest, "\n", &rest)))
        lines += *line != '#';
    free(text);
    remove(path);
    return lines;
}

/* Four nodes of two ranks: matrices of two cores and four nodes. */
TEST(raw_series_are_stored)
{
    assert_int_equal(make_folder(NULL), 0);
    options = (srv_network_options)SRV_NETWORK_OPTIONS_INIT;
    options.raw_dir = folder;
    options.message_bytes = 32 << 20; /* more than the model's links carry in a second */
    assert_ok(srv_messages_from(&network, sample_two_leaves(4, 2), NULL, 8, NULL));
    assert_ok(measure_all(NULL));
    srv_network_destroy(network);
    assert_int_equal(lines_of("layers-cores.csv"), 2);
    assert_int_equal(lines_of("layers-nodes.csv"), 4);
    assert_int_equal(lines_of("bisection.csv"), 1 + 12 * 4);
    assert_true(lines_of("messages-repeats.csv") >= 1 + 3 * 12);
    assert_int_equal(rmdir(folder), 0);
}

TEST(a_missing_folder_is_an_error)
{
    options = (srv_network_options)SRV_NETWORK_OPTIONS_INIT;
    options.raw_dir = "/nonexistent/folder";
    assert_ok(srv_messages_from(&network, sample_two_leaves(4, 2), NULL, 8, NULL));
    assert_code(measure_all(NULL), SERVET_EIO);
    srv_network_destroy(network);
}
