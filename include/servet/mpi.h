/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Communicators after the machine, for MPI programs: link with -lservet_mpi (pkg-config
 * servet-mpi), which is for programs of the MPI library that it was built with. Fortran has the
 * same in the module servet_mpi.
 *
 * What is known of the machine comes from a profile that says what messages cost between which
 * cores (`servet-mpi measure`). Only rank 0 of the communicator opens it, so that thousands of
 * ranks ask the file system once and all go by the same facts: that which servet_profile_find()
 * finds on the node of rank 0, or one that the program has open there.
 *
 * Each rank counts as on the host that gethostname() tells (domains as in
 * servet_profile_class_of()) and on the cores that it may run on when it calls. Bind ranks: within
 * a node there is no saying who is near to a rank that may be anywhere. A host that took no part
 * when the network was measured stands for one of its node class (if there is only one class, it is
 * of that one); between nodes it is known to be in a layer only where that joins all nodes into one
 * group.
 *
 * All functions are collective over `comm`: all ranks call with the same arguments, of which
 * `profile` matters on rank 0 only. All ranks get the same code and error, also where only one is
 * at fault. On failure `*newcomm` is MPI_COMM_NULL and `comm` is as it was. The caller frees new
 * communicators with MPI_Comm_free(). Errors of all functions: those of servet_profile_open();
 * SERVET_EUNMEASURED (the profile has no layers of communication); SERVET_ENOTFOUND (a rank is on a
 * host or a core of which the profile knows nothing: half an answer would be taken for a whole one;
 * the text names rank, host and core); SERVET_EMEMORY; SERVET_ECOMMUNICATION (MPI failed, and the
 * error handler of `comm` came back).
 */
#ifndef SERVET_MPI_H
#define SERVET_MPI_H

#include <mpi.h>
#include "servet/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Splits `comm` into the groups of layer `layer` of the network (servet/network.h; from 1, fastest
 * first): ranks are in one `*newcomm` if they can reach each other by messages of this layer or a
 * faster one of its kind, within nodes or between them. Ranks keep their order. Errors: those of
 * all functions; SERVET_ERANGE (there is no such layer); SERVET_EARGUMENT (a rank may run on cores
 * of several groups).
 */
SERVET_API int servet_comm_split_layer(MPI_Comm comm, int layer, MPI_Comm *newcomm);

/** The same by an open profile, or NULL for that which is found; with what went wrong as text. */
SERVET_API int servet_comm_split_layer_by(MPI_Comm comm, const servet_profile *profile, int layer,
                                          MPI_Comm *newcomm, servet_error *error);

/**
 * A communicator of the same ranks in an order that suits what they send: rank r of it is where
 * rank r of `traffic` (servet/traffic.h; it matters on rank 0 only) is well off, as
 * servet_map_reorder() assigns the slots. A rank that may run on several cores counts as on the
 * first of them that no rank before it has. Errors: those of all functions and of
 * servet_map_reorder(); SERVET_EARGUMENT (`traffic` is of another number of processes, or there are
 * more ranks than cores).
 *
 * Without traffic (NULL) neighbours in rank become neighbours on the machine: groups of the
 * slowest layer between nodes follow each other whole, in each of them those of the next layer, at
 * last hosts, and within these likewise; groups, and ranks in the smallest, in the order of their
 * first rank in `comm`. So an order that has this already stays as it is, and rank 0 stays rank 0.
 * A rank that may run on several cores counts as on the first of them; what is not known of a host
 * just keeps its ranks together.
 */
SERVET_API int servet_comm_reorder(MPI_Comm comm, const servet_traffic *traffic, MPI_Comm *newcomm);

/** The same by an open profile, or NULL for that which is found; with what went wrong as text. */
SERVET_API int servet_comm_reorder_by(MPI_Comm comm, const servet_profile *profile,
                                      const servet_traffic *traffic, MPI_Comm *newcomm,
                                      servet_error *error);

/* --- handles of Fortran -------------------------------------------------------------------------
 */

/** servet_comm_split_layer_by() for communicators that Fortran has as numbers. */
SERVET_API int servet_comm_split_layer_f(MPI_Fint comm, const servet_profile *profile, int layer,
                                         MPI_Fint *newcomm, servet_error *error);

/**
 * servet_comm_reorder_by(), likewise. What the ranks send is either the matrix `sends` of `ranks`
 * rows and columns, bytes from rank i to rank j in row i + 1 of column j + 1 of a Fortran array;
 * or, if that is NULL, a servet_pattern of messages of `bytes` bytes; or, if that is negative, not
 * known.
 */
SERVET_API int servet_comm_reorder_f(MPI_Fint comm, const servet_profile *profile, int pattern,
                                     double bytes, const double *sends, int ranks,
                                     MPI_Fint *newcomm, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
