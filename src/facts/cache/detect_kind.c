/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/analyze.h"

#define TEXT(name, text) text,
static const char *const texts[] = {SERVET_CACHE_KIND_LIST(TEXT)};
#undef TEXT

const char *servet_cache_kind_name(servet_cache_kind kind)
{
    return (unsigned)kind < SERVET_CACHE_KIND_COUNT ? texts[kind] : "?";
}
