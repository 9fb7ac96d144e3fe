/* SPDX-License-Identifier: BSD-3-Clause */
/** Result of a simulated load. */
#ifndef SRV_MODEL_LOAD_RESULT_H
#define SRV_MODEL_LOAD_RESULT_H

/** Facts that determine, with the clock, the time of a load. */
typedef struct srv_load_result {
    double translation_ns; /**< that its translation took */
    int depth;             /**< where it found its line: number of the cache on its way */
} srv_load_result;

#endif
