/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/texts.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

int srv_agree_on(MPI_Comm comm, int code)
{
    return MPI_Bcast(&code, 1, MPI_INT, 0, comm) == MPI_SUCCESS ? code : SERVET_ECOMMUNICATION;
}

static int begin(srv_texts *texts, int count)
{
    *texts = (srv_texts){count, calloc((size_t)count, sizeof *texts->size),
                         calloc((size_t)count, sizeof *texts->begin), NULL};
    return texts->size && texts->begin ? SERVET_OK : SERVET_EMEMORY;
}

static int make_room(srv_texts *texts)
{
    long long total = 0;
    for (int i = 0; i < texts->count; i++) {
        texts->begin[i] = (int)total;
        total += texts->size[i];
        if (total > INT_MAX)
            return SERVET_EMEMORY;
    }
    texts->text = malloc((size_t)total + 1);
    return texts->text ? SERVET_OK : SERVET_EMEMORY;
}

static int gather(MPI_Comm comm, const char *text, int size, srv_texts *texts, bool first)
{
    if (MPI_Gather(&size, 1, MPI_INT, texts->size, 1, MPI_INT, 0, comm) != MPI_SUCCESS)
        return SERVET_ECOMMUNICATION;
    int code = srv_agree_on(comm, first ? make_room(texts) : SERVET_OK);
    if (code != SERVET_OK)
        return code;
    return MPI_Gatherv(text, size, MPI_CHAR, texts->text, texts->size, texts->begin, MPI_CHAR, 0,
                       comm) == MPI_SUCCESS
               ? SERVET_OK
               : SERVET_ECOMMUNICATION;
}

int srv_texts_gather(MPI_Comm comm, const char *text, int size, srv_texts *texts)
{
    int rank, count;
    *texts = (srv_texts){0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &count);
    int code = srv_agree_on(comm, rank == 0 ? begin(texts, count) : SERVET_OK);
    if (code == SERVET_OK)
        code = gather(comm, text, size, texts, rank == 0);
    if (code != SERVET_OK)
        srv_texts_finish(texts);
    return code;
}

void srv_texts_finish(srv_texts *texts)
{
    free(texts->size);
    free(texts->begin);
    free(texts->text);
    *texts = (srv_texts){0};
}
