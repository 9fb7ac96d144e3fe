/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/keys.h"

#include <assert.h>
#include <stddef.h>

#include "profile/key_ask.h"

/* --- where facts are -------------------------------------------------------------------------- */

/* A place is a name for it, the struct found there, whose question leads to it, and the lists on
 * the way: `noun` is what the key's next number counts, NULL for a list of at most one. */
#define PLACE(name, struct_, scope, ...)                                                           \
    typedef struct_ name##_struct;                                                                 \
    static const srv_key_place name = {scope, {__VA_ARGS__}};
#define STEP(struct_, list, item, noun)                                                            \
    {                                                                                              \
        offsetof(struct_, list), sizeof(item), noun                                                \
    }
#define CACHES        STEP(srv_core_kind, caches, srv_cache, "cache levels")
#define CACHE_LOADS   CACHES, STEP(srv_cache, concurrency, srv_concurrency, NULL)
#define MEMORY_LOADS  STEP(srv_core_kind, memory_concurrency, srv_concurrency, NULL)
#define CHAINS        STEP(srv_concurrency, of_chains, servet_value, "numbers of chains")
#define THREADS       STEP(srv_concurrency, of_threads, servet_value, "numbers of threads")
#define OVERHEADS     STEP(srv_class, memory_levels, srv_overhead, "overhead levels")
#define NODES         STEP(srv_class, numa, srv_numa_node, "NUMA nodes")
#define CLASSES       STEP(servet_profile, classes, srv_class, "node classes")
#define COMM          STEP(servet_profile, network, srv_comm, NULL)
#define COMM_LAYERS   COMM, STEP(srv_comm, layers, srv_comm_layer, "layers")
#define DISTANCE      STEP(srv_comm, degradation[SERVET_DEGRADATION_DISTANCE], srv_degradation, NULL)
#define ACCESS        STEP(srv_comm, degradation[SERVET_DEGRADATION_ACCESS], srv_degradation, NULL)
#define OTHER(number) STEP(srv_comm, others[number], srv_degradation, "measurements")
#define RATIOS        STEP(srv_degradation, ratios, servet_ratio, "ratios")

/* An item of a list of texts. */
typedef struct srv_text {
    char *text;
} srv_text;

PLACE(of_profile, servet_profile, SRV_OF_PROFILE, {0})
PLACE(of_any_class, srv_class, SRV_OF_PROFILE, CLASSES)
PLACE(of_run, servet_run, SRV_OF_PROFILE, STEP(servet_profile, run, servet_run, NULL))
PLACE(of_kind, srv_core_kind, SRV_OF_KIND, {0})
PLACE(of_cache, srv_cache, SRV_OF_KIND, CACHES)
PLACE(of_sharing, servet_sharing, SRV_OF_KIND, CACHES,
      STEP(srv_cache, sharing, servet_sharing, NULL))
PLACE(of_cache_loads, srv_concurrency, SRV_OF_KIND, CACHE_LOADS)
PLACE(of_cache_chains, servet_value, SRV_OF_KIND, CACHE_LOADS, CHAINS)
PLACE(of_cache_threads, servet_value, SRV_OF_KIND, CACHE_LOADS, THREADS)
PLACE(of_memory_loads, srv_concurrency, SRV_OF_KIND, MEMORY_LOADS)
PLACE(of_memory_chains, servet_value, SRV_OF_KIND, MEMORY_LOADS, CHAINS)
PLACE(of_memory_threads, servet_value, SRV_OF_KIND, MEMORY_LOADS, THREADS)
PLACE(of_class, srv_class, SRV_OF_CLASS, {0})
PLACE(of_host, srv_text, SRV_OF_CLASS, STEP(srv_class, nodes, srv_text, "nodes"))
PLACE(of_coherence, servet_coherence, SRV_OF_CLASS,
      STEP(srv_class, coherence, servet_coherence, NULL))
PLACE(of_distance, srv_distance, SRV_OF_CLASS, STEP(srv_class, distances, srv_distance, "layers"))
PLACE(of_kernels, srv_kernels, SRV_OF_CLASS, STEP(srv_class, memory_bandwidth, srv_kernels, NULL))
PLACE(of_overhead, srv_overhead, SRV_OF_CLASS, OVERHEADS)
PLACE(of_group_cores, servet_value, SRV_OF_CLASS, OVERHEADS,
      STEP(srv_overhead, scaling, servet_value, "numbers of cores"))
PLACE(of_node_cores, servet_value, SRV_OF_CLASS,
      STEP(srv_class, memory_scaling, servet_value, "numbers of cores"))
PLACE(of_numa, srv_numa_node, SRV_OF_CLASS, NODES)
PLACE(of_numa_reads, servet_value, SRV_OF_CLASS, NODES,
      STEP(srv_numa_node, bandwidth, servet_value, "NUMA nodes"))
PLACE(of_numa_loads, servet_value, SRV_OF_CLASS, NODES,
      STEP(srv_numa_node, latency, servet_value, "NUMA nodes"))
PLACE(of_comm, srv_comm, SRV_OF_PROFILE, COMM)
PLACE(of_comm_layer, srv_comm_layer, SRV_OF_PROFILE, COMM_LAYERS)
PLACE(of_job_host, srv_text, SRV_OF_PROFILE, COMM, STEP(srv_comm, nodes, srv_text, "nodes"))
PLACE(of_point, servet_message, SRV_OF_PROFILE, COMM_LAYERS,
      STEP(srv_comm_layer, curve, servet_message, "points"))
PLACE(of_together, servet_together, SRV_OF_PROFILE, COMM_LAYERS,
      STEP(srv_comm_layer, together, servet_together, "measurements"))
PLACE(of_protocol, servet_protocol, SRV_OF_PROFILE, COMM_LAYERS,
      STEP(srv_comm_layer, protocols, servet_protocol, "protocols"))
PLACE(of_gather, servet_gather, SRV_OF_PROFILE, COMM_LAYERS,
      STEP(srv_comm_layer, gathers, servet_gather, "numbers of messages"))
PLACE(of_distances, srv_degradation, SRV_OF_PROFILE, COMM, DISTANCE)
PLACE(of_distance_ratio, servet_ratio, SRV_OF_PROFILE, COMM, DISTANCE, RATIOS)
PLACE(of_accesses, srv_degradation, SRV_OF_PROFILE, COMM, ACCESS)
PLACE(of_access_ratio, servet_ratio, SRV_OF_PROFILE, COMM, ACCESS, RATIOS)
PLACE(of_other_distance, srv_degradation, SRV_OF_PROFILE, COMM, OTHER(SERVET_DEGRADATION_DISTANCE))
PLACE(of_other_distance_ratio, servet_ratio, SRV_OF_PROFILE, COMM,
      OTHER(SERVET_DEGRADATION_DISTANCE), RATIOS)
PLACE(of_other_access, srv_degradation, SRV_OF_PROFILE, COMM, OTHER(SERVET_DEGRADATION_ACCESS))
PLACE(of_other_access_ratio, servet_ratio, SRV_OF_PROFILE, COMM, OTHER(SERVET_DEGRADATION_ACCESS),
      RATIOS)

/* --- their names ------------------------------------------------------------------------------ */

/* What a list of values holds is called `value` here, after its first member. */
static_assert(offsetof(servet_value, value) == 0, "the key of a value leads to its beginning");

#define ROW(pattern, place, member, form, weight, words, text)                                     \
    {                                                                                              \
        pattern, &place, form, offsetof(place##_struct, member), text, weight, words, NULL, NULL   \
    }
#define KEY(pattern, place, member, form, text)                                                    \
    ROW(pattern, place, member, form, SRV_KEY_FACT, NULL, text)
#define EXTENT(pattern, place, member, text)                                                       \
    ROW(pattern, place, member, SRV_A_COUNT, SRV_KEY_EXTENT, NULL, text)
#define NOTE(pattern, place, member, form, text)                                                   \
    ROW(pattern, place, member, form, SRV_KEY_NOTE, NULL, text)
#define WORD(pattern, place, member, words, text)                                                  \
    ROW(pattern, place, member, SRV_A_WORD, SRV_KEY_FACT, &words, text)
#define VERDICT(pattern, place, member, text)                                                      \
    ROW(pattern, place, member, SRV_A_WORD, SRV_KEY_NOTE, &srv_verdict_words, text)
/* Worked out of facts that have keys, which are what is compared; but a curve, whose points differ
 * from run to run, is compared by what is worked out of it at them. */
#define ASKED(pattern, place, ask, form, text)                                                     \
    {                                                                                              \
        pattern, &place, form, 0, text, SRV_KEY_NOTE, NULL, ask, NULL                              \
    }
#define CURVE(pattern, place, ask, next, form, text)                                               \
    {                                                                                              \
        pattern, &place, form, 0, text, SRV_KEY_FACT, NULL, ask, next                              \
    }

/* clang-format off: one key a line */
const srv_key srv_keys[] = {
    KEY("caches.count", of_kind, caches, SRV_A_COUNT, "number of cache levels"),
    KEY("caches.N.bytes", of_cache, fact.bytes, SRV_A_VALUE, "capacity of level N"),
    NOTE("caches.N.low", of_cache, fact.bytes, SRV_A_LOW, "lower end of its interval, bytes"),
    NOTE("caches.N.high", of_cache, fact.bytes, SRV_A_HIGH, "upper end of its interval, bytes"),
    KEY("caches.N.ways", of_cache, fact.ways, SRV_A_VALUE, "lines that one set keeps"),
    KEY("caches.N.sets", of_cache, fact.sets, SRV_A_VALUE, "sets of the level"),
    KEY("caches.N.reachable_bytes", of_cache, fact.reachable_bytes, SRV_A_VALUE,
        "what a pointer chase finds usable now, bytes"),
    KEY("caches.N.reported", of_cache, fact.reported_bytes, SRV_A_VALUE, "what the OS says, bytes"),
    VERDICT("caches.N.verdict", of_cache, fact.verdict, "agrees, differs or not visible"),
    WORD("caches.N.kind", of_cache, fact.kind, srv_cache_kind_words, "capacity or turnover"),
    KEY("caches.N.latency_ns", of_cache, fact.latency, SRV_A_VALUE, "latency of a load that hits"),
    KEY("caches.N.latency_cycles", of_cache, fact.latency_cycles, SRV_A_VALUE,
        "the same in core cycles"),
    KEY("caches.N.line", of_cache, fact.line, SRV_A_VALUE, "line size, bytes"),
    NOTE("caches.N.confidence", of_cache, fact.confidence, SRV_A_NUMBER,
         "0..1 that it exists with that size"),
    KEY("caches.N.groups", of_cache, groups, SRV_SETS_OF_CORES,
        "sets of cores that share an instance"),
    NOTE("caches.N.sharing.confidence", of_sharing, confidence, SRV_A_NUMBER,
         "0..1 that the groups are right"),
    VERDICT("caches.N.sharing.verdict", of_sharing, verdict, "the groups against what the OS says"),
    KEY("caches.N.requests", of_cache_loads, requests, SRV_ENOUGH, "memory-level parallelism"),
    KEY("caches.N.requests_low", of_cache_loads, requests_low, SRV_A_POSITIVE,
        "the fewest that it may be"),
    KEY("caches.N.requests_high", of_cache_loads, requests_high, SRV_A_POSITIVE,
        "the most that it may be"),
    KEY("caches.N.bandwidth", of_cache_loads, best, SRV_A_VALUE,
        "best of one core, bytes per second"),
    EXTENT("caches.N.chains.count", of_cache_loads, of_chains, "most independent chains asked"),
    KEY("caches.N.chains.M", of_cache_chains, value, SRV_A_VALUE,
        "bandwidth of one core with M of them"),
    EXTENT("caches.N.threads.count", of_cache_loads, of_threads,
           "most threads asked on one instance"),
    KEY("caches.N.threads.M", of_cache_threads, value, SRV_A_VALUE,
        "bandwidth of each of M of them"),
    KEY("memory.latency_ns", of_kind, memory_latency, SRV_A_VALUE, "latency of a load from memory"),
    KEY("memory.requests", of_memory_loads, requests, SRV_ENOUGH, "memory-level parallelism"),
    KEY("memory.requests_low", of_memory_loads, requests_low, SRV_A_POSITIVE,
        "the fewest that it may be"),
    KEY("memory.requests_high", of_memory_loads, requests_high, SRV_A_POSITIVE,
        "the most that it may be"),
    KEY("memory.bandwidth", of_memory_loads, best, SRV_A_VALUE,
        "best of one core that loads, bytes per second"),
    EXTENT("memory.chains.count", of_memory_loads, of_chains, "most independent chains asked"),
    KEY("memory.chains.N", of_memory_chains, value, SRV_A_VALUE,
        "bandwidth of one core with N of them"),
    EXTENT("memory.threads.count", of_memory_loads, of_threads, "most threads asked on one memory"),
    KEY("memory.threads.N", of_memory_threads, value, SRV_A_VALUE,
        "bandwidth of each of N of them"),
    KEY("memory.single", of_kernels, bandwidth, SRV_BEST_COPY,
        "copy of one core alone, bytes per second"),
    KEY("memory.read", of_kernels, bandwidth[SERVET_KERNEL_READ], SRV_A_VALUE, "only loads"),
    KEY("memory.write", of_kernels, bandwidth[SERVET_KERNEL_WRITE], SRV_A_VALUE, "only stores"),
    KEY("memory.copy", of_kernels, bandwidth[SERVET_KERNEL_COPY], SRV_A_VALUE, "ordinary stores"),
    KEY("memory.triad", of_kernels, bandwidth[SERVET_KERNEL_TRIAD], SRV_A_VALUE,
        "a = b + s c, ordinary stores"),
    KEY("memory.write-nt", of_kernels, bandwidth[SERVET_KERNEL_WRITE_NT], SRV_A_VALUE,
        "non-temporal stores"),
    KEY("memory.copy-nt", of_kernels, bandwidth[SERVET_KERNEL_COPY_NT], SRV_A_VALUE,
        "non-temporal stores"),
    KEY("memory.triad-nt", of_kernels, bandwidth[SERVET_KERNEL_TRIAD_NT], SRV_A_VALUE,
        "non-temporal stores"),
    KEY("memory.levels.count", of_class, memory_levels, SRV_A_COUNT, "number of overhead levels"),
    KEY("memory.levels.N.bandwidth", of_overhead, fact.bandwidth, SRV_A_VALUE,
        "copy of one core of a pair of level N"),
    KEY("memory.levels.N.groups", of_overhead, groups, SRV_SETS_OF_CORES,
        "sets of cores that its pairs connect"),
    VERDICT("memory.levels.N.verdict", of_overhead, fact.verdict,
            "the groups against what the OS says"),
    KEY("memory.levels.N.saturation", of_overhead, fact.saturation, SRV_ENOUGH,
        "cores that saturate a group"),
    EXTENT("memory.levels.N.scaling.count", of_overhead, scaling, "most cores of a group asked"),
    KEY("memory.levels.N.scaling.M", of_group_cores, value, SRV_A_VALUE,
        "copy of each of M of them"),
    KEY("memory.saturation", of_class, memory_saturation, SRV_ENOUGH,
        "cores that saturate the node"),
    EXTENT("memory.scaling.count", of_class, memory_scaling, "most cores of the node asked"),
    KEY("memory.scaling.N", of_node_cores, value, SRV_A_VALUE, "copy of each of N of them"),
    KEY("numa.count", of_class, numa, SRV_A_COUNT, "number of NUMA nodes measured"),
    KEY("numa.N.number", of_numa, number, SRV_AN_INT, "what the OS calls the Nth of them"),
    KEY("numa.N.cores", of_numa, cores, SRV_A_STRING, "its cores as ranges, empty for none"),
    KEY("numa.N.bandwidth.M", of_numa_reads, value, SRV_A_VALUE,
        "of its cores from the memory of the Mth"),
    EXTENT("numa.N.bandwidth.count", of_numa, bandwidth, "NUMA nodes whose memory it was asked of"),
    KEY("numa.N.latency_ns.M", of_numa_loads, value, SRV_A_VALUE, "of a load from there"),
    EXTENT("numa.N.latency_ns.count", of_numa, latency, "the same of loads"),
    KEY("coherence_line", of_coherence, line, SRV_A_VALUE, "block of false sharing, bytes"),
    KEY("coherence_level", of_coherence, level, SRV_A_POSITIVE, "of the cache whose line it is"),
    KEY("coherence_reported", of_coherence, reported, SRV_A_VALUE,
        "largest line the OS reports, bytes"),
    VERDICT("coherence_verdict", of_coherence, verdict, "agrees, differs or not visible"),
    KEY("distance.layers.count", of_class, distances, SRV_A_COUNT, "number of layers"),
    KEY("distance.layers.N.latency_ns", of_distance, fact.latency, SRV_A_VALUE,
        "of a line that the other core modified"),
    KEY("distance.layers.N.groups", of_distance, groups, SRV_SETS_OF_CORES,
        "sets of cores joined so far"),
    NOTE("distance.layers.N.confidence", of_distance, fact.confidence, SRV_A_NUMBER,
         "0..1 that it is a layer of its own"),
    VERDICT("distance.layers.N.verdict", of_distance, fact.verdict,
            "the groups against what the OS says"),
    KEY("layers.count", of_comm, layers, SRV_A_COUNT, "number of layers of communication"),
    KEY("layers.N.latency_us", of_comm_layer, fact.latency, SRV_IN_US,
        "of a message of network.message_bytes"),
    KEY("layers.N.bandwidth", of_comm_layer, fact.bandwidth, SRV_A_VALUE,
        "of such a message, bytes per second"),
    KEY("layers.N.groups", of_comm_layer, groups, SRV_SETS_OF_CORES,
        "sets of node:core joined so far"),
    NOTE("layers.N.confidence", of_comm_layer, fact.confidence, SRV_A_NUMBER,
         "0..1 that it is a layer of its own"),
    CURVE("layers.N.time_us.M", of_comm_layer, srv_ask_time, srv_ask_next_size, SRV_IN_US,
          "of a message of M bytes"),
    ASKED("layers.N.slowdown.M", of_comm_layer, srv_ask_slowdown, SRV_A_VALUE,
          "factor while M messages go at once"),
    NOTE("layers.N.between_nodes", of_comm_layer, fact.between_nodes, SRV_A_BOOL,
         "no: within a node"),
    NOTE("layers.N.from", of_comm_layer, fact.from, SRV_A_CORE, "a typical pair, node:core,"),
    NOTE("layers.N.to", of_comm_layer, fact.to, SRV_A_CORE, "the curve is its"),
    EXTENT("layers.N.points.count", of_comm_layer, curve, "points of its curve"),
    NOTE("layers.N.points.M.bytes", of_point, bytes, SRV_A_SIZE, "size of the Mth, ascending"),
    NOTE("layers.N.points.M.time_us", of_point, time, SRV_IN_US, "of such a message, as measured"),
    KEY("layers.N.together.count", of_comm_layer, together, SRV_A_COUNT,
        "measurements of messages at once"),
    KEY("layers.N.together.M.messages", of_together, messages, SRV_AN_INT, "so many at once"),
    KEY("layers.N.together.M.bytes", of_together, bytes, SRV_A_SIZE, "of such a size"),
    NOTE("layers.N.together.M.time_us", of_together, time, SRV_IN_US, "of one of them"),
    KEY("layers.N.together.M.ratio", of_together, ratio, SRV_A_VALUE, "to that of one alone"),
    KEY("layers.N.protocols.count", of_comm_layer, protocols, SRV_A_COUNT,
        "protocols of the MPI library"),
    KEY("layers.N.protocols.M.from", of_protocol, from, SRV_A_VALUE,
        "smallest message that is sent so, bytes"),
    KEY("layers.N.protocols.M.latency_us", of_protocol, latency, SRV_IN_US,
        "of a message of no bytes"),
    KEY("layers.N.protocols.M.bandwidth", of_protocol, bandwidth, SRV_A_VALUE,
        "bytes per second beyond that"),
    KEY("layers.N.gathers.count", of_comm_layer, gathers, SRV_A_COUNT,
        "numbers of messages with advice"),
    KEY("layers.N.gathers.M.messages", of_gather, messages, SRV_AN_INT, "so many messages at once"),
    KEY("layers.N.gathers.M.below", of_gather, below, SRV_A_SIZE,
        "are better gathered if smaller, bytes"),
    KEY("layers.N.gathers.M.unbounded", of_gather, unbounded, SRV_A_BOOL,
        "yes: larger ones were not asked"),
    ASKED("network.distance_ratio.N", of_profile, srv_ask_distance_ratio, SRV_A_VALUE,
          "ratDist: bandwidth at 1 over that at distance N"),
    ASKED("network.distance_ratio.count", of_profile, srv_ask_largest_distance, SRV_A_VALUE,
          "largest distance asked"),
    ASKED("network.access_ratio.N", of_profile, srv_ask_access_ratio, SRV_A_VALUE,
          "ratNC: bandwidth of 1 over that of N processes of a node"),
    ASKED("network.access_ratio.count", of_profile, srv_ask_most_processes, SRV_A_VALUE,
          "most processes of a node asked"),
    KEY("network.distance.count", of_distances, ratios, SRV_A_COUNT, "distances measured"),
    KEY("network.distance.bytes", of_distances, fact.bytes, SRV_A_SIZE, "of the messages"),
    KEY("network.distance.constant_total", of_distances, fact.constant_total, SRV_A_BOOL,
        "as many processes for each"),
    KEY("network.distance.N.at", of_distance_ratio, at, SRV_AN_INT, "the distance"),
    KEY("network.distance.N.nodes", of_distance_ratio, nodes, SRV_AN_INT, "that took part"),
    KEY("network.distance.N.bandwidth", of_distance_ratio, bandwidth, SRV_A_VALUE,
        "of one message while all go, bytes per second"),
    KEY("network.distance.N.ratio", of_distance_ratio, ratio, SRV_A_VALUE,
        "bandwidth at 1, over this one"),
    KEY("network.access.count", of_accesses, ratios, SRV_A_COUNT, "numbers of processes measured"),
    KEY("network.access.bytes", of_accesses, fact.bytes, SRV_A_SIZE, "of the messages"),
    KEY("network.access.constant_total", of_accesses, fact.constant_total, SRV_A_BOOL,
        "as many processes for each"),
    KEY("network.access.N.at", of_access_ratio, at, SRV_AN_INT, "processes of a node"),
    KEY("network.access.N.nodes", of_access_ratio, nodes, SRV_AN_INT, "that took part"),
    KEY("network.access.N.bandwidth", of_access_ratio, bandwidth, SRV_A_VALUE,
        "of one message while all go, bytes per second"),
    KEY("network.access.N.ratio", of_access_ratio, ratio, SRV_A_VALUE,
        "bandwidth at 1, over this one"),
    KEY("network.other_distance.count", of_comm, others[SERVET_DEGRADATION_DISTANCE], SRV_A_COUNT,
        "further measurements of ratDist"),
    KEY("network.other_distance.N.count", of_other_distance, ratios, SRV_A_COUNT,
        "ratios of the Nth"),
    KEY("network.other_distance.N.bytes", of_other_distance, fact.bytes, SRV_A_SIZE,
        "of its messages"),
    KEY("network.other_distance.N.constant_total", of_other_distance, fact.constant_total,
        SRV_A_BOOL, "as many processes for each"),
    KEY("network.other_distance.N.M.at", of_other_distance_ratio, at, SRV_AN_INT, "the distance"),
    KEY("network.other_distance.N.M.nodes", of_other_distance_ratio, nodes, SRV_AN_INT,
        "that took part"),
    KEY("network.other_distance.N.M.bandwidth", of_other_distance_ratio, bandwidth, SRV_A_VALUE,
        "of one message while all go, bytes per second"),
    KEY("network.other_distance.N.M.ratio", of_other_distance_ratio, ratio, SRV_A_VALUE,
        "bandwidth at 1, over this one"),
    KEY("network.other_access.count", of_comm, others[SERVET_DEGRADATION_ACCESS], SRV_A_COUNT,
        "further measurements of ratNC"),
    KEY("network.other_access.N.count", of_other_access, ratios, SRV_A_COUNT, "ratios of the Nth"),
    KEY("network.other_access.N.bytes", of_other_access, fact.bytes, SRV_A_SIZE, "of its messages"),
    KEY("network.other_access.N.constant_total", of_other_access, fact.constant_total, SRV_A_BOOL,
        "as many processes for each"),
    KEY("network.other_access.N.M.at", of_other_access_ratio, at, SRV_AN_INT,
        "processes of a node"),
    KEY("network.other_access.N.M.nodes", of_other_access_ratio, nodes, SRV_AN_INT,
        "that took part"),
    KEY("network.other_access.N.M.bandwidth", of_other_access_ratio, bandwidth, SRV_A_VALUE,
        "of one message while all go, bytes per second"),
    KEY("network.other_access.N.M.ratio", of_other_access_ratio, ratio, SRV_A_VALUE,
        "bandwidth at 1, over this one"),
    KEY("network.nodes", of_comm, nodes, SRV_A_COUNT, "nodes of the job that measured"),
    NOTE("network.node.N", of_job_host, text, SRV_A_STRING, "host name of the Nth"),
    KEY("network.nodes_asked", of_comm, fact.nodes_asked, SRV_AN_INT,
        "nodes asked for layers between nodes"),
    KEY("network.ranks", of_comm, fact.ranks, SRV_AN_INT, "its processes"),
    KEY("network.message_bytes", of_comm, fact.message_bytes, SRV_A_SIZE,
        "of messages that told layers apart"),
    NOTE("network.benchmarks", of_comm, fact.benchmarks, SRV_A_TEXT, "what was run, in order"),
    NOTE("kind.name", of_kind, name, SRV_A_TEXT, "kind of the core asked about"),
    KEY("kind.cores", of_kind, cores, SRV_A_STRING, "cores of that kind as ranges"),
    KEY("kinds.count", of_class, kinds, SRV_A_COUNT, "number of core kinds"),
    NOTE("classes.count", of_profile, classes, SRV_A_COUNT, "number of node classes"),
    NOTE("classes.N.name", of_any_class, name, SRV_A_TEXT, "the Nth of them"),
    NOTE("class.name", of_class, name, SRV_A_TEXT, "the class asked about"),
    NOTE("class.nodes", of_class, nodes, SRV_A_COUNT, "number of its nodes"),
    NOTE("class.node.N", of_host, text, SRV_A_STRING, "host name of the Nth"),
    NOTE("machine.hostname", of_class, machine.hostname, SRV_A_TEXT, "first node of the class"),
    NOTE("machine.os", of_class, machine.os, SRV_A_TEXT, "operating system"),
    KEY("machine.architecture", of_class, machine.architecture, SRV_A_TEXT, "architecture"),
    KEY("machine.cpu", of_class, machine.cpu, SRV_A_TEXT, "processor model"),
    NOTE("machine.cores", of_class, machine.cores, SRV_A_TEXT, "usable PUs as ranges"),
    NOTE("machine.pu_count", of_class, machine.pu_count, SRV_AN_INT, "number of usable PUs"),
    NOTE("machine.core_count", of_class, machine.core_count, SRV_AN_INT, "number of cores"),
    NOTE("machine.package_count", of_class, machine.package_count, SRV_AN_INT,
         "number of packages"),
    NOTE("machine.numa_count", of_class, machine.numa_count, SRV_AN_INT, "number of NUMA nodes"),
    KEY("machine.memory_bytes", of_class, machine.memory_bytes, SRV_A_SIZE, "installed memory"),
    KEY("machine.page_bytes", of_class, machine.page_bytes, SRV_A_SIZE, "size of a base page"),
    NOTE("run.version", of_run, version, SRV_A_TEXT, "the Servet that measured"),
    NOTE("run.started", of_run, started, SRV_A_TEXT, "when, UTC"),
    NOTE("run.options", of_run, options, SRV_A_TEXT, "options given"),
    NOTE("run.clock", of_run, clock, SRV_A_TEXT, "clock used"),
    NOTE("run.clock_overhead_ns", of_run, clock_overhead, SRV_A_VALUE,
         "of reading it twice in a row"),
    NOTE("run.clock_resolution_ns", of_run, clock_resolution, SRV_A_VALUE, "its smallest step"),
    NOTE("run.frequency_hz", of_run, frequency, SRV_A_VALUE, "of the core while it was measured"),
    NOTE("run.huge_pages", of_run, huge_pages, SRV_A_VALUE, "share of memory on huge pages, 0..1"),
    NOTE("run.duration_s", of_run, duration, SRV_A_VALUE, "of the whole run"),
    NOTE("run.noise", of_run, noise, SRV_A_VALUE, "share of time lost to others, 0..1"),
    NOTE("run.steal", of_run, steal, SRV_A_VALUE, "share of time stolen, 0..1"),
    NOTE("run.others", of_run, others, SRV_A_VALUE, "share of time other processes took, 0..1"),
    NOTE("run.drift", of_run, drift, SRV_A_VALUE, "largest loss of frequency, 0..1"),
    NOTE("run.benchmarks", of_run, benchmarks, SRV_A_TEXT, "what was run, in order"),
    NOTE("run.unfinished", of_run, unfinished, SRV_A_TEXT, "what a job has not measured yet"),
    NOTE("run.seed", of_run, seed, SRV_A_LONG, "of the random orders"),
    NOTE("schema", of_profile, schema, SRV_AN_INT, "version of the file format"),
    {0},
};
/* clang-format on */

const char *servet_profile_key(int index, const char **summary)
{
    enum { COUNT = sizeof srv_keys / sizeof srv_keys[0] - 1 };
    if (index < 0 || index >= COUNT)
        return NULL;
    if (summary)
        *summary = srv_keys[index].summary;
    return srv_keys[index].pattern;
}
