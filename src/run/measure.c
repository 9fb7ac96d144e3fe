/* SPDX-License-Identifier: BSD-3-Clause */
/* A run: benchmarks one after the other within the budget, samples of noise in between, and the
 * profile so far stored after each. */
#include "run/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/bit.h"
#include "core/error.h"
#include "core/findings.h"
#include "core/names.h"
#include "core/units.h"
#include "facts/facts.h"
#include "machine/recorded/recorded.h"
#include "sim/simulated.h"
#include "run/cores.h"
#include "run/options.h"
#include "run/repeats.h"
#include "run/resume.h"
#include "run/noise_monitor.h"
#include "servet/version.h"

/* Cache levels that most machines have. */
enum { LEVELS_USUAL = 3 };

typedef struct session {
    srv_machine *machine;
    const servet_measure_options *options;
    const srv_benchmark *plan;
    srv_scale scale;
    unsigned left;   /* benchmarks still to run */
    double whole;    /* work of all that were to run when it began: what progress is a share of */
    double before_s; /* that the part which is resumed took */
    srv_noise_monitor monitor;
    srv_stage_place place;
    srv_repeats repeats;
    bool again;                     /* the machine answers from a record */
    const srv_replay_notes *notes;  /* may be NULL */
    servet_measure_options relayed; /* as given, but progress is noted */
    const servet_measure_options *given;
    servet_progress last; /* that was reported, and its text: */
    char what[SERVET_TEXT_MAX];
    const char *started; /* the moment that the record has; NULL: now */
} session;

/* --- provenance ------------------------------------------------------------------------------- */

static servet_value timed(double value, servet_unit unit)
{
    return isnan(value) ? servet_value_unknown(unit)
                        : (servet_value){value, value, value, 1, unit, SERVET_METHOD_TIMED, true};
}

servet_run srv_run_begin(const char *command)
{
    servet_run run = {.seed = 0};
    struct tm utc;
    time_t now = time(NULL);
    strftime(run.started, sizeof run.started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(run.version, sizeof run.version, "%s", servet_version());
    snprintf(run.options, sizeof run.options, "%s", command ? command : "");
    run.clock_overhead = run.clock_resolution = servet_value_unknown(SERVET_UNIT_SECOND);
    run.frequency = servet_value_unknown(SERVET_UNIT_HERTZ);
    run.huge_pages = run.noise = run.steal = run.others = run.drift =
        servet_value_unknown(SERVET_UNIT_NONE);
    run.duration = servet_value_unknown(SERVET_UNIT_SECOND);
    return run;
}

static int describe_run(const session *on, servet_run *run, servet_error *error)
{
    srv_clock_facts clock;
    int code = on->machine->ops->clock(on->machine, &clock, error);
    if (code != SERVET_OK)
        return code;
    *run = srv_run_begin(on->options->command);
    if (on->started)
        snprintf(run->started, sizeof run->started, "%s", on->started);
    run->seed = on->options->seed;
    snprintf(run->clock, sizeof run->clock, "%s", clock.name);
    run->clock_overhead = timed(srv_seconds(clock.overhead_ns), SERVET_UNIT_SECOND);
    run->clock_resolution = timed(srv_seconds(clock.resolution_ns), SERVET_UNIT_SECOND);
    return SERVET_OK;
}

/* --- beginning -------------------------------------------------------------------------------- */

/* A profile of a class and its core types, with no facts yet. */
static int create_profile(session *on, const servet_machine *machine,
                          const srv_core_type *core_types, int count, servet_error *error)
{
    servet_run run;
    int kind, code = servet_profile_create(&on->place.profile, error);
    if (code == SERVET_OK)
        code = describe_run(on, &run, error);
    if (code == SERVET_OK)
        code = servet_profile_set_run(on->place.profile, &run, error);
    if (code == SERVET_OK)
        code = servet_profile_add_class(on->place.profile, "default", machine,
                                        &on->place.node_class, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = servet_profile_add_kind(on->place.profile, on->place.node_class, core_types[i].name,
                                       core_types[i].cores, &kind, error);
    return code;
}

static const char *const words[] = {SERVET_BENCHMARK_LIST(SRV_TEXT_OF) NULL};

/* Continues a measurement that others began: benchmarks that had no time left have time again. */
static int take_up(session *on, servet_error *error)
{
    servet_run run;
    servet_profile_run(on->place.profile, &run);
    on->left &= ~srv_benchmarks_of(words, run.benchmarks);
    srv_benchmarks_list(words, srv_benchmarks_of(words, run.cut) & ~on->left, run.cut);
    on->before_s = servet_value_known(&run.duration) ? run.duration.value : 0;
    return servet_profile_set_run(on->place.profile, &run, error);
}

/* Seconds that a set of benchmarks takes, as progress counts. A model computes streams at once, and
 * simulates the other probes load by load. */
static double work_of(const session *on, unsigned set)
{
    unsigned computed = on->options->machine ? SRV_BIT(SERVET_BENCHMARK_MEMORY) : 0;
    return srv_plan_cost(on->plan, set & ~computed, &on->scale);
}

static int begin(session *on, const srv_core_type *core_types, int count,
                 const servet_machine *machine, servet_error *error)
{
    on->plan = srv_facts_of(on->options->approach);
    on->left = srv_plan_wanted(on->plan, on->options->only);
    on->scale = (srv_scale){.pus = machine->pu_count, .core_types = count, .levels = LEVELS_USUAL};
    on->whole = work_of(on, on->left);
    int code = srv_resume(on->options, machine, &on->place.profile, error);
    if (code == SERVET_OK && on->place.profile)
        code = take_up(on, error);
    else if (code == SERVET_OK)
        code = create_profile(on, machine, core_types, count, error);
    if (code == SERVET_OK)
        code = srv_noise_monitor_begin(&on->monitor, on->machine, core_types[0].cores,
                                       on->options->budget_seconds, error);
    return code;
}

/* --- one benchmark after the other ------------------------------------------------------------ */

/* Once the caches are known, costs are known, too. */
static void learn_levels(session *on)
{
    const char *class_name = servet_profile_class_name(on->place.profile, on->place.node_class);
    servet_kind kind;
    for (int i = 0, count;
         servet_kind_get(on->place.profile,
                         &(servet_at){.node_class = class_name, .core = SERVET_ANY_CORE}, i,
                         &kind) == SERVET_OK;
         i++) {
        int first;
        if (sscanf(kind.cores, "%d", &first) == 1 &&
            servet_cache_count(on->place.profile,
                               &(servet_at){.node_class = class_name, .core = first},
                               &count) == SERVET_OK)
            on->scale.levels = i == 0 || count > on->scale.levels ? count : on->scale.levels;
    }
}

/* The samples that are still to come have their time, too. */
static srv_stage stage_of(session *on, const srv_benchmark *row)
{
    double now = on->machine->ops->elapsed(on->machine);
    double work = work_of(on, on->left), own = work_of(on, SRV_BIT(row->id));
    srv_stage stage = {.machine = on->machine,
                       .options = on->options,
                       .name = "all",
                       .repeats = &on->repeats,
                       .from = fmax(0, 1 - work / on->whole),
                       .to = fmin(1, 1 - (work - own) / on->whole)};
    double budget = on->options->budget_seconds;
    int samples = 0;
    for (const srv_benchmark *other = on->plan; other->cost; other++)
        samples += on->left >> other->id & 1;
    double left = budget - on->before_s - now - samples * on->monitor.sample_seconds;
    if (budget > 0)
        stage.until = now + srv_plan_share(row, on->plan, on->left, &on->scale, fmax(0, left));
    return stage;
}

/* Writes the results so far, from which another run can continue after a kill. */
static int keep(session *on, servet_error *error)
{
    servet_run run;
    servet_profile_run(on->place.profile, &run);
    srv_noise_monitor_record(&on->monitor, &run);
    run.duration = timed(on->before_s + on->machine->ops->elapsed(on->machine), SERVET_UNIT_SECOND);
    int code = servet_profile_set_run(on->place.profile, &run, error);
    if (code == SERVET_OK && on->options->progress_file)
        code = servet_profile_write(on->place.profile, on->options->progress_file, error);
    return code;
}

static int keep_benchmark(session *on, servet_benchmark benchmark, servet_error *error)
{
    servet_run run;
    servet_profile_run(on->place.profile, &run);
    srv_benchmarks_add(run.benchmarks, servet_benchmark_name(benchmark));
    int code = servet_profile_set_run(on->place.profile, &run, error);
    return code == SERVET_OK ? keep(on, error) : code;
}

/* A single probe takes up to 0.1 s (warming up, samples, memory touched): less yields no result,
 * and later benchmarks can use the time. */
static const double LEAST_SECONDS = 0.1;

static bool has_time(const srv_stage *stage)
{
    return srv_stage_fits(stage, LEAST_SECONDS);
}

/* Facts without an answer in the recording stay unmeasured; others can still be decided. */
static int run_benchmark(session *on, const srv_benchmark *row, const srv_stage *stage,
                         servet_error *error)
{
    servet_error failed = SERVET_ERROR_INIT;
    int code = row->run(stage, &on->place, &failed);
    if (code == SERVET_OK)
        return code;
    if (code != SERVET_EUNMEASURED || !on->again)
        return srv_fail_at(error, code, failed.file, failed.line, "%s", failed.text);
    if (on->notes)
        on->notes->missing(on->notes->context, row->id, failed.text);
    return SERVET_OK;
}

/* Finds the facts of a part of the run that are not to be trusted: none, all, or only those of
 * shared resources. Repeats of other facts in this time are not used. */
static bool is_disturbed(session *on, bool *shared, char reason[SERVET_TEXT_MAX])
{
    srv_noise_monitor_reason(&on->monitor, reason);
    *shared = !*reason;
    if (*shared)
        srv_noise_monitor_shared_reason(&on->monitor, reason);
    if (*reason)
        srv_repeats_drop(&on->repeats);
    return *reason;
}

/* Marks facts measured under noise, with the reason. */
static int doubt(session *on, const srv_benchmark *row, servet_error *error)
{
    char reason[SERVET_TEXT_MAX];
    bool shared;
    if (!is_disturbed(on, &shared, reason))
        return SERVET_OK;
    if (!shared)
        return servet_profile_distrust(on->place.profile, on->place.node_class, row->facts, reason,
                                       error);
    char named[2 * SERVET_TEXT_MAX];
    srv_plan_name_facts(row->shared, on->scale.levels, named, sizeof named);
    return servet_profile_distrust(on->place.profile, on->place.node_class, named, reason, error);
}

static void begin_part(session *on)
{
    srv_noise_monitor_next(&on->monitor);
    srv_repeats_part(&on->repeats);
}

/* The profile says which benchmarks left something out for lack of time. */
static int note_cut(session *on, servet_benchmark benchmark, servet_error *error)
{
    servet_run run;
    servet_profile_run(on->place.profile, &run);
    srv_benchmarks_add(run.cut, servet_benchmark_name(benchmark));
    return servet_profile_set_run(on->place.profile, &run, error);
}

static int run_one(session *on, const srv_benchmark *row, servet_error *error)
{
    int code = srv_machine_part(on->machine, servet_benchmark_name(row->id), error);
    if (code != SERVET_OK)
        return code;
    srv_stage stage = stage_of(on, row);
    bool cut = false;
    stage.cut = &cut;
    on->left &= ~SRV_BIT(row->id);
    if (row->needs && !has_time(&stage))
        return note_cut(on, row->id, error);
    begin_part(on);
    code = run_benchmark(on, row, &stage, error);
    if (code == SERVET_OK)
        code = srv_noise_monitor_sample(&on->monitor, error);
    if (code == SERVET_OK && cut)
        code = note_cut(on, row->id, error);
    learn_levels(on);
    if (code == SERVET_OK)
        code = doubt(on, row, error);
    return code == SERVET_OK ? keep_benchmark(on, row->id, error) : code;
}

static int run_all(session *on, servet_error *error)
{
    int code = SERVET_OK;
    for (const srv_benchmark *row = on->plan; row->run && code == SERVET_OK; row++)
        if (on->left & SRV_BIT(row->id))
            code = run_one(on, row, error);
    return code;
}

/* --- results of other moments ---------------------------------------------------------------- */

/* The noise of the core is sampled to let time pass. */
static int wait(void *context, double seconds, servet_error *error)
{
    session *on = context;
    srv_stage stage = {.machine = on->machine, .options = on->options, .from = 1, .to = 1};
    srv_noise noise;
    if (srv_stage_progress(&stage, "the same at other moments", 1))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    return seconds > 0
               ? on->machine->ops->noise(on->machine, on->monitor.core, seconds, &noise, error)
               : SERVET_OK;
}

static int linger(session *on, servet_error *error)
{
    double budget = on->options->budget_seconds;
    double limit = budget > 0 ? budget - on->before_s - on->monitor.sample_seconds : INFINITY;
    return srv_repeats_linger(&on->repeats, SRV_PLAN_LINGER_SECONDS, limit, wait, on, error);
}

/* A repeat that is not stored had no time, or was measured before this run continued it. */
static int settle_one(session *on, const srv_repeated *one, servet_error *error)
{
    servet_modes modes;
    servet_error local = SERVET_ERROR_INIT;
    if (one->count == 0)
        return SERVET_OK;
    servet_value value = srv_repeated_value(one, &modes);
    int code = servet_profile_set_repeats(on->place.profile, on->place.node_class, one->fact,
                                          &value, &modes, &local);
    if (code == SERVET_OK || code == SERVET_EUNMEASURED || code == SERVET_ERANGE)
        return SERVET_OK;
    return srv_fail(error, code, "%s", local.text);
}

static int settle(session *on, servet_error *error)
{
    char reason[SERVET_TEXT_MAX];
    bool shared;
    begin_part(on);
    int code = linger(on, error);
    if (code == SERVET_OK && on->repeats.count > 0)
        code = srv_noise_monitor_sample(&on->monitor, error);
    (void)is_disturbed(on, &shared, reason);
    for (int i = 0; i < on->repeats.count && code == SERVET_OK; i++)
        code = settle_one(on, &on->repeats.of[i], error);
    if (code == SERVET_OK)
        code = srv_repeats_save(&on->repeats, on->options->raw_dir, "repeats.csv", error);
    return code == SERVET_OK && on->repeats.count > 0 ? keep(on, error) : code;
}

static int run_session(session *on, servet_profile **profile, servet_error *error)
{
    servet_machine description;
    srv_core_type core_types[SRV_CORE_TYPES_MAX];
    int count = 0;
    int code = on->machine->ops->describe(on->machine, &description, error);
    if (code == SERVET_OK)
        code = on->machine->ops->core_types(on->machine, core_types, &count, error);
    if (code == SERVET_OK)
        code = begin(on, core_types, count, &description, error);
    srv_repeats_begin(&on->repeats, on->machine, srv_machine_now, (uint64_t)on->options->seed);
    if (code == SERVET_OK)
        code = run_all(on, error);
    if (code == SERVET_OK)
        code = srv_machine_part(on->machine, "repeats", error);
    if (code == SERVET_OK)
        code = settle(on, error);
    if (code == SERVET_OK)
        code = servet_profile_reconcile(on->place.profile, error);
    if (code == SERVET_OK)
        code = srv_machine_part(on->machine, NULL, error);
    if (code == SERVET_OK)
        code = srv_findings_check(on->options->findings, error);
    srv_repeats_finish(&on->repeats);
    if (code == SERVET_OK)
        *profile = on->place.profile;
    else
        servet_profile_close(on->place.profile);
    return code;
}

/* --- long probes ------------------------------------------------------------------------------ */

static int note_progress(void *context, const servet_progress *progress)
{
    session *on = context;
    snprintf(on->what, sizeof on->what, "%s", progress->what);
    on->last = *progress;
    on->last.what = on->what;
    return on->given->progress(on->given->context, progress);
}

/* Reports the last progress again, for a probe that takes long. */
static int report_again(void *context)
{
    const session *on = context;
    return on->given->progress(on->given->context, &on->last);
}

static void watch_probes(session *on, srv_machine *machine)
{
    if (!on->options->progress)
        return;
    on->given = on->options;
    on->relayed = *on->given;
    on->relayed.progress = note_progress;
    on->relayed.context = on;
    on->last.what = on->what;
    on->options = &on->relayed;
    srv_machine_watch(machine, report_again, on);
}

/* Data from which everything can be decided again. */
static srv_recorded_run run_of(const servet_measure_options *options)
{
    servet_run begun = srv_run_begin(options->command);
    srv_recorded_run run = {.min_bytes = options->min_bytes,
                            .max_bytes = options->max_bytes,
                            .budget_seconds = options->budget_seconds,
                            .sharing_ratio = options->sharing_ratio,
                            .pages = (int)options->pages,
                            .approach = (int)options->approach,
                            .only = (int)options->only,
                            .votes = options->votes,
                            .seed = options->seed,
                            .progress = options->progress != NULL};
    snprintf(run.version, sizeof run.version, "%s", begun.version);
    snprintf(run.started, sizeof run.started, "%s", begun.started);
    snprintf(run.command, sizeof run.command, "%s", begun.options);
    return run;
}

int srv_measure_on(srv_machine *machine, const servet_measure_options *options,
                   servet_profile **profile, servet_error *error)
{
    session on = {.machine = machine, .options = options};
    watch_probes(&on, machine);
    if (!options->raw_dir)
        return run_session(&on, profile, error);
    srv_recorded_run run = run_of(options);
    on.started = run.started;
    int code =
        srv_recorder_create(&on.machine, machine, options->raw_dir, &run, options->resume, error);
    if (code != SERVET_OK)
        return code;
    code = run_session(&on, profile, error);
    srv_machine_destroy(on.machine);
    return code;
}

int srv_measure_again(srv_machine *machine, const servet_measure_options *options,
                      const srv_replay_notes *notes, servet_profile **profile, servet_error *error)
{
    session on = {.machine = machine, .options = options, .again = true, .notes = notes};
    return run_session(&on, profile, error);
}

/* --- from outside ----------------------------------------------------------------------------- */

/* The machine must support what the user requests by name. */
static int check_has(const servet_measure_options *options, servet_error *error)
{
    unsigned has = srv_plan_wanted(srv_facts_of(options->approach), 0);
    for (int i = 0; i < SERVET_BENCHMARK_COUNT; i++)
        if (options->only & ~has & 1u << i)
            return srv_fail(error, SERVET_EUNSUPPORTED, "the %s approach does not measure %s",
                            servet_approach_name(options->approach),
                            servet_benchmark_name((servet_benchmark)i));
    return SERVET_OK;
}

static int open_machine(const servet_measure_options *options, srv_machine **machine,
                        servet_error *error)
{
    int code = srv_check_options(options, error);
    if (code == SERVET_OK)
        code = check_has(options, error);
    if (code != SERVET_OK)
        return code;
    return options->machine ? srv_simulated_create(machine, options->machine, error)
                            : srv_hardware_create(machine, error);
}

int servet_measure_cost(const servet_measure_options *options, double *seconds, servet_error *error)
{
    srv_machine *machine;
    int code = open_machine(options, &machine, error);
    if (code != SERVET_OK)
        return code;
    servet_machine description;
    srv_core_type core_types[SRV_CORE_TYPES_MAX];
    srv_scale scale = {.levels = LEVELS_USUAL};
    code = machine->ops->describe(machine, &description, error);
    if (code == SERVET_OK)
        code = machine->ops->core_types(machine, core_types, &scale.core_types, error);
    if (code == SERVET_OK) {
        const srv_benchmark *plan = srv_facts_of(options->approach);
        scale.pus = description.pu_count;
        *seconds = srv_plan_cost(plan, srv_plan_wanted(plan, options->only), &scale) +
                   SRV_PLAN_LINGER_SECONDS;
    }
    srv_machine_destroy(machine);
    return code;
}

int servet_measure(const servet_measure_options *options, servet_profile **profile,
                   servet_error *error)
{
    srv_machine *machine;
    int code = open_machine(options, &machine, error);
    if (code != SERVET_OK)
        return code;
    code = srv_measure_on(machine, options, profile, error);
    srv_machine_destroy(machine);
    return code;
}
