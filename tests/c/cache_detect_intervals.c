/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how often intervals of capacities contain the truth, and how often results of a given
 * confidence are right: on curves that follow the model, on curves that do not, and on recorded
 * ones. */
#include "test.h"

#include "series.h"
#include "servet/analyze.h"

#define KIB 1024.0

typedef struct interval_count {
    int truths, held;
    int said, right; /* with a confidence of 90 % or more */
    double octaves;  /* sum of the widths */
} interval_count;

/* The level nearest to the truth, if one is within a factor of two. */
static const servet_cache_level *nearest(const servet_cache_analysis *found, double truth)
{
    const servet_cache_level *best = NULL;
    double least = 1;
    for (int i = 0; i < found->level_count; i++) {
        double apart = fabs(log2(found->level[i].bytes.value / truth));
        if (apart <= least) {
            least = apart;
            best = &found->level[i];
        }
    }
    return best;
}

static bool holds(const servet_value *bytes, double truth)
{
    return bytes->low <= truth * 1.001 && bytes->high >= truth * 0.999;
}

static void count(const servet_cache_analysis *found, double truth, interval_count *tally)
{
    const servet_cache_level *level = nearest(found, truth);
    if (!level)
        return;
    tally->truths++;
    tally->held += holds(&level->bytes, truth);
    tally->octaves += log2(level->bytes.high / level->bytes.low);
    if (level->confidence < 0.9)
        return;
    tally->said++;
    tally->right += fabs(level->bytes.value / truth - 1) <= 0.1;
}

static void enough(const char *name, const interval_count *tally)
{
    print_message(
        "# %s: %d of %d intervals hold, mean width %.2f; %d of %d said with 90 %% are right\n",
        name, tally->held, tally->truths, exp2(tally->octaves / tally->truths), tally->right,
        tally->said);
    assert_true(tally->held >= 0.93 * tally->truths);
    assert_true(tally->right >= 0.88 * tally->said);
}

static servet_cache_analysis analyze(const servet_curve *lines, const servet_curve *pages)
{
    servet_cache_analysis found;
    servet_cache_evidence evidence = {
        .lines = lines, .pages = pages, .page_bytes = 4096, .line_bytes = 64};
    assert_ok(servet_analyze_cache(&evidence, &found, NULL));
    return found;
}

/* The latencies of a curve as they were seen, from its first point (place 0) to its last one (1).
 */
typedef double (*disturbance)(double latency, double place, uint64_t *state);

/* One point in twenty saw an interruption. */
static double interrupt(double latency, double place, uint64_t *state)
{
    (void)place;
    bool hit = series_uniform(state) < 0.05;
    return latency * (hit ? 1 - 0.7 * log(1 - series_uniform(state)) : 1);
}

/* The clock of a sample of some loads has a step of a twentieth of a first load. */
static double round_to_steps(double latency, double place, uint64_t *state)
{
    (void)place, (void)state;
    return fmax(0.05, 0.05 * rint(latency / 0.05));
}

/* The core becomes slower while the curve is measured. */
static double slow_down(double latency, double place, uint64_t *state)
{
    (void)state;
    return latency * (1 + 0.1 * place);
}

/* Every third stretch of the curve was measured on a core that takes a tenth longer. */
static double alternate(double latency, double place, uint64_t *state)
{
    (void)state;
    return latency * (fmod(place * 9, 3) < 1 ? 1.1 : 1);
}

/* `bend` moves knees: a point of the curve shows the value of a size up to `bend` octaves away. */
static void count_machines(int per_octave, double bend, disturbance disturb, interval_count *tally)
{
    for (uint64_t seed = 1; seed <= test_cases(1, 48); seed++) {
        series_spec spec = series_random(seed);
        if (per_octave > 0)
            spec.per_octave = per_octave;
        uint64_t state = seed + 1000;
        double phase = 6.28 * series_uniform(&state);
        servet_curve curve = series_make(&spec);
        for (size_t i = 0; bend > 0 && i < curve.n; i++)
            curve.latency[i] = series_latency(
                &spec, curve.bytes[i] * exp2(bend * sin(phase + 2.5 * log2(curve.bytes[i]))));
        for (size_t i = 0; disturb && i < curve.n; i++)
            curve.latency[i] = disturb(curve.latency[i], (double)i / (double)(curve.n - 1), &state);
        servet_cache_analysis found = analyze(&curve, NULL);
        for (const series_level *truth = spec.level; truth->bytes > 0; truth++)
            count(&found, truth->bytes, tally);
    }
}

/* The model is right, knees are bent, or points are disturbed. */
TEST(intervals_hold_on_models)
{
    static const struct {
        const char *name;
        int per_octave;
        double bend;
        disturbance disturb;
    } kinds[] = {
        {"2 to 16 points per octave", 0, 0, NULL},   {"powers of two", 1, 0, NULL},
        {"knees bent by 0.1 octaves", 0, 0.1, NULL}, {"interrupted", 0, 0, interrupt},
        {"a coarse clock", 0, 0, round_to_steps},    {"a core that slows down", 0, 0, slow_down},
        {"a core of two paces", 0, 0, alternate}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        interval_count tally = {0};
        count_machines(kinds[i].per_octave, kinds[i].bend, kinds[i].disturb, &tally);
        enough(kinds[i].name, &tally);
    }
}

/* Guests on shared machines, whose siblings take part of L1 and L2: what their data sheets say. */
static const struct {
    const char *name;
    int runs;
    double l1, l2;
} machines[] = {{"zen4", 3, 32 * KIB, 1024 * KIB}, {"milan", 5, 32 * KIB, 512 * KIB}};

TEST_KEEPS_VALUE(servet_curve, servet_curve_free)

static servet_curve recorded(const char *name, int run, const char *series)
{
    char path[4096];
    servet_curve curve = SERVET_CURVE_INIT;
    snprintf(path, sizeof path, "%s/tests/data/curves/%s-%d-%s.csv", getenv("SOURCE_ROOT"), name,
             run, series);
    assert_ok(servet_curve_read(path, &curve, NULL));
    return keep_servet_curve(curve);
}

TEST(intervals_hold_on_recorded_machines)
{
    interval_count tally = {0};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (int run = 1; run <= (int)test_cases(1, (size_t)machines[i].runs); run++) {
            servet_curve lines = recorded(machines[i].name, run, "lines"),
                         pages = recorded(machines[i].name, run, "pages");
            servet_cache_analysis found = analyze(&lines, &pages);
            assert_non_null(nearest(&found, machines[i].l1));
            assert_non_null(nearest(&found, machines[i].l2));
            count(&found, machines[i].l1, &tally);
            count(&found, machines[i].l2, &tally);
        }
    enough("recorded", &tally);
}
