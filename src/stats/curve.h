/* SPDX-License-Identifier: BSD-3-Clause */
/** The text of curves. */
#ifndef SRV_STATS_CURVE_H
#define SRV_STATS_CURVE_H

#include <stdio.h>
#include "servet/analyze.h"

/** Reads as servet_curve_read() does, from the text of a file of `size` bytes, which it changes;
 * errors name `path`. */
int srv_curve_parse(const char *path, char *text, size_t size, servet_curve *curve,
                    servet_error *error);

/** Writes as servet_curve_write() does, into a stream; numbers have the point of its locale. */
void srv_curve_print(const servet_curve *curve, FILE *stream);

#endif
