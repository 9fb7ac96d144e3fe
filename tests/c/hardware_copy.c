/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies by a driver that only takes their time (tests/fakes/cuda.c), and refuses what a driver
 * would refuse: wrong contexts, memory that is not pinned, addresses of other devices. */
#include "test.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "two_cores.h"

/* The link of the fake, GB/s, and the time of its small copies. */
static const double RATE = 20, LATENCY_NS = 6000;

/* Others may take the cores: times may be longer by this, and never shorter. */
static const double SLOWER = 4;

static void takes(const srv_spread *ns, double expected)
{
    if (ns->n < 5 || ns->minimum < 0.99 * expected || ns->minimum > SLOWER * expected)
        fail_msg("%zu copies took %g ns or more, not %g", ns->n, ns->minimum, expected);
}

TEST(devices_are_those_of_the_driver)
{
    static srv_device devices[SRV_DEVICES_MAX];
    int count;
    assert_int_equal(machine->ops->devices(machine, devices, &count, NULL), SERVET_OK);
    assert_int_equal(count, 2);
    assert_string_equal(devices[1].name, "Fake 1");
    assert_string_equal(devices[1].bus, "fffe:02:00.0");
    assert_int_equal(devices[0].reaches, 2);
    assert_int_equal(devices[1].reaches, 1);
    /* hwloc lists no such device */
    assert_int_equal(devices[0].node, -1);
    assert_string_equal(devices[0].cores, "");
    assert_string_equal(devices[0].cards, "");
}

static const double LARGE = 16 << 20;

static srv_copy copy_of(int device, bool to_host, double bytes)
{
    return (srv_copy){.core = cores[0],
                      .device = device,
                      .peer = -1,
                      .to_host = to_host,
                      .bytes = bytes,
                      .in_flight = bytes < LARGE ? 1 : 4,
                      .seconds = 2e-3};
}

TEST(copies_take_the_time_of_their_link)
{
    srv_spread ns;
    for (int to_host = 0; to_host < 2; to_host++) {
        const srv_copy large = copy_of(1, to_host, LARGE), small = copy_of(0, to_host, 64);
        assert_int_equal(machine->ops->copy(machine, &large, 1, &ns, NULL), SERVET_OK);
        takes(&ns, LARGE / RATE);
        assert_int_equal(machine->ops->copy(machine, &small, 1, &ns, NULL), SERVET_OK);
        takes(&ns, LATENCY_NS);
    }
}

TEST(copies_between_devices)
{
    srv_spread ns;
    srv_copy copy = copy_of(0, false, LARGE);
    copy.peer = 1;
    assert_int_equal(machine->ops->copy(machine, &copy, 1, &ns, NULL), SERVET_OK);
    takes(&ns, LARGE / RATE);
}

TEST(two_at_once)
{
    srv_spread ns[2];
    srv_copy copies[] = {copy_of(0, false, LARGE), copy_of(1, true, LARGE)};
    if (core_count < 2)
        test_skip("one core");
    copies[1].core = cores[1];
    assert_int_equal(machine->ops->copy(machine, copies, 2, ns, NULL), SERVET_OK);
    takes(&ns[0], LARGE / RATE);
    takes(&ns[1], LARGE / RATE);
}

TEST(other_copies_are_refused)
{
    srv_spread ns[2];
    srv_copy copies[] = {copy_of(2, false, LARGE), copy_of(0, false, 0), copy_of(0, false, LARGE),
                         copy_of(0, false, LARGE)};
    copies[2].peer = 0;
    copies[3].in_flight = 0;
    for (int i = 0; i < 4; i++)
        assert_int_equal(machine->ops->copy(machine, &copies[i], 1, ns, NULL), SERVET_EARGUMENT);
    const srv_copy twice[] = {copy_of(0, false, 64), copy_of(1, false, 64)};
    assert_int_equal(machine->ops->copy(machine, twice, 2, ns, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->copy(machine, twice, 0, ns, NULL), SERVET_EARGUMENT);
}

/* The library is found by the name that it was loaded with. */
TEST_FIXTURE(begin)
{
    setenv("FAKE_PEER", "1", 1);
    setenv("HWLOC_COMPONENTS", "-pci", 0); /* libpciaccess, which it calls, leaks */
    return dlopen(getenv("FAKE_CUDA"), RTLD_NOW) ? two_cores_begin(state) : 1;
}

TEST_GROUP(begin, two_cores_end)
