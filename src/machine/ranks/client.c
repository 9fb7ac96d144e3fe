/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/client.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/ranks/coordinator.h"

/* Time in which a launcher ends a job whose nodes all answer, even if one is busy. */
enum { GRACE_SECONDS = 5 };

/* Wrappers of a rank (sh, numactl) may stand between the two; a launcher's own processes do not. */
enum { WRAPPERS_MAX = 3 };

/* --- who it is -------------------------------------------------------------------------------- */

/* Open MPI 4 and 5, MPICH and Intel MPI, as the kernel cuts their names. */
static bool is_launcher(const char *name)
{
    static const char *const names[] = {
        "mpirun", "mpiexec",        "orterun",        "prterun",       "orted",          "prted",
        "prte",   "mpirun.openmpi", "mpiexec.openmp", "mpiexec.hydra", "hydra_pmi_proxy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Name and parent of a process, from "7 (name) S 1 ...". */
static bool look_at(pid_t process, char name[32], pid_t *parent)
{
    char path[48];
    long above;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "r");
    bool understood = file && fscanf(file, "%*d (%31[^)]) %*c %ld", name, &above) == 2;
    if (file)
        fclose(file);
    if (understood)
        *parent = (pid_t)above;
    return understood;
}

/* The topmost process of the launcher above this one; 0: there is none. */
static pid_t find_launcher(void)
{
    char name[32];
    pid_t found = 0, at = getppid(), parent;
    for (int wrappers = 0; wrappers <= WRAPPERS_MAX && at > 1 && look_at(at, name, &parent);
         at = parent)
        if (is_launcher(name))
            found = at;
        else if (found)
            break;
        else
            wrappers++;
    return found;
}

/* --- its end ---------------------------------------------------------------------------------- */

static bool is_gone(pid_t process, int seconds)
{
    const struct timespec pause = {0, 100000000};
    for (int i = 0; i < 10 * seconds; i++) {
        if (kill(process, 0) != 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Open files would look to the launcher as if the rank were still there. */
static void close_all(void)
{
    long limit = sysconf(_SC_OPEN_MAX);
    for (int fd = 0; fd < limit && fd < 65536; fd++)
        close(fd);
}

/* Leaves a process behind that ends the launcher if that does not end by itself: when a job aborts,
 * Open MPI's launcher waits for all nodes, even for one that is frozen or disconnected. Only
 * processes above this one with a launcher's name are ended. To be called right before MPI_Abort().
 */
static void launcher_ensure_end(void)
{
    pid_t launcher = find_launcher();
    if (launcher == 0 || fork() != 0)
        return;
    setsid(); /* the launcher kills whole groups of processes */
    close_all();
    if (!is_gone(launcher, GRACE_SECONDS))
        kill(launcher, SIGKILL); /* at SIGTERM Open MPI 4.1 crashes with pages of addresses */
    _exit(0);
}

/* The launcher may be out of reach, too. */
enum { ABORT_SECONDS = 10 };

/* Runs the client without a binding, so that it does not take the core of rank 0's messages. */
static void *run(void *argument)
{
    srv_client *client = argument;
    srv_coordinator *coordinator = client->coordinator;
    srv_rank_unbind(&coordinator->worker->topology);
    client->status = client->run(client->context, &coordinator->network);
    if (coordinator->queue.broken) {
        /* MPI should be called from the main thread, but that thread hangs within it; all
         * implementations can abort from another one */
        fflush(NULL);
        launcher_ensure_end();
        alarm(ABORT_SECONDS);
        MPI_Abort(MPI_COMM_WORLD, client->status ? client->status : 1);
    }
    srv_network_destroy(&coordinator->network);
    return NULL;
}

static void serve_all(srv_coordinator *coordinator)
{
    while (srv_coordinator_serve(coordinator)) {
    }
}

int srv_client_run(srv_client *client, servet_error *error)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, client) != 0) {
        client->coordinator->queue.request = SRV_REQUEST_SHUTDOWN;
        serve_all(client->coordinator);
        return srv_fail(error, SERVET_EMACHINE, "cannot create a thread");
    }
    serve_all(client->coordinator);
    pthread_join(thread, NULL);
    return SERVET_OK;
}
