/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tree as topology.conf or topology.yaml. */
#include <stdlib.h>

#include "core/error.h"
#include "core/human.h"
#include "export/formats.h"
#include "export/host_list.h"
#include "export/slurm_tree.h"

typedef int tree_writer(const servet_profile *profile, const srv_switch_tree *tree, FILE *stream,
                        servet_error *error);

static int write_tree(const servet_profile *profile, const servet_export_request *request,
                      tree_writer *write, FILE *stream, servet_error *error)
{
    srv_switch_tree tree;
    int code = srv_switch_tree_measured(profile, request->nodes, &tree, error);
    if (code == SERVET_OK)
        code = write(profile, &tree, stream, error);
    srv_switch_tree_finish(&tree);
    return code;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* Writes comments that name the layers of the groups. */
static void write_layers(const servet_profile *profile, const srv_switch_tree *tree, FILE *stream)
{
    servet_network network;
    servet_network_layer layer;
    char size[HUMAN_MAX], time[HUMAN_MAX];
    if (servet_network_get(profile, &network) != SERVET_OK)
        return;
    human_bytes(network.message_bytes, size);
    for (int i = 0, before = 0; i < tree->switch_count; before = tree->switches[i++].layer) {
        int number = tree->switches[i].layer;
        if (number <= before || servet_network_layer_get(profile, number, &layer) != SERVET_OK)
            continue;
        human_time(layer.latency.value, time);
        fprintf(stream,
                "# %s and following: groups of communication layer %d, messages of %s in %s\n",
                tree->switches[i].name, number, size, time);
    }
}

static void write_head(const servet_profile *profile, const srv_switch_tree *tree, FILE *stream)
{
    fputs("# Groups of nodes by the time of messages between them, by servet export.\n", stream);
    write_layers(profile, tree, stream);
    if (tree->apart >= 0)
        fprintf(stream, "# %s: nodes whose place in the network was not measured\n",
                tree->switches[tree->apart].name);
}

/* The switches below a switch, as a list; switches are numbered in order. */
static int write_children(const srv_switch_tree *tree, int parent, FILE *stream,
                          servet_error *error)
{
    const char **names = calloc((size_t)parent + 1, sizeof *names);
    int count = 0;
    if (!names)
        return srv_fail_memory(error);
    for (int i = 0; i < parent; i++)
        if (tree->switches[i].parent == parent)
            names[count++] = tree->switches[i].name;
    srv_host_list_write(names, count, stream);
    free(names);
    return SERVET_OK;
}

/* The texts around the name of a switch, its nodes and its switches. */
typedef struct words {
    const char *name, *nodes, *children, *end;
} words;

static int write_switches(const srv_switch_tree *tree, const words *around, FILE *stream,
                          servet_error *error)
{
    int code = SERVET_OK, first;
    for (int i = 0; i < tree->switch_count && code == SERVET_OK; i++) {
        int count = srv_switch_tree_under(tree, i, &first);
        if (!count && !around->children)
            continue;
        fprintf(stream, "%s%s%s", around->name, tree->switches[i].name,
                count ? around->nodes : around->children);
        code = count ? srv_switch_tree_list(tree, first, count, stream, error)
                     : write_children(tree, i, stream, error);
        fputs(around->end, stream);
    }
    return code;
}

/* --- topology.conf ---------------------------------------------------------------------------- */

static int write_conf(const servet_profile *profile, const srv_switch_tree *tree, FILE *stream,
                      servet_error *error)
{
    static const words conf = {"SwitchName=", " Nodes=", " Switches=", "\n"};
    write_head(profile, tree, stream);
    fputs("# slurm.conf: TopologyPlugin=topology/tree\n", stream);
    return write_switches(tree, &conf, stream, error);
}

int srv_export_slurm_conf(const servet_profile *profile, const servet_export_request *request,
                          FILE *stream, servet_error *error)
{
    return write_tree(profile, request, write_conf, stream, error);
}

/* --- topology.yaml ---------------------------------------------------------------------------- */

/* Returns the size of the smallest leaf: Slurm refuses a block with fewer nodes than the base size.
 */
static int smallest_leaf(const srv_switch_tree *tree)
{
    int least = 0, first;
    for (int i = 0; i < tree->switch_count; i++) {
        int count = srv_switch_tree_under(tree, i, &first);
        if (count && (!least || count < least))
            least = count;
    }
    return least;
}

/* Writes topology.yaml. Names are quoted, because YAML would read some of them as numbers. */
static int write_yaml(const servet_profile *profile, const srv_switch_tree *tree, FILE *stream,
                      servet_error *error)
{
    static const words switches = {"    - switch: \"", "\"\n      nodes: \"",
                                   "\"\n      children: \"", "\"\n"},
                       blocks = {"    - block: \"", "\"\n      nodes: \"", NULL, "\"\n"};
    write_head(profile, tree, stream);
    fputs("# For Slurm 25.05 and later. A partition with Topology=servet-blocks has the blocks.\n"
          "---\n"
          "- topology: servet-tree\n"
          "  cluster_default: true\n"
          "  tree:\n"
          "    switches:\n",
          stream);
    int code = write_switches(tree, &switches, stream, error);
    fprintf(stream,
            "- topology: servet-blocks\n"
            "  cluster_default: false\n"
            "  block:\n"
            "    block_sizes:\n"
            "    - %d\n"
            "    blocks:\n",
            smallest_leaf(tree));
    return code == SERVET_OK ? write_switches(tree, &blocks, stream, error) : code;
}

int srv_export_slurm_yaml(const servet_profile *profile, const servet_export_request *request,
                          FILE *stream, servet_error *error)
{
    return write_tree(profile, request, write_yaml, stream, error);
}
