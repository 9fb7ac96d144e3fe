/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded latencies of shipped models, worked out by hand from their tables: loads wait in front of
 * a controller like customers of a queue with one server, so that the latency at a share u of its
 * bandwidth is L + u s / (2 (1 - u)), where s is the time in which it serves a line, and
 * bandwidth over latency is largest where (1 - u) / u = sqrt(s / (2 L)).
 */
#include "facts/stages.h"
#include "test.h"

#include "known_node.h"
#include "sim/simulated.h"

typedef struct truth {
    const char *model;
    int curve;      /* number in the list, from 1 */
    int from, node; /* numbers of the OS */
    int reads, writes, generators;
    double unloaded; /* ns, translation included */
    double limit;    /* GB/s of the controller */
    double best;     /* GB/s */
    bool reached;    /* the knee */
} truth;

static const truth truths[] = {
    /* One core moves 3 of 4.2 GB/s, and the knee is at 3.4. The TLB costs 30 cycles at 3.2 GHz. */
    {"dempsey", 1, 0, 0, 1, 0, 1, 120 + 30 / 3.2, 4.2, 3, false},
    {"dempsey", 4, 0, 0, 1, 1, 1, 120 + 30 / 3.2, 4.2, 3, false},
    /* Three cores of 4.8 GB/s each load a bus of 5.4. */
    {"kentsfield", 1, 0, 0, 1, 0, 3, 75 + 11 / 2.4, 5.4, 5.4, true},
    {"kentsfield", 2, 0, 0, 3, 1, 3, 75 + 11 / 2.4, 5.4, 5.4, true},
    {"kentsfield", 3, 0, 0, 2, 1, 3, 75 + 11 / 2.4, 5.4, 5.4, true},
    /* Huge pages: all are in the TLB. */
    {"altra-q80", 1, 0, 0, 1, 0, 79, 115, 175, 175, true},
    /* Two nodes: four curves of their own memory each, then both ways between them. */
    {"nehalem-2s", 9, 0, 1, 1, 0, 4, 106 + 37 / 2.933, 23, 23, true},
    {"nehalem-2s", 10, 1, 0, 1, 0, 4, 106 + 37 / 2.933, 23, 23, true},
};

static void is_near(const truth *of, const char *what, double value, double expected, double share)
{
    if (!(fabs(value / expected - 1) <= share))
        fail_msg("%s, curve %d: %s is %g, not %g", of->model, of->curve, what, value, expected);
}

/* ns at a bandwidth in GB/s. */
static double latency_at(const truth *of, double bandwidth)
{
    double u = bandwidth / of->limit;
    return of->unloaded + u * 64 / of->limit / (2 * (1 - u));
}

/* A cache answers up to 3 % of the loads, and between points lines are straight. */
static void values_are(const servet_loaded *curve, const truth *of)
{
    is_near(of, "unloaded", curve->unloaded.value * 1e9, of->unloaded, 0.03);
    is_near(of, "best", curve->best.value * 1e-9, of->best, 0.001);
    is_near(of, "at 50 %", curve->at_50.value * 1e9, latency_at(of, 0.5 * of->best), 0.03);
    is_near(of, "at 80 %", curve->at_80.value * 1e9, latency_at(of, 0.8 * of->best), 0.03);
    is_near(of, "at 95 %", curve->at_95.value * 1e9, latency_at(of, 0.95 * of->best), 0.03);
    assert_true(curve->unloaded.trusted);
    assert_true(curve->best.trusted == of->reached && curve->at_95.trusted == of->reached);
}

static void knee_is(const servet_loaded *curve, const truth *of)
{
    double knee = of->limit / (1 + sqrt(64 / of->limit / (2 * of->unloaded)));
    assert_true(servet_value_known(&curve->knee) == of->reached);
    if (!of->reached)
        return;
    is_near(of, "knee", curve->knee.value * 1e-9, knee, 0.07);
    if (!(curve->knee.low * 1e-9 <= knee && knee <= curve->knee.high * 1e-9))
        fail_msg("%s: a knee of %g is not in %g to %g", of->model, knee, curve->knee.low * 1e-9,
                 curve->knee.high * 1e-9);
}

static void curve_is(const servet_profile *profile, const truth *of)
{
    servet_loaded curve;
    servet_at at = {"default", SERVET_ANY_CORE};
    assert_ok(servet_profile_item(profile, &at, "loaded", &of->curve, &curve, sizeof curve));
    const int found[] = {curve.from, curve.node, curve.reads, curve.writes, curve.generators};
    const int expected[] = {of->from, of->node, of->reads, of->writes, of->generators};
    assert_memory_equal(found, expected, sizeof found);
    values_are(&curve, of);
    knee_is(&curve, of);
}

TEST(curves_of_the_models_are_found)
{
    known_node node;
    const char *model = "";
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        if (strcmp(truths[i].model, model) != 0) {
            model = truths[i].model;
            node = known_node_kept(model);
            known_node_measure(&node, srv_measure_loaded, 0);
            assert_true(node.machine->ops->elapsed(node.machine) < 15);
        }
        curve_is(node.place.profile, &truths[i]);
    }
}
