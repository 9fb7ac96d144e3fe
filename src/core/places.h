/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sets of cores of several nodes as text: "0-3:0-15,0-3:32-47,5:0" is the cores 0-15 and 32-47 of
 * the nodes 0-3 and core 0 of node 5. Each part is a range of nodes and a range of cores. Nodes
 * ascend; within a node, cores ascend.
 */
#ifndef SRV_CORE_PLACES_H
#define SRV_CORE_PLACES_H

#include <stdbool.h>
#include "core/error.h"

/** A core of a node, by their numbers. */
typedef struct srv_core_at {
    int node, core;
} srv_core_at;

/**
 * Writes `count` > 0 cores, which it sorts, each once; the caller frees `*text`.
 * Errors: SERVET_EMEMORY.
 */
int srv_places_write(srv_core_at *cores, int count, char **text, servet_error *error);

/** A part of such a text. */
typedef struct srv_places_part {
    int first_node, last_node, first_core, last_core;
} srv_places_part;

/** Reads the part at `*cursor` into `*part`, and moves the cursor behind it. Returns false at the
 * end of the text, or if it is malformed (then *cursor does not point at the end). */
bool srv_places_next(const char **cursor, srv_places_part *part);

#endif
