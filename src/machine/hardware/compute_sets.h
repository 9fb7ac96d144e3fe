/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Loops of multiplications and additions of numbers in registers, for each instruction set that
 * this processor may have (the method of likwid-bench's peakflops). Each loop has enough
 * independent chains to fill the pipelines: at least latency times instructions per cycle.
 */
#ifndef SRV_HARDWARE_COMPUTE_SETS_H
#define SRV_HARDWARE_COMPUTE_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "servet/node.h"

/**
 * Does `passes` passes and returns the number of additions of numbers that they made, counted by
 * the sums in the registers: each addition added 1. There are as many multiplications, of integers
 * none. Exact up to SRV_COMPUTE_PASSES_MAX passes, from where on single precision does not hold the
 * sums.
 */
typedef double srv_compute_loop(size_t passes);

enum { SRV_COMPUTE_PASSES_MAX = 1 << 21 };

/** The loop of one set of instructions. */
typedef struct srv_compute_set {
    const char *name;
    bool (*usable)(void); /**< whether this processor has the instructions */
    int bits;             /**< of a register as far as an instruction uses it */
    srv_compute_loop *loop;
} srv_compute_set;

/** All sets that this was built with, narrow ones first, ended by a row without a loop. */
extern const srv_compute_set *const srv_compute_sets[SERVET_PRECISION_COUNT][SERVET_WIDTH_COUNT];

#endif
