/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits of synchronizing operations, on a machine whose times follow from the probes. */
#include "test.h"

#include "core/error.h"
#include "facts/sync/benchmark.h"

/* 10 ns for each thread and visit so far, 10 ms for each probe. */
typedef struct fake {
    srv_machine machine;
    int probes, hints;
    bool breaks; /* with the fifth probe */
} fake;

static const int cores[] = {4, 5, 6};

static int synchronize(srv_machine *machine, const srv_sync *sync, srv_spread *ns,
                       servet_error *error)
{
    fake *on = (fake *)machine;
    double answer = 10 * sync->count + on->probes;
    assert_ptr_equal(sync->cores, cores);
    assert_true(sync->seconds > 0);
    on->probes++;
    on->hints += sync->op == SERVET_SYNC_PAUSE;
    if (on->breaks && on->probes == 5)
        return srv_fail(error, SERVET_EMACHINE, "broken");
    if (sync->op == SERVET_SYNC_PAUSE)
        return srv_fail(error, SERVET_EUNSUPPORTED, "no hint");
    if (sync->op == SERVET_SYNC_CAS) /* never at once */
        answer = NAN;
    *ns = (srv_spread){answer, answer, answer, answer, isnan(answer) ? 0 : 9};
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return 10e-3 * ((fake *)machine)->probes;
}

enum { POINTS = 4 };

static int visit(fake *on, double deadline, srv_sync_point points[POINTS], servet_error *error)
{
    static const srv_machine_ops ops = {.synchronize = synchronize, .elapsed = elapsed};
    static const servet_sync_op order[POINTS] = {SERVET_SYNC_ADD, SERVET_SYNC_CAS,
                                                 SERVET_SYNC_CENTRAL, SERVET_SYNC_PAUSE};
    on->machine.ops = &ops;
    for (int i = 0; i < POINTS; i++)
        points[i] = (srv_sync_point){.op = order[i], .cores = cores, .count = i < 3 ? i + 1 : 1};
    srv_sampler sampler = {.machine = &on->machine, .deadline.at = deadline};
    return srv_bench_sync(&sampler, points, POINTS, error);
}

/* Round after round: the last point is visited before the first one is again. Cores that never met
 * have no time, and what a machine lacks is probed once. */
TEST(visits_are_spread_over_the_time)
{
    fake on = {.probes = 0};
    srv_sync_point points[POINTS];
    assert_ok(visit(&on, 0, points, NULL));
    assert_int_equal(points[0].visits, SRV_RANKS_MIN);
    assert_int_equal(points[1].visits, 0);
    assert_int_equal(points[2].visits, SRV_RANKS_MIN);
    assert_int_equal(points[3].visits, 0);
    assert_int_equal(on.hints, 1);
    assert_true(points[2].visit[0].moment < points[0].visit[1].moment);
    assert_true(points[0].visit[0].value == 10 && points[2].visit[0].value == 32);
}

/* 25 ms have room for two probes: the third would end too late. */
TEST(the_deadline_leaves_out_the_rest)
{
    fake on = {.probes = 0};
    srv_sync_point points[POINTS];
    assert_ok(visit(&on, 25e-3, points, NULL));
    assert_int_equal(on.probes, 2);
    assert_int_equal(points[0].visits, 1);
    assert_int_equal(points[2].visits, 0);
}

TEST(errors_of_the_machine_end_it)
{
    fake on = {.breaks = true};
    srv_sync_point points[POINTS];
    servet_error error = SERVET_ERROR_INIT;
    assert_code(visit(&on, 0, points, &error), SERVET_EMACHINE);
    assert_string_equal(error.text, "broken");
    assert_int_equal(on.probes, 5);
}
