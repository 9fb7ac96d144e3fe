/* SPDX-License-Identifier: BSD-3-Clause */
/** The cores that the calling thread may run on, and the one that it runs on. */
#ifndef SRV_CORE_AFFINITY_H
#define SRV_CORE_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>

/** More cores than a node has: Linux takes 8,192. */
enum { SRV_AFFINITY_CORES_MAX = 16384, SRV_AFFINITY_LONG_BITS = 8 * sizeof(unsigned long) };

/** A mask as the system knows it. */
typedef struct srv_affinity {
    unsigned long bits[SRV_AFFINITY_CORES_MAX / SRV_AFFINITY_LONG_BITS];
} srv_affinity;

/** The cores of a mask of `bytes` bytes, ascending, up to `size` of them, and their number in
 * `*count`. */
void srv_affinity_cores(const void *mask, size_t bytes, int cores[], int size, int *count);

/** Adds cores to a mask of `bytes` bytes. False for one that it has no bit for. */
bool srv_affinity_add(const int cores[], int count, void *mask, size_t bytes);

/** Reads the mask of the calling thread. False: the system does not report it. */
bool srv_affinity_get(srv_affinity *mask);

/** Sets it. False, with errno: the system refuses. */
bool srv_affinity_set(const srv_affinity *mask);

/** The core that the calling thread runs on; negative: the system does not report it. */
int srv_affinity_here(void);

#endif
