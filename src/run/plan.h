/* SPDX-License-Identifier: BSD-3-Clause */
/** Benchmarks of a node or of a job, their order, and the division of the budget. Pure: sends no
 * probe. */
#ifndef SRV_RUN_PLAN_H
#define SRV_RUN_PLAN_H

#include "run/stage.h"

/** Seconds at the end of a run in which facts with few repeats are measured again. */
#define SRV_PLAN_LINGER_SECONDS 3.0

/** Quantities on which the cost of a benchmark depends. */
typedef struct srv_scale {
    /* of a node */
    int pus, core_types;
    int numas;   /**< NUMA nodes */
    int devices; /**< accelerators */
    int levels;  /**< of cache, the largest number of any kind; until they are known, that of most
                    machines */
    double largest_bytes; /**< working set of a core; 0: not known */
    /* of a job */
    int nodes, cores;                 /**< cores: processes of its largest node */
    int sender_nodes;                 /**< that the benchmarks of distance and access use */
    int sender_processes;             /**< of the smallest of them */
    int within, between;              /**< layers of each kind; 0: no pair of ranks */
    double byte_within, byte_between; /**< s that a byte of a large message takes */
    double layer_bytes, message_bytes;
} srv_scale;

/** Whose noise makes the facts of a benchmark doubtful. */
typedef enum srv_witness {
    SRV_WITNESS_NODE,  /**< the core of a node that is sampled */
    SRV_WITNESS_PAIR,  /**< the typical pair of a layer, of facts of the layer */
    SRV_WITNESS_LAYER, /**< the same, or a good part of all ranks */
    SRV_WITNESS_MANY,  /**< all ranks that send at once in a layer, of facts of the layer */
    SRV_WITNESS_FIRST, /**< the first rank of each node */
    SRV_WITNESS_ALL,   /**< all ranks */
} srv_witness;

/** Seconds that a benchmark takes. */
typedef double srv_cost(const srv_scale *scale);

/** A benchmark: all that the run has to know of it. A table of them ends with one without cost. */
typedef struct srv_benchmark {
    int id;           /**< servet_benchmark, or srv_network_benchmark */
    const char *name; /**< the word for it */
    const char *what; /**< for the progress of a job */
    unsigned needs;   /**< 1u << id of those whose facts it uses */
    /** True if two profiles agree in what others use of its facts; NULL: they are taken for
     * different */
    bool (*stands)(const servet_profile *a, const servet_profile *b, const servet_at *at);
    srv_cost *cost;  /**< where nothing cuts it */
    srv_cost *quiet; /**< the same on an idle machine, where few visits are
                          disturbed; NULL: no less */
    double doubt; /**< the cost may be too low by this factor, and time that one leaves goes to the
                       others; 0: it is a limit */
    const char *facts;  /**< that it stores, for servet_profile_distrust(), with "#" for the number
                             of a layer of communication */
    const char *shared; /**< those of a node that depend on memory and caches which all cores share,
                             with "#" for the number of the last level of cache; NULL: none */
    bool rates; /**< those are of the bandwidth of memory: other programs take no more of it than as
                     many cores of this one take from each other */
    bool optional; /**< measures what few machines have: it costs nothing on others, where it only
                        says that there is none */
    srv_witness witness;
    const char *series; /**< its raw series, patterns of fnmatch() */
    union {
        srv_node_stage *node;
        srv_network_stage *job;
    } run;
} srv_benchmark;

/** The benchmarks, 1u << id of each, that a list names: "layers,curves". */
unsigned srv_plan_set(const srv_benchmark *plan, const char *list);

/** Their list, in the order of the plan. */
void srv_plan_list(const srv_benchmark *plan, unsigned set, char list[SERVET_TEXT_MAX]);

/** `only` (1u << id of each, 0: all) with all that those need; what the table has not is left out.
 */
unsigned srv_plan_wanted(const srv_benchmark *plan, unsigned only);

/** Seconds that the benchmarks of a set take where nothing cuts them. */
double srv_plan_cost(const srv_benchmark *plan, unsigned set, const srv_scale *scale);

/** The same on an idle machine. */
double srv_plan_quiet(const srv_benchmark *plan, unsigned set, const srv_scale *scale);

/**
 * Seconds for one of the benchmarks of `set`, all still to run, out of the `left` for them
 * (INFINITY: no limit), in proportion to their costs. Where costs are doubtful, each gets the same,
 * and none more than its cost with all doubt, so that the one that takes most is cut. A benchmark
 * that most others need gets half at least, if it costs as much.
 */
double srv_plan_share(const srv_benchmark *benchmark, const srv_benchmark *plan, unsigned set,
                      const srv_scale *scale, double left);

/** True if the machine has nothing of what the benchmark measures: no time is planned for it. */
static inline bool srv_plan_is_idle(const srv_benchmark *benchmark, const srv_scale *scale)
{
    return benchmark->optional && !(benchmark->cost(scale) > 0);
}

/** Writes names of facts into `names` of `size` bytes, with `number` in place of "#". */
void srv_plan_name_facts(const char *facts, int number, char *names, size_t size);

#endif
