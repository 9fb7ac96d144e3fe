/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds which size of a cache level is known. */
#ifndef SRV_CORE_CACHE_H
#define SRV_CORE_CACHE_H

#include "servet/node.h"

/** Returns true if conflicts gave its size, ways and sets. */
bool srv_cache_is_counted(const servet_cache *cache);

/** Returns true if its size is a capacity, and not the reachable part of a level with turnover. */
bool srv_cache_has_size(const servet_cache *cache);

/** Returns true if the level is a turnover: the part that a program can use changes. */
bool srv_cache_is_emptied(const servet_cache *cache);

/** Returns the capacity, or the reachable part if it is smaller; unknown if neither is known. */
const servet_value *srv_cache_holds(const servet_cache *cache);

#endif
