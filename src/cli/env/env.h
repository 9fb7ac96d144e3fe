/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints environment variables of other programs with values from trusted facts. */
#ifndef SRV_CLI_ENV_ENV_H
#define SRV_CLI_ENV_ENV_H

#include <stdbool.h>

#include "servet/profile.h"

/** Limits of a program, which decide on the number of its threads. */
#define ENV_BOUND_LIST(X)                                                                          \
    X(ENV_BOUND_MEMORY, "memory")   /* the bandwidth of memory */                                  \
    X(ENV_BOUND_COMPUTE, "compute") /* the units of the cores */                                   \
    X(ENV_BOUND_BARRIER, "barrier") /* lines that are passed from core to core */

#define ENV_ENUM_(name, text) name,
typedef enum env_bound { ENV_BOUND_LIST(ENV_ENUM_) ENV_BOUND_COUNT } env_bound;
#undef ENV_ENUM_

/** The word ("memory"); "?" for an invalid number. */
const char *env_bound_name(unsigned bound);

/** The variables so far. */
typedef struct env_printed {
    bool any;                     /**< a variable was printed */
    bool lacks;                   /**< a fact is not measured or not trusted: `reason` names it */
    char reason[SERVET_TEXT_MAX]; /**< the first reason for which variables were left out */
} env_printed;

/** The facts, and options for printing. */
typedef struct env_source {
    const servet_profile *profile;
    servet_at at;
    env_bound bound;
    bool explain; /**< comments say from which fact a line comes, and why a line is left out */
    env_printed *printed;
} env_source;

/** Prints the lines of a target to stdout. Errors: those of the queries. */
typedef int env_printer(const env_source *from, const char *target, servet_error *error);

/** A target: a program or library. */
typedef struct env_target {
    const char *name, *summary;
    env_printer *print;
} env_target;

/** All targets; the last one has no name. */
extern const env_target env_targets[];

/** Prints a comment, if comments are wanted. */
void env_explain(const env_source *from, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Prints a part of the lines NAME=VALUE. */
void env_print(const env_source *from, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Leaves variables out, with the reason as a comment. `lacks`: a fact is not measured or not
 * trusted; otherwise the variables are not needed here. */
void env_leave_out(const env_source *from, const char *names, bool lacks, const char *reason);

/** Prints a comment: no measurement has shown that the next lines make a program faster. */
void env_mark_unproven(const char *what);

/** Prints a trusted fact as `servet get` does. Returns false, with the reason in `doubt`, if there
 * is none. */
bool env_fact(const env_source *from, const char *key, char text[SERVET_TEXT_MAX],
              char doubt[SERVET_TEXT_MAX]);

env_printer env_print_numbers, env_print_threads, env_print_fast_nodes, env_print_weights;

#endif
