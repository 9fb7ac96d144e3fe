/* SPDX-License-Identifier: BSD-3-Clause */
/** This node as a machine, and two of its cores, for tests of thread teams. */
#ifndef SRV_TESTS_TWO_CORES_H
#define SRV_TESTS_TWO_CORES_H

#include "machine/machine.h"

/** The machine, and the first usable PUs of two cores, or of one where there is no other: hardware
 * threads of a core share its caches. */
extern srv_machine *machine;
extern int cores[2], core_count;

/** Skips the calling test where there is one core. */
#define needs_two_cores()                                                                          \
    do {                                                                                           \
        if (core_count < 2)                                                                        \
            test_skip("only one core may be used");                                                \
    } while (0)

/** Set-up and tear-down of a group of tests. */
int two_cores_begin(void **state);
int two_cores_end(void **state);

#endif
