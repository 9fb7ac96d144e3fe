/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A machine described by a text file (servet-model(5)): its hardware, never the expected results of
 * a benchmark. All nodes are alike, except for messages of slow ones. PUs are numbered logically,
 * 0..pu_count-1, so that PUs that share a resource are neighbours; the OS numbers are a permutation
 * of them.
 */
#ifndef SRV_MODEL_MODEL_H
#define SRV_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "servet/node.h"
#include "core/error.h"

/** Lists of words: the enum here, the words in model files. */
#define SRV_REPLACEMENT_LIST(X)                                                                    \
    X(SRV_REPLACE_LRU, "lru")                                                                      \
    X(SRV_REPLACE_PLRU, "tree-plru")                                                               \
    X(SRV_REPLACE_RANDOM, "random")                                                                \
    X(SRV_REPLACE_ADAPTIVE, "adaptive") /* set duelling between LRU and mostly-MRU insertion */

#define SRV_INCLUSION_LIST(X)                                                                      \
    X(SRV_INCLUSIVE, "inclusive")         /* lines that it evicts leave the caches above, too */   \
    X(SRV_NON_INCLUSIVE, "non-inclusive") /* filled on a miss, evicts alone */                     \
    X(SRV_EXCLUSIVE, "exclusive") /* a hit moves the line up, evictions from above fill it */      \
    X(SRV_VICTIM, "victim")       /* filled by evictions from above, a hit copies the line up */

#define SRV_PLACEMENT_LIST(X)                                                                      \
    X(SRV_PAGES_RANDOM, "random")     /* each page anywhere in memory */                           \
    X(SRV_PAGES_COLOURED, "coloured") /* physical page colour = virtual page colour */             \
    X(SRV_PAGES_HUGE, "huge")         /* contiguous over huge_bytes */

#define SRV_PREFETCHER_LIST(X)                                                                     \
    X(SRV_PREFETCH_NEXT_LINE, "next-line") /* the other line of an aligned pair */                 \
    X(SRV_PREFETCH_STRIDE, "stride")       /* constant strides up to `reach` bytes */              \
    X(SRV_PREFETCH_STREAM, "stream")       /* ascending lines, `reach` bytes ahead in the page */

#define SRV_NETWORK_LIST(X)                                                                        \
    X(SRV_NETWORK_CROSSBAR, "crossbar")   /* every pair at full bandwidth */                       \
    X(SRV_NETWORK_TORUS, "torus")         /* dimension-ordered shortest paths */                   \
    X(SRV_NETWORK_TREE, "tree")           /* levels of switches with limited uplinks */            \
    X(SRV_NETWORK_DRAGONFLY, "dragonfly") /* groups of routers, all joined to each other */

#define SRV_MODEL_ENUM_(name, text) name,
typedef enum srv_replacement {
    SRV_REPLACEMENT_LIST(SRV_MODEL_ENUM_) SRV_REPLACEMENT_COUNT
} srv_replacement;
typedef enum srv_inclusion {
    SRV_INCLUSION_LIST(SRV_MODEL_ENUM_) SRV_INCLUSION_COUNT
} srv_inclusion;
typedef enum srv_placement {
    SRV_PLACEMENT_LIST(SRV_MODEL_ENUM_) SRV_PLACEMENT_COUNT
} srv_placement;
typedef enum srv_prefetcher_type {
    SRV_PREFETCHER_LIST(SRV_MODEL_ENUM_) SRV_PREFETCHER_COUNT
} srv_prefetcher_type;
typedef enum srv_network_type {
    SRV_NETWORK_LIST(SRV_MODEL_ENUM_) SRV_NETWORK_COUNT
} srv_network_type;
#undef SRV_MODEL_ENUM_

enum {
    /* rows of the caches table; a level may have several on hybrids */
    SRV_MODEL_CACHES_MAX = 16,
    SRV_MODEL_TLBS_MAX = 4,
    SRV_MODEL_PREFETCHERS_MAX = 4,
    SRV_MODEL_FLOPS_MAX = 32, /* eight core types with all kinds of instructions */
    SRV_MODEL_DOMAINS_MAX = 8,
    SRV_MODEL_ACCELERATORS_MAX = 16,
    SRV_MODEL_LAYERS_MAX = 8,
    SRV_MODEL_PROTOCOLS_MAX = 8,
    SRV_MODEL_DIMENSIONS_MAX = 6,
    SRV_MODEL_SLOW_MAX = 8,
    SRV_MODEL_PUS_MAX = 4096, /* of a node */
    SRV_MODEL_NODES_MAX = 1 << 18,
    SRV_MODEL_WAYS_MAX = 1024, /* and slices; fully associative TLBs have hundreds of ways */
    SRV_MODEL_TLB_ENTRIES_MAX = 1 << 16,
    SRV_MODEL_MISSES_MAX = 256, /* in flight: far beyond any core */
    SRV_MODEL_LINE_MIN = 8      /* bytes: a load of a chase is a pointer */
};

/**
 * Limits of the bytes and lines of a cache: the simulator keeps 4 to 8 bytes for each line, up to
 * 16 with fewer than four ways. The largest caches of processors (IBM's virtual L4) have 2 GiB.
 */
#define SRV_MODEL_CACHE_BYTES_MAX 4294967296.
#define SRV_MODEL_CACHE_LINES_MAX 67108864.

/** One row of the caches table: the instances of a level over some PUs. */
typedef struct srv_model_cache {
    char core_type[SERVET_NAME_MAX]; /**< that has it; "": all */
    int level;                       /**< 1 for the fastest */
    double bytes;                    /**< of one instance */
    int ways;
    double line_bytes;
    double latency_cycles; /**< of a load that hits here, from issue to use */
    /** bytes that a core loads from here in a cycle by its widest loads; 0: not stated */
    double load_bytes_per_cycle;
    int first_pu, pu_count;  /**< the PUs that this row covers; pu_count 0: all */
    int pus_per_instance;    /**< neighbours that share an instance; divides pu_count */
    srv_inclusion inclusion; /**< towards the caches above */
    srv_replacement replacement;
    int slices;             /**< lines are spread over them by a hash of the address; 1: none */
    bool virtually_indexed; /**< by the virtual address (L1s are) */
    bool hidden;            /**< the OS does not report it */
    double reported_bytes;  /**< size that the OS reports; 0: the true one */
    double turnover_ms;     /**< time in which other work replaces its content; 0: no other work */
} srv_model_cache;

typedef struct srv_model_tlb {
    int entries, ways;     /**< ways 0: fully associative */
    double penalty_cycles; /**< added by a miss here, over a hit */
} srv_model_tlb;

typedef struct srv_model_prefetcher {
    srv_prefetcher_type type;
    int level;          /**< cache that it fills */
    double reach_bytes; /**< largest stride it follows, or how far it runs ahead */
} srv_model_prefetcher;

/** Floating-point operations of a core by one kind of instructions. */
typedef struct srv_model_flops {
    char core_type[SERVET_NAME_MAX]; /**< that has them; "": all */
    servet_precision precision;
    servet_width width;
    int bits;               /**< of a register as far as an instruction uses it */
    double per_cycle;       /**< that the PUs of one core do together */
    double clock_ghz;       /**< under this load; 0: that of the core type */
    int first_pu, pu_count; /**< the PUs of these cores */
} srv_model_flops;

/** An accelerator and its link to the host. */
typedef struct srv_model_accelerator {
    char name[SERVET_NAME_MAX];
    int node;     /**< NUMA node (from 0) that its link leads to; -1: all nodes are as near */
    int reported; /**< the one that the OS reports near; -1: none */
    char cards[SERVET_TEXT_MAX]; /**< network cards that are reported under the same PCI bridge */
    double to_device_bytes_per_second, to_host_bytes_per_second; /**< of its link */
    double latency_us;              /**< of a copy of no bytes from and to the near node */
    double remote_bytes_per_second; /**< at most, from and to other nodes; 0: no limit */
    double remote_us;               /**< added there to the latency */
    int uplink;                     /**< number of the switch above it, from 0; -1: none */
    double uplink_bytes_per_second; /**< in each direction, of all devices below this switch */
    double peer_bytes_per_second;   /**< to any other device, directly; 0: through the host */
} srv_model_accelerator;

/** A shared bandwidth: each group of `pus` neighbours has one such bus, link or controller. */
typedef struct srv_model_domain {
    char name[SERVET_NAME_MAX];
    int pus;
    double bytes_per_second;           /**< that one instance carries for one flow */
    double contended_bytes_per_second; /**< and in all for several; 0: the same */
} srv_model_domain;

/**
 * Memory of another NUMA node, if the nearest common group of PU and memory has `pus` neighbours.
 */
typedef struct srv_model_remote {
    int pus;
    double latency_ns;            /**< of a load */
    double core_bytes_per_second; /**< that one core gets alone */
    double link_bytes_per_second; /**< bandwidth of all PUs of a NUMA node; 0: no limit */
} srv_model_remote;

/** Cost of passing a modified line between PUs whose nearest common group has `pus` neighbours. */
typedef struct srv_model_distance {
    int pus;
    double ns;
} srv_model_distance;

/** Protocol of messages of a layer above `bytes`. */
typedef struct srv_model_protocol {
    double bytes;      /**< from this size on */
    double latency_us; /**< of a message of no bytes */
    double bytes_per_second;
    /** from the begin of a message to that of the next, at least: g of LogGP; 0: its latency */
    double gap_us;
    bool rendezvous; /**< a blocking send returns no sooner than the message has arrived */
} srv_model_protocol;

/** Messages between PUs whose nearest common group has `pus` neighbours; 0: between nodes. */
typedef struct srv_model_layer {
    int pus;
    int protocol_count;
    srv_model_protocol protocol[SRV_MODEL_PROTOCOLS_MAX]; /**< ascending sizes, the first at 0 */
    /** that all messages of the layer in one group share; 0: no limit */
    double shared_bytes_per_second;
} srv_model_layer;

/** A node whose messages take longer than those of others, as with a worn cable. */
typedef struct srv_model_slow_node {
    int node;
    double latency_factor, byte_factor; /**< ratio of times; >= 1 */
} srv_model_slow_node;

/** A link with less bandwidth than others, in both directions. */
typedef struct srv_model_slow_link {
    int node; /**< that is below it, or where it begins */
    int link; /**< tree: above the switch of this level that the node belongs to, 0: the node's own;
                   torus: to the next node along this dimension, from 0; dragonfly: 0 */
    double byte_factor; /**< ratio of the times of a byte; >= 1 */
} srv_model_slow_link;

typedef struct srv_model_network {
    srv_network_type type;
    int dimension_count;
    /** torus: extents; tree: nodes (switches) per switch; dragonfly: nodes of a router, routers of
     * a group, groups */
    int dimensions[SRV_MODEL_DIMENSIONS_MAX];
    /** of a link between neighbours; 0 with a crossbar */
    double link_bytes_per_second;
    /** tree: capacity below over capacity above */
    double oversubscription[SRV_MODEL_DIMENSIONS_MAX];
    double nic_bytes_per_second; /**< that the processes of a node share */
    double hop_us;               /**< latency added by each hop */
    int slow_node_count, slow_link_count;
    srv_model_slow_node slow_node[SRV_MODEL_SLOW_MAX];
    srv_model_slow_link slow_link[SRV_MODEL_SLOW_MAX];
} srv_model_network;

/** A foreign thread on every core; see sibling.h. */
typedef struct srv_model_sibling {
    double busy;     /**< share of time that it works; 0: there is none */
    double burst_ms; /**< mean time that it works without a pause */
    int levels;      /**< its lines occupy the caches of levels 1..levels, too */
} srv_model_sibling;

typedef struct srv_model_noise {
    double jitter;        /**< relative spread of every sample */
    double outlier_share; /**< of samples that take `outlier_factor` times as long */
    double outlier_factor;
    double steal; /**< share of time taken in slices of milliseconds */
    double drift; /**< relative change of all times over a minute */
    srv_model_sibling sibling;
} srv_model_noise;

/** Cores of one type on a hybrid machine: neighbours first_pu .. first_pu + pu_count - 1. */
typedef struct srv_model_core_type {
    char name[SERVET_NAME_MAX];
    int first_pu, pu_count;
    double clock_ghz;
    int smt; /**< PUs per core of this type */
    int cores;
    double memory_bytes_per_second; /**< that one core gets alone; 0: as all cores */
} srv_model_core_type;

typedef struct srv_model {
    char name[SERVET_NAME_MAX];
    char about[SERVET_TEXT_MAX];
    servet_machine machine; /**< as the OS describes a node; counts agree with the members below */
    int node_count;
    int pu_count, smt; /**< of a node; PUs per core, with several core types the most */
    int *os_index;     /**< pu_count of them: OS number of each logical PU */
    int core_type_count;
    srv_model_core_type core_type[SRV_MODEL_DOMAINS_MAX];
    int cache_count;
    srv_model_cache cache[SRV_MODEL_CACHES_MAX];
    int tlb_count;
    srv_model_tlb tlb[SRV_MODEL_TLBS_MAX];
    int prefetcher_count;
    srv_model_prefetcher prefetcher[SRV_MODEL_PREFETCHERS_MAX];
    int flops_count; /**< 0: the rates are not stated */
    srv_model_flops flops[SRV_MODEL_FLOPS_MAX];
    int accelerator_count;
    srv_model_accelerator accelerator[SRV_MODEL_ACCELERATORS_MAX];
    srv_placement placement;
    double huge_bytes; /**< of a huge page; 0: there are none */
    double memory_latency_ns;
    double memory_bytes_per_second_core; /**< that one core gets alone */
    /**
     * loads of a PU that miss its first cache and are in flight at a time; 0: the number of most
     * machines (simulated_traversal.h)
     */
    int misses_in_flight;
    int domain_count;
    srv_model_domain domain[SRV_MODEL_DOMAINS_MAX];
    int remote_count; /**< 0: all memory costs the same */
    srv_model_remote remote[SRV_MODEL_DOMAINS_MAX];
    int distance_count;
    srv_model_distance distance[SRV_MODEL_DOMAINS_MAX];
    int layer_count;
    srv_model_layer layer[SRV_MODEL_LAYERS_MAX];
    srv_model_network network;
    srv_model_noise noise;
} srv_model;

/**
 * Reads and checks the model at `path`; for a plain name (no slash, no ".json") the shipped one
 * (srv_model_find()). The caller frees it. Errors: SERVET_ENOTFOUND (the text lists the
 * shipped models), SERVET_EIO, SERVET_EFORMAT (file, line and member; also for a model that
 * contradicts itself), SERVET_EVERSION, SERVET_EMEMORY.
 */
int srv_model_read(srv_model **model, const char *path, servet_error *error);

/** Frees a model; NULL does nothing. */
void srv_model_free(srv_model *model);

/**
 * Writes the path of the model that `name` means into `path` of `size` bytes: itself, or for a name
 * without slash and ".json" the file of that name. Errors: SERVET_ENOTFOUND (for a name, the text
 * lists what is there).
 */
int srv_model_find(const char *name, char *path, size_t size, servet_error *error);

/** Receives the name of a model; a result other than SERVET_OK ends the visits. */
typedef int srv_model_visitor(void *context, const char *name);

/** Visits all names, in alphabetical order within a folder. Errors: those of the visitor. */
int srv_model_each(srv_model_visitor *visit, void *context);

#endif
