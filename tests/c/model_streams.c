/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory kernels and NUMA nodes of models, worked out by hand. */
#include "test.h"

#include "sim/simulated.h"
#include "sample_model.h"

static const double GB = 1e9, MIB = 1 << 20;

/* The sample model (cores 3..0 are PUs 0..3) with two NUMA nodes of two PUs: 10 GB/s a core, 12
 * GB/s a node's controller, 6 GB/s and twice the latency from the other node, 9 GB/s the link to
 * it. */
static srv_model *two_nodes(void)
{
    srv_model *model = sample_model();
    model->machine.numa_count = 2;
    model->memory_bytes_per_second_core = 10 * GB;
    model->domain_count = 1;
    model->domain[0] = (srv_model_domain){"controller", 2, 12 * GB, 0};
    model->remote_count = 1;
    model->remote[0] = (srv_model_remote){4, 200, 6 * GB, 9 * GB};
    return model;
}

static srv_stream on_core(int core, int node)
{
    return (srv_stream){.core = core,
                        .kernel = SERVET_KERNEL_COPY_NT,
                        .bytes = 64 * MIB,
                        .node = node,
                        .seconds = 10e-3};
}

static void expect(srv_machine *machine, const srv_stream *streams, int count,
                   const double *expected)
{
    srv_spread rates[4];
    assert_ok(machine->ops->stream(machine, streams, count, rates, NULL));
    for (int i = 0; i < count; i++)
        assert_float_equal(rates[i].median / (expected[i] * GB), 1, 1e-9);
}

TEST(cores_share_the_bandwidth_of_their_memory)
{
    srv_machine *machine = machine_of_model(two_nodes());
    expect(machine, (srv_stream[]){on_core(3, 0)}, 1, (double[]){10});
    expect(machine, (srv_stream[]){on_core(3, 0), on_core(2, 0)}, 2, (double[]){6, 6});
    expect(machine, (srv_stream[]){on_core(3, 0), on_core(1, 0)}, 2, (double[]){10, 10});
}

/* Node 2 is that of cores 1 and 0. */
TEST(remote_memory_has_the_bandwidth_of_the_model)
{
    srv_machine *machine = machine_of_model(two_nodes());
    expect(machine, (srv_stream[]){on_core(3, 1)}, 1, (double[]){10});
    expect(machine, (srv_stream[]){on_core(3, 2)}, 1, (double[]){6});
    expect(machine, (srv_stream[]){on_core(3, 2), on_core(2, 2)}, 2, (double[]){4.5, 4.5});
    expect(machine, (srv_stream[]){on_core(3, 2), on_core(1, 2)}, 2, (double[]){6, 6});
    expect(machine, (srv_stream[]){on_core(3, 2), on_core(2, 2), on_core(1, 0)}, 3,
           (double[]){4, 4, 4});
    expect(machine, (srv_stream[]){on_core(3, 2), on_core(1, 1)}, 2, (double[]){6, 6});
}

/* 32 bytes in each of 2e9 cycles from L1; of L2 the model says nothing. */
TEST(arrays_that_fit_a_cache_are_loaded_from_it)
{
    srv_model *model = two_nodes();
    srv_spread rate;
    srv_stream stream = on_core(3, 0);
    model->cache[0].load_bytes_per_cycle = 32;
    model->core_type[0].clock_ghz = 2;
    srv_machine *machine = machine_of_model(model);
    stream.bytes = model->cache[0].bytes;
    stream.kernel = SERVET_KERNEL_READ;
    expect(machine, &stream, 1, (double[]){64});
    stream.bytes++;
    assert_int_equal(machine->ops->stream(machine, &stream, 1, &rate, NULL), SERVET_EUNSUPPORTED);
    stream.kernel = SERVET_KERNEL_COPY_NT;
    expect(machine, &stream, 1, (double[]){10});
}

TEST(a_bus_limits_local_and_remote_memory)
{
    srv_model *model = two_nodes();
    model->machine.numa_count = 1; /* now the domain is smaller than the node */
    model->remote_count = 0;
    srv_machine *machine = machine_of_model(model);
    expect(machine, (srv_stream[]){on_core(3, 1), on_core(2, 1)}, 2, (double[]){6, 6});
}

/* 10 GB/s move in all: a store of 8 B fetches 8 B first, unless it bypasses the caches. */
TEST(kernels_count_the_bytes_they_name)
{
    const double expected[SERVET_KERNEL_COUNT] = {10, 5, 10 * 2.0 / 3, 7.5, 10, 10, 10};
    srv_machine *machine = machine_of_model(two_nodes());
    for (int kernel = 0; kernel < SERVET_KERNEL_COUNT; kernel++) {
        srv_stream one = on_core(0, 0);
        one.kernel = (servet_kernel)kernel;
        expect(machine, &one, 1, &expected[kernel]);
    }
}

TEST(loads_from_another_node_take_longer)
{
    srv_machine *machine = machine_of_model(two_nodes());
    srv_traversal traversal = {
        .core = 3, .bytes = 16 * MIB, .line_bytes = 64, .chains = 1, .seconds = 4e-3};
    const double expected[] = {100, 100, 200};
    for (int node = 0; node <= 2; node++) {
        srv_timing timing;
        traversal.node = node;
        assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
        assert_float_equal(timing.spread.median / expected[node], 1, 0.01);
    }
}

TEST(numa_nodes_are_listed_with_their_cores)
{
    srv_numa numas[SRV_NUMA_MAX];
    int count;
    srv_machine *machine = machine_of_model(two_nodes());
    assert_ok(machine->ops->nodes(machine, numas, &count, NULL));
    assert_int_equal(count, 2);
    assert_string_equal(numas[0].cores, "2-3");
    assert_string_equal(numas[1].cores, "0-1");
    assert_int_equal(numas[1].number, 1);
    assert_float_equal(numas[0].bytes, 2e9, 1);
    machine = machine_of_model(sample_model());
    assert_ok(machine->ops->nodes(machine, numas, &count, NULL));
    assert_int_equal(count, 1);
    assert_string_equal(numas[0].cores, "0-3");
}

/* Touching 64 MiB, page by page, takes longer than 32; sampling takes its time. */
TEST(the_clock_adds_the_time_of_a_stream)
{
    srv_machine *machine = machine_of_model(two_nodes());
    srv_spread rate;
    double spent[3];
    srv_stream streams[3] = {on_core(0, 0), on_core(0, 0), on_core(0, 0)};
    streams[1].bytes /= 2;
    streams[2].seconds += 20e-3;
    for (int i = 0; i < 3; i++) {
        double before = machine->ops->elapsed(machine);
        assert_ok(machine->ops->stream(machine, &streams[i], 1, &rate, NULL));
        spent[i] = machine->ops->elapsed(machine) - before;
    }
    assert_true(spent[0] > 10e-3 && spent[0] < 100e-3);
    assert_true(spent[1] < spent[0]);
    assert_float_equal(spent[2] - spent[0], 20e-3, 1e-6);
}

TEST(noise_spreads_samples_around_the_truth)
{
    srv_model *model = two_nodes();
    model->noise = (srv_model_noise){.jitter = 0.05, .outlier_factor = 1};
    srv_machine *machine = machine_of_model(model);
    srv_stream one = on_core(0, 0);
    srv_spread rate;
    assert_ok(machine->ops->stream(machine, &one, 1, &rate, NULL));
    assert_float_equal(rate.median / (10 * GB), 1, 0.03);
    assert_float_equal((rate.high - rate.low) / rate.median, 2 * 0.674 * 0.05, 0.03);
}

TEST(probes_that_hardware_refuses_are_refused)
{
    srv_machine *machine = machine_of_model(two_nodes());
    srv_spread rates[2];
    srv_stream wrong[] = {on_core(4, 0), on_core(0, 3), on_core(0, -1), on_core(0, 0),
                          on_core(0, 0)};
    wrong[3].bytes = 0;
    wrong[4].kernel = SERVET_KERNEL_COUNT;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(machine->ops->stream(machine, &wrong[i], 1, rates, NULL),
                         SERVET_EARGUMENT);
    srv_stream twice[2] = {on_core(0, 0), on_core(0, 0)};
    assert_int_equal(machine->ops->stream(machine, twice, 2, rates, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->stream(machine, twice, 0, rates, NULL), SERVET_EARGUMENT);
    twice[0].bytes = 5e9;
    assert_int_equal(machine->ops->stream(machine, twice, 1, rates, NULL), SERVET_EMEMORY);
}
