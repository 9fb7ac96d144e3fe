/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/detect_memory.h"

/* Seconds of a load that no cache takes. On 136 curves of 54 processors the last caches take up to
 * 46 ns, and memory takes more than this on 123. */
static const double CACHE_SECONDS_MAX = 100e-9;

bool srv_is_memory(double seconds, double bytes)
{
    return seconds > CACHE_SECONDS_MAX || bytes >= SRV_BEYOND_CACHES;
}
