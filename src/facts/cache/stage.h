/* SPDX-License-Identifier: BSD-3-Clause */
/** The caches of one core. */
#ifndef SRV_FACTS_CACHE_STAGE_H
#define SRV_FACTS_CACHE_STAGE_H

#include "facts/cache/result.h"
#include "run/stage.h"

/**
 * Measures the caches that `core` sees with working sets of min_bytes..max_bytes, and writes the
 * raw series into options->raw_dir. Errors: those of the machine and the benchmarks, SERVET_EIO.
 */
int srv_measure_caches(const srv_stage *stage, int core, double max_bytes, srv_cache_facts *facts,
                       servet_error *error);

#endif
