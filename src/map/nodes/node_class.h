/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A node class: its cores, the sets in which a process on one core adds weight to others, and the
 * order in which processes take cores. This order depends on the class alone, so it is computed
 * once for all its nodes.
 */
#ifndef SRV_MAP_NODES_NODE_CLASS_H
#define SRV_MAP_NODES_NODE_CLASS_H

#include "core/room.h"
#include "servet/map.h"

/** Weights are integers, so that every machine finds the same order. */
typedef long long srv_weight;

/** The weight that one of the rules 1, 2 and 4 adds to a core; rule 3 adds a part of it. */
enum { SRV_WEIGHT_UNIT = 1000, SRV_WEIGHT_FACTOR = 10 };

/** Disjoint groups of cores: a process on one core adds `weight` to the others of its group. */
typedef struct srv_grouping {
    servet_rule rule;
    int level;  /**< level of the memory overhead or of the cache, from 1; else 0 */
    int kind;   /**< of a cache: number of the core type that has it, from 0 */
    int *group; /**< of each core, from 0; -1: in none */
    int group_count;
    srv_weight weight;
} srv_grouping;

/** A node class. A slot is the place of one process: a core for each of its threads. */
typedef struct srv_map_class {
    int *cores; /**< OS numbers, ascending: the scheduler's order */
    int core_count;
    double *speed; /**< of each core relative to the fastest type; 1: unknown */
    int *logical;  /**< number of each core in hwloc's logical order; -1: not known */
    srv_grouping *groupings;
    int grouping_count;
    int threads, slot_count;
    int devices; /**< accelerators that have the slots in turn: slot s is near s % devices; 0: none
                  */
    int *slot_cores;  /**< OS numbers of slot s at [s * threads], slots in the order in which
                         processes take them */
    srv_weight *next; /**< the weight of each slot when it is the next to be taken */
    srv_room room;    /**< has the arrays, except `groupings` */
} srv_map_class;

/** Frees the memory of the class. */
void srv_map_class_finish(srv_map_class *class);

/** Puts `cores` (ranges) into an empty class. Errors: SERVET_EMEMORY. */
int srv_map_class_begin(srv_map_class *class, const char *cores, servet_error *error);

/** Gives the cores their logical numbers. `order` is servet_machine.logical_order. Errors:
 * SERVET_EMEMORY. */
int srv_map_class_number(srv_map_class *class, const char *order, servet_error *error);

/** Adds a grouping without groups; NULL: out of memory. Valid until the next one is added. */
srv_grouping *srv_map_class_add(srv_map_class *class, servet_rule rule, srv_weight weight);

/** Adds the cores first..last to group `group` (from 0) of a grouping. */
void srv_grouping_mark(const srv_map_class *class, srv_grouping *grouping, int group, int first,
                       int last);

/** The place in `cores` of the first core whose number is not below `number`. */
int srv_map_class_index(const srv_map_class *class, int number);

#endif
