/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the library in a thread with the least stack that servet/profile.h promises. */
#include "test.h"

#include <pthread.h>

#include <servet/analyze.h>
#include <servet/servet.h>

/* Sanitizers put room around each array. */
enum { STACK_BYTES = (TEST_SANITIZED ? 512 : 128) << 10, POINTS = 40, RANKS = 4 };
static const servet_at any_core = {.node_class = "default", .core = SERVET_ANY_CORE};

static int open_sample(const char *name, servet_profile **profile)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/data/profiles/%s.json", getenv("SOURCE_ROOT"), name);
    return servet_profile_open(profile, path, NULL);
}

static int get(void *profile, const char *key)
{
    char text[SERVET_TEXT_MAX];
    return servet_profile_get(profile, &any_core, key, text, sizeof text, NULL);
}

static int query(void)
{
    servet_profile *profile;
    int code = open_sample("together", &profile);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_each(profile, &any_core, get, profile, NULL);
    servet_profile_close(profile);
    return code;
}

static int advise(void)
{
    servet_advice advice[8];
    servet_profile *profile;
    int count, code = open_sample("together", &profile);
    if (code != SERVET_OK)
        return code;
    code = servet_advise(profile, &any_core, SERVET_ADVICE_FOR_NODE, advice, 8, &count);
    servet_profile_close(profile);
    return code;
}

static int diff(void)
{
    servet_profile *profile;
    servet_diff *diff = NULL;
    int code = open_sample("together", &profile);
    if (code != SERVET_OK)
        return code;
    code = servet_diff_create(&diff, profile, profile, NULL, 0, NULL);
    servet_diff_destroy(diff);
    servet_profile_close(profile);
    return code;
}

static int analyze_cache(void)
{
    double bytes[POINTS], seconds[POINTS];
    for (int i = 0; i < POINTS; i++) {
        bytes[i] = 4096 * exp2(i / 4.);
        seconds[i] = bytes[i] <= 32768 ? 1e-9 : bytes[i] <= 1 << 20 ? 4e-9 : 80e-9;
    }
    const servet_curve curve = {POINTS, bytes, seconds, NULL, NULL, SERVET_UNIT_SECOND};
    const servet_cache_evidence evidence = {.lines = &curve};
    servet_cache_analysis result;
    return servet_analyze_cache(&evidence, &result, NULL);
}

static int analyze_layers(void)
{
    double cost[RANKS * RANKS];
    for (int i = 0; i < RANKS * RANKS; i++)
        cost[i] = i / RANKS / 2 == i % RANKS / 2 ? 1e-7 : 4e-7;
    const servet_matrix matrix = {.n = RANKS, .cost = cost, .unit = SERVET_UNIT_SECOND};
    servet_layers layers;
    int code = servet_analyze_layers(&matrix, &layers, NULL);
    if (code == SERVET_OK)
        servet_layers_free(&layers);
    return code;
}

static int map(void)
{
    servet_profile *profile;
    servet_traffic *traffic = NULL;
    servet_map *made = NULL;
    int code = open_sample("job", &profile);
    if (code != SERVET_OK)
        return code;
    code = servet_traffic_pattern(&traffic, SERVET_PATTERN_RING, RANKS, 1 << 20, NULL);
    servet_map_request request = {.processes = RANKS, .traffic = traffic};
    if (code == SERVET_OK)
        code = servet_map_create(&made, profile, &request, NULL);
    servet_map_destroy(made);
    servet_traffic_destroy(traffic);
    servet_profile_close(profile);
    return code;
}

static void *call_all(void *result)
{
    int (*const calls[])(void) = {query, advise, diff, analyze_cache, analyze_layers, map};
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && code == SERVET_OK; i++)
        code = calls[i]();
    *(int *)result = code;
    return NULL;
}

TEST(calls_need_little_stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int code = -1;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, call_all, &code), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_ok(code);
}
