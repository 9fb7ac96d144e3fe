/* SPDX-License-Identifier: BSD-3-Clause */
/** The structure between two nested partitions of the cores. The groups of the finer one are
 * *units*, those of the coarser one *blocks* of units; two units of a block have one cost, the mean
 * of their cores' pairs. */
#ifndef SRV_FACTS_LAYERS_DETECT_UNITS_H
#define SRV_FACTS_LAYERS_DETECT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/room.h"
#include "servet/analyze.h"

/** Fills in half of what each core costs more as the first of a pair than as the second one. All
 * are 0 unless that explains most of the differences between directions. `side` has room for one
 * number per core. */
void srv_sides_find(const servet_matrix *matrix, double *side);

/** Units, numbered block by block. All arrays are owned; all-zero is valid for srv_units_free(). */
typedef struct srv_units {
    srv_room room; /**< of the arrays */
    int count;
    int block_count;
    int *first;      /**< of each block: its first unit; one more entry ends the last block */
    int *block;      /**< of each unit */
    int *of_fine;    /**< the unit that each group of the finer partition has become */
    int *of_core;    /**< the unit of each core */
    int *cores;      /**< of each unit: the number of its cores */
    size_t *row;     /**< see srv_units_at() */
    size_t pairs;    /**< of units in the same block */
    double *sum;     /**< of each unit: its costs to all others of its block */
    double *squares; /**< of each block: the sum of its squared costs */
    float *cost;     /**< of the pairs; unmeasured ones are estimated from other pairs of their two
                        units */
    double mean;     /**< of the costs */
} srv_units;

/** Place in `cost` of the pair of units j < i of the same block. Places of one i and ascending j
 * follow each other. */
static inline size_t srv_units_at(const srv_units *units, int i, int j)
{
    return units->row[i] + (size_t)(j - units->first[units->block[i]]);
}

/** Cost between two units of the same block. */
static inline double srv_unit_cost(const srv_units *units, int i, int j)
{
    return units->cost[i > j ? srv_units_at(units, i, j) : srv_units_at(units, j, i)];
}

/** Builds the units between `fine` and `coarse` from costs less `side` (see detect_effects.h). Both
 * number the group of each core from 0; each group of `coarse` is a union of groups of `fine`.
 * Errors: SERVET_EMEMORY (then nothing is to free). */
int srv_units_build(srv_units *units, const servet_matrix *matrix, const double *side,
                    const int *fine, const int *coarse, servet_error *error);

/** Frees the units. */
void srv_units_free(srv_units *units);

typedef struct srv_cut {
    int count;
    int *group; /**< of each unit, numbered by their first units */
    int *
        start; /**< of each group, and one more: its units are order[start[g]..start[g + 1] - 1], */
    int *order; /**< ascending */
    int *work;  /**< for srv_cut_set() */
} srv_cut;

/** A cut of that many units, whose arrays are in the room. */
srv_cut srv_cut_of(srv_room *room, int units);

/** Sets the groups from a number per unit, the same for those in the same group (may be
 * cut->group); numbers lie between 0 and the number of units. */
void srv_cut_set(srv_cut *cut, int units, const int *group);

/** The number of units of a group. */
static inline int srv_cut_size(const srv_cut *cut, int group)
{
    return cut->start[group + 1] - cut->start[group];
}

/** True if groups of these sizes are alike: no unit is alone, and none is larger than twice the
 * smallest. */
bool srv_sizes_alike(int smallest, int largest);

/** True if all groups are alike. */
bool srv_cut_alike(const srv_cut *cut);

#endif
