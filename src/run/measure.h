/* SPDX-License-Identifier: BSD-3-Clause */
/** Joining the parts: a machine is asked by benchmarks, detectors read the answers, a profile keeps
 *  the facts. */
#ifndef SRV_RUN_MEASURE_H
#define SRV_RUN_MEASURE_H

#include "facts/cache/benchmark_curve.h"
#include "facts/cache/benchmark_visits.h"
#include "run/repeats.h"
#include "core/file.h"
#include "core/findings.h"
#include "machine/machine.h"
#include "servet/measure.h"
#include "servet/record.h"
#include "servet/version.h"

/** From the smallest working set to the largest: an octave is a few points. */
enum { SRV_RANGE_MIN = 2 };

/** servet_measure() on any machine, which the caller keeps. */
int srv_measure_on(srv_machine *machine, const servet_measure_options *options,
                   servet_profile **profile, servet_error *error);

/** A run that begins now with the options `command` (NULL: none); its values are unknown. */
servet_run srv_run_begin(const char *command);

/** Errors: SERVET_EARGUMENT for options that make no sense. */
int srv_check_options(const servet_measure_options *options, servet_error *error);

/** The part of a measurement that a benchmark is: how its progress counts and when it must end. */
typedef struct srv_stage {
    srv_machine *machine;
    const servet_measure_options *options;
    const char *name; /**< of the core kind, for messages and raw files */
    double from, to;  /**< share of the whole work (0..1) at its start and end: for progress */
    double until;     /**< when it must end, on the machine's clock in seconds; 0: no limit */
    srv_repeats *repeats; /**< of the whole run, asked wherever progress is told; NULL: none */
} srv_stage;

/** The part of a stage between two shares (0..1) of its work and of the time that is left to it. */
srv_stage srv_stage_part(const srv_stage *stage, double from, double to);

/** All cache facts of one core. */
typedef struct srv_cache_facts {
    servet_cache cache[SERVET_CACHE_LEVELS_MAX];
    int count;
    double reached_bytes;        /**< largest working set there was time for */
    servet_value memory_latency; /**< ns */
    servet_value frequency;      /**< of the core while it was measured; Hz */
    servet_value huge_share;     /**< of the arrays (0..1), on huge pages */
} srv_cache_facts;

/**
 * Measures the caches that `core` sees with working sets of min_bytes..max_bytes, and writes the
 * raw series into options->raw_dir. Errors: those of the machine and the benchmarks, SERVET_EIO.
 */
int srv_measure_caches(const srv_stage *stage, int core, double max_bytes, srv_cache_facts *facts,
                       servet_error *error);

/** The same as the papers of 2010 do it (share/doc/servet2010.md). */
int srv_measure_caches_2010(const srv_stage *stage, int core, double max_bytes,
                            srv_cache_facts *facts, servet_error *error);

/** Where facts go: a class whose core kinds stand in the profile. */
typedef struct srv_stage_place {
    servet_profile *profile;
    int node_class;
} srv_stage_place;

/** The core of a set that others disturb least: all are alike, it answers for them. */
int srv_quietest_core(srv_machine *machine, const char *cores, int *core, servet_error *error);

/**
 * Measures the caches of each core kind with the approach's function, and stores them; nothing of a
 * kind where there was no time to tell. Errors: SERVET_EUNMEASURED (not one curve was long enough
 * to show a cache), those of srv_measure_caches().
 */
int srv_measure_kinds(const srv_stage *stage, const srv_stage_place *place, servet_error *error);

/**
 * Finds out, as the papers of 2010 do it, which cores share which cache, and stores it level by
 * level: all cores that have the level are asked in pairs, of whatever kind. A level that the
 * budget leaves no time for stays unmeasured; the pairs that were asked are kept in the raw file.
 * Errors: those of the machine and the benchmark, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_measure_sharing_2010(const srv_stage *stage, const srv_stage_place *place,
                             servet_error *error);

/**
 * The benchmarks of a node beyond the caches of a core. Each asks place->profile for what earlier
 * ones stored there (the queries of servet/profile.h and servet/node.h), stores its facts in it,
 * writes its raw series through srv_stage_file(), says where it is by srv_stage_progress(), and
 * ends by srv_stage_deadline(): what there was no time for stays unmeasured. Errors: those of the
 * machine, SERVET_EIO, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_measure_sharing(const srv_stage *stage, const srv_stage_place *place, servet_error *error);
int srv_measure_lines(const srv_stage *stage, const srv_stage_place *place, servet_error *error);
int srv_measure_distances(const srv_stage *stage, const srv_stage_place *place,
                          servet_error *error);
int srv_measure_memory(const srv_stage *stage, const srv_stage_place *place, servet_error *error);
int srv_measure_concurrency(const srv_stage *stage, const srv_stage_place *place,
                            servet_error *error);

/** Where the stage's findings about a level go. */
srv_account srv_stage_account(const srv_stage *stage, servet_topic topic, int level);

/** When the stage must end, on the machine's clock in seconds; INFINITY where there is no limit. */
double srv_stage_deadline(const srv_stage *stage);

/**
 * Begins the raw file `name` ("distance.csv") in options->raw_dir, to be ended by
 * srv_file_commit();
 * `*wanted` is false, and nothing begun, where no raw series are kept. Errors: SERVET_EIO.
 */
int srv_stage_file(const srv_stage *stage, const char *name, srv_file *file, bool *wanted,
                   servet_error *error);

/**
 * Compares groups of cores with the sets that the OS reports: agrees where every group of two and
 * more cores is one of them, not visible where none is. `sets` is that of srv_machine_ops.objects.
 */
servet_verdict srv_judge_groups(const srv_sets *sets, const char *const *groups, int count);

/**
 * Compares the groups of a cache level with the instances that the OS reports of this very cache,
 * single cores included: agrees where every group is one of them, not visible where there are none.
 */
servet_verdict srv_judge_instances(const srv_sets *instances, const char *const *groups, int count);

/**
 * Runs the plan of a series, with the stage's seed, progress and deadline; `from` and `share`
 * (0..1) place it within the stage. The caller frees the series. Errors: those of
 * srv_bench_curve().
 */
int srv_stage_curve(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                    double share, srv_series *series, servet_error *error);

/**
 * Runs the plan of a series of visits, in the same way; the caller frees them. Errors: those of
 * srv_bench_visits().
 */
int srv_stage_visits(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                     double share, srv_visits *visits, double *huge_share, servet_error *error);

/** Writes raw visits into options->raw_dir, if there is one. Errors: SERVET_EIO. */
int srv_stage_save_visits(const srv_stage *stage, const char *what, const srv_visits *visits,
                          servet_error *error);

/** Writes a raw series into options->raw_dir, if there is one. Errors: SERVET_EIO. */
int srv_stage_save(const srv_stage *stage, const char *what, const servet_curve *curve,
                   servet_error *error);

/** Says what is being done, `within` (0..1) of the stage; non-zero ends the measurement. */
int srv_stage_progress(const srv_stage *stage, const char *what, double within);

/**
 * Sets reported_bytes, line and verdict of each level from what the OS reports. Levels are matched
 * in order and by size: the OS may report more levels than there are, or fewer.
 */
void srv_judge_caches(const srv_reported *reported, srv_cache_facts *facts);

#endif
