/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/assign/assign.h"

#include "core/error.h"
#include "map/assign/bisect.h"

/* The slots in the order of the tree and the processes assigned to them are cut at the same
 * positions. */
typedef struct assignment {
    const srv_slot_tree *tree;
    srv_bisection bisection;
    servet_error *error;
} assignment;

static int group_at(const assignment *on, int place, int level)
{
    return srv_slot_tree_groups(on->tree, on->tree->order[place])[level];
}

/* The farthest level in which the slots first..end-1 are not in one group; -1 for none. */
static int level_to_cut(const assignment *on, int first, int end)
{
    int level = on->tree->levels - 1;
    while (level >= 0 && group_at(on, first, level) == group_at(on, end - 1, level))
        level--;
    return level;
}

/* Returns the border between two groups that is nearest to the middle; the lower one if two are. */
static int border_of(const assignment *on, int first, int end, int level)
{
    int middle = first + (end - first) / 2, low = middle, high = middle;
    while (low > first && group_at(on, low - 1, level) == group_at(on, low, level))
        low--;
    while (high < end && group_at(on, high - 1, level) == group_at(on, high, level))
        high++;
    if (low == first)
        return high;
    return high == end || middle - low <= high - middle ? low : high;
}

static int split(assignment *on, int first, int end)
{
    int level = level_to_cut(on, first, end);
    if (level < 0)
        return SERVET_OK;
    int border = border_of(on, first, end, level);
    const srv_map_cut cut = {first, end, border - first};
    int code = srv_bisect(&on->bisection, &cut);
    if (code != SERVET_OK)
        return srv_fail_memory(on->error);
    code = split(on, first, border);
    return code == SERVET_OK ? split(on, border, end) : code;
}

/* Replaces the bytes of an edge (both directions) by their time in the slowest layer. */
static void cost_edges(const srv_program *program, const srv_slot_tree *tree, srv_graph *graph)
{
    for (size_t i = 0; i < graph->begin[graph->count]; i++)
        graph->bytes[i] = srv_message_costs_alone(&program->costs, tree->layer[tree->levels - 1],
                                                  graph->bytes[i]);
}

/* Gives each process r the slot slot_of[r]. Errors: those of srv_assign_better(). */
static int assign(const srv_program *program, const srv_slot_tree *tree, int *slot_of,
                  servet_error *error)
{
    srv_graph graph = {0};
    assignment on = {.tree = tree, .error = error};
    int code = srv_graph_begin(&graph, program->traffic, true, error);
    if (code == SERVET_OK) {
        cost_edges(program, tree, &graph);
        code = srv_bisection_begin(&on.bisection, &graph, error);
    }
    if (code == SERVET_OK)
        code = split(&on, 0, tree->count);
    for (int i = 0; i < tree->count && code == SERVET_OK; i++)
        slot_of[on.bisection.members[i]] = tree->order[i];
    srv_bisection_finish(&on.bisection);
    srv_graph_finish(&graph);
    return code;
}

int srv_assign_better(const srv_program *program, const srv_slot_tree *tree, int *slot_of,
                      srv_map_load *load, bool *better, servet_error *error)
{
    srv_map_load assigned;
    *better = false;
    int code = srv_load_of(program, tree, NULL, load, error);
    if (code != SERVET_OK || program->traffic->uniform)
        return code;
    code = assign(program, tree, slot_of, error);
    if (code == SERVET_OK)
        code = srv_load_of(program, tree, slot_of, &assigned, error);
    *better = code == SERVET_OK && srv_load_gains(program, &assigned, load);
    if (*better)
        *load = assigned;
    return code;
}
