/* SPDX-License-Identifier: BSD-3-Clause */
/** The cores that the calling thread may run on, and the one that it runs on. */
#ifndef SRV_CORE_AFFINITY_H
#define SRV_CORE_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>

/** More cores than any node has: Linux supports 8,192. */
enum { SRV_AFFINITY_CORES_MAX = 16384, SRV_AFFINITY_LONG_BITS = 8 * sizeof(unsigned long) };

/** A set of cores in the system's format: a bit for each core. */
typedef struct srv_affinity {
    unsigned long bits[SRV_AFFINITY_CORES_MAX / SRV_AFFINITY_LONG_BITS];
} srv_affinity;

/** Stores the first `size` cores of a mask of `bytes` bytes in ascending order, and in `*count` the
 * number of cores in the mask. */
void srv_affinity_cores(const void *mask, size_t bytes, int cores[], int size, int *count);

/** Adds cores to a mask of `bytes` bytes. Returns false if the mask has no bit for one of them. */
bool srv_affinity_add(const int cores[], int count, void *mask, size_t bytes);

/** Reads the mask of the calling thread. Returns false if the system does not report it. */
bool srv_affinity_get(srv_affinity *mask);

/** Sets the mask of the calling thread. Returns false, with errno, if the system refuses it. */
bool srv_affinity_set(const srv_affinity *mask);

/** The core that the calling thread runs on; negative: the system does not report it. */
int srv_affinity_here(void);

#endif
