/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes cuts with libscotch. */
#include "map/assign/scotch.h"

#include <stdio.h>

#include <scotch/scotch.h>

/* Below this number of processes, cuts are equally good without libscotch. */
enum { MEMBERS_MIN = 32 };

/* Imbalance allowed on each side; later moves correct it. */
static const double imbalance = 0.01;

/* The set in the format of libscotch. */
typedef struct subgraph {
    SCOTCH_Num count, *begin, *to, *weight;
    SCOTCH_Num *part; /* the answer of libscotch */
    srv_room room;
} subgraph;

static bool make_subgraph(subgraph *set, const srv_bisection *on, const srv_map_cut *cut)
{
    size_t entries = 0;
    set->count = cut->end - cut->first;
    for (int m = cut->first; m < cut->end; m++)
        entries += on->graph->begin[on->members[m] + 1] - on->graph->begin[on->members[m]];
    set->begin = srv_room_take(&set->room, (size_t)set->count + 1, sizeof *set->begin);
    set->to = srv_room_take(&set->room, entries + 1, sizeof *set->to);
    set->weight = srv_room_take(&set->room, entries + 1, sizeof *set->weight);
    set->part = srv_room_take(&set->room, (size_t)set->count, sizeof *set->part);
    return !set->room.failed;
}

static void fill_subgraph(subgraph *set, const srv_bisection *on, const srv_map_cut *cut)
{
    const srv_graph *graph = on->graph;
    SCOTCH_Num used = 0;
    for (int m = cut->first; m < cut->end; m++) {
        int rank = on->members[m];
        for (size_t i = graph->begin[rank]; i < graph->begin[rank + 1]; i++) {
            int place = on->place[graph->to[i]];
            if (place < cut->first || place >= cut->end)
                continue;
            set->to[used] = place - cut->first;
            set->weight[used++] = on->weight[i];
        }
        set->begin[m - cut->first + 1] = used;
    }
}

/* Maps the graph to two targets of the requested sizes at a constant distance. Returns 0 on
 * success. */
static int map_to_two(SCOTCH_Graph *graph, subgraph *set, const srv_map_cut *cut)
{
    SCOTCH_Arch target;
    SCOTCH_Strat strategy;
    const SCOTCH_Num sizes[2] = {cut->left, set->count - cut->left};
    int failed = SCOTCH_archInit(&target);
    if (failed)
        return failed;
    failed = SCOTCH_stratInit(&strategy);
    if (!failed) {
        failed = SCOTCH_archCmpltw(&target, 2, sizes) ||
                 SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, 2, imbalance) ||
                 SCOTCH_graphMap(graph, &target, &strategy, set->part);
        SCOTCH_stratExit(&strategy);
    }
    SCOTCH_archExit(&target);
    return failed;
}

/* Calls libscotch in a separate context with one thread. So the result does not depend on other
 * calls, and other threads may call libscotch at the same time. */
static int map_in_context(SCOTCH_Graph *graph, subgraph *set, const srv_map_cut *cut)
{
    SCOTCH_Context context;
    SCOTCH_Graph bound;
    if (SCOTCH_contextInit(&context))
        return 1;
    SCOTCH_contextRandomSeed(&context, 1);
    int failed = SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) ||
                 SCOTCH_contextThreadSpawn(&context, 1, NULL) || SCOTCH_graphInit(&bound);
    if (!failed) {
        failed = SCOTCH_contextBindGraph(&context, graph, &bound) || map_to_two(&bound, set, cut);
        SCOTCH_graphExit(&bound);
    }
    SCOTCH_contextExit(&context);
    return failed;
}

static int partition(subgraph *set, const srv_map_cut *cut)
{
    SCOTCH_Graph graph;
    int failed = SCOTCH_graphInit(&graph);
    if (failed)
        return failed;
    failed = SCOTCH_graphBuild(&graph, 0, set->count, set->begin, NULL, NULL, NULL,
                               set->begin[set->count], set->to, set->weight) ||
             map_in_context(&graph, set, cut);
    SCOTCH_graphExit(&graph);
    return failed;
}

/* If libscotch fails, the bisection continues without this initial cut. */
int srv_scotch_beginning(srv_bisection *on, const srv_map_cut *cut)
{
    subgraph set = {.count = 0};
    if (cut->end - cut->first < MEMBERS_MIN)
        return SERVET_EUNSUPPORTED;
    int code = make_subgraph(&set, on, cut) ? SERVET_OK : SERVET_EMEMORY;
    if (code == SERVET_OK) {
        fill_subgraph(&set, on, cut);
        code = partition(&set, cut) ? SERVET_EUNSUPPORTED : SERVET_OK;
    }
    for (int m = cut->first; m < cut->end && code == SERVET_OK; m++)
        on->side[on->members[m]] = set.part[m - cut->first] != 0;
    srv_room_free(&set.room);
    return code;
}
