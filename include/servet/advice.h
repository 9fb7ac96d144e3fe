/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Advice for programs from the facts of a profile: block sizes, numbers of threads, pages,
 * stores, padding, placement, messages. The guide tuning.md states each rule with its reason.
 * Reports and the command `servet advise` print the same advice. No function here runs a benchmark.
 * Any number of threads may call them at the same time.
 *
 * Facts that were not measured lead to no advice. Advice that depends on a fact that is not trusted
 * is marked.
 */
#ifndef SERVET_ADVICE_H
#define SERVET_ADVICE_H

#include "servet/place.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- blocks ----------------------------------------------------------------------------------- */

/** The part of several arrays that one thread keeps in a cache. */
typedef struct servet_block {
    int level;    /**< level of the cache, from 1 */
    int sharers;  /**< PUs, this one included, that use one instance of it at the same time */
    double bytes; /**< bytes that each of these PUs can keep there, of all arrays together; B */
    /**
     * elements of each array, and the side of a square block of each array, in elements. If the
     * size of a cache line is known, both are multiples of the elements in a line, unless they are
     * fewer.
     */
    long long elements, side;
    bool emptied; /**< the level is a turnover: the part that a program gets changes */
    bool assumed; /**< sharing was not measured: `sharers` is the worst case */
    bool trusted; /**< true if these numbers depend on trusted facts only, and on no assumption */
} servet_block;

/**
 * The size of a block, in cache level `level`, of each of `arrays` arrays that are used at the same
 * time and have elements of `element_bytes` bytes. Level 0 means the last level that is not a
 * turnover.
 *
 * The blocks take half of the usable size of the cache, so that other data does not displace them.
 * The usable size is the capacity, or the reachable size if that is smaller; the blocks never take
 * more than the low end of its interval. This size is divided by the number of PUs that work in the
 * instance, each on its own block: `sharers`, at most all PUs that share the instance; 0 means all
 * of them. If `at` names no core, the instance is the one that most PUs share. If sharing was not
 * measured, the number is the largest one in processors of this architecture, but at most the
 * number of PUs that share the next level with known sharing, or that the node has.
 *
 * Errors: SERVET_EARGUMENT (`arrays` or `element_bytes` below 1, `sharers` negative), SERVET_ERANGE
 * (no such class, core or level; not even one element of each array fits), SERVET_EUNMEASURED (the
 * size; with level 0 also if others empty all levels), SERVET_EOTHER, SERVET_EUNTRUSTED (only after
 * servet_profile_trusted_only()).
 */
SERVET_API int servet_cache_block(const servet_profile *profile, const servet_at *at, int level,
                                  int arrays, int element_bytes, int sharers, servet_block *block);

/**
 * The number of these `count` cores that share core `at->core`'s instance of a level, in
 * `*sharers`. servet_cache_block() needs it for threads that servet_thread_place() has placed. If
 * sharing was not measured, it is `count`, but at most the largest number that servet_cache_block()
 * assumes. Errors: SERVET_ERANGE (no such class, core or level), SERVET_EUNMEASURED (the level; a
 * core that is in no group), SERVET_EOTHER, SERVET_EARGUMENT (`at` names no core; none of the cores
 * shares its instance).
 */
SERVET_API int servet_cache_sharers(const servet_profile *profile, const servet_at *at, int level,
                                    const int cores[], int count, int *sharers);

/* --- threads ---------------------------------------------------------------------------------- */

/**
 * The number of threads that a policy can use, in `*threads`: one for each cache of the policy's
 * level; with SERVET_POLICY_MEMORY, the number that saturates the memory of each group of cores
 * (servet_memory_saturation_of()), but in total at most the number that saturates the node's
 * memory; otherwise one for each core. SERVET_POLICY_MEMORY places more threads than these, too, if
 * there are cores.
 *
 * The cores are chosen as by servet_thread_place(). If `among` is NULL and the profile is of this
 * node, the current CPU quota of the process's control group is a limit, too: a quota of 2.5 CPUs
 * allows two threads.
 *
 * `*trusted` (NULL is allowed) becomes false if facts that are not trusted decide. Errors: as
 * servet_thread_place().
 */
SERVET_API int servet_thread_room(const servet_profile *profile, const servet_at *at,
                                  servet_policy policy, const int *among, int among_count,
                                  int *threads, bool *trusted, servet_error *error);

/* --- all advice ------------------------------------------------------------------------------ */

/** Topics of advice, each with the meaning of its value. */
#define SERVET_ADVICE_LIST(X)                                                                      \
    X(SERVET_ADVICE_BLOCK, "block")       /* of a thread, all PUs at work; B in cache `level` */   \
    X(SERVET_ADVICE_NO_BLOCK, "no-block") /* a level that is a turnover; B that were reached */    \
    X(SERVET_ADVICE_LOADS, "loads")       /* independent loads in flight */                        \
    X(SERVET_ADVICE_PAGES, "pages")       /* B of random access beyond which pages matter */       \
    X(SERVET_ADVICE_PADDING, "padding")   /* B between data that different cores write */          \
    X(SERVET_ADVICE_THREADS, "threads")   /* threads of code that memory limits, on `cores` */     \
    X(SERVET_ADVICE_BARRIERS, "barriers") /* s between barriers of one thread on each core */      \
    X(SERVET_ADVICE_STORES, "stores")     /* times as fast with non-temporal stores */             \
    X(SERVET_ADVICE_NUMA, "numa")         /* times as long a load from the wrong node takes */     \
    X(SERVET_ADVICE_NEAR, "near")         /* times as long a cache line takes elsewhere */         \
    X(SERVET_ADVICE_GATHER, "gather")     /* messages to gather into one */                        \
    X(SERVET_ADVICE_LAYERS, "layers")     /* times as long a message takes in the slowest layer */ \
    X(SERVET_ADVICE_SENDERS, "senders")   /* processes of a node that send at once */              \
    X(SERVET_ADVICE_NODES, "nodes")       /* times as long a message takes between far nodes */

#define SERVET_ADVICE_ENUM_(name, text) name,
typedef enum servet_advice_topic {
    SERVET_ADVICE_LIST(SERVET_ADVICE_ENUM_) SERVET_ADVICE_COUNT
} servet_advice_topic;
#undef SERVET_ADVICE_ENUM_

/** The name of a topic ("block"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_advice_topic_name(servet_advice_topic topic);

/** The receiver of advice, which decides about threads and cores. */
#define SERVET_ADVICE_FOR_LIST(X)                                                                  \
    X(SERVET_ADVICE_FOR_NODE, "node")       /* a program that has the node, as it was measured */  \
    X(SERVET_ADVICE_FOR_PROCESS, "process") /* this process, with its affinity and CPU quota */

#define SERVET_ADVICE_ENUM_(name, text) name,
typedef enum servet_advice_for {
    SERVET_ADVICE_FOR_LIST(SERVET_ADVICE_ENUM_) SERVET_ADVICE_FOR_COUNT
} servet_advice_for;
#undef SERVET_ADVICE_ENUM_

/** The name of the receiver ("process"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_advice_for_name(servet_advice_for whom);

enum { SERVET_ADVICE_TEXT_MAX = 384 };

/** One advice. */
typedef struct servet_advice {
    servet_advice_topic topic;
    int level; /**< cache level, distance layer or communication layer, from 1; 0: none */
    char kind[SERVET_NAME_MAX];   /**< the core type that it is for; "" if there is only one */
    servet_value value;           /**< the number advised: see SERVET_ADVICE_LIST; may be unknown */
    char cores[SERVET_CORES_MAX]; /**< PUs that it names, as ranges: "0-3,8"; "" for none */
    char text[SERVET_ADVICE_TEXT_MAX];  /**< what to do: a sentence without its full stop */
    char why[SERVET_ADVICE_TEXT_MAX];   /**< what was measured, as a clause */
    char facts[SERVET_ADVICE_TEXT_MAX]; /**< keys of the facts it follows from, with blanks between
                                         */
    bool trusted;                       /**< whether all of these facts are trusted */
    char doubt[SERVET_TEXT_MAX];        /**< reason why one is not trusted; "" if all are */
} servet_advice;

/**
 * All advice for which the profile has facts: for each core type of the class that `at` names
 * (NULL: the class of this node), or only for the type of its core; for the node; for
 * communication. The first `size` items go into `advice`, and the number of all items into
 * `*count`; with a size of 0, `advice` may be NULL. Block sizes come from servet_cache_block(), for
 * one array of bytes with all sharers at work. The number of threads and their cores come from
 * servet_thread_room() and servet_thread_place() with SERVET_POLICY_MEMORY. Errors:
 * SERVET_EARGUMENT (an invalid `whom`), SERVET_ERANGE (no such class or core), SERVET_EOTHER,
 * SERVET_EMEMORY.
 */
SERVET_API int servet_advise(const servet_profile *profile, const servet_at *at,
                             servet_advice_for whom, servet_advice advice[], int size, int *count);

#ifdef __cplusplus
}
#endif
#endif
