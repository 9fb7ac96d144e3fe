/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transposes a matrix that is distributed by rows: every rank sends a block to every other one, as
 * in Fourier transforms and sorts. How long a step takes depends on where the ranks run; compare
 *
 *   mpicc -O3 transpose_mpi_c.c -o transpose_mpi_c
 *   mpirun -n 8 ./transpose_mpi_c
 *   servet map -n 8 --pattern all-to-all --format openmpi-rankfile -o ranks
 *   mpirun -n 8 --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile ranks \
 *     ./transpose_mpi_c [ROWS [STEPS]]
 *
 * ROWS is of each rank, 64 if not given.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The rows of one rank: `rows` of `rows * ranks` elements each, and room for as many twice. */
typedef struct part {
    int rank, ranks, rows, columns;
    double *a, *out, *in;
} part;

static double value(int row, int column, int columns)
{
    return (double)row * columns + column;
}

static int begin(part *p)
{
    size_t bytes = sizeof(double) * (size_t)p->rows * (size_t)p->columns;
    p->a = malloc(bytes);
    p->out = malloc(bytes);
    p->in = malloc(bytes);
    if (!p->a || !p->out || !p->in)
        return -1;
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++)
            p->a[i * p->columns + j] = value(p->rank * p->rows + i, j, p->columns);
    return 0;
}

/* Block b of the columns goes to rank b, transposed already. */
static void transpose(part *p)
{
    int n = p->rows, m = p->columns, block = n * n;
    for (int b = 0; b < p->ranks; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p->out[b * block + j * n + i] = p->a[i * m + b * n + j];
    MPI_Alltoall(p->out, block, MPI_DOUBLE, p->in, block, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int b = 0; b < p->ranks; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p->a[i * m + b * n + j] = p->in[b * block + i * n + j];
}

/* After an odd number of steps the matrix is transposed, after an even one it is itself again. */
static int right(const part *p, int steps)
{
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            int row = p->rank * p->rows + i;
            double expected = steps % 2 ? value(j, row, p->columns) : value(row, j, p->columns);
            if (p->a[i * p->columns + j] != expected)
                return 0;
        }
    return 1;
}

/* Seconds of a step, of the rank that took longest. */
static double time_steps(part *p, int steps)
{
    transpose(p); /* connections are made */
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        transpose(p);
    double seconds = (MPI_Wtime() - began) / steps;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

int main(int argc, char **argv)
{
    part p = {.rows = argc > 1 ? atoi(argv[1]) : 64};
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    p.columns = p.rows * p.ranks;
    if (p.rows < 1 || steps < 1 || begin(&p) != 0) {
        fprintf(stderr, "transpose_mpi_c: ROWS and STEPS are at least 1, and have to fit memory\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double seconds = time_steps(&p, steps);
    int agree = right(&p, steps + 1);
    MPI_Allreduce(MPI_IN_PLACE, &agree, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (p.rank == 0)
        printf("%d ranks, %d x %d elements: %.6f s a step, the results %s\n", p.ranks, p.columns,
               p.columns, seconds, agree ? "agree" : "DIFFER");
    free(p.a);
    free(p.out);
    free(p.in);
    MPI_Finalize();
    return !agree;
}
