/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "map/formats/format.h"

static srv_map_writer *const writers[SERVET_MAP_FORMAT_COUNT] = {
    [SERVET_MAP_TEXT] = srv_map_text,         [SERVET_MAP_JSON] = srv_map_json,
    [SERVET_MAP_OPENMPI4] = srv_map_openmpi4, [SERVET_MAP_OPENMPI5] = srv_map_openmpi5,
    [SERVET_MAP_SLURM] = srv_map_slurm,       [SERVET_MAP_MPICH] = srv_map_mpich,
    [SERVET_MAP_PBS] = srv_map_pbs,           [SERVET_MAP_OMP_PLACES] = srv_map_omp_places,
};

SRV_NAMES(servet_code_name, servet_code, SERVET_CODE_LIST)
SRV_NAMES(servet_order_name, servet_order, SERVET_ORDER_LIST)
SRV_NAMES(servet_map_format_name, servet_map_format, SERVET_MAP_FORMAT_LIST)

int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                     servet_error *error)
{
    if ((unsigned)format >= SERVET_MAP_FORMAT_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown format %d", (int)format);
    int code = writers[format](map, stream, error);
    if (code == SERVET_OK && ferror(stream))
        code = srv_fail(error, SERVET_EIO, "cannot write the placement: %s", strerror(errno));
    return code;
}
