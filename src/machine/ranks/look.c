/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/look.h"

#include <stdlib.h>
#include <string.h>

#include "machine/ranks/start.h"
#include "machine/ranks/texts.h"

/* --- each rank ----------------------------------------------------------------------------------
 */

/* What this rank has to say: its code, then where it is or why it cannot tell. `*size` bytes, which
 * the caller frees; none without memory. */
static void look(char **text, int *size)
{
    servet_error error = SERVET_ERROR_INIT;
    size_t length = 0;
    *text = NULL;
    *size = 0;
    FILE *stream = open_memstream(text, &length);
    if (!stream)
        return;
    fprintf(stream, "%d%c", SERVET_OK, '\0');
    int code = srv_sight_write(stream, &error);
    if (code != SERVET_OK) {
        rewind(stream);
        fprintf(stream, "%d%c%s%c", code, '\0', error.text, '\0');
    }
    if (fclose(stream) == 0)
        *size = (int)length;
}

/* --- rank 0 -------------------------------------------------------------------------------------
 */

static int read_answer(const srv_texts *texts, int rank, srv_sighting *sighting,
                       servet_error *error)
{
    const char *text = texts->text + texts->begin[rank];
    if (texts->size[rank] == 0)
        return srv_fail(error, SERVET_EMEMORY, "rank %d: out of memory", rank);
    int code = atoi(text);
    text += strlen(text) + 1;
    if (code != SERVET_OK)
        return srv_fail(error, code, "rank %d: %.200s", rank, text);
    return srv_sighting_read(&text, sighting, error);
}

static int judge_all(const srv_texts *texts, srv_look_judge *judge, void *context, int *status,
                     servet_error *error)
{
    srv_sighting *ranks = calloc((size_t)texts->count, sizeof *ranks);
    int code = ranks ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < texts->count && code == SERVET_OK; i++)
        code = read_answer(texts, i, &ranks[i], error);
    if (code == SERVET_OK)
        *status = judge(context, ranks, texts->count);
    for (int i = 0; i < texts->count && ranks; i++)
        free(ranks[i].threads);
    free(ranks);
    return code;
}

static int look_together(int rank, srv_look_judge *judge, void *context, int *status,
                         servet_error *error)
{
    srv_texts texts;
    char *text;
    int size;
    look(&text, &size);
    int code = srv_texts_gather(MPI_COMM_WORLD, text, size, &texts);
    free(text);
    if (code != SERVET_OK && rank == 0)
        srv_fail(error, code, "%s", servet_error_text(code));
    else if (rank == 0)
        code = judge_all(&texts, judge, context, status, error);
    srv_texts_finish(&texts);
    return code;
}

int srv_ranks_look(srv_look_judge *judge, void *context, int *status, servet_error *error)
{
    int rank;
    *status = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = srv_start_check(MPI_COMM_WORLD, error);
    if (code == SERVET_OK)
        code = look_together(rank, judge, context, status, error);
    MPI_Finalize();
    return rank == 0 ? code : SERVET_OK;
}
