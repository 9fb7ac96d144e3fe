/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measuring the node the program runs on (library servet_measure).
 *
 * Only the functions of this header run benchmarks; programs that only query a profile need
 * servet/profile.h and the much smaller library servet.
 */
#ifndef SERVET_MEASURE_H
#define SERVET_MEASURE_H

#include "servet/explain.h"
#include "servet/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Progress of a measurement. */
typedef struct servet_progress {
    const char *what; /**< "caches of core 0: 1536 KiB" */
    double done;      /**< 0..1 of the planned work */
    double seconds;   /**< since the start */
} servet_progress;

/** Methods to determine caches. */
#define SERVET_APPROACH_LIST(X)                                                                    \
    X(SERVET_APPROACH_DEFAULT, "default")       /* random loads, all levels fitted at once */      \
    X(SERVET_APPROACH_SERVET2010, "servet2010") /* the method of the papers of 2010 */

/** The benchmarks of a node. */
#define SERVET_BENCHMARK_LIST(X)                                                                   \
    X(SERVET_BENCHMARK_CACHE, "cache")             /* sizes and latencies */                       \
    X(SERVET_BENCHMARK_SHARING, "sharing")         /* which cores share a cache; needs "cache" */  \
    X(SERVET_BENCHMARK_LINE, "line")               /* false-sharing granularity, cache lines */    \
    X(SERVET_BENCHMARK_DISTANCE, "distance")       /* line transfers between cores */              \
    X(SERVET_BENCHMARK_MEMORY, "memory")           /* bandwidth, contention, NUMA */               \
    X(SERVET_BENCHMARK_CONCURRENCY, "concurrency") /* memory-level parallelism */                  \
    X(SERVET_BENCHMARK_TRANSLATION, "translation") /* TLBs */                                      \
    X(SERVET_BENCHMARK_PEAK, "peak")               /* rates of floating-point operations */

#define SERVET_MEASURE_ENUM_(name, text) name,
typedef enum servet_approach {
    SERVET_APPROACH_LIST(SERVET_MEASURE_ENUM_) SERVET_APPROACH_COUNT
} servet_approach;
typedef enum servet_benchmark {
    SERVET_BENCHMARK_LIST(SERVET_MEASURE_ENUM_) SERVET_BENCHMARK_COUNT
} servet_benchmark;
#undef SERVET_MEASURE_ENUM_

/** The approach's name ("servet2010"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_approach_name(servet_approach approach);

/** The benchmark's name ("sharing"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_benchmark_name(servet_benchmark benchmark);

/**
 * True if a file of this name (without folders) is a raw series that a measurement writes: with
 * `of_job` that of the network of a job, otherwise that of a node.
 */
SERVET_API bool servet_is_series(const char *name, bool of_job);

/** Options of a measurement. Start from SERVET_MEASURE_OPTIONS_INIT. */
typedef struct servet_measure_options {
    double min_bytes; /**< smallest working set; default 4 KiB */
    /**
     * largest working set; 0: four times the largest cache the OS reports, at least 64 MiB, at most
     * a quarter of the memory this job may use
     */
    double max_bytes;
    /**
     * time limit, on the clock of the machine that is measured; facts that do not fit stay
     * unmeasured; 0: no limit. See servet_measure_cost()
     */
    double budget_seconds;
    servet_pages pages;  /**< default SERVET_PAGES_HUGE; servet2010 always uses base pages */
    long long seed;      /**< of all random orders */
    const char *raw_dir; /**< existing folder for the raw series; NULL: none are written */
    const char *command; /**< the options as the user gave them, stored in servet_run.options; may
                              be NULL */
    /** Called repeatedly from the calling thread; a non-zero result ends the measurement with
     *  SERVET_EINTERRUPTED. May be NULL. */
    int (*progress)(void *context, const servet_progress *progress);
    void *context;            /**< passed to `progress` */
    servet_approach approach; /**< method to determine caches */
    /**
     * bits 1u << SERVET_BENCHMARK_... of the benchmarks to run; those whose facts they need run,
     * too; 0: all that the approach has
     */
    unsigned only;
    double sharing_ratio; /**< servet2010: a pair that is slower together by more than this factor
                               shares the cache: 1.5 (Jornadas'10, default) or 2 (IPDPS'10) */
    const char *machine;  /**< NULL: this node; else the model of a machine to measure instead, by
                               name or file (servet-model(5)) */
    int votes;            /**< servet2010: number of best fits that vote on a capacity, as in
                               servet_2010_options; default 5 */
    /**
     * file that receives the profile of the finished benchmarks after each benchmark, replaced in
     * one step; the caller removes it. NULL: none
     */
    const char *progress_file;
    bool resume; /**< continue from progress_file if it exists: benchmarks that its
                      run.benchmarks names are not run again */
    /**
     * list to which the reasons of all decisions are added, except those of benchmarks that are not
     * run again. NULL: none
     */
    servet_findings *findings;
} servet_measure_options;

#define SERVET_MEASURE_OPTIONS_INIT                                                                \
    {                                                                                              \
        4096, 0, 0, SERVET_PAGES_HUGE, 2010, NULL, NULL, NULL, NULL, SERVET_APPROACH_DEFAULT, 0,   \
            1.5, NULL, 5, NULL, false, NULL                                                        \
    }

/** Describes this node in `*machine` without measuring. Errors: SERVET_EMACHINE, SERVET_EMEMORY. */
SERVET_API int servet_machine_here(servet_machine *machine, servet_error *error);

/**
 * Describes the machine of a model, given by name or file, in `*machine` without measuring.
 * Errors: SERVET_ENOTFOUND, SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
SERVET_API int servet_machine_of_model(const char *model, servet_machine *machine,
                                       servet_error *error);

/**
 * Calls `each` with the name of every available model and one line that describes it, or says why
 * its file cannot be read. Stops when `each` returns a value other than 0, and returns that value;
 * else 0.
 */
SERVET_API int servet_machine_models(int (*each)(void *context, const char *name,
                                                 const char *about),
                                     void *context);

/**
 * Estimates the seconds that a measurement with these options takes without a budget, on the clock
 * of the machine that is measured: `*seconds` where it is idle, `*most` where other programs
 * disturb the measurement; use that as budget. It runs only a few short probes. Errors: as
 * servet_measure().
 */
SERVET_API int servet_measure_cost(const servet_measure_options *options, double *seconds,
                                   double *most, servet_error *error);

/**
 * Measures this node within the cpuset and memory of the job, or the machine that a model
 * describes, into `*profile`, which the caller closes. The binding of the calling thread is the
 * same afterwards. Facts that do not fit into the budget stay unmeasured. Errors:
 * SERVET_EUNMEASURED (the budget is too short to detect caches), SERVET_EARGUMENT (invalid options;
 * a measurement to resume that was started on another machine, with other options or by another
 * version: the text says what differs), SERVET_EUNSUPPORTED (a benchmark that the approach does not
 * have), SERVET_ENOTFOUND and SERVET_EFORMAT (the model, the progress file), SERVET_EMACHINE,
 * SERVET_EIO, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
SERVET_API int servet_measure(const servet_measure_options *options, servet_profile **profile,
                              servet_error *error);

/* --- speed ------------------------------------------------------------------------------------ */

/** A part of a node that is slower than its class. */
typedef struct servet_slow_part {
    int core;        /**< OS number; -1: memory, read and written by all cores at once */
    double expected; /**< of the class: time of a load from the L1, s, or bandwidth, B/s */
    double found;    /**< of this node */
    servet_unit unit;
    double loss; /**< share (0..1) of its speed that it lacks */
} servet_slow_part;

enum { SERVET_SLOW_MAX = 16 };

/** The result of servet_check_speed(). */
typedef struct servet_speed {
    int cores;      /**< number of cores that were compared */
    bool memory;    /**< memory was compared */
    int unchecked;  /**< parts for which the time was too short */
    int slow_count; /**< number of slow parts; 0: nothing slow found in what was compared */
    servet_slow_part slow[SERVET_SLOW_MAX]; /**< the first of them */
    double seconds;                         /**< that it took */
} servet_speed;

/**
 * Compares the speed of this node, or of a model (`model` not NULL), with that of a node class, in
 * at most `seconds` and less where nothing is slow: each core by loads from the L1, memory by
 * copies of all cores at once. A part is slow if it is worse than the interval of the class by more
 * than the tolerance of servet_quantity_tolerance() until the time is over. What the profile does
 * not have, or has not trusted, is not compared; memory only if the class was measured on as many
 * cores. Errors: SERVET_EARGUMENT (no time), SERVET_EUNMEASURED (nothing can be compared, or not in
 * this time), those of servet_measure() for the machine.
 */
SERVET_API int servet_check_speed(const servet_profile *profile, const char *node_class,
                                  const char *model, double seconds, servet_speed *speed,
                                  servet_error *error);

/* --- again ------------------------------------------------------------------------------------ */

/**
 * Analyzes an earlier measurement again, without its hardware, from the recording in `folder` (its
 * options->raw_dir), into `*profile`, which the caller closes. With the version that measured, all
 * facts are identical. If this version needs a probe that the recording lacks, the benchmark ends
 * there, the facts that depend on it stay unmeasured, and `missing` (may be NULL) is called with
 * the benchmark and the reason. Errors: SERVET_ENOTFOUND (the folder has no recording),
 * SERVET_EFORMAT, SERVET_EIO, SERVET_EARGUMENT, SERVET_EMEMORY.
 */
SERVET_API int servet_replay(const char *folder,
                             void (*missing)(void *context, servet_benchmark benchmark,
                                             const char *why),
                             void *context, servet_profile **profile, servet_error *error);

/**
 * Like servet_replay(), and adds the reasons of all decisions to `findings`, which the caller
 * frees, also after a failure. Errors: those of servet_replay().
 */
SERVET_API int servet_explain_replay(
    const char *folder, void (*missing)(void *context, servet_benchmark benchmark, const char *why),
    void *context, servet_profile **profile, servet_findings *findings, servet_error *error);

/**
 * Analyzes the network measurement of a job again, from the recording that `servet-mpi measure`
 * wrote into `folder`, and stores the results in `*profile`. Pass the profile that servet_replay()
 * made from the same folder (of the job's first node), or NULL to get a new profile that lists the
 * nodes of the job; the caller closes it. `missing` is called with the name of the benchmark
 * ("curves"). Errors: as servet_replay(). After a failure a new profile does not exist, a given one
 * may contain some results.
 */
SERVET_API int servet_replay_network(const char *folder,
                                     void (*missing)(void *context, const char *benchmark,
                                                     const char *why),
                                     void *context, servet_profile **profile, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
