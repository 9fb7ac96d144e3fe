/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the traffic of common patterns. */
#include <math.h>

#include "core/error.h"
#include "core/names.h"
#include "core/units.h"
#include "map/traffic/traffic.h"

enum { DIMENSIONS_MAX = 3 };

/* A pattern under construction: its grid, with neighbouring ranks in the last dimension. */
typedef struct drawing {
    servet_traffic *traffic;
    int dimensions, size[DIMENSIONS_MAX];
    double bytes;
    servet_error *error;
} drawing;

/* --- grids ------------------------------------------------------------------------------------ */

/* The squarest R * C = n, R >= C. */
static void square(int n, int *rows, int *columns)
{
    *columns = (int)sqrt(n);
    while (n % *columns)
        (*columns)--;
    *rows = n / *columns;
}

static void swap_if_less(int *a, int *b)
{
    int first = *a, second = *b;
    *a = first < second ? second : first;
    *b = first < second ? first : second;
}

/* The box of n cells with the shortest edges, longest first. */
static void cube(int n, int size[DIMENSIONS_MAX])
{
    int best = 0;
    for (int depth = 1; (long long)depth * depth * depth <= n; depth++) {
        int rows, columns;
        if (n % depth)
            continue;
        square(n / depth, &rows, &columns);
        if (!best || rows + columns + depth < best) {
            best = rows + columns + depth;
            size[0] = rows;
            size[1] = columns;
            size[2] = depth;
        }
    }
    swap_if_less(&size[1], &size[2]);
    swap_if_less(&size[0], &size[1]);
}

/* --- patterns --------------------------------------------------------------------------------- */

static int add(const drawing *on, int from, int to)
{
    return servet_traffic_add(on->traffic, from, to, on->bytes, on->error);
}

static int ring(drawing *on)
{
    int n = on->traffic->processes, code = SERVET_OK;
    for (int rank = 0; rank < n && code == SERVET_OK; rank++) {
        int next = (rank + 1) % n;
        code = add(on, rank, next);
        if (code == SERVET_OK &&
            n > 2) /* with two ranks, each is the only neighbour of the other */
            code = add(on, next, rank);
    }
    return code;
}

/* Adds messages to the neighbours of `rank` along a dimension in which ranks are `stride` apart. */
static int neighbours(const drawing *on, int rank, int size, int stride)
{
    int code = SERVET_OK, at = rank / stride % size;
    if (at > 0)
        code = add(on, rank, rank - stride);
    if (at + 1 < size && code == SERVET_OK)
        code = add(on, rank, rank + stride);
    return code;
}

static int stencil(const drawing *on)
{
    int code = SERVET_OK;
    for (int rank = 0; rank < on->traffic->processes; rank++)
        for (int d = on->dimensions - 1, stride = 1; d >= 0 && code == SERVET_OK; d--) {
            code = neighbours(on, rank, on->size[d], stride);
            stride *= on->size[d];
        }
    return code;
}

static int stencil_2d(drawing *on)
{
    on->dimensions = 2;
    square(on->traffic->processes, &on->size[0], &on->size[1]);
    return stencil(on);
}

static int stencil_3d(drawing *on)
{
    on->dimensions = 3;
    cube(on->traffic->processes, on->size);
    return stencil(on);
}

/* All-to-all traffic has no list of pairs: 100,000 processes have ten thousand million pairs. */
static int all_to_all(drawing *on)
{
    on->traffic->uniform = true;
    on->traffic->each = on->bytes;
    return SERVET_OK;
}

static int transpose(drawing *on)
{
    int rows, columns, code = SERVET_OK;
    square(on->traffic->processes, &rows, &columns);
    for (int rank = 0; rank < rows * columns && code == SERVET_OK; rank++)
        code = add(on, rank, rank % columns * rows + rank / columns);
    return code;
}

/* --- by their names --------------------------------------------------------------------------- */

static int (*const writers[SERVET_PATTERN_COUNT])(drawing *on) = {
    [SERVET_PATTERN_RING] = ring,
    [SERVET_PATTERN_STENCIL_2D] = stencil_2d,
    [SERVET_PATTERN_STENCIL_3D] = stencil_3d,
    [SERVET_PATTERN_ALL_TO_ALL] = all_to_all,
    [SERVET_PATTERN_TRANSPOSE] = transpose,
};

SRV_NAMES(servet_pattern_name, servet_pattern, SERVET_PATTERN_LIST)

int servet_traffic_pattern(servet_traffic **traffic, servet_pattern which, int processes,
                           double bytes, servet_error *error)
{
    servet_traffic *made;
    if ((unsigned)which >= SERVET_PATTERN_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown pattern %d", (int)which);
    if (!(bytes >= 0 && srv_is_bounded(bytes)))
        return srv_fail(error, SERVET_EARGUMENT, "a message of %g bytes is out of range", bytes);
    int code = servet_traffic_create(&made, processes, error);
    if (code != SERVET_OK)
        return code;
    drawing on = {.traffic = made, .bytes = bytes, .error = error};
    code = writers[which](&on);
    if (code == SERVET_OK)
        *traffic = made;
    else
        servet_traffic_destroy(made);
    return code;
}
