/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers of files of others, for libFuzzer: READER names the function below that gets each input.
 * Beside crashes and leaks, an accepted input must keep the reader's promises.
 */
#define _GNU_SOURCE /* memfd_create() */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/json/parse.h"
#include "export/slurm_tree.h"
#include "machine/hardware/binding.h"
#include "sim/model.h"
#include "mpi/placement.h"
#include "servet/analyze.h"
#include "servet/export.h"
#include "servet/profile.h"
#include "servet/record.h"
#include "servet/traffic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory. */
typedef struct input {
    const char *text; /* a NUL follows */
    size_t size;
    int file;
    char path[32];
} input;

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

static void store(input *in)
{
    in->file = memfd_create("input", MFD_CLOEXEC);
    snprintf(in->path, sizeof in->path, "/proc/self/fd/%d", in->file);
    require(write(in->file, in->text, in->size) == (ssize_t)in->size, "a file in memory");
}

/* An error is one line of text. */
static void check_error(int code, const servet_error *error)
{
    require(code == SERVET_OK || (error->code == code && *error->text), "each failure has a text");
    require(!strpbrk(error->text, "\n\x1b"), "an error is one line");
}

/* Servet reads the files that it writes. */
static void write_and_read_again(const servet_profile *profile)
{
    input again = {.size = 0};
    char *text = NULL;
    servet_profile *read = NULL;
    FILE *stream = open_memstream(&text, &again.size);
    require(servet_profile_dump(profile, stream, NULL) == SERVET_OK, "what was read is written");
    fclose(stream);
    again.text = text;
    store(&again);
    require(servet_profile_open(&read, again.path, NULL) == SERVET_OK, "what is written is read");
    servet_profile_close(read);
    close(again.file);
    free(text);
}

static int read_profile(const input *in, servet_error *error)
{
    servet_profile *profile = NULL;
    int code = servet_profile_open(&profile, in->path, error);
    if (code == SERVET_OK)
        write_and_read_again(profile);
    servet_profile_close(profile);
    return code;
}

static int read_model(const input *in, servet_error *error)
{
    srv_model *model = NULL;
    int code = srv_model_read(&model, in->path, error);
    srv_model_free(model);
    return code;
}

static int read_curve(const input *in, servet_error *error)
{
    static const servet_2010_options options = {.page_bytes = 4096, .votes = 5};
    servet_curve curve = SERVET_CURVE_INIT;
    servet_cache_analysis analysis;
    int code = servet_curve_read(in->path, &curve, error);
    if (code == SERVET_OK)
        (void)servet_analyze_cache_2010(&curve, &options, &analysis, NULL);
    servet_curve_free(&curve);
    return code;
}

/* Tables of several tools, with the facts that some of them leave out. */
static int read_printed(const input *in, servet_error *error)
{
    static const servet_printed printed[] = {{NULL, 0}, {"ns", 0}, {NULL, 2e-9}};
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        servet_curve curve = SERVET_CURVE_INIT;
        *error = (servet_error)SERVET_ERROR_INIT;
        code = servet_curve_read_printed(in->path, &printed[i], &curve, error);
        for (size_t k = 0; code == SERVET_OK && k < curve.n; k++)
            require(curve.bytes[k] > 0 && curve.latency[k] > 0 &&
                        (k == 0 || curve.bytes[k] > curve.bytes[k - 1]),
                    "a curve has times at ascending sizes");
        servet_curve_free(&curve);
    }
    return code;
}

static int read_scaling(const input *in, servet_error *error)
{
    servet_scaling scaling = SERVET_SCALING_INIT;
    servet_scaling_analysis found;
    int code = servet_scaling_read(in->path, &scaling, error);
    if (code == SERVET_OK && servet_analyze_scaling(&scaling, &found, NULL) == SERVET_OK)
        require(found.fewest <= found.enough && found.enough <= found.most,
                "the saturation point is in its interval");
    servet_scaling_free(&scaling);
    return code;
}

static int read_switches(const input *in, servet_error *error)
{
    srv_switch_tree tree;
    int code = srv_switch_tree_read(in->path, &tree, error);
    srv_switch_tree_finish(&tree);
    return code;
}

static int read_matrix(const input *in, servet_error *error)
{
    servet_matrix matrix = SERVET_MATRIX_INIT;
    int code = servet_matrix_read(in->path, &matrix, error);
    servet_matrix_free(&matrix);
    return code;
}

static int read_traffic(const input *in, servet_error *error)
{
    servet_traffic *traffic = NULL;
    int code = servet_traffic_read(&traffic, in->path, 0, error);
    servet_traffic_destroy(traffic);
    return code;
}

static int read_placement(const input *in, servet_error *error)
{
    mpi_placement placement = {NULL, 0};
    int code = mpi_placement_read(&placement, in->path, error);
    mpi_placement_finish(&placement);
    return code;
}

/* The text of another rank, without a null character behind it. */
static int read_binding(const input *in, servet_error *error)
{
    srv_observed_binding binding;
    char *sent = malloc(in->size + (in->size == 0));
    memcpy(sent, in->text, in->size);
    int code = srv_observed_binding_read(sent, in->size, &binding, error);
    free(binding.threads);
    free(sent);
    return code;
}

static const servet_profile *sample(const char *name)
{
    static servet_profile *profile;
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/data/profiles/%s", getenv("SOURCE_ROOT"), name);
    if (!profile)
        require(servet_profile_open(&profile, path, NULL) == SERVET_OK, "SOURCE_ROOT is set");
    return profile;
}

/* The sample is read once; the input is a key. */
static int get_key(const input *in, servet_error *error)
{
    static const servet_at at = {"default", SERVET_ANY_CORE};
    char answer[256];
    return servet_profile_get(sample("cluster.json"), &at, in->text, answer, sizeof answer, error);
}

/* jansson's own parser takes a NUL between tokens for a blank. */
static int parse_json(const input *in, servet_error *error)
{
    (void)error;
    srv_json_fault fault;
    json_t *read = srv_json_parse(in->text, in->size, &fault);
    json_t *expected = json_loadb(in->text, in->size, JSON_REJECT_DUPLICATES, NULL);
    bool limit = !read && fault.text && strstr(fault.text, "over ");
    bool comparable = !memchr(in->text, '\0', in->size) && !memchr(in->text, 0x7f, in->size);
    require(!read == !expected || limit || !comparable, "jansson agrees on what is JSON");
    require(!read || !expected || json_equal(read, expected), "jansson reads the same");
    require(read || fault.text, "memory suffices");
    json_decref(read);
    json_decref(expected);
    return SERVET_OK;
}

typedef int reader(const input *in, servet_error *error);

/* All are named, so that none is unused where only one is called. */
static reader *const readers[] = {read_profile,   read_model,   read_curve,   read_matrix,
                                  read_placement, get_key,      parse_json,   read_traffic,
                                  read_binding,   read_printed, read_scaling, read_switches};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)readers;
    servet_error error = SERVET_ERROR_INIT;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    input in = {.text = text, .size = size};
    store(&in);
    check_error(READER(&in, &error), &error);
    close(in.file);
    free(text);
    return 0;
}
