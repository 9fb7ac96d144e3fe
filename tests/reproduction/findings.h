/* SPDX-License-Identifier: BSD-3-Clause */
/** Results of a method on a simulated machine. */
#ifndef SRV_TESTS_FINDINGS_H
#define SRV_TESTS_FINDINGS_H

#include "machine/machine.h"

enum { FINDINGS_TEXT_MAX = 512, FINDINGS_MEMORY_MAX = 4 };

typedef enum finding_method { METHOD_2010, METHOD_DEFAULT, METHOD_COUNT } finding_method;

/** The results of one core type. */
typedef struct findings {
    int code;  /**< SERVET_OK, or why the rest is empty */
    int count; /**< of levels */
    double bytes[SRV_CACHES_MAX];
    char groups[SRV_CACHES_MAX]
               [FINDINGS_TEXT_MAX]; /**< cores sharing a cache: "0,12 1,13"; "": not measured */
    double memory_ns;               /**< 0: not reached */
    double steepest; /**< servet2010: where the curve rises most beyond the first level; bytes */
    double seconds;  /**< what it would have taken there */
    /* Results of the whole node; -1: not measured. */
    int block;          /**< that cores lose to each other by false sharing; bytes */
    int distance_count; /**< of layers of distances between cores */
    int memory_count;   /**< of levels of memory overhead */
    double memory_share[FINDINGS_MEMORY_MAX]; /**< of what a core gets alone, that one of a pair
                                                 gets */
    char memory_groups[FINDINGS_MEMORY_MAX][FINDINGS_TEXT_MAX];
} findings;

/** How a machine is measured. */
typedef struct finding_plan {
    finding_method method;
    double max_bytes; /**< largest working set; 0: the default of `servet measure` */
    bool node;        /**< also what cores have in common, as far as the method can tell */
} finding_plan;

/**
 * Measures `machine`, which the caller keeps, as `servet measure` does, without a limit of
 * time: found[0..count-1] are its first kinds of cores.
 */
void findings_of_kinds(srv_machine *machine, const finding_plan *plan, findings *found, int count);

/** The same of the caches of the first kind only. */
findings findings_of(srv_machine *machine, finding_method method, double max_bytes);

/** Bytes in the largest unit that they are a multiple of: "3 MiB", "1536 KiB". */
const char *size_text(double bytes, char *text, size_t size);

#endif
