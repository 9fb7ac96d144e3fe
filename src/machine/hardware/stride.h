/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The strided traversal of the papers: j += A[j], the stride read from the array itself (IPDPS'10,
 * Fig. 1).
 *
 * No compiler can shorten it: the address of the next load is known only after the previous one.
 */
#ifndef SRV_HARDWARE_STRIDE_H
#define SRV_HARDWARE_STRIDE_H

#include "machine/hardware/chase.h"

/** Writes the strides into the slots (a stride is a multiple of a pointer); that of the last slot
 *  leads back to the first. */
void srv_stride_build(const srv_slots *slots);

/** A srv_chase_kernel: cursor[0] is the place in the array, cursor[1] takes the dummy update. */
void srv_stride_kernel(void **cursor, size_t loads);

#endif
