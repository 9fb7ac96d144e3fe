/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Errors: one rule for the whole library.
 *
 * A function that can fail returns an int: SERVET_OK (0) or one of the negative codes of
 * SERVET_ERROR_LIST. Functions that take a `servet_error *` also describe the failure there; the
 * pointer may always be NULL. The caller owns the struct and initializes it with SERVET_ERROR_INIT;
 * later errors do not overwrite the first one, so one struct can serve a sequence of calls.
 * On failure, outputs are unchanged unless the function says otherwise.
 *
 * The library never prints and never exits. A fact that was not measured is SERVET_EUNMEASURED (or
 * a servet_value for which servet_value_known() is false), never 0 or -1.
 */
#ifndef SERVET_ERROR_H
#define SERVET_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks a symbol as part of the public interface; everything else is hidden. */
#if defined(__GNUC__)
#define SERVET_API __attribute__((visibility("default")))
#else
#define SERVET_API
#endif

/**
 * The one list of codes: name, value, text. The enum, servet_error_name(), servet_error_text() and
 * the constants of the Fortran module are all generated from it.
 */
#define SERVET_ERROR_LIST(X)                                                                       \
    X(SERVET_OK, 0, "success")                                                                     \
    X(SERVET_EMEMORY, -1, "out of memory")                                                         \
    X(SERVET_EARGUMENT, -2, "invalid argument")                                                    \
    X(SERVET_ENOTFOUND, -3, "not found")                                                           \
    X(SERVET_EIO, -4, "input or output failed")                                                    \
    X(SERVET_EFORMAT, -5, "malformed input")                                                       \
    X(SERVET_EVERSION, -6, "unsupported format version")                                           \
    X(SERVET_EKEY, -7, "unknown key")                                                              \
    X(SERVET_EUNMEASURED, -8, "not measured")                                                      \
    X(SERVET_ERANGE, -9, "out of range")                                                           \
    X(SERVET_EMACHINE, -10, "the machine cannot be measured")                                      \
    X(SERVET_EINTERRUPTED, -11, "interrupted")                                                     \
    X(SERVET_EUNSUPPORTED, -12, "not supported")                                                   \
    X(SERVET_ECOMMUNICATION, -13, "communication failed")                                          \
    X(SERVET_EOTHER, -14, "the profile is of another machine")                                     \
    X(SERVET_EUNTRUSTED, -15, "not trusted")

#define SERVET_ERROR_ENUM_(name, value, text) name = value,
enum servet_error_code { SERVET_ERROR_LIST(SERVET_ERROR_ENUM_) };
#undef SERVET_ERROR_ENUM_

enum { SERVET_ERROR_TEXT_MAX = 256, SERVET_ERROR_FILE_MAX = 1024 };

/** The description of an error. `file` and `line` name the input at fault, if there is one. */
typedef struct servet_error {
    int code;                         /**< SERVET_OK until a call fails */
    int line;                         /**< line in `file`, from 1; 0: none */
    char file[SERVET_ERROR_FILE_MAX]; /**< "" if no file is at fault */
    char text[SERVET_ERROR_TEXT_MAX]; /**< one line of text, without a full stop */
} servet_error;

#define SERVET_ERROR_INIT                                                                          \
    {                                                                                              \
        0, 0, "", ""                                                                               \
    }

/** The code's name ("SERVET_EIO"); "SERVET_E?" for an invalid number. Static storage. */
SERVET_API const char *servet_error_name(int code);

/** The code's text ("input or output failed"); "unknown error" if invalid. Static storage. */
SERVET_API const char *servet_error_text(int code);

/**
 * Writes the error as one line, "FILE:LINE: TEXT", "FILE: TEXT" or "TEXT", into `buffer` of `size`
 * bytes, truncated to fit and always terminated if size > 0. Returns `buffer`.
 */
SERVET_API const char *servet_error_line(const servet_error *error, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
