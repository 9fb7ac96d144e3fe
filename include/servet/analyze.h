/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * From measured series to facts, without hardware: pure functions, no clock, no threads.
 *
 * servet_analyze_cache() reads a latency curve (average time of one load against the size of the
 * working set) and says which cache levels it shows. It is what `servet measure` uses on its own
 * series and what `servet analyze cache` offers for anybody's curve.
 *
 * servet_analyze_layers() reads what it costs to reach each core from each other one and says which
 * cores are near one another, in nested layers.
 */
#ifndef SERVET_ANALYZE_H
#define SERVET_ANALYZE_H

#include <stdbool.h>
#include <stddef.h>
#include "servet/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A latency curve: `latency[i]` is the average time of one load when `bytes[i]` bytes are visited.
 * Sizes are strictly ascending and positive, latencies positive and finite. `low`/`high` are the 95 %
 * interval of each latency; both are NULL where only one figure per size is known.
 */
typedef struct servet_curve {
    size_t n;
    double *bytes;
    double *latency;
    double *low, *high;
    servet_unit unit; /**< of the latencies: SERVET_UNIT_SECOND or SERVET_UNIT_CYCLE */
} servet_curve;

#define SERVET_CURVE_INIT {0, NULL, NULL, NULL, NULL, SERVET_UNIT_SECOND}

/**
 * Reads a CSV file with the header `bytes,ns` or `bytes,cycles`, or with two more columns,
 * `,low,high`. Sizes must ascend, at least two rows, every number
 * finite and positive. Lines that begin with '#' and empty lines are skipped. The times of the
 * curve are seconds.
 *
 * On success `*curve` owns its arrays until servet_curve_free(). Errors: SERVET_ENOTFOUND,
 * SERVET_EIO, SERVET_EFORMAT (file and line say where), SERVET_EMEMORY.
 */
SERVET_API int servet_curve_read(const char *path, servet_curve *curve, servet_error *error);

/** Writes the curve in the format servet_curve_read() takes; the file appears whole or not at all. */
SERVET_API int servet_curve_write(const char *path, const servet_curve *curve, servet_error *error);

/** Frees the arrays and leaves SERVET_CURVE_INIT behind. NULL and an initial curve are fine. */
SERVET_API void servet_curve_free(servet_curve *curve);

enum { SERVET_CACHE_LEVELS_MAX = 8, SERVET_RATES_MAX = 4, SERVET_CURVE_POINTS_MIN = 4 };

/**
 * All that is known about one core's loads. Only `lines` is needed; each further series lets the
 * analysis tell apart what one curve cannot.
 */
typedef struct servet_cache_evidence {
    /** Dependent loads in random order over all lines of the working set. */
    const servet_curve *lines;

    /**
     * The same with one line per page; `bytes` is the span (pages x page_bytes), or NULL. A TLB step
     * stays at its span here, while the cache footprint is page_bytes / line_bytes times smaller.
     */
    const servet_curve *pages;

    /**
     * The `lines` pattern at other access rates (a delay between loads, or independent chains; time
     * per load). A capacity stays where it is, the reach of a cache that others turn over moves.
     */
    const servet_curve *rates[SERVET_RATES_MAX];
    int rate_count;

    /**
     * Loads of random lines, each chosen anew and after the one before has answered, so that no order comes
     * back; or NULL. They hit a cache in proportion to what it holds, whatever its replacement: capacities
     * come from here where it is given, and of `lines` only the latency of the nearest cache is used.
     */
    const servet_curve *independent;

    double page_bytes; /**< of the pages the loads went through; 0: unknown */
    double line_bytes; /**< between neighbouring loads of `lines`; 0: unknown */
} servet_cache_evidence;

/** What kind of boundary a level ends at. */
#define SERVET_CACHE_KIND_LIST(X)                                                                  \
    X(SERVET_CACHE_CAPACITY, "capacity") /* the cache holds this many bytes */                     \
    X(SERVET_CACHE_TURNOVER, "turnover") /* shared, churned by others: reachable low..high only */

#define SERVET_KIND_ENUM_(name, text) name,
typedef enum servet_cache_kind {
    SERVET_CACHE_KIND_LIST(SERVET_KIND_ENUM_) SERVET_CACHE_KIND_COUNT
} servet_cache_kind;
#undef SERVET_KIND_ENUM_

/** The kind's name ("turnover"); "?" for a number that is no kind. Static storage. */
SERVET_API const char *servet_cache_kind_name(servet_cache_kind kind);

/** One level found in a curve. */
typedef struct servet_cache_level {
    int level;              /**< 1 for the fastest */
    servet_cache_kind kind;
    /**
     * Capacity as seen by one core. `value` is a size that caches are built with where the curve
     * lets one be likely, else the raw estimate; low..high holds the capacity with a probability of
     * 95 %. Trusted if `value` is right within 10 % with a probability of 80 %. For
     * SERVET_CACHE_TURNOVER `value` is what this access rate reached, low..high what other rates
     * did.
     */
    servet_value bytes;
    double reachable_bytes; /**< the raw estimate of the fit: where the curve has its knee */
    servet_value latency;   /**< of a load that hits this level, in the curve's unit */
    /**
     * Probability, 0..1, that the machine has this level (it is not noise, TLB or prefetching) and
     * that its capacity is `bytes` within 10 %; of a SERVET_CACHE_TURNOVER that it has the level.
     */
    double confidence;
} servet_cache_level;

/** A step of address translation: span (bytes) it covers and what a miss adds, in the curve's unit. */
typedef struct servet_tlb_step {
    servet_value bytes;
    servet_value penalty;
} servet_tlb_step;

/** All that the evidence says. Plain data, nothing to free. */
typedef struct servet_cache_analysis {
    int level_count;
    servet_cache_level level[SERVET_CACHE_LEVELS_MAX];
    int tlb_count;
    servet_tlb_step tlb[SERVET_CACHE_LEVELS_MAX];
    servet_value memory_latency; /**< of a load that misses all levels; unknown if not reached */
} servet_cache_analysis;

/**
 * Finds the cache levels (see share/doc/detection.md for the model and why).
 *
 * Errors: SERVET_EARGUMENT for a curve that breaks the rules above or has fewer than
 * SERVET_CURVE_POINTS_MIN points,
 * SERVET_EMEMORY. A flat curve is no error: level_count is 0.
 */
SERVET_API int servet_analyze_cache(const servet_cache_evidence *evidence,
                                    servet_cache_analysis *analysis, servet_error *error);

/* --- why ------------------------------------------------------------------------------------- */

/** What a reason is about, its name, and what its numbers mean. */
#define SERVET_REASON_LIST(X)                                                                      \
    X(SERVET_REASON_PATTERN,                                                                       \
      "pattern")                  /* as random loads it would cost `value`, as a chase `limit` */  \
    X(SERVET_REASON_RISE, "rise") /* a step raises its plateau `value` times; `limit` needed */    \
    X(SERVET_REASON_JOIN,                                                                          \
      "join") /* a step `value` octaves from the one it is a part of; below `limit` */             \
    X(SERVET_REASON_ANOTHER,                                                                       \
      "another") /* one more step would save a cost of `value`; `limit` needed */                  \
    X(SERVET_REASON_CAPACITY, "capacity") /* a size costs `value` more than the cheapest; `limit`  \
                                             makes it exp(-1/2) as likely */                       \
    X(SERVET_REASON_TURNOVER,                                                                      \
      "turnover") /* other rates reach `value` times as far; `limit` needed */

#define SERVET_KIND_ENUM_(name, text) name,
typedef enum servet_reason_kind {
    SERVET_REASON_LIST(SERVET_KIND_ENUM_) SERVET_REASON_KIND_COUNT
} servet_reason_kind;
#undef SERVET_KIND_ENUM_

/** The kind's name ("rise"); "?" for a number that is no kind. Static storage. */
SERVET_API const char *servet_reason_kind_name(servet_reason_kind kind);

/** One thing that was weighed. */
typedef struct servet_reason {
    servet_reason_kind kind;
    int level;           /**< of the analysis, counted from 1, that it decides on; 0: none */
    double bytes;        /**< where the step is, or the size that was weighed; 0 of a pattern */
    double value, limit; /**< what was compared, see SERVET_REASON_LIST */
    double prior;        /**< of a capacity: logarithm of how common that size is, else 0 */
    double share;        /**< of a capacity: its probability, else 0 */
    const char
        *rule; /**< the constant that decided, as share/doc/detection.md names it; static storage */
    bool accepted; /**< it is a cache, it is the size said, it turns over, these are random loads */
} servet_reason;

/**
 * What was compared, as a clause for people that names the level's fate but neither its size nor the rule
 * ("times its plateau: 5.89, needed: 1.6: a cache"), in at most `size` bytes. Returns `text`.
 */
SERVET_API const char *servet_reason_text(const servet_reason *reason, char *text, size_t size);

/** Why an analysis says what it says: level by level, in the order of sizes. */
typedef struct servet_explanation {
    size_t n;
    servet_reason *reason;
} servet_explanation;

#define SERVET_EXPLANATION_INIT                                                                    \
    {                                                                                              \
        0, NULL                                                                                    \
    }

/**
 * Does what servet_analyze_cache() does and says why: which pattern was taken, every step that the
 * curve shows with the rule that made it a cache or not, where one step more would have helped
 * most, and of every level the sizes that were weighed (those of a probability of 1 % at least).
 *
 * On success `*explanation` owns its reasons until servet_explanation_free(); it is untouched
 * otherwise, and may be NULL if nobody wants to know. Errors: those of servet_analyze_cache().
 */
SERVET_API int servet_explain_cache(const servet_cache_evidence *evidence,
                                    servet_cache_analysis *analysis,
                                    servet_explanation *explanation, servet_error *error);

/** Frees the reasons and leaves SERVET_EXPLANATION_INIT behind. NULL and an initial one are fine.
 */
SERVET_API void servet_explanation_free(servet_explanation *explanation);

/* --- layers of cores ------------------------------------------------------------------------- */

enum { SERVET_LAYERS_MAX = 16, SERVET_MATRIX_MAX = 16384 };

/** Costs beyond these are none. */
#define SERVET_COST_MIN 1e-15
#define SERVET_COST_MAX 1e15

/**
 * What it costs to get from each of `n` cores (or ranks, or nodes) to each other one: the time to fetch
 * a line that the other one modified, or of a message. Any unit in which farther is more.
 */
typedef struct servet_matrix {
    size_t n;
    /** n * n numbers by rows: cost[i * n + j] is between i and j, as i measured it. Numbers
     *  outside SERVET_COST_MIN..SERVET_COST_MAX, so 0 and NaN, say "not measured"; the diagonal is not
     *  looked at. */
    double *cost;
    servet_unit unit; /**< of the costs; SERVET_UNIT_NONE where nobody says */
} servet_matrix;

#define SERVET_MATRIX_INIT {0, NULL, SERVET_UNIT_NONE}

/**
 * Reads a CSV file of n rows with n numbers each, without a header. An empty field, 0 or `nan` is "not
 * measured"; what the diagonal holds does not matter. Lines that begin with '#' and empty lines
 * are skipped, so that the matrix of a single core is "0".
 *
 * On success `*matrix` owns its numbers until servet_matrix_free(); the unit is SERVET_UNIT_NONE.
 * Errors: SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT (file and line say where: not a number,
 * infinite or negative; rows of different lengths; not square; empty; over SERVET_MATRIX_MAX
 * columns), SERVET_EMEMORY.
 */
SERVET_API int servet_matrix_read(const char *path, servet_matrix *matrix, servet_error *error);

/** Frees the numbers and leaves SERVET_MATRIX_INIT behind. NULL and an initial matrix are fine. */
SERVET_API void servet_matrix_free(servet_matrix *matrix);

/** One layer: the pairs of cores that are in one group here, but in none of the layer before. */
typedef struct servet_layer {
    servet_value cost;    /**< of a typical pair of the layer (median), in the matrix's unit */
    double near, far;     /**< nine of ten pairs cost between these */
    double confidence;    /**< 0..1 that the layer is real and not noise or a gradient */
    int group_count;
    /** Of each of the n cores the number of its group, 0..group_count-1 in the order of their first
     *  members. A group is a set in which each core reaches each other one by this layer or a nearer
     *  one; a core that has nobody there is a group of its own. */
    int *group;
} servet_layer;

/**
 * The layers, nearest first. Each layer's groups are unions of the groups before. The last layer is all
 * that was measured: one group, or several that no measured pair connects.
 */
typedef struct servet_layers {
    size_t n;        /**< cores */
    int layer_count; /**< 0 where no pair was measured, as for a single core */
    servet_layer layer[SERVET_LAYERS_MAX];
} servet_layers;

/**
 * Groups cores into layers (share/doc/detection.md has the model and why). Of the two directions of a
 * pair the cheaper counts: disturbances only ever add. The numbering of the cores means nothing.
 * Takes time in proportion to n * n, and at its peak n * n * 4 bytes beside the matrix.
 *
 * On success `*layers` owns its groups until servet_layers_free(). Errors: SERVET_EARGUMENT (no core,
 * or more than SERVET_MATRIX_MAX), SERVET_EMEMORY.
 */
SERVET_API int servet_analyze_layers(const servet_matrix *matrix, servet_layers *layers,
                                     servet_error *error);

/** Frees the groups and leaves no layer behind. NULL is fine, and so is a struct that is all zero. */
SERVET_API void servet_layers_free(servet_layers *layers);

/* --- the method of the papers ---------------------------------------------------------------- */

enum { SERVET_2010_VOTES_MAX = 64 };

/** What the papers' method has to be told. Start from SERVET_2010_OPTIONS_INIT. */
typedef struct servet_2010_options {
    double page_bytes; /**< of the pages the walk went through */
    int votes;         /**< best fits that vote on a capacity: 5 (IPDPS'10), or 1 (Jornadas'10:
                            the best alone); at most SERVET_2010_VOTES_MAX */
} servet_2010_options;

#define SERVET_2010_OPTIONS_INIT {4096, 5}

/**
 * Finds the cache levels as the papers on Servet print it (IPDPS'10, Figs. 3 and 4): gradients and,
 * where pages are placed at random, the probabilistic algorithm. Meant for a walk every 1 KiB over
 * the papers' sizes, for comparison; its known limits (large caches read 6 to 12 % low, sizes
 * between those of the grid cannot be named) are in share/doc/servet2010.md. Of each level,
 * `confidence` is the share of the rise or of the votes that decided it; values that need the end
 * of a curve that still rises there are not trusted.
 *
 * Errors: SERVET_EARGUMENT as for servet_analyze_cache(), or for options out of range. A flat curve
 * is no error: level_count is 0.
 */
SERVET_API int servet_analyze_cache_2010(const servet_curve *curve,
                                         const servet_2010_options *options,
                                         servet_cache_analysis *analysis, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
