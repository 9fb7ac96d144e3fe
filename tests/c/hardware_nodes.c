/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a requested NUMA node is on that node, or the request is refused. */
#include "test.h"

#include <sys/mman.h>

#include "machine/hardware/nodes.h"

static const size_t BYTES = (size_t)4 << 20;

static srv_topology topology;
static char *base;

static int begin(void **state)
{
    (void)state;
    base = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return base == MAP_FAILED || srv_topology_init(&topology, NULL) != SERVET_OK;
}

static int end(void **state)
{
    (void)state;
    munmap(base, BYTES);
    srv_topology_finish(&topology);
    return 0;
}

TEST(pages_lie_on_the_requested_node)
{
    srv_numa numas[SRV_NUMA_MAX];
    int count;
    assert_ok(srv_nodes_list(&topology, numas, &count, NULL));
    if (srv_nodes_place(&topology, count, base, BYTES, NULL) != SERVET_OK)
        test_skip("no memory can be placed on a node, as in some containers");
    memset(base, 1, BYTES);
    assert_ok(srv_nodes_check(&topology, count, base, BYTES, NULL));
}

/* This process believes in 64 nodes; its memory lies on the first few that exist. */
TEST(pages_on_another_node_are_refused)
{
    enum { NODES = 64 };
    srv_topology believed = {0};
    servet_error error = SERVET_ERROR_INIT;
    hwloc_topology_init(&believed.hwloc);
    hwloc_topology_set_synthetic(believed.hwloc, "numa:64 pu:1");
    hwloc_topology_set_flags(believed.hwloc, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
    assert_int_equal(hwloc_topology_load(believed.hwloc), 0);
    memset(base, 1, BYTES);
    assert_int_equal(srv_nodes_check(&believed, NODES, base, BYTES, &error), SERVET_EUNSUPPORTED);
    assert_non_null(strstr(error.text, "NUMA node 63"));
    assert_ok(srv_nodes_check(&believed, 0, base, BYTES, NULL));
    srv_topology_finish(&believed);
}

TEST(unknown_nodes_are_refused)
{
    srv_numa numas[SRV_NUMA_MAX];
    int count;
    assert_ok(srv_nodes_list(&topology, numas, &count, NULL));
    const int others[] = {-1, count + 1};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(srv_nodes_place(&topology, others[i], base, BYTES, NULL),
                         SERVET_EARGUMENT);
        assert_int_equal(srv_nodes_check(&topology, others[i], base, BYTES, NULL),
                         SERVET_EARGUMENT);
    }
}

TEST_GROUP(begin, end)
