/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of communication: two nodes of two cores. */
#include "known.h"

static servet_value timed(double value, servet_unit unit)
{
    return known_around(value, unit, SERVET_METHOD_TIMED);
}

static servet_value seconds(double value)
{
    return timed(value, SERVET_UNIT_SECOND);
}

static servet_value rate(double value)
{
    return timed(value, SERVET_UNIT_BYTE_PER_SECOND);
}

static servet_value factor(double value)
{
    return timed(value, SERVET_UNIT_NONE);
}

/* Layer 1 within a node, layer 2 between them: nothing but groups is known of that. */
static int add_layers(servet_profile *profile, servet_error *error)
{
    const servet_network_layer layers[] = {
        {false, seconds(0.5), rate(4096), 0.75, {1, 0}, {1, 3}},
        {true, seconds(2), rate(1024), 0.5, {0, 0}, {1, 0}},
    };
    const char *const near[] = {"0:0,0:3", "1:0,1:3"};
    const char *const far[] = {"0-1:0,0-1:3"};

    int code = servet_profile_set_network_layers(profile, layers, 2, error);
    if (!code)
        code = servet_profile_set_network_groups(profile, 1, near, 2, error);
    if (!code)
        code = servet_profile_set_network_groups(profile, 2, far, 1, error);
    return code;
}

static int add_messages(servet_profile *profile, servet_error *error)
{
    const servet_message points[] = {{1, seconds(0.25)}, {1024, seconds(0.5)}};
    const servet_protocol protocols[] = {{timed(64, SERVET_UNIT_BYTE), seconds(0.125), rate(512)}};
    const servet_together together[] = {{2, 64, seconds(0.75), factor(1.5)},
                                        {4, 64, seconds(2), factor(4)}};
    const servet_gather gathers[] = {{2, 32, false}, {4, 64, true}};

    int code = servet_profile_set_network_curve(profile, 1, points, 2, protocols, 1, error);
    return code ? code
                : servet_profile_set_network_together(profile, 1, together, 2, gathers, 2, error);
}

static int add_ratios(servet_profile *profile, servet_error *error)
{
    const servet_ratios about = {1048576, 0, true}, few = {2048, 0, false};
    const servet_ratio distances[] = {{1, 6, rate(4096), factor(1)}, {3, 6, rate(1024), factor(4)}};
    const servet_ratio processes[] = {{1, 2, rate(4096), factor(1)}, {2, 2, rate(2048), factor(2)}};

    int code = servet_profile_set_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about,
                                                 distances, 2, error);
    return code ? code
                : servet_profile_set_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &few,
                                                    processes, 2, error);
}

/* What another job found out by distance: on three nodes. */
static int add_other_ratios(servet_profile *profile, servet_error *error)
{
    const servet_network network = {"distance", 2, 2, 0, 0};
    const char *const nodes[] = {"left", "right"};
    const servet_ratios about = {4096, 0, true};
    const servet_ratio ratio = {1, 3, rate(4096), factor(1)};
    servet_profile *other;

    int code = servet_profile_create(&other, error);
    if (code)
        return code;
    code = servet_profile_set_network(other, &network, nodes, error);
    if (!code)
        code = servet_profile_set_network_ratios(other, SERVET_DEGRADATION_DISTANCE, &about, &ratio,
                                                 1, error);
    if (!code)
        code = servet_profile_merge(profile, other, error);
    servet_profile_close(other);
    return code;
}

int known_add_network(servet_profile *profile, servet_error *error)
{
    const servet_network network = {"layers,distance,access", 2, 4, 2, 2048};
    const char *const nodes[] = {"left", "right"};

    int code = servet_profile_set_network(profile, &network, nodes, error);
    if (!code)
        code = add_layers(profile, error);
    if (!code)
        code = add_messages(profile, error);
    if (!code)
        code = add_ratios(profile, error);
    return code ? code : add_other_ratios(profile, error);
}
