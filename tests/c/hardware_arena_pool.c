/* SPDX-License-Identifier: BSD-3-Clause */
/* Arenas that are lent again: near their memory only, to one at a time, within the pool's bytes. */
#include "test.h"

#include <unistd.h>

#include "machine/hardware/arena_pool.h"

static const size_t MIB = (size_t)1 << 20;

static srv_topology topology; /* PUs 0 and 1 are on node 0, PUs 2 and 3 on node 1 */
static srv_arena_pool pool;

static int begin(void **state)
{
    (void)state;
    hwloc_topology_init(&topology.hwloc);
    hwloc_topology_set_synthetic(topology.hwloc, "numa:2 core:2 pu:1");
    if (hwloc_topology_load(topology.hwloc) != 0)
        return 1;
    srv_arena_pool_init(&pool, &topology, 64.0 * (double)MIB);
    return 0;
}

static int end(void **state)
{
    (void)state;
    srv_arena_pool_finish(&pool);
    srv_topology_finish(&topology);
    return 0;
}

static srv_arena_request request_of(int core, size_t room)
{
    return (srv_arena_request){
        .core = core, .pages = SERVET_PAGES_BASE, .room = room, .most = pool.bytes};
}

static srv_arena *take(const srv_arena_request *request)
{
    srv_arena *arena = NULL;
    assert_ok(srv_arena_pool_take(&pool, request, &arena, NULL));
    assert_true(arena->room >= request->room);
    return arena;
}

/* Takes an arena, marks its first byte, and gives it back; returns its memory. */
static char *use(const srv_arena_request *request)
{
    srv_arena *arena = take(request);
    assert_ok(srv_arena_grow(arena, request->room, NULL));
    char *base = arena->base;
    base[0] = 42;
    srv_arena_pool_give(&pool, &arena);
    assert_null(arena);
    return base;
}

/* Bytes that the process has mapped; 0 where the system does not say. */
static double mapped_bytes(void)
{
    double pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (!stream)
        return 0;
    int found = fscanf(stream, "%lf", &pages);
    fclose(stream);
    return found < 1 ? 0 : pages * (double)sysconf(_SC_PAGESIZE);
}

TEST_EACH(begin, end)

TEST(memory_is_lent_again_on_its_node)
{
    const srv_arena_request first = request_of(0, 8 * MIB), near = request_of(1, 8 * MIB),
                            far = request_of(2, 8 * MIB);
    char *base = use(&first);
    srv_arena *other = take(&far), *same = take(&near);
    assert_ptr_equal(same->base, base);
    assert_int_equal(base[0], 42);
    assert_int_equal(same->bytes, 8 * MIB);
    assert_ptr_not_equal(other->base, base);
    assert_int_equal(other->bytes, 0);
    srv_arena_pool_give(&pool, &same);
    srv_arena_pool_give(&pool, &other);
}

TEST(other_pages_are_other_memory)
{
    const srv_arena_request base = request_of(0, MIB);
    srv_arena_request huge = base;
    huge.pages = SERVET_PAGES_HUGE;
    char *first = use(&base);
    srv_arena *arena = take(&huge);
    assert_ptr_not_equal(arena->base, first);
    assert_int_equal(arena->pages, SERVET_PAGES_HUGE);
    srv_arena_pool_give(&pool, &arena);
}

TEST(one_arena_is_lent_to_one)
{
    const srv_arena_request request = request_of(0, 8 * MIB);
    srv_arena *one = take(&request), *other = take(&request);
    assert_ptr_not_equal(one, other);
    assert_true(one->base + one->room <= other->base || other->base + other->room <= one->base);
    srv_arena_pool_give(&pool, &one);
    srv_arena_pool_give(&pool, &other);
}

TEST(small_sets_get_other_pages_each_time)
{
    const srv_arena_request whole = request_of(0, 48 * MIB), part = request_of(0, MIB);
    char *base = use(&whole);
    for (int i = 0; i < 8; i++)
        assert_ptr_equal(use(&part), base + (size_t)(i % 3) * 16 * MIB); /* the alignment */
}

/* Sizes that grow leave one arena of the largest size, which takes 16 MiB more for its alignment.
 */
TEST(an_arena_that_is_too_small_is_replaced)
{
    double before = mapped_bytes();
    if (before == 0)
        test_skip("the system does not say how much is mapped");
    for (size_t size = 1; size <= 8; size++) {
        const srv_arena_request request = request_of(0, size * MIB);
        use(&request);
    }
    assert_true(mapped_bytes() - before < (8 + 16 + 1) * (double)MIB);
}

TEST(arenas_that_nobody_uses_make_room)
{
    double before = mapped_bytes();
    if (before == 0)
        test_skip("the system does not say how much is mapped");
    const srv_arena_request far = request_of(2, 40 * MIB), near = request_of(0, 30 * MIB);
    use(&far);
    srv_arena *one = take(&near), *other = take(&near);
    assert_true(mapped_bytes() - before < pool.bytes + 2 * 16 * (double)MIB + (double)MIB);
    srv_arena_pool_give(&pool, &one);
    srv_arena_pool_give(&pool, &other);
}

TEST(nobody_gets_more_than_its_part)
{
    srv_arena_request whole = request_of(0, 48 * MIB), part = request_of(0, 8 * MIB);
    use(&whole);
    part.most = 16.0 * (double)MIB;
    srv_arena *arena = take(&part);
    assert_int_equal(arena->room, 8 * MIB);
    srv_arena_pool_give(&pool, &arena);
}
