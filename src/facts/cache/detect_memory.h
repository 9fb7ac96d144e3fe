/* SPDX-License-Identifier: BSD-3-Clause */
/** Distinguishes memory from a cache that the operating system hides. */
#ifndef SRV_FACTS_CACHE_DETECT_MEMORY_H
#define SRV_FACTS_CACHE_DETECT_MEMORY_H

#include <stdbool.h>

/** Bytes of a working set that no cache holds: no core is known to reach more than 504 MiB of
 * cache (Granite Rapids). */
#define SRV_BEYOND_CACHES (1024.0 * (1 << 20))

/** True if loads that take `seconds` (NaN: unknown) at the end of working sets of up to `bytes` go
 * to memory, because no cache is as slow or as large. */
bool srv_is_memory(double seconds, double bytes);

#endif
