/* SPDX-License-Identifier: BSD-3-Clause */
/** Where a simulated load found its line. */
#ifndef SRV_MODEL_LOAD_RESULT_H
#define SRV_MODEL_LOAD_RESULT_H

/** What decides, with the clock, of the time of a load. */
typedef struct srv_load_result {
    double translation_ns; /**< that its translation took */
    int depth;             /**< where it found its line: number of the cache on its way */
} srv_load_result;

#endif
