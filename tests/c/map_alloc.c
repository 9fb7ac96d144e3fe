/* SPDX-License-Identifier: BSD-3-Clause */
/* Each allocation of the mapping may fail. */
#include "test.h"

#include <unistd.h>

#include "alloc.h"
#include "map_machine.h"
#include "servet/map.h"

/* The data of the actions. */
static servet_profile *profile;
static servet_traffic *traffic;
static servet_map_request request;

static int make_map(void *context)
{
    servet_map *map;
    (void)context;
    int code = servet_map_create(&map, profile, &request, NULL);
    if (code == SERVET_OK)
        servet_map_destroy(map);
    return code;
}

static int predict(void *context)
{
    servet_map_cost cost;
    return servet_map_predict(context, profile, request.traffic, &cost, NULL);
}

static int find_idle(void *context)
{
    servet_map_idle idle;
    return servet_map_idle_get(context, profile, SERVET_RESOURCE_MEMORY, &idle);
}

static int reorder(void *context)
{
    int slot_of[16];
    servet_map_seat slots[16];
    static const char *const hosts[] = {"n0", "n1", "n2", "x"};
    (void)context;
    for (int i = 0; i < 16; i++)
        slots[i] = (servet_map_seat){hosts[i % 4], i / 4};
    return servet_map_reorder(profile, traffic, slots, slot_of, NULL);
}

static void with(const map_machine *machine, servet_map_request wanted)
{
    profile = map_profile(machine, machine->nodes);
    request = wanted;
    assert_true(alloc_fail_everywhere(make_map, NULL) > 10);
    servet_map *map = map_placed_by(profile, request);
    assert_true(alloc_fail_everywhere(predict, map) > 3);
}

TEST(placements_survive_failed_allocations)
{
    with(&map_switches, (servet_map_request){.processes = 20, .threads = 2});
    with(&map_dunnington, (servet_map_request){.processes = 20, .order = SERVET_ORDER_BLOCK});
    with(&map_flat, (servet_map_request){.processes = 20, .nodes = "n4,n1,n3"});
}

TEST(placements_by_traffic_survive_failed_allocations)
{
    traffic = map_pattern(SERVET_PATTERN_STENCIL_2D, 36);
    servet_traffic_next_phase(traffic);
    map_send(traffic, 0, 35, 8);
    with(&map_switches, (servet_map_request){.processes = 36,
                                             .code = SERVET_CODE_COMMUNICATION,
                                             .traffic = traffic});
}

TEST(reordering_survives_failed_allocations)
{
    profile = map_profile(&map_uplinks, 4);
    request = (servet_map_request){.processes = 16};
    servet_map *map = map_placed_by(profile, request);
    assert_true(alloc_fail_everywhere(find_idle, map) > 2);
    traffic = map_pattern(SERVET_PATTERN_RING, 16);
    assert_true(alloc_fail_everywhere(reorder, NULL) > 10);
}

static int draw(void *context)
{
    servet_traffic *made;
    int code = servet_traffic_pattern(&made, *(servet_pattern *)context, 24, 8, NULL);
    if (code == SERVET_OK)
        servet_traffic_destroy(made);
    return code;
}

static int read_file(void *context)
{
    servet_traffic *made;
    int code = servet_traffic_read(&made, context, 0, NULL);
    if (code == SERVET_OK)
        servet_traffic_destroy(made);
    return code;
}

TEST(traffic_survives_failed_allocations)
{
    servet_pattern stencil = SERVET_PATTERN_STENCIL_3D;
    assert_true(alloc_fail_everywhere(draw, &stencil) > 3);
    char path[TEST_PATH_MAX];
    test_temporary_file(path, "", "0 1 8\n1 2 8\nphase\n2 3 8\n");
    assert_true(alloc_fail_everywhere(read_file, path) > 3);
    unlink(path);
}
