/* SPDX-License-Identifier: BSD-3-Clause */
/** The size of a cache level by its facts. */
#ifndef SRV_CORE_CACHE_H
#define SRV_CORE_CACHE_H

#include "servet/node.h"

/** Returns true if conflicts gave its size, ways and sets. */
bool srv_cache_is_counted(const servet_cache *cache);

/** Returns true if its size is a capacity, and not the reachable part of a level with turnover. */
bool srv_cache_has_size(const servet_cache *cache);

/** Returns true if others use the cache, too, so that a program's part of it changes. */
bool srv_cache_is_emptied(const servet_cache *cache);

/** The capacity, or the reachable part if others leave less; unknown if neither is known. */
const servet_value *srv_cache_holds(const servet_cache *cache);

#endif
