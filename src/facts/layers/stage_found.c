/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/stage_parts.h"
#include "facts/store.h"
#include "profile/trust.h"
#include "run/network/repeat.h"
#include "run/raw_file.h"

int srv_network_add_group(srv_sets *groups, srv_core_at *cores, int count, servet_error *error)
{
    char *text;
    if (count == 0)
        return SERVET_OK;
    int code = srv_places_write(cores, count, &text, error);
    if (code != SERVET_OK)
        return code;
    code = srv_sets_add(groups, text, error);
    free(text);
    return code;
}

static servet_place place_of(const srv_network_job *job, int rank)
{
    return (servet_place){job->ranks[rank].node, job->ranks[rank].core};
}

int srv_network_add_layers(const srv_network_job *job, const srv_found *found, srv_layer_list *list,
                           servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < found->layers->layer_count && code == SERVET_OK; i++) {
        const servet_layer *layer = &found->layers->layer[i];
        servet_value bandwidth = srv_bandwidth_of(&layer->cost, job->options->layer_bytes);
        size_t pair[2];
        srv_typical_pair(found->matrix, found->layers, i, pair);
        list->layer[list->count] = (servet_network_layer){
            .between_nodes = found->between_nodes,
            .latency = srv_network_rounded(layer->cost),
            .bandwidth = srv_network_rounded(bandwidth),
            .confidence = layer->confidence,
            .from = place_of(job, found->rank[pair[0]]),
            .to = place_of(job, found->rank[pair[1]]),
        };
        code = found->add_groups(found->context, layer->group, layer->group_count,
                                 &list->groups[list->count++], error);
    }
    return code;
}

int srv_network_store_layers(const srv_network_job *job, srv_layer_list *list, servet_error *error)
{
    for (int done = 1; done < list->count; done++)
        for (int i = done; i > 0; i--) {
            servet_network_layer *before = &list->layer[i - 1], moved = list->layer[i];
            srv_sets groups = list->groups[i];
            if (before->between_nodes == moved.between_nodes ||
                before->latency.value <= moved.latency.value)
                break;
            list->layer[i] = *before;
            list->groups[i] = list->groups[i - 1];
            *before = moved;
            list->groups[i - 1] = groups;
        }
    int code = srv_store(SRV_JOB(job), list->layer, sizeof *list->layer, list->count, error,
                         "network.layers");
    for (int i = 0; i < list->count && code == SERVET_OK; i++)
        if (list->groups[i].count)
            code = srv_store(SRV_JOB(job), list->groups[i].set, sizeof *list->groups[i].set,
                             list->groups[i].count, error, "network.layers.%d.groups", i + 1);
    for (int i = 0; i < list->count && code == SERVET_OK; i++)
        if (list->layer[i].confidence < SRV_CONFIDENCE_LEAST)
            code = srv_doubt_facts(SRV_JOB(job), "it may be no layer, or several", error,
                                   "network.layers.%d", i + 1);
    return code;
}

void srv_layer_list_finish(srv_layer_list *list)
{
    while (list->count > 0)
        srv_sets_finish(&list->groups[--list->count]);
}

int srv_network_save_matrix(const srv_network_job *job, const char *file, const char *rows,
                            double bytes, const servet_matrix *matrix, servet_error *error)
{
    srv_raw_file raw;
    if (srv_raw_begin(&raw, job->options->raw_dir, error, "%s", file)) {
        fprintf(raw.stream, "# seconds of a message of %.0f bytes, %s buffers, between %s\n", bytes,
                srv_network_job_buffers(job, SRV_BUFFERS_WARM), rows);
        for (size_t i = 0; i < matrix->n * matrix->n; i++)
            fprintf(raw.stream, "%.5g%c", matrix->cost[i],
                    i % matrix->n == matrix->n - 1 ? '\n' : ',');
    }
    return srv_raw_end(&raw, error);
}
