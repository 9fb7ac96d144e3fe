/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/startup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ranks/rank_location.h"
#include "servet/version.h"

/* --- a launcher that MPI does not know -------------------------------------------------------- */

static const char *const other_library =
    "use the launcher of the MPI library that servet-mpi was built with";
static const char *const other_plugin =
    "srun needs a plugin that fits the MPI library (--mpi=pmix or --mpi=pmi2), or take mpirun";

/* Variables that launchers set for each process. Those of MPI libraries come first: one of the
 * others may have started them, and has then set its variables in their daemons. */
static const struct launcher {
    const char *name, *size, *rank;
    const char *sign; /* set by it and by no other that sets these two; NULL: no other does */
    const char *const *help;
} launchers[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL, &other_library},
    /* srun --mpi=pmi2 sets the size and the rank, too. */
    {"the mpiexec of MPICH", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", &other_library},
    {"jsrun", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK", NULL, &other_library},
    {"flux", "FLUX_JOB_SIZE", "FLUX_TASK_RANK", NULL, &other_library},
    {"the mpiexec of PALS", NULL, "PALS_RANKID", NULL, &other_library},
    {"aprun", NULL, "ALPS_APP_PE", NULL, &other_library},
    /* SLURM_NTASKS is that of the whole allocation, and set in its script, too. */
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", NULL, &other_plugin},
    {"a launcher with PMI", "PMI_SIZE", "PMI_RANK", NULL, &other_library},
};

/* The number in a variable; -1: there is none. */
static int number_in(char *(*find)(const char *name), const char *variable)
{
    const char *text = variable ? find(variable) : NULL;
    return text && *text >= '0' && *text <= '9' ? atoi(text) : -1;
}

static const struct launcher *find_launcher(char *(*find)(const char *name))
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *by = &launchers[i];
        if (number_in(find, by->size ? by->size : by->rank) >= 0 && (!by->sign || find(by->sign)))
            return by;
    }
    return NULL;
}

/* If the launcher sets only the rank, rank 0 cannot know whether there are others. */
srv_singleton srv_startup_find_singleton(char *(*find)(const char *name))
{
    const struct launcher *by = find_launcher(find);
    int size = by ? number_in(find, by->size) : -1, rank = by ? number_in(find, by->rank) : -1;
    if (size <= 1 && rank <= 0)
        return (srv_singleton){.launcher = NULL};
    return (srv_singleton){.launcher = by->name,
                           .variable = size > 1 ? by->size : by->rank,
                           .started = size > 1 ? size : 0,
                           .rank = rank < 0 ? 0 : rank,
                           .speaks = size > 1 ? rank <= 0 : rank == 1,
                           .help = *by->help};
}

static int check_alone(servet_error *error)
{
    srv_singleton alone = srv_startup_find_singleton(getenv);
    if (!alone.launcher)
        return SERVET_OK;
    if (alone.speaks && alone.started)
        srv_fail(error, SERVET_EMACHINE,
                 "%s started %d processes (%s), but each is alone in its MPI job: %s",
                 alone.launcher, alone.started, alone.variable, alone.help);
    else if (alone.speaks)
        srv_fail(error, SERVET_EMACHINE,
                 "%s started several processes (%s is %d), but each is alone in its MPI job: "
                 "%s",
                 alone.launcher, alone.variable, alone.rank, alone.help);
    return SERVET_EMACHINE;
}

/* --- who they are ----------------------------------------------------------------------------- */

/* The first message of each process. Never to be changed: two versions that differ in all else must
 * understand it. */
enum { HELLO_TEXT = 64 };
typedef struct hello {
    char version[HELLO_TEXT], host[HELLO_TEXT], machine[HELLO_TEXT];
} hello;

static hello say_hello(void)
{
    hello own = {.version = ""};
    srv_rank_location location;
    srv_rank_location_identify(&location);
    snprintf(own.version, sizeof own.version, "%.63s", servet_version());
    snprintf(own.host, sizeof own.host, "%.63s", location.host);
    snprintf(own.machine, sizeof own.machine, "%.63s", location.boot);
    return own;
}

static int check_versions(const hello *of, int count, servet_error *error)
{
    for (int i = 1; i < count; i++)
        if (memcmp(of[i].version, of[0].version, sizeof of->version) != 0)
            return srv_fail(error, SERVET_EMACHINE,
                            "servet-mpi is %.40s on %.40s (rank 0), but %.40s on %.40s (rank %d): "
                            "install one version on all nodes",
                            of[0].version, of[0].host, of[i].version, of[i].host, i);
    return SERVET_OK;
}

static int by_host(const void *left, const void *right)
{
    const hello *a = left, *b = right;
    int command = memcmp(a->host, b->host, sizeof a->host);
    return command ? command : memcmp(a->machine, b->machine, sizeof a->machine);
}

/* Sorts them, so that two machines with one name are neighbours. */
static int check_hosts(hello *of, int count, servet_error *error)
{
    qsort(of, (size_t)count, sizeof *of, by_host);
    for (int i = 1; i < count; i++)
        if (memcmp(of[i].host, of[i - 1].host, sizeof of->host) == 0 &&
            memcmp(of[i].machine, of[i - 1].machine, sizeof of->machine) != 0)
            return srv_fail(error, SERVET_EMACHINE,
                            "several machines have the name '%.63s': give each host a unique "
                            "name (hostnamectl set-hostname NAME)",
                            of[i].host);
    return SERVET_OK;
}

static int check_all(hello *of, int count, servet_error *error)
{
    if (!of)
        return srv_fail_memory(error);
    int code = check_versions(of, count, error);
    return code == SERVET_OK ? check_hosts(of, count, error) : code;
}

int srv_startup_check(MPI_Comm comm, servet_error *error)
{
    int rank, count, room = 1, code = SERVET_OK;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &count);
    if (count == 1)
        return check_alone(error);
    hello own = say_hello(), *all = rank == 0 ? malloc((size_t)count * sizeof *all) : NULL;
    room = rank != 0 || all;
    MPI_Bcast(&room, 1, MPI_INT, 0, comm);
    if (room)
        MPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, comm);
    if (rank == 0)
        code = check_all(all, count, error);
    free(all);
    MPI_Bcast(&code, 1, MPI_INT, 0, comm);
    return code;
}
