/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/control.h"

#include <math.h>
#include <time.h>

/* Pauses are an eighth of the time already waited, so that an answer is late by that at most. 20 us
 * is about the shortest sleep; 20 ms keeps an idle rank below a thousandth of its core. */
static const double PAUSE_SHARE = 1.0 / 8, PAUSE_MIN = 20e-6, PAUSE_MAX = 20e-3;

void srv_control_send(MPI_Comm comm, const void *data, size_t bytes, int to, srv_tag tag)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, to, (int)tag, comm);
}

/* The next pause of one who waits since `began`. */
static void pause_since(double began)
{
    double seconds = fmax(PAUSE_MIN, fmin(PAUSE_SHARE * (MPI_Wtime() - began), PAUSE_MAX));
    struct timespec pause = {0, (long)(seconds * 1e9)};
    nanosleep(&pause, NULL);
}

int srv_control_receive(MPI_Comm comm, void *data, size_t bytes, int from, srv_tag tag)
{
    MPI_Request request;
    MPI_Status status;
    int arrived = 0;
    MPI_Irecv(data, (int)bytes, MPI_BYTE, from, (int)tag, comm, &request);
    double began = MPI_Wtime();
    for (;;) {
        MPI_Test(&request, &arrived, &status);
        if (arrived)
            return status.MPI_SOURCE;
        pause_since(began);
    }
}

bool srv_control_arrived(MPI_Comm comm, srv_tag tag, double seconds)
{
    int arrived = 0;
    double began = MPI_Wtime();
    for (;;) {
        MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, comm, &arrived, MPI_STATUS_IGNORE);
        if (arrived || MPI_Wtime() - began >= seconds)
            return arrived;
        pause_since(began);
    }
}
