/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory_stream.h"
#include "machine/ranks/startup.h"
#include "machine/ranks/string_gather.h"

/* --- each rank -------------------------------------------------------------------------------- */

static bool report_failure(int code, const servet_error *error, char **text, size_t *size)
{
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return false;
    fprintf(memory.stream, "%d%c%s%c", code, '\0', error->text, '\0');
    return srv_memory_stream_close(&memory, text, size);
}

/* The report of this rank: its code, then its location or the reason of the failure. `*size` bytes,
 * which the caller frees; 0 if memory is exhausted. */
static void observe(char **text, int *size)
{
    servet_error error = SERVET_ERROR_INIT;
    size_t length = 0;
    *text = NULL;
    *size = 0;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return;
    fprintf(memory.stream, "%d%c", SERVET_OK, '\0');
    int code = srv_observed_binding_write(memory.stream, &error);
    bool whole = srv_memory_stream_close(&memory, text, &length);
    if (whole && code != SERVET_OK) {
        free(*text);
        *text = NULL;
        whole = report_failure(code, &error, text, &length);
    }
    *size = whole ? (int)length : 0;
}

/* --- rank 0 ----------------------------------------------------------------------------------- */

static int read_answer(const srv_gathered_strings *strings, int rank, srv_observed_binding *binding,
                       servet_error *error)
{
    servet_error inner = SERVET_ERROR_INIT;
    const char *text = strings->text + strings->begin[rank];
    size_t size = (size_t)strings->size[rank];
    if (size == 0)
        return srv_fail(error, SERVET_EMEMORY, "rank %d: out of memory", rank);
    size_t head = strnlen(text, size - 1) + 1;
    int code = atoi(text);
    if (code != SERVET_OK)
        return srv_fail(error, code, "rank %d: %.*s", rank, (int)(size - head), text + head);
    code = srv_observed_binding_read(text + head, size - head, binding, &inner);
    return code == SERVET_OK ? code : srv_fail(error, code, "rank %d: %s", rank, inner.text);
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
