/* SPDX-License-Identifier: BSD-3-Clause */
/** The result of the fits, before it becomes facts and explanations. */
#ifndef SRV_FACTS_CACHE_DETECT_READING_H
#define SRV_FACTS_CACHE_DETECT_READING_H

#include "facts/cache/detect_rates.h"

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
