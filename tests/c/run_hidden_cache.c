/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory behind caches that the system hides: on models, what is said of it and trusted is right.
 */
#include "test.h"

#include "model_file.h"
#include "servet/measure.h"

/* The truth of all models: of a load, and of one core. */
static const double MEMORY_NS = 150, CORE_RATE = 12e9;

/* Errors that are no wrong answers: of times and bandwidths. */
static const double TIME = 0.15, RATE = 0.1;

enum { LEVELS = 3, HIDE_L1 = 1, HIDE_L2 = 2, HIDE_L3 = 4 };
enum { NONE, ALL = 5 };

/* Without a report, the largest working set of the first look is 64 MiB, or a quarter of the
 * memory. Memory of several GiB shows any cache, little memory only what is much slower than one.
 */
static const struct node {
    const char *what;
    unsigned hidden;
    const char *l3, *memory;
    int l3_cycles, domains;
    double budget;
    int least, most; /* facts that are trusted */
} nodes[] = {
    {"largest set as large as the L3", HIDE_L2 | HIDE_L3, "64M", "4G", 140, 1, 0, ALL, ALL},
    {"largest set as large as the L3, little memory", HIDE_L2 | HIDE_L3, "16M", "64M", 140, 1, 0,
     NONE, NONE},
    {"too little time for larger sets", HIDE_L2 | HIDE_L3, "64M", "4G", 140, 1, 2, NONE, ALL},
    {"L3 four times as large as any set", HIDE_L2 | HIDE_L3, "64M", "64M", 140, 1, 0, NONE, NONE},
    {"memory plainly slower than caches", 0, "8M", "512M", 50, 1, 0, ALL, ALL},
    {"only the L3 hidden", HIDE_L3, "128M", "4G", 140, 1, 0, ALL, ALL},
    {"only the L3 hidden, little memory", HIDE_L3, "128M", "256M", 100, 1, 0, NONE, NONE},
    {"no report at all", HIDE_L1 | HIDE_L2 | HIDE_L3, "96M", "4G", 140, 1, 0, ALL, ALL},
    {"no report at all, little memory", HIDE_L1 | HIDE_L2 | HIDE_L3, "32M", "128M", 60, 1, 0, NONE,
     NONE},
    {"two NUMA nodes", HIDE_L2 | HIDE_L3, "64M", "4G", 140, 2, 0, ALL, ALL},
    {"two NUMA nodes, little memory", HIDE_L2 | HIDE_L3, "64M", "128M", 140, 2, 0, NONE, NONE},
};
enum { QUICK = 1 };

static const char *hides(const struct node *node, unsigned level)
{
    return node->hidden & level ? "true" : "false";
}

/* Four cores; a second NUMA node is 1.6 times as far. */
static void write_model(const struct node *node)
{
    char text[4096];
    int length = snprintf(
        text, sizeof text,
        "{\"model\": 1, \"cores\": 4, \"packages\": %d, \"numa_nodes\": %d, \"clock_ghz\": 3,\n"
        "\"caches\": [\n"
        "{\"level\": 1, \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": 5, \"hidden\": %s},\n"
        "{\"level\": 2, \"bytes\": \"1M\", \"ways\": 16, \"latency_cycles\": 16, \"hidden\": %s},\n"
        "{\"level\": 3, \"bytes\": \"%s\", \"ways\": 16, \"latency_cycles\": %d, \"hidden\": %s,\n"
        " \"slices\": 4, \"shared_by\": %d}],\n"
        "\"tlbs\": [{\"entries\": 64, \"ways\": 4, \"penalty_cycles\": 7},\n"
        " {\"entries\": 2048, \"ways\": 8, \"penalty_cycles\": 30}],\n"
        "\"pages\": {\"bytes\": \"4K\", \"placement\": \"random\", \"huge_bytes\": \"2M\"},\n"
        "\"memory\": {\"bytes\": \"%s\", \"latency_ns\": %g, \"core_bytes_per_second\": %g%s},\n"
        "\"noise\": {\"jitter\": 0.02}}\n",
        node->domains, node->domains, hides(node, HIDE_L1), hides(node, HIDE_L2), node->l3,
        node->l3_cycles, hides(node, HIDE_L3), 4 / node->domains, node->memory, MEMORY_NS,
        CORE_RATE,
        node->domains > 1 ? ", \"remote\": [{\"within\": 4, \"latency_ns\": 240, "
                            "\"core_bytes_per_second\": 7e9}]"
                          : "");
    assert_in_range(length, 1, sizeof text - 1);
    model_file_store(text, (size_t)length);
}

/* A fact that is there: what is trusted of it is right; counts in `trusted` those that are. */
static void is_right(const struct node *node, const servet_profile *profile, const char *key,
                     double truth, double error, int *trusted)
{
    char text[64];
    servet_trust trust;
    if (servet_profile_trust(profile, NULL, key, &trust, NULL) != SERVET_OK || !trust.trusted)
        return;
    assert_ok(servet_profile_get(profile, NULL, key, text, sizeof text, NULL));
    (*trusted)++;
    if (!(fabs(atof(text) / truth - 1) <= error))
        fail_msg("%s: %s is %s, not %g, and trusted", node->what, key, text, truth);
}

TEST_EACH(model_file_begin, model_file_end)

TEST(trusted_facts_of_memory_are_right)
{
    enum { COUNT = sizeof nodes / sizeof *nodes };
    for (size_t i = 0; i < test_cases(QUICK, COUNT); i++) {
        const struct node *node = &nodes[i];
        servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
        servet_profile *profile = NULL;
        int trusted = 0, count = 0;
        write_model(node);
        options.machine = model_path;
        options.budget_seconds = node->budget;
        options.only = 1u << SERVET_BENCHMARK_CACHE | 1u << SERVET_BENCHMARK_MEMORY;
        assert_ok(servet_measure(&options, &profile, NULL));
        is_right(node, profile, "caches.count", LEVELS, 0, &count);
        is_right(node, profile, "memory.latency_ns", MEMORY_NS, TIME, &trusted);
        is_right(node, profile, "memory.read", CORE_RATE, RATE, &trusted);
        is_right(node, profile, "numa.1.latency_ns.1", MEMORY_NS, TIME, &trusted);
        is_right(node, profile, "numa.1.bandwidth.1", CORE_RATE, RATE, &trusted);
        if (count + trusted < node->least || count + trusted > node->most)
            fail_msg("%s: %d facts are trusted", node->what, count + trusted);
        servet_profile_close(profile);
    }
}
