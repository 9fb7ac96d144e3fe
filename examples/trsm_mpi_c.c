/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solves X U = B for X, where U is upper triangular: the triangular solve of "The Servet 3.0
 * Benchmark Suite", section 6.1. Blocks are assigned to a grid of ranks, P by Q. Broadcasts along
 * its rows carry all of X, those along its columns only the half of U that is not zero: where the
 * network gets slower with distance, the ranks of a row should be near to each other. They are if
 * ranks are numbered row by row, and are not if column by column; "servet" takes the numbering for
 * which the broadcasts go less far by the profile's ratDist.
 *
 *   mpicc -O3 trsm_mpi_c.c $(pkg-config --cflags --libs servet) -o trsm_mpi_c
 *   mpirun -n 16 ./trsm_mpi_c P Q row|column|servet [EDGE [BLOCKS [SOLVES]]]
 *
 * EDGE is that of a block, 64 if not given; all matrices have BLOCKS times BLOCKS of them, 8.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <servet/servet.h>

/* Block (i, j) is on the rank at row i % p and column j % q of the grid, as its block (i / p, j /
 * q). */
typedef struct solver {
    MPI_Comm row, column;
    int p, q, at_row, at_column;
    int edge, blocks;
    int rows, columns;        /* blocks that this rank has */
    double *u, *b;            /* b becomes x */
    double *u_row, *x_column; /* what is broadcast */
    double messages;          /* seconds in broadcasts */
} solver;

static size_t area(const solver *s)
{
    return (size_t)s->edge * (size_t)s->edge;
}

static double *block(const solver *s, double *matrix, int row, int column)
{
    return matrix + ((size_t)row * (size_t)s->columns + (size_t)column) * area(s);
}

/* How many of the blocks before number `end` this one of `ranks` has. */
static int share(int end, int ranks, int at)
{
    return (end - at + ranks - 1) / ranks;
}

/* --- the numbering ---------------------------------------------------------------------------- */

/* Cost of distance, relative to the next node: ratDist, and nothing within a node. */
static double cost_of(const servet_profile *profile, int nodes, int distance)
{
    servet_ratios measured;
    servet_ratio ratio;
    int around = distance < nodes - distance ? distance : nodes - distance;
    if (around <= 0 ||
        servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &measured) != SERVET_OK)
        return around > 0;
    int at = around < measured.largest ? around : measured.largest;
    int code = servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, at, &ratio);
    return code == SERVET_OK ? ratio.ratio.value : 1;
}

/* Adds all pairs of a broadcast among `count` ranks that are `stride` apart, with `each` on a node.
 */
static double cost_of_line(const servet_profile *profile, int ranks, int each, int count,
                           int stride)
{
    double sum = 0;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            sum += cost_of(profile, ranks / each, a * stride / each - b * stride / each);
    return sum;
}

/* A row carries twice what a column does. */
static double cost_of_order(const servet_profile *profile, const solver *s, int each, bool by_rows)
{
    int ranks = s->p * s->q;
    return 2 * s->p * cost_of_line(profile, ranks, each, s->q, by_rows ? 1 : s->p) +
           s->q * cost_of_line(profile, ranks, each, s->p, by_rows ? s->q : 1);
}

static bool profile_favours_rows(const solver *s, int each)
{
    servet_profile *profile;
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_open(&profile, NULL, &error) != SERVET_OK) {
        char line[512];
        fprintf(stderr, "%s\n", servet_error_line(&error, line, sizeof line));
        return true;
    }
    double rows = cost_of_order(profile, s, each, true);
    double columns = cost_of_order(profile, s, each, false);
    printf("by the profile, broadcasts cost %.3g by rows and %.3g by columns\n", rows, columns);
    servet_profile_close(profile);
    return rows <= columns;
}

/* Rank 0 decides for all. */
static bool is_by_rows(const solver *s, const char *order)
{
    int each, rank, by_rows = strcmp(order, "column") != 0;
    MPI_Comm node;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &each);
    MPI_Comm_free(&node);
    if (rank == 0 && strcmp(order, "servet") == 0)
        by_rows = profile_favours_rows(s, each);
    MPI_Bcast(&by_rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return by_rows;
}

static void take_place(solver *s, bool by_rows)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    s->at_row = by_rows ? rank / s->q : rank % s->p;
    s->at_column = by_rows ? rank % s->q : rank / s->p;
    MPI_Comm_split(MPI_COMM_WORLD, s->at_row, s->at_column, &s->row);
    MPI_Comm_split(MPI_COMM_WORLD, s->at_column, s->at_row, &s->column);
    s->rows = share(s->blocks, s->p, s->at_row);
    s->columns = share(s->blocks, s->q, s->at_column);
}

/* --- the matrices ----------------------------------------------------------------------------- */

/* U, and X as the sum of a row's and a column's number, so that X U needs no product. */
static double u_at(int i, int j)
{
    return i == j ? 2 : i < j ? 1. / (1 + j - i) : 0;
}

static double row_of_x(int i)
{
    return i % 7;
}

static double column_of_x(int j)
{
    return j % 5;
}

/* The column j of X U is row_of_x() times the first sum, and the second one. */
static void column_sums(int j, double *plain, double *weighted)
{
    *plain = *weighted = 0;
    for (int k = 0; k <= j; k++) {
        *plain += u_at(k, j);
        *weighted += column_of_x(k) * u_at(k, j);
    }
}

static int allocate(solver *s)
{
    size_t bytes = sizeof(double) * area(s), rows = (size_t)s->rows, columns = (size_t)s->columns;
    s->u = malloc(bytes * (rows * columns + 1));
    s->b = malloc(bytes * (rows * columns + 1));
    s->u_row = malloc(bytes * (columns + 1));
    s->x_column = malloc(bytes * (rows + 1));
    return s->u && s->b && s->u_row && s->x_column ? 0 : -1;
}

static void fill(solver *s)
{
    for (int column = 0; column < s->columns * s->edge; column++) {
        int e = s->edge, j = (column / e * s->q + s->at_column) * e + column % e;
        double plain, weighted;
        column_sums(j, &plain, &weighted);
        for (int row = 0; row < s->rows * e; row++) {
            int i = (row / e * s->p + s->at_row) * e + row % e, at = row % e * e + column % e;
            block(s, s->u, row / e, column / e)[at] = u_at(i, j);
            block(s, s->b, row / e, column / e)[at] = row_of_x(i) * plain + weighted;
        }
    }
}

static double largest_error(const solver *s)
{
    double error = 0;
    for (int column = 0; column < s->columns * s->edge; column++)
        for (int row = 0; row < s->rows * s->edge; row++) {
            int e = s->edge, i = (row / e * s->p + s->at_row) * e + row % e;
            int j = (column / e * s->q + s->at_column) * e + column % e;
            double x = block(s, s->b, row / e, column / e)[row % e * e + column % e];
            error = fmax(error, fabs(x - row_of_x(i) - column_of_x(j)));
        }
    return error;
}

/* --- the solve -------------------------------------------------------------------------------- */

static void broadcast(solver *s, double *what, int count, int root, MPI_Comm comm)
{
    double began = MPI_Wtime();
    MPI_Bcast(what, count * (int)area(s), MPI_DOUBLE, root, comm);
    s->messages += MPI_Wtime() - began;
}

/* x becomes x u^-1. */
static void solve_block(const solver *s, double *x, const double *u)
{
    int e = s->edge;
    for (int i = 0; i < e; i++)
        for (int j = 0; j < e; j++) {
            double value = x[i * e + j] / u[j * e + j];
            x[i * e + j] = value;
            for (int k = j + 1; k < e; k++)
                x[i * e + k] -= value * u[j * e + k];
        }
}

static void update_block(const solver *s, double *b, const double *x, const double *u)
{
    int e = s->edge;
    for (int i = 0; i < e; i++)
        for (int k = 0; k < e; k++) {
            double value = x[i * e + k];
            for (int j = 0; j < e; j++)
                b[i * e + j] -= value * u[k * e + j];
        }
}

/* Block column k of X: its row of U goes down the columns, it itself along the rows. */
static void step(solver *s, int k)
{
    int first = share(k, s->q, s->at_column), beyond = share(k + 1, s->q, s->at_column);
    bool has_u = s->at_row == k % s->p, has_x = s->at_column == k % s->q;
    double *u = has_u ? block(s, s->u, k / s->p, first) : s->u_row;
    broadcast(s, u, s->columns - first, k % s->p, s->column);
    for (int i = 0; has_x && i < s->rows; i++) {
        double *x = block(s, s->b, i, first);
        solve_block(s, x, u);
        memcpy(s->x_column + (size_t)i * area(s), x, sizeof(double) * area(s));
    }
    broadcast(s, s->x_column, s->rows, k % s->q, s->row);
    for (int i = 0; i < s->rows; i++)
        for (int j = beyond; j < s->columns; j++)
            update_block(s, block(s, s->b, i, j), s->x_column + (size_t)i * area(s),
                         u + (size_t)(j - first) * area(s));
}

/* Seconds of a solve, and of its broadcasts: of the rank that took longest, the mean of all. */
static void time_solves(solver *s, int solves, double seconds[2])
{
    int ranks = s->p * s->q;
    seconds[0] = seconds[1] = 0;
    for (int solve = -1; solve < solves; solve++) { /* the first one makes connections */
        fill(s);
        s->messages = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        for (int k = 0; k < s->blocks; k++)
            step(s, k);
        seconds[0] += solve >= 0 ? MPI_Wtime() - began : 0;
        seconds[1] += solve >= 0 ? s->messages : 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &seconds[0], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &seconds[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    seconds[0] /= solves;
    seconds[1] /= solves * ranks;
}

static void finish(solver *s)
{
    free(s->u);
    free(s->b);
    free(s->u_row);
    free(s->x_column);
    MPI_Comm_free(&s->row);
    MPI_Comm_free(&s->column);
}

static int number(int argc, char **argv, int at, int otherwise)
{
    return argc > at ? atoi(argv[at]) : otherwise;
}

int main(int argc, char **argv)
{
    int rank, ranks, solves = number(argc, argv, 6, 3);
    solver s = {.p = number(argc, argv, 1, 0),
                .q = number(argc, argv, 2, 0),
                .edge = number(argc, argv, 4, 64),
                .blocks = number(argc, argv, 5, 8)};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4 || s.p < 1 || s.q < 1 || s.p * s.q != ranks || s.edge < 1 || s.blocks < 1 ||
        solves < 1) {
        fprintf(stderr, "usage: mpirun -n P*Q trsm_mpi_c P Q row|column|servet [EDGE [BLOCKS "
                        "[SOLVES]]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bool by_rows = is_by_rows(&s, argv[3]);
    take_place(&s, by_rows);
    if (allocate(&s) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    double seconds[2];
    time_solves(&s, solves, seconds);
    double error = largest_error(&s);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int agree = error < 1e-6;
    if (rank == 0)
        printf("%d x %d ranks by %s, %d x %d elements: %.6f s a solve, %.6f s of it in broadcasts, "
               "the results %s\n",
               s.p, s.q, by_rows ? "rows" : "columns", s.blocks * s.edge, s.blocks * s.edge,
               seconds[0], seconds[1], agree ? "agree" : "DIFFER");
    finish(&s);
    MPI_Finalize();
    return !agree;
}
