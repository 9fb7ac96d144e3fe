/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stencil on a grid that is distributed in two of its three dimensions, as in models of the
 * atmosphere: every rank exchanges the sides of its tile with four neighbours. With "reorder" the
 * ranks are numbered anew by Servet first, so that neighbours on the grid are near to each other
 * wherever the launcher has put them.
 *
 *   mpicc -O3 stencil_mpi_c.c $(pkg-config --cflags --libs servet-mpi) -o stencil_mpi_c
 *   mpirun -n 8 ./stencil_mpi_c [EDGE [STEPS [reorder]]]
 *
 * EDGE is that of a rank's cube of cells, 32 if not given.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <servet/mpi.h>

/* One rank's tile: cells 1..edge of two dimensions with a halo around them, all of the third. */
typedef struct tile {
    MPI_Comm comm;           /* the grid of ranks */
    int at[2], dims[2];      /* where this rank is in it, and how large it is */
    int before[2], after[2]; /* its neighbours in each dimension */
    int edge;
    double *now, *next;
    MPI_Datatype side[2]; /* what goes to a neighbour in each dimension */
} tile;

static double *cell(const tile *t, double *grid, int i, int j)
{
    return grid + ((size_t)i * (size_t)(t->edge + 2) + (size_t)j) * (size_t)t->edge;
}

/* A linear field is its own average: whatever else comes out is a mistake. */
static double expected(const tile *t, int i, int j, int k)
{
    return (t->at[0] * t->edge + i) + 2.0 * (t->at[1] * t->edge + j) + 3.0 * k;
}

/* True if a cell of the halo is a neighbour's. */
static int is_foreign(const tile *t, int d, int at)
{
    return (at == 0 && t->before[d] != MPI_PROC_NULL) ||
           (at == t->edge + 1 && t->after[d] != MPI_PROC_NULL);
}

/* The data of neighbours are not known before they are sent. */
static void fill(tile *t, double *grid)
{
    for (int i = 0; i < t->edge + 2; i++)
        for (int j = 0; j < t->edge + 2; j++) {
            int foreign = is_foreign(t, 0, i) || is_foreign(t, 1, j);
            for (int k = 0; k < t->edge; k++)
                cell(t, grid, i, j)[k] = foreign ? NAN : expected(t, i, j, k);
        }
}

static int begin(tile *t, MPI_Comm comm)
{
    int ranks, periods[2] = {0, 0}, n = t->edge;
    size_t cells = (size_t)(n + 2) * (size_t)(n + 2) * (size_t)n;
    MPI_Comm_size(comm, &ranks);
    MPI_Dims_create(ranks, 2, t->dims);
    MPI_Cart_create(comm, 2, t->dims, periods, 0, &t->comm);
    MPI_Cart_get(t->comm, 2, t->dims, periods, t->at);
    for (int d = 0; d < 2; d++)
        MPI_Cart_shift(t->comm, d, 1, &t->before[d], &t->after[d]);
    MPI_Type_vector(1, n * n, n * n, MPI_DOUBLE, &t->side[0]);
    MPI_Type_vector(n, n, (n + 2) * n, MPI_DOUBLE, &t->side[1]);
    t->now = malloc(cells * sizeof(double));
    t->next = malloc(cells * sizeof(double));
    for (int d = 0; d < 2; d++)
        MPI_Type_commit(&t->side[d]);
    if (!t->now || !t->next)
        return -1;
    fill(t, t->now);
    fill(t, t->next);
    return 0;
}

/* The sides of the four neighbours come into the halo. */
static void exchange(tile *t)
{
    MPI_Request request[8];
    int n = t->edge, count = 0;
    for (int d = 0; d < 2; d++) {
        int i = d == 0, j = d == 1; /* a step in this dimension */
        int first_i = d == 0 ? n : 1, first_j = d == 1 ? n : 1;
        MPI_Irecv(cell(t, t->now, 1 - i, 1 - j), 1, t->side[d], t->before[d], d, t->comm,
                  &request[count++]);
        MPI_Irecv(cell(t, t->now, first_i + i, first_j + j), 1, t->side[d], t->after[d], d, t->comm,
                  &request[count++]);
        MPI_Isend(cell(t, t->now, 1, 1), 1, t->side[d], t->before[d], d, t->comm,
                  &request[count++]);
        MPI_Isend(cell(t, t->now, first_i, first_j), 1, t->side[d], t->after[d], d, t->comm,
                  &request[count++]);
    }
    MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
}

static void step(tile *t)
{
    exchange(t);
    for (int i = 1; i <= t->edge; i++)
        for (int j = 1; j <= t->edge; j++) {
            const double *north = cell(t, t->now, i - 1, j), *south = cell(t, t->now, i + 1, j);
            const double *west = cell(t, t->now, i, j - 1), *east = cell(t, t->now, i, j + 1);
            double *own = cell(t, t->next, i, j);
            for (int k = 0; k < t->edge; k++)
                own[k] = 0.25 * (north[k] + south[k] + west[k] + east[k]);
        }
    double *now = t->now;
    t->now = t->next;
    t->next = now;
}

static int right(tile *t)
{
    int agree = 1;
    for (int i = 1; i <= t->edge; i++)
        for (int j = 1; j <= t->edge; j++)
            for (int k = 0; k < t->edge; k++)
                agree = agree && fabs(cell(t, t->now, i, j)[k] - expected(t, i, j, k)) < 1e-6;
    MPI_Allreduce(MPI_IN_PLACE, &agree, 1, MPI_INT, MPI_MIN, t->comm);
    return agree;
}

/* Seconds of a step, of the rank that took longest. */
static double time_steps(tile *t, int steps)
{
    step(t); /* connections are made */
    MPI_Barrier(t->comm);
    double began = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        step(t);
    double seconds = (MPI_Wtime() - began) / steps;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, t->comm);
    return seconds;
}

/* The ranks in an order that suits the grid, by the profile that Servet finds. All ranks fail
   alike, and one says why. */
static int reorder(int edge, MPI_Comm *comm)
{
    int ranks, rank;
    double side = sizeof(double) * (double)edge * edge;
    servet_traffic *traffic = NULL;
    servet_error error = SERVET_ERROR_INIT;
    char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = servet_traffic_pattern(&traffic, SERVET_PATTERN_STENCIL_2D, ranks, side, &error);
    if (code == SERVET_OK)
        code = servet_comm_reorder_by(MPI_COMM_WORLD, NULL, traffic, comm, &error);
    if (code != SERVET_OK && rank == 0)
        fprintf(stderr, "stencil_mpi_c: %s\n", servet_error_line(&error, line, sizeof line));
    servet_traffic_destroy(traffic);
    return code;
}

static void finish(tile *t)
{
    free(t->now);
    free(t->next);
    for (int d = 0; d < 2; d++)
        MPI_Type_free(&t->side[d]);
    MPI_Comm_free(&t->comm);
}

static int run(tile *t, MPI_Comm comm, int steps)
{
    int rank;
    if (t->edge < 1 || steps < 1 || begin(t, comm) != 0) {
        fprintf(stderr, "stencil_mpi_c: EDGE and STEPS are at least 1, and have to fit memory\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double seconds = time_steps(t, steps);
    int agree = right(t);
    MPI_Comm_rank(t->comm, &rank);
    if (rank == 0)
        printf("%d x %d ranks, tiles of %d x %d x %d cells: %.6f s a step, the results %s\n",
               t->dims[0], t->dims[1], t->edge, t->edge, t->edge, seconds,
               agree ? "agree" : "DIFFER");
    finish(t);
    return !agree;
}

int main(int argc, char **argv)
{
    tile t = {.edge = argc > 1 ? atoi(argv[1]) : 32};
    int steps = argc > 2 ? atoi(argv[2]) : 10, status = 1;
    int anew = argc > 3 && strcmp(argv[3], "reorder") == 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    if (!anew || reorder(t.edge, &comm) == SERVET_OK)
        status = run(&t, comm, steps);
    if (anew && comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return status;
}
