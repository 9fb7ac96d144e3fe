/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever advice says of a profile is what the queries answer: for the profiles in tests/data and
 * all models. */
#include "test.h"

#include <ctype.h>
#include <dirent.h>

#include "core/human.h"
#include "known_node.h"
#include "map_machine.h"
#include "servet/advice.h"
#include "servet/analyze.h"
#include "servet/network.h"
#include "servet/node.h"
#include "../record.h"

enum { ADVICE_MAX = 64, CORES_MAX = 4096 };

static servet_advice list[ADVICE_MAX];
static bool met[SERVET_ADVICE_COUNT];

/* --- one advice against the queries ----------------------------------------------------------- */

/* The text has the number as a word of its own. */
static void has_word(const char *text, const char *number)
{
    size_t length = strlen(number);
    for (const char *at = text; (at = strstr(at, number)); at++)
        if ((at == text || at[-1] == ' ') && !isalnum((unsigned char)at[length]))
            return;
    print_error("'%s' is not in '%s'\n", number, text);
    fail();
}

static void is_near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-9 * fabs(b));
}

static void says_time(const char *text, double seconds)
{
    char time[HUMAN_MAX];
    human_time(seconds, time);
    has_word(text, time);
}

static void says_rate(const char *text, double bytes_per_second)
{
    char rate[32];
    snprintf(rate, sizeof rate, "%.3g GB/s", bytes_per_second / 1e9);
    has_word(text, rate);
}

static void says_bytes(const servet_advice *advice, double bytes)
{
    char text[HUMAN_MAX];
    is_near(advice->value.value, bytes);
    human_bytes(bytes, text);
    has_word(advice->text, text);
}

static void says_count(const servet_advice *advice, int count)
{
    char text[16];
    assert_true(advice->value.value == count);
    snprintf(text, sizeof text, "%d", count);
    has_word(advice->text, count == 2 && strstr(advice->text, "both PUs") ? "both" : text);
}

static void check_block(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_block block;
    servet_cache cache;
    assert_ok(servet_cache_block(profile, at, advice->level, 1, 1, 0, &block));
    assert_ok(servet_cache_get(profile, at, advice->level, &cache));
    says_bytes(advice, block.bytes);
    assert_false(block.emptied);
    assert_int_equal(advice->trusted, block.trusted);
    assert_true(!servet_value_known(&cache.bytes) || block.bytes <= cache.bytes.value);
}

/* A level that others empty has a block if it is named, but the block is never trusted. */
static void check_no_block(const servet_profile *profile, const servet_at *at,
                           const servet_advice *advice)
{
    servet_block block;
    assert_ok(servet_cache_block(profile, at, advice->level, 1, 1, 0, &block));
    assert_true(block.emptied);
    assert_false(block.trusted);
    if (servet_cache_block(profile, at, 0, 1, 1, 0, &block) == SERVET_OK)
        assert_int_not_equal(block.level, advice->level);
}

static void check_threads(const servet_profile *profile, const servet_at *at,
                          const servet_advice *advice)
{
    static int all[CORES_MAX], cores[CORES_MAX];
    servet_machine machine;
    char text[SERVET_CORES_MAX];
    int count, threads;
    assert_ok(servet_profile_machine(profile, at, &machine));
    assert_ok(servet_cores_from_text(machine.cores, all, CORES_MAX, &count));
    assert_ok(
        servet_thread_room(profile, at, SERVET_POLICY_MEMORY, all, count, &threads, NULL, NULL));
    says_count(advice, threads);
    assert_ok(servet_thread_place(profile, at, SERVET_POLICY_MEMORY, all, count, cores, threads,
                                  NULL, NULL));
    assert_ok(servet_cores_to_text(cores, threads, text, sizeof text));
    assert_string_equal(advice->cores, text);
}

static void check_loads(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_concurrency loads;
    assert_ok(servet_concurrency_get(profile, at, 0, &loads));
    says_count(advice, loads.requests);
}

static void check_padding(const servet_profile *profile, const servet_at *at,
                          const servet_advice *advice)
{
    servet_coherence coherence;
    assert_ok(servet_coherence_get(profile, at, &coherence));
    says_bytes(advice, coherence.line.value);
}

static void check_pages(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_tlb tlb;
    int levels;
    assert_ok(servet_tlb_count(profile, at, SERVET_PAGES_BASE, &levels));
    assert_ok(servet_tlb_get(profile, at, SERVET_PAGES_BASE, levels, &tlb));
    says_bytes(advice, tlb.reach_bytes.value);
}

/* The fastest barrier that was measured with the fewest threads that suffice, of the farthest
 * cores; 0: none was. */
static double measured_barrier(const servet_profile *profile, const servet_at *at, int threads)
{
    servet_sync sync;
    double seconds = 0;
    for (int most = threads; most <= CORES_MAX && seconds == 0; most++)
        for (int layer = SERVET_LAYERS_MAX; layer > 0 && seconds == 0; layer--)
            for (int i = 1;
                 servet_profile_item(profile, at, "sync", &i, &sync, sizeof sync) == SERVET_OK; i++)
                if (strstr(servet_sync_name(sync.op), "barrier") && sync.threads == most &&
                    sync.layer == layer && (seconds == 0 || sync.time.value < seconds))
                    seconds = sync.time.value;
    return seconds;
}

/* Without one the number of rounds by counting: how often k threads are halved. */
static void check_barriers(const servet_profile *profile, const servet_at *at,
                           const servet_advice *advice)
{
    servet_machine machine;
    servet_distance_layer far;
    int layers, rounds = 0;
    char count[16];
    assert_ok(servet_profile_machine(profile, at, &machine));
    snprintf(count, sizeof count, "%d", machine.core_count);
    has_word(advice->text, count);
    says_time(advice->text, advice->value.value);
    double seconds = measured_barrier(profile, at, machine.core_count);
    if (seconds > 0) {
        says_time(advice->why, seconds);
        is_near(advice->value.value, 100 * seconds);
        return;
    }
    assert_ok(servet_distance_layer_count(profile, at, &layers));
    assert_ok(servet_distance_layer_get(profile, at, layers, &far));
    for (int threads = machine.core_count; threads > 1; threads = (threads + 1) / 2)
        rounds++;
    says_time(advice->why, far.latency.value);
    is_near(advice->value.value, 100 * rounds * far.latency.value);
}

static void check_stores(const servet_profile *profile, const servet_at *at,
                         const servet_advice *advice)
{
    servet_value usual, bypassing;
    assert_ok(servet_memory_bandwidth(profile, at, SERVET_KERNEL_COPY, &usual));
    assert_ok(servet_memory_bandwidth(profile, at, SERVET_KERNEL_COPY_NT, &bypassing));
    says_rate(advice->why, usual.value);
    says_rate(advice->why, bypassing.value);
    is_near(advice->value.value, bypassing.value / usual.value);
}

/* No other pair of NUMA nodes with clearly different latencies has a larger ratio. */
static void check_numa(const servet_profile *profile, const servet_at *at,
                       const servet_advice *advice)
{
    servet_value own, other;
    bool found = false;
    int count;
    assert_ok(servet_numa_count(profile, at, &count));
    for (int i = 0; i < count * count; i++) {
        int from = i / count, to = i % count;
        if (servet_numa_latency(profile, at, from, from, &own) != SERVET_OK ||
            servet_numa_latency(profile, at, from, to, &other) != SERVET_OK ||
            !(other.low > 1.05 * own.high))
            continue;
        assert_true(other.value / own.value <= advice->value.value * (1 + 1e-9));
        found = found || fabs(other.value / own.value - advice->value.value) < 1e-9;
    }
    assert_true(found);
}

static void check_near(const servet_profile *profile, const servet_at *at,
                       const servet_advice *advice)
{
    servet_distance_layer near, far;
    int layers;
    assert_ok(servet_distance_layer_count(profile, at, &layers));
    assert_ok(servet_distance_layer_get(profile, at, 1, &near));
    assert_ok(servet_distance_layer_get(profile, at, layers, &far));
    says_time(advice->why, near.latency.value);
    says_time(advice->why, far.latency.value);
    is_near(advice->value.value, far.latency.value / near.latency.value);
}

/* The number of messages pays, and no larger one does. */
static void check_gather(const servet_profile *profile, const servet_at *at,
                         const servet_advice *advice)
{
    servet_aggregation range;
    int most = 0;
    (void)at;
    for (int i = 1;
         SERVET_ITEM(profile, "network.layers.aggregation", &range, advice->level, i) == SERVET_OK;
         i++)
        if (range.payoff == SERVET_PAYOFF_PAYS && range.messages > most)
            most = range.messages;
    says_count(advice, most);
}

static void check_layers(const servet_profile *profile, const servet_at *at,
                         const servet_advice *advice)
{
    servet_network_layer near, far;
    (void)at;
    assert_ok(servet_network_layer_get(profile, 1, &near));
    assert_ok(servet_network_layer_get(profile, advice->level, &far));
    says_time(advice->why, near.latency.value);
    says_time(advice->why, far.latency.value);
    is_near(advice->value.value, far.latency.value / near.latency.value);
}

/* No number of senders has a higher total. */
static void check_senders(const servet_profile *profile, const servet_at *at,
                          const servet_advice *advice)
{
    servet_ratio best, ratio;
    servet_ratios about;
    (void)at;
    says_count(advice, (int)advice->value.value);
    assert_ok(
        servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, (int)advice->value.value, &best));
    assert_ok(servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about));
    for (int n = 1; n <= about.largest; n++)
        if (servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, n, &ratio) == SERVET_OK)
            assert_true(n / ratio.ratio.value <= best.at / best.ratio.value * (1 + 1e-9));
}

static void check_nodes(const servet_profile *profile, const servet_at *at,
                        const servet_advice *advice)
{
    servet_ratios about;
    servet_ratio farthest;
    (void)at;
    assert_ok(servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about));
    assert_ok(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, about.largest, &farthest));
    is_near(advice->value.value, farthest.ratio.value);
}

typedef void check(const servet_profile *profile, const servet_at *at, const servet_advice *advice);

static check *const checks[SERVET_ADVICE_COUNT] = {
    [SERVET_ADVICE_BLOCK] = check_block,       [SERVET_ADVICE_NO_BLOCK] = check_no_block,
    [SERVET_ADVICE_THREADS] = check_threads,   [SERVET_ADVICE_LOADS] = check_loads,
    [SERVET_ADVICE_PADDING] = check_padding,   [SERVET_ADVICE_PAGES] = check_pages,
    [SERVET_ADVICE_BARRIERS] = check_barriers, [SERVET_ADVICE_STORES] = check_stores,
    [SERVET_ADVICE_NUMA] = check_numa,         [SERVET_ADVICE_NEAR] = check_near,
    [SERVET_ADVICE_GATHER] = check_gather,     [SERVET_ADVICE_LAYERS] = check_layers,
    [SERVET_ADVICE_SENDERS] = check_senders,   [SERVET_ADVICE_NODES] = check_nodes,
};

/* A text is a sentence without its full stop; a doubt has its reason; facts are keys. */
static void check_form(const servet_profile *profile, const servet_at *at,
                       const servet_advice *advice)
{
    char key[SERVET_NAME_MAX];
    servet_trust trust;
    assert_true(*advice->text && advice->text[strlen(advice->text) - 1] != '.');
    assert_true(*advice->why && strlen(advice->why) < sizeof advice->why - 1);
    assert_int_equal(advice->trusted, !*advice->doubt);
    assert_true(advice->trusted || !advice->value.trusted);
    assert_true(*advice->facts);
    assert_int_equal(sscanf(advice->facts, "%63s", key), 1);
    assert_ok(servet_profile_trust(profile, at, key, &trust, NULL));
}

/* All advice for a class, each core type by one of its cores. */
static int check_all(const servet_profile *profile, const servet_at *at)
{
    int count = -1, again = -1;
    assert_ok(servet_advise(profile, at, SERVET_ADVICE_FOR_NODE, NULL, 0, &count));
    assert_in_range(count, 0, ADVICE_MAX);
    assert_ok(servet_advise(profile, at, SERVET_ADVICE_FOR_NODE, list, count, &again));
    assert_int_equal(again, count);
    for (int i = 0; i < count; i++) {
        check_form(profile, at, &list[i]);
        checks[list[i].topic](profile, at, &list[i]);
        met[list[i].topic] = true;
    }
    return count;
}

static int check_profile(const servet_profile *profile)
{
    servet_kind kind;
    int count = 0;
    for (int i = 0; i < servet_profile_class_count(profile); i++) {
        servet_at at = {servet_profile_class_name(profile, i), .core = SERVET_ANY_CORE};
        if (servet_kind_get(profile, &at, 0, &kind) != SERVET_OK)
            count += check_all(profile, &at);
        for (int k = 0; servet_kind_get(profile, &at, k, &kind) == SERVET_OK; k++) {
            at.core = atoi(kind.cores);
            count += check_all(profile, &at);
        }
    }
    return count;
}

/* --- profiles --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), of_end = strlen(end);
    return length > of_end && strcmp(text + length - of_end, end) == 0;
}

TEST(of_stored_profiles)
{
    char folder[1024], path[2048];
    int profiles = 0, advice = 0;
    snprintf(folder, sizeof folder, "%s/tests/data/profiles", getenv("SOURCE_ROOT"));
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        servet_profile *profile;
        if (!ends_with(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_ok(servet_profile_open(&profile, path, NULL));
        advice += check_profile(profile);
        profiles++;
        servet_profile_close(profile);
    }
    closedir(entries);
    assert_true(profiles >= 5 && advice > profiles);
}

TEST(of_models)
{
    int models = 0;
    DIR *entries = opendir(getenv("SERVET_MODELS"));
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char name[64];
        if (!ends_with(entry->d_name, ".json"))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strlen(entry->d_name) - 5, entry->d_name);
        known_node node = known_node_kept(name);
        assert_true(check_profile(node.place.profile) > 0);
        models++;
    }
    closedir(entries);
    assert_true(models > 10);
}

/* Base pages are translated within 1 MiB, huge ones within 64 MiB. */
TEST(of_short_translation)
{
    const map_machine machine = {.nodes = 1, .cores = "0-7"};
    servet_profile *profile = map_profile(&machine, 1);
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++) {
        const double reach = (pages == SERVET_PAGES_HUGE ? 64 : 1) * 1048576.0;
        const servet_value unknown = servet_value_unknown(SERVET_UNIT_BYTE);
        const servet_translation translation = {.page_bytes = unknown,
                                                .granule_bytes = unknown,
                                                .walk = servet_value_unknown(SERVET_UNIT_SECOND),
                                                .pages_asked = 4096};
        const servet_tlb tlb = {.entries = servet_value_unknown(SERVET_UNIT_NONE),
                                .ways = servet_value_unknown(SERVET_UNIT_NONE),
                                .reach_bytes = {reach, reach, reach, 9, SERVET_UNIT_BYTE,
                                                SERVET_METHOD_CURVE_FIT, true},
                                .latency = servet_value_unknown(SERVET_UNIT_SECOND),
                                .confidence = 1};
        assert_ok(
            record_translation(profile, 0, 0, (servet_pages)pages, &translation, &tlb, 1, NULL));
    }
    assert_true(check_profile(profile) > 0);
}

/* Two processes of a node send more together than one, four send less. */
TEST(of_a_network_that_chokes)
{
    const map_machine machine = {.nodes = 4,
                                 .cores = "0-7",
                                 .inside = 1e-6,
                                 .between = 5e-6,
                                 .access = {1, 1.25, 8},
                                 .distance = {1, 1.5}};
    servet_profile *profile = map_profile(&machine, 4);
    assert_true(check_profile(profile) > 0);
}

static servet_sync sync_of(servet_sync_op op, int threads, int layer, double seconds)
{
    return (servet_sync){.op = op,
                         .threads = threads,
                         .layer = layer,
                         .time = {seconds, seconds / 2, 2 * seconds, 6, SERVET_UNIT_SECOND,
                                  SERVET_METHOD_TIMED, true}};
}

/* s between barriers of the cores of a node, by these facts. */
static servet_value between_barriers(const char *cores, const servet_sync *facts, int count)
{
    const map_machine machine = {.nodes = 1, .cores = cores};
    servet_value found = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_profile *profile = map_profile(&machine, 1);
    servet_error error;
    if (record_sync(profile, 0, facts, count, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    const servet_at at = {servet_profile_class_name(profile, 0), SERVET_ANY_CORE};
    int advised = check_all(profile, &at);
    for (int i = 0; i < advised; i++)
        if (list[i].topic == SERVET_ADVICE_BARRIERS)
            found = list[i].value;
    return found;
}

/* A hundred times the fastest barrier of all threads, or of the next larger number measured; of two
 * threads not that of two in one core, which is layer 1. */
TEST(of_measured_barriers)
{
    const servet_sync all[] = {sync_of(SERVET_SYNC_LOCK, 8, 2, 0.1e-6),
                               sync_of(SERVET_SYNC_CENTRAL, 2, 1, 1e-6),
                               sync_of(SERVET_SYNC_CENTRAL, 2, 2, 1.5e-6),
                               sync_of(SERVET_SYNC_CENTRAL, 8, 2, 3e-6),
                               sync_of(SERVET_SYNC_DISSEMINATION, 2, 1, 0.5e-6),
                               sync_of(SERVET_SYNC_DISSEMINATION, 8, 2, 2e-6),
                               sync_of(SERVET_SYNC_DISSEMINATION, 16, 2, 5e-6)};
    const int count = sizeof all / sizeof *all;
    servet_value seconds = between_barriers("0-7", all, count);
    is_near(seconds.value, 200e-6);
    is_near(seconds.low, 100e-6);
    is_near(seconds.high, 400e-6);
    is_near(between_barriers("0-8", all, count).value, 500e-6);
    is_near(between_barriers("0-1", all, count).value, 150e-6);
}

/* The profiles and models above have facts for each of them. */
TEST(of_every_topic)
{
    for (int i = 0; i < SERVET_ADVICE_COUNT; i++) {
        if (!met[i])
            print_error("no profile leads to advice on %s\n", servet_advice_topic_name(i));
        assert_true(met[i]);
    }
}

TEST(wrong_arguments_are_refused)
{
    const servet_at nowhere = {.node_class = "nowhere", .core = SERVET_ANY_CORE};
    servet_profile *profile = map_profile(&map_flat, 1);
    int count = -7;
    assert_int_equal(servet_advise(profile, &nowhere, SERVET_ADVICE_FOR_NODE, NULL, 0, &count),
                     SERVET_ERANGE);
    assert_int_equal(servet_advise(profile, &nowhere, (servet_advice_for)7, NULL, 0, &count),
                     SERVET_EARGUMENT);
    assert_int_equal(count, -7);
    assert_string_equal(servet_advice_topic_name(SERVET_ADVICE_NO_BLOCK), "no-block");
    assert_string_equal(servet_advice_topic_name(SERVET_ADVICE_COUNT), "?");
    assert_string_equal(servet_advice_for_name(SERVET_ADVICE_FOR_PROCESS), "process");
}
