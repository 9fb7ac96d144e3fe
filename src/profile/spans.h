/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds the set that holds a core, in the time of a binary search among those of its node. */
#ifndef SRV_PROFILE_SPANS_H
#define SRV_PROFILE_SPANS_H

#include "profile/types.h"

/** Cores first..last of a node, which are in the set of item `item` of a list. */
typedef struct srv_span {
    int node, first, last, item;
} srv_span;

/** The spans of a node, and the cores from its first span to the end of its last one. */
typedef struct srv_node_spans {
    int begin, end;        /**< numbers of its spans; the same: it has none */
    int first_core, cores; /**< those that `item` lists; 0: they are too many for a table */
    int *item;             /**< of each core, -1: none */
} srv_node_spans;

/** Those of a list. */
typedef struct srv_spans {
    int count, nodes;
    srv_node_spans *node;
    int *cores;      /**< of each item, the number of cores of its set */
    int largest;     /**< the first item with the largest set; -1: there is none */
    srv_span span[]; /**< by node, then by core */
} srv_spans;

/**
 * Notes in `list` where the cores of its sets are, in place of what it says of that. The set of an
 * item of `size` bytes is the text that the pointer `offset` bytes into it points to; cores without
 * a node are those of node 0. What is no set ends where it stops to be one. Errors: SERVET_EMEMORY.
 */
int srv_spans_note(srv_list *list, size_t size, size_t offset);

/**
 * The same for the groups of a layer of a job, which are well formed. Errors: where->code (a node
 * that took no part, a core in two groups, more cores than the job had processes), SERVET_EMEMORY.
 */
int srv_spans_note_groups(srv_list *groups, const srv_comm *comm, srv_json_path *where);

/** The number of the item whose set holds a core; -1 for none. */
int srv_spans_find(const srv_list *list, servet_place place);

/** The first core of a span that no set holds; -1: sets hold all of them. */
int srv_spans_outside(const srv_list *list, srv_span span);

/** In lists of texts: the first item of `near` whose set is not within a set of `wide`; -1: there
 * is none. */
int srv_spans_find_split(const srv_list *near, const srv_list *wide);

/** The number of the item whose set holds the first core of a node that any set holds; -1: none. */
int srv_spans_first(const srv_list *list, int node);

/** The number of the item with the largest set; -1: there is none. */
int srv_spans_largest(const srv_list *list);

/** The number of cores of the set of an item that was found. */
int srv_spans_cores(const srv_list *list, int item);

#endif
