/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the latency curves of a core type, the curve predicted from its facts, capacities and the
 * reach of TLBs. */
#include "cli/plot/plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"
#include "core/cache.h"
#include "core/error.h"
#include "servet/node.h"

/* --- measured --------------------------------------------------------------------------------- */

/* Curves of the raw series that one picture holds. */
static const struct curve {
    const char *name, *text;
} curves[] = {
    {"lines", "dependent loads, all lines"},
    {"independent", "independent random loads, all lines"},
    {"pages", "dependent loads, one line a page (span of the pages)"},
};

/* Adds a curve. A missing series is not an error: the profile alone gives a picture, too. */
static int add_curve(const plot_source *source, const struct curve *of, figure *into)
{
    char kind[SERVET_NAME_MAX] = "", name[2 * SERVET_NAME_MAX], path[SERVET_ERROR_FILE_MAX];
    servet_curve curve = SERVET_CURVE_INIT;
    figure_series *series;
    int code = SERVET_OK;
    servet_profile_get(source->profile, &source->at, "kind.name", kind, sizeof kind, NULL);
    snprintf(name, sizeof name, "cache-%s-%s.csv", kind, of->name);
    plot_raw_path(source, name, path);
    if (servet_curve_read(path, &curve, NULL) != SERVET_OK)
        return SERVET_OK;
    if (curve.unit == SERVET_UNIT_SECOND &&
        (series = figure_add_series(&into->chart, "%s", of->text)))
        for (size_t i = 0; i < curve.n && code == SERVET_OK; i++) {
            double y = curve.latency[i] * HUMAN_NS;
            code = figure_add_point(
                series, (figure_point){.x = curve.bytes[i],
                                       .y = y,
                                       .low = curve.low ? curve.low[i] * HUMAN_NS : y,
                                       .high = curve.high ? curve.high[i] * HUMAN_NS : y});
        }
    servet_curve_free(&curve);
    return code;
}

/* --- the model -------------------------------------------------------------------------------- */

/* Reach and latency of each level, from the facts. */
typedef struct levels {
    int count;       /* with memory, if its latency is known */
    bool is_doubted; /* one of them is not trusted */
    double reach[SERVET_CACHE_LEVELS_MAX + 1], ns[SERVET_CACHE_LEVELS_MAX + 1];
} levels;

static const servet_value *reach_of(const servet_cache *cache)
{
    return servet_value_known(&cache->reachable_bytes) ? &cache->reachable_bytes : &cache->bytes;
}

static void add_level(levels *to, double reach, const servet_value *latency)
{
    to->reach[to->count] = reach;
    to->ns[to->count++] = latency->value * HUMAN_NS;
    to->is_doubted = to->is_doubted || !latency->trusted;
}

/* Notes doubts about the latency; doubts about the size are noted with its mark. */
static void note_level(const plot_source *source, const servet_cache *cache, figure *into)
{
    char key[SERVET_NAME_MAX], what[24];
    snprintf(key, sizeof key, "caches.%d.latency_ns", cache->level);
    snprintf(what, sizeof what, "latency of L%d", cache->level);
    plot_note_doubt(source, &source->at, key, what, into);
    snprintf(key, sizeof key, "caches.%d.reachable_bytes", cache->level);
    snprintf(what, sizeof what, "reach of L%d", cache->level);
    if (cache->bytes.trusted && !reach_of(cache)->trusted)
        plot_note_doubt(source, &source->at, key, what, into);
}

static void find_levels(const plot_source *source, int count, levels *of, figure *into)
{
    servet_cache cache;
    servet_value memory;
    *of = (levels){0};
    for (int level = 1; level <= count && of->count < SERVET_CACHE_LEVELS_MAX; level++)
        if (servet_cache_get(source->profile, &source->at, level, &cache) == SERVET_OK &&
            servet_value_known(reach_of(&cache)) && servet_value_known(&cache.latency)) {
            add_level(of, reach_of(&cache)->value, &cache.latency);
            of->is_doubted = of->is_doubted || !reach_of(&cache)->trusted;
            note_level(source, &cache, into);
        }
    if (servet_memory_latency(source->profile, &source->at, &memory) == SERVET_OK &&
        servet_value_known(&memory)) {
        add_level(of, INFINITY, &memory);
        plot_note_doubt(source, &source->at, "memory.latency_ns", "latency of memory", into);
    }
}

/* Predicts the latency: a share of random loads hits each level, by its size; the remaining ones
 * hit the last level. */
static double predict(const levels *of, double bytes)
{
    double ns = 0, held = 0;
    for (int i = 0; i < of->count; i++) {
        double share = i + 1 < of->count ? fmin(1, of->reach[i] / bytes) : 1;
        ns += fmax(share - held, 0) * of->ns[i];
        held = fmax(held, share);
    }
    return ns;
}

/* Returns the largest size of the measured curves, or else a size beyond the last level. */
static double largest_size(const figure_chart *chart, const levels *of)
{
    double largest = 0;
    for (int i = 0; i < chart->series_count; i++)
        for (size_t k = 0; k < chart->series[i].n; k++)
            largest = fmax(largest, chart->series[i].point[k].x);
    for (int i = 0; i < of->count && largest == 0; i++)
        if (i + 1 == of->count || !isfinite(of->reach[i + 1]))
            largest = 8 * (isfinite(of->reach[i]) ? of->reach[i] : 1 << 20);
    return largest;
}

/* Adds the predicted curve, unless nothing can be predicted. */
static int add_model(const levels *of, figure *into)
{
    enum { PER_OCTAVE = 8, SMALLEST = 4096 };
    double known = of->count > 0 ? of->reach[of->count - 1] : 0; /* infinite with memory */
    double end = fmin(largest_size(&into->chart, of), known);
    int code = SERVET_OK;
    if (end < SMALLEST)
        return code;
    figure_series *series =
        figure_add_series(&into->chart, "predicted for random loads by the profile");
    for (int i = 0; series && code == SERVET_OK; i++) {
        double bytes = SMALLEST * pow(2, (double)i / PER_OCTAVE), ns = predict(of, bytes);
        if (bytes > end)
            break;
        code = figure_add_point(series, (figure_point){bytes, ns, ns, ns});
    }
    if (series) {
        series->is_model = true;
        series->is_doubted = of->is_doubted;
    }
    return code;
}

/* --- capacities and reach --------------------------------------------------------------------- */

static void mark_level(const plot_source *source, const servet_cache *cache, figure *into)
{
    const servet_value *bytes = &cache->bytes, *reach = reach_of(cache);
    char size[HUMAN_MAX], key[SERVET_NAME_MAX], what[24];
    figure_mark mark = {.x = bytes->value, .low = bytes->low, .high = bytes->high};
    snprintf(what, sizeof what, "size of L%d", cache->level);
    snprintf(key, sizeof key, "caches.%d.bytes", cache->level);
    mark.is_doubted = plot_note_doubt(source, &source->at, key, what, into);
    servet_value unmarked = *bytes; /* without a mark of trust, which the legend has already */
    unmarked.trusted = true;
    report_bytes(&unmarked, size);
    bool sized = srv_cache_has_size(cache);
    if (!sized)
        report_interval(bytes, size);
    snprintf(mark.name, sizeof mark.name, "L%d %s%s", cache->level, sized ? "" : "reaches ", size);
    if (servet_value_known(bytes))
        figure_add_mark(&into->chart, &mark);
    if (!sized || !servet_value_known(reach) ||
        (reach->low <= bytes->value && bytes->value <= reach->high))
        return;
    report_interval(reach, size);
    mark = (figure_mark){
        .x = reach->value, .low = reach->low, .high = reach->high, .is_doubted = !reach->trusted};
    snprintf(mark.name, sizeof mark.name, "a chase reaches %.36s of L%d", size, cache->level);
    figure_add_mark(&into->chart, &mark);
}

int plot_latency(const plot_source *source, figure *into, servet_error *error)
{
    char subject[FIGURE_TITLE_MAX];
    servet_cache cache;
    levels known;
    int count, code = SERVET_OK;
    if (servet_cache_count(source->profile, &source->at, &count) != SERVET_OK)
        return srv_fail(error, SERVET_EUNMEASURED, "the caches were not measured");
    into->form = FIGURE_CHART;
    into->chart.x = (figure_axis){"working set", FIGURE_LOG2, plot_text_bytes, false};
    into->chart.y = (figure_axis){"ns per load", FIGURE_LOG10, plot_text_number, false};
    plot_subject(source, true, subject);
    figure_set_title(into, "Latency of loads: %s", subject);
    for (size_t i = 0; i < sizeof curves / sizeof *curves && code == SERVET_OK; i++)
        code = add_curve(source, &curves[i], into);
    if (into->chart.series_count == 0)
        figure_add_note(into, "The raw series are not beside this profile.");
    plot_note_doubt(source, &source->at, "caches.count", "the number of levels", into);
    find_levels(source, count, &known, into);
    code = code == SERVET_OK ? add_model(&known, into) : code;
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(source->profile, &source->at, level, &cache) == SERVET_OK)
            mark_level(source, &cache, into);
    return code == SERVET_OK ? code : srv_fail_memory(error);
}
