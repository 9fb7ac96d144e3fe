/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations of MPI without any code of Servet, as the OSU micro-benchmarks time them:
 * each after a barrier, on each rank.
 *
 *   mpirun -np RANKS collectives OPERATION BYTES
 *
 * It prints the median over the operations of the time of the slowest rank, in us.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 1000, WARM_UP = 100 };

static void *out, *in;
static int bytes;

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void broadcast(void)
{
    MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void reduce(void)
{
    MPI_Reduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(void)
{
    MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(void)
{
    MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(void)
{
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} operations[] = {{"barrier", barrier},     {"broadcast", broadcast}, {"reduce", reduce},
                  {"allreduce", allreduce}, {"allgather", allgather}, {"alltoall", alltoall}};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(void (*run)(void))
{
    static double seconds[ROUNDS], slowest[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        run();
        if (i >= 0)
            seconds[i] = MPI_Wtime() - began;
    }
    MPI_Reduce(seconds, slowest, ROUNDS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    qsort(slowest, ROUNDS, sizeof *slowest, ascending);
    return slowest[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bytes = argc == 3 ? atoi(argv[2]) : -1;
    if (bytes < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    size_t size = (size_t)ranks * (size_t)bytes + 1;
    out = malloc(size);
    in = malloc(size);
    memset(out, 1, size);
    memset(in, 1, size);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, argv[1]) == 0) {
            double seconds = median_of(operations[i].run);
            if (rank == 0)
                printf("%.4g\n", 1e6 * seconds);
        }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
