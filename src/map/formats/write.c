/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "map/formats/format.h"

/* For each format: the function that writes it, the function that writes the launcher's command
 * (NULL: no launcher reads it), and whether the launcher accepts comments. */
static const struct {
    srv_map_writer *write;
    srv_map_launcher *launch;
    bool commented;
} formats[SERVET_MAP_FORMAT_COUNT] = {
    [SERVET_MAP_TEXT] = {srv_map_text, NULL, false},
    [SERVET_MAP_JSON] = {srv_map_json, NULL, false},
    [SERVET_MAP_OPENMPI4] = {srv_map_openmpi4, srv_launch_openmpi4, true},
    [SERVET_MAP_OPENMPI5] = {srv_map_openmpi5, srv_launch_openmpi5, true},
    [SERVET_MAP_SLURM] = {srv_map_slurm, srv_launch_slurm, true},
    [SERVET_MAP_MPICH] = {srv_map_mpich, srv_launch_mpich, true},
    [SERVET_MAP_PBS] = {srv_map_pbs, srv_launch_pbs, false},
    [SERVET_MAP_OMP_PLACES] = {srv_map_omp_places, srv_launch_omp_places, false},
};

SRV_NAMES(servet_code_name, servet_code, SERVET_CODE_LIST)
SRV_NAMES(servet_order_name, servet_order, SERVET_ORDER_LIST)
SRV_NAMES(servet_map_format_name, servet_map_format, SERVET_MAP_FORMAT_LIST)

static int check_format(servet_map_format format, servet_error *error)
{
    return (unsigned)format < SERVET_MAP_FORMAT_COUNT
               ? SERVET_OK
               : srv_fail(error, SERVET_EARGUMENT, "unknown format %d", (int)format);
}

static int check_stream(FILE *stream, servet_error *error)
{
    return ferror(stream)
               ? srv_fail(error, SERVET_EIO, "cannot write the placement: %s", strerror(errno))
               : SERVET_OK;
}

/* A name as a word of a shell's command, which the caller frees; NULL without memory. */
static char *quote(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    if (*name && !name[strspn(name, plain)])
        return strdup(name);
    char *word = malloc(4 * strlen(name) + 3), *end = word;
    if (!word)
        return NULL;
    *end++ = '\'';
    for (; *name; name++) {
        if (*name == '\'')
            end = stpcpy(end, "'\\'");
        *end++ = *name;
    }
    strcpy(end, "'");
    return word;
}

int servet_map_write_command(const servet_map *map, servet_map_format format, const char *file,
                             FILE *stream, servet_error *error)
{
    int code = check_format(format, error);
    if (code != SERVET_OK || !formats[format].launch)
        return code;
    char *word = quote(file ? file : "FILE");
    if (!word)
        return srv_fail_memory(error);
    code = formats[format].launch(map, word, stream, error);
    free(word);
    if (code != SERVET_OK)
        return code;
    fputs(" PROGRAM\n", stream);
    return check_stream(stream, error);
}

int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                     servet_error *error)
{
    int code = check_format(format, error);
    if (code != SERVET_OK)
        return code;
    if (formats[format].commented) {
        fputs("# ", stream);
        code = servet_map_write_command(map, format, NULL, stream, error);
    }
    if (code == SERVET_OK)
        code = formats[format].write(map, stream, error);
    return code == SERVET_OK ? check_stream(stream, error) : code;
}
