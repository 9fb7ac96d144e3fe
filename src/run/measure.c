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
#include "run/course.h"
#include "run/node.h"
#include "run/resume.h"
#include "servet/version.h"
#include "sim/simulated.h"

/* A single probe takes up to 0.1 s (warming up, samples, memory touched): less yields no result. */
static const double LEAST_SECONDS = 0.1;

typedef struct session {
    srv_course course;
    srv_node node;
    srv_machine *machine;
    const servet_measure_options *options;
    int node_class;
    const srv_replay_notes *notes;  /* may be NULL */
    servet_measure_options relayed; /* as given, but progress is noted */
    const servet_measure_options *given;
    servet_progress last; /* that was reported, and its text: */
    char what[SERVET_TEXT_MAX];
    const srv_recorded_run *record; /* has its moment and version; NULL: now, and this one */
} session;

static session *self(srv_course *course)
{
    return (session *)course;
}

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
    if (on->record) {
        memcpy(run->started, on->record->started, sizeof run->started);
        memcpy(run->version, on->record->version, sizeof run->version);
    }
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
    int kind, code = servet_profile_create(&on->course.profile, error);
    if (code == SERVET_OK)
        code = describe_run(on, &run, error);
    if (code == SERVET_OK)
        code = servet_profile_set_run(on->course.profile, &run, error);
    if (code == SERVET_OK)
        code = servet_profile_add_class(on->course.profile, "default", machine, &on->node_class,
                                        error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = servet_profile_add_kind(on->course.profile, on->node_class, core_types[i].name,
                                       core_types[i].cores, &kind, error);
    return code;
}

/* Continues a measurement that others began: benchmarks that had no time left have time again. */
static int take_up(session *on, unsigned wanted, unsigned *done, servet_error *error)
{
    const srv_benchmark *plan = on->course.plan;
    servet_run run;
    servet_profile_run(on->course.profile, &run);
    *done = srv_plan_set(plan, run.benchmarks);
    srv_plan_list(plan, srv_plan_set(plan, run.cut) & ~(wanted & ~*done), run.cut);
    on->course.before = servet_value_known(&run.duration) ? run.duration.value : 0;
    return servet_profile_set_run(on->course.profile, &run, error);
}

/* The profile to begin with, and the benchmarks whose facts it has. */
static int open_profile(session *on, const servet_machine *machine, const srv_core_type *core_types,
                        int count, unsigned wanted, unsigned *done, servet_error *error)
{
    *done = 0;
    int code = srv_resume(on->options, machine, &on->course.profile, error);
    if (code == SERVET_OK && on->course.profile)
        code = take_up(on, wanted, done, error);
    else if (code == SERVET_OK)
        code = create_profile(on, machine, core_types, count, error);
    return code;
}

/* --- a benchmark ------------------------------------------------------------------------------ */

/* Once the caches are known, costs are known, too. */
static void learn_levels(srv_course *course)
{
    const session *on = self(course);
    const char *class_name = servet_profile_class_name(on->course.profile, on->node_class);
    servet_kind kind;
    for (int i = 0, count;
         servet_kind_get(on->course.profile,
                         &(servet_at){.node_class = class_name, .core = SERVET_ANY_CORE}, i,
                         &kind) == SERVET_OK;
         i++) {
        int first;
        if (sscanf(kind.cores, "%d", &first) == 1 &&
            servet_cache_count(on->course.profile,
                               &(servet_at){.node_class = class_name, .core = first},
                               &count) == SERVET_OK)
            course->now.levels = i == 0 || count > course->now.levels ? count : course->now.levels;
    }
}

static int measure(srv_course *course, const srv_benchmark *row, const srv_slot *slot,
                   servet_error *error)
{
    const session *on = self(course);
    srv_stage stage = {on->machine, on->options, "all", *slot};
    srv_stage_place place = {course->profile, on->node_class};
    /* Doubts of the first look are not those of the second. */
    int code = course->again ? servet_profile_forget_doubts(course->profile, on->node_class,
                                                            row->facts, error)
                             : SERVET_OK;
    return code == SERVET_OK ? row->run.node(&stage, &place, error) : code;
}

static int note(srv_course *course, const srv_benchmark *row, servet_error *error)
{
    servet_run run;
    servet_profile_run(course->profile, &run);
    srv_plan_list(course->plan, srv_plan_set(course->plan, run.benchmarks) | SRV_BIT(row->id),
                  run.benchmarks);
    return servet_profile_set_run(course->profile, &run, error);
}

/* The share (0..1) that other programs took of the memory bandwidth of a core in most moments: as
 * many cores of this program as then run others take no less from it. NaN: not measured. */
static double taken_by_others(srv_course *course)
{
    const servet_at at = {.node_class =
                              servet_profile_class_name(course->profile, self(course)->node_class),
                          .core = SERVET_ANY_CORE};
    int pus = course->now.pus, others = (int)round(course->monitor.now[0].foreign * pus);
    int cores = others < pus ? 1 + others : pus, code = SERVET_EUNMEASURED;
    servet_value alone, among;
    if (servet_memory_scaling(course->profile, &at, 0, 1, &alone) != SERVET_OK)
        return NAN;
    while (code == SERVET_EUNMEASURED && cores <= pus) /* not all numbers are measured */
        code = servet_memory_scaling(course->profile, &at, 0, cores++, &among);
    return code == SERVET_OK ? 1 - among.value / alone.value : NAN;
}

/* Marks facts measured under noise, with the reason: all, or only those of shared resources.
 * Repeats of other facts in this time are not used. */
static int doubt(srv_course *course, const srv_benchmark *row, servet_error *error)
{
    char reason[SERVET_TEXT_MAX], shared[2 * SERVET_TEXT_MAX] = "";
    srv_seen_reason(&course->monitor.now[0], false, reason);
    const char *facts = row && *reason ? row->facts : shared;
    if (!*reason) {
        srv_seen_shared_reason(&course->monitor.now[0], reason);
        bool changed =
            *reason && row && row->shared && !(row->rates && taken_by_others(course) < SRV_FOREIGN);
        if (changed)
            srv_plan_name_facts(row->shared, course->now.levels, shared, sizeof shared);
    }
    if (!*reason)
        return SERVET_OK;
    srv_repeats_drop(&course->repeats);
    return servet_profile_distrust(course->profile, self(course)->node_class, facts, reason, error);
}

static int keep(srv_course *course, servet_error *error)
{
    const session *on = self(course);
    servet_run run;
    servet_profile_run(course->profile, &run);
    run.duration = timed(course->before + course->kept, SERVET_UNIT_SECOND);
    int code = servet_profile_set_run(course->profile, &run, error);
    if (code == SERVET_OK && on->options->progress_file)
        code = servet_profile_write(course->profile, on->options->progress_file, error);
    return code;
}

/* Facts of the class, and facts that contradict each other, of a copy: the profile is not marked
 * before the end. */
static int doubtful(srv_course *course, unsigned *benchmarks, int *facts, servet_error *error)
{
    servet_profile *copy;
    servet_fitness fitness;
    int code = servet_profile_copy(course->profile, &copy, error);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_reconcile(copy, error);
    const char *name = servet_profile_class_name(copy, self(course)->node_class);
    const servet_at at = {.node_class = name, .core = SERVET_ANY_CORE};
    if (code == SERVET_OK)
        code = servet_profile_fitness(copy, &at, &fitness);
    *facts = code == SERVET_OK ? fitness.doubtful_count : 0;
    *benchmarks = 0;
    for (const srv_benchmark *row = course->plan; row->cost && code == SERVET_OK; row++)
        *benchmarks |= servet_profile_doubts(copy, &at, row->name) ? SRV_BIT(row->id) : 0;
    servet_profile_close(copy);
    return code;
}

/* False only for a part that is there, and was not measured or is doubtful: a level that is there
 * no more was none. */
static bool keeps(const servet_profile *profile, const servet_at *at, const char *name)
{
    servet_part part;
    for (int i = 0; servet_profile_part(profile, at, i, &part) == SERVET_OK; i++)
        if (strcmp(part.name, name) == 0)
            return part.known && !*part.doubt;
    return true;
}

static bool loses(srv_course *course, const servet_profile *earlier)
{
    const char *name = servet_profile_class_name(earlier, self(course)->node_class);
    const servet_at at = {.node_class = name, .core = SERVET_ANY_CORE};
    servet_part part;
    bool lost = false;
    for (int i = 0; !lost && servet_profile_part(earlier, &at, i, &part) == SERVET_OK; i++)
        lost = part.used && part.known && !*part.doubt && !keeps(course->profile, &at, part.name);
    return lost;
}

static bool stands(srv_course *course, const srv_benchmark *row, const servet_profile *earlier)
{
    servet_at at = {.node_class = servet_profile_class_name(earlier, self(course)->node_class),
                    .core = SERVET_ANY_CORE};
    servet_kind kind;
    bool same = row->stands != NULL;
    for (int i = 0; same && servet_kind_get(earlier, &at, i, &kind) == SERVET_OK; i++) {
        servet_at of_kind = at;
        same = sscanf(kind.cores, "%d", &of_kind.core) == 1 &&
               row->stands(course->profile, earlier, &of_kind);
    }
    return same;
}

static int take(srv_course *course, const srv_benchmark *row, servet_profile *from,
                servet_error *error)
{
    return servet_profile_take(course->profile, from, self(course)->node_class, row->facts, error);
}

/* A repeat that is not stored had no time, or was measured before this run continued it. */
static int settle_one(session *on, const srv_repeated *one, servet_error *error)
{
    servet_modes modes;
    servet_error local = SERVET_ERROR_INIT;
    if (one->count == 0)
        return SERVET_OK;
    servet_value value = srv_repeated_value(one, &modes);
    int code = servet_profile_set_repeats(on->course.profile, on->node_class, one->fact, &value,
                                          &modes, &local);
    if (code == SERVET_OK || code == SERVET_EUNMEASURED || code == SERVET_ERANGE)
        return SERVET_OK;
    return srv_fail(error, code, "%s", local.text);
}

static int settle(srv_course *course, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < course->repeats.count && code == SERVET_OK; i++)
        code = settle_one(self(course), &course->repeats.of[i], error);
    return code;
}

/* --- from begin to end ------------------------------------------------------------------------ */

static bool note_missing(srv_course *course, const srv_benchmark *row, const char *why)
{
    const srv_replay_notes *notes = self(course)->notes;
    if (notes->missing)
        notes->missing(notes->context, (servet_benchmark)row->id, why);
    return true;
}

/* A model computes streams at once, and simulates the other probes load by load. */
static srv_course course_of(const session *on)
{
    static const srv_course_ops ops = {.measure = measure,
                                       .note = note,
                                       .learn = learn_levels,
                                       .doubt = doubt,
                                       .keep = keep,
                                       .doubtful = doubtful,
                                       .loses = loses,
                                       .stands = stands,
                                       .take = take,
                                       .settle = settle,
                                       .repeats = "repeats.csv"};
    const servet_measure_options *options = on->options;
    return (srv_course){.ops = &ops,
                        .plan = srv_facts_of(options->approach),
                        .raw_dir = options->raw_dir,
                        .progress = options->progress,
                        .context = options->context,
                        .missing = on->notes ? note_missing : NULL,
                        .budget = options->budget_seconds,
                        .least_seconds = LEAST_SECONDS,
                        .instant = options->machine ? SRV_BIT(SERVET_BENCHMARK_MEMORY) : 0};
}

static int begin(session *on, servet_error *error)
{
    servet_machine machine;
    srv_core_type types[SRV_CORE_TYPES_MAX];
    srv_course *course = &on->course;
    unsigned done, wanted;
    int count = 0;
    int code = on->machine->ops->describe(on->machine, &machine, error);
    if (code == SERVET_OK)
        code = on->machine->ops->core_types(on->machine, types, &count, error);
    if (code != SERVET_OK)
        return code;
    *course = course_of(on);
    course->now = srv_facts_scale(on->machine, on->options, &machine, types, count);
    wanted = srv_plan_wanted(course->plan, on->options->only);
    code = open_profile(on, &machine, types, count, wanted, &done, error);
    if (code == SERVET_OK)
        code = srv_node_begin(&on->node, on->machine, types[0].cores, error);
    if (code != SERVET_OK)
        return code;
    course->network = &on->node.head;
    course->until = course->budget > 0 ? course->budget - course->before : INFINITY;
    srv_repeats_begin(&course->repeats, on->machine, srv_machine_now, (uint64_t)on->options->seed);
    code = srv_course_begin(course, wanted, done, error);
    course->reserve = course->monitor.sample_seconds;
    return code;
}

static int run_session(session *on, servet_profile **profile, servet_error *error)
{
    int code = begin(on, error);
    if (code == SERVET_OK)
        code = srv_course_run(&on->course, error);
    if (code == SERVET_OK)
        code = srv_course_look_again(&on->course, error);
    if (code == SERVET_OK)
        code = srv_course_settle(&on->course, error);
    if (code == SERVET_OK)
        code = servet_profile_reconcile(on->course.profile, error);
    if (code == SERVET_OK)
        code = srv_machine_part(on->machine, NULL, error);
    if (code == SERVET_OK)
        code = srv_findings_check(on->options->findings, error);
    srv_course_finish(&on->course);
    if (code == SERVET_OK)
        *profile = on->course.profile;
    else
        servet_profile_close(on->course.profile);
    return code;
}

/* --- long probes ------------------------------------------------------------------------------ */

static int note_progress(void *context, const servet_progress *progress)
{
    session *on = context;
    snprintf(on->what, sizeof on->what, "%s%s", on->course.again ? "again: " : "", progress->what);
    on->last = *progress;
    on->last.what = on->what;
    return on->given->progress(on->given->context, &on->last);
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
    srv_recorded_run run = {.options = *options, .progress = options->progress};
    const srv_benchmark *plan = srv_facts_of(options->approach);
    srv_plan_list(plan, srv_plan_wanted(plan, options->only), run.benchmarks);
    memcpy(run.version, begun.version, sizeof run.version);
    memcpy(run.started, begun.started, sizeof run.started);
    memcpy(run.command, begun.options, sizeof run.command);
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
    on.record = &run;
    int code =
        srv_recorder_create(&on.machine, machine, options->raw_dir, &run, options->resume, error);
    if (code != SERVET_OK)
        return code;
    code = run_session(&on, profile, error);
    srv_machine_destroy(on.machine);
    return code;
}

int srv_measure_again(srv_machine *machine, const servet_measure_options *options,
                      const srv_recorded_run *record, const srv_replay_notes *notes,
                      servet_profile **profile, servet_error *error)
{
    session on = {.machine = machine, .options = options, .record = record, .notes = notes};
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

int srv_open_machine(srv_machine **machine, const char *model, servet_error *error)
{
    return model ? srv_simulated_create(machine, model, error)
                 : srv_hardware_create(machine, error);
}

static int open_machine(const servet_measure_options *options, srv_machine **machine,
                        servet_error *error)
{
    int code = srv_check_options(options, error);
    if (code == SERVET_OK)
        code = check_has(options, error);
    return code == SERVET_OK ? srv_open_machine(machine, options->machine, error) : code;
}

int servet_measure_cost(const servet_measure_options *options, double *seconds, double *most,
                        servet_error *error)
{
    srv_machine *machine;
    int code = open_machine(options, &machine, error);
    if (code != SERVET_OK)
        return code;
    servet_machine about;
    srv_core_type types[SRV_CORE_TYPES_MAX];
    int count;
    code = machine->ops->describe(machine, &about, error);
    if (code == SERVET_OK)
        code = machine->ops->core_types(machine, types, &count, error);
    if (code == SERVET_OK) {
        const srv_benchmark *plan = srv_facts_of(options->approach);
        unsigned wanted = srv_plan_wanted(plan, options->only);
        srv_scale scale = srv_facts_scale(machine, options, &about, types, count);
        *seconds = srv_plan_quiet(plan, wanted, &scale) + SRV_PLAN_LINGER_SECONDS;
        *most = srv_plan_cost(plan, wanted, &scale) + SRV_PLAN_LINGER_SECONDS;
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
