/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measures the node on which the program runs (library servet_measure).
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
    double seconds;   /**< time since the start */
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
    X(SERVET_BENCHMARK_SYNC, "sync")     /* atomics, locks, barriers; needs "distance" */          \
    X(SERVET_BENCHMARK_LOADED, "loaded") /* latency of memory while others load it */              \
    X(SERVET_BENCHMARK_PEAK, "peak")     /* rates of floating-point operations */                  \
    X(SERVET_BENCHMARK_ACCELERATORS, "accelerators") /* copies from and to GPUs */

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
 * True if a measurement writes a raw series to a file of this name (without folders): with
 * `of_job`, the measurement of a job's network, otherwise the measurement of a node.
 */
SERVET_API bool servet_is_series(const char *name, bool of_job);

/** Options of a measurement. Start from SERVET_MEASURE_OPTIONS_INIT. */
typedef struct servet_measure_options {
    double min_bytes; /**< smallest working set; default 4 KiB */
    /**
     * largest working set; 0: four times the largest cache that the OS reports, at least 64 MiB,
     * but at most a quarter of the memory that this job may use
     */
    double max_bytes;
    /**
     * time limit, on the clock of the machine that is measured; facts that do not fit stay
     * unmeasured; 0: no limit. See servet_measure_cost()
     */
    double budget_seconds;
    servet_pages pages;  /**< default SERVET_PAGES_HUGE; servet2010 always uses base pages */
    long long seed;      /**< seed of all random orders */
    const char *raw_dir; /**< existing folder for the raw series; NULL: none are written */
    const char *command; /**< the options as the user gave them, stored in servet_run.options; may
                              be NULL */
    /** Called repeatedly from the calling thread; a non-zero result ends the measurement with
     *  SERVET_EINTERRUPTED. May be NULL. */
    int (*progress)(void *context, const servet_progress *progress);
    void *context;            /**< passed to `progress` */
    servet_approach approach; /**< method to determine caches */
    /**
     * bits 1u << SERVET_BENCHMARK_... of the benchmarks to run; benchmarks whose facts these need
     * are run, too; 0: all benchmarks of the approach
     */
    unsigned only;
    double sharing_ratio; /**< servet2010: two cores share a cache if they slow each other down by
                             more than this factor: 1.5 (Jornadas'10, default) or 2 (IPDPS'10) */
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
     * list to which the reasons of all decisions are added, except for benchmarks that are not run
     * again. NULL: no list
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
 * Estimates the duration in seconds of a measurement with these options and without a budget, on
 * the clock of the machine that is measured: `*seconds` on an idle machine, `*most` if other
 * programs disturb the measurement. Use `*most` as the budget. Only a few short probes are run.
 * Errors: as servet_measure().
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
    double expected; /**< the class's time of a load from the L1, s, or its bandwidth, B/s */
    double found;    /**< the same of this node */
    servet_unit unit;
    double loss; /**< share (0..1) of the expected speed that the part lacks */
} servet_slow_part;

enum { SERVET_SLOW_MAX = 16 };

/** The result of servet_check_speed(). */
typedef struct servet_speed {
    int cores;      /**< number of cores that were compared */
    bool memory;    /**< memory was compared */
    int unchecked;  /**< parts for which the time was too short */
    int slow_count; /**< number of slow parts; 0: nothing slow found in what was compared */
    servet_slow_part slow[SERVET_SLOW_MAX]; /**< the first slow parts */
    double seconds;                         /**< duration of the check */
} servet_speed;

/**
 * Compares the speed of this node, or of a model (`model` not NULL), with the speed of a node
 * class. It takes at most `seconds`, and less if nothing is slow. Loads from the L1 test each core;
 * copies by all cores at once test memory. A part is slow if, until the time is over, it stays
 * worse than the interval of the class by more than servet_quantity_tolerance(). Facts that the
 * profile does not have, or does not trust, are not compared; memory is compared only if the class
 * was measured on the same number of cores. Errors: SERVET_EARGUMENT (no time), SERVET_EUNMEASURED
 * (nothing can be compared, or not in this time), those of servet_measure() for the machine.
 */
SERVET_API int servet_check_speed(const servet_profile *profile, const char *node_class,
                                  const char *model, double seconds, servet_speed *speed,
                                  servet_error *error);

/* --- replay----------------------------------------------------------------------------------- */

/**
 * Analyzes an earlier measurement again, without its hardware, from the recording in `folder` (its
 * options->raw_dir), into `*profile`, which the caller closes. The version of Servet that measured
 * gets identical facts. If this version needs a probe that the recording does not have, the
 * benchmark ends there, the facts that depend on it stay unmeasured, and `missing` (may be NULL) is
 * called with the benchmark and the reason. Errors: SERVET_ENOTFOUND (the folder has no recording),
 * SERVET_EFORMAT, SERVET_EIO, SERVET_EARGUMENT, SERVET_EMEMORY.
 */
SERVET_API int servet_replay(const char *folder,
                             void (*missing)(void *context, servet_benchmark benchmark,
                                             const char *why),
                             void *context, servet_profile **profile, servet_error *error);

/**
 * Does what servet_replay() does, and adds the reasons of all decisions to `findings`, which the
 * caller frees, even after a failure. Errors: those of servet_replay().
 */
SERVET_API int servet_explain_replay(
    const char *folder, void (*missing)(void *context, servet_benchmark benchmark, const char *why),
    void *context, servet_profile **profile, servet_findings *findings, servet_error *error);

/**
 * Analyzes the network measurement of a job again, from the recording that `servet-mpi measure`
 * wrote into `folder`, and stores the results in `*profile`. Pass the profile that servet_replay()
 * made from the same folder (of the job's first node), or NULL to get a new profile that lists the
 * nodes of the job; the caller closes it. `missing` is called with the name of the benchmark
 * ("curves"). Errors: as servet_replay(). After a failure, there is no new profile, but a profile
 * that was passed may contain some of the results.
 */
SERVET_API int servet_replay_network(const char *folder,
                                     void (*missing)(void *context, const char *benchmark,
                                                     const char *why),
                                     void *context, servet_profile **profile, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
