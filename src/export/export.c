/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/export.h"

#include "core/error.h"
#include "export/hwloc_xml.h"

typedef int writer(const servet_profile *profile, const servet_export_request *request,
                   FILE *stream, servet_error *error);

/* --- hwloc-xml -------------------------------------------------------------------------------- */

static int print_xml(srv_export *on, FILE *stream)
{
    char *text;
    int size;
    if (on->facts == 0)
        return srv_fail(on->error, SERVET_EUNMEASURED,
                        "the profile has no distances and no memory results of this node class");
    if (hwloc_topology_export_xmlbuffer(on->topology, &text, &size, 0) != 0)
        return srv_fail(on->error, SERVET_EMACHINE, "hwloc cannot write the topology");
    size_t length = (size_t)size - 1; /* it ends with a null character */
    bool written = fwrite(text, 1, length, stream) == length;
    hwloc_free_xmlbuffer(on->topology, text);
    return written ? SERVET_OK : srv_fail(on->error, SERVET_EIO, "cannot write the topology");
}

static int write_hwloc_xml(const servet_profile *profile, const servet_export_request *request,
                           FILE *stream, servet_error *error)
{
    srv_export on = {
        .profile = profile, .at = {request->node_class, SERVET_ANY_CORE}, .error = error};
    int code = srv_export_begin(&on, request->topology);
    if (code == SERVET_OK)
        code = srv_export_distances(&on);
    if (code == SERVET_OK)
        code = srv_export_memory(&on);
    if (code == SERVET_OK)
        code = print_xml(&on, stream);
    srv_export_finish(&on);
    return code;
}

/* --- formats ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    writer *write;
} formats[SERVET_EXPORT_COUNT] = {
    [SERVET_EXPORT_HWLOC_XML] = {"hwloc-xml", write_hwloc_xml},
};

const char *servet_export_name(servet_export_format format)
{
    return (unsigned)format < SERVET_EXPORT_COUNT ? formats[format].name : "?";
}

int servet_export_write(const servet_profile *profile, const servet_export_request *request,
                        FILE *stream, servet_error *error)
{
    if ((unsigned)request->format >= SERVET_EXPORT_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown export format");
    int code = SRV_CHECK_RESERVED(servet_export_request, request, error);
    if (code != SERVET_OK)
        return code;
    return formats[request->format].write(profile, request, stream, error);
}
