/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host beneath a rank of servet-mpi under SimGrid's SMPI, in place of the files in
 * ranks_host_sources: name, cores, clock and pauses are those of the simulated platform. Nothing
 * disturbs it. All ranks take turns in one thread, so that the client of rank 0 has none of its
 * own, and nobody polls.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <smpi/smpi_helpers_internal.h>

#include "machine/hardware/clock.h"
#include "machine/hardware/core_noise.h"
#include "machine/ranks/client.h"
#include "machine/ranks/control.h"
#include "machine/ranks/coordinator.h"
#include "machine/ranks/message_memory.h"
#include "machine/ranks/rank_location.h"
#include "machine/ranks/rank_watch.h"

/* --- the clock -------------------------------------------------------------------------------- */

static uint64_t simulated_ns(void)
{
    return (uint64_t)llround(1e9 * MPI_Wtime());
}

double srv_clock_raw_ns(void)
{
    return (double)simulated_ns();
}

int srv_clock_init(srv_clock *clock, servet_error *error)
{
    (void)error;
    *clock = (srv_clock){"simulated", simulated_ns, 1, 0, 1};
    return SERVET_OK;
}

static void pause_for(double seconds)
{
    double whole = floor(seconds);
    struct timespec time = {(time_t)whole, (long)(1e9 * (seconds - whole))};
    smpi_nanosleep(&time, NULL);
}

/* --- the core --------------------------------------------------------------------------------- */

/* Ranks of a host have the cores 0, 1, 2 ... in their order. */
int srv_rank_location_find(MPI_Comm comm, srv_topology *topology, srv_rank_location *location,
                           servet_error *error)
{
    int rank;
    MPI_Comm host;
    (void)error;
    *topology = (srv_topology){0};
    srv_rank_location_identify(location);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &location->peers);
    MPI_Comm_rank(host, &location->core);
    location->leader = rank;
    MPI_Bcast(&location->leader, 1, MPI_INT, 0, host);
    MPI_Comm_free(&host);
    return SERVET_OK;
}

void srv_rank_location_identify(srv_rank_location *location)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "?";
    int length;
    *location = (srv_rank_location){.host = ""};
    MPI_Get_processor_name(name, &length);
    snprintf(location->host, sizeof location->host, "%.63s", name);
    memcpy(location->boot, location->host, sizeof location->boot);
}

int srv_rank_bind(srv_topology *topology, const srv_rank_location *location, servet_error *error)
{
    (void)topology, (void)location, (void)error;
    return SERVET_OK;
}

void srv_rank_unbind(srv_topology *topology)
{
    (void)topology;
}

bool srv_rank_is_bound(const srv_topology *topology, const srv_rank_location *location)
{
    (void)topology, (void)location;
    return true;
}

/* No cache makes a simulated message faster. */
size_t srv_rank_rotated_bytes(srv_topology *topology, const srv_rank_location *location)
{
    (void)topology, (void)location;
    return 0;
}

void srv_core_noise_measure(const srv_clock *clock, int core, double seconds, srv_stolen *before,
                            srv_noise *noise)
{
    (void)clock, (void)core, (void)before;
    pause_for(seconds);
    *noise = (srv_noise){.lost = 0, .steal = NAN, .others = NAN, .ghz = 1};
}

srv_rank_watch srv_rank_watch_begin(void)
{
    return (srv_rank_watch){.sleeps = false};
}

srv_rank_spell srv_rank_spell_begin(void)
{
    return (srv_rank_spell){.waited_ns = 0};
}

void srv_rank_watch_warm_up(srv_rank_watch *watch, const srv_rank_spell *spell)
{
    (void)watch, (void)spell;
}

void srv_rank_watch_sample(srv_rank_watch *watch, const srv_rank_spell *spell, bool moved)
{
    (void)watch, (void)spell, (void)moved;
}

srv_absence srv_rank_watch_take(srv_rank_watch *watch, srv_rank_use *use)
{
    (void)watch;
    *use = (srv_rank_use){.busy = NAN};
    return SRV_ABSENCE_UNKNOWN;
}

/* --- messages --------------------------------------------------------------------------------- */

/* The simulator knows this memory, and copies none of it. */
void *srv_message_memory_take(size_t bytes)
{
    return SMPI_SHARED_MALLOC(bytes);
}

void srv_message_memory_release(void *base, size_t bytes)
{
    (void)bytes;
    SMPI_SHARED_FREE(base);
}

void srv_control_send(MPI_Comm comm, const void *data, size_t bytes, int to, srv_tag tag)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, to, (int)tag, comm);
}

int srv_control_receive(MPI_Comm comm, void *data, size_t bytes, int from, srv_tag tag)
{
    MPI_Status status;
    MPI_Recv(data, (int)bytes, MPI_BYTE, from, (int)tag, comm, &status);
    return status.MPI_SOURCE;
}

bool srv_control_arrived(MPI_Comm comm, srv_tag tag, double seconds)
{
    int arrived;
    pause_for(seconds);
    MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, comm, &arrived, MPI_STATUS_IGNORE);
    return arrived;
}

/* --- the client ------------------------------------------------------------------------------- */

/* Ranks do not start at once: there is a message for each level of the tree through which they
 * start. The start is short beside this time, and in streams beside this number of short messages.
 */
static const double SAMPLE_SECONDS = 1e-3, STREAM_MESSAGES = 250;

/* The times of an exchange, which do not change when it is repeated. */
typedef struct answer {
    struct answer *next;
    srv_exchange exchange;
    srv_rank_pair *pairs;
    srv_spread *times;
} answer;

/* Operations of the network, and those of the ranks behind them. */
typedef struct quick_ops {
    srv_network_ops ops;
    const srv_network_ops *ranks;
    answer *answers;
} quick_ops;

static bool is_repeated(const answer *known, const srv_exchange *exchange)
{
    return known->exchange.count == exchange->count && known->exchange.bytes == exchange->bytes &&
           known->exchange.flow == exchange->flow && known->exchange.batch == exchange->batch &&
           memcmp(known->pairs, exchange->pairs, (size_t)exchange->count * sizeof *known->pairs) ==
               0;
}

static void *copy(const void *items, int count, size_t size)
{
    void *made = malloc((size_t)count * size);
    return made ? memcpy(made, items, (size_t)count * size) : NULL;
}

static void drop(answer *dropped)
{
    free(dropped->pairs);
    free(dropped->times);
    free(dropped);
}

/* Keeps the times of an exchange, if there is memory. */
static void keep(quick_ops *quick, const srv_exchange *exchange, const srv_spread *times)
{
    answer *made = malloc(sizeof *made);
    if (!made)
        return;
    *made = (answer){quick->answers, *exchange,
                     copy(exchange->pairs, exchange->count, sizeof *made->pairs),
                     copy(times, exchange->count, sizeof *times)};
    if (made->pairs && made->times)
        quick->answers = made;
    else
        drop(made);
}

/* Returns the time of a short message of the exchange's first pair; NaN after an error. */
static double short_message(srv_network *network, const srv_exchange *exchange, servet_error *error)
{
    const quick_ops *quick = (const quick_ops *)network->ops;
    srv_spread time = {.median = NAN};
    const srv_exchange one = {.pairs = exchange->pairs,
                              .count = 1,
                              .bytes = 1,
                              .flow = SRV_FLOW_PING_PONG,
                              .warm_bytes = 1};
    int code = quick->ranks->exchange(network, &one, &time, error);
    return code == SERVET_OK ? time.median : NAN;
}

static int exchange(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                    servet_error *error)
{
    quick_ops *quick = (quick_ops *)(uintptr_t)network->ops;
    srv_exchange once = *exchange;
    for (const answer *known = quick->answers; known; known = known->next)
        if (is_repeated(known, exchange)) {
            memcpy(times, known->times, (size_t)exchange->count * sizeof *times);
            return SERVET_OK;
        }
    once.warm_bytes = 1;
    once.seconds = srv_flow_is_collective(once.flow) ? 0 : fmin(once.seconds, SAMPLE_SECONDS);
    if (once.flow == SRV_FLOW_ONE_WAY)
        once.seconds =
            fmax(SAMPLE_SECONDS, STREAM_MESSAGES * short_message(network, exchange, error));
    int code = quick->ranks->exchange(network, &once, times, error);
    if (code == SERVET_OK)
        keep(quick, exchange, times);
    return code;
}

static void serve(void *coordinator)
{
    srv_coordinator_serve(coordinator);
}

int srv_client_run(srv_client *client, servet_error *error)
{
    srv_coordinator *coordinator = client->coordinator;
    srv_network *network = &coordinator->network;
    quick_ops quick = {*network->ops, network->ops, NULL};
    (void)error;
    quick.ops.exchange = exchange;
    network->ops = &quick.ops;
    coordinator->queue.serve = serve;
    coordinator->queue.context = coordinator;
    client->status = client->run(client->context, network);
    srv_network_destroy(network);
    while (quick.answers) {
        answer *first = quick.answers;
        quick.answers = first->next;
        drop(first);
    }
    return SERVET_OK;
}
