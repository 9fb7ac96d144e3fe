/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison of a rank's place with its placement, and the reasons of differences. The node has
 * four cores of two hardware threads: 0 and 4, 1 and 5, 2 and 6, 3 and 7. */
#include "../c/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/verify.h"

/* --- comparing -------------------------------------------------------------------------------- */

/* A rank on n1 that is bound to `cores`, in a job that has the whole node. */
static srv_observed_binding seen_on(const char *cores, const char *whole, int core_count)
{
    return (srv_observed_binding){.host = "n1",
                                  .job = "0-7",
                                  .job_whole = "0-7",
                                  .cores = cores,
                                  .cores_whole = whole,
                                  .requested = "",
                                  .core_count = core_count};
}

static void expect(const char *cores, int count, const srv_observed_binding *observed,
                   const char *text)
{
    char host[] = "n1", list[64];
    snprintf(list, sizeof list, "%s", cores);
    mpi_verdict verdict = mpi_verify(&(mpi_placed){host, list, count}, observed);
    assert_string_equal(verdict.text, text);
    assert_int_equal(verdict.agrees, !*text);
}

TEST(test_agrees)
{
    srv_observed_binding one = seen_on("2", "2,6", 1), four = seen_on("0-3", "0-7", 4);
    expect("2", 1, &one, "");
    expect("0-3", 4, &four, "");
    one.host = "n1.cluster.org";
    expect("2", 1, &one, "");
}

TEST(test_not_bound)
{
    srv_observed_binding observed = seen_on("0-7", "0-7", 4);
    expect("2", 1, &observed, "not bound: it may run on all cores of the job");
    observed.requested = "2,3";
    expect("2", 1, &observed,
           "not bound: Slurm has no task plugin that binds, although 2,3 is set");
}

TEST(test_outside_the_job)
{
    srv_observed_binding observed = seen_on("0-1", "0-1,4-5", 2);
    observed.job = "0-1,4-5";
    observed.job_whole = "0-1,4-5";
    expect("2", 1, &observed, "core 2 is not in the job's cpuset (0-1,4-5)");
    observed.job = "0-3";
    observed.job_whole = "0-7";
    expect("5", 1, &observed, "the job may use one hardware thread per core, which excludes 5");
}

TEST(test_hardware_threads)
{
    srv_observed_binding whole = seen_on("2,6", "2,6", 1), other = seen_on("6", "2,6", 1);
    expect("2", 1, &whole, "bound to whole cores, but placed on single hardware threads");
    expect("2", 1, &other, "bound to another hardware thread of the core");
}

TEST(test_bound_elsewhere)
{
    srv_observed_binding more = seen_on("2-3", "2-3,6-7", 2), other = seen_on("3", "3,7", 1);
    expect("2", 1, &more, "bound to more cores than placed on");
    expect("2", 1, &other, "bound to other cores");
    expect("2-3", 2, &other, "bound to fewer cores than placed on");
    other.host = "n2";
    expect("3", 1, &other, "runs on another node");
}

TEST(test_threads)
{
    srv_observed_thread thread[] = {{"2", 2}, {"3", 3}, {"2-3", 3}};
    srv_observed_binding observed = seen_on("2-3", "2-3,6-7", 2);
    observed.threads = thread;
    observed.thread_count = 1;
    expect("2-3", 2, &observed, ""); /* OpenMP was not requested */
    observed.openmp = true;
    expect("2-3", 2, &observed, "1 threads for 2 cores");
    observed.thread_count = 3;
    expect("2-3", 2, &observed, "3 threads for 2 cores");
    observed.thread_count = 2;
    expect("2-3", 2, &observed, "");
    thread[1] = thread[2];
    expect("2-3", 2, &observed, "");
    thread[1] = thread[0];
    expect("2-3", 2, &observed, "threads 0 and 1 are both bound to core 2");
}

/* --- reading ---------------------------------------------------------------------------------- */

static int read_text(const char *text, mpi_placement *placement, servet_error *error)
{
    char path[TEST_PATH_MAX];
    test_path(path, "servet-placement.XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    *error = (servet_error)SERVET_ERROR_INIT;
    int code = mpi_placement_read(placement, path, error);
    unlink(path);
    return code;
}

static void expect_two_ranks(const char *text)
{
    mpi_placement placement;
    servet_error error;
    assert_int_equal(read_text(text, &placement, &error), SERVET_OK);
    assert_int_equal(placement.count, 2);
    assert_string_equal(placement.rank[0].host, "n1");
    assert_string_equal(placement.rank[0].cores, "0-2");
    assert_int_equal(placement.rank[0].core_count, 3);
    assert_string_equal(placement.rank[1].host, "n2");
    assert_string_equal(placement.rank[1].cores, "3,5,8");
    mpi_placement_finish(&placement);
}

TEST(test_formats)
{
    expect_two_ranks("0 n1 2,0,1\n1 n2 8,3,5\n");
    expect_two_ranks("# a comment\n0 n1 2,0,1\n\n1 n2 8,3,5");
    expect_two_ranks("{\"threads\": 3, \"processes\": [\n"
                     "  {\"rank\": 0, \"host\": \"n1\", \"cores\": [2, 0, 1]},\n"
                     "  {\"rank\": 1, \"host\": \"n2\", \"cores\": [8, 3, 5]}\n]}\n");
}

static void expect_refused(const char *text, int line, const char *why)
{
    mpi_placement placement;
    servet_error error;
    assert_int_equal(read_text(text, &placement, &error), SERVET_EFORMAT);
    assert_int_equal(error.line, line);
    assert_non_null(strstr(error.text, why));
    mpi_placement_finish(&placement);
}

TEST(test_refused)
{
    static const char shape[] = "RANK HOST CORE,CORE,...";
    expect_refused("", 0, "the placement has no processes");
    expect_refused("# nothing\n", 0, "the placement has no processes");
    expect_refused("0 n1 0\n1 n1\n", 2, shape);
    expect_refused("0 n1 0\n1 n1 1,\n", 2, shape);
    expect_refused("0 n1 0 1\n", 1, shape);
    expect_refused("0 n1 -1\n", 1, shape);
    expect_refused("rank 0=n1 slot=0\n", 1, shape);
    expect_refused("0 n1 0\n2 n1 1\n", 2, "found rank 2, expected rank 1");
    expect_refused("{\"processes\": []}", 0, "the placement has no processes");
    expect_refused("{\n\"processes\": [\n{\"rank\": 0, \"host\": \"n1\"}]}", 3, "host and cores");
    expect_refused("{\n\"processes\": [\n{\"rank\": 1, \"host\": \"n1\", \"cores\": [0]}]}", 3,
                   "expected rank 0");
    expect_refused("{\n\"processes\": [\n{\"rank\": 0, \"host\": \"n1\", \"cores\": [\"x\"]}]}", 3,
                   "expected the number of a core");
    expect_refused("{\n\"processes\": [\n", 3, "");
}

TEST(test_no_file)
{
    mpi_placement placement;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(mpi_placement_read(&placement, "no/such/file", &error), SERVET_ENOTFOUND);
    mpi_placement_finish(&placement);
}
