/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Traffic of a program: the bytes that each process sends to each other one in one step. It is read
 * from a file, given by the program itself, or one of several common patterns. It does not depend
 * on the machine; servet/map.h places the processes on a machine.
 */
#ifndef SERVET_TRAFFIC_H
#define SERVET_TRAFFIC_H

#include "servet/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest number of processes. */
enum { SERVET_PROCESSES_MAX = 16777216 };

/**
 * Patterns. The grid of a stencil is not periodic, and is as square as the number of processes
 * allows. Ranks are numbered along its last dimension first, as by MPI_Dims_create() and
 * MPI_Cart_create().
 */
#define SERVET_PATTERN_LIST(X)                                                                     \
    X(SERVET_PATTERN_RING, "ring")             /* to the previous and the next rank, periodic */   \
    X(SERVET_PATTERN_STENCIL_2D, "stencil-2d") /* to the 4 neighbours on a grid */                 \
    X(SERVET_PATTERN_STENCIL_3D, "stencil-3d") /* to the 6 neighbours on a grid */                 \
    X(SERVET_PATTERN_ALL_TO_ALL, "all-to-all") /* to all others, as in the transposition of a      \
                                                  matrix distributed by rows */                    \
    X(SERVET_PATTERN_TRANSPOSE, "transpose")   /* on the grid of 2-D stencils, R rows and C        \
                                                  columns: rank i * C + j to rank j * R + i, as in \
                                                  the transposition of one distributed by blocks */

#define SERVET_TRAFFIC_ENUM_(name, text) name,
typedef enum servet_pattern {
    SERVET_PATTERN_LIST(SERVET_TRAFFIC_ENUM_) SERVET_PATTERN_COUNT
} servet_pattern;
#undef SERVET_TRAFFIC_ENUM_

/** The name of a pattern ("ring"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_pattern_name(servet_pattern pattern);

/** The traffic of a program. */
typedef struct servet_traffic servet_traffic;

/**
 * Creates the traffic of `processes` processes that send nothing yet, in `*traffic`; the caller
 * destroys it. Errors: SERVET_EARGUMENT (not 1 to SERVET_PROCESSES_MAX), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_create(servet_traffic **traffic, int processes, servet_error *error);

/**
 * Adds `bytes` to the message from rank `from` to rank `to`; there is one for each pair and phase.
 * Messages of a process to itself cost nothing. Errors: SERVET_ERANGE (no such rank),
 * SERVET_EARGUMENT (bytes negative or not finite; traffic of SERVET_PATTERN_ALL_TO_ALL, which
 * cannot be changed), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_add(servet_traffic *traffic, int from, int to, double bytes,
                                  servet_error *error);

/**
 * Begins a phase: messages that are added from now on are sent when those of the phase before have
 * arrived. The messages of a phase are sent at once. There is one phase at first.
 */
SERVET_API void servet_traffic_next_phase(servet_traffic *traffic);

/**
 * Creates the traffic of a pattern among `processes` processes with messages of `bytes` bytes, in
 * `*traffic`; the caller destroys it. Errors: SERVET_EARGUMENT (no such pattern, no processes,
 * bytes negative or not finite), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_pattern(servet_traffic **traffic, servet_pattern pattern,
                                      int processes, double bytes, servet_error *error);

/**
 * Reads a text file into `*traffic`; the caller destroys it. The file has a line "FROM TO BYTES"
 * for each pair, with ranks from 0, or a square matrix: a line for each rank, with the bytes that
 * it sends to rank 0, 1, ... The first line decides: three numbers are a pair, so the
 * traffic of three ranks is written as pairs. Commas or blanks separate numbers. Lines for the same
 * pair add up, a line "phase" begins a phase (and another matrix), a '#' begins a comment, lines
 * may be empty, and a first line of three words is a heading. Every rank from 0 to `processes` - 1
 * (`processes` 0: to the highest rank in the file) must occur, if only with 0 bytes: a file without
 * it probably belongs to another program. Errors: SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT
 * (file and line say where: not three numbers, an invalid rank, negative bytes, a matrix that is
 * not square; without a line: a missing rank, an empty file), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_read(servet_traffic **traffic, const char *path, int processes,
                                   servet_error *error);

/** Frees the traffic. NULL is allowed. */
SERVET_API void servet_traffic_destroy(servet_traffic *traffic);

/** Number of processes. */
SERVET_API int servet_traffic_processes(const servet_traffic *traffic);

/** Bytes that all processes together send in one step. */
SERVET_API double servet_traffic_bytes(const servet_traffic *traffic);

#ifdef __cplusplus
}
#endif
#endif
