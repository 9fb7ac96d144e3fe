/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs work on others' files in a process of its own, because libraries may crash. */
#ifndef SRV_EXPORT_APART_H
#define SRV_EXPORT_APART_H

#include <stddef.h>
#include <stdio.h>
#include "core/error.h"

/** Writes to `out`, or fails, as any function of the library. */
typedef int srv_apart_work(void *context, FILE *out, servet_error *error);

/** Limits of the process beyond the resources of this one. */
typedef struct srv_apart_limits {
    size_t bytes;     /**< of memory */
    unsigned seconds; /**< of processor time; twice as long may pass, 1,000,000 at most */
} srv_apart_limits;

/**
 * Calls `work` in a child process, without standard error, without handlers of signals and, in a
 * set-uid program, without the environment, and copies what it wrote to `out` if it succeeded. The
 * child is ended after twice the seconds: it may wait for ever in libraries that another thread was
 * in when it began. What `work` changes in memory is lost with the
 * child.
 *
 * Errors: those of `work`; SERVET_EFORMAT of `file`, "" for none (the child ended early, or was
 * ended; the text says how), SERVET_EIO, SERVET_EMEMORY.
 */
int srv_apart(srv_apart_work *work, void *context, const srv_apart_limits *limits, const char *file,
              FILE *out, servet_error *error);

#endif
