/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/distance/raw.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "run/raw.h"
#include "servet/analyze.h"

/* The cores that the comment names, in their order. */
static bool read_cores(const char *text, int *cores, int count)
{
    const char *list = strstr(text, "Cores:");
    char *end;
    if (!list)
        return false;
    list += strlen("Cores:");
    for (int i = 0; i < count; i++, list = end) {
        cores[i] = (int)strtol(list, &end, 10);
        if (end == list)
            return false;
    }
    return true;
}

static int find(const int *cores, int count, int core)
{
    int i = 0;
    while (i < count && cores[i] != core)
        i++;
    return i;
}

/* Puts the matrix of `listed` cores into the order of `cores`. */
static bool reorder(const servet_matrix *matrix, const int *listed, const int *cores, double *cost)
{
    int n = (int)matrix->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int row = find(listed, n, cores[i]), column = find(listed, n, cores[j]);
            if (row == n || column == n)
                return false;
            cost[i * n + j] = matrix->cost[row * n + column];
        }
    return true;
}

static int take_matrix(const srv_raw_table *file, const servet_matrix *matrix, const int *cores,
                       srv_distances *distances, servet_error *error)
{
    int n = (int)matrix->n;
    int *listed = calloc((size_t)n, sizeof *listed);
    distances->count = n;
    distances->at_once = 1;
    distances->cost = calloc(matrix->n * matrix->n, sizeof *distances->cost);
    distances->loose = calloc(matrix->n * matrix->n, sizeof *distances->loose);
    int code = SERVET_OK;
    if (!listed || !distances->cost || !distances->loose)
        code = srv_fail_memory(error);
    else if (!read_cores(file->text, listed, n) || !reorder(matrix, listed, cores, distances->cost))
        code = srv_fail_at(error, SERVET_EFORMAT, file->path, 1, "these are other cores");
    free(listed);
    return code;
}

int srv_raw_distances(const srv_stage *stage, const int *cores, int count, srv_distances *distances,
                      servet_error *error)
{
    srv_raw_table file;
    servet_matrix matrix = SERVET_MATRIX_INIT;
    *distances = (srv_distances){0};
    int code = srv_raw_open(stage, "distance.csv", &file, error);
    if (code == SERVET_OK)
        code = servet_matrix_read(file.path, &matrix, error);
    if (code == SERVET_OK && matrix.n != (size_t)count)
        code = srv_fail_at(error, SERVET_EFORMAT, file.path, 0, "%zu cores of %d", matrix.n, count);
    if (code == SERVET_OK)
        code = take_matrix(&file, &matrix, cores, distances, error);
    servet_matrix_free(&matrix);
    free(file.text);
    return code;
}
