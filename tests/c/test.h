/* SPDX-License-Identifier: BSD-3-Clause */
/** What every C test includes; cmocka needs these headers before its own. */
#ifndef SRV_TESTS_TEST_H
#define SRV_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#endif
