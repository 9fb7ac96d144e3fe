/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of the node beyond its caches. */
#include "known.h"
#include "../../tests/record.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static servet_value bytes(double value)
{
    return known_around(value, SERVET_UNIT_BYTE, SERVET_METHOD_TIMED);
}

static servet_value ns(double value)
{
    return known_around(1e-9 * value, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED);
}

/* 10^9 B/s */
static servet_value giga(double value)
{
    return known_around(1e9 * value, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED);
}

static servet_value no_bandwidth(void)
{
    return servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
}

static servet_value no_latency(void)
{
    return servet_value_unknown(SERVET_UNIT_SECOND);
}

/* Pairs of lines are fetched together, which the operating system does not report. */
static int add_coherence(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_coherence coherence = {
        .line = bytes(128), .level = 2, .reported = bytes(64), .verdict = SERVET_VERDICT_DIFFERS};
    return record_coherence(profile, node_class, &coherence, error);
}

static int add_distances(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_modes by_turns = {.count = 2, .value = {80e-9, 160e-9}, .share = {0.75, 0.25}};
    const servet_distance_layer layers[] = {
        {.latency = ns(40), .confidence = 0.9375, .verdict = SERVET_VERDICT_AGREES},
        {.latency = ns(120), .confidence = 0.5, .verdict = SERVET_VERDICT_NOT_VISIBLE}};
    const servet_sync syncs[] = {
        {.op = SERVET_SYNC_ADD, .threads = 1, .layer = 0, .time = ns(6)},
        {.op = SERVET_SYNC_DISSEMINATION, .threads = 7, .layer = 2, .time = ns(375)}};
    const char *const near[] = {"0,2", "1,3", "4-7"};
    const char *const far[] = {"0-6"};

    int code = record_distances(profile, node_class, layers, 2, error);
    if (!code)
        code = record_sync(profile, node_class, syncs, 2, error);
    if (!code)
        code = record_distance_groups(profile, node_class, 1, near, 3, error);
    if (!code)
        code = record_distance_groups(profile, node_class, 2, far, 1, error);
    if (code == SERVET_OK)
        code = servet_profile_set_repeats(profile, node_class, "distance.layers.2.latency_ns",
                                          &layers[1].latency, &by_turns, error);
    return code;
}

static int add_kernels(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_value bandwidth[SERVET_KERNEL_COUNT] = {
        [SERVET_KERNEL_READ] = giga(12),          [SERVET_KERNEL_WRITE] = giga(6),
        [SERVET_KERNEL_COPY] = giga(8),           [SERVET_KERNEL_TRIAD] = giga(9),
        [SERVET_KERNEL_WRITE_NT] = giga(10),      [SERVET_KERNEL_COPY_NT] = giga(11),
        [SERVET_KERNEL_TRIAD_NT] = no_bandwidth()};
    return record_memory(profile, node_class, bandwidth, SERVET_KERNEL_COUNT, error);
}

/* The scaling of the second level was not measured. */
static int add_overhead(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_memory_level levels[] = {
        {.bandwidth = giga(7), .saturation = 3, .verdict = SERVET_VERDICT_AGREES},
        {.bandwidth = giga(5), .saturation = 0, .verdict = SERVET_VERDICT_DIFFERS}};
    const char *const halves[] = {"0-3", "4-7"};
    const char *const whole[] = {"0-7"};
    const servet_value of_half[] = {giga(11), giga(7), giga(5.5), giga(4.25)};
    const servet_value of_node[] = {giga(11), giga(10.5), giga(8), giga(6.5), giga(5.25)};

    int code = record_memory_levels(profile, node_class, levels, 2, error);
    if (!code)
        code = record_memory_groups(profile, node_class, 1, halves, 2, error);
    if (!code)
        code = record_memory_groups(profile, node_class, 2, whole, 1, error);
    if (!code)
        code = record_memory_scaling(profile, node_class, 1, of_half, COUNT(of_half), 0, error);
    if (!code)
        code = record_memory_scaling(profile, node_class, 0, of_node, COUNT(of_node), 4, error);
    return code;
}

/* The third node is memory without cores. */
static int add_numa(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_numa nodes[] = {
        {.number = 0, .cores = "0-3"}, {.number = 1, .cores = "4-7"}, {.number = 4, .cores = ""}};
    const servet_value bandwidth[] = {giga(12),       giga(6),        giga(3),
                                      giga(5),        giga(13),       giga(2),
                                      no_bandwidth(), no_bandwidth(), no_bandwidth()};
    const servet_value latency[] = {ns(100), ns(170),      ns(300),      ns(180),     ns(90),
                                    ns(310), no_latency(), no_latency(), no_latency()};
    return record_numa(profile, node_class, nodes, 3, bandwidth, latency, error);
}

/* Reads from the second node by the first one. */
static int add_loaded(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_loaded curve = {.from = 0,
                                 .node = 1,
                                 .reads = 1,
                                 .generators = 4,
                                 .unloaded = ns(170),
                                 .best = giga(6),
                                 .knee = giga(5),
                                 .at_50 = ns(180),
                                 .at_80 = ns(200),
                                 .at_95 = ns(250)};
    const servet_loaded_point points[] = {
        {giga(1), ns(170)}, {giga(5), ns(210)}, {giga(6), ns(300)}};
    return record_loaded(profile, node_class, &curve, 1, 1, points, COUNT(points), error);
}

static int add_concurrency(servet_profile *profile, int node_class, int kind, servet_error *error)
{
    const servet_value chains[] = {giga(0.625), giga(1.25), giga(2.5), giga(4.75), giga(5)};
    const servet_value threads[] = {giga(5), giga(4)};
    const servet_concurrency memory = {.requests = 4,
                                       .requests_low = 3,
                                       .requests_high = 5,
                                       .best = giga(5),
                                       .bandwidth = giga(6),
                                       .chains = COUNT(chains),
                                       .threads = COUNT(threads)};
    const servet_value chains_l1[] = {giga(40), giga(64)};
    const servet_concurrency l1 = {.requests = 2,
                                   .requests_low = 2,
                                   .requests_high = 2,
                                   .best = giga(64),
                                   .bandwidth = giga(48),
                                   .chains = COUNT(chains_l1),
                                   .threads = 0};

    int code = record_concurrency(profile, node_class, kind, 0, &memory, chains, threads, error);
    if (!code)
        code = record_concurrency(profile, node_class, kind, 1, &l1, chains_l1, NULL, error);
    return code;
}

/* Neighbouring pages share an entry; nothing is known of huge ones. */
static int add_translation(servet_profile *profile, int node_class, int kind, servet_error *error)
{
    const servet_translation translation = {.page_bytes = bytes(4096),
                                            .granule_bytes = bytes(16384),
                                            .walk = ns(24),
                                            .pages_asked = 4096};
    const servet_tlb tlb = {.entries = known_around(64, SERVET_UNIT_NONE, SERVET_METHOD_TIMED),
                            .ways = known_around(4, SERVET_UNIT_NONE, SERVET_METHOD_TIMED),
                            .reach_bytes = bytes(1 << 20),
                            .latency = ns(24),
                            .confidence = 0.75};
    return record_translation(profile, node_class, kind, SERVET_PAGES_BASE, &translation, &tlb, 1,
                              error);
}

/* Vectors of doubles on one core and on all, integers on a core of each type. */
static int add_peaks(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_peak peaks[] = {
        {SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, 512, 1, 0,
         known_around(24e9, SERVET_UNIT_FLOP_PER_SECOND, SERVET_METHOD_TIMED),
         known_around(1.5e9, SERVET_UNIT_HERTZ, SERVET_METHOD_TIMED)},
        {SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, 512, 8, 0,
         known_around(105e9, SERVET_UNIT_FLOP_PER_SECOND, SERVET_METHOD_TIMED),
         known_around(1.25e9, SERVET_UNIT_HERTZ, SERVET_METHOD_TIMED)},
        {SERVET_PRECISION_I64, SERVET_WIDTH_SCALAR, 64, 1, 0,
         known_around(6e9, SERVET_UNIT_FLOP_PER_SECOND, SERVET_METHOD_TIMED),
         known_around(1.5e9, SERVET_UNIT_HERTZ, SERVET_METHOD_TIMED)},
        {SERVET_PRECISION_I64, SERVET_WIDTH_SCALAR, 64, 1, 4,
         known_around(1.5e9, SERVET_UNIT_FLOP_PER_SECOND, SERVET_METHOD_TIMED),
         known_around(1.5e9, SERVET_UNIT_HERTZ, SERVET_METHOD_TIMED)}};
    return record_peaks(profile, node_class, peaks, COUNT(peaks), error);
}

/* One accelerator, to which both NUMA nodes are as near. */
static int add_accelerator(servet_profile *profile, int node_class, servet_error *error)
{
    const servet_accelerator device = {
        "made up", "0000:17:00.0", "ib0", 0, "0-7", true, SERVET_VERDICT_NOT_VISIBLE, false};
    const servet_accelerator_link link = {
        .node = 0,
        .to_device = known_around(26e9, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED),
        .to_host = known_around(24e9, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED),
        .to_device_together = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND),
        .to_host_together = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND),
        .to_device_latency = ns(8000),
        .to_host_latency = ns(7000)};
    const servet_accelerator_cache cache = {SERVET_DEVICE_CACHE_TEXTURE, bytes(1 << 17), bytes(128),
                                            servet_value_unknown(SERVET_UNIT_CYCLE)};
    int code = record_accelerators(profile, node_class, &device, 1, error);
    code = code ? code : record_accelerator_links(profile, node_class, 1, &link, 1, error);
    return code ? code : record_accelerator_caches(profile, node_class, 1, &cache, 1, error);
}

int known_add_node(servet_profile *profile, int node_class, int kind, servet_error *error)
{
    int code = add_coherence(profile, node_class, error);
    if (!code)
        code = add_distances(profile, node_class, error);
    if (!code)
        code = add_kernels(profile, node_class, error);
    if (!code)
        code = add_overhead(profile, node_class, error);
    if (!code)
        code = add_numa(profile, node_class, error);
    if (!code)
        code = add_loaded(profile, node_class, error);
    if (!code)
        code = add_concurrency(profile, node_class, kind, error);
    if (!code)
        code = add_translation(profile, node_class, kind, error);
    if (!code)
        code = add_peaks(profile, node_class, error);
    if (!code)
        code = add_accelerator(profile, node_class, error);
    if (!code)
        code = servet_profile_distrust(profile, node_class, "memory.levels.count",
                                       "other work took 51 % of the core's time", error);
    return code;
}
