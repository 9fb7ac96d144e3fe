/* SPDX-License-Identifier: BSD-3-Clause */
/** Machines of a kind, each fact of their profiles against what they are. */
#ifndef SRV_TESTS_SURVEY_H
#define SRV_TESTS_SURVEY_H

#include <jansson.h>

#include "compare.h"

/** A kind of machines, numbered from 0; the noise is that of every sample, relative. */
typedef struct survey_kind {
    const char *name;  /**< of one: "node" */
    double noise;      /**< unless another one is given */
    double wrong_most; /**< share of the facts that may be wrong without a mark */
    json_t *(*model)(int index, double noise);
    /** Measures the machine whose model is at `path`, and says what is true of it. Errors: those of
     * measuring. */
    int (*measure)(int index, double noise, const char *path, servet_profile **profile,
                   truths *known, servet_error *error);
} survey_kind;

/**
 * The whole program; returns its exit status.
 *
 *   PROGRAM [--claims] FIRST COUNT [NOISE]    compares machines FIRST..FIRST+COUNT-1
 *   PROGRAM --model N [NOISE]                 prints the model of machine N
 */
int survey_main(int argc, char **argv, const survey_kind *kind);

#endif
