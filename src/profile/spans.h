/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds the set that has a core, by a binary search among the sets of its node. */
#ifndef SRV_PROFILE_SPANS_H
#define SRV_PROFILE_SPANS_H

#include "profile/types.h"

/** Cores first..last of a node, which are in the set of item `item` of a list. */
typedef struct srv_span {
    int node, first, last, item;
} srv_span;

/** The numbers of the first span of a node, and of the one behind its last; equal: it has none. */
typedef struct srv_node_spans {
    int begin, end;
} srv_node_spans;

/** The spans of a list. */
typedef struct srv_spans {
    int count, nodes;
    srv_node_spans *node;
    int *cores;      /**< number of cores in the set of each item */
    int largest;     /**< the first item with the largest set; -1: there is none */
    srv_span span[]; /**< by node, then by core */
} srv_spans;

/**
 * Notes in `list` where the cores of its sets are, and replaces earlier notes. An item has `size`
 * bytes, with a pointer to the text of its set at `offset`. Cores without a node belong to node 0.
 * A malformed set ends before its error. Errors: SERVET_EMEMORY.
 */
int srv_spans_note(srv_list *list, size_t size, size_t offset);

/**
 * Notes the cores of the groups of a job's layer; the groups are well formed. Errors: where->code
 * (a node that took no part, a core in two groups, more cores than the job had processes),
 * SERVET_EMEMORY.
 */
int srv_spans_note_groups(srv_list *groups, const srv_comm *comm, srv_json_path *where);

/** Returns the number of the item whose set has a core; -1: there is none. */
int srv_spans_find(const srv_list *list, servet_place place);

/** Returns the first core of a span that no set has; -1: sets have all of them. */
int srv_spans_outside(const srv_list *list, srv_span span);

/** Returns, for lists of texts, the first item of `near` whose set is not within a set of `wide`;
 * -1: there is none. */
int srv_spans_find_split(const srv_list *near, const srv_list *wide);

/** Returns the number of the item whose set has the first core of a node that is in any set; -1:
 * there is none. */
int srv_spans_first(const srv_list *list, int node);

/** The number of the item with the largest set; -1: there is none. */
int srv_spans_largest(const srv_list *list);

/** The number of cores of the set of an item that was found. */
int srv_spans_cores(const srv_list *list, int item);

#endif
