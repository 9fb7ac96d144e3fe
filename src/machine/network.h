/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The network interface: the probes of a benchmark of communication. MPI ranks answer by timing, a
 * model by computing; nothing above this interface knows which.
 *
 * One process (rank 0) sends the probes; the others execute its commands and sleep in between. A
 * network belongs to one thread.
 */
#ifndef SRV_MACHINE_NETWORK_H
#define SRV_MACHINE_NETWORK_H

#include <math.h>

#include "machine/machine.h"
#include "servet/network.h"

/** Place of a process of the job. */
typedef struct srv_rank {
    /** number of its node, from 0 in the order of their first ranks, unless renumbered */
    int node;
    int core; /**< OS number of the PU that it is bound to */
} srv_rank;

/** A node of the job. */
typedef struct srv_network_node {
    char name[SERVET_NAME_MAX]; /**< host name */
    /** OS numbers of the PUs that its ranks are bound to, as ranges */
    char cores[SERVET_CORES_MAX];
    int rank_count;
    /** number of a node, the same for all that are on one machine: virtual hosts share its cores */
    int machine;
} srv_network_node;

/** Who sends to whom; ranks. */
typedef struct srv_rank_pair {
    int from, to;
} srv_rank_pair;

/** How messages go. */
typedef enum srv_flow {
    /**
     * one message at a time, there and back; the time of a message is half of the round trip. A
     * rank is in one pair only. With a batch: `batch` messages there, each by a blocking send and a
     * blocking receive, then the same number back; half of that, the time until the receiver has
     * the whole batch
     */
    SRV_FLOW_PING_PONG,
    /**
     * each `from` sends messages to its `to`, one after another, while it receives those that are
     * sent to it; all start together. A rank may send to one rank and receive from another: then
     * neither waits for the other
     */
    SRV_FLOW_ONE_WAY,
    /** as the first one, but all messages of a batch are in flight at once, by non-blocking sends
     * and receives that are waited for together */
    SRV_FLOW_AT_ONCE,
    /**
     * collective operations of groups of ranks: the first one, to which the servet_collective_op is
     * added. The pairs of a group follow each other, each from its first rank, the root, to one of
     * its ranks, first to the root itself. The time of a pair is that of its `to`, from the common
     * start of each operation on
     */
    SRV_FLOW_COLLECTIVE,
    SRV_FLOW_COUNT = SRV_FLOW_COLLECTIVE + SERVET_COLLECTIVE_COUNT
} srv_flow;

/** True if messages come back before the next ones go. */
static inline bool srv_flow_returns(srv_flow flow)
{
    return flow == SRV_FLOW_PING_PONG || flow == SRV_FLOW_AT_ONCE;
}

static inline bool srv_flow_is_collective(srv_flow flow)
{
    return flow >= SRV_FLOW_COLLECTIVE;
}

/** The operation of such a flow. */
static inline servet_collective_op srv_flow_op(srv_flow flow)
{
    return (servet_collective_op)(flow - SRV_FLOW_COLLECTIVE);
}

/** The number of pairs of the group that begins at pair `first`. */
int srv_group_size(const srv_rank_pair *pairs, int count, int first);

/** Messages of a batch at most. */
enum { SRV_BATCH_MAX = 256 };

/**
 * Memory that messages are sent from and received into, and the word for it. Warm is the same
 * memory again and again, which stays in the caches as far as it fits; rotated other memory for
 * each message, until no cache holds that of the first. Touched is warm, but the sender writes each
 * message before it sends it, and the receiver reads what has come, as programs do: both are in the
 * time.
 */
#define SRV_BUFFERS_LIST(X)                                                                        \
    X(SRV_BUFFERS_WARM, "warm")                                                                    \
    X(SRV_BUFFERS_ROTATED, "rotated")                                                              \
    X(SRV_BUFFERS_TOUCHED, "touched")

#define SRV_BUFFERS_ENUM_(name, text) name,
typedef enum srv_buffers { SRV_BUFFERS_LIST(SRV_BUFFERS_ENUM_) SRV_BUFFERS_COUNT } srv_buffers;
#undef SRV_BUFFERS_ENUM_

/** The buffers' word ("warm"); "?" for an invalid number. Static storage. */
const char *srv_buffers_name(srv_buffers buffers);

/** "Send messages of `bytes` bytes over these pairs at once." */
typedef struct srv_exchange {
    const srv_rank_pair *pairs;
    int count;
    double bytes;
    srv_flow flow;
    srv_buffers buffers;
    /**
     * time to spend on samples, after warming up; the number of repetitions follows from it, the
     * same for all pairs
     */
    double seconds;
    /** messages that go one way before any comes back, 1..SRV_BATCH_MAX, 0: one. One way only one
     */
    int batch;
    /** bytes to warm up with, at least one message; 0: SRV_WARM_UP_BYTES */
    double warm_bytes;
} srv_exchange;

/** Cost of warming up in bytes, or one message: enough for connections to be made and for windows
 * to open, without taking half a minute if a link is slow and busy. */
#define SRV_WARM_UP_BYTES (256 * 1024.0)

/** And no more messages than this. */
enum { SRV_WARM_UP_MAX = 32 };

static inline double srv_warm_bytes_of(const srv_exchange *exchange)
{
    return exchange->warm_bytes > 0 ? exchange->warm_bytes : SRV_WARM_UP_BYTES;
}

/** Messages of a batch of the exchange, at least 1. */
static inline int srv_batch_of(const srv_exchange *exchange)
{
    return exchange->batch > 0 ? exchange->batch : 1;
}

/**
 * Checks the pairs, of ranks below `rank_count` of which none has more to do at once than the flow
 * allows, the batch, the size, the time, and the order of groups. Errors: SERVET_EARGUMENT,
 * SERVET_EMEMORY.
 */
int srv_exchange_check(const srv_exchange *exchange, int rank_count, servet_error *error);

/** The numbers of ranks in the order of their nodes, or of the machines that these are on (NULL: of
 * nodes), then of their cores, then their own. The caller frees it. NULL: memory is short. */
int *srv_ranks_by_core(const srv_rank *ranks, int count, const srv_network_node *on_machines);

/** Fills in the cores of nodes; a list without room is cut short. Errors: SERVET_EMEMORY. */
int srv_ranks_list_cores(const srv_rank *ranks, int count, srv_network_node *nodes,
                         servet_error *error);

/** "Let the nodes measure themselves." */
typedef struct srv_survey {
    const servet_measure_options *options;
    const bool *known; /**< of each node: not to be measured; NULL: all are */
    /** Gets the profile of each node, `size` bytes of text, as soon as it is there, from the thread
     * that measures rank 0's own, never after measure_nodes() has returned. The text lives for the
     * duration of the call. */
    void (*keep)(void *context, int node, const char *profile, size_t size);
    void *context;
} srv_survey;

/** Disturbance of a rank: its core now, and its messages since the last answer. */
typedef struct srv_rank_noise {
    srv_noise core;
    /** `share` of the time of its exchanges, NaN: not known; `moved`: exchanges. Ranks of the job
     * on the same node are no other programs, and the kernel's work for messages is not foreign */
    srv_absence absence;
} srv_rank_noise;

/** The absence of a rank about which nothing is known. */
#define SRV_ABSENCE_UNKNOWN ((srv_absence){NAN, 0, NAN, 0})

typedef struct srv_network srv_network;

/** Operations of a network. Every function returns SERVET_OK or an error code. */
typedef struct srv_network_ops {
    /** All ranks and nodes of the job; owned by the network, unchanged as long as it lives. */
    int (*describe)(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error);
    /** Seconds that a message of each pair takes while all go, or a batch, in times[0..count-1].
     *  Errors: SERVET_EARGUMENT (a rank twice where it may not), SERVET_ECOMMUNICATION (a pair
     * hangs; the text names it). */
    int (*exchange)(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                    servet_error *error);
    /** Spins for `seconds` on the core of each of these ranks, all at once; noises[rank] is its
     * disturbance, and that of its messages since it was last among them. Errors:
     * SERVET_ECOMMUNICATION (a rank does not answer). */
    int (*noise)(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error);
    /** Spins on the core of rank 0 and tells nothing, so that the disturbance of messages or loads
     * is still that since noise() was last called. NULL: noise() of rank 0 does. Errors: the same.
     */
    int (*wait)(srv_network *network, double seconds, servet_error *error);
    /**
     * Lets the first rank of each node measure its node, all nodes at once. Errors of
     * single nodes go to errors[i]. options->progress_file is the beginning of a path to which each
     * node adds its name and ".json"; a node that does not see that folder keeps no progress.
     * Errors: SERVET_ECOMMUNICATION (a node hangs; the text names it), SERVET_EINTERRUPTED. NULL
     * where nodes are measured as machines.
     */
    int (*measure_nodes)(srv_network *network, const srv_survey *survey, servet_error *errors,
                         servet_error *error);
    /** Seconds since the network was created, on its own clock. */
    double (*elapsed)(srv_network *network);
    /** Names the part that the probes from here on belong to, until the next one; NULL: none, and
     * those so far are to be kept. The same name continues a part. NULL if parts are not used.
     * Errors: SERVET_EIO; SERVET_EUNMEASURED (a record has no such part). */
    int (*part)(srv_network *network, const char *name, servet_error *error);
    /** Shuts the other ranks down. */
    void (*destroy)(srv_network *network);
} srv_network_ops;

/** The common head of every implementation. */
struct srv_network {
    const srv_network_ops *ops;
};

/** Calls measure_nodes(). Errors: its own, SERVET_EUNSUPPORTED (there is none). */
int srv_network_measure_nodes(srv_network *network, const srv_survey *survey, servet_error *errors,
                              servet_error *error);

/** Calls part(), if there is one. */
int srv_network_part(srv_network *network, const char *name, servet_error *error);

/** The nodes of a network; as describe(). */
const srv_network_node *srv_network_nodes(srv_network *network, int *count);

/** Their names, which live as long as the network. The caller frees the list. NULL: memory is
 * short.
 */
const char **srv_network_node_names(const srv_network_node *nodes, int count);

/** Ends a network. NULL does nothing. */
void srv_network_destroy(srv_network *network);

#endif
