/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks, before anything else is sent, that the processes are one job, of one program, on hosts
 * that can be told apart. */
#ifndef SRV_RANKS_STARTUP_H
#define SRV_RANKS_STARTUP_H

#include <mpi.h>
#include <stdbool.h>

#include "core/error.h"

/** A process that MPI takes for the whole job. */
typedef struct srv_singleton {
    const char *launcher; /**< that started others beside it; NULL: none is known */
    const char *variable; /**< in which the launcher says so */
    int started;          /**< processes of the launcher; 0: it does not tell */
    int rank;             /**< of this one among them */
    bool speaks;          /**< is the one of them that tells people */
    const char *help;     /**< what to do */
} srv_singleton;

/**
 * Whether the launcher of this process, a job of its own by what MPI says, has started others
 * beside it, by the variables that launchers set. `find` looks a variable up as getenv() does.
 */
srv_singleton srv_startup_find_singleton(char *(*find)(const char *name));

/**
 * All ranks of `comm` call it together, first of all. Errors, the same on all ranks:
 * SERVET_EMACHINE (each process is a job of its own; ranks are of different versions; or hosts that
 * are different machines have one name), SERVET_EMEMORY. The text is for the rank that is to tell
 * people, and says what to do; it is empty elsewhere.
 */
int srv_startup_check(MPI_Comm comm, servet_error *error);

#endif
