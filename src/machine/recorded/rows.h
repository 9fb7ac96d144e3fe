/* SPDX-License-Identifier: BSD-3-Clause */
/** Members of the structs of the machine interface, for lines of probes and answers. */
#ifndef SRV_MACHINE_RECORDED_ROWS_H
#define SRV_MACHINE_RECORDED_ROWS_H

#include "machine/machine.h"
#include "machine/network.h"
#include "machine/recorded/entry.h"

/** The options of a measurement that determine its probes and the meaning of the answers. */
typedef struct srv_recorded_run {
    char version[SERVET_NAME_MAX], started[SERVET_NAME_MAX]; /**< as in servet_run */
    char command[SERVET_TEXT_MAX];
    double min_bytes, max_bytes, budget_seconds, sharing_ratio;
    int pages, approach, only, votes;
    long long seed;
    bool progress; /**< was shown, for which the clock was read */
} srv_recorded_run;

/** The same of a measurement of the network. */
typedef struct srv_recorded_job {
    char version[SERVET_NAME_MAX], started[SERVET_NAME_MAX]; /**< as in servet_run */
    char command[SERVET_TEXT_MAX];
    double layer_bytes, message_bytes, budget_seconds;
    int only, nodes;
    int buffers;   /**< of all messages; -1: what each benchmark takes */
    bool progress; /**< was shown, for which the clock was read */
} srv_recorded_job;

/** "Spin on this core." */
typedef struct srv_glance {
    int core;
    double seconds;
} srv_glance;

/** A probe about evictions; which elements take part is known by a hash. */
typedef struct srv_evicted_by {
    srv_eviction eviction;
    uint64_t hash;
} srv_evicted_by;

/** The probe with its hash. */
srv_evicted_by srv_eviction_hashed(const srv_eviction *eviction);

/** A probe and the room for its answer. */
typedef struct srv_entry {
    srv_recorded_probe probe;
    srv_answer answer;
} srv_entry;

/** Each probe of srv_machine_ops, and that for the run, with its parameters. */
srv_entry srv_entry_run(srv_recorded_run *run);
srv_entry srv_entry_describe(servet_machine *description);
srv_entry srv_entry_core_types(srv_core_type types[SRV_CORE_TYPES_MAX], int *count);
srv_entry srv_entry_reported(const int *core, srv_reported *reported);
srv_entry srv_entry_clock(srv_clock_facts *facts);
srv_entry srv_entry_memory(double *bytes);
srv_entry srv_entry_noise(const srv_glance *glance, srv_noise *noise);
srv_entry srv_entry_absence(srv_absence *absence);
srv_entry srv_entry_traverse(const srv_traversal *traversals, int count, srv_timing *timings);
srv_entry srv_entry_stream(const srv_stream *streams, int count, srv_spread *rates);
srv_entry srv_entry_line_transfer(const srv_line_transfer *transfers, int count,
                                  srv_timing *timings);
srv_entry srv_entry_false_sharing(const srv_false_sharing *false_sharing, srv_timing *timing);
srv_entry srv_entry_evict(const srv_evicted_by *probe, float *ns);
srv_entry srv_entry_nodes(srv_numa numas[SRV_NUMA_MAX], int *count);

/** Constant parts of the record of a network; node `number` counts from 0. */
srv_entry srv_entry_job(srv_recorded_job *job);
srv_entry srv_entry_node(const int *number, srv_network_node *node);

/** `sets->set` has room for sets->count sets. */
srv_entry srv_entry_objects(srv_sets *sets);

#endif
