/* SPDX-License-Identifier: BSD-3-Clause */
/** What every C test includes; cmocka needs these headers before its own. */
#ifndef SRV_TESTS_TEST_H
#define SRV_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

/* Sanitizers slow a simulated machine down by five times and more. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/** How many of `all` cases of a kind a test takes: per commit the first `quick` ones, which show
 * all there is to show, and with sanitizers a quarter of these, which run through all the code;
 * with SERVET_THOROUGH in the environment, as in the night, each. */
static inline size_t test_cases(size_t quick, size_t all)
{
    return getenv("SERVET_THOROUGH") ? all : TEST_SANITIZED ? (quick + 3) / 4 : quick;
}

/** Whether a case that simulates a large machine is left to the night, and says so: with sanitizers
 * it takes a minute, and smaller machines in other cases run through the same code. */
static inline bool test_left_to_night(void)
{
    bool left = TEST_SANITIZED && !getenv("SERVET_THOROUGH");
    if (left)
        print_message("# a large machine: with sanitizers simulated at night only\n");
    return left;
}

/** Where the cases are the bytes or members of a file: a test takes each at night, and each
 * `quick`-th one per commit. */
static inline size_t test_step(size_t quick)
{
    return getenv("SERVET_THOROUGH") ? 1 : TEST_SANITIZED ? 4 * quick : quick;
}

#endif
