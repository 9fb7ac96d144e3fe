/* SPDX-License-Identifier: BSD-3-Clause */
/** Machines of a kind, each fact of their profiles against what they are. */
#ifndef SRV_TESTS_SURVEY_H
#define SRV_TESTS_SURVEY_H

#include <jansson.h>

#include "compare.h"
#include "condition.h"

/** A kind of machines, numbered from 0; the noise is that of every sample, relative. */
typedef struct survey_kind {
    const char *name;  /**< of one: "node" */
    const char *noise; /**< condition unless another one is given */
    double wrong_most; /**< share of the facts that may be wrong without a mark */
    json_t *(*model)(int index, const condition *noise);
    /** Measures the machine whose model is at `path`; the raw series go into the folder `raw`, if
     * it is not NULL. Errors: those of measuring. */
    int (*measure)(int index, const condition *noise, const char *path, const char *raw,
                   servet_profile **profile, servet_error *error);
    /** Decides raw series again. NULL: none are written. */
    int (*again)(const char *raw, servet_profile **profile, servet_error *error);
    /** The true facts of the machine; some machines' truth depends on the facts that were measured.
     */
    void (*truths)(int index, const condition *noise, const servet_profile *profile, truths *known);
} survey_kind;

/**
 * The whole program; returns its exit status.
 *
 *   PROGRAM [--claims] [--raw DIR] FIRST COUNT [NOISE]    compares machines FIRST..FIRST+COUNT-1
 *   PROGRAM --model N [NOISE]                             prints the model of machine N
 *
 * NOISE is a word of condition.h. The raw series are kept in DIR; those that are there are decided
 * again instead of measured, so that a run that was interrupted goes on.
 */
int survey_main(int argc, char **argv, const survey_kind *kind);

#endif
