/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators after the machine, for real: ranks on several hosts, of which the first and the
   third are on one switch, as comm_write says. Usage: comm HOST:RANKS HOST:RANKS HOST:RANKS */
#define _GNU_SOURCE /* for sched_getaffinity() */
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm_profile.h"
#include "servet/mpi.h"
#include "servet/place.h"

typedef struct scene {
    int number, failed;
    int rank, ranks;
    int host;   /* of this rank */
    int *hosts; /* of all ranks */
} scene;

/* Passes if it holds on all ranks. */
static void ok(scene *on, bool passed, const char *name)
{
    int all = passed;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    on->failed += !all;
    on->number++;
    if (on->rank == 0)
        printf("%sok %d - %s\n", all ? "" : "not ", on->number, name);
}

/* Is true if two hosts are in one group of a layer. */
static bool joined(int layer, int a, int b)
{
    return a == b || layer == 3 || (layer == 2 && (a + b) == 2 && a != 1);
}

/* --- split ------------------------------------------------------------------------------------ */

/* The new communicator holds those ranks that are joined with this one, in their order. */
static bool is_group(const scene *on, int layer, MPI_Comm group)
{
    int size, at = 0, *members;
    bool right = true;
    MPI_Comm_size(group, &size);
    members = malloc((size_t)size * sizeof *members);
    MPI_Allgather(&on->rank, 1, MPI_INT, members, 1, MPI_INT, group);
    for (int i = 0; i < on->ranks; i++)
        if (joined(layer, on->hosts[i], on->host))
            right = right && at < size && members[at++] == i;
    free(members);
    return right && at == size;
}

static void test_split(scene *on)
{
    char name[64];
    for (int layer = 1; layer <= 3; layer++) {
        MPI_Comm group;
        int code = servet_comm_split_layer(MPI_COMM_WORLD, layer, &group);
        snprintf(name, sizeof name, "layer %d joins whom it should", layer);
        ok(on, code == SERVET_OK && is_group(on, layer, group), name);
        if (group != MPI_COMM_NULL)
            MPI_Comm_free(&group);
    }
}

/* A communicator of its own: the ranks are its, and they are in another order. */
static void test_part(scene *on)
{
    MPI_Comm part, group = MPI_COMM_NULL;
    int size = 0, expected = 0;
    MPI_Comm_split(MPI_COMM_WORLD, on->rank % 2, -on->rank, &part);
    int code = servet_comm_split_layer(part, 1, &group);
    if (code == SERVET_OK)
        MPI_Comm_size(group, &size);
    for (int i = on->rank % 2; i < on->ranks; i += 2)
        expected += on->hosts[i] == on->host;
    ok(on, size == expected, "parts of a job are split, too");
    if (group != MPI_COMM_NULL)
        MPI_Comm_free(&group);
    MPI_Comm_free(&part);
}

/* --- reorder ---------------------------------------------------------------------------------- */

/* How often neighbours in rank are on hosts that a layer does not join. */
static int changes(const int *hosts, int count, int layer)
{
    int found = 0;
    for (int i = 1; i < count; i++)
        found += !joined(layer, hosts[i - 1], hosts[i]);
    return found;
}

static void test_reorder(scene *on)
{
    MPI_Comm ordered;
    int rank, *hosts = malloc((size_t)on->ranks * sizeof *hosts);
    int code = servet_comm_reorder(MPI_COMM_WORLD, NULL, &ordered);
    ok(on, code == SERVET_OK, "ranks are given another order");
    MPI_Comm_rank(ordered, &rank);
    MPI_Allgather(&on->host, 1, MPI_INT, hosts, 1, MPI_INT, ordered);
    ok(on, changes(hosts, on->ranks, 1) == COMM_HOSTS - 1, "ranks of a host follow each other");
    ok(on, changes(hosts, on->ranks, 2) == 1, "and hosts on one switch");
    ok(on, (rank == 0) == (on->rank == 0), "rank 0 stays rank 0");
    MPI_Comm_free(&ordered);
    free(hosts);
}

/* --- reorder by traffic ----------------------------------------------------------------------- */

/* The party of rank `rank`: party h has the number of ranks that are on host h. */
static int party_of(const scene *on, int rank)
{
    for (int h = 0;; h++)
        for (int i = 0; i < on->ranks; i++)
            if (on->hosts[i] == h && rank-- == 0)
                return h;
}

/* Ranks of a party send each other much, others little. */
static servet_traffic *make_traffic(const scene *on)
{
    servet_traffic *traffic;
    if (servet_traffic_create(&traffic, on->ranks, NULL) != SERVET_OK)
        return NULL;
    for (int i = 0; i < on->ranks; i++)
        for (int k = 0; k < on->ranks; k++)
            servet_traffic_add(traffic, i, k, party_of(on, i) == party_of(on, k) ? 1e6 : 1e3, NULL);
    return traffic;
}

/* Is true if each host has a core for each of its ranks; they are all this machine's. */
static bool have_cores(const scene *on)
{
    cpu_set_t set;
    bool have = sched_getaffinity(0, sizeof set, &set) == 0;
    for (int h = 0; h < COMM_HOSTS; h++) {
        int ranks = 0;
        for (int i = 0; i < on->ranks; i++)
            ranks += on->hosts[i] == h;
        have = have && ranks <= CPU_COUNT(&set);
    }
    return have;
}

static void test_traffic(scene *on)
{
    MPI_Comm ordered;
    servet_traffic *traffic = on->rank == 0 ? make_traffic(on) : NULL;
    int code = servet_comm_reorder(MPI_COMM_WORLD, traffic, &ordered);
    servet_traffic_destroy(traffic);
    if (!have_cores(on)) {
        ok(on, code == SERVET_EARGUMENT && ordered == MPI_COMM_NULL, "more ranks than cores");
        return;
    }
    int rank, *hosts = malloc((size_t)on->ranks * sizeof *hosts);
    bool together = true;
    ok(on, code == SERVET_OK, "ranks are given an order by what they send");
    MPI_Comm_rank(ordered, &rank);
    MPI_Allgather(&on->host, 1, MPI_INT, hosts, 1, MPI_INT, ordered);
    for (int i = 1; i < on->ranks; i++)
        if (party_of(on, i) == party_of(on, i - 1))
            together = together && hosts[i] == hosts[i - 1];
    ok(on, together, "those that send each other much are on one host");
    MPI_Comm_free(&ordered);
    free(hosts);
}

/* The functions that Fortran calls. */
static void test_handles(scene *on)
{
    MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), group, ordered;
    int split = servet_comm_split_layer_f(world, NULL, 3, &group, NULL);
    int reordered = servet_comm_reorder_f(world, NULL, -1, 0, NULL, 0, &ordered, NULL);
    ok(on, split == SERVET_OK && reordered == SERVET_OK, "communicators as numbers of Fortran");
    MPI_Comm made[] = {MPI_Comm_f2c(group), MPI_Comm_f2c(ordered)};
    for (int i = 0; i < 2; i++) {
        int size;
        MPI_Comm_size(made[i], &size);
        ok(on, size == on->ranks, "are those communicators");
        MPI_Comm_free(&made[i]);
    }
}

/* --- times of messages ------------------------------------------------------------------------ */

/* The time by the straight line of comm_profile(). */
static double time_in_layer(int layer, double bytes)
{
    return layer * (1e-6 + (bytes - 1) / (1e6 - 1) * (1e-3 - 1e-6));
}

/* Is true if all ranks get the times of all pairs of ranks on hosts[]. */
static bool are_times(const servet_comm_times *times, const int *hosts, int ranks)
{
    static const double sizes[] = {1, 1e3, 500000.5, 1e6};
    bool right = true;
    for (int from = 0; from < ranks; from++)
        for (int to = 0; to < ranks; to++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes && from != to; i++) {
                servet_value time;
                int layer = 1,
                    code = servet_comm_message_time(times, from, to, sizes[i], &time, NULL);
                while (!joined(layer, hosts[from], hosts[to]))
                    layer++;
                right = right && code == SERVET_OK &&
                        fabs(time.value / time_in_layer(layer, sizes[i]) - 1) < 1e-12 &&
                        (time.trusted || hosts[from] == hosts[to]);
            }
    return right;
}

static void test_times(scene *on)
{
    servet_comm_times *times;
    servet_value time = {.value = 7};
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_comm_times_create(MPI_COMM_WORLD, NULL, &times, NULL);
    ok(on, code == SERVET_OK && are_times(times, on->hosts, on->ranks),
       "times of messages by rank");
    code = servet_comm_message_time(times, 0, on->ranks, 1, &time, &error);
    ok(on, code == SERVET_ERANGE && strstr(error.text, "no rank"), "a rank that there is not");
    code = servet_comm_message_time(times, 1, 1, 1, &time, NULL);
    ok(on, code == SERVET_EARGUMENT, "a message to oneself");
    code = servet_comm_message_time(times, 0, 1, -1, &time, NULL);
    ok(on, code == SERVET_EARGUMENT && time.value == 7, "less than no bytes");
    servet_comm_times_destroy(times);
    servet_comm_times_destroy(NULL);
}

/* Ranks count as in their communicator, which need not stay. */
static void test_times_of_part(scene *on)
{
    MPI_Comm part;
    servet_comm_times *times;
    int size, *hosts = malloc((size_t)on->ranks * sizeof *hosts);
    MPI_Comm_split(MPI_COMM_WORLD, on->rank % 2, -on->rank, &part);
    MPI_Comm_size(part, &size);
    MPI_Allgather(&on->host, 1, MPI_INT, hosts, 1, MPI_INT, part);
    int code = servet_comm_times_create_f(MPI_Comm_c2f(part), NULL, &times, NULL);
    MPI_Comm_free(&part);
    ok(on, code == SERVET_OK && are_times(times, hosts, size), "and of a part in another order");
    servet_comm_times_destroy(times);
    free(hosts);
}

/* The core of a rank: the first one, or the two first ones in turn on each host. */
static int core_of(const scene *on, int rank, bool in_turn)
{
    int before = 0;
    for (int i = 0; i < rank; i++)
        before += on->hosts[i] == on->hosts[rank];
    return in_turn ? before % 2 : 0;
}

/* Binds all ranks to these cores. False, on all, where one of them is refused. */
static bool bind_all(const scene *on, bool in_turn)
{
    int core = core_of(on, on->rank, in_turn);
    int bound = servet_bind_thread(&core, 1, NULL) == SERVET_OK;
    MPI_Allreduce(MPI_IN_PLACE, &bound, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return bound;
}

/* Is true if ranks on one core take turns there, and others of a host are in its second layer. */
static bool are_bound_times(const scene *on, const servet_profile *profile, bool in_turn)
{
    servet_comm_times *times;
    bool right = servet_comm_times_create(MPI_COMM_WORLD, profile, &times, NULL) == SERVET_OK;
    for (int other = 0; other < on->ranks && right; other++) {
        servet_value time;
        bool one_core = core_of(on, on->rank, in_turn) == core_of(on, other, in_turn);
        if (other == on->rank || on->hosts[other] != on->host)
            continue;
        right = servet_comm_message_time(times, on->rank, other, 1, &time, NULL) == SERVET_OK &&
                fabs(time.value / time_in_layer(one_core ? 1 : 2, 1) - 1) < 1e-12 &&
                time.trusted == !one_core;
    }
    servet_comm_times_destroy(times);
    return right;
}

/* Ranks that may run on cores of both groups of a host, which nobody knows the layer of. */
static bool are_loose_times(const scene *on, const servet_profile *profile)
{
    servet_comm_times *times;
    bool right = servet_comm_times_create(MPI_COMM_WORLD, profile, &times, NULL) == SERVET_OK;
    for (int other = 0; other < on->ranks && right; other++) {
        servet_value time;
        if (other != on->rank)
            right = servet_comm_message_time(times, on->rank, other, 1, &time, NULL) == SERVET_OK &&
                    time.trusted == (on->hosts[other] != on->host);
    }
    servet_comm_times_destroy(times);
    return right;
}

static void test_binding(scene *on, const char *const names[COMM_HOSTS])
{
    static const comm_layer layers[] = {
        {false, {"0:0", "0:1-1023", "1:0", "1:1-1023", "2:0", "2:1-1023"}},
        {false, {"0:0-1023", "1:0-1023", "2:0-1023"}},
        {true, {"0-2:0-1023"}},
    };
    servet_profile *profile =
        on->rank == 0 ? comm_profile(names, COMM_HOSTS, 1024, layers, 3) : NULL;
    if (bind_all(on, false))
        ok(on, are_bound_times(on, profile, false), "times of ranks on one core");
    if (bind_all(on, true)) {
        ok(on, are_bound_times(on, profile, true), "times of ranks on two cores");
        (void)servet_bind_thread((int[]){0, 1}, 2, NULL);
        ok(on, are_loose_times(on, profile), "times of ranks that may run on both");
    }
    servet_profile_close(profile);
}

/* --- failures --------------------------------------------------------------------------------- */

/* All ranks have the same code and no communicator. */
static bool failed_so(int code, int expected, MPI_Comm comm)
{
    return code == expected && comm == MPI_COMM_NULL;
}

static void test_failures(scene *on, const char *const names[COMM_HOSTS])
{
    MPI_Comm comm;
    servet_error error = SERVET_ERROR_INIT;
    const char *strangers[COMM_HOSTS] = {"nobody", names[1], "noone"};
    servet_profile *other = on->rank == 0 ? comm_three_hosts(strangers) : NULL;

    int code = servet_comm_split_layer(MPI_COMM_WORLD, 4, &comm);
    ok(on, failed_so(code, SERVET_ERANGE, comm), "a layer that there is not");
    code = servet_comm_split_layer_by(MPI_COMM_WORLD, other, 2, &comm, &error);
    ok(on, failed_so(code, SERVET_ENOTFOUND, comm), "a host that no group lists");
    ok(on, strstr(error.text, "rank 0 is on ") != NULL, "all ranks get the name");
    servet_profile_close(other);

    servet_traffic *traffic = NULL;
    if (on->rank == 0)
        servet_traffic_create(&traffic, on->ranks + 1, NULL);
    code = servet_comm_reorder(MPI_COMM_WORLD, traffic, &comm);
    ok(on, failed_so(code, SERVET_EARGUMENT, comm), "messages of another number of processes");
    servet_traffic_destroy(traffic);

    setenv("SERVET_PROFILE", "nowhere.json", 1);
    error = (servet_error)SERVET_ERROR_INIT;
    code = servet_comm_reorder_by(MPI_COMM_WORLD, NULL, NULL, &comm, &error);
    ok(on, failed_so(code, SERVET_ENOTFOUND, comm), "no profile");
    ok(on, strcmp(error.file, "nowhere.json") == 0, "all ranks get the file");
}

/* --- the job ---------------------------------------------------------------------------------- */

static int host_number(const char *const names[COMM_HOSTS])
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    for (int i = 0; i < COMM_HOSTS; i++)
        if (strcmp(own, names[i]) == 0)
            return i;
    return -1;
}

static void set_scene(scene *on, const char *const names[COMM_HOSTS])
{
    MPI_Comm_rank(MPI_COMM_WORLD, &on->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &on->ranks);
    on->host = host_number(names);
    on->hosts = malloc((size_t)on->ranks * sizeof *on->hosts);
    MPI_Allgather(&on->host, 1, MPI_INT, on->hosts, 1, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    if (argc != 1 + COMM_HOSTS)
        return 2;
    scene on = {.number = 0};
    const char *names[COMM_HOSTS];
    for (int i = 0; i < COMM_HOSTS; i++)
        names[i] = strtok(argv[1 + i], ":");
    MPI_Init(NULL, NULL);
    set_scene(&on, names);
    test_split(&on);
    test_part(&on);
    test_reorder(&on);
    test_traffic(&on);
    test_handles(&on);
    test_times(&on);
    test_times_of_part(&on);
    test_binding(&on, names);
    test_failures(&on, names);
    if (on.rank == 0)
        printf("1..%d\n", on.number);
    free(on.hosts);
    MPI_Finalize();
    return on.failed != 0;
}
