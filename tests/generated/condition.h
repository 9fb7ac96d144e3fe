/* SPDX-License-Identifier: BSD-3-Clause */
/** The disturbance under which a generated machine is measured. */
#ifndef SRV_TESTS_CONDITION_H
#define SRV_TESTS_CONDITION_H

#include <jansson.h>
#include <stdbool.h>

typedef struct condition {
    const char *word;
    double jitter; /**< of every sample, relative */
    double outlier_share, outlier_factor;
    double sibling_busy; /**< share of time that a foreign thread of each core runs; 0: there is
                              none */
} condition;

/** The condition of this word; a number is a jitter alone. False: neither. */
bool condition_find(const char *word, condition *found);

/** Its *noise* of servet-model(5), where foreign threads use the caches of levels 1 to `levels`. */
json_t *condition_noise(const condition *of, int levels);

#endif
