/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of accelerators in a topology that is written by hand: two nodes, a switch with two GPUs
 * and a card at the first, a GPU and a card behind ports of their own at the second. */
#include "test.h"

#include <string.h>

#include "machine/hardware/device_place.h"

#define CORE(index, node)                                                                          \
    "<object type=\"Core\" os_index=\"" #index "\" cpuset=\"" node "\" complete_cpuset=\"" node    \
    "\" nodeset=\"" node "\" complete_nodeset=\"" node "\">"                                       \
    "<object type=\"PU\" os_index=\"" #index "\" cpuset=\"" node "\" complete_cpuset=\"" node      \
    "\" nodeset=\"" node "\" complete_nodeset=\"" node "\"/></object>"
#define NUMA(index, node)                                                                          \
    "<object type=\"NUMANode\" os_index=\"" #index "\" cpuset=\"" node                             \
    "\" complete_cpuset=\"" node "\" nodeset=\"" node "\" complete_nodeset=\"" node                \
    "\" local_memory=\"1073741824\"/>"
#define PACKAGE(index, node)                                                                       \
    "<object type=\"Package\" os_index=\"" #index "\" cpuset=\"" node "\" complete_cpuset=\"" node \
    "\" nodeset=\"" node "\" complete_nodeset=\"" node "\">" NUMA(index, node) CORE(index, node)
#define HOST(buses)                                                                                \
    "<object type=\"Bridge\" gp_index=\"1\" bridge_type=\"0-1\" depth=\"0\" "                      \
    "bridge_pci=\"0000:[" buses "]\">"
#define BRIDGE(bus, buses)                                                                         \
    "<object type=\"Bridge\" gp_index=\"1\" bridge_type=\"1-1\" depth=\"1\" "                      \
    "bridge_pci=\"0000:[" buses "]\" pci_busid=\"" bus                                             \
    "\" pci_type=\"0604 [10b5:8747] [0000:0000] 00\" pci_link_speed="                              \
    "\"0.0\">"
#define PCI(bus, type)                                                                             \
    "<object type=\"PCIDev\" gp_index=\"1\" pci_busid=\"" bus "\" pci_type=\"" type                \
    " [10de:2330] [0000:0000] 00\" pci_link_speed=\"0.0\""
#define CARD(bus, ethernet, verbs)                                                                 \
    PCI(bus, "0200")                                                                               \
    "><object type=\"OSDev\" gp_index=\"1\" name=\"" ethernet "\" osdev_type=\"2\"/>"              \
    "<object type=\"OSDev\" gp_index=\"1\" name=\"" verbs "\" osdev_type=\"3\"/></object>"
#define END "</object>"

static const char xml[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE topology SYSTEM \"hwloc2.dtd\">"
    "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"0x00000003\" "
    "complete_cpuset=\"0x00000003\" allowed_cpuset=\"0x00000003\" nodeset=\"0x00000003\" "
    "complete_nodeset=\"0x00000003\" allowed_nodeset=\"0x00000003\">"
    /* a port of the host leads to the switch, each of whose ports to a device */
    PACKAGE(0, "0x00000001") HOST("00-0f") BRIDGE("0000:00:01.0", "01-05")
        BRIDGE("0000:01:00.0", "02-02")
            PCI("0000:02:00.0", "0302") "/>" END BRIDGE("0000:01:01.0", "03-03")
                PCI("0000:03:00.0", "0302") "/>" END BRIDGE("0000:01:02.0", "04-04")
                    CARD("0000:04:00.0", "ib0", "mlx5_0") END END END END PACKAGE(1, "0x00000002")
                        HOST("80-8f") BRIDGE("0000:80:01.0", "81-81")
                            PCI("0000:81:00.0", "0302") "/>" END BRIDGE("0000:80:02.0", "82-82")
                                CARD("0000:82:00.0", "eth0", "mlx5_1") END END END
    "</object></topology>";

static hwloc_topology_t topology;

static srv_device place(const char *bus, const char *usable)
{
    srv_device device = {.node = -1};
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    strcpy(device.bus, bus);
    assert_int_equal(hwloc_bitmap_list_sscanf(set, usable), 0);
    srv_device_place_in(topology, set, &device);
    hwloc_bitmap_free(set);
    return device;
}

static void is_at(const char *bus, const char *usable, int node, const char *cores,
                  const char *cards)
{
    srv_device device = place(bus, usable);
    assert_int_equal(device.node, node);
    assert_string_equal(device.cores, cores);
    assert_string_equal(device.cards, cards);
}

TEST(a_card_below_the_same_switch)
{
    is_at("0000:02:00.0", "0-1", 0, "0", "ib0,mlx5_0");
    is_at("0000:03:00.0", "0-1", 0, "0", "ib0,mlx5_0");
}

TEST(a_card_behind_another_port_of_the_host)
{
    is_at("0000:81:00.0", "0-1", 1, "1", "eth0,mlx5_1");
}

TEST(cores_that_may_not_be_used_are_left_out)
{
    is_at("0000:81:00.0", "0", 1, "", "eth0,mlx5_1");
}

TEST(a_device_that_is_not_listed_has_no_place)
{
    is_at("0000:99:00.0", "0-1", -1, "", "");
    is_at("no address", "0-1", -1, "", "");
}

TEST_FIXTURE(begin)
{
    return hwloc_topology_init(&topology) != 0 ||
           hwloc_topology_set_xmlbuffer(topology, xml, sizeof xml) != 0 ||
           hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
           hwloc_topology_load(topology) != 0;
}

TEST_FIXTURE(end)
{
    hwloc_topology_destroy(topology);
    return 0;
}

TEST_GROUP(begin, end)
