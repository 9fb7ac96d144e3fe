/* SPDX-License-Identifier: BSD-3-Clause */
/* A chase beside generators on this machine. Interference makes them slower, never faster. */
#include "test.h"

#include <math.h>

#include "two_cores.h"

/* An array of 32 MiB, roughly. */
enum { LINE = 64, BURSTS = (32 << 20) / (SRV_BURST_LINES * LINE) };

static srv_load_request request_of(int count, int modified, double pause_ns)
{
    return (srv_load_request){.chase = {.core = cores[0],
                                        .bytes = 32.0 * (1 << 20),
                                        .pattern = SRV_PATTERN_LINES,
                                        .line_bytes = LINE,
                                        .chains = 1,
                                        .pages = SERVET_PAGES_HUGE,
                                        .seed = 1,
                                        .seconds = 2e-3},
                              .cores = &cores[1],
                              .count = count,
                              .bytes = (double)BURSTS * SRV_BURST_LINES * LINE,
                              .modified = modified,
                              .pause_ns = pause_ns};
}

static srv_load_answer answer_of(int count, int modified, double pause_ns)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_load_answer answer;
    srv_load_request request = request_of(count, modified, pause_ns);
    if (machine->ops->load(machine, &request, &answer, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    return answer;
}

TEST(a_chase_alone_has_no_generators)
{
    srv_load_answer answer = answer_of(0, 0, 0);
    assert_true(answer.chase.spread.median > 0 && answer.chase.spread.n >= 9);
    assert_int_equal(answer.rate.n, 0);
    assert_true(answer.rate.median == 0);
}

/* The least bandwidth of three measurements: others may slow down the additions by which a pause is
 * calibrated, which makes it too short. */
static double least_rate(int modified, double pause_ns)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++)
        least = fmin(least, answer_of(1, modified, pause_ns).rate.median);
    return least;
}

/* A generator moves no more than a burst, or twice that where all lines are written back, in the
 * time of its pause. The pause is calibrated by the fastest additions, which take a cycle each. */
TEST(pauses_limit_the_bandwidth)
{
    if (core_count < 2)
        test_skip("one core may be used");
    const double pause_ns = 20e3, bytes = SRV_BURST_LINES * LINE, most = bytes / pause_ns * 1e9;
    srv_load_answer busy = answer_of(1, 0, 0);
    double idle = least_rate(0, pause_ns), modifying = least_rate(1, pause_ns);
    assert_true(busy.rate.n >= 9 && busy.rate.median > 0);
    assert_true(idle > 0 && idle < 1.2 * most);
    assert_true(modifying > 0 && modifying < 1.2 * 2 * most);
}

static void is_refused(const srv_load_request *request, int code)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_load_answer answer;
    assert_int_equal(machine->ops->load(machine, request, &answer, &error), code);
    assert_string_not_equal(error.text, "");
}

TEST(senseless_requests_are_refused)
{
    srv_load_request request = request_of(1, 5, 0);
    is_refused(&request, SERVET_EARGUMENT); /* five is no divisor of twelve */
    request = request_of(1, 0, -1);
    is_refused(&request, SERVET_EARGUMENT);
    request = request_of(1, 0, 0);
    request.cores = &cores[0];
    is_refused(&request, SERVET_EARGUMENT);
    request.bytes = LINE;
    is_refused(&request, SERVET_EARGUMENT);
    request = request_of(1, 0, 0);
    request.bytes = 1e15;
    is_refused(&request, SERVET_EMEMORY);
    request = request_of(0, 0, 0);
    request.chase.chains = 2;
    is_refused(&request, SERVET_EARGUMENT);
}

TEST_GROUP(two_cores_begin, two_cores_end)
