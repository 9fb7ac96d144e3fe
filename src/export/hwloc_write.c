/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/hwloc_xml.h"

#include <stdbool.h>

#include "core/error.h"
#include "export/formats.h"

/* Returns true if hwloc's output is complete: hwloc ignores exhausted memory, so that a part of the
 * text may be missing. */
static bool is_whole(const srv_export *on, const char *text, int size)
{
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_PU, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE};
    hwloc_topology_t again;
    if (hwloc_topology_init(&again) != 0)
        return false;
    bool whole =
        hwloc_topology_set_xmlbuffer(again, text, size) == 0 && hwloc_topology_load(again) == 0;
    for (size_t i = 0; whole && i < sizeof types / sizeof *types; i++)
        whole = hwloc_get_nbobjs_by_type(again, types[i]) ==
                hwloc_get_nbobjs_by_type(on->topology, types[i]);
    hwloc_topology_destroy(again);
    return whole;
}

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
    size_t length = (size_t)size - 1; /* it ends with a null character */
    bool whole = is_whole(on, text, size);
    bool written = whole && fwrite(text, 1, length, stream) == length;
    hwloc_free_xmlbuffer(on->topology, text);
    if (!whole)
        return srv_fail(on->error, SERVET_EMACHINE, "hwloc cannot read what it wrote");
    return written ? SERVET_OK : srv_fail(on->error, SERVET_EIO, "cannot write the topology");
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
