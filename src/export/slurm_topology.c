/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a tree of switches from the measured network. */
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/places.h"
#include "export/host_list.h"
#include "export/slurm_tree.h"

/* The tree while it is made. */
typedef struct making {
    const servet_profile *profile;
    srv_switch_tree *tree;
    int nodes; /* number of nodes of the job, which come first in the tree */
    int leaves, switches;
    servet_error *error;
} making;

/* --- groups ----------------------------------------------------------------------------------- */

static int root_of(const srv_switch_tree *tree, int number)
{
    while (number >= 0 && tree->switches[number].parent >= 0)
        number = tree->switches[number].parent;
    return number;
}

/* Adds the switch "leaf3" or "switch2". */
static int add_switch(making *on, const char *word, int *count, int layer)
{
    char name[SERVET_NAME_MAX];
    snprintf(name, sizeof name, "%s%d", word, ++*count);
    return srv_switch_tree_add(on->tree, name, layer, on->error);
}

/* Lists the nodes of a group, which ascend in its text. */
static int nodes_of(const making *on, const char *places, int *nodes)
{
    srv_places_part part;
    int count = 0;
    for (const char *at = places; srv_places_next(&at, &part);)
        for (int node = part.first_node; node <= part.last_node && node < on->nodes; node++)
            if (count == 0 || nodes[count - 1] < node)
                nodes[count++] = node;
    return count;
}

static int put_under_leaf(making *on, const int *nodes, int count, int layer)
{
    int code = add_switch(on, "leaf", &on->leaves, layer);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        on->tree->hosts[nodes[i]].leaf = on->tree->switch_count - 1;
    return code;
}

/* Puts a switch above the switches of the nodes. A node that no faster layer joins gets a leaf. */
static int put_above(making *on, const int *nodes, int count, int layer)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (on->tree->hosts[nodes[i]].leaf < 0)
            code = put_under_leaf(on, &nodes[i], 1, layer);
    if (code == SERVET_OK)
        code = add_switch(on, "switch", &on->switches, layer);
    int last = on->tree->switch_count - 1;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        int root = root_of(on->tree, on->tree->hosts[nodes[i]].leaf);
        if (root != last)
            on->tree->switches[root].parent = last;
    }
    return code;
}

static int join(making *on, const int *nodes, int count, int layer)
{
    int root = count ? root_of(on->tree, on->tree->hosts[nodes[0]].leaf) : -1;
    bool alike = true;
    for (int i = 1; i < count; i++)
        alike = alike && root_of(on->tree, on->tree->hosts[nodes[i]].leaf) == root;
    if (count == 0 || (alike && root >= 0))
        return SERVET_OK;
    return alike ? put_under_leaf(on, nodes, count, layer) : put_above(on, nodes, count, layer);
}

/* --- layers ----------------------------------------------------------------------------------- */

static bool is_trusted(const making *on, int layer)
{
    const servet_at at = {servet_profile_class_name(on->profile, 0), SERVET_ANY_CORE};
    char key[SERVET_NAME_MAX];
    servet_trust trust;
    snprintf(key, sizeof key, "layers.%d.groups", layer);
    return servet_profile_trust(on->profile, &at, key, &trust, NULL) == SERVET_OK && trust.trusted;
}

static int join_layer(making *on, int layer, int *nodes)
{
    const char *places;
    int code = SERVET_OK;
    for (int i = 0;
         code == SERVET_OK && servet_network_group(on->profile, layer, i, &places) == SERVET_OK;
         i++)
        code = join(on, nodes, nodes_of(on, places, nodes), layer);
    return code;
}

static int join_layers(making *on)
{
    int *nodes = calloc((size_t)on->nodes + 1, sizeof *nodes);
    int code = nodes ? SERVET_OK : srv_fail_memory(on->error), between = 0, used = 0;
    servet_network_layer fact;
    for (int layer = 1;
         code == SERVET_OK && servet_network_layer_get(on->profile, layer, &fact) == SERVET_OK;
         layer++)
        if (fact.between_nodes) {
            between++;
            if (!is_trusted(on, layer))
                continue;
            used++;
            code = join_layer(on, layer, nodes);
        }
    free(nodes);
    if (code != SERVET_OK || used)
        return code;
    return between ? srv_fail(on->error, SERVET_EUNTRUSTED,
                              "no communication layer between nodes is trusted: measure again")
                   : srv_fail(on->error, SERVET_EUNMEASURED,
                              "the profile has no communication layers between nodes: "
                              "servet-mpi measure or servet-job measures them");
}

/* --- nodes ------------------------------------------------------------------------------------ */

static int add_job(making *on)
{
    const char *name;
    int code = SERVET_OK;
    for (on->nodes = 0;
         code == SERVET_OK && (name = servet_network_node(on->profile, on->nodes)) != NULL;
         on->nodes++)
        code = srv_switch_tree_host(on->tree, name, -1, on->error);
    return code;
}

static int add_classes(making *on)
{
    const char *class_name, *name;
    int code = SERVET_OK;
    for (int i = 0; (class_name = servet_profile_class_name(on->profile, i)) != NULL; i++) {
        const servet_at at = {class_name, SERVET_ANY_CORE};
        for (int j = 0;
             code == SERVET_OK && (name = servet_profile_node(on->profile, &at, j)) != NULL; j++)
            code = srv_switch_tree_host(on->tree, name, -1, on->error);
    }
    return code;
}

static int add_more(const char *name, void *context)
{
    making *on = context;
    return srv_switch_tree_host(on->tree, name, -1, on->error);
}

/* Gives nodes without a switch the leaf "unmeasured". */
static int put_apart(making *on)
{
    int first, code = SERVET_OK;
    if (!srv_switch_tree_settle(on->tree))
        return srv_fail(on->error, SERVET_EUNSUPPORTED,
                        "nodes of the job have the same name without their domains, by which Slurm "
                        "distinguishes nodes");
    int count = srv_switch_tree_under(on->tree, -1, &first);
    if (count) {
        code = srv_switch_tree_add(on->tree, "unmeasured", 0, on->error);
        on->tree->apart = on->tree->switch_count - 1;
    }
    for (int i = 0; i < count && code == SERVET_OK; i++)
        on->tree->hosts[first + i].leaf = on->tree->apart;
    (void)srv_switch_tree_settle(on->tree);
    return code;
}

/* Adds a switch above all others: Slurm's jobs use only nodes that a switch joins. */
static int put_top(making *on)
{
    int roots = 0, count = on->tree->switch_count;
    for (int i = 0; i < count; i++)
        roots += on->tree->switches[i].parent < 0;
    int code = roots > 1 ? srv_switch_tree_add(on->tree, "top", 0, on->error) : SERVET_OK;
    for (int i = 0; i < count && roots > 1 && code == SERVET_OK; i++)
        if (on->tree->switches[i].parent < 0)
            on->tree->switches[i].parent = count;
    return code;
}

int srv_switch_tree_measured(const servet_profile *profile, const char *more, srv_switch_tree *tree,
                             servet_error *error)
{
    making on = {.profile = profile, .tree = tree, .error = error};
    *tree = (srv_switch_tree){.apart = -1};
    int code = add_job(&on);
    if (code == SERVET_OK)
        code = join_layers(&on);
    if (code == SERVET_OK)
        code = add_classes(&on);
    if (code == SERVET_OK && more)
        code = srv_host_list_read(more, add_more, &on, error);
    if (code == SERVET_OK)
        code = put_apart(&on);
    return code == SERVET_OK ? put_top(&on) : code;
}
