/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends the messages of a file at once, step by step: traffic FILE. A line FROM TO BYTES is a
 * message of each step, as `servet map --matrix` reads it. Rank 0 prints the seconds of a step, of
 * the rank that took longest.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 5 };

/* A message of this rank: to or from another one. */
typedef struct message {
    int peer, bytes, sends;
} message;

typedef struct messages {
    message *of;
    int count, largest;
} messages;

static void add(messages *all, int peer, int bytes, int sends)
{
    all->of = realloc(all->of, (size_t)(all->count + 1) * sizeof *all->of);
    if (!all->of)
        MPI_Abort(MPI_COMM_WORLD, 2);
    all->of[all->count++] = (message){peer, bytes, sends};
    all->largest = bytes > all->largest ? bytes : all->largest;
}

static void read_messages(messages *all, const char *path, int rank)
{
    int from, to, bytes;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d %d %d", &from, &to, &bytes) == 3) {
        if (from == rank && bytes > 0)
            add(all, to, bytes, 1);
        if (to == rank && bytes > 0)
            add(all, from, bytes, 0);
    }
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 2);
    fclose(file);
}

static void step(const messages *all, void *memory, MPI_Request *requests)
{
    for (int i = 0; i < all->count; i++) {
        const message *one = &all->of[i];
        if (one->sends)
            MPI_Isend(memory, one->bytes, MPI_BYTE, one->peer, 0, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(memory, one->bytes, MPI_BYTE, one->peer, 0, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(all->count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    messages all = {NULL, 0, 1};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    read_messages(&all, argv[1], rank);
    void *memory = SMPI_SHARED_MALLOC((size_t)all.largest); /* the simulator copies none of it */
    MPI_Request *requests = calloc((size_t)all.count + 1, sizeof(MPI_Request));
    if (!memory || !requests)
        MPI_Abort(MPI_COMM_WORLD, 2);
    step(&all, memory, requests);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int i = 0; i < STEPS; i++)
        step(&all, memory, requests);
    double seconds = (MPI_Wtime() - began) / STEPS;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9f s a step\n", seconds);
    SMPI_SHARED_FREE(memory);
    free(requests);
    free(all.of);
    MPI_Finalize();
    return 0;
}
