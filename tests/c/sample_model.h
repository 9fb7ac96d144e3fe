/* SPDX-License-Identifier: BSD-3-Clause */
/** A machine model in memory that tests modify. */
#ifndef SRV_TESTS_SAMPLE_MODEL_H
#define SRV_TESTS_SAMPLE_MODEL_H

#include "sim/simulated.h"

/**
 * Four cores at 1 GHz (a cycle is a ns), OS numbers 3, 2, 1, 0; base pages at random. Private L1 of
 * 4 KiB, 4 ways, 2 ns; L2 of 64 KiB, 8 ways, 10 ns, shared by two; memory at 100 ns without limits.
 * LRU, non-inclusive, lines of 64 B; no TLB, no prefetcher, no noise. srv_model_free() frees it.
 */
srv_model *sample_model(void);

/** The same until the test ends, as all that follows. */
srv_model *kept_model(srv_model *model);

/** A shipped model. */
srv_model *shipped_model(const char *name);

/** The machine of a model, which it takes over, or of a shipped one. */
srv_machine *machine_of_model(srv_model *model);
srv_machine *shipped_machine(const char *name);

#endif
