/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measuring the node the program runs on (library servet_measure).
 *
 * Only this header leads to benchmarks; programs that just ask a profile need servet/profile.h and
 * the much smaller library servet.
 */
#ifndef SERVET_MEASURE_H
#define SERVET_MEASURE_H

#include "servet/explain.h"
#include "servet/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How far a measurement is. */
typedef struct servet_progress {
    const char *what;  /**< "caches of core 0: 1536 KiB" */
    double done;       /**< 0..1 of the planned work */
    double seconds;    /**< since the start */
} servet_progress;

/** How the caches are found. */
#define SERVET_APPROACH_LIST(X)                                                                    \
    X(SERVET_APPROACH_DEFAULT, "default")       /* random loads, all levels fitted at once */      \
    X(SERVET_APPROACH_SERVET2010, "servet2010") /* as the papers of 2010 print it */

/** What can be measured. */
#define SERVET_BENCHMARK_LIST(X)                                                                   \
    X(SERVET_BENCHMARK_CACHE, "cache")             /* sizes and latencies */                       \
    X(SERVET_BENCHMARK_SHARING, "sharing")         /* who shares a cache; needs the caches' sizes */ \
    X(SERVET_BENCHMARK_LINE, "line")               /* coherence block, line of each cache */       \
    X(SERVET_BENCHMARK_DISTANCE, "distance")       /* between cores */                             \
    X(SERVET_BENCHMARK_MEMORY, "memory")           /* bandwidth alone and together, NUMA */        \
    X(SERVET_BENCHMARK_CONCURRENCY, "concurrency") /* memory-level parallelism */                  \
    X(SERVET_BENCHMARK_TRANSLATION, "translation") /* TLBs */

#define SERVET_MEASURE_ENUM_(name, text) name,
typedef enum servet_approach {
    SERVET_APPROACH_LIST(SERVET_MEASURE_ENUM_) SERVET_APPROACH_COUNT
} servet_approach;
typedef enum servet_benchmark {
    SERVET_BENCHMARK_LIST(SERVET_MEASURE_ENUM_) SERVET_BENCHMARK_COUNT
} servet_benchmark;
#undef SERVET_MEASURE_ENUM_

/** The approach's name ("servet2010"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_approach_name(servet_approach approach);

/** The benchmark's name ("sharing"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_benchmark_name(servet_benchmark benchmark);

/**
 * Whether a file of this name, without folders, is a raw series that measuring leaves: with `of_job`
 * of the network of a job, else of a node.
 */
SERVET_API bool servet_is_series(const char *name, bool of_job);

/** What to measure and how. Start from SERVET_MEASURE_OPTIONS_INIT. */
typedef struct servet_measure_options {
    double min_bytes;      /**< smallest working set; default 4 KiB */
    double max_bytes;      /**< largest working set; 0: four times the largest cache the OS reports, at
                                least 64 MiB, never over a quarter of the memory this job may use */
    double budget_seconds; /**< stop refining in time to end within this, on the clock of the machine
                                that is measured; 0: no limit. See servet_measure_cost() */
    servet_pages pages;    /**< default SERVET_PAGES_HUGE; servet2010 always walks base pages */
    long long seed;        /**< of all random orders */
    const char *raw_dir;   /**< existing folder for the raw series, or NULL to keep none */
    const char *command;   /**< the options as the user gave them, for the record; may be NULL */
    /** Called now and then from the calling thread; a non-zero answer ends the measurement with
     *  SERVET_EINTERRUPTED. May be NULL. */
    int (*progress)(void *context, const servet_progress *progress);
    void *context;
    servet_approach approach; /**< how the caches are found */
    unsigned only;         /**< 1u << SERVET_BENCHMARK_... of those wanted, which run with those whose
                                facts they need; 0: all that the approach has */
    double sharing_ratio;  /**< servet2010: a pair slower together by more than this shares the
                                cache: 1.5 (Jornadas'10, default) or 2 (IPDPS'10) */
    const char *machine;   /**< NULL: this node; else the model of a machine to measure instead, by
                                name or file (servet-model(5)) */
    int votes;             /**< servet2010: best fits that vote on a capacity, as in
                                servet_2010_options; default 5 */
    const char *progress_file; /**< where the profile so far is kept, written whole after each
                                benchmark; it is the caller's to remove. NULL: nowhere */
    bool resume;           /**< go on from what progress_file holds, if it is there: the benchmarks it
                                names in run.benchmarks are not run again */
    servet_findings *findings; /**< where the reasons of all decisions go, added to what it holds; those
                                of benchmarks that are not run again are not among them. NULL: nowhere */
} servet_measure_options;

#define SERVET_MEASURE_OPTIONS_INIT                                                                \
    {                                                                                              \
        4096, 0, 0, SERVET_PAGES_HUGE, 2010, NULL, NULL, NULL, NULL, SERVET_APPROACH_DEFAULT, 0,   \
            1.5, NULL, 5, NULL, false, NULL                                                        \
    }

/** Describes this node without measuring. Errors: SERVET_EMACHINE, SERVET_EMEMORY. */
SERVET_API int servet_machine_here(servet_machine *machine, servet_error *error);

/**
 * Describes the machine that a model, by name or file, stands for, without measuring.
 * Errors: SERVET_ENOTFOUND, SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
SERVET_API int servet_machine_of_model(const char *model, servet_machine *machine,
                                       servet_error *error);

/**
 * Gives `each` the name of every model that a name can stand for, and in a line what machine it is,
 * or why the file cannot be read, until it answers other than 0. Result: 0, or that answer.
 */
SERVET_API int servet_machine_models(int (*each)(void *context, const char *name,
                                                 const char *about),
                                     void *context);

/**
 * Seconds that what the options ask for takes on the machine they name, on its own clock, where no
 * budget cuts it: a good budget. Nothing is measured, but a few glances. Errors: as servet_measure().
 */
SERVET_API int servet_measure_cost(const servet_measure_options *options, double *seconds,
                                   servet_error *error);

/**
 * Measures this node within the cpuset and memory the job has, or the machine that a model
 * describes, and hands over the profile, which the caller closes. The calling thread's binding is
 * left as it was. What the budget has no time for stays unmeasured.
 * Errors: SERVET_EUNMEASURED (no time to tell whether there are caches), SERVET_EARGUMENT (also for a
 * measurement to resume that was begun elsewhere, with other options or by another version: the text
 * says what differs), SERVET_EUNSUPPORTED (a benchmark that the approach has not),
 * SERVET_ENOTFOUND and SERVET_EFORMAT (the model, the progress file), SERVET_EMACHINE, SERVET_EIO,
 * SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
SERVET_API int servet_measure(const servet_measure_options *options, servet_profile **profile,
                              servet_error *error);

/**
 * Decides an earlier measurement again, without its hardware, from the raw series that it kept in
 * `folder` (options->raw_dir), and hands over the profile, which the caller closes. By the version that
 * measured, the facts are the same to the last digit. Of questions that this version asks and that one
 * did not, the facts stay unmeasured, and `untold`, which may be NULL, is told which benchmark that cut
 * short and why. Errors: SERVET_ENOTFOUND (there is no record), SERVET_EFORMAT, SERVET_EIO,
 * SERVET_EARGUMENT, SERVET_EMEMORY.
 */
SERVET_API int servet_replay(const char *folder,
                             void (*untold)(void *context, servet_benchmark benchmark,
                                            const char *why),
                             void *context, servet_profile **profile, servet_error *error);

/**
 * Does what servet_replay() does and says why: the reasons of all decisions are added to `findings`,
 * which the caller frees, also after a failure. Errors: those of servet_replay().
 */
SERVET_API int servet_explain_replay(const char *folder,
                                     void (*untold)(void *context, servet_benchmark benchmark,
                                                    const char *why),
                                     void *context, servet_profile **profile,
                                     servet_findings *findings, servet_error *error);

/**
 * Decides what a job has found out of its network again, from the raw series that `servet-mpi
 * measure` kept, and stores it in `*profile`: that which servet_replay() made of the same folder, of
 * the job's first node, or where that is NULL a new one that lists the nodes of the job, and which the
 * caller closes. `untold` is told the name of the benchmark ("curves"). Errors: as above; a new
 * profile is then none, a given one may hold some of it.
 */
SERVET_API int servet_replay_network(const char *folder,
                                     void (*untold)(void *context, const char *benchmark,
                                                    const char *why),
                                     void *context, servet_profile **profile, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
