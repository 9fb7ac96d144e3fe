/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The structure between two nested partitions of the cores. The groups of the finer one are
 * *units*, those of the coarser one *blocks* of units; two units of a block have one cost, the mean
 * of their cores' pairs.
 */
#ifndef SRV_FACTS_LAYERS_DETECT_UNITS_H
#define SRV_FACTS_LAYERS_DETECT_UNITS_H

#include <stddef.h>
#include "servet/analyze.h"

/** Units, numbered block by block. All arrays are owned; all-zero is valid for srv_units_free(). */
typedef struct srv_units {
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

/**
 * Builds the units between `fine` and `coarse` from costs less `side` (see detect_sides.h).
 * Both number the group of each core from 0; each
 * group of `coarse` is a union of groups of `fine`. Errors: SERVET_EMEMORY (then nothing is to
 * free).
 */
int srv_units_build(srv_units *units, const servet_matrix *matrix, const double *side,
                    const int *fine, const int *coarse, servet_error *error);

/** Frees the units. */
void srv_units_free(srv_units *units);

/**
 * Sorts 0..n-1 by key (0..keys-1), keeping their order: those of key k are order[start[k]] up to
 * order[start[k + 1] - 1]. `start` has keys + 1 entries.
 */
void srv_order_by(const int *key, int n, int keys, int *start, int *order);

#endif
