/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/hwloc_xml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory_stream.h"
#include "export/apart.h"
#include "export/formats.h"

/* A topology of the largest machines takes some hundred MiB, and seconds. */
static const srv_apart_limits limits = {(size_t)1 << 30, 60};

/* hwloc ignores exhausted memory: its output must at least be a topology of this size. */
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

/* Input of the separate process. */
typedef struct export_work {
    const servet_profile *profile;
    const servet_export_request *request;
} export_work;

static int make_once(const export_work *work, FILE *stream, servet_error *error)
{
    srv_export on = {.profile = work->profile,
                     .at = {work->request->node_class, SERVET_ANY_CORE},
                     .error = error};
    int code = srv_export_begin(&on, work->request->topology);
    if (code == SERVET_OK)
        code = srv_export_caches(&on);
    if (code == SERVET_OK)
        code = srv_export_distances(&on);
    if (code == SERVET_OK)
        code = srv_export_memory(&on);
    if (code == SERVET_OK)
        code = print_xml(&on, stream);
    srv_export_finish(&on);
    return code;
}

static int make_text(const export_work *work, char **text, servet_error *error)
{
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    int code = make_once(work, memory.stream, error);
    bool kept = srv_memory_stream_close(&memory, text, NULL);
    return kept || code != SERVET_OK ? code : srv_fail_memory(error);
}

/* Writes it twice and compares, because hwloc leaves out parts without an error if it has no
 * memory. */
static int make_xml(void *context, FILE *stream, servet_error *error)
{
    char *first = NULL, *second = NULL;
    int code = make_text(context, &first, error);
    if (code == SERVET_OK)
        code = make_text(context, &second, error);
    if (code == SERVET_OK && strcmp(first, second) != 0)
        code = srv_fail_memory(error);
    if (code == SERVET_OK && fputs(first, stream) < 0)
        code = srv_fail_memory(error);
    free(first);
    free(second);
    return code;
}

/* hwloc's reader of XML trusts the file. */
int srv_export_hwloc_xml(const servet_profile *profile, const servet_export_request *request,
                         FILE *stream, servet_error *error)
{
    export_work work = {profile, request};
    return srv_apart(make_xml, &work, &limits, request->topology ? request->topology : "", stream,
                     error);
}
