/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes ReFrame's description of a processor, and references for its performance tests. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "export/formats.h"
#include "export/node_sets.h"
#include "servet/place.h"

/* --- processor.json --------------------------------------------------------------------------- */

/* A member of an object or an item of a list begins a line. */
static void begin(FILE *stream, int depth, bool is_first)
{
    fprintf(stream, "%s%*s", is_first ? "\n" : ",\n", 2 * depth, "");
}

static void write_masks(const srv_pu_sets *sets, int depth, FILE *stream)
{
    fputc('[', stream);
    for (int i = 0; i < sets->count; i++) {
        begin(stream, depth + 1, i == 0);
        fputc('"', stream);
        srv_pu_mask(sets->items[i], stream);
        fputc('"', stream);
    }
    fprintf(stream, "\n%*s]", 2 * depth, "");
}

static int write_sets(const servet_profile *profile, const servet_at *at, const char *name,
                      srv_pu_sets_reader *read, FILE *stream, servet_error *error)
{
    srv_pu_sets sets = {NULL, 0};
    int code = read(profile, at, &sets, error);
    if (code == SERVET_OK && sets.count) {
        fprintf(stream, "    \"%s\": ", name);
        write_masks(&sets, 2, stream);
        fputs(",\n", stream);
    }
    srv_pu_sets_finish(&sets);
    return code;
}

/* Reads the groups of a level if it is trusted; none for a turnover. */
static int read_groups(const servet_profile *profile, const servet_at *at,
                       const servet_cache *cache, srv_pu_sets *sets, servet_error *error)
{
    bool sure = cache->trusted && servet_value_known(&cache->bytes) && cache->bytes.trusted;
    return sure ? srv_pu_sets_add_cache(profile, at, cache->level, sets, error) : SERVET_OK;
}

static int pus_of(const char *cores)
{
    int count = 0;
    (void)servet_cores_from_text(cores, NULL, 0, &count);
    return count;
}

static void write_number(const char *name, const servet_value *value, FILE *stream)
{
    if (servet_value_known(value) && value->trusted)
        fprintf(stream, "        \"%s\": %.0f,\n", name, value->value);
}

static void write_cache(const servet_cache *cache, const srv_pu_sets *sets, bool is_first,
                        FILE *stream)
{
    begin(stream, 3, is_first);
    fprintf(stream, "{\n        \"type\": \"L%d\",\n", cache->level);
    write_number("size", &cache->bytes, stream);
    write_number("linesize", &cache->line, stream);
    write_number("associativity", &cache->ways, stream);
    fprintf(stream, "        \"num_cpus\": %d,\n        \"cpusets\": ", pus_of(sets->items[0]));
    write_masks(sets, 4, stream);
    fputs("\n      }", stream);
}

/* The caches of a core type. */
static int write_kind(const servet_profile *profile, const servet_at *at, int *written,
                      FILE *stream, servet_error *error)
{
    servet_cache cache;
    int code = SERVET_OK;
    for (int level = 1;
         code == SERVET_OK && servet_cache_get(profile, at, level, &cache) == SERVET_OK; level++) {
        srv_pu_sets sets = {NULL, 0};
        code = read_groups(profile, at, &cache, &sets, error);
        if (code == SERVET_OK && sets.count)
            write_cache(&cache, &sets, (*written)++ == 0, stream);
        srv_pu_sets_finish(&sets);
    }
    return code;
}

static int write_caches(const servet_profile *profile, const servet_at *at, FILE *stream,
                        servet_error *error)
{
    servet_kind kind;
    int written = 0, code = SERVET_OK, first;
    fputs("    \"caches\": [", stream);
    for (int i = 0; code == SERVET_OK && servet_kind_get(profile, at, i, &kind) == SERVET_OK; i++)
        if (sscanf(kind.cores, "%d", &first) == 1)
            code =
                write_kind(profile, &(servet_at){at->node_class, first}, &written, stream, error);
    fputs(written ? "\n    ]\n" : "]\n", stream);
    return code;
}

/* Writes the number of PUs in each of `parts` parts, if all have the same number. */
static void write_share(const char *name, int pus, int parts, FILE *stream)
{
    if (parts > 0 && pus % parts == 0)
        fprintf(stream, "  \"%s\": %d,\n", name, pus / parts);
}

int srv_export_reframe_processor(const servet_profile *profile,
                                 const servet_export_request *request, FILE *stream,
                                 servet_error *error)
{
    const servet_at at = {request->node_class, SERVET_ANY_CORE};
    servet_machine machine;
    int code = srv_export_machine(profile, request->node_class, &machine, error);
    if (code != SERVET_OK)
        return code;
    fprintf(stream, "{\n  \"num_cpus\": %d,\n", machine.pu_count);
    write_share("num_cpus_per_core", machine.pu_count, machine.core_count, stream);
    write_share("num_cpus_per_socket", machine.pu_count, machine.package_count, stream);
    if (machine.package_count > 0)
        fprintf(stream, "  \"num_sockets\": %d,\n", machine.package_count);
    fputs("  \"topology\": {\n", stream);
    code = write_sets(profile, &at, "numa_nodes", srv_pu_sets_numa, stream, error);
    if (code == SERVET_OK)
        code = write_sets(profile, &at, "sockets", srv_pu_sets_packages, stream, error);
    if (code == SERVET_OK)
        code = write_sets(profile, &at, "cores", srv_pu_sets_cores, stream, error);
    if (code == SERVET_OK)
        code = write_caches(profile, &at, stream, error);
    fputs("  }\n}\n", stream);
    return code;
}

/* --- reference.py ----------------------------------------------------------------------------- */

/* Writes the interval as ReFrame's thresholds, which are shares of the value: a test passes from
 * value * (1 + lower) to value * (1 + upper). The threshold on the good side is None. */
static void write_reference(const char *name, const servet_value *value, const char *unit,
                            double scale, bool more_is_better, int *written, FILE *stream)
{
    if (!servet_value_known(value) || !value->trusted || !(value->value > 0))
        return;
    fprintf(stream, "        '%s': (%.6g, ", name, value->value * scale);
    if (more_is_better)
        fprintf(stream, "%.4f, None", fmin(0, value->low / value->value - 1));
    else
        fprintf(stream, "None, %.4f", fmax(0, value->high / value->value - 1));
    fprintf(stream, ", '%s'),\n", unit);
    ++*written;
}

static void write_node(const servet_profile *profile, const servet_at *at, int *written,
                       FILE *stream)
{
    servet_value value;
    servet_cache cache;
    char name[SERVET_NAME_MAX];
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        if (servet_memory_bandwidth(profile, at, (servet_kernel)i, &value) == SERVET_OK) {
            snprintf(name, sizeof name, "memory_%s", servet_kernel_name((servet_kernel)i));
            for (char *dash = strchr(name, '-'); dash; dash = strchr(dash, '-'))
                *dash = '_';
            write_reference(name, &value, "MB/s", 1e-6, true, written, stream);
        }
    if (servet_memory_latency(profile, at, &value) == SERVET_OK)
        write_reference("memory_latency", &value, "ns", 1e9, false, written, stream);
    for (int level = 1; servet_cache_get(profile, at, level, &cache) == SERVET_OK; level++) {
        snprintf(name, sizeof name, "l%d_latency", level);
        write_reference(name, &cache.latency, "ns", 1e9, false, written, stream);
    }
}

static void write_network(const servet_profile *profile, int *written, FILE *stream)
{
    servet_network_layer layer;
    char name[SERVET_NAME_MAX];
    for (int i = 1; servet_network_layer_get(profile, i, &layer) == SERVET_OK; i++) {
        snprintf(name, sizeof name, "layer%d_latency", i);
        write_reference(name, &layer.latency, "us", 1e6, false, written, stream);
        snprintf(name, sizeof name, "layer%d_bandwidth", i);
        write_reference(name, &layer.bandwidth, "MB/s", 1e-6, true, written, stream);
    }
}

int srv_export_reframe_reference(const servet_profile *profile,
                                 const servet_export_request *request, FILE *stream,
                                 servet_error *error)
{
    const servet_at at = {request->node_class, SERVET_ANY_CORE};
    servet_machine machine;
    int written = 0, code = srv_export_machine(profile, request->node_class, &machine, error);
    if (code != SERVET_OK)
        return code;
    fputs(
        "# References for performance tests of ReFrame, by servet export: value, lower and upper\n"
        "# threshold, unit. Bandwidths of memory are those of one core, as STREAM counts them.\n"
        "# A threshold is the bad end of the 95 % interval, as a share of the value: how well one "
        "run\n"
        "# knows its median. Later runs differ by more. Before you rely on a test, measure on "
        "several\n"
        "# days, and widen the threshold to the worst of them.\n"
        "# '*' is every system: write 'SYSTEM:PARTITION' instead.\n"
        "reference = {\n    '*': {\n",
        stream);
    write_node(profile, &at, &written, stream);
    write_network(profile, &written, stream);
    fputs("    },\n}\n", stream);
    return written ? SERVET_OK
                   : srv_fail(error, SERVET_EUNMEASURED,
                              "the profile has no bandwidth or latency that is trusted");
}
