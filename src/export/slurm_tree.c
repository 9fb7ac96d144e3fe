/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/slurm_tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/search.h"
#include "export/host_list.h"

int srv_switch_tree_add(srv_switch_tree *tree, const char *name, int layer, servet_error *error)
{
    srv_switch *grown = srv_grow(tree->switches, (size_t)tree->switch_count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    tree->switches = grown;
    grown += tree->switch_count++;
    snprintf(grown->name, sizeof grown->name, "%s", name);
    grown->parent = -1;
    grown->layer = layer;
    return SERVET_OK;
}

int srv_switch_tree_host(srv_switch_tree *tree, const char *name, int leaf, servet_error *error)
{
    if (tree->host_count == SERVET_RANKS_MAX)
        return srv_fail(error, SERVET_EFORMAT, "more than %d nodes", SERVET_RANKS_MAX);
    srv_tree_host *grown = srv_grow(tree->hosts, (size_t)tree->host_count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    tree->hosts = grown;
    grown += tree->host_count++;
    snprintf(grown->name, sizeof grown->name, "%.*s", (int)strcspn(name, "."), name);
    grown->leaf = leaf;
    return SERVET_OK;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Orders by name; the entry of a node with a switch comes before its other entries. */
static int by_name(const void *a, const void *b)
{
    const srv_tree_host *x = a, *y = b;
    int order = srv_host_order(x->name, y->name);
    return order ? order : (x->leaf < y->leaf) - (x->leaf > y->leaf);
}

static int by_leaf(const void *a, const void *b)
{
    const srv_tree_host *x = a, *y = b;
    return x->leaf != y->leaf ? (x->leaf > y->leaf) - (x->leaf < y->leaf) : by_name(a, b);
}

bool srv_switch_tree_settle(srv_switch_tree *tree)
{
    int kept = 0;
    bool is_unique = true;
    if (tree->host_count == 0)
        return true;
    qsort(tree->hosts, (size_t)tree->host_count, sizeof *tree->hosts, by_name);
    for (int i = 1; i < tree->host_count; i++)
        if (strcmp(tree->hosts[kept].name, tree->hosts[i].name) != 0)
            tree->hosts[++kept] = tree->hosts[i];
        else
            is_unique = is_unique && tree->hosts[i].leaf < 0;
    tree->host_count = kept + 1;
    qsort(tree->hosts, (size_t)tree->host_count, sizeof *tree->hosts, by_leaf);
    return is_unique;
}

static bool is_under_lower(const void *host, const void *leaf)
{
    return ((const srv_tree_host *)host)->leaf < *(const int *)leaf;
}

int srv_switch_tree_under(const srv_switch_tree *tree, int leaf, int *first)
{
    int count = 0;
    *first =
        srv_count_before(tree->hosts, tree->host_count, sizeof *tree->hosts, is_under_lower, &leaf);
    while (*first + count < tree->host_count && tree->hosts[*first + count].leaf == leaf)
        count++;
    return count;
}

/* --- output ----------------------------------------------------------------------------------- */

int srv_switch_tree_list(const srv_switch_tree *tree, int first, int count, FILE *stream,
                         servet_error *error)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    if (!names)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        names[i] = tree->hosts[first + i].name;
    srv_host_list_write(names, count, stream);
    free(names);
    return SERVET_OK;
}

void srv_switch_tree_finish(srv_switch_tree *tree)
{
    free(tree->switches);
    free(tree->hosts);
    *tree = (srv_switch_tree){.apart = -1};
}
