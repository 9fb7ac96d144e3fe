/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names.h"
#include "servet/analyze.h"

SRV_NAMES(servet_cache_kind_name, servet_cache_kind, SERVET_CACHE_KIND_LIST)
