/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/program.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/grow.h"
#include "map/cost/load.h"

/* --- sizes ------------------------------------------------------------------------------------ */

/* Returns the mean message size, weighted by bytes: on a shared link, small messages do not matter
 * beside large ones. */
static double typical_bytes(const servet_traffic *traffic, const srv_graph *graph)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < graph->begin[graph->count]; i++) {
        sum += graph->bytes[i];
        squares += graph->bytes[i] * graph->bytes[i];
    }
    return traffic->uniform || sum <= 0 ? traffic->each : squares / sum;
}

/* --- routes ----------------------------------------------------------------------------------- */

/* The cores of the job that measured, as slots. */
static void list_slots(const servet_place *places, int count, srv_map_slot *slots)
{
    for (int i = 0; i < count; i++)
        slots[i] = (srv_map_slot){places[i].node, places[i].node, places[i].node, places[i].core};
}

/* Predicts the load of an all-to-all of all cores of the job. */
static int load_job(const srv_program *all, int ranks, servet_place first, srv_map_load *load)
{
    const servet_profile *profile = all->costs.profile;
    srv_slot_tree tree = {0};
    servet_place *places = calloc((size_t)ranks, sizeof *places);
    srv_map_slot *slots = calloc((size_t)ranks, sizeof *slots);
    int others = 0, code = places && slots ? SERVET_OK : SERVET_EMEMORY;
    if (code == SERVET_OK)
        code = servet_network_nearest(profile, first, places + 1, ranks - 1, &others);
    if (code == SERVET_OK && others != ranks - 1)
        code = SERVET_EUNMEASURED;
    if (code == SERVET_OK) {
        places[0] = first;
        list_slots(places, ranks, slots);
        code = srv_slot_tree_begin(&tree, profile, slots, ranks, NULL);
    }
    if (code == SERVET_OK)
        code = srv_load_of(all, &tree, NULL, load, NULL);
    srv_slot_tree_finish(&tree);
    free(places);
    free(slots);
    return code;
}

/* Finds the largest measured all-to-all of all cores of the job: its time is that of its bytes. */
static bool find_all_to_all(const servet_profile *profile, int ranks, servet_collective *found)
{
    servet_collective at;
    *found = (servet_collective){.bytes = 0};
    for (int i = 1; SERVET_ITEM(profile, "network.collectives", &at, i) == SERVET_OK; i++)
        if (at.op == SERVET_COLLECTIVE_ALLTOALL && at.ranks == ranks && at.groups == 1 &&
            at.bytes > found->bytes && servet_value_known(&at.time) && at.time.trusted)
            *found = at;
    return found->bytes > 0;
}

/* Finds the program's balance, with which the model predicts the time of the measured all-to-all.
 * Without one nothing follows, nor if the library is slower than the network, or if there are no
 * routes between nodes. */
static int find_balance(srv_program *program, const servet_profile *profile, servet_error *error)
{
    servet_network network;
    servet_network_layer layer;
    servet_collective measured;
    srv_phase phase = {.bytes = 0};
    srv_program all = {.phases = &phase, .count = 1};
    srv_map_load load;
    if (servet_network_get(profile, &network) != SERVET_OK || network.nodes < 2 ||
        servet_network_layer_get(profile, 1, &layer) != SERVET_OK ||
        !find_all_to_all(profile, network.ranks, &measured))
        return SERVET_OK;
    servet_traffic *traffic = NULL;
    int code = servet_traffic_pattern(&traffic, SERVET_PATTERN_ALL_TO_ALL, network.ranks,
                                      measured.bytes, NULL);
    all.traffic = traffic;
    phase.bytes = measured.bytes;
    if (code == SERVET_OK)
        code = srv_message_costs_begin(&all.costs, profile, measured.bytes, NULL);
    if (code == SERVET_OK)
        code = load_job(&all, network.ranks, layer.from, &load);
    if (code == SERVET_OK && load.routes > measured.time.value && load.partners > 1)
        program->balance =
            fmin(1, (1 - measured.time.value / load.routes) / (1 - 1 / sqrt(load.partners)));
    servet_traffic_destroy(traffic);
    return code == SERVET_EMEMORY ? srv_fail_memory(error) : SERVET_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/* Adds the phase of the items from `first` to before `end`. */
static int add_phase(srv_program *program, size_t first, size_t end, servet_error *error)
{
    servet_traffic part = *program->traffic;
    srv_phase *phases = srv_grow(program->phases, (size_t)program->count, sizeof *phases);
    if (!phases)
        return srv_fail_memory(error);
    program->phases = phases;
    srv_phase *phase = &phases[program->count++];
    *phase = (srv_phase){.bytes = 0};
    if (part.items)
        part.items += first;
    part.count = end - first;
    int code = srv_graph_begin(&phase->graph, &part, false, error);
    if (code == SERVET_OK)
        phase->bytes = typical_bytes(&part, &phase->graph);
    return code;
}

static int add_phases(srv_program *program, servet_error *error)
{
    const servet_traffic *traffic = program->traffic;
    size_t first, end = 0;
    int code;
    do {
        for (first = end; end < traffic->count; end++)
            if (traffic->items[end].phase != traffic->items[first].phase)
                break;
        code = add_phase(program, first, end, error);
    } while (code == SERVET_OK && end < traffic->count);
    return code;
}

int srv_program_begin(srv_program *program, const servet_profile *profile,
                      const servet_traffic *traffic, servet_error *error)
{
    *program = (srv_program){.traffic = traffic};
    int code = add_phases(program, error);
    if (code == SERVET_OK)
        code = srv_message_costs_begin(&program->costs, profile, program->phases[0].bytes, error);
    if (code == SERVET_OK)
        code = find_balance(program, profile, error);
    return code;
}

void srv_program_finish(srv_program *program)
{
    for (int i = 0; i < program->count; i++)
        srv_graph_finish(&program->phases[i].graph);
    free(program->phases);
    *program = (srv_program){.count = 0};
}
