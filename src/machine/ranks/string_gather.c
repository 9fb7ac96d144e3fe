/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/string_gather.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

int srv_agree_on(MPI_Comm comm, int code)
{
    return MPI_Bcast(&code, 1, MPI_INT, 0, comm) == MPI_SUCCESS ? code : SERVET_ECOMMUNICATION;
}

static int begin(srv_gathered_strings *strings, int count)
{
    *strings = (srv_gathered_strings){count, calloc((size_t)count, sizeof *strings->size),
                                      calloc((size_t)count, sizeof *strings->begin), NULL};
    return strings->size && strings->begin ? SERVET_OK : SERVET_EMEMORY;
}

static int make_room(srv_gathered_strings *strings)
{
    long long total = 0;
    for (int i = 0; i < strings->count; i++) {
        strings->begin[i] = (int)total;
        total += strings->size[i];
        if (total > INT_MAX)
            return SERVET_EMEMORY;
    }
    strings->text = malloc((size_t)total + 1);
    return strings->text ? SERVET_OK : SERVET_EMEMORY;
}

static int gather(MPI_Comm comm, const char *text, int size, srv_gathered_strings *strings,
                  bool first)
{
    if (MPI_Gather(&size, 1, MPI_INT, strings->size, 1, MPI_INT, 0, comm) != MPI_SUCCESS)
        return SERVET_ECOMMUNICATION;
    int code = srv_agree_on(comm, first ? make_room(strings) : SERVET_OK);
    if (code != SERVET_OK)
        return code;
    return MPI_Gatherv(text, size, MPI_CHAR, strings->text, strings->size, strings->begin, MPI_CHAR,
                       0, comm) == MPI_SUCCESS
               ? SERVET_OK
               : SERVET_ECOMMUNICATION;
}

int srv_strings_gather(MPI_Comm comm, const char *text, int size, srv_gathered_strings *strings)
{
    int rank, count;
    *strings = (srv_gathered_strings){0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &count);
    int code = srv_agree_on(comm, rank == 0 ? begin(strings, count) : SERVET_OK);
    if (code == SERVET_OK)
        code = gather(comm, text, size, strings, rank == 0);
    if (code != SERVET_OK)
        srv_gathered_strings_finish(strings);
    return code;
}

void srv_gathered_strings_finish(srv_gathered_strings *strings)
{
    free(strings->size);
    free(strings->begin);
    free(strings->text);
    *strings = (srv_gathered_strings){0};
}
