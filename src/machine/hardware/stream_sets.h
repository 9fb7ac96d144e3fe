/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The loops of the memory kernels, for each instruction set that this processor may have. They are
 * written explicitly, because a compiler turns plain ones into calls of memcpy and memset, whose
 * choice of stores depends on the reported caches.
 */
#ifndef SRV_HARDWARE_STREAM_SETS_H
#define SRV_HARDWARE_STREAM_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "servet/node.h"

/** Doubles that a loop takes at a time: arrays are aligned to, and `n` is a multiple of, this many.
 */
enum { SRV_STREAM_BLOCK = 64 };

/** Runs a kernel `passes` times over a[0..n-1], b[0..n-1] and c[0..n-1], if it has them; see
 * SERVET_KERNEL_LIST. Its stores have left the core's buffers when it returns. */
typedef void srv_stream_loop(double *a, const double *b, const double *c, size_t n, size_t passes);

/** The loops of one set of instructions. */
typedef struct srv_stream_set {
    const char *name;
    bool (*usable)(void);                       /**< whether this processor has the instructions */
    srv_stream_loop *loop[SERVET_KERNEL_COUNT]; /**< NULL: the set has no such stores */
} srv_stream_set;

/** All sets that this was built with, ended by NULL. */
extern const srv_stream_set *const srv_stream_sets[];

#endif
