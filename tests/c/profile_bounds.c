/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of measured profiles keep the bounds that hold on any hardware
 * (share/doc/dev/references.md): of recorded machines, of models, and of this machine. */
#include "test.h"

#include "recorded_run.h"
#include "servet/keys.h"
#include "servet/measure.h"
#include "servet/profile.h"

enum { TEXT = 512, LEVELS_MAX = 16, NUMBERS_MAX = 128 };

/* The product of `fact` and `other` is no more than `factor` times `most`; N and M are any numbers,
 * N+ and M+ the next ones. Without `other`, or with M in its place, the fact alone, or the bound M
 * times. Intervals may touch. */
typedef struct bound {
    const char *fact, *other, *most;
    double factor;
} bound;

/* Facts are measured at different moments, between which a guest runs up to this much slower. */
#define NEARLY 1.15

static const bound bounds[] = {
    {"caches.N.latency_ns", NULL, "caches.N+.latency_ns", 1},
    {"caches.N.latency_ns", NULL, "memory.latency_ns", 1},
    {"caches.N.line", NULL, "caches.N+.line", 1},
    /* No core loads more than two vectors of 64 bytes in a cycle. */
    {"caches.N.bandwidth", NULL, "run.frequency_hz", 128 * NEARLY},
    {"caches.N+.bandwidth", NULL, "caches.N.bandwidth", NEARLY},
    {"memory.bandwidth", NULL, "caches.N.bandwidth", NEARLY},
    /* A chain waits for each line as long as a load takes. */
    {"caches.N.chains.1", "caches.N.latency_ns", "caches.N.line", 1e9 * NEARLY},
    {"memory.chains.1", "memory.latency_ns", "coherence_line", 1e9 * NEARLY},
    {"caches.N.chains.M", "M", "caches.N.chains.1", NEARLY},
    {"memory.chains.M", "M", "memory.chains.1", NEARLY},
    {"caches.N.requests", NULL, "caches.N.chains.count", 1},
    {"caches.N.requests_low", NULL, "caches.N.requests", 1},
    {"memory.requests", NULL, "memory.chains.count", 1},
    {"caches.N.threads.M+", NULL, "caches.N.threads.M", NEARLY},
    {"memory.threads.M+", NULL, "memory.threads.M", NEARLY},
    /* Lines come from memory no faster at random than in order. */
    {"memory.effective_bandwidth", NULL, "memory.bandwidth", NEARLY},
    {"memory.bandwidth", NULL, "memory.read", NEARLY},
    {"memory.read", NULL, "memory.bandwidth", NEARLY},
    {"memory.copy", NULL, "memory.single", 1},
    {"memory.copy-nt", NULL, "memory.single", 1},
    /* A write moves at most as much again, a read cannot be slower than both. */
    {"memory.write", NULL, "memory.read", 2 * NEARLY},
    {"memory.scaling.1", NULL, "memory.single", NEARLY},
    {"memory.scaling.M+", NULL, "memory.scaling.M", NEARLY},
    {"memory.saturation", NULL, "memory.scaling.count", 1},
    {"memory.levels.N.bandwidth", NULL, "memory.single", NEARLY},
    {"memory.levels.N.saturation", NULL, "memory.levels.N.scaling.count", 1},
    {"numa.N.latency_ns.N", NULL, "numa.N.latency_ns.M", NEARLY},
    {"numa.N.bandwidth.M", NULL, "numa.N.bandwidth.N", NEARLY},
    {"translation.N.entries", NULL, "translation.N+.entries", 1},
    {"translation.N.reach_bytes", NULL, "translation.N+.reach_bytes", 1},
    {"translation.N.latency_ns", NULL, "translation.walk_ns", NEARLY},
    {"translation_huge.N.entries", NULL, "translation_huge.N+.entries", 1},
    {"translation_huge.N.latency_ns", NULL, "translation_huge.walk_ns", NEARLY},
    {"caches.1.latency_ns", NULL, "distance.layers.1.latency_ns", NEARLY},
    {"distance.layers.N.latency_ns", NULL, "distance.layers.N+.latency_ns", 1},
    {"coherence_line", NULL, "machine.page_bytes", 1},
    {"layers.N.points.M.bytes", NULL, "layers.N.points.M+.bytes", 1},
    {"layers.N.points.M.time_us", NULL, "layers.N.points.M+.time_us", 2},
    {"layers.N.together.M.messages", NULL, "network.ranks", 0.5},
};

static int checked, broken;

static void join(char *whole, size_t size, const char *first, const char *second)
{
    assert_true(snprintf(whole, size, "%s%s", first, second) < (int)size);
}

/* The key with its numbers. */
static void fill_in(const char *pattern, int n, int m, char key[TEXT])
{
    size_t used = 0;
    for (const char *at = pattern; *at; at++) {
        bool is_number = (*at == 'N' || *at == 'M') && (at[1] == '.' || at[1] == '+' || !at[1]);
        int number = (*at == 'N' ? n : m) + (at[1] == '+');
        used += is_number ? (size_t)snprintf(key + used, TEXT - used, "%d", number)
                          : (size_t)snprintf(key + used, TEXT - used, "%c", *at);
        at += is_number && at[1] == '+';
    }
}

static bool get(const servet_profile *profile, const char *key, const char *aspect, char text[TEXT])
{
    char whole[TEXT];
    servet_at at = {NULL, 0};
    join(whole, sizeof whole, key, aspect);
    return servet_profile_get(profile, &at, whole, text, TEXT, NULL) == SERVET_OK;
}

/* An end of the interval of a fact that is trusted, or the number itself. */
static bool end_of(const servet_profile *profile, const char *pattern, const char *end, int n,
                   int m, double *number)
{
    char key[TEXT], text[TEXT];
    fill_in(pattern, n, m, key);
    if (!get(profile, key, "", text) || !*text)
        return false;
    *number = atof(text);
    if (get(profile, key, ".trusted", text) && strcmp(text, "no") == 0)
        return false;
    if (get(profile, key, end, text) && *text)
        *number = atof(text);
    return true;
}

static void check_bound(const servet_profile *profile, const char *name, const bound *of, int n,
                        int m)
{
    double fact, other = 1, most;
    bool by_number = of->other && strcmp(of->other, "M") == 0;
    if (!end_of(profile, of->fact, ".low", n, m, &fact) ||
        !end_of(profile, of->most, ".high", n, m, &most) ||
        (of->other && !by_number && !end_of(profile, of->other, ".low", n, m, &other)))
        return;
    checked++;
    if (fact * other <= of->factor * most * (by_number ? m : 1))
        return;
    broken++;
    print_message("# %s: %s is %g, %s is %g (N %d, M %d)\n", name, of->fact, fact, of->most, most,
                  n, m);
}

/* Lists have gaps: numbers of threads double. */
static void check_all(const servet_profile *profile, const char *name, const bound *of)
{
    int n_most = strstr(of->fact, ".N") ? LEVELS_MAX : 1;
    int m_most = strstr(of->fact, ".M") || strstr(of->most, ".M") ? NUMBERS_MAX : 1;
    for (int n = 1; n <= n_most; n++)
        for (int m = 1; m <= m_most; m++)
            check_bound(profile, name, of, n, m);
}

/* --- each fact alone -------------------------------------------------------------------------- */

typedef struct visited {
    const servet_profile *profile;
    const char *name;
} visited;

static void expect(bool holds, const char *name, const char *key, const char *text)
{
    checked++;
    if (holds)
        return;
    broken++;
    print_message("# %s: %s is %s\n", name, key, text);
}

/* Shares are within 0..1, estimates within their intervals. */
static int check_fact(void *context, const char *key)
{
    static const char *const shares[] = {"confidence", "run.noise", "run.steal", "run.drift",
                                         "run.huge_pages"};
    const visited *in = context;
    char text[TEXT], low[TEXT], high[TEXT];
    if (!get(in->profile, key, "", text) || !*text)
        return 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        if (strstr(key, shares[i]))
            expect(atof(text) >= 0 && atof(text) <= 1, in->name, key, text);
    if (get(in->profile, key, ".low", low) && get(in->profile, key, ".high", high) && *low)
        expect(atof(low) <= atof(text) && atof(text) <= atof(high), in->name, key, text);
    return 0;
}

static void check_profile(const servet_profile *profile, const char *name)
{
    servet_at at = {NULL, 0};
    visited in = {profile, name};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        check_all(profile, name, &bounds[i]);
    assert_ok(servet_profile_each(profile, &at, check_fact, &in, NULL));
}

/* --- profiles --------------------------------------------------------------------------------- */

static void the_bounds_hold(int least)
{
    print_message("# %d bounds, %d broken\n", checked, broken);
    assert_true(checked >= least);
    assert_int_equal(broken, 0);
    checked = 0;
}

static void replay(const char *run)
{
    char path[TEXT];
    servet_profile *profile = NULL;
    unpack_run(run, path);
    assert_ok(servet_replay(path, NULL, NULL, &profile, NULL));
    check_profile(profile, run);
    servet_profile_close(profile);
}

/* The models that answer every probe; of the others, only curves are known. */
static const char *const recordings[] = {"cascade-guest/m1",   "zen4-guest/m1",
                                         "emerald16-guest/m1", "zen5-guest/m1",
                                         "granite-guest/m1",   "milan-vm/m1"};

TEST_EACH(make_folder, remove_folder)

TEST(recorded_machines_keep_the_bounds)
{
    for (size_t i = 0; i < test_cases(2, sizeof recordings / sizeof *recordings); i++)
        replay(recordings[i]);
    the_bounds_hold(100);
}

static void measure(const char *model, double budget_seconds)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    servet_profile *profile = NULL;
    options.machine = model;
    options.budget_seconds = budget_seconds;
    assert_ok(servet_measure(&options, &profile, NULL));
    check_profile(profile, model ? model : "this machine");
    servet_profile_close(profile);
}

TEST_EACH(NULL, NULL)

TEST(models_keep_the_bounds)
{
    static const char *const models[] = {"athlon3200",  "kentsfield",     "nehalem-2s",
                                         "zen3-guest",  "hybrid-desktop", "apple-m1",
                                         "finis-terrae"};
    char tiny[TEXT];
    join(tiny, sizeof tiny, getenv("SOURCE_ROOT"), "/tests/cli/tiny.json");
    measure(tiny, 0);
    for (size_t i = 0; i < test_cases(0, sizeof models / sizeof *models); i++)
        measure(models[i], 0);
    the_bounds_hold(50);
}

TEST(this_machine_keeps_the_bounds)
{
    measure(NULL, (double)test_cases(3, 60));
    the_bounds_hold(10);
}
