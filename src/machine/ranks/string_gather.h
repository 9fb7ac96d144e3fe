/* SPDX-License-Identifier: BSD-3-Clause */
/** Gathers a string of every rank on the first rank of a communicator. */
#ifndef SRV_RANKS_STRING_GATHER_H
#define SRV_RANKS_STRING_GATHER_H

#include <mpi.h>

#include "core/error.h"

/** The strings of the ranks 0..count-1; empty on all ranks but the first. */
typedef struct srv_gathered_strings {
    int count;
    int *size, *begin; /**< text i is the size[i] bytes from text + begin[i] on */
    char *text;
} srv_gathered_strings;

/**
 * Brings `text`, `size` bytes that may hold NULs, of every rank of `comm` to the first one;
 * srv_gathered_strings_finish() frees them there. All ranks call it and get the same code.
 * Errors: SERVET_EMEMORY (also for more than 2 GiB), SERVET_ECOMMUNICATION (MPI failed and the
 * error handler of `comm` came back).
 */
int srv_strings_gather(MPI_Comm comm, const char *text, int size, srv_gathered_strings *strings);

/** A zeroed struct is valid. */
void srv_gathered_strings_finish(srv_gathered_strings *strings);

/** The code of rank 0 of `comm`, on all ranks. */
int srv_agree_on(MPI_Comm comm, int code);

#endif
