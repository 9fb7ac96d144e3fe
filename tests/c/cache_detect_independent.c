/* SPDX-License-Identifier: BSD-3-Clause */
/* Independent loads on simulated caches: every replacement policy gives the same capacity. */
#include "test.h"

#include "facts/cache/benchmark_curve.h"
#include "facts/cache/detect_parts.h"
#include "stats/visits.h"
#include "sim/simulated.h"
#include "sample_model.h"
#include "servet/analyze.h"

static const double KIB = 1 << 10;

/* 16 KiB and 256 KiB in 4 and 8 ways, base pages at random. */
static srv_machine *machine_with(srv_replacement replacement)
{
    srv_model *model = sample_model();
    srv_machine *machine;
    model->cache[0].bytes = 16 * KIB;
    model->cache[1].bytes = 256 * KIB;
    for (int i = 0; i < model->cache_count; i++)
        model->cache[i].replacement = replacement;
    assert_ok(srv_simulated_from(&machine, model, NULL));
    return machine;
}

static servet_cache_analysis analysis_of(srv_machine *machine)
{
    srv_curve_plan plan = {
        .traversal = {.core = 3, .line_bytes = 64, .chains = 1, .pages = SERVET_PAGES_BASE},
        .min_bytes = 4 * KIB,
        .max_bytes = 4096 * KIB,
        .granule = 64,
        .points_per_octave = 4,
        .refinements = 1,
        .seed = 2010,
        .sampler.machine = machine};
    srv_visits visits = {0};
    servet_curve independent;
    srv_series lines;
    servet_cache_analysis analysis;
    double huge_share;
    plan.traversal.pattern = SRV_PATTERN_RANDOM;
    assert_ok(srv_bench_visits(&plan, &visits, &huge_share, NULL));
    assert_ok(srv_visits_curve(&visits, &independent, NULL));
    plan.traversal.pattern = SRV_PATTERN_LINES;
    plan.points_per_octave = 2;
    plan.rounds = 1;
    plan.refinements = 0;
    assert_ok(srv_bench_curve(&plan, &lines, NULL));
    servet_cache_evidence evidence = {
        .lines = &lines.curve, .independent = &independent, .page_bytes = 4096, .line_bytes = 64};
    assert_ok(servet_analyze_cache(&evidence, &analysis, NULL));
    srv_series_free(&lines);
    servet_curve_free(&independent);
    srv_visits_free(&visits);
    return analysis;
}

TEST(the_policy_does_not_matter)
{
    const size_t all = SRV_REPLACEMENT_COUNT;
    for (size_t replacement = 0; replacement < test_cases(all, all); replacement++) {
        srv_machine *machine = machine_with((srv_replacement)replacement);
        servet_cache_analysis analysis = analysis_of(machine);
        srv_machine_destroy(machine);
        assert_int_equal(analysis.level_count, 2);
        assert_float_equal(analysis.level[0].reachable_bytes / (16 * KIB), 1, 0.04);
        assert_float_equal(analysis.level[1].reachable_bytes / (256 * KIB), 1, 0.08);
        for (int i = 0; i < 2; i++) {
            double truth = i ? 256 * KIB : 16 * KIB;
            assert_float_equal(analysis.level[i].bytes.value, truth, 0);
            assert_true(analysis.level[i].bytes.low <= truth &&
                        truth <= analysis.level[i].bytes.high);
        }
        assert_float_equal(1e9 * analysis.level[0].latency.value, 2, 0.1);
        assert_float_equal(1e9 * analysis.level[1].latency.value, 10, 0.5);
        assert_float_equal(1e9 * analysis.memory_latency.value, 100, 5);
    }
}

/* The rows of a file; its other lines are comments and a header. */
static void read_visits(const char *path, srv_visits *visits)
{
    char line[256];
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        srv_visit visit = {0};
        if (sscanf(line, "%lf,%d,%*d,%lf,%lf,%lf,%lf,%lf", &visit.bytes, &visit.placement,
                   &visit.seconds, &visit.ns, &visit.error, &visit.busy, &visit.ghz) == 7)
            assert_ok(srv_visits_add(visits, &visit, NULL));
    }
    fclose(stream);
    assert_ok(srv_visits_verify(visits, NULL));
}

static void data_file(char path[512], const char *name)
{
    snprintf(path, 512, "%s/tests/data/visits/zen3-guest-%s.csv", getenv("SOURCE_ROOT"), name);
}

/* Hardly a fifth of the visits was quiet there; the chase's curves gave 256 to 384 KiB in most
 * runs. */
TEST(a_guest_with_a_busy_sibling_is_detected)
{
    const char *runs[] = {"1", "2", "3"};
    const double truth[] = {32 * KIB, 512 * KIB};
    const size_t all = sizeof runs / sizeof *runs;
    for (size_t r = 0; r < test_cases(all, all); r++) {
        char path[512];
        srv_visits visits = {0};
        servet_curve lines, independent;
        servet_cache_analysis analysis;
        data_file(path, runs[r]);
        read_visits(path, &visits);
        assert_true(srv_visits_quiet(&visits) < visits.count / 4);
        assert_ok(srv_visits_curve(&visits, &independent, NULL));
        data_file(path, "lines");
        assert_ok(servet_curve_read(path, &lines, NULL));
        servet_cache_evidence evidence = {
            .lines = &lines, .independent = &independent, .page_bytes = 4096, .line_bytes = 64};
        assert_ok(servet_analyze_cache(&evidence, &analysis, NULL));
        assert_true(analysis.level_count >= 2);
        for (int i = 0; i < 2; i++) {
            const servet_value *bytes = &analysis.level[i].bytes;
            assert_float_equal(bytes->value, truth[i], 0);
            assert_true(bytes->low <= truth[i] && truth[i] <= bytes->high);
        }
        servet_curve_free(&lines);
        servet_curve_free(&independent);
        srv_visits_free(&visits);
    }
}

/* The time of the generator is subtracted from each load; it is at most the difference of the
 * fastest loads. */
TEST(the_time_of_choosing_a_line_is_subtracted)
{
    double bytes[] = {1024, 2048, 4096, 8192}, chase[] = {1, 1, 3, 4}, own[] = {1.5, 1.6, 3.5, 4.5};
    double low[] = {0.4, 1.5, 3.4, 4.4}, high[] = {1.6, 1.7, 3.6, 4.6};
    servet_curve lines = {4, bytes, chase, NULL, NULL, SERVET_UNIT_CYCLE};
    servet_curve independent = {4, bytes, own, low, high, SERVET_UNIT_CYCLE}, plain;
    servet_cache_evidence evidence = {.lines = &lines, .independent = &independent};
    assert_ok(srv_independent_plain(&evidence, &plain, NULL));
    assert_int_equal(plain.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_float_equal(plain.bytes[i], bytes[i], 0);
        assert_float_equal(plain.latency[i], own[i] - 0.5, 1e-12);
        assert_true(plain.low[i] > 0 && plain.low[i] <= plain.latency[i] &&
                    plain.latency[i] <= plain.high[i]);
    }
    servet_curve_free(&plain);
}

TEST(a_broken_curve_is_refused)
{
    double bytes[] = {1024, 2048, 4096, 8192}, ns[] = {1, 1, 3, 4}, wrong[] = {1, 1, NAN, 4};
    servet_curve lines = {4, bytes, ns, NULL, NULL, SERVET_UNIT_CYCLE};
    servet_curve independent = {4, bytes, wrong, NULL, NULL, SERVET_UNIT_CYCLE};
    servet_cache_evidence evidence = {.lines = &lines, .independent = &independent};
    servet_cache_analysis analysis;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(servet_analyze_cache(&evidence, &analysis, &error), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "independent"));
}

/* --- translation beside prefetched lines ------------------------------------------------------ */

enum { POINTS_MAX = 64 };

/* The time of independent loads of `bytes`: the caches, and TLBs that hold 1 - C / S of the pages.
 */
static double caches_ns(double bytes, double last)
{
    return 1.6 + 6.4 * fmax(0, 1 - 32 * KIB / bytes) + 16 * fmax(0, 1 - 1280 * KIB / bytes) +
           46 * fmax(0, 1 - last / bytes);
}

static const double REACH[] = {384 * KIB, 8192 * KIB}, WALK_NS[] = {3.6, 10};

static double loads_ns(double bytes, double last)
{
    double ns = caches_ns(bytes, last);
    for (int i = 0; i < 2; i++)
        ns += WALK_NS[i] * fmax(0, 1 - REACH[i] / bytes);
    return ns;
}

/* One line in each page, in a cycle: no TLB holds what exceeds it, and each line brings
 * `neighbours` others. */
static double pages_ns(double bytes, double last, double neighbours)
{
    double ns = caches_ns((1 + neighbours) * bytes / 64, last);
    for (int i = 0; i < 2; i++)
        ns += bytes > REACH[i] ? WALK_NS[i] : 0;
    return ns;
}

typedef struct made_curve {
    double bytes[POINTS_MAX], seconds[POINTS_MAX];
} made_curve;

static servet_curve curve_of(made_curve *made, double from, double last, double neighbours)
{
    size_t n = 0;
    for (double bytes = from; bytes <= 65536 * KIB; bytes *= exp2(0.25), n++) {
        made->bytes[n] = bytes;
        made->seconds[n] =
            1e-9 * (neighbours < 0 ? loads_ns(bytes, last) : pages_ns(bytes, last, neighbours));
    }
    return (servet_curve){n, made->bytes, made->seconds, NULL, NULL, SERVET_UNIT_SECOND};
}

static servet_cache_analysis beside_translation(double last, double neighbours)
{
    static made_curve all, some;
    servet_curve lines = curve_of(&all, 4 * KIB, last, -1);
    servet_curve pages = curve_of(&some, 64 * KIB, last, neighbours);
    servet_cache_evidence evidence = {.lines = &lines,
                                      .independent = &lines,
                                      .pages = &pages,
                                      .page_bytes = 4096,
                                      .line_bytes = 64};
    servet_cache_analysis analysis;
    assert_ok(servet_analyze_cache(&evidence, &analysis, NULL));
    return analysis;
}

/* Beside a TLB of 8 MiB reach a last level of 4 MiB and memory are themselves, also where
 * prefetchers make lines of different pages evict each other: that is no third TLB. */
TEST(prefetched_lines_are_no_translation)
{
    for (int neighbours = 0; neighbours <= 2; neighbours++) {
        servet_cache_analysis analysis = beside_translation(4096 * KIB, neighbours);
        assert_int_equal(analysis.tlb_count, 2);
        assert_int_equal(analysis.level_count, 3);
        assert_float_equal(analysis.level[2].bytes.value, 4096 * KIB, 0);
        assert_float_equal(1e9 * analysis.level[2].latency.value, 24, 1.5);
        assert_float_equal(1e9 * analysis.memory_latency.value, 70, 4);
    }
}

/* --- plateaus that hardly show ---------------------------------------------------------------- */

/* Up to such a share either way, the same for the same number. */
static double disturbed(double ns, double share, uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ns * (1 + share * (2 * (double)(*state >> 11) * 0x1p-53 - 1));
}

/* Share of independent loads that miss. */
typedef double misses(double bytes, double capacity);

static double misses_of_even(double bytes, double capacity)
{
    return fmax(0, 1 - capacity / bytes);
}

/* Pages at random, by Poisson's law: some colours have more pages than others. */
static double misses_of_uneven(double bytes, double capacity)
{
    enum { HELD = 8, MOST = 2000 };
    double mean = HELD * bytes / capacity, chance = exp(-mean), lost = 0;
    for (int pages = 1; pages < MOST; pages++) {
        chance *= mean / pages;
        lost += pages > HELD ? (pages - HELD) * chance : 0;
    }
    return lost / mean;
}

/* Three caches, the first of 64 KiB, and memory. */
typedef struct three {
    double second, third; /* bytes */
    double ns[4];
    misses *share;
    double noise;
} three;

static const double NS[] = {2, 8, 35, 118};

static servet_cache_analysis analyze_three(const three *of, uint64_t chance)
{
    static made_curve made;
    size_t n = 0;
    for (double bytes = 4 * KIB; bytes <= 65536 * KIB; bytes *= exp2(0.25), n++) {
        double ns = of->ns[0] + (of->ns[1] - of->ns[0]) * misses_of_even(bytes, 64 * KIB) +
                    (of->ns[2] - of->ns[1]) * of->share(bytes, of->second) +
                    (of->ns[3] - of->ns[2]) * of->share(bytes, of->third);
        made.bytes[n] = bytes;
        made.seconds[n] = 1e-9 * disturbed(ns, of->noise, &chance);
    }
    servet_curve curve = {n, made.bytes, made.seconds, NULL, NULL, SERVET_UNIT_SECOND};
    servet_cache_evidence evidence = {
        .lines = &curve, .independent = &curve, .page_bytes = 4096, .line_bytes = 64};
    servet_cache_analysis analysis;
    assert_ok(servet_analyze_cache(&evidence, &analysis, NULL));
    return analysis;
}

static servet_cache_analysis three_caches(double second, double third, uint64_t chance)
{
    three even = {second, third, {NS[0], NS[1], NS[2], NS[3]}, misses_of_even, 0.05};
    return analyze_three(&even, chance);
}

/* Within 2 %, which no plateau is that little of the curve belongs to. */
static bool holds(const servet_value *value, double truth)
{
    return !value->trusted || (0.98 * value->low <= truth && truth <= 1.02 * value->high);
}

/* A third level of twice the second: the plateau between them is what the capacities leave. */
TEST(intervals_of_latencies_allow_for_other_capacities)
{
    const size_t count = test_cases(20, 20);
    size_t held = 0, seen = 0;
    for (uint64_t chance = 1; chance <= count; chance++) {
        servet_cache_analysis analysis = three_caches(2048 * KIB, 4096 * KIB, chance);
        if (analysis.level_count != 3)
            continue;
        seen++;
        held += holds(&analysis.level[2].latency, 35e-9) && holds(&analysis.memory_latency, 118e-9);
    }
    if (seen < count / 2 || (double)held < 0.9 * (double)seen)
        fail_msg("%zu of %zu intervals hold the latencies", held, seen);
}

/* A third level of three times the second, while colours fill unevenly: nowhere is there a plateau,
 * and the fit of even ones begins too early. */
TEST(a_latency_without_a_plateau_has_a_wide_interval)
{
    three uneven = {1024 * KIB, 3072 * KIB, {1.3, 6.5, 20.4, 73}, misses_of_uneven, 0.005};
    for (uint64_t chance = 1; chance <= test_cases(10, 10); chance++) {
        servet_cache_analysis analysis = analyze_three(&uneven, chance);
        const servet_value *latency = &analysis.level[2].latency;
        assert_int_equal(analysis.level_count, 3);
        assert_true(latency->low <= 20.4e-9 && 20.4e-9 <= latency->high);
    }
}

/* Behind 2 MiB, 5.5 MiB may be 4 MiB that keep most of what leaves those; behind 256 KiB not. */
TEST(an_exclusive_cache_may_show_as_a_sum)
{
    servet_cache_analysis sum = three_caches(2048 * KIB, 5632 * KIB, 1);
    assert_int_equal(sum.level_count, 3);
    assert_true(sum.level[2].bytes.low <= 4096 * KIB && 5632 * KIB <= sum.level[2].bytes.high);
    assert_false(sum.level[2].bytes.trusted);
    servet_cache_analysis one = three_caches(256 * KIB, 5632 * KIB, 1);
    assert_int_equal(one.level_count, 3);
    assert_true(one.level[2].bytes.low > 4608 * KIB);
}
