/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/node.h"

const char *servet_kernel_name(servet_kernel kernel)
{
#define KERNEL_TEXT(name, text, bytes, streaming) text,
    static const char *const names[] = {SERVET_KERNEL_LIST(KERNEL_TEXT)};
#undef KERNEL_TEXT
    return (unsigned)kernel < SERVET_KERNEL_COUNT ? names[kernel] : "?";
}

const char *servet_pages_name(servet_pages pages)
{
#define PAGES_TEXT(name, text) text,
    static const char *const names[] = {SERVET_PAGES_LIST(PAGES_TEXT)};
#undef PAGES_TEXT
    return (unsigned)pages < SERVET_PAGES_COUNT ? names[pages] : "?";
}
