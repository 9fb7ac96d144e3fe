/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/node_measurer.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory_stream.h"
#include "servet/record.h"

static int dump(const servet_profile *profile, char **text, size_t *size, servet_error *error)
{
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    int code = servet_profile_dump(profile, memory.stream, error);
    bool kept = srv_memory_stream_close(&memory, text, size);
    if (code != SERVET_OK)
        free(*text);
    return kept || code != SERVET_OK ? code : srv_fail_memory(error);
}

static int measure(const servet_measure_options *options, char **profile, size_t *size,
                   servet_error *error)
{
    servet_profile *measured;
    int code = servet_measure(options, &measured, error);
    if (code != SERVET_OK)
        return code;
    code = dump(measured, profile, size, error);
    servet_profile_close(measured);
    return code;
}

static int cost(const servet_measure_options *options, double *most, servet_error *error)
{
    double quiet;
    return servet_measure_cost(options, &quiet, most, error);
}

const srv_node_measurer mpi_node_measurer = {cost, measure};
