/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks, before anything else is sent, that the processes are one job, of one program, on hosts
 * with different names. */
#ifndef SRV_RANKS_STARTUP_H
#define SRV_RANKS_STARTUP_H

#include <mpi.h>
#include <stdbool.h>

#include "core/error.h"

/** A process that MPI takes for the whole job. */
typedef struct srv_singleton {
    const char *launcher; /**< that started others beside it; NULL: none is known */
    const char *variable; /**< that the launcher sets */
    int started;          /**< processes of the launcher; 0: it does not set their number */
    int rank;             /**< of this one among them */
    bool speaks;          /**< prints the messages for people */
    const char *help;     /**< the advice for the user */
} srv_singleton;

/**
 * True if the launcher of this process, a job of its own according to MPI, has started others
 * beside it, by the variables that launchers set. `find` looks a variable up as getenv() does.
 */
srv_singleton srv_startup_find_singleton(char *(*find)(const char *name));

/**
 * All ranks of `comm` call it together, first of all. Errors, the same on all ranks:
 * SERVET_EMACHINE (each process is a job of its own; ranks are of different versions; or hosts that
 * are different machines have one name), SERVET_EMEMORY. The text is set on the rank that prints
 * messages, and explains what to do; it is empty elsewhere.
 */
int srv_startup_check(MPI_Comm comm, servet_error *error);

#endif
