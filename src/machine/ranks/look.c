/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/look.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* --- each rank ----------------------------------------------------------------------------------
 */

/* What this rank has to say: where it is, or why it cannot tell. The caller frees `*text`. */
static int look(char **text, int *size)
{
    servet_error error = SERVET_ERROR_INIT;
    size_t length = 0;
    *text = NULL;
    FILE *stream = open_memstream(text, &length);
    if (!stream)
        return srv_fail_memory(&error);
    int code = srv_sight_write(stream, &error);
    if (code != SERVET_OK) {
        rewind(stream);
        fprintf(stream, "%s%c", error.text, '\0');
    }
    if (fclose(stream) != 0 || length > INT_MAX)
        code = SERVET_EMEMORY;
    *size = code == SERVET_EMEMORY ? 0 : (int)length;
    return code;
}

/* --- rank 0 -------------------------------------------------------------------------------------
 */

/* What has come from all ranks. Texts lie in `text`, that of rank i from begin[i] on. */
typedef struct answers {
    int count;
    int *code, *size, *begin;
    char *text;
    srv_sighting *sighting;
} answers;

static bool begin_answers(answers *all, int count)
{
    size_t n = (size_t)count;
    *all = (answers){count,
                     calloc(n, sizeof *all->code),
                     calloc(n, sizeof *all->size),
                     calloc(n, sizeof *all->begin),
                     NULL,
                     calloc(n, sizeof *all->sighting)};
    return all->code && all->size && all->begin && all->sighting;
}

static void finish_answers(answers *all)
{
    for (int i = 0; i < all->count && all->sighting; i++)
        free(all->sighting[i].threads);
    free(all->code);
    free(all->size);
    free(all->begin);
    free(all->text);
    free(all->sighting);
}

static bool make_room(answers *all)
{
    long long total = 0;
    for (int i = 0; i < all->count; i++) {
        all->begin[i] = (int)total;
        total += all->size[i];
        if (total > INT_MAX)
            return false;
    }
    all->text = malloc((size_t)total + 1);
    return all->text != NULL;
}

static int read_answers(answers *all, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < all->count && code == SERVET_OK; i++) {
        const char *text = all->text + all->begin[i];
        if (all->code[i] != SERVET_OK)
            code = srv_fail(error, all->code[i], "rank %d: %.200s", i,
                            all->size[i] ? text : servet_error_text(all->code[i]));
        else
            code = srv_sighting_read(&text, &all->sighting[i], error);
    }
    return code;
}

/* --- together -----------------------------------------------------------------------------------
 */

static bool agreed(bool fine)
{
    int all = fine;
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return all;
}

/* All ranks: what each has to say comes to rank 0. False where that has no room for it. */
static bool gather(answers *all, int rank, int count)
{
    char *text;
    int size, code = look(&text, &size);
    bool fine = agreed(rank != 0 || begin_answers(all, count));
    if (fine) {
        MPI_Gather(&code, 1, MPI_INT, all->code, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Gather(&size, 1, MPI_INT, all->size, 1, MPI_INT, 0, MPI_COMM_WORLD);
        fine = agreed(rank != 0 || make_room(all));
    }
    if (fine)
        MPI_Gatherv(text, size, MPI_CHAR, all->text, all->size, all->begin, MPI_CHAR, 0,
                    MPI_COMM_WORLD);
    free(text);
    return fine;
}

int srv_ranks_look(srv_look_judge *judge, void *context, int *status, servet_error *error)
{
    answers all = {0};
    int rank, count, code = SERVET_OK;
    *status = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    bool fine = gather(&all, rank, count);
    if (rank == 0) {
        code = fine ? read_answers(&all, error) : srv_fail_memory(error);
        if (code == SERVET_OK)
            *status = judge(context, all.sighting, count);
    }
    finish_answers(&all);
    MPI_Finalize();
    return code;
}
