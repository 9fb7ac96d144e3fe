/* SPDX-License-Identifier: BSD-3-Clause */
/* Model files: what is read from them, and what is refused with which words at which line. */
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "machine/model/model.h"
#include "machine/model/simulated.h"

/* As little as a model can say. */
static const char least[] =
    "{\n"
    "  \"model\": 1,\n"
    "  \"cores\": 12,\n"
    "  \"clock_ghz\": 2.5,\n"
    "  \"caches\": [\n"
    "    {\"level\": 1, \"bytes\": 32768, \"ways\": 8, \"latency_cycles\": 4}\n"
    "  ],\n"
    "  \"memory\": {\"bytes\": 1073741824, \"latency_ns\": 80, \"core_bytes_per_second\": 1e9}\n"
    "}\n";

/* Every member once, none at its default; two PUs a core, two cores an L2, four an L3. */
static const char full[] =
    "{\n"
    "  \"model\": 1,\n"
    "  \"comment\": \"anything\",\n"
    "  \"name\": \"full\",\n"
    "  \"about\": \"every member\",\n"
    "  \"nodes\": 8,\n"
    "  \"cpu\": \"Imaginary 9000\",\n"
    "  \"architecture\": \"m68k\",\n"
    "  \"os\": \"Linux 7.0\",\n"
    "  \"packages\": 2,\n"
    "  \"numa_nodes\": 4,\n"
    "  \"cores\": 8,\n"
    "  \"smt\": 2,\n"
    "  \"clock_ghz\": 2.5,\n"
    "  \"os_numbering\": \"0,8, 1,9, 2,10, 3,11, 4-7, 12-15\",\n"
    "  \"caches\": [\n"
    "    {\"level\": 1, \"bytes\": \"48K\", \"ways\": 12, \"latency_cycles\": 5, \"indexed\": "
    "\"physical\"},\n"
    "    {\"level\": 2, \"bytes\": \"1.25M\", \"ways\": 10, \"line_bytes\": 128, "
    "\"latency_cycles\": 14.5,\n"
    "     \"shared_by\": 4, \"inclusion\": \"inclusive\", \"replacement\": \"tree-plru\", "
    "\"indexed\": \"virtual\"},\n"
    "    {\"level\": 3, \"bytes\": \"24M\", \"ways\": 12, \"line_bytes\": 128, \"latency_cycles\": "
    "60, \"shared_by\": 8,\n"
    "     \"inclusion\": \"victim\", \"replacement\": \"adaptive\", \"slices\": 8, \"hidden\": "
    "true,\n"
    "     \"reported_bytes\": \"96M\", \"turnover_ms\": 20}\n"
    "  ],\n"
    "  \"tlbs\": [\n"
    "    {\"entries\": 64, \"penalty_cycles\": 7},\n"
    "    {\"entries\": 1536, \"ways\": 6, \"penalty_cycles\": 30}\n"
    "  ],\n"
    "  \"prefetchers\": [\n"
    "    {\"kind\": \"next-line\"},\n"
    "    {\"kind\": \"stream\", \"level\": 2, \"reach_bytes\": \"2K\"}\n"
    "  ],\n"
    "  \"pages\": {\"bytes\": \"16K\", \"placement\": \"huge\", \"huge_bytes\": \"2M\"},\n"
    "  \"memory\": {\n"
    "    \"bytes\": \"64G\",\n"
    "    \"latency_ns\": 90,\n"
    "    \"core_bytes_per_second\": 12e9,\n"
    "    \"domains\": [\n"
    "      {\"name\": \"controller\", \"shared_by\": 8, \"bytes_per_second\": 40e9,\n"
    "       \"contended_bytes_per_second\": 38e9},\n"
    "      {\"name\": \"node\", \"bytes_per_second\": 70e9}\n"
    "    ],\n"
    "    \"remote\": [\n"
    "      {\"latency_ns\": 95, \"within\": 8, \"core_bytes_per_second\": 10e9},\n"
    "      {\"latency_ns\": 150, \"within\": 16, \"core_bytes_per_second\": 7.5e9,\n"
    "       \"link_bytes_per_second\": 22e9}\n"
    "    ]\n"
    "  },\n"
    "  \"line_transfer\": [\n"
    "    {\"within\": 2, \"ns\": 5},\n"
    "    {\"within\": 4, \"ns\": 20},\n"
    "    {\"within\": 16, \"ns\": 90}\n"
    "  ],\n"
    "  \"messages\": [\n"
    "    {\"within\": 8, \"protocols\": [\n"
    "      {\"latency_us\": 0.5, \"bytes_per_second\": 8e9},\n"
    "      {\"from_bytes\": \"16K\", \"latency_us\": 2, \"bytes_per_second\": 9e9}]},\n"
    "    {\"within\": 16, \"shared_bytes_per_second\": 10e9, \"protocols\": [\n"
    "      {\"latency_us\": 0.75, \"bytes_per_second\": 6e9}]},\n"
    "    {\"protocols\": [\n"
    "      {\"latency_us\": 1.5, \"bytes_per_second\": 5e9}]}\n"
    "  ],\n"
    "  \"network\": {\n"
    "    \"kind\": \"tree\",\n"
    "    \"dimensions\": [4, 2],\n"
    "    \"oversubscription\": [2, 1.5],\n"
    "    \"link_bytes_per_second\": 12e9,\n"
    "    \"nic_bytes_per_second\": 10e9,\n"
    "    \"hop_us\": 0.25\n"
    "  },\n"
    "  \"noise\": {\"jitter\": 0.03, \"outlier_share\": 0.01, \"outlier_factor\": 4, \"steal\": "
    "0.02, \"drift\": 0.125}\n"
    "}\n";

/* Two kinds of cores under one L2. */
static const char hybrid[] =
    "{\n"
    "  \"model\": 1,\n"
    "  \"kinds\": [\n"
    "    {\"name\": \"big\", \"cores\": 2, \"smt\": 2, \"clock_ghz\": 5},\n"
    "    {\"name\": \"small\", \"cores\": 4, \"clock_ghz\": 4}\n"
    "  ],\n"
    "  \"caches\": [\n"
    "    {\"level\": 1, \"kind\": \"big\", \"bytes\": \"48K\", \"ways\": 12, \"latency_cycles\": "
    "5},\n"
    "    {\"level\": 1, \"kind\": \"small\", \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": "
    "3},\n"
    "    {\"level\": 2, \"bytes\": \"4M\", \"ways\": 16, \"latency_cycles\": 20, \"shared_by\": "
    "8}\n"
    "  ],\n"
    "  \"memory\": {\"bytes\": \"1G\", \"latency_ns\": 80, \"core_bytes_per_second\": 1e9}\n"
    "}\n";

static char folder[64], path[96];

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/servet-model-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/node.json", folder);
    return setenv("SERVET_MODELS", folder, 1);
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void store(const char *text, size_t size)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static srv_model *read_text(const char *text)
{
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    store(text, strlen(text));
    if (srv_model_read(&model, path, &error) != SERVET_OK)
        fail_msg("%d: %s", error.line, error.text);
    return model;
}

/* Reads what was stored; what fails hands over nothing and says where in one line. */
static int try_read(servet_error *error)
{
    srv_model *model = NULL;
    *error = (servet_error)SERVET_ERROR_INIT;
    int code = srv_model_read(&model, path, error);
    if (code == SERVET_OK) {
        srv_model_free(model);
        return code;
    }
    assert_null(model);
    assert_int_equal(error->code, code);
    assert_string_equal(error->file, path);
    assert_true(error->line >= 1);
    assert_true(*error->text != '\0' && !strpbrk(error->text, "\n\r\t"));
    return code;
}

/* --- what is read ----------------------------------------------------------------------------- */

static void absent_members_have_their_defaults(void **state)
{
    (void)state;
    srv_model *model = read_text(least);
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
    assert_int_equal(model->kind_count, 1);
    assert_string_equal(model->kind[0].name, "all");
    assert_int_equal(model->kind[0].pu_count, 12);
    assert_int_equal(model->kind[0].smt, 1);
    assert_true(model->kind[0].clock_ghz == 2.5);
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
    assert_int_equal(model->network.kind, SRV_NETWORK_CROSSBAR);
    assert_true(model->noise.outlier_factor == 1);
    assert_true(model->noise.jitter + model->noise.steal + model->noise.drift == 0);
    srv_model_free(model);
}

static void members_of_the_node(void **state)
{
    (void)state;
    static const int numbers[] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 5, 6, 7, 12, 13, 14, 15};
    srv_model *model = read_text(full);
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
    assert_true(model->kind[0].clock_ghz == 2.5);
    assert_int_equal(model->kind[0].smt, 2);
    srv_model_free(model);
}

static void members_of_caches(void **state)
{
    (void)state;
    srv_model *model = read_text(full);
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
    assert_false(l1->virtually_indexed);
    assert_true(l2->virtually_indexed);
    assert_false(l3->virtually_indexed); /* as usual below level 1 */
    assert_int_equal(l3->slices, 8);
    assert_true(l3->hidden && !l2->hidden);
    assert_true(l3->reported_bytes == 96 << 20 && l3->turnover_ms == 20);
    srv_model_free(model);
}

static void members_of_memory(void **state)
{
    (void)state;
    srv_model *model = read_text(full);
    assert_int_equal(model->tlb_count, 2);
    assert_int_equal(model->tlb[0].ways, 0);
    assert_int_equal(model->tlb[1].entries, 1536);
    assert_int_equal(model->tlb[1].ways, 6);
    assert_true(model->tlb[1].penalty_cycles == 30);
    assert_int_equal(model->prefetcher_count, 2);
    assert_int_equal(model->prefetcher[0].kind, SRV_PREFETCH_NEXT_LINE);
    assert_int_equal(model->prefetcher[0].level, 1);
    assert_int_equal(model->prefetcher[1].kind, SRV_PREFETCH_STREAM);
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
    srv_model_free(model);
}

static void members_of_communication(void **state)
{
    (void)state;
    srv_model *model = read_text(full);
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
    assert_int_equal(model->network.kind, SRV_NETWORK_TREE);
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
    srv_model_free(model);
}

static void two_kinds_of_cores(void **state)
{
    (void)state;
    srv_model *model = read_text(hybrid);
    assert_int_equal(model->pu_count, 8);
    assert_int_equal(model->machine.core_count, 6);
    assert_int_equal(model->smt, 2);
    assert_string_equal(model->kind[1].name, "small");
    assert_int_equal(model->kind[1].first_pu, 4);
    assert_int_equal(model->kind[1].pu_count, 4);
    assert_int_equal(model->kind[1].smt, 1);
    assert_true(model->kind[0].clock_ghz == 5 && model->kind[1].clock_ghz == 4);
    assert_int_equal(model->cache[0].pus_per_instance, 2);
    assert_int_equal(model->cache[1].first_pu, 4);
    assert_int_equal(model->cache[1].pu_count, 4);
    assert_int_equal(model->cache[1].pus_per_instance, 1);
    assert_int_equal(model->cache[2].first_pu, 0);
    assert_int_equal(model->cache[2].pu_count, 8);
    srv_model_free(model);
}

/* --- what is refused -------------------------------------------------------------------------- */

typedef struct edit {
    const char *from, *to;    /* `from` is there once */
    const char *where, *what; /* the member, and a part of what is said of it */
} edit;

static int line_of(const char *text, const char *part)
{
    int line = 1;
    const char *end = strstr(text, part);
    assert_non_null(end);
    for (; text < end; text++)
        line += *text == '\n';
    return line;
}

static void replace(const char *base, const char *from, const char *to, char *text, size_t size)
{
    const char *at = strstr(base, from);
    if (!at || strstr(at + 1, from))
        fail_msg("'%s' is not there once", from);
    snprintf(text, size, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from));
}

/* The file with one edit is refused, and the error leads to the line given. */
static void refused_at(const char *base, const edit *change, int line, int expected)
{
    char text[8192];
    servet_error error;
    size_t length = strlen(change->where);
    replace(base, change->from, change->to, text, sizeof text);
    store(text, strlen(text));
    int code = try_read(&error);
    if (code != expected || strncmp(error.text, change->where, length) != 0 ||
        strncmp(error.text + length, ": ", 2) != 0 || !strstr(error.text, change->what))
        fail_msg("%s -> %s: %d, '%s'", change->from, change->to, code, error.text);
    if (error.line != line)
        fail_msg("%s -> %s: line %d, not %d", change->from, change->to, error.line, line);
}

#define REFUSES(base, edits)                                                                       \
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)                                      \
    refused_at(base, &edits[i], line_of(base, edits[i].from), SERVET_EFORMAT)

static void unknown_words(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"turnover_ms\"", "\"turn_ms\"", "caches[2].turn_ms",
         "unknown member; known: level, bytes, ways"},
        {"\"cpu\"", "\"cpus\"", "cpus", "unknown member; known: model, name, about"},
        {"\"jitter\"", "\"jiter\"", "noise.jiter", "unknown member; known: jitter"},
        {"\"adaptive\"", "\"fifo\"", "caches[2].replacement",
         "unknown word 'fifo'; known: lru, tree-plru, random, adaptive"},
        {"\"victim\"", "\"none\"", "caches[2].inclusion",
         "known: inclusive, non-inclusive, exclusive, victim"},
        {"\"virtual\"", "\"real\"", "caches[1].indexed", "known: usual, virtual, physical"},
        {"\"huge\"", "\"big\"", "pages.placement", "known: random, coloured, huge"},
        {"\"stream\"", "\"clever\"", "prefetchers[1].kind", "known: next-line, stride, stream"},
        {"\"tree\"", "\"ring\"", "network.kind", "known: crossbar, torus, tree"},
    };
    REFUSES(full, edits);
}

static void wrong_types_and_ranges(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"model\": 1", "\"model\": 0", "model", "not positive"},
        {"\"model\": 1", "\"model\": \"1\"", "model", "a string where an integer"},
        {"\"24M\"", "\"24X\"", "caches[2].bytes", "'24X' is no size such as \"32K\""},
        {"\"24M\"", "\"24MB\"", "caches[2].bytes", "is no size"},
        {"\"24M\"", "\"-24M\"", "caches[2].bytes", "is no size"},
        {"\"24M\"", "\"2.4.0M\"", "caches[2].bytes", "is no size"},
        {"\"24M\"", "\"\"", "caches[2].bytes", "is no size"},
        {"\"24M\"", "-24", "caches[2].bytes", "-24 bytes, not within 8 to 4294967296"},
        {"\"24M\"", "25165824.5", "caches[2].bytes", "25165824.5 is no whole number of bytes"},
        {"\"24M\"", "true", "caches[2].bytes", "true where a number"},
        {"\"ways\": 10", "\"ways\": 10.5", "caches[1].ways", "a number where an integer"},
        {"\"hidden\": true", "\"hidden\": 1", "caches[2].hidden", "an integer where true or false"},
        {"\"latency_ns\": 90", "\"latency_ns\": null", "memory.latency_ns", "null where a number"},
        {"\"jitter\": 0.03", "\"jitter\": 1.5", "noise.jitter", "1.5 is not a share from 0 to 1"},
        {"\"outlier_share\": 0.01", "\"outlier_share\": -0.01", "noise.outlier_share", "negative"},
        {"\"steal\": 0.02", "\"steal\": 1", "noise.steal", "1, not within 0 to 0.99"},
        {"\"outlier_factor\": 4", "\"outlier_factor\": 0.5", "noise.outlier_factor",
         "0.5, not within 1 to 1000"},
        {"\"clock_ghz\": 2.5", "\"clock_ghz\": 1e300", "clock_ghz", "not within 0.001 to 100"},
        {"\"latency_cycles\": 14.5", "\"latency_cycles\": 1e-300", "caches[1].latency_cycles",
         "1e-300, not within 0.1 to 100000"},
        {"\"outlier_factor\": 4", "\"outlier_factor\": 1e308", "noise.outlier_factor",
         "1e+308, not within 1 to 1000"},
        {"\"entries\": 1536", "\"entries\": 2147483647", "tlbs[1].entries",
         "2147483647, not within 1 to 65536"},
        {"\"ways\": 10", "\"ways\": 1025", "caches[1].ways", "1025, not within 1 to 1024"},
        {"\"64G\"", "\"65T\"", "memory.bytes", "71468255805440 bytes, not within 1048576 to"},
        {"{\"bytes\": \"16K\"", "{\"bytes\": 1", "pages.bytes", "1 bytes, not within 512 to"},
        {"{\"bytes\": \"16K\"", "{\"bytes\": \"1T\"", "pages.bytes", "to 1073741824"},
        {"[4, 2]", "[4, 0]", "network.dimensions[1]", "0, not within 1 to 262144"},
        {"[4, 2]", "[4, 2, 1, 1, 1, 1, 1]", "network.dimensions", "at most 6"},
        {"[4, 2]", "4", "network.dimensions", "an integer where an array"},
        {"[2, 1.5]", "[2, \"x\"]", "network.oversubscription[1]", "a string where a number"},
    };
    REFUSES(full, edits);
}

/* What is missing is reported where the object begins that lacks it. */
static void missing_members(void **state)
{
    (void)state;
    static const edit root[] = {
        {"  \"model\": 1,\n", "\n", "model", "missing"},
        {"  \"cores\": 8,\n", "\n", "cores", "missing: a node has cores and clock_ghz, or kinds"},
        {"  \"clock_ghz\": 2.5,\n", "\n", "clock_ghz", "missing: a node has cores and clock_ghz"},
    };
    static const edit memory = {"    \"latency_ns\": 90,\n", "\n", "memory.latency_ns", "missing"};
    for (size_t i = 0; i < sizeof root / sizeof *root; i++)
        refused_at(full, &root[i], 1, SERVET_EFORMAT);
    refused_at(full, &memory, line_of(full, "\"memory\""), SERVET_EFORMAT);
}

static void a_newer_version(void **state)
{
    (void)state;
    static const edit newer = {"\"model\": 1,", "\"model\": 2, \"cores\": \"new meaning\",",
                               "model", "for a newer Servet (model 2, this one reads up to 1)"};
    char text[8192];
    replace(full, "  \"cores\": 8,\n", "", text, sizeof text);
    refused_at(text, &newer, 2, SERVET_EVERSION);
}

static void counts_that_disagree(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"packages\": 2", "\"packages\": 3", "packages", "3 packages do not divide the 8 cores"},
        {"\"numa_nodes\": 4", "\"numa_nodes\": 5", "numa_nodes", "do not divide the 8 cores"},
        {"\"cores\": 8", "\"cores\": 4000", "cores", "over 4096 PUs"},
        {"\"cores\": 8", "\"cores\": 2147483647", "cores", "not within 1 to 4096"},
        {"\"nodes\": 8", "\"nodes\": 1000000", "nodes", "1000000, not within 1 to 262144"},
        {"12-15", "12-14", "os_numbering", "15 numbers for 16 PUs"},
        {"12-15", "12-16", "os_numbering", "16 is beyond the 16 PUs"},
        {"12-15", "12-14,12", "os_numbering", "12 is there twice"},
        {"12-15", "12-", "os_numbering", "no list of numbers and ranges at '12-'"},
        {"0,8,", "0;8,", "os_numbering", "no list of numbers and ranges at '0;8"},
    };
    REFUSES(full, edits);
    static const edit kinds = {"\"kinds\"", "\"numa_nodes\": 3, \"kinds\"", "numa_nodes",
                               "3 NUMA nodes do not divide the 8 PUs"};
    refused_at(hybrid, &kinds, 3, SERVET_EFORMAT);
    static const edit cut = {"\"cores\": 12", "\"cores\": 12, \"packages\": 3, \"numa_nodes\": 2",
                             "numa_nodes", "2 NUMA nodes and 3 packages cut each other apart"};
    refused_at(least, &cut, 3, SERVET_EFORMAT);
}

static void kinds_that_contradict(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"kinds\"", "\"cores\": 5, \"kinds\"", "cores", "5 cores, but the kinds have 6"},
        {"\"kinds\"", "\"smt\": 2, \"kinds\"", "smt", "for the whole node, and for each of the"},
        {"\"kinds\"", "\"clock_ghz\": 2, \"kinds\"", "clock_ghz", "each of the kinds"},
        {"\"name\": \"small\"", "\"name\": \"big\"", "kinds[1].name", "two kinds are called 'big'"},
        {"\"name\": \"small\"", "\"name\": \"\"", "kinds[1].name", "a kind needs a name"},
        {"\"kind\": \"small\"", "\"kind\": \"tiny\"", "caches[1].kind", "no kind is called 'tiny'"},
        {"\"kind\": \"small\", ", "", "caches[1].level", "level 1 is there twice"},
        {"\"shared_by\": 8", "\"shared_by\": 8, \"kind\": \"big\"", "caches[2].shared_by",
         "groups of 8 PUs do not divide the 4 PUs"},
        {"\"shared_by\": 8", "\"shared_by\": 1", "caches[2].shared_by",
         "groups of 1 PUs cut a core of 2 PUs apart"},
    };
    static const edit many = {"\"cores\": 4", "\"cores\": 4096", "kinds", "over 4096 PUs"};
    static const edit none = {"    {\"level\": 1, \"kind\": \"small\", \"bytes\": \"32K\", "
                              "\"ways\": 8, \"latency_cycles\": 3},\n",
                              "\n", "caches", "PU 4 has no cache of level 1"};
    REFUSES(hybrid, edits);
    refused_at(hybrid, &many, line_of(hybrid, "\"kinds\""), SERVET_EFORMAT);
    refused_at(hybrid, &none, line_of(hybrid, "\"caches\""), SERVET_EFORMAT);
}

static void caches_that_contradict(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"line_bytes\": 128, \"latency_cycles\": 14.5",
         "\"line_bytes\": 96, \"latency_cycles\": 14.5", "caches[1].line_bytes",
         "96 is no power of two"},
        {"\"ways\": 10", "\"ways\": 12", "caches[1].bytes",
         "1310720 bytes are no multiple of 12 ways x 128 bytes x 1 slices"},
        {"\"1.25M\"", "\"30K\"", "caches[1].bytes",
         "30720 bytes, less than the 49152 of level 1 above"},
        {"\"1.25M\"", "\"60K\"", "caches[1].bytes",
         "61440 bytes cannot include the 98304 of level 1 above"},
        {"\"level\": 3, \"bytes\": \"24M\", \"ways\": 12, \"line_bytes\": 128",
         "\"level\": 3, \"bytes\": \"24M\", \"ways\": 12", "caches[2].line_bytes",
         "lines of 64 bytes cannot fill those of 128 of level 2 above"},
        {"\"latency_cycles\": 60, \"shared_by\": 8", "\"latency_cycles\": 60, \"shared_by\": 6",
         "caches[2].shared_by", "groups of 6 PUs do not divide the 16 PUs"},
        {"\"latency_cycles\": 60, \"shared_by\": 8", "\"latency_cycles\": 60, \"shared_by\": 2",
         "caches[2].shared_by", "groups of 2 PUs cut the groups of 4 of level 2 apart"},
        {"\"latency_cycles\": 5,", "\"latency_cycles\": 5, \"shared_by\": 1,",
         "caches[0].shared_by", "groups of 1 PUs cut a core of 2 PUs apart"},
        {"\"level\": 3", "\"level\": 2", "caches[2].level", "level 2 is there twice"},
        {"\"level\": 3", "\"level\": 4", "caches[2].level", "PU 0 has level 4, but no level 3"},
        {"\"level\": 3", "\"level\": 9", "caches[2].level", "9, not within 1 to 8"},
        {"\"24M\"", "\"256G\"", "caches[2].bytes",
         "274877906944 bytes, not within 8 to 4294967296"},
        {"\"line_bytes\": 128, \"latency_cycles\": 14.5",
         "\"line_bytes\": 1, \"latency_cycles\": 14.5", "caches[1].line_bytes",
         "1 bytes, not within 8 to 4096"},
        {"\"latency_cycles\": 60, \"shared_by\": 8", "\"latency_cycles\": 60, \"shared_by\": 16",
         "caches[2].shared_by", "groups of 16 PUs reach across packages of 8 PUs"},
        {"\"latency_cycles\": 14.5", "\"latency_cycles\": 5", "caches[1].latency_cycles",
         "5 cycles, no more than the 5 of level 1 above"},
        {"\"latency_ns\": 90", "\"latency_ns\": 24", "memory.latency_ns",
         "24 ns, no more than the 24 of cache level 3"},
    };
    static const edit slices = {"\"slices\": 8", "\"slices\": 7", "caches[2].bytes", "x 7 slices"};
    static const edit ways = {"\"1.25M\", \"ways\": 10", "\"1M\", \"ways\": 128", "caches[1].ways",
                              "128 ways, but tree-plru has at most 64"};
    static const edit memory = {"\"64G\"", "\"16M\"", "caches[2].bytes",
                                "25165824 bytes, more than the 16777216 of memory"};
    static const edit lines = {"\"bytes\": 32768, \"ways\": 8",
                               "\"bytes\": \"1G\", \"ways\": 8, \"line_bytes\": 8",
                               "caches[0].bytes", "over 67108864 lines of 8 bytes"};
    static const edit page = {"\"ways\": 8", "\"ways\": 2, \"line_bytes\": 4096",
                              "caches[0].line_bytes", "4096 bytes, more than the 512 of a page"};
    static const edit overlap = {
        "\"latency_cycles\": 4}",
        "\"latency_cycles\": 4},"
        "{\"level\": 2, \"bytes\": \"1M\", \"ways\": 8, \"latency_cycles\": 9, \"shared_by\": 4},"
        "{\"level\": 3, \"bytes\": \"2M\", \"ways\": 8, \"latency_cycles\": 20, \"shared_by\": 6}",
        "caches[2].shared_by", "groups of 6 PUs cut the groups of 4 of level 2 apart"};
    REFUSES(full, edits);
    refused_at(full, &slices, line_of(full, "\"24M\""), SERVET_EFORMAT);
    refused_at(least, &overlap, 6, SERVET_EFORMAT);
    refused_at(full, &ways, line_of(full, "\"1.25M\""), SERVET_EFORMAT);
    refused_at(full, &memory, line_of(full, "\"24M\""), SERVET_EFORMAT);
    refused_at(least, &lines, 6, SERVET_EFORMAT);
    char small_pages[8192];
    replace(least, "\"memory\"", "\"pages\": {\"bytes\": 512}, \"memory\"", small_pages,
            sizeof small_pages);
    refused_at(small_pages, &page, 6, SERVET_EFORMAT);
}

/* Clusters of a processor with one L3 for all of them, and a package of its own for each. */
static void a_cache_may_serve_several_numa_nodes_but_one_package(void **state)
{
    (void)state;
    char clusters[8192], packages[8192];
    servet_error error;
    replace(least, "\"latency_cycles\": 4}",
            "\"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"1M\", \"ways\": 8,"
            " \"latency_cycles\": 9, \"shared_by\": 12}], \"numa_nodes\": 4, \"tlbs\": [",
            clusters, sizeof clusters);
    srv_model_free(read_text(clusters));
    replace(clusters, "\"numa_nodes\"", "\"packages\"", packages, sizeof packages);
    store(packages, strlen(packages));
    assert_int_equal(try_read(&error), SERVET_EFORMAT);
    assert_string_equal(error.text,
                        "caches[1].shared_by: groups of 12 PUs reach across packages of "
                        "3 PUs");
}

/* AMD's Durons had 64 KiB below 128 KiB: what is exclusive adds up. */
static void an_exclusive_cache_may_be_smaller(void **state)
{
    (void)state;
    char text[8192];
    replace(least, "\"latency_cycles\": 4}",
            "\"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"16K\", \"ways\": 8,"
            " \"latency_cycles\": 9, \"inclusion\": \"exclusive\"}",
            text, sizeof text);
    srv_model_free(read_text(text));
}

static void what_serves_the_caches_contradicts(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"ways\": 6", "\"ways\": 7", "tlbs[1].entries", "7 ways do not divide 1536 entries"},
        {"\"entries\": 1536", "\"entries\": 60", "tlbs[1].entries",
         "60 entries, no more than the 64 of the level above"},
        {"\"level\": 2, \"reach_bytes\"", "\"level\": 4, \"reach_bytes\"", "prefetchers[1].level",
         "no cache is of level 4"},
        {", \"reach_bytes\": \"2K\"", "", "prefetchers[1].reach_bytes", "missing: how far"},
        {"\"entries\": 64,", "\"entries\": 1025,", "tlbs[0].entries",
         "1025 entries, but at most 1024 are fully associative"},
        {"{\"bytes\": \"16K\"", "{\"bytes\": \"15K\"", "pages.bytes", "15360 is no power of two"},
        {"\"huge_bytes\": \"2M\"", "\"huge_bytes\": \"3M\"", "pages.huge_bytes",
         "no power of two above"},
        {"\"huge_bytes\": \"2M\"", "\"huge_bytes\": \"16K\"", "pages.huge_bytes",
         "no power of two above the 16384 of a page"},
        {", \"huge_bytes\": \"2M\"", "", "pages.placement",
         "huge pages, but there are no huge_bytes"},
        {"\"shared_by\": 8, \"bytes_per_second\"", "\"shared_by\": 3, \"bytes_per_second\"",
         "memory.domains[0].shared_by", "groups of 3 PUs do not divide the 16 PUs of a node"},
        {"{\"name\": \"node\",", "{\"name\": \"node\", \"shared_by\": 8,",
         "memory.domains[1].shared_by", "groups of 8 PUs after groups of 8"},
        {"40e9", "11e9", "memory.domains[0].bytes_per_second",
         "1.1e+10, less than the core_bytes_per_second 1.2e+10"},
        {"38e9", "41e9", "memory.domains[0].contended_bytes_per_second",
         "4.1e+10, more than the bytes_per_second 4e+10 without contention"},
        {"95, \"within\": 8", "95, \"within\": 4", "memory.remote[0].within",
         "groups of 4 PUs after groups of 4"},
        {"150, \"within\": 16", "150, \"within\": 32",
         "memory.remote[1].within", "groups of 32 PUs do not divide the 16 PUs of a node"},
        {"\"latency_ns\": 95", "\"latency_ns\": 89", "memory.remote[0].latency_ns",
         "89 ns, less than the 90 of nearer memory"},
        {"7.5e9", "11e9", "memory.remote[1].core_bytes_per_second",
         "1.1e+10, more than the 1e+10 of nearer memory"},
        {"22e9", "7e9", "memory.remote[1].link_bytes_per_second",
         "7e+09, less than the core_bytes_per_second 7.5e+09"},
        {"},\n      {\"latency_ns\": 150, \"within\": 16, \"core_bytes_per_second\": 7.5e9,\n"
         "       \"link_bytes_per_second\": 22e9}\n",
         "}\n", "memory.remote[0].within", "the largest groups have 8 of the 16 PUs of a node"},
    };
    static const edit overlap = {"1e9}",
                                 "1e9, \"domains\": [{\"shared_by\": 4, \"bytes_per_second\": 2e9},"
                                 " {\"shared_by\": 6, \"bytes_per_second\": 2e9}]}",
                                 "memory.domains[1].shared_by",
                                 "groups of 6 PUs cut the groups of 4 before apart"};
    static const edit memory = {"\"64G\"", "\"1M\"", "pages.huge_bytes",
                                "2097152 bytes, more than the 1048576 of memory"};
    static const edit one = {"\"numa_nodes\": 4", "\"numa_nodes\": 1", "memory.remote",
                             "remote memory, but there is one NUMA node"};
    refused_at(full, &memory, line_of(full, "\"pages\""), SERVET_EFORMAT);
    refused_at(full, &one, line_of(full, "\"remote\""), SERVET_EFORMAT);
    REFUSES(full, edits);
    refused_at(least, &overlap, 8, SERVET_EFORMAT);
}

static void communication_that_contradicts(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"\"within\": 4", "\"within\": 3", "line_transfer[1].within", "do not divide the 16 PUs"},
        {"\"within\": 4", "\"within\": 2", "line_transfer[1].within",
         "groups of 2 PUs after groups of 2; small ones come first"},
        {"\"within\": 16, \"ns\"", "\"within\": 8, \"ns\"", "line_transfer[2].within",
         "the largest groups have 8 of the 16 PUs of a node"},
        {"\"ns\": 20", "\"ns\": 5", "line_transfer[1].ns", "5 ns, no more than the 5 within"},
        {"{\"within\": 8, ", "{\"within\": 3, ", "messages[0].within", "do not divide the 16"},
        {"{\"within\": 8, ", "{", "messages[0].within", "the layer between nodes comes last"},
        {"\"within\": 16, \"shared", "\"within\": 8, \"shared", "messages[1].within",
         "groups of 8 PUs after groups of 8"},
        {"    {\"protocols\"", "    {\"within\": 16, \"protocols\"", "messages[2].within",
         "no layer follows that serves messages between nodes"},
        {"{\"latency_us\": 0.5", "{\"from_bytes\": 1, \"latency_us\": 0.5",
         "messages[0].protocols[0].from_bytes", "from 0 bytes on, not from 1"},
        {"\"from_bytes\": \"16K\"", "\"from_bytes\": 0", "messages[0].protocols[1].from_bytes",
         "0, no more than the 0 of the protocol before"},
        {"\"latency_us\": 0.75", "\"latency_us\": 0.25", "messages[1].protocols[0].latency_us",
         "0.25 us, less than the 0.5 of the layer before"},
        {"[4, 2]", "[3, 2]", "network.dimensions",
         "switches above 6 nodes each do not divide the 8 nodes"},
        {"[2, 1.5]", "[2]", "network.oversubscription", "1 values for 2 levels of switches"},
    };
    REFUSES(full, edits);
}

#define PROTOCOL "\"protocols\": [{\"latency_us\": 1, \"bytes_per_second\": 1e9}]"
#define LINKS    "\"link_bytes_per_second\": 1e9"

static void clusters_that_contradict(void **state)
{
    (void)state;
    /* Each stands before "memory" in the smallest model. */
    static const edit edits[] = {
        {"\"line_transfer\": [{\"within\": 4, \"ns\": 1}, {\"within\": 6, \"ns\": 2}],", "",
         "line_transfer[1].within", "groups of 6 PUs cut the groups of 4 before apart"},
        {"\"messages\": [{" PROTOCOL "}],", "", "messages[0].within",
         "a layer between nodes, but there is one node"},
        {"\"messages\": [{\"within\": 6, " PROTOCOL "}],", "", "messages[0].within",
         "the largest groups have 6 of the 12 PUs"},
        {"\"messages\": [{\"within\": 12, \"protocols\": []}],", "", "messages[0].protocols",
         "no protocol"},
        {"\"nodes\": 2, \"messages\": [{\"within\": 6, " PROTOCOL "}, {" PROTOCOL "}],", "",
         "messages[1].within", "the largest groups have 6 of the 12 PUs"},
        {"\"network\": {\"kind\": \"torus\", \"dimensions\": [1], " LINKS "},", "", "network",
         "there is only one node"},
        {"\"network\": {\"kind\": \"crossbar\", \"nic_bytes_per_second\": 1e9},", "", "network",
         "there is only one node"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"crossbar\", \"dimensions\": [8]},", "",
         "network.kind", "a crossbar has no dimensions"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\": [3, 2], " LINKS "},", "",
         "network.dimensions", "a torus of 6 nodes, but there are 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\":"
         " [262144, 262144, 262144, 262144, 262144, 262144], " LINKS "},",
         "", "network.dimensions", "nodes, but there are 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\": [4, 2],"
         " \"oversubscription\": [2], " LINKS "},",
         "", "network.oversubscription", "only switches of a tree"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", " LINKS "},", "", "network.dimensions",
         "missing: a torus or tree has some"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"tree\", \"dimensions\": [4]},", "",
         "network.link_bytes_per_second", "missing: what a link carries"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char with_memory[1024];
        snprintf(with_memory, sizeof with_memory, "%s \"memory\"", edits[i].from);
        const edit inserted = {"\"memory\"", with_memory, edits[i].where, edits[i].what};
        refused_at(least, &inserted, 8, SERVET_EFORMAT);
    }
}

/* The table of the largest cache must not be made where there is none, nor be too small. */
static void the_largest_cache_is_walked_and_a_larger_one_refused(void **state)
{
    (void)state;
    static const edit larger = {"\"4G\", \"ways\": 16", "\"4200M\", \"ways\": 16",
                                "caches[1].bytes", "4404019200 bytes, not within 8 to 4294967296"};
    char text[8192], largest[8192];
    replace(least, "\"latency_cycles\": 4}",
            "\"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"4G\", \"ways\": 16,"
            " \"latency_cycles\": 40, \"shared_by\": 12}",
            text, sizeof text);
    replace(text, "1073741824", "\"64T\"", largest, sizeof largest);
    srv_machine *machine;
    srv_timing timing;
    const srv_traversal far = {.core = 0,
                               .bytes = 1 << 20,
                               .line_bytes = 64,
                               .chains = 1,
                               .seconds = 1e-3,
                               .seed = 1,
                               .pages = SERVET_PAGES_BASE};
    assert_int_equal(srv_simulated_from(&machine, read_text(largest), NULL), SERVET_OK);
    assert_int_equal(machine->ops->traverse(machine, &far, 1, &timing, NULL), SERVET_OK);
    /* 1 MiB fits into the 4 GiB at 40 cycles of 2.5 GHz, wherever its pages lie. */
    assert_float_equal(timing.spread.median, 16, 0.5);
    srv_machine_destroy(machine);
    refused_at(largest, &larger, 6, SERVET_EFORMAT);
}

/* --- damage ----------------------------------------------------------------------------------- */

/* Files are changed in place: some file systems flush what is truncated and written anew. */

static void truncated_at_any_byte(void **state)
{
    (void)state;
    servet_error error;
    size_t length = strlen(full) - 1; /* all but the last newline */
    store(full, length);
    assert_int_equal(try_read(&error), SERVET_OK);
    while (length-- > 0) {
        assert_int_equal(truncate(path, (off_t)length), 0);
        assert_int_equal(try_read(&error), SERVET_EFORMAT);
    }
}

static void any_byte_overwritten(void **state)
{
    (void)state;
    static const char garbage[] = {'\0', '\xff', '{', ']', '"', '9', '-'};
    servet_error error;
    store(full, strlen(full));
    FILE *stream = fopen(path, "r+");
    assert_non_null(stream);
    setbuf(stream, NULL);
    for (size_t i = 0; i < sizeof garbage * strlen(full); i++) {
        long at = (long)(i / sizeof garbage);
        assert_int_equal(fseek(stream, at, SEEK_SET), 0);
        fputc(garbage[i % sizeof garbage], stream);
        int code = try_read(&error); /* a 9 in a text is fine; what matters is no crash */
        assert_true(code == SERVET_OK || code == SERVET_EFORMAT || code == SERVET_EVERSION);
        assert_int_equal(fseek(stream, at, SEEK_SET), 0);
        fputc(full[at], stream);
    }
    fclose(stream);
}

static int read_stored(void *context)
{
    (void)context;
    srv_model *model = NULL;
    int code = srv_model_read(&model, path, NULL);
    assert_true((model == NULL) == (code != SERVET_OK));
    srv_model_free(model);
    return code;
}

/* The text, the file, the numbering twice, the model. */
static void any_allocation_fails(void **state)
{
    (void)state;
    store(full, strlen(full));
    assert_int_equal(alloc_fail_everywhere(read_stored, NULL), 5);
}

/* --- where models are looked for -------------------------------------------------------------- */

static void a_name_means_a_shipped_model(void **state)
{
    (void)state;
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    store(least, strlen(least));
    assert_int_equal(srv_model_read(&model, "node", &error), SERVET_OK);
    assert_string_equal(model->name, "node");
    srv_model_free(model);
    assert_int_equal(srv_model_read(&model, "nodes", &error), SERVET_ENOTFOUND);
    assert_string_equal(error.text, "no model 'nodes'; there are node");
}

static void a_path_means_a_file(void **state)
{
    (void)state;
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    store(least, strlen(least));
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

/* --- the shipped models ----------------------------------------------------------------------- */

static srv_model *read_shipped(const char *name)
{
    char file[1200];
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    snprintf(file, sizeof file, "%s/share/models/%s", getenv("SOURCE_ROOT"), name);
    if (srv_model_read(&model, file, &error) != SERVET_OK)
        fail_msg("%s:%d: %s", name, error.line, error.text);
    return model;
}

/* Names come from the files, and each says what it is. */
static void all_shipped_models_are_read(void **state)
{
    (void)state;
    char models[1200];
    int count = 0;
    snprintf(models, sizeof models, "%s/share/models", getenv("SOURCE_ROOT"));
    DIR *opened = opendir(models);
    assert_non_null(opened);
    for (struct dirent *entry; (entry = readdir(opened));) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        srv_model *model = read_shipped(entry->d_name);
        assert_memory_equal(model->name, entry->d_name, length - 5);
        assert_int_equal(strlen(model->name), length - 5);
        assert_true(*model->about && *model->machine.cpu && *model->machine.architecture);
        srv_model_free(model);
        count++;
    }
    closedir(opened);
    assert_true(count >= 16);
}

/* Whether OS numbers a and b share an instance of the cache in row `i`. */
static bool share(const srv_model *model, int i, int a, int b)
{
    const srv_model_cache *cache = &model->cache[i];
    int group[2] = {-1, -2}, wanted[2] = {a, b};
    for (int pu = cache->first_pu; pu < cache->first_pu + cache->pu_count; pu++)
        for (int k = 0; k < 2; k++)
            if (model->os_index[pu] == wanted[k])
                group[k] = (pu - cache->first_pu) / cache->pus_per_instance;
    return group[0] == group[1];
}

/* What the papers say of their machines (requirements.md, 9): sizes, and who shares with PU 0. */
static void the_machines_of_the_papers(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int pus, level;
        double kib;
        const char *sharing; /* OS numbers that share it with PU 0, by a letter each from 'a' = 0 */
    } facts[] = {
        {"dempsey.json", 2, 1, 16, "a"},
        {"dempsey.json", 2, 2, 2048, "a"},
        {"athlon3200.json", 1, 1, 64, "a"},
        {"athlon3200.json", 1, 2, 512, "a"},
        {"dunnington.json", 24, 1, 32, "a"},
        {"dunnington.json", 24, 2, 3072, "am"},
        {"dunnington.json", 24, 3, 12288, "abcmno"},
        {"finis-terrae.json", 16, 1, 16, "a"},
        {"finis-terrae.json", 16, 2, 256, "a"},
        {"finis-terrae.json", 16, 3, 9216, "a"},
        {"hector.json", 32, 1, 16, "a"},
        {"hector.json", 32, 2, 2048, "abcd"},
        {"hector.json", 32, 3, 8192, "abcdefgh"},
        {"harpertown.json", 8, 2, 6144, "ac"},
        {"kentsfield.json", 4, 2, 4096, "ab"},
        {"niagara-t1.json", 32, 2, 3072, "abcdefghijklmnopqrstuvwxyz{|}~\x7f\x80"},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        srv_model *model = read_shipped(facts[i].file);
        int row = facts[i].level - 1;
        assert_int_equal(model->pu_count, facts[i].pus);
        assert_int_equal(model->cache[row].level, facts[i].level);
        assert_true(model->cache[row].bytes == facts[i].kib * 1024);
        for (int pu = 0; pu < model->pu_count; pu++) {
            bool expected = strchr(facts[i].sharing, 'a' + pu) != NULL;
            if (share(model, row, 0, pu) != expected)
                fail_msg("%s: level %d of PU %d", facts[i].file, facts[i].level, pu);
        }
        srv_model_free(model);
    }
}

static void harpertown_shares_as_p_ray_found(void **state)
{
    (void)state;
    srv_model *model = read_shipped("harpertown.json");
    static const int pairs[][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}};
    for (int i = 0; i < 4; i++)
        assert_true(share(model, 1, pairs[i][0], pairs[i][1]));
    srv_model_free(model);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(absent_members_have_their_defaults),
        TEST(members_of_the_node),
        TEST(members_of_caches),
        TEST(members_of_memory),
        TEST(members_of_communication),
        TEST(two_kinds_of_cores),
        TEST(unknown_words),
        TEST(wrong_types_and_ranges),
        TEST(missing_members),
        TEST(a_newer_version),
        TEST(counts_that_disagree),
        TEST(kinds_that_contradict),
        TEST(caches_that_contradict),
        TEST(a_cache_may_serve_several_numa_nodes_but_one_package),
        TEST(the_largest_cache_is_walked_and_a_larger_one_refused),
        TEST(an_exclusive_cache_may_be_smaller),
        TEST(what_serves_the_caches_contradicts),
        TEST(communication_that_contradicts),
        TEST(clusters_that_contradict),
        TEST(truncated_at_any_byte),
        TEST(any_byte_overwritten),
        TEST(any_allocation_fails),
        TEST(a_name_means_a_shipped_model),
        TEST(a_path_means_a_file),
        TEST(all_shipped_models_are_read),
        TEST(the_machines_of_the_papers),
        TEST(harpertown_shares_as_p_ray_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
