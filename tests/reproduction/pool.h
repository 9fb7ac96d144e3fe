/* SPDX-License-Identifier: BSD-3-Clause */
/** Jobs on all processors: simulated machines are independent of each other. */
#ifndef SRV_TESTS_POOL_H
#define SRV_TESTS_POOL_H

/** Calls job(context, i) once for each i in 0..count-1, from one thread a processor. */
void pool_run(int count, void (*job)(void *context, int index), void *context);

#endif
