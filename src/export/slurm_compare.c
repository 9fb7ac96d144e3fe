/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the measured leaves with the leaves in a site's file. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "export/formats.h"
#include "export/host_list.h"
#include "export/slurm_tree.h"

/* A node, and its leaf in each tree; -1: the tree does not have it. */
typedef struct node {
    const char *name;
    int measured, filed;
} node;

/* Successive nodes in the list that are under the same leaves. */
typedef struct run {
    int first, count;
    bool matches; /* the measured leaf and the leaf of the file are the same switch */
} run;

/* The comparison. */
typedef struct comparing {
    srv_switch_tree measured, filed;
    node *nodes; /* the nodes of both trees, each once */
    run *runs;
    int node_count, run_count;
    FILE *stream;
    int elsewhere, missing;
} comparing;

/* --- nodes ------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    return srv_host_order(((const node *)a)->name, ((const node *)b)->name);
}

static int by_leaves(const void *a, const void *b)
{
    const node *x = a, *y = b;
    if (x->measured != y->measured)
        return x->measured < y->measured ? -1 : 1;
    if (x->filed != y->filed)
        return x->filed < y->filed ? -1 : 1;
    return by_name(a, b);
}

/* Joins the two entries of a node that both trees have. */
static void join_nodes(comparing *on)
{
    int kept = -1;
    qsort(on->nodes, (size_t)on->node_count, sizeof *on->nodes, by_name);
    for (int i = 0; i < on->node_count; i++) {
        if (kept < 0 || by_name(&on->nodes[kept], &on->nodes[i]) != 0) {
            on->nodes[++kept] = on->nodes[i];
            continue;
        }
        on->nodes[kept].measured += on->nodes[i].measured + 1;
        on->nodes[kept].filed += on->nodes[i].filed + 1;
    }
    on->node_count = kept + 1;
    qsort(on->nodes, (size_t)on->node_count, sizeof *on->nodes, by_leaves);
}

static int collect(comparing *on, servet_error *error)
{
    size_t most = (size_t)on->measured.host_count + (size_t)on->filed.host_count;
    on->nodes = calloc(most, sizeof *on->nodes);
    on->runs = calloc(most, sizeof *on->runs);
    if (!on->nodes || !on->runs)
        return srv_fail_memory(error);
    for (int i = 0; i < on->measured.host_count; i++)
        on->nodes[on->node_count++] =
            (node){on->measured.hosts[i].name, on->measured.hosts[i].leaf, -1};
    for (int i = 0; i < on->filed.host_count; i++)
        on->nodes[on->node_count++] = (node){on->filed.hosts[i].name, -1, on->filed.hosts[i].leaf};
    join_nodes(on);
    for (int i = 0; i < on->node_count; i++) {
        const node *now = &on->nodes[i];
        if (i == 0 || now->measured != now[-1].measured || now->filed != now[-1].filed)
            on->runs[on->run_count++].first = i;
        on->runs[on->run_count - 1].count++;
    }
    return SERVET_OK;
}

/* --- switches --------------------------------------------------------------------------------- */

/* Orders by the number of nodes, the largest first. */
static int by_count(const void *a, const void *b)
{
    const run *x = *(run *const *)a, *y = *(run *const *)b;
    return x->count != y->count ? y->count - x->count : x->first - y->first;
}

/* Matches the leaves: the pair with the most common nodes is the same switch, then the next pair of
 * leaves that have no partner yet. */
static int match(comparing *on, servet_error *error)
{
    run **order = calloc((size_t)on->run_count + 1, sizeof *order);
    bool *taken = calloc((size_t)on->measured.switch_count + (size_t)on->filed.switch_count + 1, 1),
         *taken_filed = taken + on->measured.switch_count;
    for (int i = 0; order && i < on->run_count; i++)
        order[i] = &on->runs[i];
    if (order && taken)
        qsort(order, (size_t)on->run_count, sizeof *order, by_count);
    for (int i = 0; order && taken && i < on->run_count; i++) {
        const node *here = &on->nodes[order[i]->first];
        if (here->measured < 0 || here->filed < 0 || here->measured == on->measured.apart ||
            taken[here->measured] || taken_filed[here->filed])
            continue;
        taken[here->measured] = taken_filed[here->filed] = order[i]->matches = true;
    }
    bool whole = order && taken;
    free(order);
    free(taken);
    return whole ? SERVET_OK : srv_fail_memory(error);
}

/* --- output ----------------------------------------------------------------------------------- */

static int print_nodes(comparing *on, const run *which, servet_error *error)
{
    const char **names = calloc((size_t)which->count, sizeof *names);
    if (!names)
        return srv_fail_memory(error);
    for (int i = 0; i < which->count; i++)
        names[i] = on->nodes[which->first + i].name;
    srv_host_list_write(names, which->count, on->stream);
    free(names);
    return SERVET_OK;
}

/* "leaf1 (h[0-3])" */
static int print_leaf(comparing *on, const srv_switch_tree *tree, int leaf, servet_error *error)
{
    int first, count = srv_switch_tree_under(tree, leaf, &first);
    fprintf(on->stream, "%s (", tree->switches[leaf].name);
    int code = srv_switch_tree_list(tree, first, count, on->stream, error);
    fputc(')', on->stream);
    return code;
}

/* Prints nodes whose leaf in the file is not the measured one, or that only one of both trees has.
 */
static int print_run(comparing *on, const run *which, const char *path, servet_error *error)
{
    const node *here = &on->nodes[which->first];
    if (which->matches || (here->measured == on->measured.apart && here->filed >= 0))
        return SERVET_OK;
    int code = print_nodes(on, which, error);
    if (here->measured < 0) {
        fputs(": not in the profile\n", on->stream);
        return code;
    }
    if (here->filed < 0) {
        on->missing += which->count;
        fprintf(on->stream, ": not in %s\n", path);
        return code;
    }
    on->elsewhere += which->count;
    fputs(": measured under ", on->stream);
    if (code == SERVET_OK)
        code = print_leaf(on, &on->measured, here->measured, error);
    fprintf(on->stream, ", in %s under ", path);
    if (code == SERVET_OK)
        code = print_leaf(on, &on->filed, here->filed, error);
    fputc('\n', on->stream);
    return code;
}

static int print_all(comparing *on, const char *path, servet_error *error)
{
    int first, apart = on->measured.apart, code = SERVET_OK;
    for (int i = 0; i < on->run_count && code == SERVET_OK; i++)
        code = print_run(on, &on->runs[i], path, error);
    int unmeasured = apart < 0 ? 0 : srv_switch_tree_under(&on->measured, apart, &first);
    fprintf(on->stream,
            "%d of %d measured nodes hang elsewhere; %d nodes missing, %d not measured\n",
            on->elsewhere, on->measured.host_count - unmeasured, on->missing, unmeasured);
    return code;
}

int srv_export_slurm_compare(const servet_profile *profile, const servet_export_request *request,
                             const char *path, FILE *stream, int *differences, servet_error *error)
{
    comparing on = {.stream = stream};
    int code = srv_switch_tree_measured(profile, request->nodes, &on.measured, error);
    if (code == SERVET_OK)
        code = srv_switch_tree_read(path, &on.filed, error);
    if (code == SERVET_OK)
        code = collect(&on, error);
    if (code == SERVET_OK)
        code = match(&on, error);
    if (code == SERVET_OK)
        code = print_all(&on, path, error);
    *differences = on.elsewhere + on.missing;
    free(on.nodes);
    free(on.runs);
    srv_switch_tree_finish(&on.measured);
    srv_switch_tree_finish(&on.filed);
    return code;
}
