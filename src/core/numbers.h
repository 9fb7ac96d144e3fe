/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads and writes numbers with a decimal point, in every locale of the program. */
#ifndef SRV_CORE_NUMBERS_H
#define SRV_CORE_NUMBERS_H

#include <locale.h>
#include <stddef.h>

#include "core/error.h"

/** State for srv_numbers_end(). */
typedef struct srv_numbers {
    locale_t before, plain;
} srv_numbers;

/** Makes this thread read and write numbers with a point from now on (as far as memory allows). */
srv_numbers srv_numbers_begin(void);

/** Restores the locale. */
void srv_numbers_end(srv_numbers numbers);

/** Takes a line, which it may change, without its end. Its error ends the reading. */
typedef int srv_line_taker(void *context, char *line);

/**
 * Reads a file of at most `max` bytes, with such numbers, line by line. `*line` is the number of
 * the line, from 1, while `take` has it. Errors: those of srv_text_read() and of `take`.
 */
int srv_numbers_read(const char *path, size_t max, int *line, srv_line_taker *take, void *context,
                     servet_error *error);

#endif
