/* SPDX-License-Identifier: BSD-3-Clause */
#include "series.h"

#include "test.h"

double series_uniform(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    double u = series_uniform(state), v = series_uniform(state);
    return sqrt(-2 * log(1 - u)) * cos(2 * acos(-1) * v);
}

/* P(Y >= ways), Y ~ B(pages - 1, ways * page / capacity): the page set of a load is full. */
static double page_sets(double bytes, double capacity)
{
    const int ways = 16;
    double pages = bytes / 4096, p = fmin(1, ways * 4096 / capacity), below = 0;
    if (pages <= ways)
        return 0;
    for (int y = 0; y < ways; y++)
        below += exp(lgamma(pages) - lgamma(y + 1) - lgamma(pages - y) + y * log(p) +
                     (pages - 1 - y) * log1p(-fmin(p, 1 - 1e-12)));
    return 1 - below;
}

static double misses(const series_level *level, double bytes)
{
    double share = level->bytes / bytes;
    switch (level->kind) {
    case SERIES_PAGES:
        return page_sets(bytes, level->bytes);
    case SERIES_LRU: /* the lines beyond C fill sets up to 13, and 13 lines are lost for each */
        return fmax(0, fmin(1, 13 * (1 - share)));
    case SERIES_SHARP:
        return fmax(0, 1 - pow(share, 8));
    case SERIES_RANDOM:
        break;
    }
    return fmax(0, 1 - share);
}

double series_latency(const series_spec *spec, double bytes)
{
    double latency = spec->base, before = spec->base;
    for (const series_level *level = spec->level; level->bytes > 0; level++) {
        latency += (level->latency - before) * misses(level, bytes);
        before = level->latency;
    }
    return latency;
}

TEST_KEEPS_VALUE(servet_curve, servet_curve_free)

servet_curve series_make(const series_spec *spec)
{
    size_t n = (size_t)lround(log2(spec->last / spec->first) * spec->per_octave) + 1;
    servet_curve curve = SERVET_CURVE_INIT;
    curve.unit = SERVET_UNIT_CYCLE;
    curve.n = n;
    curve.bytes = malloc(n * sizeof(double));
    curve.latency = malloc(n * sizeof(double));
    assert_non_null(curve.bytes);
    assert_non_null(curve.latency);
    uint64_t state = spec->seed;
    for (size_t i = 0; i < n; i++) {
        double bytes = spec->first * exp2((double)i / spec->per_octave);
        curve.bytes[i] = 64 * round(bytes / 64);
        curve.latency[i] = series_latency(spec, curve.bytes[i]) * exp(spec->noise * normal(&state));
    }
    return keep_servet_curve(curve);
}

static double pick(uint64_t *state, double low, double high)
{
    return low + series_uniform(state) * (high - low);
}

series_spec series_random(uint64_t seed)
{
    uint64_t state = seed;
    int count = 1 + (int)pick(&state, 0, 4);
    bool chase = series_uniform(&state) < 0.67;
    series_spec spec = {.first = 4 * 1024, .seed = seed, .base = pick(&state, 0.8, 3)};
    spec.per_octave = 1 << (int)pick(&state, 1, 5);
    spec.noise = pick(&state, 0.002, 0.03);
    double bytes = exp2(floor(pick(&state, 13, 18))), latency = spec.base;
    for (int i = 0; i < count; i++) {
        bool odd = series_uniform(&state) < 0.25;
        latency *= pick(&state, 2.2, 6);
        spec.level[i] = (series_level){bytes * (odd ? 1.5 : 1), latency, SERIES_RANDOM};
        if (chase)
            spec.level[i].kind = i > 0 ? SERIES_PAGES : seed % 2 ? SERIES_SHARP : SERIES_LRU;
        bytes *= exp2(floor(pick(&state, 3, 6)));
    }
    spec.last = 8 * spec.level[count - 1].bytes;
    return spec;
}
