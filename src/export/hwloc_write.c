/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/hwloc_xml.h"

#include "core/error.h"
#include "export/formats.h"

static int print_xml(srv_export *on, FILE *stream)
{
    char *text;
    int size;
    if (on->facts == 0)
        return srv_fail(
            on->error, SERVET_EUNMEASURED,
            "of this node class the profile has no distances, no memory results, and no "
            "caches that the topology has");
    if (hwloc_topology_export_xmlbuffer(on->topology, &text, &size, 0) != 0)
        return srv_fail(on->error, SERVET_EMACHINE, "hwloc cannot write the topology");
    fputs(text, stream);
    hwloc_free_xmlbuffer(on->topology, text);
    return SERVET_OK;
}

static int make_xml(srv_export *on, FILE *stream)
{
    int code = srv_export_caches(on);
    if (code == SERVET_OK)
        code = srv_export_distances(on);
    if (code == SERVET_OK)
        code = srv_export_memory(on);
    return code == SERVET_OK ? print_xml(on, stream) : code;
}

int srv_export_hwloc_xml(const servet_profile *profile, const servet_export_request *request,
                         FILE *stream, servet_error *error)
{
    return srv_export_on_topology(profile, request, make_xml, stream, error);
}
