/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Analysis of measured series without hardware: pure functions, no clock, no threads.
 *
 * servet_analyze_cache() finds cache levels in a latency curve: the average time of one load
 * against the size of the working set. `servet measure` applies it to its own series, `servet
 * analyze cache` to curves that other tools measured.
 *
 * servet_analyze_layers() finds nested layers of near cores in a matrix of costs between cores.
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
 * A latency curve: `latency[i]` is the average time of one load in a working set of `bytes[i]`
 * bytes. Sizes are strictly ascending, positive and 2^50 (1 PiB) at most, latencies positive and
 * finite. `low` and `high` are the 95 % interval of each latency; both are NULL if intervals are
 * not known. Arrays have n elements.
 */
typedef struct servet_curve {
    size_t n;
    double *bytes;
    double *latency;
    double *low, *high;
    servet_unit unit; /**< unit of the latencies: SERVET_UNIT_SECOND or SERVET_UNIT_CYCLE */
} servet_curve;

#define SERVET_CURVE_INIT                                                                          \
    {                                                                                              \
        0, NULL, NULL, NULL, NULL, SERVET_UNIT_SECOND                                              \
    }

/**
 * Reads a CSV file of at most 16 MiB with the header `bytes,ns` or `bytes,cycles`, or with two more
 * columns, `,low,high`. It must have at least two rows, with ascending sizes up to 1 PiB and finite
 * positive numbers; times become seconds. Lines that begin with '#' and empty lines are skipped.
 * The path "-" is standard input.
 *
 * On success `*curve` owns its arrays until servet_curve_free(). Errors: SERVET_ENOTFOUND,
 * SERVET_EIO, SERVET_EFORMAT (file and line say where, in a binary file the line of the first NUL;
 * without a line: it is empty or too large), SERVET_EMEMORY.
 */
SERVET_API int servet_curve_read(const char *path, servet_curve *curve, servet_error *error);

/** Facts that the output of some tools leaves out. */
typedef struct servet_printed {
    const char *unit;    /**< unit of the times in the file: "ns", "us", "s" or "cycles"; NULL: the
                            file names it */
    double base_latency; /**< the latency that tinymembench subtracts from all others; s; 0: not
                            known */
} servet_printed;

/**
 * Reads a curve from a file in the format of servet_curve_read(), or from the output of another
 * tool: lat_mem_rd of lmbench, tinymembench, osu_latency (and similar programs that print a latency
 * for each size) or NetPIPE. There may be other lines around the table, which ends at the first
 * line that is not one of its points. If there are several tables, the last one is read. A file of
 * no such tool has lines with a size (B, or with K, M, G) and a time, as a loop over runs of
 * multichase prints them. The path "-" is standard input. Sizes of 0 are skipped.
 *
 * Errors: those of servet_curve_read(); SERVET_EARGUMENT (a member of `printed` is missing, or is
 * given but has no effect: the text says which).
 */
SERVET_API int servet_curve_read_printed(const char *path, const servet_printed *printed,
                                         servet_curve *curve, servet_error *error);

/** Writes the curve in the format that servet_curve_read() reads; replaces the file in one step.
 *  Errors: SERVET_EIO, SERVET_EMEMORY. */
SERVET_API int servet_curve_write(const char *path, const servet_curve *curve, servet_error *error);

/** Frees the arrays and resets the curve to SERVET_CURVE_INIT. NULL and an empty curve are allowed.
 */
SERVET_API void servet_curve_free(servet_curve *curve);

enum { SERVET_CACHE_LEVELS_MAX = 8, SERVET_RATES_MAX = 4, SERVET_CURVE_POINTS_MIN = 4 };

/**
 * The series measured on one core. Only `lines` is required; each further series lets the analysis
 * distinguish cases that one curve cannot.
 */
typedef struct servet_cache_evidence {
    /** Dependent loads in random order over all lines of the working set. */
    const servet_curve *lines;

    /**
     * Dependent loads of one line per page, or NULL; `bytes` is the span, pages x page_bytes. A
     * step by a TLB is at the same span in both curves. The lines that this curve needs in the
     * caches are page_bytes / line_bytes times fewer.
     */
    const servet_curve *pages;

    /**
     * The pattern of `lines` at other access rates (with a delay between loads, or with several
     * independent chains); time per load. A capacity is at the same size in all of these curves. In
     * a turnover, the size that a program can reach changes with the rate.
     */
    const servet_curve *rates[SERVET_RATES_MAX];
    int rate_count;

    /**
     * Independent random loads, or NULL: each line is drawn anew, and loaded after the previous
     * load has completed. Their hit rate is the share of the working set that the cache holds, for
     * every replacement policy. If this curve is given, capacities are derived from it; only the
     * latency of the nearest cache is derived from `lines`.
     */
    const servet_curve *independent;

    double page_bytes; /**< size of the pages of the working sets; 0: unknown */
    double line_bytes; /**< distance between neighbouring elements of `lines`; 0: unknown */

    /**
     * Capacities that other benchmarks counted, B. If the curve has a boundary at one of them, it
     * is the boundary of this cache, and the next cache begins there.
     */
    double counted_bytes[SERVET_CACHE_LEVELS_MAX];
    int counted_count;
} servet_cache_evidence;

/** Reasons that limit the reachable size of a level. */
#define SERVET_CACHE_KIND_LIST(X)                                                                  \
    X(SERVET_CACHE_CAPACITY, "capacity") /* the cache holds this many bytes */                     \
    X(SERVET_CACHE_TURNOVER, "turnover") /* other users replace its lines: low..high is reachable  \
                                          */

#define SERVET_KIND_ENUM_(name, text) name,
typedef enum servet_cache_kind {
    SERVET_CACHE_KIND_LIST(SERVET_KIND_ENUM_) SERVET_CACHE_KIND_COUNT
} servet_cache_kind;
#undef SERVET_KIND_ENUM_

/** The kind's name ("turnover"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_cache_kind_name(servet_cache_kind kind);

/** One level found in a curve. */
typedef struct servet_cache_level {
    int level; /**< 1 for the fastest */
    servet_cache_kind kind;
    /**
     * Capacity for one core; B. `value` is a size that caches are built with, if the curve makes
     * one likely, otherwise the raw estimate; low..high contains the capacity with a probability of
     * 95 %. It is trusted if `value` is right within 10 % with a probability of 80 %. For
     * SERVET_CACHE_TURNOVER, `value` is the size reached at this access rate, and low..high the
     * range over all rates.
     */
    servet_value bytes;
    double reachable_bytes; /**< position of the knee, the raw estimate of the fit; B */
    servet_value latency;   /**< time of a load that hits this level, in the curve's unit */
    /** Probability, 0..1, that the machine has this level, and that the step does not come from
     * noise, a TLB or prefetching. */
    double exists;
    /** Probability, 0..1, that it has the level and that its capacity is `bytes` within 10 %; for
     * SERVET_CACHE_TURNOVER, that it has the level. */
    double confidence;
} servet_cache_level;

/** A step of address translation. */
typedef struct servet_tlb_step {
    servet_value bytes;   /**< the span that the TLB translates; B */
    servet_value penalty; /**< time that a miss adds to a load, in the curve's unit */
} servet_tlb_step;

/** The result of an analysis. Plain data, nothing to free. */
typedef struct servet_cache_analysis {
    int level_count;
    servet_cache_level level[SERVET_CACHE_LEVELS_MAX];
    int tlb_count;
    servet_tlb_step tlb[SERVET_CACHE_LEVELS_MAX];
    servet_value memory_latency; /**< time of a load that misses all levels; may be unknown */
} servet_cache_analysis;

/**
 * Finds the cache levels; share/doc/detection.md explains the model.
 *
 * Errors: SERVET_EARGUMENT (a curve that breaks the rules above or has fewer than
 * SERVET_CURVE_POINTS_MIN points), SERVET_EMEMORY. A flat curve is not an error: level_count is 0.
 */
SERVET_API int servet_analyze_cache(const servet_cache_evidence *evidence,
                                    servet_cache_analysis *analysis, servet_error *error);

/* --- reasons ---------------------------------------------------------------------------------- */

/** The decisions of an analysis: name, and the meaning of `value` and `limit`. A cost is the cost
 * of a fit. */
#define SERVET_REASON_LIST(X)                                                                      \
    X(SERVET_REASON_PATTERN, "pattern") /* cost as random loads is `value`, as a chase `limit` */  \
    X(SERVET_REASON_RISE, "rise") /* a step raises its plateau `value` times; `limit` required */  \
    X(SERVET_REASON_JOIN,                                                                          \
      "join") /* a step is `value` octaves from the one that it belongs to; below `limit` */       \
    X(SERVET_REASON_ANOTHER,                                                                       \
      "another") /* one more step would reduce the cost by `value`; `limit` required */            \
    X(SERVET_REASON_CAPACITY, "capacity") /* a size costs `value` more than the best; `limit`      \
                                             makes it exp(-1/2) as likely */                       \
    X(SERVET_REASON_TURNOVER,                                                                      \
      "turnover") /* other rates reach `value` times as far; `limit` required */

#define SERVET_KIND_ENUM_(name, text) name,
typedef enum servet_reason_kind {
    SERVET_REASON_LIST(SERVET_KIND_ENUM_) SERVET_REASON_KIND_COUNT
} servet_reason_kind;
#undef SERVET_KIND_ENUM_

/** The name of the decision ("rise"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_reason_kind_name(servet_reason_kind kind);

/** One decision, or one alternative of a decision. */
typedef struct servet_reason {
    servet_reason_kind kind;
    int level;           /**< level of the analysis, from 1, that it decides on; 0: none */
    double bytes;        /**< position of the step, or the candidate size; 0 for a pattern */
    double value, limit; /**< the compared numbers, see SERVET_REASON_LIST */
    double prior;        /**< for a capacity: logarithm of how common that size is; otherwise 0 */
    double share;        /**< for a capacity: its probability; otherwise 0 */
    const char
        *rule; /**< the constant that decided, as share/doc/detection.md names it; static storage */
    bool accepted; /**< the step is a cache, the size is chosen, the cache turns over, the loads are
                        random */
} servet_reason;

/**
 * The comparison as a clause of a sentence, with the outcome but without size and rule ("times its
 * plateau: 5.89, needed: 1.6: a cache"), in at most `size` bytes. Returns `text`.
 */
SERVET_API const char *servet_reason_text(const servet_reason *reason, char *text, size_t size);

/** The reasons of an analysis, level by level, in the order of sizes. */
typedef struct servet_explanation {
    size_t n;
    servet_reason *reason;
} servet_explanation;

#define SERVET_EXPLANATION_INIT                                                                    \
    {                                                                                              \
        0, NULL                                                                                    \
    }

/**
 * Like servet_analyze_cache(), with reasons: the pattern chosen, each step of the curve with the
 * rule that made it a cache or not, the position where one more step would have helped most, and
 * for each level the candidate sizes with a probability of at least 1 %.
 *
 * On success `*explanation` owns its reasons until servet_explanation_free(); otherwise it is
 * unchanged. `explanation` may be NULL. Errors: those of servet_analyze_cache().
 */
SERVET_API int servet_explain_cache(const servet_cache_evidence *evidence,
                                    servet_cache_analysis *analysis,
                                    servet_explanation *explanation, servet_error *error);

/** Frees the reasons and resets the list to SERVET_EXPLANATION_INIT. NULL and an empty list are
 *  allowed. */
SERVET_API void servet_explanation_free(servet_explanation *explanation);

/* --- scaling ---------------------------------------------------------------------------------- */

/** Bandwidth that several cores get together, and its range or interval, if known. */
typedef struct servet_scaling_point {
    int cores;                   /**< cores that work at the same time, at least 1 */
    double bandwidth, low, high; /**< of all these cores together, in any unit; positive */
    int repeats;                 /**< number of measurements in the range low..high; 0: not known */
} servet_scaling_point;

/** Points by ascending numbers of cores. */
typedef struct servet_scaling {
    size_t n;
    servet_scaling_point *points;
    char unit[16]; /**< as in the file: "GB/s"; "" for none */
} servet_scaling;

#define SERVET_SCALING_INIT                                                                        \
    {                                                                                              \
        0, NULL, ""                                                                                \
    }

/** Largest number of points of a scaling that can be analyzed. */
enum { SERVET_SCALING_MAX = 1024 };

/**
 * Reads lines with a number of cores and their total bandwidth, with blanks or a comma between. Two
 * more columns, if present, are the interval. Several lines with one number of cores are repeats,
 * whose median is used. A first line `cores,UNIT` names the unit. Lines that begin with '#'
 * and empty lines are skipped. The path "-" is standard input.
 *
 * On success `*scaling` owns its points until servet_scaling_free(). Errors: as
 * servet_curve_read(); SERVET_EFORMAT without a line also if there are no bandwidths.
 */
SERVET_API int servet_scaling_read(const char *path, servet_scaling *scaling, servet_error *error);

/** Frees the points and resets the scaling to SERVET_SCALING_INIT. */
SERVET_API void servet_scaling_free(servet_scaling *scaling);

/** The number of cores that saturates a resource. */
typedef struct servet_scaling_analysis {
    int enough;       /**< smallest number that gets 95 % or more of the best bandwidth */
    int fewest, most; /**< interval of that number, given the noise */
    int best_cores;   /**< number of cores with the best bandwidth, without outliers */
    double best;      /**< the best bandwidth, in the unit of the points */
} servet_scaling_analysis;

/** Finds the saturation point as `servet measure` does. Errors: SERVET_EARGUMENT (fewer than two
 * points, more than SERVET_SCALING_MAX, numbers that break the rules above). */
SERVET_API int servet_analyze_scaling(const servet_scaling *scaling,
                                      servet_scaling_analysis *analysis, servet_error *error);

/* --- loaded latency --------------------------------------------------------------------------- */

/**
 * Latency of memory beside a load: one core follows a chain of pointers through the memory of a
 * NUMA node, while others, the generators, stream through it, with pauses that set how much. Intel
 * MLC's "loaded latency" and Mess (MICRO'24) draw the same curve with counters of the hardware;
 * here bandwidth is what the generators moved: each line that they load, and once more if they
 * modify it. List "loaded": reads for each two NUMA nodes, then mixes on a node's own memory.
 */
typedef struct servet_loaded {
    int from;              /**< NUMA node of the core with the chain: the number that the OS uses */
    int node;              /**< NUMA node of the memory, and of the generators if it has cores */
    int reads, writes;     /**< mix of the lines that are moved: 1:0, 3:1, 2:1 or 1:1 */
    int generators;        /**< number of cores that load the memory */
    servet_value unloaded; /**< latency of a load at the least bandwidth; s */
    servet_value best;     /**< largest bandwidth of the generators; not trusted without a knee; B/s
                            */
    /**
     * bandwidth at which bandwidth over latency is largest (Kleinrock's power, ICC'79): with more
     * load latency grows faster than bandwidth. Unknown if the generators do not get beyond it:
     * they are too few to load the memory; B/s
     */
    servet_value knee;
    servet_value at_50; /**< latency of a load at 50 % of `best`; not trusted without a knee; s */
    servet_value at_80; /**< at 80 % of it; s */
    servet_value at_95; /**< at 95 % of it; s */
    bool trusted;       /**< false: measured under noise */
} servet_loaded;

/** A point of the curve of a loaded latency. List "loaded.points", ordered by bandwidth. */
typedef struct servet_loaded_point {
    servet_value bandwidth; /**< of the generators together; 0: they rest; B/s */
    servet_value latency;   /**< of a load of the core with the chain; s */
} servet_loaded_point;

/** Points of a loaded latency that another tool measured, in any order. */
typedef struct servet_loaded_curve {
    size_t n;
    servet_loaded_point *points;
} servet_loaded_curve;

#define SERVET_LOADED_CURVE_INIT                                                                   \
    {                                                                                              \
        0, NULL                                                                                    \
    }

/** Largest number of points of such a curve that can be analyzed. */
enum { SERVET_LOADED_POINTS_MAX = 65536 };

/**
 * Reads the table that Intel MLC prints for `--loaded_latency`, which may be between other lines
 * (of several tables the last one), or a CSV file of bandwidths and latencies with the header that
 * servet(1) says, where lines that begin with '#' and empty lines are skipped. The path "-" is
 * standard input.
 *
 * On success `*curve` owns its points until servet_loaded_free(). Errors: as servet_curve_read();
 * SERVET_EFORMAT without a line also if there are no points.
 */
SERVET_API int servet_loaded_read(const char *path, servet_loaded_curve *curve,
                                  servet_error *error);

/** Frees the points and resets the curve to SERVET_LOADED_CURVE_INIT. */
SERVET_API void servet_loaded_free(servet_loaded_curve *curve);

/**
 * Decides on the values of a curve as `servet measure` does; the other members of `*loaded` become
 * 0. Intervals reach from the measured point below to the one above. `unloaded` is not trusted if
 * no point is at a tenth of the best bandwidth or less. Errors: SERVET_EARGUMENT (fewer than three
 * points, more than SERVET_LOADED_POINTS_MAX; bandwidths that are negative, latencies that are not
 * positive), SERVET_EMEMORY.
 */
SERVET_API int servet_analyze_loaded(const servet_loaded_curve *curve, servet_loaded *loaded,
                                     servet_error *error);

/* --- layers of cores -------------------------------------------------------------------------- */

enum { SERVET_LAYERS_MAX = 16, SERVET_MATRIX_MAX = 16384 };

/** Range of valid costs. */
#define SERVET_COST_MIN 1e-15
#define SERVET_COST_MAX 1e15

/**
 * Costs between each pair of `n` cores (or ranks, or nodes): the time to fetch a line that the
 * other core modified, or the time of a message. In the unit, which may be any, a greater distance
 * must be a larger number.
 */
typedef struct servet_matrix {
    size_t n;
    /** n * n numbers by rows: cost[i * n + j] is between i and j, as measured by i. Numbers outside
     *  SERVET_COST_MIN..SERVET_COST_MAX, such as 0 and NaN, mean "not measured"; the diagonal is
     *  ignored. */
    double *cost;
    servet_unit unit; /**< unit of the costs; SERVET_UNIT_NONE if unknown */
} servet_matrix;

#define SERVET_MATRIX_INIT                                                                         \
    {                                                                                              \
        0, NULL, SERVET_UNIT_NONE                                                                  \
    }

/**
 * Reads a CSV file of n rows with n numbers each, without a header. An empty field, 0 or `nan`
 * means "not measured"; the diagonal is ignored. Lines that begin with '#' and empty lines are
 * skipped. The matrix of a single core is "0". The path "-" is standard input.
 *
 * On success `*matrix` owns its numbers until servet_matrix_free(); the unit is SERVET_UNIT_NONE.
 * Errors: SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT (file and line say where: not a number,
 * neither 0 nor SERVET_COST_MIN..SERVET_COST_MAX; rows of different lengths; not square; empty;
 * over SERVET_MATRIX_MAX columns; a file over 1 GiB), SERVET_EMEMORY.
 */
SERVET_API int servet_matrix_read(const char *path, servet_matrix *matrix, servet_error *error);

/** Frees the numbers and resets the matrix to SERVET_MATRIX_INIT. NULL and an empty matrix are
 * allowed. */
SERVET_API void servet_matrix_free(servet_matrix *matrix);

/** One layer: the pairs of cores that are in one group of this layer, but in none of the previous
 * one. */
typedef struct servet_layer {
    /** The cost of a typical pair of the layer (median), in the matrix's unit. It is not trusted if
     *  pairs without a cost could join all its cores: they may hide a nearer layer. */
    servet_value cost;
    double near, far; /**< the costs of nine of ten pairs are between these */
    /** 0..1 that the layer is real and not noise or a gradient, and that none between it and the
     *  previous one was missed. */
    double confidence;
    /** A layer between this one and the previous one would not be seen for sure if its cost
     * exceeded that of the pairs nearer than it by less than this share, because of noise or a
     * gradient. 0 where there can be none, infinite where noise would hide any. */
    double unseen;
    int group_count;
    /** The group number of each of the n cores, 0..group_count-1 in the order of their first
     * members. In a group, each core reaches each other one by this layer or a nearer one; a core
     * without such neighbours is a group by itself. */
    int *group;
    int unmeasured; /**< pairs of the layer without a cost, which say nothing about it */
} servet_layer;

/**
 * The layers, nearest first. The groups of a layer are unions of groups of the previous one. The
 * last layer contains all measured pairs: one group, or several that no measured pair connects.
 */
typedef struct servet_layers {
    size_t n;        /**< cores */
    int layer_count; /**< 0 if no pair was measured, as for a single core */
    servet_layer layer[SERVET_LAYERS_MAX];
} servet_layers;

/**
 * Groups cores into layers; share/doc/detection.md explains the model. The direction of a pair that
 * has the lower cost is used, because noise only adds time. The numbering of the cores does not
 * matter. The analysis takes time proportional to n * n, and up to n * n * 4 bytes of memory in
 * addition to the matrix.
 *
 * On success `*layers` owns its groups until servet_layers_free(). Errors: SERVET_EARGUMENT (no
 * core, or more than SERVET_MATRIX_MAX), SERVET_EMEMORY.
 */
SERVET_API int servet_analyze_layers(const servet_matrix *matrix, servet_layers *layers,
                                     servet_error *error);

/** Frees the groups; afterwards there are no layers. NULL and a zero-initialized struct are
 * allowed. */
SERVET_API void servet_layers_free(servet_layers *layers);

/* --- the method of the papers ----------------------------------------------------------------- */

enum { SERVET_2010_VOTES_MAX = 64 };

/** Options of the papers' method. Start from SERVET_2010_OPTIONS_INIT. */
typedef struct servet_2010_options {
    double page_bytes; /**< size of the pages of the working sets */
    int votes;         /**< number of best fits that vote on a capacity: 5 (IPDPS'10), or 1
                            (Jornadas'10); at most SERVET_2010_VOTES_MAX */
} servet_2010_options;

#define SERVET_2010_OPTIONS_INIT                                                                   \
    {                                                                                              \
        4096, 5                                                                                    \
    }

/**
 * Finds the cache levels by the method of the papers on Servet (IPDPS'10, Figs. 3 and 4), for
 * comparison: gradients and, if pages are placed at random, the probabilistic algorithm. The curve
 * should come from a traversal with a stride of 1 KiB over the papers' sizes. Limits of the method
 * are in share/doc/servet2010.md: results for large caches are 6 to 12 % too small, and sizes
 * between the grid's sizes cannot be found. `confidence` of a level is the share of the rise, or of
 * the votes, that decided on it. If the curve still rises at its end, values that depend on this
 * end are not trusted.
 *
 * Errors: SERVET_EARGUMENT as for servet_analyze_cache(), or for options out of range. A flat curve
 * is not an error: level_count is 0.
 */
SERVET_API int servet_analyze_cache_2010(const servet_curve *curve,
                                         const servet_2010_options *options,
                                         servet_cache_analysis *analysis, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
