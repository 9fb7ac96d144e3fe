/* SPDX-License-Identifier: BSD-3-Clause */
/** Raw series of lines, read again. Errors: SERVET_EUNMEASURED (there is no such series),
 * SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY. */
#ifndef SRV_FACTS_LINE_RAW_H
#define SRV_FACTS_LINE_RAW_H

#include "facts/line/benchmark.h"
#include "run/stage.h"

/** coherence.csv. */
int srv_raw_block(const srv_stage *stage, srv_block_series *series, servet_error *error);

/** The series in line-coreN-LL.csv, of any core: `*count` of them, `most` at most. */
int srv_raw_lines(const srv_stage *stage, const char *cores, int level, srv_line_series *series,
                  int most, int *count, servet_error *error);

#endif
