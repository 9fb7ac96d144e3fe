/* SPDX-License-Identifier: BSD-3-Clause */
/** Numbers in files have a point, whatever locale the program that uses this library runs in. */
#ifndef SRV_CORE_NUMBERS_H
#define SRV_CORE_NUMBERS_H

#include <locale.h>

/** What srv_numbers_end() needs to know. */
typedef struct srv_numbers {
    locale_t before, plain;
} srv_numbers;

/** From here on this thread reads and writes numbers with a point (as far as memory allows). */
srv_numbers srv_numbers_begin(void);

/** Back to the locale before. */
void srv_numbers_end(srv_numbers numbers);

#endif
