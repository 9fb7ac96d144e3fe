/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ping-pong of MPI without any code of Servet: a reference for its message times.
 *
 *   mpirun -np 2 messages BYTES [MESSAGES]
 *
 * It prints half of the time in which MESSAGES (1) messages go and as many come back, in us: by
 * blocking sends, by non-blocking ones, and as one message of all bytes, which is written and read.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200, REPEATS = 4, MOST = 128 };

static int rank, bytes, messages;
static char *buffer;
static volatile unsigned long sum;

static char *part(int k)
{
    return buffer + (size_t)k * (size_t)bytes;
}

static void send_in_turn(void)
{
    for (int k = 0; k < messages; k++)
        MPI_Send(part(k), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
}

static void receive_in_turn(void)
{
    for (int k = 0; k < messages; k++)
        MPI_Recv(part(k), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_at_once(void)
{
    MPI_Request request[MOST];
    for (int k = 0; k < messages; k++)
        MPI_Isend(part(k), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &request[k]);
    MPI_Waitall(messages, request, MPI_STATUSES_IGNORE);
}

static void receive_at_once(void)
{
    MPI_Request request[MOST];
    for (int k = 0; k < messages; k++)
        MPI_Irecv(part(k), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &request[k]);
    MPI_Waitall(messages, request, MPI_STATUSES_IGNORE);
}

/* It is written before it is sent and read after it came, as with packing. */
static void send_as_one(void)
{
    memset(buffer, 2, (size_t)bytes * (size_t)messages);
    MPI_Send(buffer, bytes * messages, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
}

static void receive_as_one(void)
{
    MPI_Recv(buffer, bytes * messages, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unsigned long word, read = 0;
    for (int i = 0; i < bytes * messages; i += (int)sizeof word) {
        memcpy(&word, buffer + i, sizeof word);
        read += word;
    }
    sum += read;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half of a round trip; the first half of the rounds warms up. */
static double time_of(void (*send)(void), void (*receive)(void))
{
    double sample[2 * ROUNDS];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        double start = MPI_Wtime();
        for (int k = 0; k < 2 * REPEATS; k++)
            (k % 2 == rank ? send : receive)();
        sample[i] = (MPI_Wtime() - start) * 1e6 / (2 * REPEATS);
    }
    qsort(sample + ROUNDS, ROUNDS, sizeof *sample, ascending);
    return sample[ROUNDS + ROUNDS / 2];
}

int main(int count, char **words)
{
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bytes = count > 1 ? atoi(words[1]) : 1;
    messages = count > 2 ? atoi(words[2]) : 1;
    messages = messages < 1 ? 1 : messages > MOST ? MOST : messages;
    buffer = calloc((size_t)messages + 8, (size_t)bytes + 1);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double turn = time_of(send_in_turn, receive_in_turn);
    double once = time_of(send_at_once, receive_at_once);
    double one = time_of(send_as_one, receive_as_one);
    if (rank == 0)
        printf("%.4g %.4g %.4g us\n", turn, once, one);
    free(buffer);
    MPI_Finalize();
    return 0;
}
