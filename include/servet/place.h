/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * For programs that place their own threads: sets of cores as numbers, binding of threads, and
 * placement of the threads of a process on cores of this node. servet/advice.h advises the number
 * of threads and the block sizes. No function here runs a benchmark. Any number of threads may call
 * them at the same time.
 *
 * Cores have the operating system's numbers of PUs (hardware threads), from 0. In a
 * program with OpenMP or pthreads, one thread chooses the cores, before any thread is bound, and
 * each thread then binds itself:
 *
 *     servet_thread_place(profile, NULL, SERVET_POLICY_SCATTER, NULL, 0, cores, n, NULL, NULL);
 *     #pragma omp parallel num_threads(n)
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
 * The cores of a set in the format of queries ("0-2,12"; "" is empty): their number into `*count`,
 * and the first `size` of them into `cores`, ascending. With `size` 0, `cores` may be NULL;
 * `*count` is then the size that it needs. Errors: SERVET_EFORMAT (not such a set).
 */
SERVET_API int servet_cores_from_text(const char *text, int cores[], int size, int *count);

/**
 * The set of these `count` cores as text, into `text` of `size` bytes. The cores may have any
 * order, and may be repeated. Errors: SERVET_EARGUMENT (a negative number), SERVET_ERANGE (`size`
 * is too small), SERVET_EMEMORY.
 */
SERVET_API int servet_cores_to_text(const int cores[], int count, char *text, size_t size);

/**
 * The cores of a mask of the operating system, on Linux a cpu_set_t (sched.h) of `bytes` bytes:
 * sizeof(cpu_set_t), or CPU_ALLOC_SIZE(). `cores`, `size` and `count` as above. Errors:
 * SERVET_EARGUMENT (`bytes` is no multiple of the size of a long).
 */
SERVET_API int servet_cores_from_mask(const void *mask, size_t bytes, int cores[], int size,
                                      int *count);

/** The mask of these cores; all its other bits are cleared. Errors: as above, SERVET_EARGUMENT also
 * for a negative number, SERVET_ERANGE (a core beyond the mask). */
SERVET_API int servet_cores_to_mask(const int cores[], int count, void *mask, size_t bytes);

/* --- threads ---------------------------------------------------------------------------------- */

/**
 * The cores that the calling thread may run on (its affinity mask, set by the batch system, the
 * launcher or an earlier binding); `cores`, `size` and `count` as above. Errors:
 * SERVET_EUNSUPPORTED (the system does not report it).
 */
SERVET_API int servet_cores_usable(int cores[], int size, int *count, servet_error *error);

/** The core that the calling thread runs on now, in `*core`. A thread that is not bound may be
 * moved at any moment. Errors: SERVET_EUNSUPPORTED (the system does not say). */
SERVET_API int servet_core_here(int *core);

/**
 * Binds the calling thread to these cores: it runs on no other core, and threads that it creates
 * afterwards start with the same binding. Memory stays where it was first written: bind threads
 * before they initialize data. The binding of the launcher is replaced.
 *
 * Errors: SERVET_EARGUMENT (no core, a negative number), SERVET_ERANGE (the system lets this
 * process use only some of these cores, or none; the binding is then unchanged),
 * SERVET_EUNSUPPORTED.
 */
SERVET_API int servet_bind_thread(const int cores[], int count, servet_error *error);

/* --- placement of threads --------------------------------------------------------------------- */

/** Policies that choose a core for each thread of a process. */
#define SERVET_POLICY_LIST(X)                                                                      \
    X(SERVET_POLICY_COMPACT, "compact") /* as near to each other as possible */                    \
    X(SERVET_POLICY_SCATTER, "scatter") /* sharing as few caches and ways to memory as possible */ \
    X(SERVET_POLICY_PER_L1, "one-per-l1") /* scattered, with a level 1 cache each: one thread on   \
                                             the PUs of an SMT core */                             \
    X(SERVET_POLICY_PER_L2, "one-per-l2") /* with a level 2 cache each */                          \
    X(SERVET_POLICY_PER_LAST, "one-per-last-cache")                                                \
    X(SERVET_POLICY_MEMORY, "memory-balanced") /* the same number in each group of cores that      \
                                                  contend for memory; in a group scattered */

#define SERVET_PLACE_ENUM_(name, text) name,
typedef enum servet_policy {
    SERVET_POLICY_LIST(SERVET_PLACE_ENUM_) SERVET_POLICY_COUNT
} servet_policy;
#undef SERVET_PLACE_ENUM_

/** The name of a policy ("scatter"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_policy_name(servet_policy policy);

/**
 * Places `threads` threads of one process on different cores: thread i on core cores[i]. The policy
 * chooses the cores; then thread i + 1 gets the remaining core that is nearest to the core of
 * thread i, so that threads that exchange borders are near each other.
 *
 * The cores are taken from `among`, which has `among_count` cores of the node class that `at`
 * names, in any order (`at->core` has no effect). If `among` is NULL, they are taken on a node of
 * this class from the cores that the calling thread may use (servet_cores_usable()), so do not bind
 * this thread before; for other classes, and for profiles of models, from all cores. Cores that the
 * profile does not contain are not used.
 *
 * Cores are near each other if they share caches, contend for memory, or are in one layer of
 * distances; facts that were not measured have no effect. Among equally near cores, the order is by
 * core type, the fastest first, then by number. The speed of types is that of servet_core_speed(),
 * with memory for SERVET_POLICY_MEMORY, else with vectors; types of unknown speed have the order of
 * the profile. Compact placement uses a slower core type only if the faster ones have too few
 * cores. Scattered placement uses one before a second PU of a faster core, but after its first.
 *
 * `*trusted` (NULL is allowed) becomes false if the placement would be another one without the
 * facts that are not trusted. The function does not bind threads: see servet_bind_thread().
 *
 * Errors: SERVET_EARGUMENT (no threads, no such policy, an empty `among`), SERVET_ERANGE (more
 * threads than cores, or than caches of the level: the text says how many fit; no such class; a
 * core of `among` that the class does not have; no core of the profile may be used), SERVET_EOTHER,
 * SERVET_EUNMEASURED (which cores share the caches of the policy, or contend for memory, was not
 * measured; a node class with unknown cores), SERVET_EUNTRUSTED (only after
 * servet_profile_trusted_only(): `*trusted` would be false), SERVET_EUNSUPPORTED, SERVET_EMEMORY.
 */
SERVET_API int servet_thread_place(const servet_profile *profile, const servet_at *at,
                                   servet_policy policy, const int *among, int among_count,
                                   int cores[], int threads, bool *trusted, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
