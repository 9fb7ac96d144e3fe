/* SPDX-License-Identifier: BSD-3-Clause */
/** The traffic of a program in the form that the mapping uses. */
#ifndef SRV_MAP_TRAFFIC_TRAFFIC_H
#define SRV_MAP_TRAFFIC_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "servet/traffic.h"

/** Bytes from one rank to another; several items of a pair in a phase are summed. */
typedef struct srv_dispatch {
    int from, to;
    double bytes;
    int phase;
} srv_dispatch;

struct servet_traffic {
    int processes;
    bool uniform; /**< each rank sends `each` bytes to each other one, and there are no items */
    double each;
    srv_dispatch *items; /**< phase after phase */
    size_t count;
    int phase; /**< of further items */
};

#endif
