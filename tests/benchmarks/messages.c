/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of a query for the time of a message by rank: two ranks of this node, and the curves of
 * the largest profile.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#include "largest.h"
#include "servet/mpi.h"

enum { CALLS = 1000, ROUNDS = 1000, LARGEST = 1 << 25, NS_MAX = 100 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The least of all rounds: what others take of the machine is not its own. */
static double nanoseconds(const servet_comm_times *times)
{
    double least = INFINITY;
    servet_value time;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (unsigned i = 0; i < CALLS; i++)
            check(servet_comm_message_time(times, (int)(i % 2), (int)(1 - i % 2),
                                           (round + i) * 2654435761u % LARGEST + 1, &time, NULL),
                  "message");
        least = fmin(least, (now() - begin) / CALLS);
    }
    return least * 1e9;
}

int main(int argc, char **argv)
{
    int rank;
    servet_comm_times *times;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    servet_profile *profile = rank == 0 ? make_largest() : NULL;
    double begin = now();
    check(servet_comm_times_create(MPI_COMM_WORLD, profile, &times, NULL), "times");
    double created = now() - begin, ns = rank == 0 ? nanoseconds(times) : 0;
    if (rank == 0)
        printf("%-34s %12.2f ms\n%-34s %12.1f ns, %d or less\n", "servet_comm_times_create",
               created * 1e3, "servet_comm_message_time", ns, NS_MAX);
    servet_comm_times_destroy(times);
    servet_profile_close(profile);
    MPI_Finalize();
    return ns > NS_MAX;
}
