/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/mt4g.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "core/error.h"
#include "core/text.h"

/* Limit of a file: results have some 10 KB. */
enum { BYTES_MAX = 1 << 20 };

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

int cli_mt4g_store(servet_profile *profile, const char *path, servet_error *error)
{
    char *text, shown[CLI_CLEAN_MAX];
    size_t size;
    json_error_t fault;
    int code = srv_text_read(path, BYTES_MAX, &text, &size, error);
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
