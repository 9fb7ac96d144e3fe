/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts about the caches of a core. */
#ifndef SRV_FACTS_CACHE_STAGE_PARTS_H
#define SRV_FACTS_CACHE_STAGE_PARTS_H

#include "facts/cache/benchmark_curve.h"
#include "machine/machine.h"
#include "run/stage.h"
#include "servet/node.h"

/** All cache facts of one core. */
typedef struct srv_cache_facts {
    servet_cache cache[SERVET_CACHE_LEVELS_MAX];
    int count;
    double reached_bytes;    /**< largest working set there was time for */
    double unseen_bytes;     /**< largest reported cache that matches no level; 0: none */
    double doubtful_bytes;   /**< a level whose size is not trusted, and that the OS, which reports
                                others, does not report or reports as smaller; 0: none */
    double translated_bytes; /**< largest span whose translation there was time to measure; 0: no
                                part of the method */
    bool may_hide_cache;     /**< memory may be a cache that the OS does not report */
    servet_value memory_latency; /**< s */
    servet_value frequency;      /**< of the core while it was measured; Hz */
    servet_value huge_share;     /**< of the arrays (0..1), on huge pages */
} srv_cache_facts;

/** Runs the plan of a series, with the stage's seed, progress and deadline; `from` and `share`
 * (0..1) place it within the stage. The caller frees the series. Errors: those of
 * srv_bench_curve(). */
int srv_stage_curve(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                    double share, srv_series *series, servet_error *error);

/** Runs the plan of a series of visits, in the same way; the caller frees them. Errors: those of
 * srv_bench_visits(). */
int srv_stage_visits(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                     double share, srv_visits *visits, double *huge_share, servet_error *error);

/** A latency in seconds or cycles, by the frequency at the moment of the measurement, because it
 * changes; unknown if the latency is, or if it must be converted and the frequency is unknown. */
servet_value srv_latency_in(servet_value time, servet_unit unit, double ghz);

/** The fact of a level of a curve, in seconds or cycles, measured at that frequency. */
servet_cache srv_cache_fact(const servet_cache_level *level, double ghz);

/** Repeats of a quantity times `scale` in this unit; unknown without a median. */
servet_value srv_cache_seen(const srv_spread *spread, double scale, servet_unit unit);

/** Writes raw visits into options->raw_dir, if there is one. Errors: SERVET_EIO. */
int srv_stage_save_visits(const srv_stage *stage, const char *what, const srv_visits *visits,
                          servet_error *error);

/** Writes a raw series into options->raw_dir, if there is one. Errors: SERVET_EIO. */
int srv_stage_save(const srv_stage *stage, const char *what, const servet_curve *curve,
                   servet_error *error);

/** Sets reported_bytes, line and verdict of each level from what the OS reports, unseen_bytes and
 * doubtful_bytes. Levels are matched in order and by size: the OS may report more levels than there
 * are, or fewer. A capacity that only a curve shows is not trusted if it is less than reported, or
 * if it is that of the last level and more by less than an octave: a level behind that the OS hides
 * may add to it. One that conflicts counted is not trusted if it is just one way off the report, or
 * if the report is what the curve says. */
void srv_compare_caches(const srv_reported *reported, srv_cache_facts *facts);

/** After srv_compare_caches(): if the last level is a part of the last cache that the system
 * reports, that is no size but what others leave to one core (SERVET_CACHE_TURNOVER). `exists` is
 * the probability (0..1) by the curve that the level is there; the report makes it surer. */
void srv_take_last_as_share(const srv_reported *reported, double exists, srv_cache_facts *facts);

/** The largest working set of a core, in bytes, of a job that may use `memory` bytes: requirement
 * C1. */
double srv_largest_working_set(srv_machine *machine, const servet_measure_options *options,
                               int core, double memory);

/** Measures the caches that `core` sees with working sets of min_bytes..max_bytes, and writes the
 * raw series into options->raw_dir. `facts` has the levels of an earlier look, or none: what was
 * counted then is not counted again. Errors: those of the machine and the benchmarks,
 * SERVET_EIO. */
int srv_measure_caches(const srv_stage *stage, int core, double max_bytes, srv_cache_facts *facts,
                       servet_error *error);

#endif
