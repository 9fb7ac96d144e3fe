/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A profile in memory. The tables in shape.c define the contents and order of the file; reading,
 * writing, checking and freeing all follow them.
 */
#ifndef SRV_PROFILE_TYPES_H
#define SRV_PROFILE_TYPES_H

#include "core/json/shape.h"
#include "servet/identity.h"
#include "servet/network.h"
#include "servet/node.h"

enum {
    /** The format that this library writes and reads. */
    SRV_SCHEMA = 4,
    /** Limit of the core types of a class: more than any has, but few enough for a cheap check of
       overlaps. */
    SRV_PROFILE_KINDS_MAX = 64,
};

/** Bandwidth by the number of loads in flight. In this struct and the following ones, the public
 * part comes first: tables and keys use its offsets. Its counts are the lengths of the lists. */
typedef struct srv_concurrency {
    servet_concurrency fact;
    srv_list of_chains, of_threads; /**< of servet_value: to the largest number measured */
} srv_concurrency;

/** A cache level and the cores that share its instances. */
typedef struct srv_cache {
    servet_cache fact;
    srv_list groups;      /**< of char *: sets of cores as ranges */
    srv_list sharing;     /**< of servet_sharing, at most one */
    srv_list concurrency; /**< of srv_concurrency, at most one */
} srv_cache;

/** Translation with pages of one size. */
typedef struct srv_translation_facts {
    servet_translation fact;
    srv_list tlbs; /**< of servet_tlb, nearest first */
} srv_translation_facts;

/** Cores of one class that measure alike. */
typedef struct srv_core_kind {
    char name[SERVET_NAME_MAX];
    char *cores;     /**< OS numbers as ranges; owned */
    srv_list caches; /**< of srv_cache, fastest first */
    servet_value memory_latency;
    srv_list memory_concurrency;              /**< of srv_concurrency, at most one */
    srv_list translation[SERVET_PAGES_COUNT]; /**< each of srv_translation_facts, at most one */
} srv_core_kind;

/** A fact with two modes: their values, in the unit of the file (srv_field.unit), and the share of
 * the repeats in each. */
typedef struct srv_bimodal {
    char fact[SERVET_NAME_MAX]; /**< its key */
    double first, first_share, second, second_share;
} srv_bimodal;

/** A fact that was measured under noise. */
typedef struct srv_doubt {
    char fact[SERVET_NAME_MAX];   /**< see profile/trust.h */
    char reason[SERVET_TEXT_MAX]; /**< for people */
} srv_doubt;

/** A layer of distances between cores, and the sets of cores that it joins. */
typedef struct srv_distance {
    servet_distance_layer fact;
    srv_list groups; /**< of char * */
} srv_distance;

/** Bandwidth that a core alone gets from memory. */
typedef struct srv_kernels {
    servet_value bandwidth[SERVET_KERNEL_COUNT];
} srv_kernels;

/** A memory overhead level, its sets of cores, and the bandwidth of each of 1, 2, ... cores of one
 * set. */
typedef struct srv_overhead {
    servet_memory_level fact;
    srv_list groups;  /**< of char * */
    srv_list scaling; /**< of servet_value */
} srv_overhead;

/** A NUMA node, with the latency and bandwidth from its cores to the memory of each node, in the
 * order of the nodes. */
typedef struct srv_numa_node {
    int number;
    char *cores;                 /**< as ranges, "" for memory alone; owned */
    srv_list bandwidth, latency; /**< of servet_value, one for each node */
} srv_numa_node;

/** A loaded latency, and its curve. */
typedef struct srv_loaded_facts {
    servet_loaded fact;
    srv_list points; /**< of servet_loaded_point, by bandwidth */
} srv_loaded_facts;

/** An accelerator, its texts owned, its links and its caches. */
typedef struct srv_accelerator {
    char *name, *bus, *cards;
    int node;
    char *cores; /**< as ranges */
    bool uniform;
    servet_verdict verdict;
    bool trusted;
    srv_list links;  /**< of servet_accelerator_link */
    srv_list caches; /**< of servet_accelerator_cache, by `cache` */
} srv_accelerator;

/** Devices that slow each other down. */
typedef struct srv_accelerator_level {
    servet_accelerator_level fact;
    srv_list groups; /**< of char *: numbers of devices */
} srv_accelerator_level;

/** Nodes that measure alike. */
typedef struct srv_class {
    char name[SERVET_NAME_MAX];
    srv_list nodes; /**< of char *: host names */
    servet_machine machine;
    srv_list kinds;            /**< of srv_core_kind */
    srv_list coherence;        /**< of servet_coherence, at most one */
    srv_list distances;        /**< of srv_distance, fastest first */
    srv_list sync;             /**< of servet_sync, by operation, threads and layer */
    srv_list memory_bandwidth; /**< of srv_kernels, at most one */
    srv_list memory_levels;    /**< of srv_overhead, the least overhead first */
    srv_list memory_scaling;   /**< of servet_value: for each of 1, 2, ... cores of the node */
    int memory_saturation;     /**< cores; 0: not measured */
    int saturation_trust_at;   /**< position of its mark in servet_profile.trust */
    srv_list numa;             /**< of srv_numa_node */
    srv_list loaded;           /**< of srv_loaded_facts */
    srv_list peak;             /**< of servet_peak, by precision, width, cores and core */
    srv_list accelerators;     /**< of srv_accelerator */
    srv_list device_pairs;     /**< of servet_accelerator_pair */
    srv_list device_levels;    /**< of srv_accelerator_level */
    srv_list modes;            /**< of srv_bimodal: facts of the class */
    srv_list doubts;           /**< of srv_doubt: facts of the class */
} srv_class;

/** A communication layer. Lists that were not measured are not known. */
typedef struct srv_comm_layer {
    servet_network_layer fact;
    srv_list groups;      /**< of char *: sets of cores of nodes */
    srv_list curve;       /**< of servet_message, sizes ascending */
    srv_list protocols;   /**< of servet_protocol, ascending */
    srv_list together;    /**< of servet_together, ascending by size, then by messages */
    srv_list batches;     /**< of servet_batch, ascending by messages, then by size */
    srv_list aggregation; /**< of servet_aggregation, likewise */
} srv_comm_layer;

/** A degradation of the network; servet_ratios.largest is the `at` of its last ratio. */
typedef struct srv_degradation {
    servet_ratios fact;
    srv_list ratios; /**< of servet_ratio, `at` ascending from 1 */
} srv_degradation;

#define SRV_COMM_LIST_(name, type) srv_list name;
/** Communication in a job; servet_network.nodes is the length of the list. */
typedef struct srv_comm {
    servet_network fact;
    srv_list nodes;                                 /**< of char *: host names */
    srv_list slowness;                              /**< of servet_value: of each node */
    srv_list bisection;                             /**< of servet_bisection, at most one */
    srv_list layers;                                /**< of srv_comm_layer, fastest first */
    srv_list degradation[SERVET_DEGRADATION_COUNT]; /**< each of srv_degradation, at most one */
    srv_list others[SERVET_DEGRADATION_COUNT]; /**< of srv_degradation: with fewer nodes or smaller
                                                    messages; the next one first */
    srv_list modes;                            /**< of srv_bimodal: facts of communication */
    srv_list doubts;                           /**< of srv_doubt: facts of communication */
    SERVET_NETWORK_LISTS(SRV_COMM_LIST_)       /**< each of structs of its type */
} srv_comm;
#undef SRV_COMM_LIST_

struct srv_hosts;

struct servet_profile {
    char path[SERVET_ERROR_FILE_MAX];
    int here; /**< the class of the node this program runs on, -1: none; see profile/here.h */
    servet_identity identity; /**< how it was found */
    bool trusted_only;        /**< answers that are not trusted become SERVET_EUNTRUSTED */
    int schema;
    srv_list run;                              /**< of servet_run, at most one */
    srv_list classes;                          /**< of srv_class */
    srv_list network;                          /**< of srv_comm, at most one */
    struct srv_hosts *class_hosts, *job_hosts; /**< nodes by name (profile/index.h); NULL: search */
    bool *trust; /**< owned: the marks (profile/trusted.h); NULL: they are computed */
};

/** The class, core type and core that a query means. */
typedef struct srv_target {
    int core; /**< the core, or SERVET_ANY_CORE */
    const srv_class *node_class;
    const srv_core_kind *kind; /**< NULL if the class has no core types */
} srv_target;

/** Returns the class that `at` (NULL: here) names; the core is ignored. NULL: there is none. */
const srv_class *srv_class_named(const servet_profile *profile, const servet_at *at);

/** Returns the reason why srv_class_named() finds none: SERVET_ERANGE (no such class), or
 * SERVET_EOTHER. */
int srv_no_class(const servet_profile *profile, const servet_at *at, servet_error *error);

/** Finds the class and core of `at` (NULL: here). Errors: SERVET_ERANGE with a text in `error`. */
int srv_target_find(const servet_profile *profile, const servet_at *at, srv_target *target,
                    servet_error *error);

/** Returns the core type that has a core, or the first one for SERVET_ANY_CORE; NULL: there is
 * none. */
const srv_core_kind *srv_kind_with(const srv_class *node_class, int core);

/** Finds the class that `at` means. Errors: SERVET_ERANGE (no such class or core). */
int srv_class_find(const servet_profile *profile, const servet_at *at,
                   const srv_class **node_class);

/* --- lists as answers: errors are SERVET_EUNMEASURED for an unknown list, SERVET_ERANGE
   if the list has no item `index` (from 0) --- */

/** Item `index` of a list of structs of `size` bytes in `*item`. */
int srv_list_item(const srv_list *list, long index, size_t size, const void **item);

/** Copies a value of a list of values; SERVET_EUNMEASURED also if it is not known. */
int srv_value_item(const srv_list *values, long index, servet_value *value);

/** Finds a set of a list of sets. */
int srv_set_item(const srv_list *sets, long index, const char **cores);

/** Writes the number of the set that holds `core`. Errors: SERVET_EUNMEASURED (no set holds it). */
int srv_set_index(const srv_list *sets, int core, int *index);

/** Returns the set that has a core; NULL: there is none. */
const char *srv_set_with(const srv_list *sets, int core);

/** Returns the better of the two copy kernels; unknown if both are. If only one of them is trusted,
 * returns the other one, because it may be better. */
const servet_value *srv_best_copy(const srv_kernels *kernels);

#endif
