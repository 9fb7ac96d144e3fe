/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/nodes.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/file.h"
#include "run/classes.h"
#include "run/measure.h"
#include "run/network/network.h"
#include "core/memory_stream.h"
#include "servet/record.h"

/* --- profiles of nodes that are kept ---------------------------------------------------------- */

/* Writes the path of a node's profile. Returns false if it is too long. */
static bool path_of(const mpi_nodes *nodes, int node, char path[SERVET_ERROR_FILE_MAX])
{
    const srv_network_node *list = srv_network_nodes(nodes->network, &(int){0});
    return snprintf(path, SERVET_ERROR_FILE_MAX, "%s/done-%s.json", nodes->folder,
                    list[node].name) < SERVET_ERROR_FILE_MAX;
}

/* Opens the profile of a node. Returns NULL if there is none or if it cannot be read; then the node
 * is measured again. */
static servet_profile *open_kept(const mpi_nodes *nodes, int node)
{
    char path[SERVET_ERROR_FILE_MAX];
    servet_profile *profile;
    bool there =
        path_of(nodes, node, path) && servet_profile_open(&profile, path, NULL) == SERVET_OK;
    return there ? profile : NULL;
}

static int write_profile(const char *path, const char *profile, size_t size, servet_error *error)
{
    srv_file file;
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    fwrite(profile, 1, size, file.stream);
    code = srv_file_commit(&file, error);
    srv_file_abandon(&file);
    return code;
}

static void keep(void *context, int node, const char *profile, size_t size)
{
    mpi_nodes *nodes = context;
    char path[SERVET_ERROR_FILE_MAX];
    if (!path_of(nodes, node, path))
        srv_fail(&nodes->keeping, SERVET_EIO, "the path of a node's profile is too long");
    else if (write_profile(path, profile, size, &nodes->keeping) == SERVET_OK)
        nodes->kept(nodes->context);
}

static int list_known(const mpi_nodes *nodes, bool *known)
{
    int count, left = 0;
    srv_network_nodes(nodes->network, &count);
    for (int i = 0; i < count; i++) {
        servet_profile *profile = open_kept(nodes, i);
        if (known)
            known[i] = profile;
        left += !profile;
        servet_profile_close(profile);
    }
    return left;
}

int mpi_nodes_left(const mpi_nodes *nodes)
{
    return list_known(nodes, NULL);
}

/* --- one profile of all nodes ----------------------------------------------------------------- */

/* Keeps the larger of two shares, each of which may be unknown. */
static void keep_worst(servet_value *worst, const servet_value *other)
{
    if (servet_value_known(other) && !(worst->value >= other->value))
        *worst = *other;
}

void mpi_nodes_add_noise(servet_run *run, const servet_run *part)
{
    keep_worst(&run->noise, &part->noise);
    keep_worst(&run->steal, &part->steal);
    keep_worst(&run->others, &part->others);
    keep_worst(&run->drift, &part->drift);
}

static int merge(servet_profile **profiles, int count, servet_profile **cluster,
                 servet_error *error)
{
    servet_run noise = {.noise = servet_value_unknown(SERVET_UNIT_NONE)}, run;
    noise.steal = noise.others = noise.drift = noise.noise;
    for (int i = 0; i < count; i++)
        if (profiles[i] && servet_profile_run(profiles[i], &run) == SERVET_OK)
            mpi_nodes_add_noise(&noise, &run);
    int code = srv_merge_nodes(profiles, count, cluster, error);
    if (code != SERVET_OK || !*cluster || servet_profile_run(*cluster, &run) != SERVET_OK)
        return code;
    mpi_nodes_add_noise(&run, &noise);
    code = servet_profile_set_run(*cluster, &run, error);
    if (code != SERVET_OK) {
        servet_profile_close(*cluster);
        *cluster = NULL;
    }
    return code;
}

int mpi_nodes_profile(const mpi_nodes *nodes, const char *command, servet_profile **profile,
                      servet_error *error)
{
    int count;
    srv_network_nodes(nodes->network, &count);
    servet_profile **kept = calloc((size_t)count, sizeof(servet_profile *)), *cluster = NULL;
    if (!kept)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        kept[i] = open_kept(nodes, i);
    int code = merge(kept, count, &cluster, error);
    free(kept);
    if (code == SERVET_OK && cluster)
        *profile = cluster;
    if (code != SERVET_OK || cluster)
        return code;
    servet_run run = srv_run_begin(command);
    servet_machine machine;
    code = servet_machine_here(&machine, error);
    return code == SERVET_OK
               ? srv_network_list_nodes(nodes->network, &run, &machine, profile, error)
               : code;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* Fails if a node refused to continue an earlier measurement: its results would be missing. */
static int find_refusal(const mpi_nodes *nodes, servet_error *error)
{
    const srv_network_node *list = srv_network_nodes(nodes->network, &(int){0});
    for (int i = 0; i < nodes->count; i++)
        if (nodes->error[i].code == SERVET_EARGUMENT)
            return srv_fail(error, SERVET_EARGUMENT, "node %s: %.180s", list[i].name,
                            nodes->error[i].text);
    return SERVET_OK;
}

static int check(const mpi_nodes *nodes, servet_error *error)
{
    int code = find_refusal(nodes, error);
    if (code == SERVET_OK && nodes->keeping.code != SERVET_OK)
        code = srv_fail_at(error, nodes->keeping.code, nodes->keeping.file, 0, "%s",
                           nodes->keeping.text);
    if (code == SERVET_OK && mpi_nodes_left(nodes) == nodes->count)
        code = srv_fail(error, nodes->error[0].code, "%s", nodes->error[0].text);
    return code;
}

int mpi_nodes_measure(mpi_nodes *nodes, const servet_measure_options *options, servet_error *error)
{
    srv_network_nodes(nodes->network, &nodes->count);
    size_t count = (size_t)nodes->count;
    nodes->error = calloc(count, sizeof *nodes->error);
    bool *known = calloc(count, sizeof *known);
    srv_survey survey = {options, known, keep, nodes};
    int code = nodes->error && known ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK && list_known(nodes, known) > 0)
        code = srv_network_measure_nodes(nodes->network, &survey, nodes->error, error);
    if (code == SERVET_OK)
        code = check(nodes, error);
    free(known);
    return code;
}

void mpi_nodes_finish(mpi_nodes *nodes)
{
    free(nodes->error);
    *nodes = (mpi_nodes){.count = 0};
}

/* --- the report ------------------------------------------------------------------------------- */

static void report_class(const servet_profile *profile, int node_class)
{
    servet_at at = {.node_class = servet_profile_class_name(profile, node_class),
                    .core = SERVET_ANY_CORE};
    srv_difference difference = srv_compare_classes(profile, 0, profile, node_class);
    const char *name;
    for (int i = 0; (name = servet_profile_node(profile, &at, i)); i++)
        printf("warning: node %s is %s: %s\n", name,
               difference.slower ? "slower than the others" : "different from the others",
               difference.text);
}

void mpi_report_nodes(srv_network *network, const mpi_nodes *nodes, const servet_profile *profile)
{
    int count, node_class;
    const srv_network_node *names = srv_network_nodes(network, &count);
    for (int i = 0; i < count; i++)
        if (servet_profile_class_of(profile, names[i].name, &node_class) != SERVET_OK)
            printf("warning: node %s was not measured%s%s\n", names[i].name,
                   i < nodes->count ? ": " : "", i < nodes->count ? nodes->error[i].text : "");
    for (int i = 1; i < servet_profile_class_count(profile); i++)
        report_class(profile, i);
}

/* --- a node ----------------------------------------------------------------------------------- */

static int dump(const servet_profile *profile, char **text, size_t *size, servet_error *error)
{
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    int code = servet_profile_dump(profile, memory.stream, error);
    bool kept = srv_memory_stream_close(&memory, text, size);
    if (code != SERVET_OK)
        free(*text);
    return kept || code != SERVET_OK ? code : srv_fail_memory(error);
}

int mpi_node_measure(const servet_measure_options *options, char **profile, size_t *size,
                     servet_error *error)
{
    servet_profile *measured;
    int code = servet_measure(options, &measured, error);
    if (code != SERVET_OK)
        return code;
    code = dump(measured, profile, size, error);
    servet_profile_close(measured);
    return code;
}
