/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/ranks/launcher.h"
#include "machine/ranks/preside.h"
#include "machine/ranks/start.h"

/* --- the network, as the asking thread sees it --------------------------------------------------
 */

static srv_office *office_of(srv_network *network)
{
    return (srv_office *)network;
}

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    (void)error;
    const srv_roster *roster = &office_of(network)->roster;
    *ranks = roster->rank;
    *rank_count = roster->rank_count;
    *nodes = roster->node;
    *node_count = roster->node_count;
    return SERVET_OK;
}

static int pass(srv_network *network, const srv_passage *passage, srv_spread *times,
                servet_error *error)
{
    srv_office *office = office_of(network);
    srv_desk *desk = &office->desk;
    srv_plan plan;
    if (desk->broken)
        return srv_desk_ask(desk, SRV_REQUEST_PASS, &office->roster, error);
    int code = srv_plan_init(&plan, passage, office->roster.rank_count, error);
    if (code != SERVET_OK)
        return code;
    double *samples =
        malloc((size_t)passage->count * SRV_PASSAGE_SAMPLES_MAX * sizeof *desk->samples);
    desk->plan = plan;
    desk->samples = samples;
    code = samples ? srv_desk_ask(desk, SRV_REQUEST_PASS, &office->roster, error)
                   : srv_fail_memory(error);
    if (desk->broken)
        return code; /* the main thread still holds what lies on the desk */
    if (code == SERVET_OK)
        srv_plan_times(samples, passage->flow, passage->count, plan.part[plan.member[0]].samples,
                       times);
    free(samples);
    srv_plan_finish(&plan);
    return code;
}

/* As with the nodes below, the desk has its own copies. */
static int lay_out_noise(srv_desk *desk, const int *ranks, int count, double seconds,
                         int rank_count, servet_error *error)
{
    desk->looking = malloc((size_t)count * sizeof *desk->looking);
    desk->noises = calloc((size_t)rank_count, sizeof *desk->noises);
    if (!desk->looking || !desk->noises) {
        free(desk->looking);
        free(desk->noises);
        return srv_fail_memory(error);
    }
    memcpy(desk->looking, ranks, (size_t)count * sizeof *ranks);
    desk->looking_count = count;
    desk->look_seconds = seconds;
    return SERVET_OK;
}

static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_noise *noises, servet_error *error)
{
    srv_office *office = office_of(network);
    srv_desk *desk = &office->desk;
    int rank_count = office->roster.rank_count;
    int code =
        desk->broken ? SERVET_OK : lay_out_noise(desk, ranks, count, seconds, rank_count, error);
    if (code != SERVET_OK)
        return code;
    code = srv_desk_ask(desk, SRV_REQUEST_NOISE, &office->roster, error);
    if (desk->broken)
        return code;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        noises[ranks[i]] = desk->noises[ranks[i]];
    free(desk->looking);
    free(desk->noises);
    return code;
}

/* The desk's own copies: the main thread may still use them when nobody waits for it any more. */
static int lay_out_nodes(srv_desk *desk, const srv_survey *survey, int count, servet_error *error)
{
    desk->options = *survey->options;
    desk->survey = *survey;
    desk->survey.options = &desk->options;
    desk->known = calloc((size_t)count, sizeof *desk->known);
    desk->errors = calloc((size_t)count, sizeof *desk->errors);
    if (!desk->known || !desk->errors) {
        free(desk->known);
        free(desk->errors);
        return srv_fail_memory(error);
    }
    for (int i = 0; survey->known && i < count; i++)
        desk->known[i] = survey->known[i];
    return SERVET_OK;
}

static int measure_nodes(srv_network *network, const srv_survey *survey, servet_error *errors,
                         servet_error *error)
{
    srv_office *office = office_of(network);
    srv_desk *desk = &office->desk;
    size_t n = (size_t)office->roster.node_count;
    memset(errors, 0, n * sizeof *errors);
    int code = desk->broken ? SERVET_OK : lay_out_nodes(desk, survey, (int)n, error);
    if (code == SERVET_OK)
        code = srv_desk_ask(desk, SRV_REQUEST_NODES, &office->roster, error);
    if (desk->broken)
        return code;
    if (code == SERVET_OK)
        memcpy(errors, desk->errors, n * sizeof *errors);
    free(desk->known);
    free(desk->errors);
    return code;
}

static double elapsed(srv_network *network)
{
    return 1e-9 * (srv_clock_raw_ns() - office_of(network)->created_ns);
}

static void destroy(srv_network *network)
{
    srv_office *office = office_of(network);
    srv_desk_ask(&office->desk, SRV_REQUEST_HOME, &office->roster, NULL);
}

int srv_ranks_renumber(srv_network *network, const int *number, servet_error *error)
{
    return srv_roster_renumber(&office_of(network)->roster, number, error);
}

static const srv_network_ops ops = {
    .describe = describe,
    .pass = pass,
    .noise = noise,
    .measure_nodes = measure_nodes,
    .elapsed = elapsed,
    .destroy = destroy,
};

/* --- two threads --------------------------------------------------------------------------------
 */

typedef struct asking {
    srv_ranks_ask *ask;
    srv_ranks_stop *stop;
    void *context;
    srv_office *office;
    int status;
} asking;

/* The launcher may be out of reach, too. */
enum { ABORT_SECONDS = 10 };

/*
 * MPI is to be called from the main thread, but that one is lost within it: all implementations can
 * abort all the same.
 */
static void abort_job(int status)
{
    fflush(NULL);
    srv_launcher_see_end();
    alarm(ABORT_SECONDS);
    MPI_Abort(MPI_COMM_WORLD, status ? status : 1);
}

/* It thinks where there is room, not where rank 0 sends. */
static void *run_asking(void *argument)
{
    asking *self = argument;
    srv_seat_leave(&self->office->member->topology);
    self->status = self->ask(self->context, &self->office->network);
    if (self->office->desk.broken)
        abort_job(self->status);
    srv_network_destroy(&self->office->network);
    return NULL;
}

/* Somebody has to send the others home, with or without a thread that asks. */
static int ask_and_preside(srv_office *office, asking *self, servet_error *error)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_asking, self) != 0) {
        office->desk.request = SRV_REQUEST_HOME;
        srv_preside(office);
        return srv_fail(error, SERVET_EMACHINE, "no thread to be had");
    }
    srv_preside(office);
    pthread_join(thread, NULL);
    return SERVET_OK;
}

/* --- the job ------------------------------------------------------------------------------------
 */

/* What a rank reports when it has tried to take its seat. */
typedef struct arrival {
    srv_seat seat;
    int code;
    char text[SERVET_ERROR_TEXT_MAX];
} arrival;

static int check_arrivals(const arrival *arrivals, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (arrivals[i].code != SERVET_OK)
            return srv_fail(error, arrivals[i].code, "rank %d on %s: %.150s", i,
                            arrivals[i].seat.host, arrivals[i].text);
    return SERVET_OK;
}

/* The profile, and whoever places ranks by it, tells nodes apart by their names. */
static int check_names(const srv_roster *roster, servet_error *error)
{
    for (int i = 0; i < roster->node_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(roster->node[i].name, roster->node[k].name) == 0)
                return srv_fail(error, SERVET_EMACHINE,
                                "several nodes call themselves '%s': give each host a name of its "
                                "own, or let the MPI library share memory within a host",
                                roster->node[i].name);
    return SERVET_OK;
}

static int fill_roster(srv_roster *roster, const arrival *arrivals, int count, servet_error *error)
{
    int code = check_arrivals(arrivals, count, error);
    srv_seat *seats = code == SERVET_OK ? malloc((size_t)count * sizeof *seats) : NULL;
    if (!seats)
        return code == SERVET_OK ? srv_fail_memory(error) : code;
    for (int i = 0; i < count; i++)
        seats[i] = arrivals[i].seat;
    code = srv_roster_init(roster, seats, count, error);
    free(seats);
    return code == SERVET_OK ? check_names(roster, error) : code;
}

/* All ranks together: whether every one has its seat; rank 0 opens its office. */
static int gather(const srv_member *member, int own_code, srv_office *office, servet_error *error)
{
    arrival own = {.seat = member->seat, .code = own_code}, *arrivals = NULL;
    snprintf(own.text, sizeof own.text, "%s", error->text);
    int fine = 1, code = SERVET_OK;
    if (member->rank == 0) {
        arrivals = malloc((size_t)member->rank_count * sizeof *arrivals);
        fine = arrivals != NULL;
    }
    MPI_Bcast(&fine, 1, MPI_INT, 0, member->comm);
    if (!fine)
        return member->rank == 0 ? srv_fail_memory(error) : SERVET_EMEMORY;
    MPI_Gather(&own, sizeof own, MPI_BYTE, arrivals, sizeof own, MPI_BYTE, 0, member->comm);
    if (member->rank == 0) {
        *error = (servet_error)SERVET_ERROR_INIT;
        code = fill_roster(&office->roster, arrivals, member->rank_count, error);
        if (code == SERVET_OK)
            code = srv_desk_init(&office->desk, member->rank_count, error);
    }
    free(arrivals);
    MPI_Bcast(&code, 1, MPI_INT, 0, member->comm);
    return code;
}

/* Rank 0, with everybody seated. */
static int run_office(srv_office *office, asking *self, servet_error *error)
{
    self->office = office;
    office->desk.stop = self->stop;
    int code = ask_and_preside(office, self, error);
    srv_desk_finish(&office->desk);
    return code;
}

static int run_member(srv_member *member, asking *self, servet_error *error)
{
    srv_office office = {.network = {&ops}, .member = member, .created_ns = srv_clock_raw_ns()};
    servet_error own = SERVET_ERROR_INIT;
    int code = gather(member, srv_member_init(member, &own), &office, &own);
    if (code == SERVET_OK)
        srv_member_look_around(member);
    if (code == SERVET_OK && member->rank == 0)
        code = run_office(&office, self, &own);
    else if (code == SERVET_OK)
        srv_member_serve(member);
    srv_roster_finish(&office.roster);
    if (code != SERVET_OK && member->rank == 0)
        return srv_fail(error, code, "%s", own.text);
    return SERVET_OK;
}

/*
 * What is timed is what programs without threads get. Asked for MPI_THREAD_FUNNELED, Open MPI 4.1
 * takes 45 ns more for each small message (0.29 for 0.24 us within a host), for locks that nobody
 * here needs: our other threads never enter MPI.
 */
int srv_ranks_run(srv_ranks_ask *ask, srv_ranks_stop *stop, void *context, int *status,
                  servet_error *error)
{
    srv_member member;
    asking self = {.ask = ask, .stop = stop, .context = context};
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = srv_start_check(MPI_COMM_WORLD, error);
    if (code == SERVET_OK) {
        code = run_member(&member, &self, error);
        srv_member_finish(&member);
    }
    *status = self.status;
    MPI_Finalize();
    return rank == 0 ? code : SERVET_OK;
}
