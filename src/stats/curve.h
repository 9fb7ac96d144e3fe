/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads curves from an open stream. */
#ifndef SRV_STATS_CURVE_H
#define SRV_STATS_CURVE_H

#include <stdio.h>
#include "servet/analyze.h"

/** Reads as servet_curve_read() does, from a stream, which stays open; errors name `path`. */
int srv_curve_read_stream(FILE *stream, const char *path, servet_curve *curve, servet_error *error);

#endif
