/* SPDX-License-Identifier: BSD-3-Clause */
/** Compares the known facts of a machine with the results of both methods on its model. */
#ifndef SRV_TESTS_FACTS_H
#define SRV_TESTS_FACTS_H

#include "findings.h"

#define KIB(n) ((n)*1024.)
#define MIB(n) ((n)*1048576.)

#define PRIVATE "private"

enum { KNOWN_LEVELS_MAX = 4, KNOWN_OVERHEADS_MAX = 3 };

typedef struct known_level {
    double bytes;       /**< 0: not known */
    const char *groups; /**< the cores that share it as sets of OS numbers; NULL: not compared */
} known_level;

/** Bandwidth of one core of a pair as a share of that alone; groups that such pairs connect. */
typedef struct known_overhead {
    double share; /**< 0..1 */
    const char *groups;
} known_overhead;

/** Facts of the cores of a node together. */
typedef struct known_node {
    int block;          /**< coherence block in bytes; 0: not compared */
    int distances;      /**< layers of distances between cores; 0: not compared */
    int overhead_count; /**< levels of memory overhead; NOT_MEASURED, or 0 for none */
    known_overhead overhead[KNOWN_OVERHEADS_MAX]; /**< the least one first */
} known_node;

#define NOT_MEASURED (-1)

/** A machine, or one kind of its cores; those of one model follow each other in the profile's
 * order. */
typedef struct known_machine {
    const char *model;
    const char *name;
    int level_count;
    known_level level[KNOWN_LEVELS_MAX];
    double memory_ns;       /**< 0: not compared */
    double max_bytes;       /**< largest working set; 0: the default of `servet measure` */
    const known_node *node; /**< NULL: not measured */
    bool gradient;          /**< say what the gradient alone would, and that it is 1 MiB */
} known_machine;

/** Names of the facts in the table. */
#define FACT_LEVELS    "number of levels"
#define FACT_SIZE      "size"
#define FACT_SHARING   "cores that share it"
#define FACT_MEMORY    "memory latency"
#define FACT_BLOCK     "block of false sharing"
#define FACT_DISTANCES "distances between cores"
#define FACT_OVERHEADS "memory overhead"

/** Differences of a method, and the reasons: servet2010 for good, the default method until it is
 * better. Everything else must hold. */
typedef struct known_difference {
    const char *name; /**< of the machine */
    int level;        /**< 0: of none */
    const char *fact;
    finding_method method;
    const char *reason;
} known_difference;

typedef struct known_facts {
    const char *title, *text; /**< of the section */
    const char *source;       /**< heading of the column of what is known */
    const known_machine *machines;
    int machine_count; /**< at most 16 */
    const known_difference *differences;
    int difference_count;
} known_facts;

/**
 * The program: measures, writes the section, states the claims (report.h). The argument `quick`
 * leaves out the default method and what cores have in common. Fails at once where a model cannot
 * be read.
 */
int facts_main(const known_facts *facts, int argc, char **argv);

#endif
