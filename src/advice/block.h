/* SPDX-License-Identifier: BSD-3-Clause */
/** What a cache level can hold for a program. */
#ifndef SRV_ADVICE_BLOCK_H
#define SRV_ADVICE_BLOCK_H

#include "servet/advice.h"

/** Whether others use the cache, too, so that what a program gets of it changes. */
bool srv_cache_is_emptied(const servet_cache *cache);

/** The capacity, or what was reached where others leave less; unknown if neither is known. */
const servet_value *srv_cache_holds(const servet_cache *cache);

#endif
