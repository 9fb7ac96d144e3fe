/* SPDX-License-Identifier: BSD-3-Clause */
/* A cluster to place processes on. */
#include "known.h"
#include "../../tests/record.h"

static servet_value timed(double value, servet_unit unit)
{
    return known_around(value, unit, SERVET_METHOD_TIMED);
}

/* Each of 1 to 4 cores copies with 8, 8, 6 and 4.5 GB/s. */
static int add_memory(servet_profile *profile, servet_error *error)
{
    static const double each[] = {8e9, 8e9, 6e9, 4.5e9};
    servet_value bandwidth[4];
    for (int i = 0; i < 4; i++)
        bandwidth[i] = timed(each[i], SERVET_UNIT_BYTE_PER_SECOND);
    return record_memory_scaling(profile, 0, 0, bandwidth, 4, 4, error);
}

/* Messages of 1024 bytes take 1 us within a node, 4 us between; ratNC is 1, 2, 3, 4. */
static int add_messages(servet_profile *profile, servet_error *error)
{
    static const char *const nodes[] = {"n1", "n2"}, *const near[] = {"0:0-3", "1:0-3"},
                             *const far[] = {"0-1:0-3"};
    const servet_network job = {.benchmarks = "layers,access",
                                .nodes = 2,
                                .ranks = 8,
                                .nodes_asked = 2,
                                .message_bytes = 1024};
    const servet_ratios about = {.bytes = 1024, .largest = 0, .constant_total = true};
    servet_network_layer layers[2];
    servet_ratio ratios[4];
    for (int i = 0; i < 2; i++)
        layers[i] = (servet_network_layer){.between_nodes = i == 1,
                                           .latency = timed(i ? 4e-6 : 1e-6, SERVET_UNIT_SECOND),
                                           .bandwidth = timed(1e9, SERVET_UNIT_BYTE_PER_SECOND),
                                           .confidence = 1,
                                           .to = {i, 1}};
    for (int i = 0; i < 4; i++)
        ratios[i] = (servet_ratio){.at = i + 1,
                                   .nodes = 2,
                                   .bandwidth = timed(1e9 / (i + 1), SERVET_UNIT_BYTE_PER_SECOND),
                                   .ratio = timed(i + 1, SERVET_UNIT_NONE)};
    int code = servet_profile_set_network(profile, &job, nodes, error);
    if (!code)
        code = record_network_layers(profile, layers, 2, error);
    if (!code)
        code = record_network_groups(profile, 1, near, 2, error);
    if (!code)
        code = record_network_groups(profile, 2, far, 1, error);
    if (!code)
        code = record_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about, ratios, 4, error);
    return code;
}

int known_write_cluster(const char *path)
{
    servet_profile *profile;
    servet_machine machine = {.memory_bytes = 1, .page_bytes = 4096};
    int index, code = servet_profile_create(&profile, NULL);
    if (code)
        return code;
    FILL(machine.hostname, "n1");
    FILL(machine.cores, "0-3");
    machine.pu_count = machine.core_count = 4;
    machine.package_count = machine.numa_count = 1;
    code = servet_profile_add_class(profile, "node", &machine, &index, NULL);
    if (!code)
        code = servet_profile_add_node(profile, index, "n1", NULL);
    if (!code)
        code = servet_profile_add_node(profile, index, "n2", NULL);
    if (!code)
        code = add_memory(profile, NULL);
    if (!code)
        code = add_messages(profile, NULL);
    if (!code)
        code = servet_profile_write(profile, path, NULL);
    servet_profile_close(profile);
    return code;
}
