/* SPDX-License-Identifier: BSD-3-Clause */
/* Included first where the code is analyzed: what functions return that an analyzer, which looks at
 * one file at a time, cannot see. Without it most of what it reports is on ways where an error is
 * no error. */
#include "core/error.h"

#define srv_fail_memory(error)        ((srv_fail_memory)(error), SERVET_EMEMORY)
#define srv_fail(error, code, ...)    ((srv_fail)(error, code, __VA_ARGS__), (code))
#define srv_fail_at(error, code, ...) ((srv_fail_at)(error, code, __VA_ARGS__), (code))
