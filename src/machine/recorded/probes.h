/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The table of probes: the word of each on record, and the items of its request and its answer.
 * From them follow the recorder, the replay, and the lines of a recording:
 *
 *     noise 1 0 0.1 = 1 0.0123 nan 0.002 3.69
 *
 * is the word, the number of structs of the request and their items, then the same for the answer.
 * If the probe failed, its code stands instead of an answer: "! SERVET_EUNSUPPORTED". A new probe
 * is a row here and, of a machine, in machine/machine.h; of a network, a function in network.c.
 */
#ifndef SRV_MACHINE_RECORDED_PROBES_H
#define SRV_MACHINE_RECORDED_PROBES_H

#include "machine/network.h"
#include "machine/recorded/items.h"
#include "machine/recorded/recorded.h"

#define SRV_PROBE_KIND_(KIND, name, request, answer) SRV_PROBE_##KIND,
/** The operations of srv_machine_ops and srv_network_ops, and constant parts of a recording. */
typedef enum srv_probe_kind {
    SRV_PROBE_RUN,
    SRV_PROBE_DESCRIBE,
    SRV_PROBE_CORE_TYPES,
    SRV_PROBE_REPORTED,
    SRV_PROBE_CLOCK,
    SRV_PROBE_NUMA,
    SRV_PROBE_OBJECTS,
    SRV_PROBE_MEMORY,
    SRV_PROBE_NOISE,
    SRV_PROBE_ABSENCE,
    SRV_PROBES_AT_ONCE(SRV_PROBE_KIND_) SRV_PROBES_ALONE(SRV_PROBE_KIND_) SRV_PROBE_EVICT,
    SRV_PROBE_JOB,
    SRV_PROBE_HOSTS,
    SRV_PROBE_RANKS,
    SRV_PROBE_EXCHANGE,
    SRV_PROBE_RANK_NOISE,
    SRV_PROBE_COUNT
} srv_probe_kind;

/** The place of the answers. */
typedef enum srv_probe_kept {
    SRV_KEPT_PART,  /**< with the part of the measurement, each to be given once */
    SRV_KEPT_FIXED, /**< once for the whole measurement */
    SRV_KEPT_BOTH,  /**< the last one serves where the part has none */
} srv_probe_kept;

typedef struct srv_probe_row {
    const char *word;
    srv_items request, answer;
    srv_probe_kept kept;
    /** answer to what is not on record; NULL: SERVET_EUNMEASURED */
    const void *unknown;
} srv_probe_row;

/** The row of each kind. */
extern const srv_probe_row srv_probes[SRV_PROBE_COUNT];

/** "Spin on this core." */
typedef struct srv_glance {
    int core;
    double seconds;
} srv_glance;

/** "Spin on the cores of these ranks." */
typedef struct srv_rank_glance {
    double seconds;
    const int *ranks;
    int count;
} srv_rank_glance;

/** A request about evictions; a hash stands for the elements that take part. */
typedef struct srv_hashed_eviction {
    srv_eviction eviction;
    uint64_t hash;
} srv_hashed_eviction;

/** The request with its hash. */
srv_hashed_eviction srv_eviction_hashed(const srv_eviction *eviction);

/** A probe with its request, and the answer or the room for it. */
typedef struct srv_call {
    srv_probe_kind kind;
    const void *request; /**< `requests` structs */
    int requests;
    void *answer; /**< room for `most` structs */
    int most;
    int *count;  /**< structs of the answer; NULL: always `most` */
    void **list; /**< instead of `answer`: any number of structs, which reading allocates */
} srv_call;

/** The line of a request up to its answer, which the caller frees; loosely: "*" stands for what
 * distinguishes samples of the same. NULL without memory. */
char *srv_call_text(const srv_call *call, bool loosely);

/** " = " with the answer or, if `status` is an error, " ! " with its name; else as above. */
char *srv_answer_text(const srv_call *call, int status);

/** True if the line begins with this request; `*answer` is what follows then. */
bool srv_call_matches(const char *line, const char *request, const char **answer);

/**
 * Reads what follows the request in a line. A list is the caller's to free, and its count correct,
 * also after a failure. Errors: SERVET_EFORMAT; that of a refusal, which is not explained;
 * SERVET_EMEMORY.
 */
int srv_answer_read(const char *text, const srv_call *call);

#endif
