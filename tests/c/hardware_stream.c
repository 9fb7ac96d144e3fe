/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory kernels on this node: they compute what their names say, on the requested memory, alone
 * and concurrently. */
#include "test.h"

#include "core/ranges.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/stream_sets.h"
#include "two_cores.h"

static const double MIB = 1 << 20;

enum { LENGTH = 4 * SRV_STREAM_BLOCK, SENTINEL = 8 };

static double *array_of(double first)
{
    double *array = aligned_alloc(64, (LENGTH + SENTINEL) * sizeof *array);
    assert_non_null(array);
    for (int i = 0; i < LENGTH + SENTINEL; i++)
        array[i] = first + i;
    return array;
}

/* The expected element of the stored array after the kernel has run. */
static double expected(servet_kernel kernel, double a, double b, double c, double scalar)
{
    const char *name = servet_kernel_name(kernel);
    return strncmp(name, "read", 4) == 0    ? a
           : strncmp(name, "write", 5) == 0 ? scalar
           : strncmp(name, "copy", 4) == 0  ? b
                                            : b + scalar * c;
}

static void check_loop(const srv_stream_set *set, servet_kernel kernel)
{
    double *a = array_of(1000), *b = array_of(2000), *c = array_of(-3000);
    double scalar = 3.1;
    set->loop[kernel](a, b, c, LENGTH, 2);
    for (int i = 0; i < LENGTH + SENTINEL; i++) {
        double wanted =
            i < LENGTH ? expected(kernel, 1000 + i, 2000 + i, -3000 + i, scalar) : 1000 + i;
        if (a[i] < wanted - 1e-9 || a[i] > wanted + 1e-9)
            fail_msg("%s %s: [%d] is %g, not %g", set->name, servet_kernel_name(kernel), i, a[i],
                     wanted);
        assert_true(b[i] == 2000 + i && c[i] == -3000 + i);
    }
    free(a);
    free(b);
    free(c);
}

TEST(kernels_compute_what_their_names_say)
{
    int usable = 0;
    for (int i = 0; srv_stream_sets[i]; i++) {
        const srv_stream_set *set = srv_stream_sets[i];
        usable += set->usable();
        for (int kernel = 0; kernel < SERVET_KERNEL_COUNT && set->usable(); kernel++)
            if (set->loop[kernel])
                check_loop(set, (servet_kernel)kernel);
        for (int kernel = 0; kernel < SERVET_KERNEL_WRITE_NT; kernel++)
            assert_non_null(set->loop[kernel]);
    }
    assert_true(usable > 0);
}

static srv_stream stream(int core, servet_kernel kernel, double bytes)
{
    return (srv_stream){.core = core,
                        .kernel = kernel,
                        .bytes = bytes,
                        .pages = SERVET_PAGES_HUGE,
                        .seconds = 2e-3};
}

/* Bytes per second that memcpy() loads and stores, by the system's clock: the best of some. */
static double copied_rate(void)
{
    enum { TRIES = 9 };
    size_t bytes = (size_t)(16 * MIB);
    char *from = malloc(bytes), *to = malloc(bytes);
    double least = INFINITY;
    assert_true(from && to);
    memset(from, 1, bytes);
    for (int i = 0; i < TRIES; i++) {
        double start = srv_clock_raw_ns();
        memcpy(to, from, bytes);
        __asm__ volatile("" : : "r"(to) : "memory");
        least = fmin(least, srv_clock_raw_ns() - start);
    }
    free(from);
    free(to);
    return 2.0 * (double)bytes / least * 1e9;
}

/* No loop over arrays is a hundred times as fast as the C library's, nor as slow. */
TEST(every_kernel_has_a_rate)
{
    double copied = copied_rate();
    for (int kernel = 0; kernel < SERVET_KERNEL_COUNT; kernel++) {
        srv_stream one = stream(cores[0], (servet_kernel)kernel, 16 * MIB);
        srv_spread rate = {0};
        int code = machine->ops->stream(machine, &one, 1, &rate, NULL);
        assert_true(code == SERVET_OK ||
                    (code == SERVET_EUNSUPPORTED && kernel >= SERVET_KERNEL_WRITE_NT));
        if (code != SERVET_OK)
            continue;
        assert_true(rate.n >= 9);
        assert_true(rate.low <= rate.median && rate.median <= rate.high);
        assert_true(rate.median > copied / 100 && rate.high < copied * 100);
    }
}

/* Sets that every cache holds, and one that none does: no processor loads from memory as fast. */
TEST(small_arrays_are_loaded_from_a_cache)
{
    if (TEST_SANITIZED)
        test_skip("with sanitizers the loop takes longer than memory");
    srv_stream near = stream(cores[0], SERVET_KERNEL_READ, 4096);
    srv_stream far = stream(cores[0], SERVET_KERNEL_READ, 256 * MIB);
    srv_spread from_cache, from_memory;
    assert_ok(machine->ops->stream(machine, &near, 1, &from_cache, NULL));
    assert_ok(machine->ops->stream(machine, &far, 1, &from_memory, NULL));
    assert_true(from_cache.high > 1.5 * from_memory.low);
}

TEST(two_cores_stream_at_once)
{
    needs_two_cores();
    srv_stream both[2] = {stream(cores[0], SERVET_KERNEL_COPY, 16 * MIB),
                          stream(cores[1], SERVET_KERNEL_READ, 16 * MIB)};
    srv_spread rates[2] = {{.n = 0}, {.n = 0}};
    assert_ok(machine->ops->stream(machine, both, 2, rates, NULL));
    assert_true(rates[0].n >= 9 && rates[1].n >= 9);
}

TEST(invalid_probes_are_refused)
{
    srv_spread rates[2];
    srv_stream right = stream(cores[0], SERVET_KERNEL_COPY, MIB), wrong[2] = {right, right};
    assert_int_equal(machine->ops->stream(machine, wrong, 2, rates, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->stream(machine, wrong, 0, rates, NULL), SERVET_EARGUMENT);
    wrong[0].bytes = 0;
    assert_int_equal(machine->ops->stream(machine, wrong, 1, rates, NULL), SERVET_EARGUMENT);
    wrong[0] = right;
    wrong[0].kernel = SERVET_KERNEL_COUNT;
    assert_int_equal(machine->ops->stream(machine, wrong, 1, rates, NULL), SERVET_EARGUMENT);
    wrong[0] = right;
    wrong[0].core = 1000000;
    assert_int_equal(machine->ops->stream(machine, wrong, 1, rates, NULL), SERVET_EMACHINE);
    wrong[0] = right;
    wrong[0].bytes = 1e18;
    assert_int_equal(machine->ops->stream(machine, wrong, 1, rates, NULL), SERVET_EMEMORY);
}

TEST(every_core_is_near_one_node_at_most)
{
    srv_numa numas[SRV_NUMA_MAX];
    int count = 0;
    assert_ok(machine->ops->nodes(machine, numas, &count, NULL));
    assert_true(count >= 1 && count <= SRV_NUMA_MAX);
    for (int k = 0; k < core_count; k++) {
        int near = 0;
        for (int i = 0; i < count; i++)
            near += srv_ranges_contain(numas[i].cores, cores[k]);
        assert_true(near <= 1);
    }
    for (int i = 1; i < count; i++)
        assert_true(numas[i].number > numas[i - 1].number);
}

TEST(memory_of_a_node_can_be_requested)
{
    srv_numa numas[SRV_NUMA_MAX];
    srv_stream one = stream(cores[0], SERVET_KERNEL_READ, MIB);
    srv_traversal traversal = {.core = cores[0], .bytes = MIB, .line_bytes = 64, .chains = 1};
    srv_spread rate;
    srv_timing timing;
    int count = 0;
    assert_ok(machine->ops->nodes(machine, numas, &count, NULL));
    one.node = traversal.node = count + 1;
    for (int again = 0; again < 2; again++) /* what was refused is not kept as if it were there */
        assert_int_equal(machine->ops->stream(machine, &one, 1, &rate, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->traverse(machine, &traversal, 1, &timing, NULL),
                     SERVET_EARGUMENT);
    one.node = traversal.node = count;
    int code = machine->ops->stream(machine, &one, 1, &rate, NULL);
    if (code == SERVET_EUNSUPPORTED)
        test_skip("memory cannot be bound, as in some containers");
    assert_ok(code);
    assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
}

TEST_GROUP(two_cores_begin, two_cores_end)
