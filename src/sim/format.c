/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/format.h"

#include <stddef.h>

static const char *const replacement_texts[] = {SRV_REPLACEMENT_LIST(SRV_TEXT_OF)};
static const char *const inclusion_texts[] = {SRV_INCLUSION_LIST(SRV_TEXT_OF)};
static const char *const placement_texts[] = {SRV_PLACEMENT_LIST(SRV_TEXT_OF)};
static const char *const prefetcher_texts[] = {SRV_PREFETCHER_LIST(SRV_TEXT_OF)};
static const char *const network_texts[] = {SRV_NETWORK_LIST(SRV_TEXT_OF)};
static const char *const precision_texts[] = {SERVET_PRECISION_LIST(SRV_TEXT_OF)};
static const char *const width_texts[] = {SERVET_WIDTH_LIST(SRV_TEXT_OF)};
static const srv_words replacements = SRV_WORDS(replacement_texts),
                       inclusions = SRV_WORDS(inclusion_texts),
                       placements = SRV_WORDS(placement_texts),
                       prefetchers = SRV_WORDS(prefetcher_texts),
                       networks = SRV_WORDS(network_texts), precisions = SRV_WORDS(precision_texts),
                       widths = SRV_WORDS(width_texts);

/* A row whose name differs from that of the member; optional members are common enough for a
 * column. */
#define ROW(struct_, name_, member_, type_, optional_, ...)                                        \
    {                                                                                              \
        .name = name_, .offset = offsetof(struct_, member_), .type = type_, .optional = optional_, \
        __VA_ARGS__                                                                                \
    }
/* A row whose values have no constraint but `type_`. */
#define PLAIN(struct_, name_, member_, type_)                                                      \
    ROW(struct_, name_, member_, type_, true, .range = SRV_ANY)
#define CHARS(struct_, name_, member_)                                                             \
    ROW(struct_, name_, member_, SRV_TEXT, true, .size = sizeof((struct_ *)NULL)->member_)
#define WORD(struct_, name_, member_, optional_, words_)                                           \
    ROW(struct_, name_, member_, SRV_WORD, optional_, .words = &words_)
#define ARRAY(struct_, name_, member_, counter_, optional_, item_)                                 \
    ROW(struct_, name_, member_, SRV_ARRAY, optional_, .item = &item_,                             \
        .count = offsetof(struct_, counter_),                                                      \
        .max = sizeof((struct_ *)NULL)->member_ / sizeof((struct_ *)NULL)->member_[0])
/* The shape of the structs of an array, and the row of an item. */
#define ITEMS(name_, struct_, defaults_)                                                           \
    static const srv_shape name_##_shape = {                                                       \
        .fields = name_##_fields, .size = sizeof(struct_), .defaults = defaults_, .closed = true}; \
    static const srv_field name_##_item = {                                                        \
        .type = SRV_OBJECT, .shape = &name_##_shape, .size = sizeof(struct_)};

enum { REQUIRED = false, OPTIONAL = true };

/* --- what numbers may be ---------------------------------------------------------------------- */

/* Limits far beyond any machine, but small enough that no time, count or table of the simulator
 * overflows. A number outside is an error of units. */
#define WITHIN(least_, most_)  .range = SRV_WITHIN, .least = least_, .most = most_
#define NONE_OR(least_, most_) .range = SRV_0_OR_WITHIN, .least = least_, .most = most_
#define CLOCK                  WITHIN(1e-3, 100)
#define CYCLES                 WITHIN(0.1, 1e5)
#define NS                     WITHIN(0.1, 1e6)
#define LEVEL                  WITHIN(1, SERVET_CACHE_LEVELS_MAX)
#define CAPACITY(may_)         may_(SRV_MODEL_LINE_MIN, SRV_MODEL_CACHE_BYTES_MAX)
#define GROUP(may_)            may_(1, SRV_MODEL_PUS_MAX)
#define BANDWIDTH(may_)        may_(1e3, 1e15)
#define GIB                    1073741824.
#define TIB                    (1024 * GIB)

/* --- what a node is made of ------------------------------------------------------------------- */

static const srv_model_core_type core_type_defaults = {.smt = 1};

static const srv_field core_type_fields[] = {
    ROW(srv_model_core_type, "name", name, SRV_TEXT, REQUIRED, .size = SERVET_NAME_MAX),
    ROW(srv_model_core_type, "cores", cores, SRV_INTEGER, REQUIRED, WITHIN(1, SRV_MODEL_PUS_MAX)),
    ROW(srv_model_core_type, "smt", smt, SRV_INTEGER, OPTIONAL, WITHIN(1, SRV_MODEL_PUS_MAX)),
    ROW(srv_model_core_type, "clock_ghz", clock_ghz, SRV_NUMBER, REQUIRED, CLOCK),
    ROW(srv_model_core_type, "core_bytes_per_second", memory_bytes_per_second, SRV_NUMBER, OPTIONAL,
        BANDWIDTH(NONE_OR)),
    SRV_END,
};
ITEMS(core_type, srv_model_core_type, &core_type_defaults)

static const srv_model_cache cache_defaults = {
    .line_bytes = 64, .inclusion = SRV_NON_INCLUSIVE, .slices = 1};

static const srv_field cache_fields[] = {
    ROW(srv_model_cache, "level", level, SRV_INTEGER, REQUIRED, LEVEL),
    ROW(srv_model_cache, "bytes", bytes, SRV_SIZE, REQUIRED, CAPACITY(WITHIN)),
    ROW(srv_model_cache, "ways", ways, SRV_INTEGER, REQUIRED, WITHIN(1, SRV_MODEL_WAYS_MAX)),
    ROW(srv_model_cache, "line_bytes", line_bytes, SRV_SIZE, OPTIONAL,
        WITHIN(SRV_MODEL_LINE_MIN, 4096)),
    ROW(srv_model_cache, "latency_cycles", latency_cycles, SRV_NUMBER, REQUIRED, CYCLES),
    ROW(srv_model_cache, "load_bytes_per_cycle", load_bytes_per_cycle, SRV_NUMBER, OPTIONAL,
        NONE_OR(1, 1024)),
    CHARS(srv_model_cache, "kind", core_type),
    ROW(srv_model_cache, "shared_by", pus_per_instance, SRV_INTEGER, OPTIONAL, GROUP(NONE_OR)),
    WORD(srv_model_cache, "inclusion", inclusion, OPTIONAL, inclusions),
    WORD(srv_model_cache, "replacement", replacement, OPTIONAL, replacements),
    ROW(srv_model_cache, "slices", slices, SRV_INTEGER, OPTIONAL, WITHIN(1, SRV_MODEL_WAYS_MAX)),
    PLAIN(srv_model_cache, "hidden", hidden, SRV_BOOL),
    ROW(srv_model_cache, "reported_bytes", reported_bytes, SRV_SIZE, OPTIONAL, CAPACITY(NONE_OR)),
    ROW(srv_model_cache, "turnover_ms", turnover_ms, SRV_NUMBER, OPTIONAL, NONE_OR(1e-3, 1e6)),
    SRV_END,
};
ITEMS(cache, srv_model_cache, &cache_defaults)

static const srv_field tlb_fields[] = {
    ROW(srv_model_tlb, "entries", entries, SRV_INTEGER, REQUIRED,
        WITHIN(1, SRV_MODEL_TLB_ENTRIES_MAX)),
    ROW(srv_model_tlb, "ways", ways, SRV_INTEGER, OPTIONAL, NONE_OR(1, SRV_MODEL_WAYS_MAX)),
    ROW(srv_model_tlb, "penalty_cycles", penalty_cycles, SRV_NUMBER, REQUIRED, CYCLES),
    SRV_END,
};
ITEMS(tlb, srv_model_tlb, NULL)

static const srv_model_prefetcher prefetcher_defaults = {.level = 1};

static const srv_field prefetcher_fields[] = {
    WORD(srv_model_prefetcher, "kind", type, REQUIRED, prefetchers),
    ROW(srv_model_prefetcher, "level", level, SRV_INTEGER, OPTIONAL, LEVEL),
    ROW(srv_model_prefetcher, "reach_bytes", reach_bytes, SRV_SIZE, OPTIONAL,
        NONE_OR(SRV_MODEL_LINE_MIN, GIB)),
    SRV_END,
};
ITEMS(prefetcher, srv_model_prefetcher, &prefetcher_defaults)

/* --- memory ----------------------------------------------------------------------------------- */

/* Objects that group members of the model have no struct of their own: their offsets are those
 * of the whole file. */
#define VIEW(name_, optional_, shape_)                                                             \
    {                                                                                              \
        .name = name_, .type = SRV_OBJECT, .optional = optional_, .shape = &shape_                 \
    }

static const srv_field pages_fields[] = {
    ROW(srv_model_file, "bytes", model.machine.page_bytes, SRV_SIZE, OPTIONAL, WITHIN(512, GIB)),
    WORD(srv_model_file, "placement", model.placement, OPTIONAL, placements),
    ROW(srv_model_file, "huge_bytes", model.huge_bytes, SRV_SIZE, OPTIONAL,
        NONE_OR(1024, 64 * GIB)),
    SRV_END,
};
static const srv_shape pages_shape = {
    .fields = pages_fields, .size = sizeof(srv_model_file), .closed = true};

static const srv_field domain_fields[] = {
    CHARS(srv_model_domain, "name", name),
    ROW(srv_model_domain, "shared_by", pus, SRV_INTEGER, OPTIONAL, GROUP(NONE_OR)),
    ROW(srv_model_domain, "bytes_per_second", bytes_per_second, SRV_NUMBER, REQUIRED,
        BANDWIDTH(WITHIN)),
    ROW(srv_model_domain, "contended_bytes_per_second", contended_bytes_per_second, SRV_NUMBER,
        OPTIONAL, BANDWIDTH(NONE_OR)),
    SRV_END,
};
ITEMS(domain, srv_model_domain, NULL)

static const srv_field remote_fields[] = {
    ROW(srv_model_remote, "within", pus, SRV_INTEGER, REQUIRED, GROUP(WITHIN)),
    ROW(srv_model_remote, "latency_ns", latency_ns, SRV_NUMBER, REQUIRED, NS),
    ROW(srv_model_remote, "core_bytes_per_second", core_bytes_per_second, SRV_NUMBER, REQUIRED,
        BANDWIDTH(WITHIN)),
    ROW(srv_model_remote, "link_bytes_per_second", link_bytes_per_second, SRV_NUMBER, OPTIONAL,
        BANDWIDTH(NONE_OR)),
    SRV_END,
};
ITEMS(remote, srv_model_remote, NULL)

static const srv_field memory_fields[] = {
    ROW(srv_model_file, "bytes", model.machine.memory_bytes, SRV_SIZE, REQUIRED,
        WITHIN(1 << 20, 64 * TIB)),
    ROW(srv_model_file, "latency_ns", model.memory_latency_ns, SRV_NUMBER, REQUIRED, NS),
    ROW(srv_model_file, "core_bytes_per_second", model.memory_bytes_per_second_core, SRV_NUMBER,
        REQUIRED, BANDWIDTH(WITHIN)),
    ROW(srv_model_file, "misses_in_flight", model.misses_in_flight, SRV_INTEGER, OPTIONAL,
        NONE_OR(1, SRV_MODEL_MISSES_MAX)),
    ARRAY(srv_model_file, "domains", model.domain, model.domain_count, OPTIONAL, domain_item),
    ARRAY(srv_model_file, "remote", model.remote, model.remote_count, OPTIONAL, remote_item),
    SRV_END,
};
static const srv_shape memory_shape = {
    .fields = memory_fields, .size = sizeof(srv_model_file), .closed = true};

/* --- communication ---------------------------------------------------------------------------- */

static const srv_field distance_fields[] = {
    ROW(srv_model_distance, "within", pus, SRV_INTEGER, REQUIRED, GROUP(WITHIN)),
    ROW(srv_model_distance, "ns", ns, SRV_NUMBER, REQUIRED, NS),
    SRV_END,
};
ITEMS(distance, srv_model_distance, NULL)

static const srv_field protocol_fields[] = {
    ROW(srv_model_protocol, "from_bytes", bytes, SRV_SIZE, OPTIONAL, WITHIN(0, TIB)),
    ROW(srv_model_protocol, "latency_us", latency_us, SRV_NUMBER, REQUIRED, WITHIN(1e-3, 1e6)),
    ROW(srv_model_protocol, "bytes_per_second", bytes_per_second, SRV_NUMBER, REQUIRED,
        BANDWIDTH(WITHIN)),
    ROW(srv_model_protocol, "gap_us", gap_us, SRV_NUMBER, OPTIONAL, NONE_OR(1e-3, 1e6)),
    PLAIN(srv_model_protocol, "rendezvous", rendezvous, SRV_BOOL),
    SRV_END,
};
ITEMS(protocol, srv_model_protocol, NULL)

static const srv_field layer_fields[] = {
    ROW(srv_model_layer, "within", pus, SRV_INTEGER, OPTIONAL, GROUP(NONE_OR)),
    ARRAY(srv_model_layer, "protocols", protocol, protocol_count, REQUIRED, protocol_item),
    ROW(srv_model_layer, "shared_bytes_per_second", shared_bytes_per_second, SRV_NUMBER, OPTIONAL,
        BANDWIDTH(NONE_OR)),
    SRV_END,
};
ITEMS(layer, srv_model_layer, NULL)

static const srv_field extent_item = {
    .type = SRV_INTEGER, WITHIN(1, SRV_MODEL_NODES_MAX), .size = sizeof(int)};
static const srv_field ratio_item = {
    .type = SRV_NUMBER, WITHIN(0.01, 1000), .size = sizeof(double)};

static const srv_model_slow_node slow_node_defaults = {.latency_factor = 1, .byte_factor = 1};

static const srv_field slow_node_fields[] = {
    ROW(srv_model_slow_node, "node", node, SRV_INTEGER, REQUIRED,
        WITHIN(0, SRV_MODEL_NODES_MAX - 1)),
    ROW(srv_model_slow_node, "latency_factor", latency_factor, SRV_NUMBER, OPTIONAL,
        WITHIN(1, 1000)),
    ROW(srv_model_slow_node, "byte_factor", byte_factor, SRV_NUMBER, OPTIONAL, WITHIN(1, 1000)),
    SRV_END,
};
ITEMS(slow_node, srv_model_slow_node, &slow_node_defaults)

static const srv_field slow_link_fields[] = {
    ROW(srv_model_slow_link, "node", node, SRV_INTEGER, REQUIRED,
        WITHIN(0, SRV_MODEL_NODES_MAX - 1)),
    ROW(srv_model_slow_link, "link", link, SRV_INTEGER, OPTIONAL,
        WITHIN(0, SRV_MODEL_DIMENSIONS_MAX)),
    ROW(srv_model_slow_link, "byte_factor", byte_factor, SRV_NUMBER, REQUIRED, WITHIN(1, 1000)),
    SRV_END,
};
ITEMS(slow_link, srv_model_slow_link, NULL)

static const srv_field network_fields[] = {
    WORD(srv_model_file, "kind", model.network.type, REQUIRED, networks),
    ARRAY(srv_model_file, "dimensions", model.network.dimensions, model.network.dimension_count,
          OPTIONAL, extent_item),
    ARRAY(srv_model_file, "oversubscription", model.network.oversubscription,
          oversubscription_count, OPTIONAL, ratio_item),
    ROW(srv_model_file, "link_bytes_per_second", model.network.link_bytes_per_second, SRV_NUMBER,
        OPTIONAL, BANDWIDTH(NONE_OR)),
    ROW(srv_model_file, "nic_bytes_per_second", model.network.nic_bytes_per_second, SRV_NUMBER,
        OPTIONAL, BANDWIDTH(NONE_OR)),
    ROW(srv_model_file, "hop_us", model.network.hop_us, SRV_NUMBER, OPTIONAL, WITHIN(0, 1e6)),
    ARRAY(srv_model_file, "slow_nodes", model.network.slow_node, model.network.slow_node_count,
          OPTIONAL, slow_node_item),
    ARRAY(srv_model_file, "slow_links", model.network.slow_link, model.network.slow_link_count,
          OPTIONAL, slow_link_item),
    SRV_END,
};
static const srv_shape network_shape = {
    .fields = network_fields, .size = sizeof(srv_model_file), .closed = true};

/* --- noise ------------------------------------------------------------------------------------ */

static const srv_field sibling_fields[] = {
    ROW(srv_model_sibling, "busy", busy, SRV_NUMBER, REQUIRED, WITHIN(0, 0.99)),
    ROW(srv_model_sibling, "burst_ms", burst_ms, SRV_NUMBER, OPTIONAL, WITHIN(1e-3, 1e6)),
    ROW(srv_model_sibling, "levels", levels, SRV_INTEGER, OPTIONAL, LEVEL),
    SRV_END,
};
static const srv_shape sibling_shape = {
    .fields = sibling_fields, .size = sizeof(srv_model_sibling), .closed = true};

static const srv_field noise_fields[] = {
    ROW(srv_model_noise, "jitter", jitter, SRV_NUMBER, OPTIONAL, .range = SRV_SHARE),
    ROW(srv_model_noise, "outlier_share", outlier_share, SRV_NUMBER, OPTIONAL, .range = SRV_SHARE),
    ROW(srv_model_noise, "outlier_factor", outlier_factor, SRV_NUMBER, OPTIONAL, WITHIN(1, 1000)),
    ROW(srv_model_noise, "steal", steal, SRV_NUMBER, OPTIONAL, WITHIN(0, 0.99)),
    ROW(srv_model_noise, "drift", drift, SRV_NUMBER, OPTIONAL, .range = SRV_SHARE),
    ROW(srv_model_noise, "sibling", sibling, SRV_OBJECT, OPTIONAL, .shape = &sibling_shape),
    SRV_END,
};
static const srv_shape noise_shape = {
    .fields = noise_fields, .size = sizeof(srv_model_noise), .closed = true};

/* --- floating-point operations ---------------------------------------------------------------- */

static const srv_field flops_fields[] = {
    CHARS(srv_model_flops, "kind", core_type),
    WORD(srv_model_flops, "precision", precision, REQUIRED, precisions),
    WORD(srv_model_flops, "width", width, REQUIRED, widths),
    ROW(srv_model_flops, "bits", bits, SRV_INTEGER, REQUIRED, WITHIN(8, 1 << 16)),
    ROW(srv_model_flops, "per_cycle", per_cycle, SRV_NUMBER, REQUIRED, WITHIN(1e-3, 1e6)),
    ROW(srv_model_flops, "clock_ghz", clock_ghz, SRV_NUMBER, OPTIONAL, NONE_OR(1e-3, 100)),
    SRV_END,
};
ITEMS(flops, srv_model_flops, NULL)

/* --- accelerators ----------------------------------------------------------------------------- */

static const srv_model_accelerator accelerator_defaults = {
    .node = -1, .reported = -1, .uplink = -1, .name = "accelerator"};

#define LINK(name_, member_, optional_, may_)                                                      \
    ROW(srv_model_accelerator, name_, member_, SRV_NUMBER, optional_, BANDWIDTH(may_))
#define NUMBERED(name_, member_)                                                                   \
    ROW(srv_model_accelerator, name_, member_, SRV_INTEGER, OPTIONAL, WITHIN(-1, SRV_MODEL_PUS_MAX))
static const srv_field accelerator_fields[] = {
    CHARS(srv_model_accelerator, "name", name),
    NUMBERED("node", node),
    NUMBERED("reported_node", reported),
    CHARS(srv_model_accelerator, "cards", cards),
    LINK("to_device_bytes_per_second", to_device_bytes_per_second, REQUIRED, WITHIN),
    LINK("to_host_bytes_per_second", to_host_bytes_per_second, REQUIRED, WITHIN),
    ROW(srv_model_accelerator, "latency_us", latency_us, SRV_NUMBER, REQUIRED, WITHIN(1e-3, 1e6)),
    LINK("remote_bytes_per_second", remote_bytes_per_second, OPTIONAL, NONE_OR),
    ROW(srv_model_accelerator, "remote_us", remote_us, SRV_NUMBER, OPTIONAL, WITHIN(0, 1e6)),
    NUMBERED("uplink", uplink),
    LINK("uplink_bytes_per_second", uplink_bytes_per_second, OPTIONAL, NONE_OR),
    LINK("peer_bytes_per_second", peer_bytes_per_second, OPTIONAL, NONE_OR),
    SRV_END,
};
#undef LINK
#undef NUMBERED
ITEMS(accelerator, srv_model_accelerator, &accelerator_defaults)

/* --- the whole -------------------------------------------------------------------------------- */

static const srv_model_file file_defaults = {
    .model = {.machine = {.os = "Linux", .package_count = 1, .numa_count = 1, .page_bytes = 4096},
              .node_count = 1,
              .noise = {.outlier_factor = 1, .sibling = {.burst_ms = 5, .levels = 2}}},
};

static const srv_field file_fields[] = {
    ROW(srv_model_file, "model", version, SRV_INTEGER, REQUIRED, .range = SRV_POSITIVE),
    CHARS(srv_model_file, "name", model.name),
    CHARS(srv_model_file, "about", model.about),
    ROW(srv_model_file, "nodes", model.node_count, SRV_INTEGER, OPTIONAL,
        WITHIN(1, SRV_MODEL_NODES_MAX)),
    CHARS(srv_model_file, "cpu", model.machine.cpu),
    CHARS(srv_model_file, "architecture", model.machine.architecture),
    CHARS(srv_model_file, "os", model.machine.os),
    ROW(srv_model_file, "packages", model.machine.package_count, SRV_INTEGER, OPTIONAL,
        WITHIN(1, SRV_MODEL_PUS_MAX)),
    ROW(srv_model_file, "numa_nodes", model.machine.numa_count, SRV_INTEGER, OPTIONAL,
        WITHIN(1, SRV_MODEL_PUS_MAX)),
    ROW(srv_model_file, "cores", cores, SRV_INTEGER, OPTIONAL, NONE_OR(1, SRV_MODEL_PUS_MAX)),
    ROW(srv_model_file, "smt", smt, SRV_INTEGER, OPTIONAL, NONE_OR(1, SRV_MODEL_PUS_MAX)),
    ROW(srv_model_file, "clock_ghz", clock_ghz, SRV_NUMBER, OPTIONAL, NONE_OR(1e-3, 100)),
    ARRAY(srv_model_file, "kinds", model.core_type, model.core_type_count, OPTIONAL,
          core_type_item),
    PLAIN(srv_model_file, "os_numbering", os_numbering, SRV_STRING),
    ARRAY(srv_model_file, "caches", model.cache, model.cache_count, REQUIRED, cache_item),
    ARRAY(srv_model_file, "tlbs", model.tlb, model.tlb_count, OPTIONAL, tlb_item),
    ARRAY(srv_model_file, "prefetchers", model.prefetcher, model.prefetcher_count, OPTIONAL,
          prefetcher_item),
    ARRAY(srv_model_file, "flops", model.flops, model.flops_count, OPTIONAL, flops_item),
    ARRAY(srv_model_file, "accelerators", model.accelerator, model.accelerator_count, OPTIONAL,
          accelerator_item),
    VIEW("pages", OPTIONAL, pages_shape),
    VIEW("memory", REQUIRED, memory_shape),
    ARRAY(srv_model_file, "line_transfer", model.distance, model.distance_count, OPTIONAL,
          distance_item),
    ARRAY(srv_model_file, "messages", model.layer, model.layer_count, OPTIONAL, layer_item),
    VIEW("network", OPTIONAL, network_shape),
    ROW(srv_model_file, "noise", model.noise, SRV_OBJECT, OPTIONAL, .shape = &noise_shape),
    SRV_END,
};
const srv_shape srv_model_file_shape = {.fields = file_fields,
                                        .size = sizeof(srv_model_file),
                                        .defaults = &file_defaults,
                                        .closed = true};

srv_json_path *srv_model_at(srv_json_path *where, const char *list, int row, const char *member)
{
    srv_json_path_enter(where, list);
    if (row >= 0)
        srv_json_path_enter_item(where, row);
    if (member)
        srv_json_path_enter(where, member);
    return where;
}
