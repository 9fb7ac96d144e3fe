/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The control protocol between the coordinator and the workers. All processes of a job are the same
 * program: structs are sent as they are.
 */
#ifndef SRV_RANKS_CONTROL_H
#define SRV_RANKS_CONTROL_H

#include <mpi.h>

#include "machine/machine.h"
#include "machine/ranks/exchange_plan.h"
#include "machine/ranks/rank_watch.h"

typedef enum srv_tag {
    SRV_TAG_COMMAND, /**< a srv_command, from rank 0; the ranks of a group, as int */
    SRV_TAG_REPLY,   /**< a srv_reply, to rank 0 */
    SRV_TAG_START,   /**< empty, up and down the tree */
    SRV_TAG_MESSAGE, /**< SRV_TAG_MESSAGE, a timed message */
    SRV_TAG_NODE,    /**< a srv_node_command, then the answer's profile as text */
} srv_tag;

typedef enum srv_command_type {
    SRV_COMMAND_SHUTDOWN, /**< no reply */
    SRV_COMMAND_PING,     /**< nothing but the reply */
    SRV_COMMAND_PREPARE,  /**< a part's memory */
    SRV_COMMAND_WARM_UP,  /**< reply: `seconds` of a message */
    SRV_COMMAND_SAMPLE,   /**< reply: `seconds` of a message, and `samples` */
    SRV_COMMAND_NOISE,    /**< reply: `noise` for this time, `absence` and `use` until then */
    SRV_COMMAND_NODE,     /**< a srv_node_command follows; reply: `text_bytes`, then the text */
} srv_command_type;

typedef struct srv_command {
    srv_command_type type;
    srv_exchange_part part;
    double seconds;
} srv_command;

/** True if the ranks of its group follow the command. */
static inline bool srv_control_has_members(const srv_command *command)
{
    return command->type == SRV_COMMAND_PREPARE && command->part.members > 0;
}

typedef struct srv_reply {
    int code; /**< SERVET_OK, or why not */
    char text[SERVET_ERROR_TEXT_MAX];
    double seconds;
    double samples[SRV_EXCHANGE_SAMPLES_MAX]; /**< seconds of a message */
    srv_noise noise;
    srv_absence absence; /**< all but `foreign` */
    srv_rank_use use;
    int text_bytes;
    bool heartbeat; /**< no answer yet: a heartbeat of a node that is being measured */
} srv_reply;

/** The options of a node's measurement, with the strings that they point to. */
typedef struct srv_node_command {
    servet_measure_options options;
    bool has_machine, has_progress;
    char command[SERVET_TEXT_MAX], machine[SERVET_ERROR_FILE_MAX], progress[SERVET_ERROR_FILE_MAX];
} srv_node_command;

/** Sends `bytes` bytes that are not timed. */
void srv_control_send(MPI_Comm comm, const void *data, size_t bytes, int to, srv_tag tag);

/**
 * Receives untimed data, and returns the sender (`from` may be MPI_ANY_SOURCE). The caller sleeps
 * while it waits: waiting within MPI spins, which takes the core from another rank or thread, and
 * power from the whole package.
 */
int srv_control_receive(MPI_Comm comm, void *data, size_t bytes, int from, srv_tag tag);

/** True if a message has arrived from any rank; sleeps `seconds` at most until one has. */
bool srv_control_arrived(MPI_Comm comm, srv_tag tag, double seconds);

#endif
