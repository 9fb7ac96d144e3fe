/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/message.h"
#include "core/error.h"
#include "core/text.h"
#include "servet/record.h"

/* MT4G itself goes on with a number that it measured only if its confidence is greater. */
static const double CONFIDENCE_MIN = 0.5;

/* A cache: the members that lead to it in "memory", and the member that has its size. */
static const struct memory {
    const char *member, *inner, *size;
} memories[SERVET_DEVICE_CACHE_COUNT] = {
    [SERVET_DEVICE_CACHE_L1] = {"l1", NULL, "size"},
    [SERVET_DEVICE_CACHE_L2] = {"l2", NULL, "size"},
    [SERVET_DEVICE_CACHE_L3] = {"l3", NULL, "size"},
    [SERVET_DEVICE_CACHE_SHARED] = {"shared", NULL, "sharedMemPerMultiProcessor"},
    [SERVET_DEVICE_CACHE_CONSTANT_L1] = {"constant", "l1", "size"},
    [SERVET_DEVICE_CACHE_CONSTANT_L15] = {"constant", "l1.5", "size"},
    [SERVET_DEVICE_CACHE_READ_ONLY] = {"readOnly", NULL, "size"},
    [SERVET_DEVICE_CACHE_TEXTURE] = {"texture", NULL, "size"},
    [SERVET_DEVICE_CACHE_SCALAR_L1] = {"scalarL1", NULL, "size"},
};

/* --- values ----------------------------------------------------------------------------------- */

/* The value of a measured number ("size" or "mean") or of one that the driver reports ("value");
 * unknown without a positive number in this unit, and with too little confidence. */
static servet_value value_of(const json_t *of, const char *measured, const char *unit_name,
                             servet_unit unit)
{
    const json_t *number = json_object_get(of, measured);
    const json_t *confidence = json_object_get(of, "confidence");
    const char *given = json_string_value(json_object_get(of, "unit"));
    servet_method method = number ? SERVET_METHOD_TIMED : SERVET_METHOD_OS;
    int samples = (int)json_integer_value(json_object_get(of, "measurements"));
    double value = json_number_value(number ? number : json_object_get(of, "value"));
    if (!(value > 0) || !isfinite(value) || !given || strcmp(given, unit_name) != 0 ||
        (confidence && !(json_number_value(confidence) > CONFIDENCE_MIN)))
        return servet_value_unknown(unit);
    return (servet_value){value, value,  value,         samples > 0 ? samples : 1,
                          unit,  method, number != NULL};
}

/* The member with the size of a cache. For HIP, AMD's multiprocessor has the shared memory of all
 * of them; a block may use all of one's. */
static const char *size_member(int cache, const char *vendor)
{
    bool is_amd = vendor && strcmp(vendor, "AMD") == 0;
    return is_amd && cache == SERVET_DEVICE_CACHE_SHARED ? "sharedMemPerBlock"
                                                         : memories[cache].size;
}

/* Reads the known caches; returns their number. */
static int read_caches(const json_t *memory, const char *vendor, servet_accelerator_cache *caches)
{
    int count = 0;
    for (int i = 0; i < SERVET_DEVICE_CACHE_COUNT; i++) {
        const json_t *of = json_object_get(memory, memories[i].member);
        of = memories[i].inner ? json_object_get(of, memories[i].inner) : of;
        servet_accelerator_cache cache = {
            .cache = (servet_device_cache)i,
            .bytes = value_of(json_object_get(of, size_member(i, vendor)), "size", "bytes",
                              SERVET_UNIT_BYTE),
            .line = value_of(json_object_get(of, "lineSize"), "size", "bytes", SERVET_UNIT_BYTE),
            .latency =
                value_of(json_object_get(of, "latency"), "mean", "cycles", SERVET_UNIT_CYCLE)};
        if (servet_value_known(&cache.bytes) || servet_value_known(&cache.line) ||
            servet_value_known(&cache.latency))
            caches[count++] = cache;
    }
    return count;
}

/* --- devices ---------------------------------------------------------------------------------- */

/* Stores the caches at all devices of a class with this name, and counts them. */
static int store_in_class(servet_profile *profile, int node_class, const char *name,
                          const servet_accelerator_cache *caches, int count, int *found,
                          servet_error *error)
{
    const servet_at at = {servet_profile_class_name(profile, node_class), SERVET_ANY_CORE};
    servet_accelerator device;
    char path[64];
    int code = SERVET_OK;
    for (int i = 1;
         code == SERVET_OK && servet_profile_item(profile, &at, "accelerators.devices", &i, &device,
                                                  sizeof device) == SERVET_OK;
         i++) {
        if (strcmp(device.name, name) != 0)
            continue;
        snprintf(path, sizeof path, "accelerators.devices.%d.caches", i);
        code = servet_profile_set(profile, node_class, path, caches, sizeof *caches, count, error);
        ++*found;
    }
    return code;
}

static int store(servet_profile *profile, const char *path, const json_t *result,
                 servet_error *error)
{
    servet_accelerator_cache caches[SERVET_DEVICE_CACHE_COUNT];
    const json_t *memory = json_object_get(result, "memory");
    const json_t *general = json_object_get(result, "general");
    const char *name = json_string_value(json_object_get(general, "name"));
    char shown[CLI_CLEAN_MAX], device[CLI_CLEAN_MAX];
    int found = 0, code = SERVET_OK;
    if (!name || !json_is_object(memory))
        return srv_fail(error, SERVET_EFORMAT,
                        "%s is not a result of MT4G: it lacks the name in 'general', or 'memory'",
                        cli_clean(path, shown));
    const char *vendor = json_string_value(json_object_get(general, "vendor"));
    int count = read_caches(memory, vendor, caches);
    for (int i = 0; i < servet_profile_class_count(profile) && code == SERVET_OK; i++)
        code = store_in_class(profile, i, name, caches, count, &found, error);
    if (code == SERVET_OK && found == 0)
        code = srv_fail(error, SERVET_ENOTFOUND,
                        "%s: the profile has no accelerator '%s' (servet get --all lists "
                        "the names)",
                        cli_clean(path, shown), cli_clean(name, device));
    return code;
}

/* Stores the caches in the JSON file of MT4G at all accelerators of the profile that have the name
 * in the file. Errors: those of reading a file, SERVET_EFORMAT (it is no JSON, or not a result of
 * MT4G), SERVET_ENOTFOUND (the profile has no such accelerator), SERVET_EMEMORY. */
static int mt4g_store(servet_profile *profile, const char *path, servet_error *error)
{
    char *text, shown[CLI_CLEAN_MAX];
    size_t size;
    json_error_t fault;
    int code = srv_text_read(path, SRV_FILE_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    json_t *result = json_loadb(text, size, 0, &fault);
    free(text);
    if (!result)
        return srv_fail(error, SERVET_EFORMAT, "%s is not JSON: line %d: %s",
                        cli_clean(path, shown), fault.line, fault.text);
    code = store(profile, path, result, error);
    json_decref(result);
    return code;
}

typedef struct merge_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *node_class, *mt4g[CLI_TEXTS_MAX];
    bool json;
} merge_arguments;

/* Names the first class, which has the most nodes, `name`, and the other ones NAME-2, ... */
static int name_classes(servet_profile *profile, const char *name, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < servet_profile_class_count(profile) && code == SERVET_OK; i++) {
        char numbered[SERVET_NAME_MAX + 16];
        snprintf(numbered, sizeof numbered, i ? "%s-%d" : "%s", name, i + 1);
        code = servet_profile_name_class(profile, i, numbered, error);
    }
    return code;
}

/* Adds the profile at `path` to `*all`, which is NULL at first. Its node class gets the name `name`
 * (NULL: keeps its name). */
static int add(servet_profile **all, const char *path, const char *name, servet_error *error)
{
    servet_profile *one;
    int code = servet_profile_open(&one, path, error);
    if (code != SERVET_OK)
        return code;
    code = name ? name_classes(one, name, error) : SERVET_OK;
    if (code != SERVET_OK) {
        servet_profile_close(one);
        return code;
    }
    if (!*all) {
        *all = one;
        return SERVET_OK;
    }
    code = servet_profile_merge(*all, one, error);
    servet_profile_close(one);
    return code;
}

static int merge(const merge_arguments *arguments, servet_error *error)
{
    servet_profile *all = NULL;
    int count = 0, code = SERVET_OK;
    while (count < CLI_OPERANDS_MAX && arguments->operands[count])
        count++;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code =
            add(&all, arguments->operands[i], i == count - 1 ? arguments->node_class : NULL, error);
    for (int i = 0; i < CLI_TEXTS_MAX && arguments->mt4g[i] && code == SERVET_OK; i++)
        code = mt4g_store(all, arguments->mt4g[i], error);
    if (code == SERVET_OK && arguments->output)
        code = servet_profile_write(all, arguments->output, error);
    if (code == SERVET_OK && (arguments->json || !arguments->output))
        code = servet_profile_dump(all, stdout, error);
    servet_profile_close(all);
    return code;
}

static int run(const void *parsed)
{
    const merge_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    return merge(arguments, &error) == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"output", 'o', CLI_FILE, offsetof(merge_arguments, output), "FILE",
     "output file (default: standard output)"},
    {"class", 0, CLI_TEXT, offsetof(merge_arguments, node_class), "NAME",
     "name of the node class of the last profile (default: the one it has)"},
    {"mt4g", 0, CLI_TEXTS, offsetof(merge_arguments, mt4g), "FILE",
     "add the caches of a GPU from a result of MT4G; may be repeated"},
    {"json", 0, CLI_FLAG, offsetof(merge_arguments, json), NULL,
     "print the result also if it goes to a file"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_merge = {
    .name = "merge",
    .summary = "combine the profiles of several jobs of a cluster; later ones override",
    .operands = "PROFILE...",
    .operands_min = 1,
    .operands_max = CLI_OPERANDS_MAX,
    .options = options,
    .size = sizeof(merge_arguments),
    .run = run,
};
