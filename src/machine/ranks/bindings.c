/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/bindings.h"

#include <stdlib.h>
#include <string.h>

#include "machine/ranks/startup.h"
#include "machine/ranks/string_gather.h"

/* --- each rank -------------------------------------------------------------------------------- */

/* The report of this rank: its code, then its location or the reason of the failure. `*size` bytes,
 * which the caller frees; 0 if memory is exhausted. */
static void observe(char **text, int *size)
{
    servet_error error = SERVET_ERROR_INIT;
    size_t length = 0;
    *text = NULL;
    *size = 0;
    FILE *stream = open_memstream(text, &length);
    if (!stream)
        return;
    fprintf(stream, "%d%c", SERVET_OK, '\0');
    int code = srv_observed_binding_write(stream, &error);
    if (code != SERVET_OK) {
        rewind(stream);
        fprintf(stream, "%d%c%s%c", code, '\0', error.text, '\0');
    }
    if (fclose(stream) == 0 && *text)
        *size = (int)length;
}

/* --- rank 0 ----------------------------------------------------------------------------------- */

static int read_answer(const srv_gathered_strings *strings, int rank, srv_observed_binding *binding,
                       servet_error *error)
{
    const char *text = strings->text + strings->begin[rank];
    if (strings->size[rank] == 0)
        return srv_fail(error, SERVET_EMEMORY, "rank %d: out of memory", rank);
    int code = atoi(text);
    text += strlen(text) + 1;
    if (code != SERVET_OK)
        return srv_fail(error, code, "rank %d: %.200s", rank, text);
    return srv_observed_binding_read(&text, binding, error);
}

static int verify_all(const srv_gathered_strings *strings, srv_bindings_verifier *verify,
                      void *context, int *status, servet_error *error)
{
    srv_observed_binding *ranks = calloc((size_t)strings->count, sizeof *ranks);
    int code = ranks ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < strings->count && code == SERVET_OK; i++)
        code = read_answer(strings, i, &ranks[i], error);
    if (code == SERVET_OK)
        *status = verify(context, ranks, strings->count);
    for (int i = 0; i < strings->count && ranks; i++)
        free(ranks[i].threads);
    free(ranks);
    return code;
}

static int observe_together(int rank, srv_bindings_verifier *verify, void *context, int *status,
                            servet_error *error)
{
    srv_gathered_strings strings;
    char *text;
    int size;
    observe(&text, &size);
    int code = srv_strings_gather(MPI_COMM_WORLD, text, size, &strings);
    free(text);
    if (code != SERVET_OK && rank == 0)
        srv_fail(error, code, "%s", servet_error_text(code));
    else if (rank == 0)
        code = verify_all(&strings, verify, context, status, error);
    srv_gathered_strings_finish(&strings);
    return code;
}

int srv_ranks_observe_bindings(srv_bindings_verifier *verify, void *context, int *status,
                               servet_error *error)
{
    int rank;
    *status = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = srv_startup_check(MPI_COMM_WORLD, error);
    if (code == SERVET_OK)
        code = observe_together(rank, verify, context, status, error);
    MPI_Finalize();
    return rank == 0 ? code : SERVET_OK;
}
