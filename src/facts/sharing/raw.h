/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads raw series of cache sharing. Errors: SERVET_EUNMEASURED (there is no such series),
 * SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY. */
#ifndef SRV_FACTS_SHARING_RAW_H
#define SRV_FACTS_SHARING_RAW_H

#include "run/stage.h"

/** Odds that two cores share a cache level, as last measured. */
typedef struct srv_raw_odds {
    int core, other; /**< OS numbers; -1: any of a set measured at once */
    double odds;
} srv_raw_odds;

/** sharing-LN.csv: the answers about a level, each couple once, of both tests together. The caller
 * frees them. */
int srv_raw_sharing(const srv_stage *stage, int level, srv_raw_odds **odds, int *count,
                    servet_error *error);

#endif
