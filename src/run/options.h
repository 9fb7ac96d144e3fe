/* SPDX-License-Identifier: BSD-3-Clause */
/** The options of a measurement. */
#ifndef SRV_RUN_OPTIONS_H
#define SRV_RUN_OPTIONS_H

#include "servet/measure.h"

/** Least ratio of the largest working set to the smallest: an octave has a few points. */
enum { SRV_RANGE_MIN = 2 };

/** Errors: SERVET_EARGUMENT for options that make no sense. */
int srv_check_options(const servet_measure_options *options, servet_error *error);

#endif
