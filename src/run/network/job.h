/* SPDX-License-Identifier: BSD-3-Clause */
/** State that all parts of a network measurement share. */
#ifndef SRV_RUN_NETWORK_JOB_H
#define SRV_RUN_NETWORK_JOB_H

#include "run/course.h"
#include "run/network/options.h"
#include "sample/messaging.h"
#include "servet/analyze.h"
#include "servet/record.h"

typedef struct srv_network_job {
    srv_network *network;
    const srv_network_options *options;
    servet_profile *profile; /**< has the facts so far; NULL: none */
    const srv_rank *ranks;
    int rank_count;
    const srv_network_node *nodes;
    int node_count;
    int *of_node;     /**< ranks, those of a node after those of the one before, cores ascending */
    int *first;       /**< of the ranks of each node in of_node; node_count + 1 of them */
    const char *what; /**< is being measured, for the progress */
    double byte_within, byte_between; /**< s that a byte of a large message takes alone */
    double message_bytes;             /**< of distance and access */
    srv_slot slot;
    srv_course *course; /**< of the whole measurement */
} srv_network_job;

#define SRV_NETWORK_STAGE_(name, text, what, needs, stage, cost, ...)                              \
    srv_network_stage stage;                                                                       \
    srv_cost cost;
SRV_NETWORK_BENCHMARK_LIST(SRV_NETWORK_STAGE_)
#undef SRV_NETWORK_STAGE_

/** srv_network_job_finish() frees it, also where this fails. Errors: those of the network,
 * SERVET_EMEMORY. */
int srv_network_job_init(srv_network_job *job, srv_network *network,
                         const srv_network_options *options, servet_profile *profile,
                         servet_error *error);
void srv_network_job_finish(srv_network_job *job);

/** Ranks on a node. */
int srv_network_job_size(const srv_network_job *job, int node);

/** True if the rank at of_node[place] shares its core with the one before: only the first rank of a
 * core is measured. */
bool srv_network_job_is_twin(const srv_network_job *job, int place);

/** The part of what is being measured between two shares (0..1) of its work and of the time left.
 */
srv_network_job srv_network_job_part(const srv_network_job *job, double from, double to);

/** For benchmarks that are the whole of what is being measured, of pairs within nodes or between
 * them; `job` has to live as long. */
srv_messaging srv_network_job_messaging(srv_network_job *job, bool between_nodes);

/** srv_course_keep(). */
int srv_network_job_keep(const srv_network_job *job, servet_error *error);

/** The word for the buffers that messages were sent from: `usual` ones, unless the options name
 * others.
 */
const char *srv_network_job_buffers(const srv_network_job *job, srv_buffers usual);

/* --- facts so far ----------------------------------------------------------------------------- */

enum { SRV_NETWORK_LAYERS_MAX = 2 * SERVET_LAYERS_MAX };

/** A layer, and the ranks of its typical pair; -1: no rank is there. */
typedef struct srv_network_layer {
    servet_network_layer fact;
    srv_rank_pair pair;
} srv_network_layer;

/** The number of layers; 0 also where they were not measured. */
int srv_network_job_layers(const srv_network_job *job);

/** Layer `number`, from 1. */
srv_network_layer srv_network_job_layer(const srv_network_job *job, int number);

/**
 * Measures each layer (`number`, from 1) that has no facts in the list `path` yet, in an equal part
 * of the work. What is found is kept in between. Errors: those of `measure`, and of
 * srv_network_job_keep().
 */
int srv_network_job_each_layer(const srv_network_job *job, const char *path,
                               int (*measure)(srv_network_job *part, int number,
                                              servet_error *error),
                               servet_error *error);

/**
 * The number of each rank's group in layer `number` (from 1), from 0; -1 if it is in none. The
 * caller frees it. NULL: memory is short.
 */
int *srv_network_job_groups(const srv_network_job *job, int number);

/** True if a node is known to be slow: noise, and the places of nodes in a network, make less of a
 * difference. */
bool srv_network_is_slow(const servet_profile *profile, int node);

/** True if messages between these nodes go over a link that is known to be slow. */
bool srv_network_is_slow_way(const servet_profile *profile, int from, int to);

/* --- new facts -------------------------------------------------------------------------------- */

/** The value with the digits that the profile gets: intervals are a percent wide at best, clocks
 * tick in nanoseconds. More would be a good part of a large cluster's file. */
servet_value srv_network_rounded(servet_value value);

/** Stores what is known of the job itself, which servet_network_get() returned and the caller
 * changed. Errors: SERVET_EMEMORY. */
int srv_network_job_describe(const srv_network_job *job, const servet_network *about,
                             servet_error *error);

/** Counts, and times messages of one pair within a node and one between two. Errors: those of the
 * network. */
int srv_network_scale_find(const srv_network_job *job, srv_scale *scale, servet_error *error);

/** Takes over the number of layers once they are known. */
void srv_network_scale_learn(const srv_network_job *job, srv_scale *scale);

/**
 * Marks facts of a benchmark in the profile as not trusted if one of its witnesses was disturbed
 * meanwhile: its core was busy, it did not run, others moved it; or other programs used the memory
 * that messages within a node, or of many processes at once, go through. A layer's own values are
 * medians, and need a quarter of its ranks for that, or its typical pair. Errors: those of
 * servet_profile_distrust().
 */
int srv_network_doubt(const srv_network_job *job, const srv_benchmark *row, servet_error *error);

#endif
