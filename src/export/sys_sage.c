/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables that sys-sage imports in addition to hwloc's XML: the tables of
 * caps-numa-benchmark and of CCCbench. */
#include <math.h>
#include <stdbool.h>

#include "core/error.h"
#include "export/formats.h"
#include "export/hwloc_xml.h"

/* --- numa.csv --------------------------------------------------------------------------------- */

/* Writes a row with whole numbers, because the importer reads only those. */
static int write_row(const servet_profile *profile, const servet_at *at, int from, int to,
                     FILE *stream)
{
    servet_numa source, target;
    servet_value latency, bandwidth;
    if (servet_numa_get(profile, at, from, &source) != SERVET_OK ||
        servet_numa_get(profile, at, to, &target) != SERVET_OK ||
        servet_numa_latency(profile, at, from, to, &latency) != SERVET_OK || !latency.trusted ||
        servet_numa_bandwidth(profile, at, from, to, &bandwidth) != SERVET_OK || !bandwidth.trusted)
        return 0;
    fprintf(stream, "%d;%d;%.0f;%.0f\n", source.number, target.number, latency.value * 1e9,
            bandwidth.value / 1e6);
    return 1;
}

int srv_export_sys_sage_numa(const servet_profile *profile, const servet_export_request *request,
                             FILE *stream, servet_error *error)
{
    const servet_at at = {request->node_class, SERVET_ANY_CORE};
    int count = 0, written = 0;
    int code = at.node_class ? SERVET_OK : servet_profile_here(profile, NULL, error);
    if (code != SERVET_OK)
        return code;
    (void)servet_numa_count(profile, &at, &count);
    fputs("src_numa;target_numa;ldlat(ns);bw(MB/s)\n", stream);
    for (int from = 0; from < count; from++)
        for (int to = 0; to < count; to++)
            written += write_row(profile, &at, from, to, stream);
    return written ? SERVET_OK
                   : srv_fail(error, SERVET_EUNMEASURED,
                              "no trusted latency and bandwidth of memory of NUMA nodes");
}

/* --- cores.csv -------------------------------------------------------------------------------- */

/* Fails unless the cores are numbered 0, 1, ...: sys-sage finds a core only by its OS number. */
static int check_numbers(srv_export *on, int count)
{
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int j = 0; j < count; j++)
            found = found ||
                    hwloc_get_obj_by_type(on->topology, HWLOC_OBJ_CORE, (unsigned)j)->os_index ==
                        (unsigned)i;
        if (!found)
            return srv_fail(on->error, SERVET_EUNSUPPORTED,
                            "the cores of this machine are not numbered from 0 to %d, which the "
                            "importer of core-to-core latencies requires",
                            count - 1);
    }
    return SERVET_OK;
}

static int write_pair(srv_export *on, hwloc_obj_t from, hwloc_obj_t to, FILE *stream)
{
    const servet_at at = {on->at.node_class, hwloc_bitmap_first(from->cpuset)};
    servet_distance_layer fact;
    int layer;
    if (servet_distance_layer_of(on->profile, &at, hwloc_bitmap_first(to->cpuset), &layer) !=
            SERVET_OK ||
        servet_distance_layer_get(on->profile, &at, layer, &fact) != SERVET_OK ||
        !servet_value_known(&fact.latency) || !fact.trusted || !fact.latency.trusted)
        return srv_fail(on->error, SERVET_EUNMEASURED,
                        "the latency between core %u and core %u is not known or not trusted, and "
                        "the importer requires that of all pairs",
                        from->os_index, to->os_index);
    fprintf(stream, "%u,%u,%.2f\n", from->os_index, to->os_index, fact.latency.value * 1e9);
    return SERVET_OK;
}

static int make_cores(srv_export *on, FILE *stream)
{
    int count = hwloc_get_nbobjs_by_type(on->topology, HWLOC_OBJ_CORE);
    if (count < 2)
        return srv_fail(on->error, SERVET_EUNMEASURED,
                        "latencies between cores need at least two cores");
    int code = check_numbers(on, count);
    fputs("xcore,ycore,xylat\n", stream);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count && code == SERVET_OK; j++)
            if (i != j)
                code = write_pair(
                    on, hwloc_get_obj_by_type(on->topology, HWLOC_OBJ_CORE, (unsigned)i),
                    hwloc_get_obj_by_type(on->topology, HWLOC_OBJ_CORE, (unsigned)j), stream);
    return code;
}

int srv_export_sys_sage_cores(const servet_profile *profile, const servet_export_request *request,
                              FILE *stream, servet_error *error)
{
    return srv_export_on_topology(profile, request, make_cores, stream, error);
}
