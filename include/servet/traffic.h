/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Who of a program's processes sends how much to whom in one step of it: read from a file, written
 * down by the program itself, or one of the patterns that many programs have. It is of the program
 * alone; servet/map.h places it on a machine.
 */
#ifndef SERVET_TRAFFIC_H
#define SERVET_TRAFFIC_H

#include "servet/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** No program has more processes. */
enum { SERVET_PROCESSES_MAX = 16777216 };

/**
 * Patterns. Stencils are on the squarest grid that there is for so many processes, without wrapping
 * round, ranks along its last dimension first: as MPI_Dims_create() and MPI_Cart_create() make it.
 */
#define SERVET_PATTERN_LIST(X)                                                                     \
    X(SERVET_PATTERN_RING, "ring") /* to the ranks before and behind, round the ends */            \
    X(SERVET_PATTERN_STENCIL_2D, "stencil-2d") /* to the 4 neighbours on a grid */                 \
    X(SERVET_PATTERN_STENCIL_3D, "stencil-3d") /* to the 6 neighbours */                           \
    X(SERVET_PATTERN_ALL_TO_ALL, "all-to-all") /* to all others, as to transpose a matrix that     \
                                                  is stored by rows */                             \
    X(SERVET_PATTERN_TRANSPOSE, "transpose")   /* on a grid of R rows and C columns, that of 2-D   \
                                                  stencils: rank i * C + j to rank j * R + i, as   \
                                                  to transpose one that is stored by blocks */

#define SERVET_TRAFFIC_ENUM_(name, text) name,
typedef enum servet_pattern {
    SERVET_PATTERN_LIST(SERVET_TRAFFIC_ENUM_) SERVET_PATTERN_COUNT
} servet_pattern;
#undef SERVET_TRAFFIC_ENUM_

/** The name of a pattern ("ring"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_pattern_name(servet_pattern pattern);

/** What the processes of a program send. */
typedef struct servet_traffic servet_traffic;

/**
 * `processes` processes that send nothing yet, in `*traffic`; the caller destroys it.
 * Errors: SERVET_EARGUMENT (not 1 to SERVET_PROCESSES_MAX), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_create(servet_traffic **traffic, int processes, servet_error *error);

/**
 * Lets rank `from` send `bytes` more to rank `to`: what goes from one to another is one message. To
 * itself a process may send what it likes, that costs nothing. Errors: SERVET_ERANGE (no such
 * rank), SERVET_EARGUMENT (bytes negative or not finite; a pattern of which not every message is
 * kept, SERVET_PATTERN_ALL_TO_ALL), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_add(servet_traffic *traffic, int from, int to, double bytes,
                                  servet_error *error);

/**
 * The pattern among `processes` processes, messages of `bytes` bytes, in `*traffic`; the caller
 * destroys it. Errors: SERVET_EARGUMENT (no pattern, no processes, bytes as above), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_pattern(servet_traffic **traffic, servet_pattern pattern,
                                      int processes, double bytes, servet_error *error);

/**
 * Reads a text file with a line "FROM TO BYTES" for each pair, ranks from 0, separated by blanks;
 * lines for the same pair add up, a '#' begins a comment, lines may be empty. Every rank up to
 * `processes` - 1 (0: up to the highest in the file) has to appear, if only with 0 bytes: a file
 * that lacks one is most likely not that of the program. The result is in `*traffic`; the caller
 * destroys it. Errors: SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT (file and line say where: not
 * three numbers, a rank that there is not, bytes that are negative; the file as a whole: a rank
 * that is missing, no line at all), SERVET_EMEMORY.
 */
SERVET_API int servet_traffic_read(servet_traffic **traffic, const char *path, int processes,
                                   servet_error *error);

/** Frees it. NULL is fine. */
SERVET_API void servet_traffic_destroy(servet_traffic *traffic);

/** Number of processes. */
SERVET_API int servet_traffic_processes(const servet_traffic *traffic);

/** Bytes that all of them send in one step. */
SERVET_API double servet_traffic_bytes(const servet_traffic *traffic);

#ifdef __cplusplus
}
#endif
#endif
