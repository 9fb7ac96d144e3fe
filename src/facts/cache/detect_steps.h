/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts from fitted steps: the caches among them, and their sizes. */
#ifndef SRV_FACTS_CACHE_DETECT_STEPS_H
#define SRV_FACTS_CACHE_DETECT_STEPS_H

#include <stdbool.h>
#include "facts/cache/detect_search.h"
#include "facts/cache/detect_sizes.h"

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
    bool drawn;           /**< the shares are those of draws, not by the cost */
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

/**
 * Fits the fitter's curve and classifies every step. `penalty` is the cost of translation at its
 * points, or NULL; it stays in the fitter if it explains the curve better. A step at a TLB of
 * `known` is translation in any case. A coarse curve is taken for independent random loads or for a
 * chase, by the better fit, and the fitter keeps the shapes of the choice.
 */
void srv_steps_find(srv_fitter *fitter, const double *penalty, const servet_cache_analysis *known,
                    srv_fit *fit, srv_step_verdict verdict[SRV_STEPS_MAX]);

/** Classifies the steps of a fit. */
void srv_steps_classify(const srv_fitter *fitter, const srv_fit *fit,
                        const servet_cache_analysis *known,
                        srv_step_verdict verdict[SRV_STEPS_MAX]);

/** Index of the last step that is a cache, or -1. */
int srv_steps_last_cache(const srv_fit *fit, const srv_step_verdict *verdict);

/** Latency added behind step `last`, the end of a boundary, by steps near enough to be its edge,
 * without translation. */
double srv_steps_edge(const srv_fit *fit, const srv_step_verdict *verdict, int last);

/**
 * Weighs the possible capacities of the boundary from step `k` to step `last`. A cache that need
 * not contain the one above (`above` bytes, 0: none) may show as the sum of both.
 */
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

#endif
