/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "core/error.h"
#include "core/ranges.h"
#include "machine/model/simulated.h"

static const double MAX_BYTES_LEAST = 64.0 * (1 << 20);
static const double MAX_BYTES_FACTOR = 4;    /* times the largest cache that the OS reports */
static const double MEMORY_SHARE_MAX = 0.25; /* of the memory this job may use */

/* Schedulers give slices of some 4 to 10 ms: a short look tells quiet cores from busy ones, a share
 * takes a longer one. */
static const double GLANCE_SECONDS = 20e-3, NOISE_SECONDS = 100e-3;
enum { CANDIDATES_MAX = 8 };

/* Medians survive when up to half of the samples are disturbed; a quarter leaves room for the rest
 * of the run to be worse than the moment that was looked at. */
static const double DISTURBED = 0.25;

/* The largest size is rounded to the grid's unit: a curve that gets this far was not cut. */
static const double NEAR_END = 0.9;

/* How the sharing of caches is found, where an approach can, and its share of the work. */
static const struct approach {
    int (*caches)(const srv_stage *stage, int core, double max_bytes, srv_cache_facts *facts,
                  servet_error *error);
    int (*sharing)(const srv_stage *stage, const srv_measured_kind *kinds, int count,
                   const srv_place *place, servet_error *error);
    double sharing_share;
} approaches[SERVET_APPROACH_COUNT] = {
    [SERVET_APPROACH_DEFAULT] = {srv_measure_caches, NULL, 0},
    [SERVET_APPROACH_SERVET2010] = {srv_measure_caches_2010, srv_measure_sharing_2010, 0.5},
};

double srv_stage_deadline(const srv_stage *stage)
{
    double budget = stage->options->budget_seconds;
    return budget > 0 ? budget * stage->to : INFINITY;
}

int srv_stage_file(const srv_stage *stage, const char *name, srv_file *file, bool *wanted,
                   servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    *wanted = stage->options->raw_dir;
    if (!*wanted)
        return SERVET_OK;
    if (snprintf(path, sizeof path, "%s/%s", stage->options->raw_dir, name) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    return srv_file_begin(file, path, error);
}

static bool wants(const servet_measure_options *options, servet_benchmark benchmark)
{
    return !options->only || (options->only & 1u << benchmark);
}

/* --- where to measure ---------------------------------------------------------------------------
 */

/* The n-th number of a set. */
static int core_at(const char *cores, int n)
{
    int first, last;
    while (srv_ranges_next(&cores, &first, &last)) {
        if (n <= last - first)
            return first + n;
        n -= last - first + 1;
    }
    return -1;
}

/* All cores of a kind are alike: the one that others disturb least answers for them. */
static int quietest_core(srv_machine *machine, const srv_kind *kind, int *core, servet_error *error)
{
    int count = srv_ranges_count(kind->cores);
    int candidates = count < CANDIDATES_MAX ? count : CANDIDATES_MAX;
    double lost = INFINITY;
    for (int i = 0; i < candidates; i++) {
        int candidate = core_at(kind->cores, (int)((long long)i * count / candidates));
        srv_noise noise;
        int code = machine->ops->noise(machine, candidate, GLANCE_SECONDS, &noise, error);
        if (code != SERVET_OK)
            return code;
        if (noise.lost < lost) {
            lost = noise.lost;
            *core = candidate;
        }
    }
    return SERVET_OK;
}

static double largest_reported(srv_machine *machine, int core)
{
    srv_reported reported;
    double largest = 0;
    if (machine->ops->reported(machine, core, &reported, NULL) == SERVET_OK)
        for (int i = 0; i < reported.count; i++)
            largest = fmax(largest, reported.level[i].bytes);
    return largest;
}

/* Largest working set, requirement C1. */
static int choose_max_bytes(srv_machine *machine, const servet_measure_options *options, int core,
                            double *max_bytes, servet_error *error)
{
    double memory;
    int code = machine->ops->memory(machine, &memory, error);
    if (code != SERVET_OK)
        return code;
    double wanted = fmax(MAX_BYTES_LEAST, MAX_BYTES_FACTOR * largest_reported(machine, core));
    *max_bytes =
        options->max_bytes > 0 ? options->max_bytes : fmin(wanted, MEMORY_SHARE_MAX * memory);
    if (*max_bytes > memory)
        return srv_fail(error, SERVET_EMACHINE,
                        "working sets of %.0f MiB are asked for, this job may use %.0f MiB",
                        *max_bytes / (1 << 20), memory / (1 << 20));
    if (*max_bytes < SRV_RANGE_MIN * options->min_bytes)
        return srv_fail(error, SERVET_EMACHINE,
                        "working sets end at %.0f KiB here: %.0f KiB is too large a smallest one",
                        *max_bytes / 1024, options->min_bytes / 1024);
    return SERVET_OK;
}

/* --- provenance ---------------------------------------------------------------------------------
 */

static servet_value timed(double value, servet_unit unit)
{
    return isnan(value) ? servet_value_unknown(unit)
                        : (servet_value){value, value, value, 1, unit, SERVET_METHOD_TIMED, true};
}

static int begin_run(srv_machine *machine, const servet_measure_options *options, servet_run *run,
                     servet_error *error)
{
    srv_clock_facts clock;
    int code = machine->ops->clock(machine, &clock, error);
    if (code != SERVET_OK)
        return code;
    *run = (servet_run){.seed = options->seed};
    time_t now = time(NULL);
    struct tm utc;
    strftime(run->started, sizeof run->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(run->version, sizeof run->version, "%s", servet_version());
    snprintf(run->options, sizeof run->options, "%s", options->command ? options->command : "");
    snprintf(run->clock, sizeof run->clock, "%s", clock.name);
    run->clock_overhead = timed(clock.overhead_ns, SERVET_UNIT_NANOSECOND);
    run->clock_resolution = timed(clock.resolution_ns, SERVET_UNIT_NANOSECOND);
    run->frequency = servet_value_unknown(SERVET_UNIT_HERTZ);
    run->huge_pages = servet_value_unknown(SERVET_UNIT_NONE);
    run->noise = servet_value_unknown(SERVET_UNIT_NONE);
    run->steal = servet_value_unknown(SERVET_UNIT_NONE);
    return SERVET_OK;
}

/* Noise is looked at before and after each core kind; the run remembers the worst. */
static void note_noise(servet_run *run, const srv_noise *noise)
{
    if (!servet_value_known(&run->noise) || noise->lost > run->noise.value)
        run->noise = timed(noise->lost, SERVET_UNIT_NONE);
    if (!servet_value_known(&run->steal) || noise->steal > run->steal.value)
        run->steal =
            timed(noise->steal > 1 ? 1 : noise->steal, SERVET_UNIT_NONE); /* coarse ticks */
}

/* --- the whole ----------------------------------------------------------------------------------
 */

static void distrust(srv_cache_facts *facts)
{
    for (int i = 0; i < facts->count; i++)
        facts->cache[i].bytes.trusted = facts->cache[i].measured_bytes.trusted =
            facts->cache[i].latency.trusted = facts->cache[i].latency_cycles.trusted = false;
    facts->memory_latency.trusted = false;
}

/* Looks at the noise now, for the record; `*lost` keeps the worst seen. */
static int watch_noise(srv_machine *machine, int core, servet_run *run, double *lost,
                       servet_error *error)
{
    srv_noise noise;
    int code = machine->ops->noise(machine, core, NOISE_SECONDS, &noise, error);
    if (code != SERVET_OK)
        return code;
    note_noise(run, &noise);
    *lost = fmax(*lost, noise.lost);
    return SERVET_OK;
}

/* The stage without the look at the noise that ends it, which takes half of a short one at most. */
static srv_stage before_last_look(const srv_stage *stage)
{
    srv_stage part = *stage;
    if (stage->options->budget_seconds > 0)
        part.to = fmax((part.from + part.to) / 2,
                       part.to - NOISE_SECONDS / stage->options->budget_seconds);
    return part;
}

static int measure_kind(const srv_stage *stage, const srv_kind *kind, servet_run *run,
                        srv_cache_facts *facts, double *max_bytes, servet_error *error)
{
    srv_machine *machine = stage->machine;
    srv_stage part = before_last_look(stage);
    int core = 0;
    double lost = 0;
    int code = quietest_core(machine, kind, &core, error);
    if (code == SERVET_OK)
        code = choose_max_bytes(machine, stage->options, core, max_bytes, error);
    if (code == SERVET_OK)
        code = watch_noise(machine, core, run, &lost, error);
    if (code == SERVET_OK)
        code = approaches[stage->options->approach].caches(&part, core, *max_bytes, facts, error);
    if (code == SERVET_OK)
        code = watch_noise(machine, core, run, &lost, error);
    if (code == SERVET_OK && !servet_value_known(&run->frequency)) {
        run->frequency = facts->frequency;
        run->huge_pages = facts->huge_share;
    }
    if (code == SERVET_OK && lost > DISTURBED)
        distrust(facts);
    return code;
}

/* Whether the curve was cut before it could show a cache. */
static bool is_untold(const srv_cache_facts *facts, double max_bytes)
{
    return facts->count == 0 && facts->reached_bytes < NEAR_END * max_bytes;
}

/* Measures a core kind and records what was found; nothing where there was no time to tell. */
static int record_kind(const srv_stage *stage, const srv_kind *kind, const srv_place *place,
                       servet_run *run, srv_measured_kind *measured, servet_error *error)
{
    srv_cache_facts *facts = &measured->facts;
    double max_bytes;
    measured->cores = kind->cores;
    int code = measure_kind(stage, kind, run, facts, &max_bytes, error);
    if (code == SERVET_OK)
        code = servet_profile_add_kind(place->profile, place->node_class, kind->name, kind->cores,
                                       &measured->number, error);
    measured->told = code == SERVET_OK && !is_untold(facts, max_bytes);
    if (measured->told)
        code = servet_profile_set_caches(place->profile, place->node_class, measured->number,
                                         facts->cache, facts->count, &facts->memory_latency, error);
    return code;
}

/* Not one curve was long enough to show a cache. */
static int check_told(const srv_stage *stage, const srv_measured_kind *kinds, int count,
                      servet_error *error)
{
    double reached = 0;
    for (int i = 0; i < count; i++) {
        if (kinds[i].told)
            return SERVET_OK;
        reached = fmax(reached, kinds[i].facts.reached_bytes);
    }
    return srv_fail(error, SERVET_EUNMEASURED,
                    "too little time to tell: %g s were up at working sets of %.0f KiB, and no "
                    "cache had shown",
                    stage->options->budget_seconds, reached / 1024);
}

static int measure_kinds(const srv_stage *stage, const srv_kind *kinds, int count,
                         const srv_place *place, servet_run *run, srv_measured_kind *measured,
                         servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        double part = (stage->to - stage->from) / count;
        srv_stage of_kind = {stage->machine, stage->options, kinds[i].name, stage->from + part * i,
                             stage->from + part * (i + 1)};
        code = record_kind(&of_kind, &kinds[i], place, run, &measured[i], error);
    }
    return code == SERVET_OK ? check_told(stage, measured, count, error) : code;
}

/* Caches kind by kind, then who shares them. */
static int measure_all(srv_machine *machine, const servet_measure_options *options,
                       const srv_place *place, servet_run *run, servet_error *error)
{
    const struct approach *approach = &approaches[options->approach];
    bool asked = approach->sharing && wants(options, SERVET_BENCHMARK_SHARING);
    double border = asked ? 1 - approach->sharing_share : 1;
    srv_stage caches = {machine, options, "all", 0, border};
    srv_stage sharing = {machine, options, "all", border, 1};
    srv_kind kinds[SRV_KINDS_MAX];
    srv_measured_kind measured[SRV_KINDS_MAX] = {{0}};
    int count;
    int code = machine->ops->kinds(machine, kinds, &count, error);
    if (code == SERVET_OK)
        code = measure_kinds(&caches, kinds, count, place, run, measured, error);
    return code == SERVET_OK && asked ? approach->sharing(&sharing, measured, count, place, error)
                                      : code;
}

static int fill(srv_machine *machine, const servet_measure_options *options,
                servet_profile *profile, servet_error *error)
{
    servet_run run;
    servet_machine description;
    int node_class;
    int code = begin_run(machine, options, &run, error);
    if (code == SERVET_OK)
        code = machine->ops->describe(machine, &description, error);
    if (code == SERVET_OK)
        code = servet_profile_add_class(profile, "default", &description, &node_class, error);
    if (code == SERVET_OK)
        code = measure_all(machine, options, &(srv_place){profile, node_class}, &run, error);
    run.duration = timed(machine->ops->elapsed(machine), SERVET_UNIT_SECOND);
    return code == SERVET_OK ? servet_profile_set_run(profile, &run, error) : code;
}

int srv_measure_on(srv_machine *machine, const servet_measure_options *options,
                   servet_profile **profile, servet_error *error)
{
    servet_profile *made;
    int code = servet_profile_create(&made, error);
    if (code != SERVET_OK)
        return code;
    code = fill(machine, options, made, error);
    if (code != SERVET_OK) {
        servet_profile_close(made);
        return code;
    }
    *profile = made;
    return SERVET_OK;
}

int servet_measure(const servet_measure_options *options, servet_profile **profile,
                   servet_error *error)
{
    srv_machine *machine;
    int code = srv_check_options(options, error);
    if (code == SERVET_OK && !approaches[options->approach].sharing && options->only &&
        wants(options, SERVET_BENCHMARK_SHARING))
        code = srv_fail(error, SERVET_EUNSUPPORTED, "the %s approach does not measure sharing",
                        servet_approach_name(options->approach));
    if (code == SERVET_OK)
        code = options->machine ? srv_simulated_create(&machine, options->machine, error)
                                : srv_hardware_create(&machine, error);
    if (code != SERVET_OK)
        return code;
    code = srv_measure_on(machine, options, profile, error);
    srv_machine_destroy(machine);
    return code;
}
