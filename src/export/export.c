/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory_stream.h"
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

/* The file is complete before its first byte goes to the stream, because a part of it would be read
 * as less than was measured. Its numbers have a decimal point in every locale. */
static int write_whole(const servet_profile *profile, const servet_export_request *request,
                       FILE *stream, servet_error *error)
{
    char *text = NULL;
    size_t size;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    srv_numbers numbers = srv_numbers_begin();
    int code =
        formats[request->format].files[request->file].write(profile, request, memory.stream, error);
    srv_numbers_end(numbers);
    if (!srv_memory_stream_close(&memory, &text, &size) && code == SERVET_OK)
        code = srv_fail_memory(error);
    if (code == SERVET_OK && (fwrite(text, 1, size, stream) != size || fflush(stream) != 0))
        code = srv_fail(error, SERVET_EIO, "cannot write %s: %s",
                        servet_export_file(request->format, request->file), strerror(errno));
    free(text);
    return code;
}

int servet_export_write(const servet_profile *profile, const servet_export_request *request,
                        FILE *stream, servet_error *error)
{
    if ((unsigned)request->format >= SERVET_EXPORT_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown export format");
    if (!servet_export_file(request->format, request->file))
        return srv_fail(error, SERVET_EARGUMENT, "format %s has no file %d",
                        servet_export_name(request->format), request->file);
    return write_whole(profile, request, stream, error);
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
