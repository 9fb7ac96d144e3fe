/* SPDX-License-Identifier: BSD-3-Clause */
/** Nodes and the switches above them, as measured or as a site's file for Slurm has them. */
#ifndef SRV_EXPORT_SLURM_TREE_H
#define SRV_EXPORT_SLURM_TREE_H

#include <stdbool.h>
#include <stdio.h>
#include "servet/network.h"

/** A switch. Those below it come before it. */
typedef struct srv_switch {
    char name[SERVET_NAME_MAX];
    int parent; /**< its number; -1: none */
    int layer;  /**< the communication layer whose group it is; 0: none */
} srv_switch;

/** A node. */
typedef struct srv_tree_host {
    char name[SERVET_NAME_MAX]; /**< without its domain */
    int leaf;                   /**< number of its switch; -1: none */
} srv_tree_host;

/** Switches and nodes; zeroed it is empty. */
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

/** Orders the nodes by their switches and names (srv_host_order()); each stays once, under a switch
 * if it was added under one. Returns false if one was added under switches more than once. */
bool srv_switch_tree_settle(srv_switch_tree *tree);

/** The nodes under a leaf, in order: the first one's number goes into `*first`; returns how many
 * there are. */
int srv_switch_tree_under(const srv_switch_tree *tree, int leaf, int *first);

/** Writes nodes from `first` on as a list. Errors: SERVET_EMEMORY. */
int srv_switch_tree_list(const srv_switch_tree *tree, int first, int count, FILE *stream,
                         servet_error *error);

void srv_switch_tree_finish(srv_switch_tree *tree);

/**
 * The tree of a profile: a switch for each group of nodes of a trusted communication layer, one
 * above those that no layer joins, and a leaf for the nodes that were not measured: others of the
 * job, of node classes, and of the list `more` (NULL: none). srv_switch_tree_finish() frees it,
 * also after a failure. Errors: SERVET_EUNMEASURED, SERVET_EUNTRUSTED (no layer between nodes that
 * is trusted), SERVET_EUNSUPPORTED (nodes of the job with the same name), SERVET_EFORMAT (the
 * list), SERVET_EMEMORY.
 */
int srv_switch_tree_measured(const servet_profile *profile, const char *more, srv_switch_tree *tree,
                             servet_error *error);

/**
 * The leaf switches (or blocks) of a topology.conf, or of the first topology of a topology.yaml,
 * and their nodes. Errors: as srv_text_read(), SERVET_EFORMAT (it has none).
 */
int srv_switch_tree_read(const char *path, srv_switch_tree *tree, servet_error *error);

#endif
