/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers messages where Servet measured that it pays: rank 0 sends several messages to rank 1, as
 * they are and copied into one, and says what the profile advises for the size.
 *
 *   mpicc -O3 gather_mpi_c.c $(pkg-config --cflags --libs servet) -o gather_mpi_c
 *   mpirun -n 2 ./gather_mpi_c [BYTES [COUNT [LAYER [PROFILE]]]]
 *
 * BYTES is the size of each message, 512 if not given, COUNT how many there are, 8, and LAYER that
 * of the two ranks, 1: the nearest. Times include the copies.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <servet/servet.h>

enum { ROUNDS = 200, TRIALS = 21, COUNT_MAX = 128 };

typedef struct batch {
    int bytes, count, rank;
    char *data, *packed; /* `count` messages of `bytes` each */
} batch;

/* Says what the profile advises. */
static void advise(const batch *b, int layer, const char *path)
{
    servet_profile *profile = NULL;
    servet_batch found;
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_profile_open(&profile, path, &error);
    if (code == SERVET_OK)
        code = servet_network_aggregate(profile, layer, b->bytes, b->count, &found);
    if (code != SERVET_OK)
        printf("no advice: %s\n", servet_error_text(code));
    else
        printf("advice: gathering is %.2f times as fast (%s)\n", found.gain.value,
               servet_payoff_name(found.payoff));
    servet_profile_close(profile);
}

/* The receiver answers, so that both ends are in the time. */
static void answer(const batch *b)
{
    char done = 0;
    if (b->rank == 0)
        MPI_Recv(&done, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&done, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
}

static void send_apart(const batch *b)
{
    MPI_Request requests[COUNT_MAX];
    for (int i = 0; i < b->count; i++) {
        char *message = b->data + (size_t)i * (size_t)b->bytes;
        if (b->rank == 0)
            MPI_Isend(message, b->bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(message, b->bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(b->count, requests, MPI_STATUSES_IGNORE);
    answer(b);
}

static void send_gathered(const batch *b)
{
    int bytes = b->count * b->bytes;
    if (b->rank == 0) {
        for (int i = 0; i < b->count; i++)
            memcpy(b->packed + (size_t)i * (size_t)b->bytes, b->data + (size_t)i * (size_t)b->bytes,
                   (size_t)b->bytes);
        MPI_Send(b->packed, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(b->packed, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < b->count; i++)
            memcpy(b->data + (size_t)i * (size_t)b->bytes, b->packed + (size_t)i * (size_t)b->bytes,
                   (size_t)b->bytes);
    }
    answer(b);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double time_of(void (*send)(const batch *), const batch *b)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < ROUNDS; i++)
        send(b);
    return (MPI_Wtime() - start) / ROUNDS;
}

/* The least of several trials: what others do at the same time only adds to it. */
static void compare(const batch *b)
{
    double apart = time_of(send_apart, b), gathered = time_of(send_gathered, b);
    for (int i = 0; i < TRIALS; i++) {
        apart = least(apart, time_of(send_apart, b));
        gathered = least(gathered, time_of(send_gathered, b));
    }
    if (b->rank == 0)
        printf("%d messages of %d B, apart %.3f us, gathered %.3f us, ratio %.2f\n", b->count,
               b->bytes, apart * 1e6, gathered * 1e6, apart / gathered);
}

int main(int argc, char **argv)
{
    int ranks;
    batch b = {.bytes = argc > 1 ? atoi(argv[1]) : 512, .count = argc > 2 ? atoi(argv[2]) : 8};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (b.bytes > 0 && b.count > 1 && b.count <= COUNT_MAX) {
        b.data = calloc((size_t)b.count, (size_t)b.bytes);
        b.packed = calloc((size_t)b.count, (size_t)b.bytes);
    }
    if (ranks != 2 || !b.data || !b.packed) {
        fprintf(stderr, "usage: mpirun -n 2 gather_mpi_c [BYTES [COUNT [LAYER [PROFILE]]]], COUNT "
                        "from 2 to 128\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (b.rank == 0)
        advise(&b, argc > 3 ? atoi(argv[3]) : 1, argc > 4 ? argv[4] : NULL);
    compare(&b);
    free(b.data);
    free(b.packed);
    MPI_Finalize();
    return 0;
}
