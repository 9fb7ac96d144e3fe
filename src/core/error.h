/* SPDX-License-Identifier: BSD-3-Clause */
/** Setting errors; the rule itself is in servet/error.h. */
#ifndef SRV_CORE_ERROR_H
#define SRV_CORE_ERROR_H

#include <stdbool.h>
#include "servet/error.h"

#if defined(__GNUC__)
#define SRV_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SRV_PRINTF(text, first)
#endif

/**
 * Stores a failure in `error`, which may be NULL and which keeps an earlier failure. Returns
 * `code`, so that `return srv_fail(...)` is a complete error path.
 */
int srv_fail(servet_error *error, int code, const char *format, ...) SRV_PRINTF(3, 4);

/** Stores a failure in an input file; `line` counts from 1, 0 means the file as a whole. */
int srv_fail_at(servet_error *error, int code, const char *file, int line, const char *format, ...)
    SRV_PRINTF(5, 6);

/** True if `*code` is `expected`: then it becomes SERVET_OK, and `error` has no failure any more.
 */
bool srv_forgive(int *code, int expected, servet_error *error);

/** Stores and returns SERVET_EMEMORY. */
int srv_fail_memory(servet_error *error);

#endif
