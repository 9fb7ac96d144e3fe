/* SPDX-License-Identifier: BSD-3-Clause */
/* The family from the probes to the profile, on models of nodes whose links and switches are known
 * (tests/data/models). */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/stages.h"
#include "known_node.h"
#include "sim/simulated.h"

/* Samples of the models scatter by 2 %. */
static const double TOLERANCE = 0.04;

static const servet_at at = {"default", SERVET_ANY_CORE};
static const char even[] = "0,2,4,6,8,10,12,14", odd[] = "1,3,5,7,9,11,13,15";

static void begin(known_node *node, const char *model)
{
    char path[512];
    srv_machine *machine;
    snprintf(path, sizeof path, "%s/tests/data/models/%s.json", getenv("SOURCE_ROOT"), model);
    assert_int_equal(srv_simulated_create(&machine, path, NULL), SERVET_OK);
    known_node_of(node, machine);
}

static void measure(known_node *node, double seconds)
{
    double now = node->machine->ops->elapsed(node->machine);
    srv_stage stage = known_node_stage(node, seconds == 0 ? 0 : now + seconds);
    assert_int_equal(srv_measure_accelerators(&stage, &node->place, NULL), SERVET_OK);
}

static servet_accelerator device_of(const known_node *node, int number)
{
    servet_accelerator device;
    assert_int_equal(servet_profile_item(node->place.profile, &at, "accelerators.devices", &number,
                                         &device, sizeof device),
                     SERVET_OK);
    return device;
}

static servet_accelerator_link link_of(const known_node *node, int device, int number)
{
    servet_accelerator_link link;
    assert_int_equal(servet_profile_item(node->place.profile, &at, "accelerators.devices.links",
                                         (const int[]){device, number}, &link, sizeof link),
                     SERVET_OK);
    return link;
}

static void is_about(const servet_value *value, double expected)
{
    if (fabs(value->value / expected - 1) > TOLERANCE)
        fail_msg("%g, not %g", value->value, expected);
    assert_true(value->trusted && value->low <= value->value && value->value <= value->high);
}

static void is_near(const known_node *node, int number, const char *cores, bool uniform,
                    servet_verdict verdict)
{
    servet_accelerator device = device_of(node, number);
    assert_string_equal(device.cores, cores);
    assert_int_equal(device.uniform, uniform);
    assert_int_equal(device.verdict, verdict);
    assert_true(device.trusted);
}

/* GB/s of a link in both directions, and us. */
static void link_is(const known_node *node, int device, int number, double to_device,
                    double to_host, double us)
{
    servet_accelerator_link link = link_of(node, device, number);
    is_about(&link.to_device, to_device * 1e9);
    is_about(&link.to_host, to_host * 1e9);
    is_about(&link.to_device_latency, us * 1e-6);
    is_about(&link.to_host_latency, us * 1e-6);
}

static void groups_are(const known_node *node, const char *expected)
{
    for (int level = 1; level <= SERVET_DIRECTION_COUNT; level++) {
        char key[64];
        snprintf(key, sizeof key, "accelerators.levels.%d.groups", level);
        known_node_prints(node, SERVET_ANY_CORE, key, expected);
    }
    known_node_prints(node, SERVET_ANY_CORE, "accelerators.levels.count", "2");
    for (int i = 0; i < SERVET_DIRECTION_COUNT; i++) {
        char key[64];
        snprintf(key, sizeof key, "accelerators.levels.%d.direction", i + 1);
        known_node_prints(node, SERVET_ANY_CORE, key, i ? "to-host" : "to-device");
        assert_string_equal(servet_direction_name((servet_direction)i),
                            i ? "to-host" : "to-device");
    }
}

static servet_accelerator_pair pair_of(const known_node *node, int number)
{
    servet_accelerator_pair pair;
    assert_int_equal(servet_profile_item(node->place.profile, &at, "accelerators.pairs", &number,
                                         &pair, sizeof pair),
                     SERVET_OK);
    return pair;
}

/* Two devices below each switch, whose 40 GB/s they share: 20 each. From the other socket there are
 * 18 GB/s, and small copies take 0.6 us longer. */
TEST(four_devices_behind_two_switches)
{
    known_node node;
    begin(&node, "four-gpus");
    measure(&node, 0);
    for (int i = 1; i <= 4; i++) {
        int home = i < 3 ? 1 : 2;
        is_near(&node, i, i < 3 ? even : odd, false, SERVET_VERDICT_AGREES);
        link_is(&node, i, home, 26, 24, 8);
        link_is(&node, i, 3 - home, 18, 18, 8.6);
        servet_accelerator_link link = link_of(&node, i, home);
        is_about(&link.to_device_together, 20e9);
        is_about(&link.to_host_together, 20e9);
        link = link_of(&node, i, 3 - home);
        assert_false(servet_value_known(&link.to_device_together));
    }
    groups_are(&node, "0-1\n2-3");
    assert_string_equal(device_of(&node, 1).cards, "ib0,mlx5_0");
    assert_string_equal(device_of(&node, 3).cards, "");
    for (int i = 1; i <= 12; i++) {
        servet_accelerator_pair pair = pair_of(&node, i);
        assert_int_equal(pair.direct, pair.from / 2 == pair.to / 2);
        is_about(&pair.bandwidth, 24e9);
        is_about(&pair.latency, 8e-6);
    }
    known_node_finish(&node);
}

/* The second device is reported at node 0, and behind the switch of node 1, whose 40 GB/s three
 * devices share now; nothing is reported of the last one. */
TEST(a_device_behind_the_wrong_switch)
{
    known_node node;
    begin(&node, "wrong-switch");
    measure(&node, 0);
    is_near(&node, 1, even, false, SERVET_VERDICT_AGREES);
    is_near(&node, 2, odd, false, SERVET_VERDICT_DIFFERS);
    is_near(&node, 3, odd, false, SERVET_VERDICT_AGREES);
    is_near(&node, 4, odd, false, SERVET_VERDICT_NOT_VISIBLE);
    assert_int_equal(device_of(&node, 2).node, 0);
    assert_int_equal(device_of(&node, 4).node, -1);
    link_is(&node, 2, 1, 18, 18, 8.6);
    link_is(&node, 2, 2, 26, 24, 8);
    servet_accelerator_link first = link_of(&node, 1, 1), second = link_of(&node, 2, 2);
    is_about(&first.to_device_together, 26e9);
    is_about(&second.to_device_together, 40e9 / 3);
    groups_are(&node, "1-3");
    known_node_finish(&node);
}

TEST(no_node_is_nearer_to_superchips)
{
    known_node node;
    begin(&node, "superchips");
    measure(&node, 0);
    for (int i = 1; i <= 2; i++) {
        is_near(&node, i, "0-15", true, SERVET_VERDICT_NOT_VISIBLE);
        for (int k = 1; k <= 2; k++)
            link_is(&node, i, k, 380, 300, 6);
        servet_accelerator_pair pair = pair_of(&node, i);
        assert_true(pair.direct);
        is_about(&pair.bandwidth, 150e9);
    }
    known_node_prints(&node, SERVET_ANY_CORE, "accelerators.levels.count", "0");
    known_node_finish(&node);
}

TEST(a_node_without_accelerators_has_none)
{
    known_node node;
    srv_machine *machine;
    int count = -1;
    assert_int_equal(srv_simulated_create(&machine, "zen4-server", NULL), SERVET_OK);
    double before = machine->ops->elapsed(machine);
    known_node_of(&node, machine);
    measure(&node, 0);
    assert_int_equal(
        servet_profile_count(node.place.profile, &at, "accelerators.devices", NULL, &count),
        SERVET_OK);
    assert_int_equal(count, 0);
    assert_true(machine->ops->elapsed(machine) == before);
    known_node_finish(&node);
}

/* Whatever is left out, no answer is another one. */
TEST(a_short_time_leaves_facts_out)
{
    int known = 0, unknown = 0;
    for (double seconds = 0.1; seconds < 8; seconds *= 1.5) {
        known_node node;
        begin(&node, "wrong-switch");
        measure(&node, seconds);
        for (int i = 1; i <= 4; i++) {
            servet_accelerator device = device_of(&node, i);
            known += *device.cores != '\0';
            unknown += *device.cores == '\0';
            if (*device.cores)
                assert_string_equal(device.cores, i == 1 ? even : odd);
        }
        known_node_finish(&node);
    }
    assert_true(known > 0 && unknown > 0);
}

/* A driver that fails from the n-th copy on. */
typedef struct failing {
    srv_machine_ops ops;
    int (*copy)(srv_machine *machine, const srv_copy *copies, int count, srv_spread *ns,
                servet_error *error);
    int left;
} failing;

static failing broken;

static int copy_until_broken(srv_machine *machine, const srv_copy *copies, int count,
                             srv_spread *ns, servet_error *error)
{
    if (broken.left-- > 0)
        return broken.copy(machine, copies, count, ns, error);
    snprintf(error->text, sizeof error->text, "the device is gone");
    return SERVET_EUNSUPPORTED;
}

static int measure_broken(known_node *node, int copies, unsigned only, servet_error *error)
{
    begin(node, "four-gpus");
    broken = (failing){*node->machine->ops, node->machine->ops->copy, copies};
    broken.ops.copy = copy_until_broken;
    node->machine->ops = &broken.ops;
    node->options.only = only;
    srv_stage stage = known_node_stage(node, 0);
    return srv_measure_accelerators(&stage, &node->place, error);
}

/* The eight rows of the first device's links are the first that are visited; a single visit is not
 * trusted. */
TEST(a_device_that_goes_leaves_facts_out)
{
    const unsigned alone = 1u << SERVET_BENCHMARK_ACCELERATORS;
    for (int copies = 0; copies < 120; copies += 7) {
        known_node node;
        servet_error error = SERVET_ERROR_INIT;
        int code = measure_broken(&node, copies, copies ? alone : 0, &error);
        assert_int_equal(code, SERVET_OK);
        servet_accelerator device = device_of(&node, 1);
        assert_string_equal(device.cores, copies >= 8 ? even : "");
        assert_int_equal(device.trusted, copies < 8 || copies >= 40);
        known_node_finish(&node);
    }
}

TEST(a_driver_that_does_nothing_is_an_error_where_it_is_all_that_is_wanted)
{
    known_node node;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(measure_broken(&node, 0, 1u << SERVET_BENCHMARK_ACCELERATORS, &error),
                     SERVET_EUNSUPPORTED);
    assert_string_equal(error.text, "the device is gone");
    known_node_finish(&node);
}
