/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

int srv_worker_init(srv_worker *worker, srv_node_measurer *measurer, servet_error *error)
{
    *worker = (srv_worker){.stolen = SRV_STOLEN_INIT, .measurer = measurer};
    MPI_Comm_dup(MPI_COMM_WORLD, &worker->comm);
    MPI_Comm_rank(worker->comm, &worker->rank);
    MPI_Comm_size(worker->comm, &worker->rank_count);
    int code = srv_rank_location_find(worker->comm, &worker->topology, &worker->location, error);
    if (code == SERVET_OK)
        code = srv_clock_init(&worker->clock, error);
    if (code != SERVET_OK)
        return code;
    worker->watch = srv_rank_watch_begin();
    worker->timer = (srv_message_timer){
        .transport = {.comm = worker->comm},
        .clock = &worker->clock,
        .rotated_bytes = srv_rank_rotated_bytes(&worker->topology, &worker->location),
        .member = malloc((size_t)worker->rank_count * sizeof(int)),
    };
    return worker->timer.member ? SERVET_OK : srv_fail_memory(error);
}

void srv_worker_finish(srv_worker *worker)
{
    srv_message_timer_finish(&worker->timer);
    free(worker->timer.member);
    srv_topology_finish(&worker->topology);
    MPI_Comm_free(&worker->comm);
}

/* --- messages --------------------------------------------------------------------------------- */

static void set_error(srv_reply *reply, int code, const servet_error *error)
{
    reply->code = code;
    snprintf(reply->text, sizeof reply->text, "%s", error->text);
}

static void warm_up(srv_worker *worker, const srv_command *command, srv_reply *reply)
{
    srv_rank_spell spell = srv_rank_spell_begin();
    reply->seconds = srv_message_timer_warm_up(&worker->timer, &command->part);
    srv_rank_watch_warm_up(&worker->watch, &spell);
}

/* A rank that another program moved goes back for the following messages, because such a move is
 * permanent. */
static void sample(srv_worker *worker, const srv_command *command, srv_reply *reply)
{
    srv_rank_spell spell = srv_rank_spell_begin();
    reply->seconds = srv_message_timer_sample(&worker->timer, &command->part, reply->samples);
    bool moved = !srv_rank_is_bound(&worker->topology, &worker->location);
    srv_rank_watch_sample(&worker->watch, &spell, moved);
    if (moved)
        (void)srv_rank_bind(&worker->topology, &worker->location, NULL);
}

static void measure_noise(srv_worker *worker, const srv_command *command, srv_reply *reply)
{
    srv_core_noise_measure(&worker->clock, worker->location.core, command->seconds, &worker->stolen,
                           &reply->noise);
    reply->absence = srv_rank_watch_take(&worker->watch, &reply->use);
}

void srv_worker_execute(srv_worker *worker, const srv_command *command, srv_reply *reply)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_message_timer *timer = &worker->timer;
    *reply = (srv_reply){.code = SERVET_OK};
    if (command->type == SRV_COMMAND_PREPARE)
        set_error(reply, srv_message_timer_prepare(timer, &command->part, &error), &error);
    else if (command->type == SRV_COMMAND_WARM_UP)
        warm_up(worker, command, reply);
    else if (command->type == SRV_COMMAND_NOISE)
        measure_noise(worker, command, reply);
    else if (command->type == SRV_COMMAND_SAMPLE)
        sample(worker, command, reply);
}

/* --- its node --------------------------------------------------------------------------------- */

/* Folder with the node's progress; NULL: it is not visible from here. */
static const char *find_progress(const char *beginning, const char *host,
                                 char path[SERVET_ERROR_FILE_MAX])
{
    snprintf(path, SERVET_ERROR_FILE_MAX, "%s", beginning);
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    if (!slash || access(path, W_OK | X_OK) != 0)
        return NULL;
    int length = snprintf(path, SERVET_ERROR_FILE_MAX, "%s%s.json", beginning, host);
    return length < SERVET_ERROR_FILE_MAX ? path : NULL;
}

int srv_worker_measure(srv_worker *worker, const servet_measure_options *options, char **profile,
                       size_t *size, servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    servet_measure_options own = *options;
    if (!worker->measurer)
        return srv_fail(error, SERVET_EUNSUPPORTED, "this job does not measure its nodes");
    if (own.progress_file)
        own.progress_file = find_progress(own.progress_file, worker->location.host, path);
    srv_message_timer_finish(&worker->timer); /* the benchmarks want that memory */
    srv_rank_unbind(&worker->topology);
    int code = worker->measurer(&own, profile, size, error);
    int bound = srv_rank_bind(&worker->topology, &worker->location, error);
    if (code == SERVET_OK && bound != SERVET_OK) {
        free(*profile);
        return bound;
    }
    return code;
}

/* How often a node reports that it is still working. */
static const double HEARTBEAT_SECONDS = 5;

typedef struct heartbeat {
    MPI_Comm comm;
    double sent_ns;
} heartbeat;

static int send_heartbeat(void *context, const servet_progress *progress)
{
    heartbeat *on = context;
    double now = srv_clock_raw_ns();
    (void)progress;
    if (now > on->sent_ns + 1e9 * HEARTBEAT_SECONDS) {
        srv_reply reply = {.heartbeat = true};
        srv_control_send(on->comm, &reply, sizeof reply, 0, SRV_TAG_REPLY);
        on->sent_ns = now;
    }
    return 0;
}

/* The profile of the node; NULL if there is none. */
static char *measure_node(srv_worker *worker, srv_node_command *command, srv_reply *reply)
{
    servet_error error = SERVET_ERROR_INIT;
    char *profile = NULL;
    size_t size = 0;
    heartbeat beat = {worker->comm, srv_clock_raw_ns()};
    command->options.command = command->command;
    command->options.machine = command->has_machine ? command->machine : NULL;
    command->options.progress_file = command->has_progress ? command->progress : NULL;
    command->options.progress = send_heartbeat;
    command->options.context = &beat;
    int code = srv_worker_measure(worker, &command->options, &profile, &size, &error);
    set_error(reply, code, &error);
    reply->text_bytes = (int)size;
    return code == SERVET_OK ? profile : NULL;
}

static void serve_node(srv_worker *worker)
{
    srv_node_command command;
    srv_reply reply = {0};
    srv_control_receive(worker->comm, &command, sizeof command, 0, SRV_TAG_NODE);
    char *profile = measure_node(worker, &command, &reply);
    srv_control_send(worker->comm, &reply, sizeof reply, 0, SRV_TAG_REPLY);
    if (profile)
        srv_control_send(worker->comm, profile, (size_t)reply.text_bytes, 0, SRV_TAG_NODE);
    free(profile);
}

/* --- commands --------------------------------------------------------------------------------- */

/* Seconds after which rank 0 has stored the results and aborted the job, or cannot. */
enum { SIGNAL_GRACE_SECONDS = 10 };

static void on_signal(int number)
{
    (void)number;
    unsigned left = alarm(SIGNAL_GRACE_SECONDS);
    if (left > 0) /* since an earlier signal */
        alarm(left);
}

/*
 * Launchers send a signal to all ranks, but rank 0 alone stores the results. Open MPI 4.1 gives it
 * a second for that, and mostly none once another rank has ended: SIGKILL follows at once.
 */
static void outlive_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, earlier;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], NULL, &earlier);
        if (earlier.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void srv_worker_serve(srv_worker *worker)
{
    srv_command command;
    srv_reply reply;
    outlive_signals();
    for (;;) {
        srv_control_receive(worker->comm, &command, sizeof command, 0, SRV_TAG_COMMAND);
        if (command.type == SRV_COMMAND_SHUTDOWN)
            return;
        if (command.type == SRV_COMMAND_NODE) {
            serve_node(worker);
            continue;
        }
        if (srv_control_has_members(&command))
            srv_control_receive(worker->comm, worker->timer.member,
                                (size_t)command.part.members * sizeof(int), 0, SRV_TAG_COMMAND);
        srv_worker_execute(worker, &command, &reply);
        srv_control_send(worker->comm, &reply, sizeof reply, 0, SRV_TAG_REPLY);
    }
}
