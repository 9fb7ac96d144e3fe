/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads and writes numbers with a decimal point, in every locale of the program. */
#ifndef SRV_CORE_NUMBERS_H
#define SRV_CORE_NUMBERS_H

#include <locale.h>

/** State for srv_numbers_end(). */
typedef struct srv_numbers {
    locale_t before, plain;
} srv_numbers;

/** Makes this thread read and write numbers with a point from now on (as far as memory allows). */
srv_numbers srv_numbers_begin(void);

/** Restores the locale. */
void srv_numbers_end(srv_numbers numbers);

#endif
