/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads model files, damaged ones too, and searches for them. */
#include "test.h"

#include <unistd.h>

#include "alloc.h"
#include "model_file.h"

/* --- what is read ----------------------------------------------------------------------------- */

TEST_EACH(model_file_begin, model_file_end)

TEST(absent_members_have_their_defaults)
{
    srv_model *model = model_file_read(model_least);
    const srv_model_cache *cache = &model->cache[0];
    assert_string_equal(model->name, "node"); /* after the file */
    assert_string_equal(model->about, "");
    assert_string_equal(model->machine.hostname, "node");
    assert_string_equal(model->machine.os, "Linux");
    assert_string_equal(model->machine.cores, "0-11");
    assert_int_equal(model->machine.pu_count, 12);
    assert_int_equal(model->machine.core_count, 12);
    assert_int_equal(model->machine.package_count, 1);
    assert_int_equal(model->machine.numa_count, 1);
    assert_true(model->machine.page_bytes == 4096);
    assert_int_equal(model->node_count, 1);
    assert_int_equal(model->pu_count, 12);
    assert_int_equal(model->smt, 1);
    for (int i = 0; i < 12; i++)
        assert_int_equal(model->os_index[i], i);
    assert_int_equal(model->core_type_count, 1);
    assert_string_equal(model->core_type[0].name, "all");
    assert_int_equal(model->core_type[0].pu_count, 12);
    assert_int_equal(model->core_type[0].smt, 1);
    assert_true(model->core_type[0].clock_ghz == 2.5);
    assert_true(cache->line_bytes == 64);
    assert_int_equal(cache->first_pu, 0);
    assert_int_equal(cache->pu_count, 12);
    assert_int_equal(cache->pus_per_instance, 1);
    assert_int_equal(cache->inclusion, SRV_NON_INCLUSIVE);
    assert_int_equal(cache->replacement, SRV_REPLACE_LRU);
    assert_int_equal(cache->slices, 1);
    assert_true(cache->virtually_indexed);
    assert_false(cache->hidden);
    assert_true(cache->reported_bytes == 0 && cache->turnover_ms == 0);
    assert_int_equal(model->placement, SRV_PAGES_RANDOM);
    assert_true(model->huge_bytes == 0);
    assert_int_equal(model->tlb_count + model->prefetcher_count + model->domain_count, 0);
    assert_int_equal(model->distance_count + model->layer_count, 0);
    assert_int_equal(model->network.type, SRV_NETWORK_CROSSBAR);
    assert_true(model->noise.outlier_factor == 1);
    assert_true(model->noise.jitter + model->noise.steal + model->noise.drift == 0);
    assert_true(model->noise.sibling.busy == 0);
}

static srv_model_sibling read_sibling(const char *members)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"model\": 1, \"cores\": 1, \"clock_ghz\": 2,\n"
        " \"caches\": [{\"level\": 1, \"bytes\": 4096, \"ways\": 4, \"latency_cycles\": 4}],\n"
        " \"memory\": {\"bytes\": \"1G\", \"latency_ns\": 80, \"core_bytes_per_second\": 1e9},\n"
        " \"noise\": {\"sibling\": {%s}}}",
        members);
    srv_model *model = model_file_read(text);
    srv_model_sibling sibling = model->noise.sibling;
    return sibling;
}

TEST(members_of_a_sibling)
{
    srv_model_sibling all = read_sibling("\"busy\": 0.25, \"burst_ms\": 0.5, \"levels\": 1");
    srv_model_sibling least = read_sibling("\"busy\": 0.25");
    assert_true(all.busy == 0.25 && all.burst_ms == 0.5 && all.levels == 1);
    assert_true(least.busy == 0.25 && least.burst_ms == 5 && least.levels == 2);
}

TEST(members_of_the_node)
{
    static const int numbers[] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 5, 6, 7, 12, 13, 14, 15};
    srv_model *model = model_file_read(model_full);
    assert_string_equal(model->name, "full");
    assert_string_equal(model->about, "every member");
    assert_int_equal(model->node_count, 8);
    assert_string_equal(model->machine.hostname, "full");
    assert_string_equal(model->machine.cpu, "Imaginary 9000");
    assert_string_equal(model->machine.architecture, "m68k");
    assert_string_equal(model->machine.os, "Linux 7.0");
    assert_string_equal(model->machine.cores, "0-15");
    assert_int_equal(model->machine.package_count, 2);
    assert_int_equal(model->machine.numa_count, 4);
    assert_int_equal(model->machine.core_count, 8);
    assert_int_equal(model->pu_count, 16);
    assert_int_equal(model->smt, 2);
    assert_memory_equal(model->os_index, numbers, sizeof numbers);
    assert_true(model->core_type[0].clock_ghz == 2.5);
    assert_int_equal(model->core_type[0].smt, 2);
}

TEST(members_of_caches)
{
    srv_model *model = model_file_read(model_full);
    const srv_model_cache *l1 = &model->cache[0], *l2 = &model->cache[1], *l3 = &model->cache[2];
    assert_int_equal(model->cache_count, 3);
    assert_true(l1->bytes == 48 * 1024 && l2->bytes == 1310720 && l3->bytes == 24 << 20);
    assert_int_equal(l1->ways, 12);
    assert_int_equal(l2->ways, 10);
    assert_true(l1->line_bytes == 64 && l2->line_bytes == 128);
    assert_true(l1->latency_cycles == 5 && l2->latency_cycles == 14.5);
    assert_int_equal(l1->pus_per_instance, 2); /* one core's */
    assert_int_equal(l2->pus_per_instance, 4);
    assert_int_equal(l3->pus_per_instance, 8);
    assert_int_equal(l2->inclusion, SRV_INCLUSIVE);
    assert_int_equal(l3->inclusion, SRV_VICTIM);
    assert_int_equal(l2->replacement, SRV_REPLACE_PLRU);
    assert_int_equal(l3->replacement, SRV_REPLACE_ADAPTIVE);
    assert_true(l1->virtually_indexed);
    assert_false(l2->virtually_indexed || l3->virtually_indexed);
    assert_int_equal(l3->slices, 8);
    assert_true(l3->hidden && !l2->hidden);
    assert_true(l3->reported_bytes == 96 << 20 && l3->turnover_ms == 20);
}

TEST(members_of_memory)
{
    srv_model *model = model_file_read(model_full);
    assert_int_equal(model->tlb_count, 2);
    assert_int_equal(model->tlb[0].ways, 0);
    assert_int_equal(model->tlb[1].entries, 1536);
    assert_int_equal(model->tlb[1].ways, 6);
    assert_true(model->tlb[1].penalty_cycles == 30);
    assert_int_equal(model->prefetcher_count, 2);
    assert_int_equal(model->prefetcher[0].type, SRV_PREFETCH_NEXT_LINE);
    assert_int_equal(model->prefetcher[0].level, 1);
    assert_int_equal(model->prefetcher[1].type, SRV_PREFETCH_STREAM);
    assert_int_equal(model->prefetcher[1].level, 2);
    assert_true(model->prefetcher[1].reach_bytes == 2048);
    assert_true(model->machine.page_bytes == 16384 && model->huge_bytes == 2 << 20);
    assert_int_equal(model->placement, SRV_PAGES_HUGE);
    assert_true(model->machine.memory_bytes == 64.0 * (1 << 30));
    assert_true(model->memory_latency_ns == 90);
    assert_true(model->memory_bytes_per_second_core == 12e9);
    assert_int_equal(model->domain_count, 2);
    assert_string_equal(model->domain[0].name, "controller");
    assert_int_equal(model->domain[0].pus, 8);
    assert_int_equal(model->domain[1].pus, 16); /* the whole node */
    assert_true(model->domain[0].contended_bytes_per_second == 38e9);
    assert_true(model->domain[1].bytes_per_second == 70e9);
    assert_true(model->domain[1].contended_bytes_per_second == 0);
    assert_int_equal(model->remote_count, 2);
    assert_int_equal(model->remote[0].pus, 8);
    assert_true(model->remote[0].latency_ns == 95);
    assert_true(model->remote[0].link_bytes_per_second == 0);
    assert_true(model->remote[1].core_bytes_per_second == 7.5e9);
    assert_true(model->remote[1].link_bytes_per_second == 22e9);
}

TEST(members_of_communication)
{
    srv_model *model = model_file_read(model_full);
    const srv_model_layer *layer = model->layer;
    assert_int_equal(model->distance_count, 3);
    assert_int_equal(model->distance[1].pus, 4);
    assert_true(model->distance[1].ns == 20);
    assert_int_equal(model->layer_count, 3);
    assert_int_equal(layer[0].pus, 8);
    assert_int_equal(layer[2].pus, 0);
    assert_int_equal(layer[0].protocol_count, 2);
    assert_true(layer[0].protocol[0].bytes == 0 && layer[0].protocol[1].bytes == 16384);
    assert_true(layer[0].protocol[1].latency_us == 2);
    assert_true(layer[0].protocol[1].bytes_per_second == 9e9);
    assert_true(layer[0].shared_bytes_per_second == 0);
    assert_true(layer[1].shared_bytes_per_second == 10e9);
    assert_int_equal(model->network.type, SRV_NETWORK_TREE);
    assert_int_equal(model->network.dimension_count, 2);
    assert_int_equal(model->network.dimensions[0], 4);
    assert_int_equal(model->network.dimensions[1], 2);
    assert_true(model->network.oversubscription[0] == 2);
    assert_true(model->network.oversubscription[1] == 1.5);
    assert_true(model->network.link_bytes_per_second == 12e9);
    assert_true(model->network.nic_bytes_per_second == 10e9);
    assert_true(model->network.hop_us == 0.25);
    assert_true(model->noise.jitter == 0.03 && model->noise.outlier_share == 0.01);
    assert_true(model->noise.outlier_factor == 4 && model->noise.steal == 0.02);
    assert_true(model->noise.drift == 0.125);
}

TEST(two_kinds_of_cores)
{
    srv_model *model = model_file_read(model_hybrid);
    assert_int_equal(model->pu_count, 8);
    assert_int_equal(model->machine.core_count, 6);
    assert_int_equal(model->smt, 2);
    assert_string_equal(model->core_type[1].name, "small");
    assert_int_equal(model->core_type[1].first_pu, 4);
    assert_int_equal(model->core_type[1].pu_count, 4);
    assert_int_equal(model->core_type[1].smt, 1);
    assert_true(model->core_type[0].clock_ghz == 5 && model->core_type[1].clock_ghz == 4);
    assert_int_equal(model->cache[0].pus_per_instance, 2);
    assert_int_equal(model->cache[1].first_pu, 4);
    assert_int_equal(model->cache[1].pu_count, 4);
    assert_int_equal(model->cache[1].pus_per_instance, 1);
    assert_int_equal(model->cache[2].first_pu, 0);
    assert_int_equal(model->cache[2].pu_count, 8);
}

/* --- damage ----------------------------------------------------------------------------------- */

/* Files are changed in place: some file systems flush what is truncated and written anew. */

TEST(truncated_at_any_byte)
{
    servet_error error;
    size_t length = strlen(model_full) - 1; /* all but the last newline */
    model_file_store(model_full, length);
    assert_ok(model_file_try(&error));
    while (length-- > 0) {
        assert_int_equal(truncate(model_path, (off_t)length), 0);
        assert_int_equal(model_file_try(&error), SERVET_EFORMAT);
    }
}

TEST(any_byte_overwritten)
{
    static const char garbage[] = {'\0', '\xff', '{', ']', '"', '9', '-'};
    servet_error error;
    model_file_store(model_full, strlen(model_full));
    FILE *stream = fopen(model_path, "r+");
    assert_non_null(stream);
    setbuf(stream, NULL);
    for (size_t i = 0; i < sizeof garbage * strlen(model_full); i += test_step(1)) {
        long at = (long)(i / sizeof garbage);
        assert_int_equal(fseek(stream, at, SEEK_SET), 0);
        fputc(garbage[i % sizeof garbage], stream);
        int code = model_file_try(&error); /* a 9 in a text is valid; it must not crash */
        assert_true(code == SERVET_OK || code == SERVET_EFORMAT || code == SERVET_EVERSION);
        assert_int_equal(fseek(stream, at, SEEK_SET), 0);
        fputc(model_full[at], stream);
    }
    fclose(stream);
}

static int read_stored(void *context)
{
    (void)context;
    srv_model *model = NULL;
    int code = srv_model_read(&model, model_path, NULL);
    assert_true((model == NULL) == (code != SERVET_OK));
    srv_model_free(model);
    return code;
}

/* The text, the room for its texts, the file, the numbering twice, the model. */
TEST(any_allocation_fails)
{
    model_file_store(model_full, strlen(model_full));
    assert_int_equal(alloc_fail_everywhere(read_stored, NULL), 6);
}

/* --- where models are looked for -------------------------------------------------------------- */

TEST(a_name_means_a_shipped_model)
{
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    model_file_store(model_least, strlen(model_least));
    assert_ok(srv_model_read(&model, "node", &error));
    assert_string_equal(model->name, "node");
    srv_model_free(model);
    assert_int_equal(srv_model_read(&model, "nodes", &error), SERVET_ENOTFOUND);
    assert_string_equal(error.text,
                        "no model 'nodes'; 'servet measure --machines' lists the models");
}

TEST(a_path_means_a_file)
{
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    model_file_store(model_least, strlen(model_least));
    assert_int_equal(srv_model_read(&model, "node.json", &error), SERVET_ENOTFOUND);
    assert_string_equal(error.file, "node.json");
    error = (servet_error)SERVET_ERROR_INIT;
    assert_int_equal(srv_model_read(&model, "./node", &error), SERVET_ENOTFOUND);
    assert_string_equal(error.file, "./node");
    char name[2 * SERVET_ERROR_FILE_MAX];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    error = (servet_error)SERVET_ERROR_INIT;
    assert_int_equal(srv_model_read(&model, name, &error), SERVET_ENOTFOUND);
    assert_non_null(strstr(error.text, "too long"));
}
