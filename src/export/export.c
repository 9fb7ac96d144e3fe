/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/export.h"

#include "core/error.h"
#include "core/names.h"
#include "core/text.h"
#include "export/formats.h"

enum { FILES_MAX = 4 };

/* For each format: its files, and the function that compares them with a file of the site. */
static const struct {
    struct {
        const char *name;
        srv_export_writer *write;
    } files[FILES_MAX]; /* unused elements have no name */
    srv_export_comparer *compare;
} formats[SERVET_EXPORT_COUNT] = {
    [SERVET_EXPORT_HWLOC_XML] = {{{"topology.xml", srv_export_hwloc_xml}}, NULL},
    [SERVET_EXPORT_SLURM_TOPOLOGY] = {{{"topology.conf", srv_export_slurm_conf},
                                       {"topology.yaml", srv_export_slurm_yaml}},
                                      srv_export_slurm_compare},
    [SERVET_EXPORT_REFRAME] = {{{"processor.json", srv_export_reframe_processor},
                                {"reference.py", srv_export_reframe_reference}},
                               NULL},
    [SERVET_EXPORT_SYS_SAGE] = {{{"topology.xml", srv_export_hwloc_xml},
                                 {"numa.csv", srv_export_sys_sage_numa},
                                 {"cores.csv", srv_export_sys_sage_cores}},
                                NULL},
    [SERVET_EXPORT_CLUSTERCOCKPIT] = {{{"cluster.json", srv_export_clustercockpit}}, NULL},
};

SRV_NAMES(servet_export_name, servet_export_format, SERVET_EXPORT_LIST)

const char *servet_export_file(servet_export_format format, int file)
{
    if ((unsigned)format >= SERVET_EXPORT_COUNT || file < 0 || file >= FILES_MAX)
        return NULL;
    return formats[format].files[file].name;
}

/* A profile, and what is exported of it. */
typedef struct exporting {
    const servet_profile *profile;
    const servet_export_request *request;
} exporting;

static int make_file(FILE *stream, const void *context, servet_error *error)
{
    const exporting *on = context;
    return formats[on->request->format].files[on->request->file].write(on->profile, on->request,
                                                                       stream, error);
}

int servet_export_write(const servet_profile *profile, const servet_export_request *request,
                        FILE *stream, servet_error *error)
{
    if ((unsigned)request->format >= SERVET_EXPORT_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown export format");
    const char *name = servet_export_file(request->format, request->file);
    if (!name)
        return srv_fail(error, SERVET_EARGUMENT, "format %s has no file %d",
                        servet_export_name(request->format), request->file);
    return srv_text_print(stream, make_file, &(exporting){profile, request}, name, error);
}

int servet_export_compare(const servet_profile *profile, const servet_export_request *request,
                          const char *path, FILE *stream, int *differences, servet_error *error)
{
    if ((unsigned)request->format >= SERVET_EXPORT_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown export format");
    if (!formats[request->format].compare)
        return srv_fail(error, SERVET_EUNSUPPORTED, "format %s cannot be compared with a file",
                        servet_export_name(request->format));
    return formats[request->format].compare(profile, request, path, stream, differences, error);
}
