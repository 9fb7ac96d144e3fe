/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes ClusterCockpit's description of a cluster, with a subcluster for each node class. */
#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "core/json/layout.h"
#include "export/formats.h"
#include "export/node_sets.h"

/* Returns the best total bandwidth that any number of cores of the node get, in GB/s; 0: not known.
 */
static double best_bandwidth(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    servet_value each;
    double best = 0;
    if (servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return 0;
    for (int cores = 1; cores <= machine.pu_count; cores++)
        if (servet_memory_scaling(profile, at, 0, cores, &each) == SERVET_OK && each.trusted &&
            each.value * cores > best)
            best = each.value * cores;
    return best / 1e9;
}

/* Double precision, of all cores together, in GFLOP/s; 0: not known. */
static double peak_rate(const servet_profile *profile, const servet_at *at, servet_width width)
{
    servet_peak peak;
    int code = servet_peak_get(profile, at, SERVET_PRECISION_F64, width, &peak);
    return code == SERVET_OK && peak.rate.trusted ? peak.rate.value / 1e9 : 0;
}

/* --- sets ------------------------------------------------------------------------------------- */

static int write_sets(const servet_profile *profile, const servet_at *at, const char *name,
                      srv_pu_sets_reader *read, bool is_required, FILE *stream, servet_error *error)
{
    srv_pu_sets sets = {NULL, 0};
    int code = read(profile, at, &sets, error);
    if (code == SERVET_OK && sets.count == 0 && is_required)
        code =
            srv_fail(error, SERVET_EUNMEASURED,
                     "of node class %.64s the profile does not say which PUs are in one %s, which "
                     "ClusterCockpit requires: measure it with this version of Servet",
                     at->node_class, name);
    if (code == SERVET_OK && sets.count)
        fprintf(stream, ",\n        \"%s\": [", name);
    for (int i = 0; i < sets.count && code == SERVET_OK; i++) {
        fputs(i ? ", [" : "[", stream);
        srv_pu_list(sets.items[i], stream);
        fputc(']', stream);
    }
    if (code == SERVET_OK && sets.count)
        fputc(']', stream);
    srv_pu_sets_finish(&sets);
    return code;
}

static int write_topology(const servet_profile *profile, const servet_at *at, const char *cores,
                          FILE *stream, servet_error *error)
{
    fputs("      \"topology\": {\n        \"node\": [", stream);
    srv_pu_list(cores, stream);
    fputc(']', stream);
    int code = write_sets(profile, at, "socket", srv_pu_sets_packages, true, stream, error);
    if (code == SERVET_OK)
        code = write_sets(profile, at, "memoryDomain", srv_pu_sets_numa, true, stream, error);
    if (code == SERVET_OK)
        code = write_sets(profile, at, "core", srv_pu_sets_cores, false, stream, error);
    fputs("\n      }\n", stream);
    return code;
}

/* --- classes ---------------------------------------------------------------------------------- */

/* Writes the names without ranges, because ClusterCockpit's ranges have other rules than Slurm's.
 */
static void write_nodes(const servet_profile *profile, const servet_at *at, FILE *stream)
{
    const char *name;
    fputs("      \"nodes\": \"", stream);
    for (int i = 0; (name = servet_profile_node(profile, at, i)) != NULL; i++)
        fprintf(stream, "%s%.*s", i ? "," : "", (int)strcspn(name, "."), name);
    fputs("\",\n", stream);
}

/* Writes a quantity; if it is not known, only its unit. */
static void write_rate(const char *name, const char *base, double value, FILE *stream)
{
    fprintf(stream, "      \"%s\": {\"unit\": {\"base\": \"%s\", \"prefix\": \"G\"}", name, base);
    if (value > 0)
        fprintf(stream, ", \"value\": %.4g", value);
    fputs("},\n", stream);
}

static int write_class(const servet_profile *profile, const char *name, FILE *stream,
                       servet_error *error)
{
    const servet_at at = {name, SERVET_ANY_CORE};
    servet_machine machine;
    (void)servet_profile_machine(profile, &at, &machine);
    int packages = machine.package_count > 0 ? machine.package_count : 1,
        cores = machine.core_count > 0 ? machine.core_count : 1;
    fputs("    {\n      \"name\": ", stream);
    srv_json_string(stream, name);
    fputs(",\n", stream);
    write_nodes(profile, &at, stream);
    fputs("      \"processorType\": ", stream);
    srv_json_string(stream, *machine.cpu ? machine.cpu : machine.architecture);
    fprintf(stream,
            ",\n      \"socketsPerNode\": %d,\n      \"coresPerSocket\": %d,\n"
            "      \"threadsPerCore\": %d,\n",
            machine.package_count, machine.core_count / packages, machine.pu_count / cores);
    write_rate("flopRateScalar", "F/s", peak_rate(profile, &at, SERVET_WIDTH_SCALAR), stream);
    write_rate("flopRateSimd", "F/s", peak_rate(profile, &at, SERVET_WIDTH_VECTOR), stream);
    write_rate("memoryBandwidth", "B/s", best_bandwidth(profile, &at), stream);
    int code = write_topology(profile, &at, machine.cores, stream, error);
    fputs("    }", stream);
    return code;
}

/* Writes a metric with thresholds, because the schema demands one. The site chooses thresholds;
 * with 0, ClusterCockpit never warns. */
static void write_metrics(double peak, FILE *stream)
{
    fprintf(
        stream,
        ",\n  \"metricConfig\": [\n"
        "    {\n      \"name\": \"mem_bw\",\n"
        "      \"unit\": {\"base\": \"B/s\", \"prefix\": \"G\"},\n"
        "      \"scope\": \"socket\",\n      \"timestep\": 60,\n      \"aggregation\": \"sum\",\n"
        "      \"peak\": %.4g,\n      \"normal\": 0,\n      \"caution\": 0,\n      \"alert\": 0\n"
        "    }\n  ],\n  \"subClusters\": [\n",
        peak);
}

/* The next class from number `*next` on that the request names, or any; NULL after the last one. */
static const char *next_class(const servet_profile *profile, const servet_export_request *request,
                              int *next)
{
    const char *name = servet_profile_class_name(profile, (*next)++);
    while (name && request->node_class && strcmp(name, request->node_class) != 0)
        name = servet_profile_class_name(profile, (*next)++);
    return name;
}

int srv_export_clustercockpit(const servet_profile *profile, const servet_export_request *request,
                              FILE *stream, servet_error *error)
{
    const char *name;
    double peak = 0;
    int code = SERVET_OK, written = 0;
    if (!request->cluster)
        return srv_fail(error, SERVET_EARGUMENT,
                        "ClusterCockpit needs the name of the cluster, which the profile does not "
                        "have: servet export --cluster NAME");
    for (int next = 0; (name = next_class(profile, request, &next)) != NULL;) {
        double best = best_bandwidth(profile, &(servet_at){name, SERVET_ANY_CORE});
        peak = best > peak ? best : peak;
    }
    fputs("{\n  \"name\": ", stream);
    srv_json_string(stream, request->cluster);
    write_metrics(peak, stream);
    for (int next = 0; code == SERVET_OK && (name = next_class(profile, request, &next)) != NULL;) {
        fputs(written++ ? ",\n" : "", stream);
        code = write_class(profile, name, stream, error);
    }
    fputs("\n  ]\n}\n", stream);
    if (written)
        return code;
    return request->node_class
               ? srv_fail(error, SERVET_ERANGE, "the profile has no node class '%.64s'",
                          request->node_class)
               : srv_fail(error, SERVET_ERANGE, "the profile has no node class");
}
