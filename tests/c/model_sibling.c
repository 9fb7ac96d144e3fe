/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The foreign thread of a core, by what its description says. The sample model: 1 GHz; L1 of 4 KiB,
 * 16 sets of 4 ways, 2 ns; L2 of 64 KiB, 128 sets of 8 ways, 10 ns; memory at 100 ns. So a sibling
 * at work brings a line into L1 every 16 ns, into L2 every 64.
 */
#include "test.h"

#include "sim/simulated_run.h"
#include "sim/sibling.h"
#include "sim/simulated.h"
#include "sample_model.h"

static const double L1_NS = 2, L2_NS = 10, KIB = 1 << 10;
static const double L1_LINES_PER_NS = 1.0 / 16, L2_LINES_PER_NS = 1.0 / 64;
enum { LINE = 64 };

/* --- when it is at work ----------------------------------------------------------------------- */

/* The effects of a sibling over a number of bursts. */
typedef struct history {
    double busy_ns, whole_ns;
    int bursts, longer; /* than the mean of the model */
} history;

static history follow(const srv_model_sibling *model, uint64_t seed, int bursts)
{
    srv_sibling sibling;
    history seen = {0};
    srv_sibling_begin(&sibling, model, seed);
    while (seen.bursts < bursts) {
        double from = sibling.now_ns;
        bool at_work = sibling.at_work;
        srv_sibling_follow(&sibling, sibling.until_ns);
        double ns = sibling.now_ns - from;
        seen.bursts += at_work;
        seen.longer += at_work && ns > model->burst_ms * 1e6;
        seen.busy_ns += at_work ? ns : 0;
        seen.whole_ns += ns;
    }
    assert_float_equal(sibling.worked_ns, seen.busy_ns, 1);
    return seen;
}

/* 20,000 bursts tell the mean length to 0.7 %, the share of time to 1 % of it at most; of
 * exponential times a share of 1/e is longer than the mean, here to 0.0034. Each is one standard
 * deviation. */
TEST(bursts_have_the_given_share_and_length)
{
    static const srv_model_sibling models[] = {{0.13, 5, 2}, {0.6, 5, 2}, {0.01, 0.5, 1}};
    enum { BURSTS = 20000 };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        history seen = follow(&models[i], i, BURSTS);
        double mean_ms = seen.busy_ns / BURSTS * 1e-6;
        assert_float_equal(mean_ms / models[i].burst_ms, 1, 0.03);
        assert_float_equal(seen.busy_ns / seen.whole_ns / models[i].busy, 1, 0.04);
        assert_float_equal((double)seen.longer / BURSTS, exp(-1), 0.015);
    }
}

/* A share of the siblings is active when their time begins. With 2,000 siblings, the standard
 * deviation is 0.011. */
TEST(a_sibling_may_be_active_at_the_beginning)
{
    enum { COUNT = 2000 };
    const srv_model_sibling model = {0.4, 5, 2};
    int at_work = 0;
    for (uint64_t seed = 0; seed < COUNT; seed++) {
        srv_sibling sibling;
        srv_sibling_begin(&sibling, &model, seed);
        at_work += sibling.at_work;
    }
    assert_float_equal((double)at_work / COUNT, 0.4, 0.04);
}

static double until_after(const srv_model_sibling *model, uint64_t seed, uint64_t stirred)
{
    srv_sibling sibling;
    srv_sibling_begin(&sibling, model, seed);
    srv_sibling_stir(&sibling, stirred);
    srv_sibling_follow(&sibling, 1e9);
    return sibling.until_ns;
}

TEST(the_sequence_follows_from_the_seed)
{
    const srv_model_sibling model = {0.4, 5, 2};
    double ns = until_after(&model, 1, 1);
    assert_true(until_after(&model, 1, 1) == ns);
    assert_true(until_after(&model, 2, 1) != ns);
    assert_true(until_after(&model, 1, 2) != ns);
}

/* Caches see nothing of the time that a leap leaves out, and no leap leads back. */
TEST(skipped_time_does_not_change_caches)
{
    const srv_model_sibling model = {0.5, 1e6, 2};
    srv_sibling sibling;
    uint64_t seed = 0;
    do
        srv_sibling_begin(&sibling, &model, seed++);
    while (!sibling.at_work);
    assert_true(sibling.until_ns > 1e6);
    assert_float_equal(srv_sibling_slowdown(&sibling, 100), SRV_SIBLING_SLOWDOWN, 0);
    assert_float_equal(sibling.worked_ns, 100, 1e-9);
    srv_sibling_leap(&sibling, 100, 5000);
    assert_float_equal(sibling.worked_ns, 100, 1e-9);
    assert_float_equal(sibling.now_ns, 5000, 1e-9);
    srv_sibling_slowdown(&sibling, 150);
    assert_float_equal(sibling.worked_ns, 150, 1e-9);
    assert_float_equal(sibling.now_ns, 5050, 1e-9);
    srv_sibling_leap(&sibling, 150, 4000);
    srv_sibling_slowdown(&sibling, 160);
    assert_float_equal(sibling.now_ns, 5060, 1e-9);
}

/* --- what it does to caches ------------------------------------------------------------------- */

/* The sample with siblings whose bursts and pauses are so long that they are one state. */
static srv_model *with_sibling(int levels)
{
    srv_model *model = sample_model();
    model->noise.sibling = (srv_model_sibling){0.5, 1e6, levels};
    model->cache[1].pus_per_instance = 1;
    return model;
}

/* A hierarchy that PU 0 has entered with 64 KiB, its sibling at work or at rest. */
static srv_hierarchy *entered(const srv_model *model, bool at_work)
{
    srv_hierarchy *hierarchy;
    assert_ok(srv_hierarchy_create(&hierarchy, model, NULL));
    srv_hierarchy_flush(hierarchy, 1);
    srv_sibling *sibling = srv_hierarchy_sibling(hierarchy, 0);
    while (sibling && sibling->at_work != at_work)
        srv_hierarchy_set_clock(hierarchy, sibling->until_ns);
    assert_true(!sibling || sibling->until_ns - sibling->now_ns > 1e8);
    srv_address_range range = {.pu = 0, .first = 0, .bytes = 64 * KIB};
    assert_ok(srv_hierarchy_enter(hierarchy, &range, NULL));
    return hierarchy;
}

/* Shares of loads that took (at most) so long, when one line of each of the first `lines` is loaded
 * every `round_ns`, after a first round. */
static double hits(const srv_model *model, bool at_work, int lines, double round_ns, double at_most)
{
    enum { LOADS = 20000 };
    srv_hierarchy *hierarchy = entered(model, at_work);
    int count = 0;
    for (int i = 0; i < LOADS; i++) {
        double now_ns = i * round_ns / lines;
        double ns = srv_hierarchy_load(hierarchy, 0, (uint64_t)(i % lines) * LINE, now_ns);
        count += i >= lines && ns <= at_most;
    }
    srv_hierarchy_destroy(hierarchy);
    return (double)count / (LOADS - lines);
}

/* P(X < k) for X ~ Poisson(mean). */
static double fewer_than(int k, double mean)
{
    double term = exp(-mean), sum = term;
    for (int i = 1; i < k; i++)
        sum += term *= mean / i;
    return sum;
}

/* One line in each set: LRU loses it to the 4th foreign one, of which a set of L1 gets round_ns /
 * 16 / 16 in a round. 20,000 loads tell a share to 0.004. */
TEST(foreign_lines_arrive_at_the_given_rate)
{
    srv_model *model = kept_model(with_sibling(2));
    for (double mean = 1; mean < 8; mean += 2)
        assert_float_equal(
            hits(model, true, 16, mean * 16 / L1_LINES_PER_NS, L1_NS * SRV_SIBLING_SLOWDOWN),
            fewer_than(4, mean), 0.02);
    assert_float_equal(hits(model, false, 16, 1e5, L1_NS), 1, 0);
}

/* The same of the 8 ways of L2; what is found in L1, of one line here, is out of the way. */
TEST(fewer_foreign_lines_arrive_in_the_next_level)
{
    srv_model *model = kept_model(with_sibling(2));
    model->cache[0].bytes = LINE;
    model->cache[0].ways = 1;
    model->placement = SRV_PAGES_COLOURED;
    for (double mean = 2; mean < 16; mean *= 2)
        assert_float_equal(
            hits(model, true, 128, mean * 128 / L2_LINES_PER_NS, L2_NS * SRV_SIBLING_SLOWDOWN),
            fewer_than(8, mean), 0.03);
    model->noise.sibling.levels = 1;
    assert_float_equal(hits(model, true, 128, 1e7, L2_NS * SRV_SIBLING_SLOWDOWN), 1, 0);
}

/* Lines that the sibling evicts from L1 are in the exclusive L2 behind: no load goes to memory
 * again. */
TEST(lines_evicted_by_a_sibling_move_to_an_exclusive_cache)
{
    srv_model *model = kept_model(with_sibling(1));
    model->cache[1].inclusion = SRV_EXCLUSIVE;
    double near = hits(model, true, 16, 8 * 16 / L1_LINES_PER_NS, L1_NS * SRV_SIBLING_SLOWDOWN);
    assert_float_equal(near, fewer_than(4, 8), 0.02);
    assert_float_equal(
        hits(model, true, 16, 8 * 16 / L1_LINES_PER_NS, L2_NS * SRV_SIBLING_SLOWDOWN), 1, 0);
}

TEST(without_a_sibling_a_core_is_quiet)
{
    srv_model *model = kept_model(with_sibling(2));
    model->noise.sibling.busy = 0;
    srv_hierarchy *hierarchy;
    assert_ok(srv_hierarchy_create(&hierarchy, model, NULL));
    assert_null(srv_hierarchy_sibling(hierarchy, 0));
    srv_hierarchy_destroy(hierarchy);
    assert_float_equal(hits(model, true, 64, 1e6, L1_NS), 1, 0);
}

/* --- what traversals see ---------------------------------------------------------------------- */

static srv_timing visit(srv_machine *machine, double bytes, uint64_t seed)
{
    srv_timing timing;
    srv_traversal traversal = {.core = 3,
                               .bytes = bytes,
                               .line_bytes = LINE,
                               .chains = 1,
                               .pages = SERVET_PAGES_BASE,
                               .seed = seed,
                               .seconds = 4e-3};
    assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
    return timing;
}

static srv_machine *machine_with(double busy, double burst_ms)
{
    srv_model *model = with_sibling(2);
    model->noise.sibling.busy = busy;
    model->noise.sibling.burst_ms = burst_ms;
    return machine_of_model(model);
}

/*
 * The sibling works for a quarter of the time, in bursts much longer than a visit: that share of
 * the visits is slow. 400 visits see some 40 bursts, which give the share to 0.04. A quarter of L1
 * has four ways for its one line a set and is visited every 45 ns: a foreign line enters every 6th
 * of 16 sets, and four enter one in 30,000. All of L1 loses a line with each foreign one, and then
 * loads take so long that most are lost: between half and all of the loads go to L2. A visit during
 * which a burst begins or ends may lie between.
 */
TEST(visits_are_slow_while_a_sibling_is_active)
{
    enum { VISITS = 400 };
    const double quick = L1_NS * 1.1, half = (L1_NS + L2_NS) / 2 * SRV_SIBLING_SLOWDOWN;
    int slow = 0, lost = 0, between = 0;
    srv_machine *machine = machine_with(0.25, 20);
    for (uint64_t i = 0; i < VISITS; i++) {
        srv_spread quarter = visit(machine, KIB, i).spread, all = visit(machine, 4 * KIB, i).spread;
        assert_true(quarter.low > L1_NS * 0.999);
        assert_true(quarter.high < L1_NS * SRV_SIBLING_SLOWDOWN * 1.001);
        assert_true(all.low > L1_NS * 0.999 && all.high <= L2_NS * SRV_SIBLING_SLOWDOWN);
        slow += quarter.median > quick;
        lost += all.median > half;
        between += all.median > quick && all.median <= half;
    }
    assert_float_equal((double)slow / VISITS, 0.25, 0.1);
    assert_float_equal((double)lost / VISITS, 0.25, 0.1);
    assert_true(between < VISITS / 50);
}

/* Says of a run what its first and its last sample say. */
TEST(a_simulated_run_reports_whether_it_was_disturbed)
{
    const srv_traversal traversal = {
        .bytes = KIB, .line_bytes = LINE, .chains = 1, .seconds = 1e-3};
    srv_model *model = kept_model(with_sibling(1));
    srv_hierarchy *hierarchy;
    int slow = 0;
    model->noise.sibling.burst_ms = 1;
    assert_ok(srv_hierarchy_create(&hierarchy, model, NULL));
    for (uint64_t i = 0; i < 40; i++) {
        srv_simulated_run run = {.seconds = traversal.seconds};
        srv_hierarchy_flush(hierarchy, i);
        srv_hierarchy_set_clock(hierarchy, (double)i * 5e6);
        assert_int_equal(
            srv_simulated_traversal_start(&run.traversal, hierarchy, model, 0, &traversal, 1, NULL),
            0);
        srv_simulated_runs_execute(&run, 1);
        double ends = fmax(run.sample_ns[0], run.sample_ns[run.sample_count - 1]);
        bool seen = ends > L1_NS * 1.2;
        slow += seen;
        assert_true(run.others == seen);
        srv_simulated_traversal_finish(&run.traversal);
    }
    assert_in_range(slow, 8, 36);
    srv_hierarchy_destroy(hierarchy);
}

TEST(equal_probes_have_equal_answers)
{
    srv_machine *one = machine_with(0.5, 5), *two = machine_with(0.5, 5),
                *other = machine_with(0.5, 5);
    bool alike = true;
    for (uint64_t i = 0; i < 50; i++) {
        double ns = visit(one, 4 * KIB, i).mean;
        assert_true(visit(two, 4 * KIB, i).mean == ns);
        alike = alike && visit(other, 4 * KIB, i + 1000).mean == ns;
    }
    assert_false(alike);
}

/* A thread that spins gets 1/1.4 of what it would while the sibling works: 1,000 s of bursts of 5
 * ms tell the share to 0.3 % of it. */
TEST(a_spinning_thread_loses_its_share)
{
    static const double busy[] = {0, 0.13, 0.6};
    srv_noise noise;
    for (size_t i = 0; i < sizeof busy / sizeof *busy; i++) {
        srv_machine *machine = machine_with(busy[i], 5);
        assert_ok(machine->ops->noise(machine, 3, 1000, &noise, NULL));
        assert_float_equal(noise.lost, busy[i] * (1 - 1 / SRV_SIBLING_SLOWDOWN), 0.003);
        assert_float_equal(noise.steal, 0, 0);
    }
}
