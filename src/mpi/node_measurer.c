/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/node_measurer.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "servet/record.h"

static int dump(const servet_profile *profile, char **text, size_t *size, servet_error *error)
{
    FILE *stream = open_memstream(text, size);
    if (!stream)
        return srv_fail_memory(error);
    int code = servet_profile_dump(profile, stream, error);
    if ((fclose(stream) != 0 || !*text) && code == SERVET_OK)
        code = srv_fail_memory(error);
    if (code != SERVET_OK)
        free(*text);
    return code;
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

const srv_node_measurer mpi_node_measurer = {servet_measure_cost, measure};
