/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Communicators that fit the machine, for MPI programs: link with -lservet_mpi (pkg-config
 * servet-mpi). The library works with programs of the MPI library that it was built with. Fortran
 * has the same functions in the module servet_mpi.
 *
 * The functions need a profile with communication layers (`servet-mpi measure`): the profile that
 * servet_profile_find() finds on the node of rank 0, or one that the program has opened there. Only
 * rank 0 of the communicator reads it, so that thousands of ranks access the file system once, and
 * all of them use the same facts.
 *
 * The location of a rank is the host that gethostname() returns (domains are compared as in
 * servet_profile_class_of()) and the cores to which it is bound during the call. Bind ranks to
 * cores: the location of an unbound rank within its node is unknown. A host that took no part in
 * the measurement of the network counts as a node of its node class (servet_profile_identify()); it
 * belongs to a layer between nodes only if that layer joins all nodes into one group.
 *
 * All functions that take `comm` are collective over it: all ranks call with the same arguments;
 * `profile` is used on rank 0 only. All ranks get the same code and error, even if only one rank
 * causes it. After a failure `*newcomm` is MPI_COMM_NULL and `comm` is unchanged. The caller frees
 * new communicators with MPI_Comm_free(). Errors of all these functions: those of
 * servet_profile_open(); SERVET_EUNMEASURED (the profile has no communication layers);
 * SERVET_EUNTRUSTED (servet_profile_trusted_only() was called, and a layer that decides is not
 * trusted); SERVET_ENOTFOUND (the profile does not contain the host or core of a rank; the text
 * names rank, host and core); SERVET_EMEMORY; SERVET_ECOMMUNICATION (MPI failed and the error
 * handler of `comm` returned).
 */
#ifndef SERVET_MPI_H
#define SERVET_MPI_H

#include <mpi.h>
#include "servet/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Splits `comm` into the groups of communication layer `layer` (servet_network_group(); from 1,
 * fastest first): ranks on cores of one group are in one `*newcomm`. Ranks keep their order. Errors
 * besides those of all functions: SERVET_ERANGE (no such layer); SERVET_EARGUMENT (a rank is bound
 * to cores of several groups).
 */
SERVET_API int servet_comm_split_layer(MPI_Comm comm, int layer, MPI_Comm *newcomm);

/** Splits `comm` likewise, with an open profile, or NULL for the default one, and an error text. */
SERVET_API int servet_comm_split_layer_by(MPI_Comm comm, const servet_profile *profile, int layer,
                                          MPI_Comm *newcomm, servet_error *error);

/**
 * Creates a communicator of the same ranks in another order: its rank r runs where
 * servet_map_reorder() places rank r of `traffic` (servet/traffic.h; used on rank 0 only). A rank
 * that is bound to several cores is assumed to run on the first of them that no rank before it has.
 * Errors: those of all functions and of servet_map_reorder(); SERVET_EARGUMENT (`traffic` is of
 * another number of processes, or there are more ranks than cores).
 *
 * Without traffic (NULL), successive ranks become neighbours on the machine. Ranks are ordered by
 * the groups of the slowest layer between nodes; within each group by the groups of the next faster
 * layer, then by hosts, and within hosts by the groups of the layers there. Groups keep the order
 * of their first ranks in `comm`, and so do the ranks of a smallest group. A `comm` that has such
 * an order already is unchanged, and rank 0 stays rank 0. A rank that is bound to several cores is
 * assumed to run on the first of them; ranks on a host without known layers stay together.
 */
SERVET_API int servet_comm_reorder(MPI_Comm comm, const servet_traffic *traffic, MPI_Comm *newcomm);

/** Reorders likewise, with an open profile, or NULL for the default one, and an error text. */
SERVET_API int servet_comm_reorder_by(MPI_Comm comm, const servet_profile *profile,
                                      const servet_traffic *traffic, MPI_Comm *newcomm,
                                      servet_error *error);

/* --- the time of a message -------------------------------------------------------------------- */

/**
 * The message times between all pairs of ranks of a communicator. They belong to the rank that
 * created them, and do not need the profile and the communicator any more. They do not change: any
 * number of threads may query them at once. They are valid for the cores to which the ranks were
 * bound when the times were created; if the binding changes, create them again.
 */
typedef struct servet_comm_times servet_comm_times;

/**
 * Finds the layer of each pair of ranks, in `*times`, on all ranks. Each rank frees its times with
 * servet_comm_times_destroy(). `profile` is an open profile, or NULL for the default one. After a
 * failure `*times` is NULL.
 *
 * A rank that is bound to several cores is assumed to run on the first of them. If the profile does
 * not contain the core of a rank, the rank has no times within its host; if it does not contain the
 * host, the rank has no times. This is not a failure. Errors: those of all functions except
 * SERVET_ENOTFOUND.
 */
SERVET_API int servet_comm_times_create(MPI_Comm comm, const servet_profile *profile,
                                        servet_comm_times **times, servet_error *error);

/** Frees the times. Not collective. NULL is allowed. */
SERVET_API void servet_comm_times_destroy(servet_comm_times *times);

/**
 * Time of a message of `bytes` bytes from rank `from` to rank `to` of the communicator, with no
 * other messages, in `*time`; s: servet_network_time() in the layer of their cores. Not collective:
 * a rank may query any pair, and does not communicate.
 *
 * The time is not `trusted` if the layer's time or groups are not; within a host also if one of the
 * ranks is bound to cores of several groups of a layer, or if both are bound to the same core.
 * servet_profile_trusted_only() has no effect on this query; it makes the creation fail if a layer
 * is not trusted. Errors: SERVET_ERANGE (no such rank), SERVET_EARGUMENT (`from` is `to`; `bytes`
 * is negative or not finite), SERVET_EUNMEASURED (no layer joins the cores of the two ranks, or no
 * message of that layer was measured); `error` (NULL is allowed) has a text that names the ranks.
 */
SERVET_API int servet_comm_message_time(const servet_comm_times *times, int from, int to,
                                        double bytes, servet_value *time, servet_error *error);

/* --- handles of Fortran ----------------------------------------------------------------------- */

/** servet_comm_split_layer_by() for communicators as Fortran handles (integers). */
SERVET_API int servet_comm_split_layer_f(MPI_Fint comm, const servet_profile *profile, int layer,
                                         MPI_Fint *newcomm, servet_error *error);

/**
 * servet_comm_reorder_by(), likewise. The traffic is the matrix `sends` of `ranks` rows and
 * columns, with the bytes from rank i to rank j in row i + 1 and column j + 1 of a Fortran array.
 * If `sends` is NULL, it is the servet_pattern `pattern` with messages of `bytes` bytes. If
 * `pattern` is negative, too, it is unknown.
 */
SERVET_API int servet_comm_reorder_f(MPI_Fint comm, const servet_profile *profile, int pattern,
                                     double bytes, const double *sends, int ranks,
                                     MPI_Fint *newcomm, servet_error *error);

/** servet_comm_times_create(), likewise. */
SERVET_API int servet_comm_times_create_f(MPI_Fint comm, const servet_profile *profile,
                                          servet_comm_times **times, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
