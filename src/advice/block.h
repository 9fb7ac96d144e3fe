/* SPDX-License-Identifier: BSD-3-Clause */
/** The part of a cache level that a program can count on. */
#ifndef SRV_ADVICE_BLOCK_H
#define SRV_ADVICE_BLOCK_H

#include "servet/advice.h"

/** Returns true if others use the cache, too, so that a program's part of it changes. */
bool srv_cache_is_emptied(const servet_cache *cache);

/** The capacity, or what was reached where others leave less; unknown if neither is known. */
const servet_value *srv_cache_holds(const servet_cache *cache);

#endif
