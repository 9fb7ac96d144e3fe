/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_file.h"

TEST_KEEPS(srv_model, srv_model_free)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "test.h"

const char model_least[] =
    "{\n"
    "  \"model\": 1,\n"
    "  \"cores\": 12,\n"
    "  \"clock_ghz\": 2.5,\n"
    "  \"caches\": [\n"
    "    {\"level\": 1, \"bytes\": 32768, \"ways\": 8, \"latency_cycles\": 4}\n"
    "  ],\n"
    "  \"memory\": {\"bytes\": 1073741824, \"latency_ns\": 80, \"core_bytes_per_second\": 1e9}\n"
    "}\n";

const char model_full[] =
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
    "    {\"level\": 1, \"bytes\": \"48K\", \"ways\": 12, \"latency_cycles\": 5},\n"
    "    {\"level\": 2, \"bytes\": \"1.25M\", \"ways\": 10, \"line_bytes\": 128, "
    "\"latency_cycles\": 14.5,\n"
    "     \"shared_by\": 4, \"inclusion\": \"inclusive\", \"replacement\": \"tree-plru\"},\n"
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

const char model_hybrid[] =
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

char model_path[TEST_PATH_MAX];

int model_file_begin(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(model_path, sizeof model_path, "%s/node.json", folder);
    return setenv("SERVET_MODELS", folder, 1);
}

int model_file_end(void **state)
{
    return remove_folder(state);
}

void model_file_store(const char *text, size_t size)
{
    FILE *stream = fopen(model_path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

srv_model *model_file_read(const char *text)
{
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    model_file_store(text, strlen(text));
    if (srv_model_read(&model, model_path, &error) != SERVET_OK)
        fail_msg("%d: %s", error.line, error.text);
    return keep_srv_model(model);
}

int model_file_try(servet_error *error)
{
    srv_model *model = NULL;
    *error = (servet_error)SERVET_ERROR_INIT;
    int code = srv_model_read(&model, model_path, error);
    if (code == SERVET_OK) {
        srv_model_free(model);
        return code;
    }
    assert_null(model);
    assert_int_equal(error->code, code);
    assert_string_equal(error->file, model_path);
    assert_true(error->line >= 1);
    assert_true(*error->text != '\0' && !strpbrk(error->text, "\n\r\t"));
    return code;
}
