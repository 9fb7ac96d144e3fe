/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs work on foreign files in a separate process, because libraries may crash. */
#ifndef SRV_EXPORT_APART_H
#define SRV_EXPORT_APART_H

#include <stddef.h>
#include <stdio.h>
#include "core/error.h"

/** The work: writes to `out`, or fails like any function of the library. */
typedef int srv_apart_work(void *context, FILE *out, servet_error *error);

/** Limits of the child, in addition to the resources that this process uses. */
typedef struct srv_apart_limits {
    size_t bytes; /**< memory */
    unsigned
        seconds; /**< processor time; the elapsed time may be twice as long; at most 1,000,000 */
} srv_apart_limits;

/**
 * Calls `work` in a child process and, if it succeeds, copies its output to `out`. The child has no
 * standard error, no signal handlers and, in a set-uid program, no environment. It is killed after
 * twice the seconds: it may wait forever in a library in which another thread was at the fork.
 * Changes of memory by `work` are lost with the child.
 *
 * Errors: those of `work`; SERVET_EFORMAT of `file`, "" for none (the child ended early, or was
 * ended; the text says how), SERVET_EIO, SERVET_EMEMORY.
 */
int srv_apart(srv_apart_work *work, void *context, const srv_apart_limits *limits, const char *file,
              FILE *out, servet_error *error);

#endif
