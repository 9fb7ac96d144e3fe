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
 * Notes a failure in `error` (which may be NULL, and which keeps an earlier failure) and returns
 * `code`, so that `return srv_fail(...)` is the whole of an error path.
 */
int srv_fail(servet_error *error, int code, const char *format, ...) SRV_PRINTF(3, 4);

/** The same for an input file; `line` counts from 1, 0 means the file as a whole. */
int srv_fail_at(servet_error *error, int code, const char *file, int line, const char *format, ...)
    SRV_PRINTF(5, 6);

/** SERVET_EMEMORY with its usual text. */
int srv_fail_memory(servet_error *error);

/** True if `words` words of reserved room are zero. */
bool srv_reserved_is_zero(const uint64_t *reserved, size_t words);

/** Message if they are not zero; the name of the struct stands before it. */
#define SRV_RESERVED_TEXT                                                                          \
    "reserved room is not zero: the struct was not initialized, or is of a newer version"

/** SERVET_EARGUMENT where one of `count` structs of `size` bytes called `name` has room, at
 * `offset`, that is not zero. */
int srv_check_reserved(const char *name, const void *structs, int count, size_t size, size_t offset,
                       servet_error *error);

/** The same for a public struct that a program gives, or NULL; and for an array of them. */
#define SRV_CHECK_RESERVED(struct_, given, error)                                                  \
    SRV_CHECK_RESERVED_IN(struct_, given, (given) != NULL, error)
#define SRV_CHECK_RESERVED_IN(struct_, given, count, error)                                        \
    srv_check_reserved(#struct_, (const struct_ *){given}, count, sizeof(struct_),                 \
                       offsetof(struct_, reserved), error)

/** How many words a public struct has reserved. */
#define SRV_RESERVED_WORDS(struct_)                                                                \
    (sizeof((struct_ *)NULL)->reserved / sizeof *((struct_ *)NULL)->reserved)

#endif
