/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "sample_model.h"

enum { PUS = 4 };

srv_model *sample_model(void)
{
    srv_model *model = calloc(1, sizeof *model);
    int *os_index = calloc(PUS, sizeof *os_index);
    if (!model || !os_index)
        abort();
    for (int i = 0; i < PUS; i++)
        os_index[i] = PUS - 1 - i;
    *model = (srv_model){
        .name = "sample",
        .machine = {.cores = "0-3", .pu_count = PUS, .memory_bytes = 4e9, .page_bytes = 4096},
        .node_count = 1,
        .pu_count = PUS,
        .smt = 1,
        .os_index = os_index,
        .core_type_count = 1,
        .core_type = {{"all", 0, PUS, 1, 1}},
        .cache_count = 2,
        .cache = {{.level = 1, .bytes = 4 << 10, .ways = 4, .latency_cycles = 2},
                  {.level = 2, .bytes = 64 << 10, .ways = 8, .latency_cycles = 10}},
        .placement = SRV_PAGES_RANDOM,
        .memory_latency_ns = 100,
    };
    for (int i = 0; i < model->cache_count; i++) {
        model->cache[i].line_bytes = 64;
        model->cache[i].slices = 1;
        model->cache[i].pus_per_instance = i + 1;
        model->cache[i].inclusion = SRV_NON_INCLUSIVE;
        model->cache[i].replacement = SRV_REPLACE_LRU;
    }
    model->cache[0].virtually_indexed = true;
    return model;
}

TEST_KEEPS(srv_machine, srv_machine_destroy)
TEST_KEEPS(srv_model, srv_model_free)

srv_machine *machine_of_model(srv_model *model)
{
    srv_machine *machine;
    assert_ok(srv_simulated_from(&machine, model, NULL));
    return keep_srv_machine(machine);
}

srv_machine *shipped_machine(const char *name)
{
    srv_machine *machine;
    assert_ok(srv_simulated_create(&machine, name, NULL));
    return keep_srv_machine(machine);
}

srv_model *shipped_model(const char *name)
{
    srv_model *model;
    assert_ok(srv_model_read(&model, name, NULL));
    return keep_srv_model(model);
}

srv_model *kept_model(srv_model *model)
{
    return keep_srv_model(model);
}
