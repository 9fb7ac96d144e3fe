/* SPDX-License-Identifier: BSD-3-Clause */
/** What every C test includes; cmocka needs these headers before its own. */
#ifndef SRV_TESTS_TEST_H
#define SRV_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

/** How many of `all` cases of a kind a test takes: per commit the first `quick` ones, which show
 * all there is to show; with SERVET_THOROUGH in the environment, as in the night, each. */
static inline size_t test_cases(size_t quick, size_t all)
{
    return getenv("SERVET_THOROUGH") ? all : quick;
}

/** Where the cases are the bytes or members of a file: a test takes each at night, and each
 * `quick`-th one per commit. */
static inline size_t test_step(size_t quick)
{
    return test_cases(quick, 1);
}

#endif
