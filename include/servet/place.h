/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Programs that place themselves: sets of cores as numbers, binding of threads, placement of the
 * threads of a process on cores of this node, and block sizes for the caches that they get there.
 * No function here runs a benchmark. All may be called by any number of threads at once.
 *
 * Cores are the numbers that the operating system gives to PUs (hardware threads), from 0. In a
 * program with OpenMP or pthreads, one thread chooses the cores, before any thread is bound, and
 * each thread then binds itself:
 *
 *     servet_thread_place(profile, NULL, SERVET_POLICY_SCATTER, NULL, cores, threads, NULL,
 * &error); #pragma omp parallel num_threads(threads)
 *     servet_bind_thread(&cores[omp_get_thread_num()], 1, NULL);
 */
#ifndef SERVET_PLACE_H
#define SERVET_PLACE_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- sets of cores ---------------------------------------------------------------------------- */

/**
 * The cores of a set as queries return it ("0-2,12"; "" is empty): their number into `*count`, and
 * as many of them as there is room for into `cores`, ascending. `size` is that room; with 0,
 * `cores` may be NULL, and the call tells the room that is needed. Errors: SERVET_EFORMAT (not such
 * a set).
 */
SERVET_API int servet_cores_from_text(const char *text, int cores[], int size, int *count);

/**
 * The set of these `count` cores, in any order and each once or more, into `text` of `size` bytes.
 * Errors: SERVET_EARGUMENT (a negative number), SERVET_ERANGE (`size` is too small),
 * SERVET_EMEMORY.
 */
SERVET_API int servet_cores_to_text(const int cores[], int count, char *text, size_t size);

/**
 * The cores of a mask of the operating system, on Linux a cpu_set_t (sched.h) of `bytes` bytes:
 * sizeof(cpu_set_t), or what CPU_ALLOC_SIZE() says. `cores`, `size` and `count` as above.
 * Errors: SERVET_EARGUMENT (`bytes` is no multiple of the size of a long).
 */
SERVET_API int servet_cores_from_mask(const void *mask, size_t bytes, int cores[], int size,
                                      int *count);

/** The mask of these cores; all its other bits are cleared. Errors: as above, SERVET_EARGUMENT also
 * for a negative number, SERVET_ERANGE (a core beyond the mask). */
SERVET_API int servet_cores_to_mask(const int cores[], int count, void *mask, size_t bytes);

/* --- threads ---------------------------------------------------------------------------------- */

/**
 * The cores that the calling thread may run on (its affinity mask: what the batch system, the
 * launcher or an earlier binding left); `cores`, `size` and `count` as above. Errors:
 * SERVET_EUNSUPPORTED (the system does not say).
 */
SERVET_API int servet_cores_usable(int cores[], int size, int *count, servet_error *error);

/** The core that the calling thread runs on now, in `*core`. A thread that is not bound may be
 * moved at any moment. Errors: SERVET_EUNSUPPORTED (the system does not say). */
SERVET_API int servet_core_here(int *core);

/**
 * Binds the calling thread to these cores: it runs on no other one, and threads that it creates
 * afterwards start with the same binding. Memory stays where it was first written: bind threads
 * before they initialize data. Whatever the launcher left is replaced.
 *
 * Errors: SERVET_EARGUMENT (no core, a negative number), SERVET_ERANGE (the system lets this
 * process use only some of these cores, or none; the binding is then what it was),
 * SERVET_EUNSUPPORTED.
 */
SERVET_API int servet_bind_thread(const int cores[], int count, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
