/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/keys.h"

#include <assert.h>
#include <stddef.h>

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
#define CACHES       STEP(srv_core_kind, caches, srv_cache, "cache levels")
#define CACHE_LOADS  CACHES, STEP(srv_cache, concurrency, srv_concurrency, NULL)
#define MEMORY_LOADS STEP(srv_core_kind, memory_concurrency, srv_concurrency, NULL)
#define CHAINS       STEP(srv_concurrency, of_chains, servet_value, "numbers of chains")
#define THREADS      STEP(srv_concurrency, of_threads, servet_value, "numbers of threads")
#define OVERHEADS    STEP(srv_class, memory_levels, srv_overhead, "overhead levels")
#define NODES        STEP(srv_class, numa, srv_numa_node, "NUMA nodes")
#define COMM         STEP(servet_profile, network, srv_comm, NULL)
#define COMM_LAYERS  COMM, STEP(srv_comm, layers, srv_comm_layer, "layers")

PLACE(of_profile, servet_profile, SRV_OF_PROFILE, {0})
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
PLACE(of_protocol, servet_protocol, SRV_OF_PROFILE, COMM_LAYERS,
      STEP(srv_comm_layer, protocols, servet_protocol, "protocols"))
PLACE(of_gather, servet_gather, SRV_OF_PROFILE, COMM_LAYERS,
      STEP(srv_comm_layer, gathers, servet_gather, "numbers of messages"))

/* --- what is worked out ----------------------------------------------------------------------- */

static int time_of(const servet_profile *profile, const int *index, servet_value *answer)
{
    return servet_network_time(profile, index[0], index[1], answer);
}

/* Of messages as those that told the layers apart. */
static int slowdown_of(const servet_profile *profile, const int *index, servet_value *answer)
{
    servet_network network;
    int code = servet_network_get(profile, &network);
    return code == SERVET_OK ? servet_network_slowdown(profile, index[0], network.message_bytes,
                                                       index[1], answer)
                             : code;
}

static int ratio_of(const servet_profile *profile, servet_degradation degradation, int at,
                    servet_value *answer)
{
    servet_ratio ratio;
    int code = servet_network_ratio(profile, degradation, at, &ratio);
    if (code == SERVET_OK)
        *answer = ratio.ratio;
    return code;
}

static int distance_ratio(const servet_profile *profile, const int *index, servet_value *answer)
{
    return ratio_of(profile, SERVET_DEGRADATION_DISTANCE, index[0], answer);
}

static int access_ratio(const servet_profile *profile, const int *index, servet_value *answer)
{
    return ratio_of(profile, SERVET_DEGRADATION_ACCESS, index[0], answer);
}

/* A number that is no measured value; `code` is whether it is known. */
static int number(int code, double known, servet_value *answer)
{
    if (code == SERVET_OK)
        *answer = (servet_value){known, known, known, 0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
    return code;
}

static int largest_of(const servet_profile *profile, servet_degradation degradation,
                      servet_value *answer)
{
    servet_ratios about = {0};
    int code = servet_network_ratios(profile, degradation, &about);
    return number(code, about.largest, answer);
}

static int largest_distance(const servet_profile *profile, const int *index, servet_value *answer)
{
    (void)index;
    return largest_of(profile, SERVET_DEGRADATION_DISTANCE, answer);
}

static int most_processes(const servet_profile *profile, const int *index, servet_value *answer)
{
    (void)index;
    return largest_of(profile, SERVET_DEGRADATION_ACCESS, answer);
}

/* Measurement N of a degradation: N and M are index[0] and index[1]. */
#define MEASUREMENTS(name, degradation)                                                            \
    static int name##_count(const servet_profile *profile, const int *index, servet_value *answer) \
    {                                                                                              \
        int count = 0, code = servet_network_ratios_count(profile, degradation, &count);           \
        (void)index;                                                                               \
        return number(code, count, answer);                                                        \
    }                                                                                              \
    static int name##_nodes(const servet_profile *profile, const int *index, servet_value *answer) \
    {                                                                                              \
        servet_ratio first = {0};                                                                  \
        int code = servet_network_ratio_at(profile, degradation, index[0] - 1, 1, &first);         \
        return number(code, first.nodes, answer);                                                  \
    }                                                                                              \
    static int name##_bytes(const servet_profile *profile, const int *index, servet_value *answer) \
    {                                                                                              \
        servet_ratios about = {0};                                                                 \
        int code = servet_network_ratios_at(profile, degradation, index[0] - 1, &about);           \
        return number(code, about.bytes, answer);                                                  \
    }                                                                                              \
    static int name##_ratio(const servet_profile *profile, const int *index, servet_value *answer) \
    {                                                                                              \
        servet_ratio ratio;                                                                        \
        int code = servet_network_ratio_at(profile, degradation, index[0] - 1, index[1], &ratio);  \
        if (code == SERVET_OK)                                                                     \
            *answer = ratio.ratio;                                                                 \
        return code;                                                                               \
    }
MEASUREMENTS(distances, SERVET_DEGRADATION_DISTANCE)
MEASUREMENTS(accesses, SERVET_DEGRADATION_ACCESS)

/* --- their names ------------------------------------------------------------------------------ */

/* What a list of values holds is called `value` here, after its first member. */
static_assert(offsetof(servet_value, value) == 0, "the key of a value leads to its beginning");

#define KEY(pattern, place, member, form, text)                                                    \
    {                                                                                              \
        pattern, &place, form, offsetof(place##_struct, member), text, NULL, NULL                  \
    }
#define WORD(pattern, place, member, words, text)                                                  \
    {                                                                                              \
        pattern, &place, SRV_A_WORD, offsetof(place##_struct, member), text, &words, NULL          \
    }
#define ASKED(pattern, ask, form, text)                                                            \
    {                                                                                              \
        pattern, &of_profile, form, 0, text, NULL, ask                                             \
    }

/* clang-format off: one key a line */
const srv_key srv_keys[] = {
    KEY("caches.count", of_kind, caches, SRV_A_COUNT, "number of cache levels"),
    KEY("caches.N.bytes", of_cache, fact.bytes, SRV_A_VALUE, "capacity of level N"),
    KEY("caches.N.low", of_cache, fact.bytes, SRV_A_LOW, "lower end of its interval, bytes"),
    KEY("caches.N.high", of_cache, fact.bytes, SRV_A_HIGH, "upper end of its interval, bytes"),
    KEY("caches.N.measured", of_cache, fact.measured_bytes, SRV_A_VALUE, "raw estimate, bytes"),
    KEY("caches.N.reported", of_cache, fact.reported_bytes, SRV_A_VALUE, "what the OS says, bytes"),
    WORD("caches.N.verdict", of_cache, fact.verdict, srv_verdict_words, "agrees, differs or not visible"),
    WORD("caches.N.kind", of_cache, fact.kind, srv_cache_kind_words, "capacity or turnover"),
    KEY("caches.N.latency_ns", of_cache, fact.latency, SRV_A_VALUE, "latency of a load that hits"),
    KEY("caches.N.latency_cycles", of_cache, fact.latency_cycles, SRV_A_VALUE, "the same in core cycles"),
    KEY("caches.N.line", of_cache, fact.line, SRV_A_VALUE, "line size, bytes"),
    KEY("caches.N.confidence", of_cache, fact.confidence, SRV_A_NUMBER, "0..1 that it is a cache level"),
    KEY("caches.N.groups", of_cache, groups, SRV_SETS_OF_CORES, "sets of cores that share an instance"),
    KEY("caches.N.sharing.confidence", of_sharing, confidence, SRV_A_NUMBER, "0..1 that the groups are right"),
    WORD("caches.N.sharing.verdict", of_sharing, verdict, srv_verdict_words, "the groups against what the OS says"),
    KEY("caches.N.requests", of_cache_loads, requests, SRV_AN_INT, "loads worth having under way"),
    KEY("caches.N.bandwidth", of_cache_loads, best, SRV_A_VALUE, "best of one core, bytes per second"),
    KEY("caches.N.chains.count", of_cache_loads, of_chains, SRV_A_COUNT, "most independent chains asked"),
    KEY("caches.N.chains.M", of_cache_chains, value, SRV_A_VALUE, "bandwidth of one core with M of them"),
    KEY("caches.N.threads.count", of_cache_loads, of_threads, SRV_A_COUNT, "most threads asked on one instance"),
    KEY("caches.N.threads.M", of_cache_threads, value, SRV_A_VALUE, "bandwidth of each of M of them"),
    KEY("memory.latency_ns", of_kind, memory_latency, SRV_A_VALUE, "latency of a load from memory"),
    KEY("memory.requests", of_memory_loads, requests, SRV_AN_INT, "loads worth having under way"),
    KEY("memory.bandwidth", of_memory_loads, best, SRV_A_VALUE, "best of one core that loads, bytes per second"),
    KEY("memory.chains.count", of_memory_loads, of_chains, SRV_A_COUNT, "most independent chains asked"),
    KEY("memory.chains.N", of_memory_chains, value, SRV_A_VALUE, "bandwidth of one core with N of them"),
    KEY("memory.threads.count", of_memory_loads, of_threads, SRV_A_COUNT, "most threads asked on one memory"),
    KEY("memory.threads.N", of_memory_threads, value, SRV_A_VALUE, "bandwidth of each of N of them"),
    KEY("memory.single", of_kernels, bandwidth, SRV_BEST_COPY, "copy of one core alone, bytes per second"),
    KEY("memory.read", of_kernels, bandwidth[SERVET_KERNEL_READ], SRV_A_VALUE, "only loads"),
    KEY("memory.write", of_kernels, bandwidth[SERVET_KERNEL_WRITE], SRV_A_VALUE, "only stores"),
    KEY("memory.copy", of_kernels, bandwidth[SERVET_KERNEL_COPY], SRV_A_VALUE, "ordinary stores"),
    KEY("memory.triad", of_kernels, bandwidth[SERVET_KERNEL_TRIAD], SRV_A_VALUE, "a = b + s c, ordinary stores"),
    KEY("memory.write-nt", of_kernels, bandwidth[SERVET_KERNEL_WRITE_NT], SRV_A_VALUE, "non-temporal stores"),
    KEY("memory.copy-nt", of_kernels, bandwidth[SERVET_KERNEL_COPY_NT], SRV_A_VALUE, "non-temporal stores"),
    KEY("memory.triad-nt", of_kernels, bandwidth[SERVET_KERNEL_TRIAD_NT], SRV_A_VALUE, "non-temporal stores"),
    KEY("memory.levels.count", of_class, memory_levels, SRV_A_COUNT, "number of overhead levels"),
    KEY("memory.levels.N.bandwidth", of_overhead, fact.bandwidth, SRV_A_VALUE, "copy of one core of a pair of level N"),
    KEY("memory.levels.N.groups", of_overhead, groups, SRV_SETS_OF_CORES, "sets of cores that its pairs connect"),
    WORD("memory.levels.N.verdict", of_overhead, fact.verdict, srv_verdict_words, "the groups against what the OS says"),
    KEY("memory.levels.N.saturation", of_overhead, fact.saturation, SRV_A_POSITIVE, "cores that saturate a group"),
    KEY("memory.levels.N.scaling.count", of_overhead, scaling, SRV_A_COUNT, "most cores of a group asked"),
    KEY("memory.levels.N.scaling.M", of_group_cores, value, SRV_A_VALUE, "copy of each of M of them"),
    KEY("memory.saturation", of_class, memory_saturation, SRV_A_POSITIVE, "cores that saturate the node"),
    KEY("memory.scaling.count", of_class, memory_scaling, SRV_A_COUNT, "most cores of the node asked"),
    KEY("memory.scaling.N", of_node_cores, value, SRV_A_VALUE, "copy of each of N of them"),
    KEY("numa.count", of_class, numa, SRV_A_COUNT, "number of NUMA nodes measured"),
    KEY("numa.N.number", of_numa, number, SRV_AN_INT, "what the OS calls the Nth of them"),
    KEY("numa.N.cores", of_numa, cores, SRV_A_STRING, "its cores as ranges, empty for none"),
    KEY("numa.N.bandwidth.M", of_numa_reads, value, SRV_A_VALUE, "of its cores from the memory of the Mth"),
    KEY("numa.N.latency_ns.M", of_numa_loads, value, SRV_A_VALUE, "of a load from there"),
    KEY("coherence_line", of_coherence, line, SRV_A_VALUE, "block of false sharing, bytes"),
    KEY("coherence_level", of_coherence, level, SRV_A_POSITIVE, "of the cache whose line it is"),
    KEY("coherence_reported", of_coherence, reported, SRV_A_VALUE, "largest line the OS reports, bytes"),
    WORD("coherence_verdict", of_coherence, verdict, srv_verdict_words, "agrees, differs or not visible"),
    KEY("distance.layers.count", of_class, distances, SRV_A_COUNT, "number of layers"),
    KEY("distance.layers.N.latency_ns", of_distance, fact.latency, SRV_A_VALUE, "of a line that the other core modified"),
    KEY("distance.layers.N.groups", of_distance, groups, SRV_SETS_OF_CORES, "sets of cores joined so far"),
    KEY("distance.layers.N.confidence", of_distance, fact.confidence, SRV_A_NUMBER, "0..1 that it is a layer of its own"),
    WORD("distance.layers.N.verdict", of_distance, fact.verdict, srv_verdict_words, "the groups against what the OS says"),
    KEY("layers.count", of_comm, layers, SRV_A_COUNT, "number of layers of communication"),
    KEY("layers.N.latency_us", of_comm_layer, fact.latency, SRV_IN_US, "of a message of network.message_bytes"),
    KEY("layers.N.bandwidth", of_comm_layer, fact.bandwidth, SRV_A_VALUE, "of such a message, bytes per second"),
    KEY("layers.N.groups", of_comm_layer, groups, SRV_SETS_OF_CORES, "sets of node:core joined so far"),
    KEY("layers.N.confidence", of_comm_layer, fact.confidence, SRV_A_NUMBER, "0..1 that it is a layer of its own"),
    ASKED("layers.N.time_us.M", time_of, SRV_IN_US, "of a message of M bytes"),
    ASKED("layers.N.slowdown.M", slowdown_of, SRV_A_VALUE, "factor while M messages go at once"),
    KEY("layers.N.protocols.count", of_comm_layer, protocols, SRV_A_COUNT, "protocols of the MPI library"),
    KEY("layers.N.protocols.M.from", of_protocol, from, SRV_A_VALUE, "smallest message that is sent so, bytes"),
    KEY("layers.N.protocols.M.latency_us", of_protocol, latency, SRV_IN_US, "of a message of no bytes"),
    KEY("layers.N.protocols.M.bandwidth", of_protocol, bandwidth, SRV_A_VALUE, "bytes per second beyond that"),
    KEY("layers.N.gathers.count", of_comm_layer, gathers, SRV_A_COUNT, "numbers of messages with advice"),
    KEY("layers.N.gathers.M.messages", of_gather, messages, SRV_AN_INT, "so many messages at once"),
    KEY("layers.N.gathers.M.below", of_gather, below, SRV_A_SIZE, "are better gathered if smaller, bytes"),
    ASKED("network.distance_ratio.N", distance_ratio, SRV_A_VALUE, "ratDist: bandwidth at 1 over that at distance N"),
    ASKED("network.distance_ratio.count", largest_distance, SRV_A_VALUE, "largest distance asked"),
    ASKED("network.access_ratio.N", access_ratio, SRV_A_VALUE, "ratNC: bandwidth of 1 over that of N processes of a node"),
    ASKED("network.access_ratio.count", most_processes, SRV_A_VALUE, "most processes of a node asked"),
    ASKED("network.distance_ratios.count", distances_count, SRV_A_VALUE, "how many times ratDist was measured"),
    ASKED("network.distance_ratios.N.nodes", distances_nodes, SRV_A_VALUE, "nodes of measurement N"),
    ASKED("network.distance_ratios.N.bytes", distances_bytes, SRV_A_VALUE, "bytes of its messages"),
    ASKED("network.distance_ratios.N.M", distances_ratio, SRV_A_VALUE, "its ratDist at distance M"),
    ASKED("network.access_ratios.count", accesses_count, SRV_A_VALUE, "how many times ratNC was measured"),
    ASKED("network.access_ratios.N.nodes", accesses_nodes, SRV_A_VALUE, "nodes of measurement N"),
    ASKED("network.access_ratios.N.bytes", accesses_bytes, SRV_A_VALUE, "bytes of its messages"),
    ASKED("network.access_ratios.N.M", accesses_ratio, SRV_A_VALUE, "its ratNC of M processes of a node"),
    KEY("network.nodes", of_comm, nodes, SRV_A_COUNT, "nodes of the job that measured"),
    KEY("network.ranks", of_comm, fact.ranks, SRV_AN_INT, "its processes"),
    KEY("network.message_bytes", of_comm, fact.message_bytes, SRV_A_SIZE, "of messages that told layers apart"),
    KEY("network.benchmarks", of_comm, fact.benchmarks, SRV_A_TEXT, "what was run, in order"),
    KEY("kind.name", of_kind, name, SRV_A_TEXT, "kind of the core asked about"),
    KEY("kind.cores", of_kind, cores, SRV_A_STRING, "cores of that kind as ranges"),
    KEY("kinds.count", of_class, kinds, SRV_A_COUNT, "number of core kinds"),
    KEY("classes.count", of_profile, classes, SRV_A_COUNT, "number of node classes"),
    KEY("class.name", of_class, name, SRV_A_TEXT, "the class asked about"),
    KEY("class.nodes", of_class, nodes, SRV_A_COUNT, "number of its nodes"),
    KEY("machine.hostname", of_class, machine.hostname, SRV_A_TEXT, "first node of the class"),
    KEY("machine.os", of_class, machine.os, SRV_A_TEXT, "operating system"),
    KEY("machine.architecture", of_class, machine.architecture, SRV_A_TEXT, "architecture"),
    KEY("machine.cpu", of_class, machine.cpu, SRV_A_TEXT, "processor model"),
    KEY("machine.cores", of_class, machine.cores, SRV_A_TEXT, "usable PUs as ranges"),
    KEY("machine.pu_count", of_class, machine.pu_count, SRV_AN_INT, "number of usable PUs"),
    KEY("machine.core_count", of_class, machine.core_count, SRV_AN_INT, "number of cores"),
    KEY("machine.package_count", of_class, machine.package_count, SRV_AN_INT, "number of packages"),
    KEY("machine.numa_count", of_class, machine.numa_count, SRV_AN_INT, "number of NUMA nodes"),
    KEY("machine.memory_bytes", of_class, machine.memory_bytes, SRV_A_SIZE, "installed memory"),
    KEY("machine.page_bytes", of_class, machine.page_bytes, SRV_A_SIZE, "size of a base page"),
    KEY("run.version", of_run, version, SRV_A_TEXT, "the Servet that measured"),
    KEY("run.started", of_run, started, SRV_A_TEXT, "when, UTC"),
    KEY("run.options", of_run, options, SRV_A_TEXT, "options given"),
    KEY("run.clock", of_run, clock, SRV_A_TEXT, "clock used"),
    KEY("run.clock_overhead_ns", of_run, clock_overhead, SRV_A_VALUE, "of reading it twice in a row"),
    KEY("run.clock_resolution_ns", of_run, clock_resolution, SRV_A_VALUE, "its smallest step"),
    KEY("run.frequency_hz", of_run, frequency, SRV_A_VALUE, "of the core while it was measured"),
    KEY("run.huge_pages", of_run, huge_pages, SRV_A_VALUE, "share of memory on huge pages, 0..1"),
    KEY("run.duration_s", of_run, duration, SRV_A_VALUE, "of the whole run"),
    KEY("run.noise", of_run, noise, SRV_A_VALUE, "share of time lost to others, 0..1"),
    KEY("run.steal", of_run, steal, SRV_A_VALUE, "share of time stolen, 0..1"),
    KEY("run.others", of_run, others, SRV_A_VALUE, "share of time other processes took, 0..1"),
    KEY("run.drift", of_run, drift, SRV_A_VALUE, "largest loss of frequency, 0..1"),
    KEY("run.benchmarks", of_run, benchmarks, SRV_A_TEXT, "what was run, in order"),
    KEY("run.seed", of_run, seed, SRV_A_LONG, "of the random orders"),
    KEY("schema", of_profile, schema, SRV_AN_INT, "version of the file format"),
    {NULL, NULL, SRV_A_TEXT, 0, NULL, NULL, NULL},
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
