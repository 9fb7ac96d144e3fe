/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs work that needs a topology in a separate process. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory_stream.h"
#include "export/apart.h"
#include "export/hwloc_xml.h"

/* A topology of the largest machines takes some hundred MiB, and seconds. */
static const srv_apart_limits limits = {(size_t)1 << 30, 60};

/* Input of the separate process. */
typedef struct export_work {
    const servet_profile *profile;
    const servet_export_request *request;
    srv_export_maker *make;
} export_work;

static int make_once(const export_work *work, FILE *stream, servet_error *error)
{
    srv_export on = {.profile = work->profile,
                     .at = {work->request->node_class, SERVET_ANY_CORE},
                     .error = error};
    int code = srv_export_begin(&on, work->request->topology);
    if (code == SERVET_OK)
        code = work->make(&on, stream);
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

/* Makes the file twice and compares: without memory, hwloc leaves out parts without an error. */
static int make_twice(void *context, FILE *stream, servet_error *error)
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

/* Runs the work in a separate process, because hwloc's XML reader does not check the file. */
int srv_export_on_topology(const servet_profile *profile, const servet_export_request *request,
                           srv_export_maker *make, FILE *stream, servet_error *error)
{
    export_work work = {profile, request, make};
    return srv_apart(make_twice, &work, &limits, request->topology ? request->topology : "", stream,
                     error);
}
