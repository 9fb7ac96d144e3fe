/* SPDX-License-Identifier: BSD-3-Clause */
/** Sizes of caches and their prior probabilities. */
#ifndef SRV_FACTS_CACHE_DETECT_PARTS_H
#define SRV_FACTS_CACHE_DETECT_PARTS_H

#include <stdbool.h>

#include "core/error.h"
#include "facts/cache/detect_model.h"
#include "servet/analyze.h"

enum { SRV_BUILT_SIZES_MAX = 128 };

/** Largest deviation of a knee from a size, in standard deviations. */
#define SRV_SIZE_ERRORS_MAX 5.0

/** A size that caches are built with. */
typedef struct srv_size {
    double bytes;
    double prior; /**< logarithm of how common it is, power of two: 0 */
} srv_size;

/** Lists the sizes from `low` to `high` bytes, no order; returns how many, SRV_BUILT_SIZES_MAX at
 * most.
 */
int srv_sizes_list(double low, double high, srv_size sizes[SRV_BUILT_SIZES_MAX]);

/** How common caches are, per octave, whose knee is at `knee` (log2 bytes): it deviates from the
 * size by `error` octaves (standard deviation). A power of two counts 1. */
double srv_sizes_density(double knee, double error);

/** Logarithm of how common all other sizes of an octave are together. */
double srv_sizes_other(void);

/** A fitted step, and whether it is a cache. */
typedef struct srv_step_verdict {
    bool cache;        /**< else translation, prefetching, or a part of another step's smear */
    bool translation;  /**< one line per page has shown that: no part of any plateau */
    int last;          /**< the step up to which the boundary reaches: usually the step itself */
    double before;     /**< latency of the plateau the step rises from */
    double rise;       /**< plateau after over plateau before, as far as the curve shows it */
    double needed;     /**< rise that makes it a cache */
    const char *rule;  /**< constant that decided, static storage */
    double apart;      /**< of a part of another boundary: octaves to that one, else 0 */
    double apart_max;  /**< distance below which it is one */
    double confidence; /**< 0..1 that it is a cache; 0.5 is the threshold */
} srv_step_verdict;

enum { SRV_OTHERS_MAX = 192, SRV_CANDIDATES_MAX = SRV_BUILT_SIZES_MAX + SRV_OTHERS_MAX + 1 };

/** A possible capacity of a boundary. */
typedef struct srv_candidate {
    double bytes;
    double prior;          /**< logarithm of how common such a size is */
    double cost;           /**< of the fit with the knee there, its shape and all heights free */
    double share;          /**< probability, of all candidates together 1 */
    double before, behind; /**< latencies before and behind the knee there */
    bool simple;           /**< a size that caches are built with, else any */
} srv_candidate;

/** All capacities that are weighed for one boundary, ascending. */
typedef struct srv_candidates {
    int n;
    double least;         /**< the least cost */
    double scale;         /**< rise of the cost that makes a candidate exp(-1/2) as likely */
    double odds_exponent; /**< makes the share of a size the probability that it is right */
    srv_candidate candidate[SRV_CANDIDATES_MAX];
} srv_candidates;

/** Deviation of a latency from that of the likeliest fit, with a probability of 95 %. */
typedef struct srv_latency_doubt {
    double low, high;
} srv_latency_doubt;

/** A capacity and how well the curve determines it, bytes. */
typedef struct srv_capacity {
    double raw;                   /**< the knee by the curve alone, regardless of common sizes */
    double low, high;             /**< the capacity lies between with a probability of 95 % */
    double noise_low, noise_high; /**< interval of the knee if the model is right: for comparing
                                     curves of one machine, whose errors of the model are equal */
    double nominal; /**< a size that caches are built with if one is likely, else raw */
    double right;   /**< probability that nominal is within 10 % */
    srv_latency_doubt before,
        behind; /**< of the latencies on either side, as far as they depend on it */
} srv_capacity;

/** Fits the fitter's curve and classifies every step. `penalty` is the cost of translation at its
 * points, or NULL; it stays in the fitter if it explains the curve better. A step at a TLB of
 * `known` is translation in any case. A coarse curve is taken for independent random loads or for a
 * chase, by the better fit, and the fitter keeps the shapes of the choice. */
void srv_steps_find(srv_fitter *fitter, const double *penalty, const servet_cache_analysis *known,
                    srv_fit *fit, srv_step_verdict verdict[SRV_STEPS_MAX]);

/** Classifies the steps of a fit. */
void srv_steps_classify(const srv_fitter *fitter, const srv_fit *fit,
                        const servet_cache_analysis *known,
                        srv_step_verdict verdict[SRV_STEPS_MAX]);

/** True if a boundary at `knee` (log2 bytes) is that of a cache whose capacity was counted. */
bool srv_steps_counted(const srv_fitter *fitter, double knee);

/** Index of the last step that is a cache, or -1. */
int srv_steps_last_cache(const srv_fit *fit, const srv_step_verdict *verdict);

/** Latency added behind step `last`, the end of a boundary, by steps near enough to be its edge,
 * without translation. */
double srv_steps_edge(const srv_fit *fit, const srv_step_verdict *verdict, int last);

/** Weighs the possible capacities of the boundary from step `k` to step `last`. A cache that need
 * not contain the one above (`above` bytes, 0: none) may show as the sum of both. */
void srv_step_candidates(srv_fitter *fitter, const srv_fit *fit, int k, int last, double above,
                         srv_candidates *candidates);

/** Combines the candidates. */
srv_capacity srv_capacity_among(const srv_candidates *candidates);

/** The capacity behind the boundary that reaches from step `k` to step `last`, `above` as before.
 */
srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k, int last,
                               double above);

/** The reported capacity of step `k`, with the effect of the next levels if loads are independent.
 */
srv_capacity srv_capacity_told(const srv_fitter *fitter, int k, srv_capacity capacity);

enum { SRV_DRAWS_MAX = 4000, SRV_DRAWN_STEPS_MAX = 6 };

/** The caches of one explanation. */
typedef struct srv_draw {
    int n;
    double knee[SRV_DRAWN_STEPS_MAX]; /**< log2 bytes, ascending */
    double share;                     /**< weight of the draw; of all together 1 */
} srv_draw;

/** All draws. Some 250 KiB: lives on the heap. */
typedef struct srv_draws {
    int n;
    srv_draw draw[SRV_DRAWS_MAX];
    double low[SRV_STEPS_MAX], high[SRV_STEPS_MAX]; /**< log2 bytes: knees that are those of a step
                                                       of the fit that is a cache */
} srv_draws;

/** True if the curve has a gap that may hide a boundary: its explanations must be drawn. */
bool srv_draws_needed(const srv_fitter *fitter);

/** Draws explanations as random loads and as a chase, by how well each explains the curve; the
 * fitter's costs of both must be known. The same curve gives the same draws. */
void srv_draws_make(srv_fitter *fitter, const servet_cache_analysis *known, srv_draws *draws);

/** Assigns each knee of the draws to the nearest cache of the fit; how many draws have one there is
 * the confidence of its verdict. */
void srv_draws_assign(srv_draws *draws, const srv_fit *fit,
                      srv_step_verdict verdict[SRV_STEPS_MAX]);

/** Replaces the shares of the candidates for step `k` by those of the draws, if any has a knee
 * there. */
void srv_draws_weigh(const srv_draws *draws, int k, srv_candidates *all);

/** Factor between the boundaries at two rates from which on they are not one capacity. The knee of
 * a capacity moves by less between patterns; turnover moved it by 1.5 between one and two chains
 * and by 20 between the slowest and the fastest rate. */
#define SRV_MOVED_MIN 1.5

/** A cache boundary at some rate, on the latency scale of the plain one. */
typedef struct srv_boundary {
    srv_capacity capacity;
    double before, behind; /**< latency on both sides */
    double confidence;
} srv_boundary;

/** The boundaries that each other rate shows. */
typedef struct srv_rates {
    int count;
    struct srv_seen_rate {
        int n;
        srv_boundary boundary[SRV_STEPS_MAX];
        double slowness; /**< time per load against the plain rate, at the largest size */
        bool same;       /**< the steps of the plain curve explain this one equally well */
        double from;     /**< smallest size, bytes */
    } rate[SERVET_RATES_MAX];
} srv_rates;

/** Fits the curves of all rates; `fit` is that of `lines`, `known` lists the TLBs. `room` is
 *  overwritten. */
void srv_rates_find(const servet_cache_evidence *evidence, const servet_cache_analysis *known,
                    const srv_fitter *fitter, const srv_fit *fit, srv_fitter *room,
                    srv_rates *rates);

/** A cache with turnover. */
typedef struct srv_turnover {
    bool hidden;       /**< a level behind the last one that the plain curve shows, else that one */
    double reach;      /**< bytes that the plain rate reaches */
    double low, high;  /**< bytes that all rates reach */
    double latency;    /**< of a load that hits it, for a hidden level */
    double confidence; /**< 0..1, for a hidden level */
} srv_turnover;

/** Compares the last boundary of the plain curve, of capacity `plain` and with the latency
 * `behind`, with those at the other rates. True if it moves with the rate by more than the
 * uncertainty of the curves, or if other rates show one behind it that the plain rate is too slow
 * for. */
bool srv_rates_turnover(const srv_rates *rates, const srv_capacity *plain, double behind,
                        srv_turnover *turnover);

/** True if two faster rates or more begin well below the capacity, and none of them shows it: a
 * cache shows at every rate, the slope in front of a turnover does not. */
bool srv_rates_deny(const srv_rates *rates, const srv_capacity *capacity);

/** Measured cost of translation: loads of one line per page minus loads of adjacent lines, which
 * have the same cache footprint. Lists its steps in `analysis`; `penalty[i]` becomes its cost at
 * size[i] of the fitter of `lines`. False if there is none or it is unknown: without `pages`, or
 * unless 0 < line_bytes < page_bytes. `room` is overwritten. */
bool srv_evidence_translation(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                              srv_fitter *room, double penalty[SRV_POINTS_MAX],
                              servet_cache_analysis *analysis);

/** Cost of the TLBs in `known` for loads of all lines, at each size of the fitter. */
void srv_evidence_penalty(const servet_cache_analysis *known, const srv_fitter *fitter,
                          double penalty[SRV_POINTS_MAX]);

/** The curve of `independent` on the scale of `lines`. The time to choose the next line is
 * subtracted: the difference between the fastest loads of the two, which the nearest cache serves
 * in both. The caller frees. Errors: SERVET_EMEMORY. */
int srv_independent_plain(const servet_cache_evidence *evidence, servet_curve *plain,
                          servet_error *error);

/** SERVET_OK for at least 4 points that obey the rules of servet_curve. Errors: SERVET_EARGUMENT,
 * with `name` (of the curve) and the point in the text. */
int srv_curve_check(const servet_curve *curve, const char *name, servet_error *error);

typedef struct srv_reading {
    srv_fitter *fitter; /**< of the plain curve */
    servet_unit unit;
    srv_fit fit;
    srv_step_verdict verdict[SRV_STEPS_MAX];
    int level[SRV_STEPS_MAX]; /**< level of each step, counted from 1; 0 for none */
    srv_rates rates;
    bool turned_over; /**< the last level is the reach of a level with turnover */
    double moved;     /**< by how much its boundary moved from the slowest to the fastest rate */
} srv_reading;

/** Lists the reasons for `analysis`. Errors: SERVET_EMEMORY; `*explanation` is then unchanged. */
int srv_explain(srv_reading *reading, const servet_cache_analysis *analysis,
                servet_explanation *explanation, servet_error *error);

#endif
