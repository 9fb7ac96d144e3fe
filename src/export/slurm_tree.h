/* SPDX-License-Identifier: BSD-3-Clause */
/** Nodes and the switches above them: as measured, or from a site's file for Slurm. */
#ifndef SRV_EXPORT_SLURM_TREE_H
#define SRV_EXPORT_SLURM_TREE_H

#include <stdbool.h>
#include <stdio.h>
#include "servet/network.h"

/** A switch. Switches below it have smaller numbers. */
typedef struct srv_switch {
    char name[SERVET_NAME_MAX];
    int parent; /**< number of the switch above; -1: none */
    int layer;  /**< the switch is a group of this communication layer; 0: of none */
} srv_switch;

/** A node. */
typedef struct srv_tree_host {
    char name[SERVET_NAME_MAX]; /**< without its domain */
    int leaf;                   /**< number of the switch above; -1: none */
} srv_tree_host;

/** Switches and nodes. A zeroed struct is empty. */
typedef struct srv_switch_tree {
    srv_switch *switches;
    srv_tree_host *hosts;
    int switch_count, host_count;
    int apart; /**< number of the leaf of nodes that were not measured; -1: none */
} srv_switch_tree;

/** Adds a switch without parent. Errors: SERVET_EMEMORY. */
int srv_switch_tree_add(srv_switch_tree *tree, const char *name, int layer, servet_error *error);

/** Adds a node under a switch. Errors: SERVET_EMEMORY, SERVET_EFORMAT (too many). */
int srv_switch_tree_host(srv_switch_tree *tree, const char *name, int leaf, servet_error *error);

/** Orders the nodes by switch and name (srv_host_order()). Each node remains once, under a switch
 * if it was added under one. Returns false if a node was added under several switches. */
bool srv_switch_tree_settle(srv_switch_tree *tree);

/** Finds the nodes under a leaf: stores the number of the first one in `*first`, and returns how
 * many there are. */
int srv_switch_tree_under(const srv_switch_tree *tree, int leaf, int *first);

/** Writes nodes from `first` on as a list. Errors: SERVET_EMEMORY. */
int srv_switch_tree_list(const srv_switch_tree *tree, int first, int count, FILE *stream,
                         servet_error *error);

void srv_switch_tree_finish(srv_switch_tree *tree);

/**
 * Makes the tree of a profile: a switch for each group of nodes of a trusted communication layer, a
 * switch above those that no layer joins, and a leaf for nodes that were not measured. These are
 * other nodes of the job, of node classes, and of the list `more` (NULL: none).
 * srv_switch_tree_finish() frees the tree, also after a failure. Errors: SERVET_EUNMEASURED,
 * SERVET_EUNTRUSTED (no layer between nodes is trusted), SERVET_EUNSUPPORTED (nodes of the job with
 * the same name), SERVET_EFORMAT (the list), SERVET_EMEMORY.
 */
int srv_switch_tree_measured(const servet_profile *profile, const char *more, srv_switch_tree *tree,
                             servet_error *error);

/**
 * Reads the leaf switches (or blocks) of a topology.conf, or of the first topology of a
 * topology.yaml, and their nodes. Errors: as srv_text_read(), SERVET_EFORMAT (the file has no
 * switches).
 */
int srv_switch_tree_read(const char *path, srv_switch_tree *tree, servet_error *error);

#endif
