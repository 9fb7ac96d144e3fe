/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "core/text.h"
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

/* A placement, and the format in which it is written. */
typedef struct writing {
    const servet_map *map;
    servet_map_format format;
    const char *file; /* its name in the command; NULL: a placeholder */
} writing;

static int make_command(FILE *stream, const void *context, servet_error *error)
{
    const writing *on = context;
    if (!formats[on->format].launch)
        return SERVET_OK;
    char *word = quote(on->file ? on->file : "FILE");
    if (!word)
        return srv_fail_memory(error);
    int code = formats[on->format].launch(on->map, word, stream, error);
    free(word);
    fputs(" PROGRAM\n", stream);
    return code;
}

static int make_placement(FILE *stream, const void *context, servet_error *error)
{
    const writing *on = context;
    int code = SERVET_OK;
    if (formats[on->format].commented) {
        fputs("# ", stream);
        code = make_command(stream, context, error);
    }
    return code == SERVET_OK ? formats[on->format].write(on->map, stream, error) : code;
}

int servet_map_write_command(const servet_map *map, servet_map_format format, const char *file,
                             FILE *stream, servet_error *error)
{
    const writing on = {map, format, file};
    int code = check_format(format, error);
    return code == SERVET_OK ? srv_text_print(stream, make_command, &on, "the command", error)
                             : code;
}

int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                     servet_error *error)
{
    const writing on = {map, format, NULL};
    int code = check_format(format, error);
    return code == SERVET_OK ? srv_text_print(stream, make_placement, &on, "the placement", error)
                             : code;
}
