/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What rank 0 and the others tell each other. All processes of a job are the same program: structs
 * go as they are.
 */
#ifndef SRV_RANKS_WIRE_H
#define SRV_RANKS_WIRE_H

#include <mpi.h>

#include "machine/machine.h"
#include "machine/ranks/plan.h"

typedef enum srv_tag {
    SRV_TAG_ORDER,   /**< a srv_wire_order, from rank 0 */
    SRV_TAG_REPLY,   /**< a srv_reply, to rank 0 */
    SRV_TAG_START,   /**< empty, up and down the tree */
    SRV_TAG_MESSAGE, /**< what is timed */
    SRV_TAG_NODE,    /**< a srv_node_order, then the answer's profile as text */
} srv_tag;

typedef enum srv_order_kind {
    SRV_ORDER_HOME,    /**< no reply */
    SRV_ORDER_ANSWER,  /**< nothing but the reply */
    SRV_ORDER_PREPARE, /**< a part's memory */
    SRV_ORDER_WARM_UP, /**< reply: `seconds` of a message */
    SRV_ORDER_SAMPLE,  /**< reply: `seconds` of a message, and `samples` */
    SRV_ORDER_NOISE,   /**< reply: `noise` of so many seconds */
    SRV_ORDER_NODE,    /**< a srv_node_order follows; reply: `text_bytes`, then the text */
} srv_order_kind;

typedef struct srv_wire_order {
    srv_order_kind kind;
    srv_part part;
    double seconds;
} srv_wire_order;

typedef struct srv_reply {
    int code; /**< SERVET_OK, or why not */
    char text[SERVET_ERROR_TEXT_MAX];
    double seconds;
    double samples[SRV_PASSAGE_SAMPLES_MAX]; /**< seconds of a message */
    srv_noise noise;
    int text_bytes;
    bool at_work; /**< no answer yet: a sign of life from a node that is being measured */
} srv_reply;

/** The options of a node's measurement, with the texts that their pointers mean. */
typedef struct srv_node_order {
    servet_measure_options options;
    bool has_machine, has_progress;
    char command[SERVET_TEXT_MAX], machine[SERVET_ERROR_FILE_MAX], progress[SERVET_ERROR_FILE_MAX];
} srv_node_order;

/** Sends `bytes` bytes that are not timed. */
void srv_wire_send(MPI_Comm comm, const void *data, size_t bytes, int to, srv_tag tag);

/**
 * Receives what is not timed, and returns who sent it (`from` may be MPI_ANY_SOURCE). Who waits
 * sleeps: waiting within MPI spins, which takes the core from another rank or thread, and power
 * from the whole package.
 */
int srv_wire_receive(MPI_Comm comm, void *data, size_t bytes, int from, srv_tag tag);

/** Whether a message has arrived, from whomever; sleeps `seconds` at most until one has. */
bool srv_wire_arrived(MPI_Comm comm, srv_tag tag, double seconds);

#endif
