/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of queries: all functions of the public headers that take a `const servet_profile *`
 * (suite style compares). A look-up takes no longer than the limit, however large the profile;
 * what computes something, or follows a text, has its reason in the table.
 */
#include "queries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "largest.h"
#include "servet/advice.h"
#include "servet/identity.h"
#include "servet/keys.h"
#include "servet/map.h"
#include "servet/network.h"
#include "servet/node.h"

/* The limit; and as many calls as the clock times well, which a busy machine seldom interrupts. All
 * queries are timed in turn, several times, so that it is not busy during all times of one. */
enum { LOOK_UP_NS_MAX = 100, CALLS = 64, ROUNDS = 100, TURNS = 5, POOL = 4096, NEAREST = 8 };
static const double SECONDS_MAX = 0.01; /* for the rounds of one turn */

/* --- arguments and answers
 * ---------------------------------------------------------------------------- */

/* Arguments for one call of any query; a query takes what it needs. */
typedef struct arguments {
    servet_at at;
    servet_place a, b;
    int class, node, kind, level, group, layer, item, cores, other, messages;
    servet_kernel kernel;
    servet_pages pages;
    servet_degradation degradation;
    double bytes;
    const char *host, *key;
} arguments;

/* The room for the answer of any query. */
typedef union answer {
    int number, cores[NEAREST];
    const char *text;
    char line[16384];
    servet_run run;
    servet_fitness fitness;
    servet_machine machine;
    servet_kind kind;
    servet_cache cache;
    servet_value value;
    servet_modes modes;
    servet_trust trust;
    servet_sharing sharing;
    servet_coherence coherence;
    servet_distance_layer distance;
    servet_memory_level overhead;
    servet_saturation saturation;
    servet_numa numa;
    servet_translation translation;
    servet_tlb tlb;
    servet_concurrency concurrency;
    servet_network network;
    servet_bisection halves;
    servet_network_layer layer;
    servet_batch batch;
    servet_ratios ratios;
    servet_ratio ratio;
    servet_block block;
    servet_place places[NEAREST];
} answer;

static int known(const void *pointer)
{
    return pointer ? SERVET_OK : SERVET_ERANGE;
}

static int positive(int number)
{
    return number > 0 ? SERVET_OK : SERVET_ERANGE;
}

#define A                &with->at
#define BY_KEY           "follows the text of a key"
#define COMPUTES_NEAREST "lists cores"

/* Name, why it may take longer than a look-up (NULL: it may not), call. `with` are its arguments,
 * `to` is where its answer goes. */
#define QUERIES(X)                                                                                 \
    X(servet_profile_path, NULL, known(servet_profile_path(profile)))                              \
    X(servet_profile_run, NULL, servet_profile_run(profile, &to->run))                             \
    X(servet_profile_fitness, "writes a text about all facts",                                     \
      servet_profile_fitness(profile, A, &to->fitness))                                            \
    X(servet_profile_doubtful, "writes a text about all facts",                                    \
      servet_profile_doubtful(profile, A, to->line, sizeof to->line))                              \
    X(servet_profile_class_count, NULL, positive(servet_profile_class_count(profile)))             \
    X(servet_profile_class_name, NULL, known(servet_profile_class_name(profile, with->class)))     \
    X(servet_profile_class_of, NULL, servet_profile_class_of(profile, with->host, &to->number))    \
    X(servet_profile_here, NULL, servet_profile_here(profile, &to->number, NULL))                  \
    X(servet_profile_identity, NULL, positive((int)servet_profile_identity(profile)))              \
    X(servet_profile_identify, "compares the text of a fingerprint",                               \
      servet_profile_identify(profile, with->host, "", &to->number, NULL, NULL))                   \
    X(servet_profile_machine, NULL, servet_profile_machine(profile, A, &to->machine))              \
    X(servet_profile_node, NULL, known(servet_profile_node(profile, A, with->item)))               \
    X(servet_profile_get, BY_KEY,                                                                  \
      servet_profile_get(profile, A, with->key, to->line, sizeof to->line, NULL))                  \
    X(servet_profile_modes, BY_KEY, servet_profile_modes(profile, A, with->key, &to->modes, NULL)) \
    X(servet_profile_trust, BY_KEY, servet_profile_trust(profile, A, with->key, &to->trust, NULL)) \
    X(servet_kind_get, NULL, servet_kind_get(profile, A, with->kind, &to->kind))                   \
    X(servet_cache_count, NULL, servet_cache_count(profile, A, &to->number))                       \
    X(servet_cache_get, NULL, servet_cache_get(profile, A, with->level, &to->cache))               \
    X(servet_cache_group_count, NULL,                                                              \
      servet_cache_group_count(profile, A, with->level, &to->number))                              \
    X(servet_cache_group, NULL,                                                                    \
      servet_cache_group(profile, A, with->level, with->group, &to->text))                         \
    X(servet_cache_group_of, NULL, servet_cache_group_of(profile, A, with->level, &to->number))    \
    X(servet_cache_sharing, NULL, servet_cache_sharing(profile, A, with->level, &to->sharing))     \
    X(servet_memory_latency, NULL, servet_memory_latency(profile, A, &to->value))                  \
    X(servet_coherence_get, NULL, servet_coherence_get(profile, A, &to->coherence))                \
    X(servet_distance_layer_count, NULL, servet_distance_layer_count(profile, A, &to->number))     \
    X(servet_distance_layer_get, NULL,                                                             \
      servet_distance_layer_get(profile, A, with->level, &to->distance))                           \
    X(servet_distance_group_count, NULL,                                                           \
      servet_distance_group_count(profile, A, with->level, &to->number))                           \
    X(servet_distance_group, NULL,                                                                 \
      servet_distance_group(profile, A, with->level, with->group, &to->text))                      \
    X(servet_distance_layer_of, NULL,                                                              \
      servet_distance_layer_of(profile, A, with->other, &to->number))                              \
    X(servet_distance_group_of, NULL,                                                              \
      servet_distance_group_of(profile, A, with->level, &to->number))                              \
    X(servet_distance_nearest, COMPUTES_NEAREST,                                                   \
      servet_distance_nearest(profile, A, to->cores, NEAREST, &(int){0}))                          \
    X(servet_memory_bandwidth, NULL,                                                               \
      servet_memory_bandwidth(profile, A, with->kernel, &to->value))                               \
    X(servet_memory_single, NULL, servet_memory_single(profile, A, &to->value))                    \
    X(servet_memory_level_count, NULL, servet_memory_level_count(profile, A, &to->number))         \
    X(servet_memory_level_get, NULL,                                                               \
      servet_memory_level_get(profile, A, with->level, &to->overhead))                             \
    X(servet_memory_group_count, NULL,                                                             \
      servet_memory_group_count(profile, A, with->level, &to->number))                             \
    X(servet_memory_group, NULL,                                                                   \
      servet_memory_group(profile, A, with->level, with->group, &to->text))                        \
    X(servet_memory_group_of, NULL, servet_memory_group_of(profile, A, with->level, &to->number))  \
    X(servet_memory_saturation_of, NULL, servet_memory_saturation_of(profile, A, &to->saturation)) \
    X(servet_memory_scaling, NULL,                                                                 \
      servet_memory_scaling(profile, A, with->level - 1, with->cores, &to->value))                 \
    X(servet_memory_saturation, NULL, servet_memory_saturation(profile, A, &to->number))           \
    X(servet_numa_count, NULL, servet_numa_count(profile, A, &to->number))                         \
    X(servet_numa_get, NULL, servet_numa_get(profile, A, with->group, &to->numa))                  \
    X(servet_numa_bandwidth, NULL,                                                                 \
      servet_numa_bandwidth(profile, A, with->group, with->item, &to->value))                      \
    X(servet_numa_latency, NULL,                                                                   \
      servet_numa_latency(profile, A, with->group, with->item, &to->value))                        \
    X(servet_translation_get, NULL,                                                                \
      servet_translation_get(profile, A, with->pages, &to->translation))                           \
    X(servet_tlb_count, NULL, servet_tlb_count(profile, A, with->pages, &to->number))              \
    X(servet_tlb_get, NULL, servet_tlb_get(profile, A, with->pages, with->level, &to->tlb))        \
    X(servet_concurrency_get, NULL,                                                                \
      servet_concurrency_get(profile, A, with->level - 1, &to->concurrency))                       \
    X(servet_concurrency_of_chains, NULL,                                                          \
      servet_concurrency_of_chains(profile, A, with->level - 1, with->cores, &to->value))          \
    X(servet_concurrency_of_threads, NULL,                                                         \
      servet_concurrency_of_threads(profile, A, with->level - 1, with->cores, &to->value))         \
    X(servet_network_get, NULL, servet_network_get(profile, &to->network))                         \
    X(servet_network_node, NULL, known(servet_network_node(profile, with->node)))                  \
    X(servet_network_node_of, NULL, servet_network_node_of(profile, with->host, &to->number))      \
    X(servet_network_slowness, NULL, servet_network_slowness(profile, with->node, &to->value))     \
    X(servet_network_bisection, NULL, servet_network_bisection(profile, &to->halves))              \
    X(servet_network_layer_count, NULL, servet_network_layer_count(profile, &to->number))          \
    X(servet_network_layer_get, NULL, servet_network_layer_get(profile, with->layer, &to->layer))  \
    X(servet_network_group_count, NULL,                                                            \
      servet_network_group_count(profile, with->layer, &to->number))                               \
    X(servet_network_group, NULL,                                                                  \
      servet_network_group(profile, with->layer, with->group, &to->text))                          \
    X(servet_network_layer_of, NULL,                                                               \
      servet_network_layer_of(profile, with->a, with->b, &to->number))                             \
    X(servet_network_group_of, NULL,                                                               \
      servet_network_group_of(profile, with->layer, with->a, &to->number))                         \
    X(servet_network_nearest, COMPUTES_NEAREST,                                                    \
      servet_network_nearest(profile, with->a, to->places, NEAREST, &(int){0}))                    \
    X(servet_network_time, NULL,                                                                   \
      servet_network_time(profile, with->layer, with->bytes, &to->value))                          \
    X(servet_network_bandwidth, NULL,                                                              \
      servet_network_bandwidth(profile, with->layer, with->bytes, &to->value))                     \
    X(servet_network_slowdown, "interpolates between four measurements",                           \
      servet_network_slowdown(profile, with->layer, with->bytes, with->messages, &to->value))      \
    X(servet_network_cost, "interpolates between six measurements",                                \
      servet_network_cost(profile, with->layer, with->bytes, with->messages, &to->value))          \
    X(servet_network_cost_between, "interpolates between six measurements",                        \
      servet_network_cost_between(profile, with->a, with->b, with->bytes, with->messages,          \
                                  &to->value))                                                     \
    X(servet_profile_count, "follows a path",                                                      \
      servet_profile_count(profile, NULL, "network.layers.batches", (int[]){with->layer},          \
                           &to->number))                                                           \
    X(servet_profile_item, "follows a path",                                                       \
      SERVET_ITEM(profile, "network.layers.batches", &to->batch, with->layer, with->item + 1))     \
    X(servet_network_aggregate, "interpolates three times and a gain",                             \
      servet_network_aggregate(profile, with->layer, with->bytes, with->messages, &to->batch))     \
    X(servet_network_ratios, NULL, servet_network_ratios(profile, with->degradation, &to->ratios)) \
    X(servet_network_ratio, NULL,                                                                  \
      servet_network_ratio(profile, with->degradation, with->cores, &to->ratio))                   \
    X(servet_network_ratios_count, NULL,                                                           \
      servet_network_ratios_count(profile, with->degradation, &to->number))                        \
    X(servet_network_ratios_at, NULL,                                                              \
      servet_network_ratios_at(profile, with->degradation, 0, &to->ratios))                        \
    X(servet_network_ratio_at, NULL,                                                               \
      servet_network_ratio_at(profile, with->degradation, 0, with->cores, &to->ratio))             \
    X(servet_cache_block, NULL, servet_cache_block(profile, A, with->level, 3, 8, 0, &to->block))  \
    X(servet_cache_sharers, "counts cores",                                                        \
      servet_cache_sharers(profile, A, with->level, (int[]){with->at.core, with->other}, 2,        \
                           &to->number))                                                           \
    X(servet_thread_place, "searches the best cores",                                              \
      servet_thread_place(profile, A, SERVET_POLICY_SCATTER, &with->other, 1, to->cores, 1, NULL,  \
                          NULL))                                                                   \
    X(servet_thread_room, "searches the best cores",                                               \
      servet_thread_room(profile, A, SERVET_POLICY_MEMORY, NULL, 0, &to->number, NULL, NULL))      \
    X(servet_advise, "writes texts about all facts",                                               \
      servet_advise(profile, A, SERVET_ADVICE_FOR_NODE, NULL, 0, &to->number))                     \
    X(servet_profile_each, "lists all keys", servet_profile_each(profile, A, pass_over, NULL, NULL))

/* Functions that take a profile and make something large of it: a placement, a file, another
 * profile. */
#define NOT_TIMED(X)                                                                               \
    X(servet_diff_create)                                                                          \
    X(servet_export_write)                                                                         \
    X(servet_map_create)                                                                           \
    X(servet_map_predict)                                                                          \
    X(servet_map_idle_get)                                                                         \
    X(servet_map_reorder)                                                                          \
    X(servet_comm_split_layer_by)                                                                  \
    X(servet_comm_split_layer_f)                                                                   \
    X(servet_comm_times_create)                                                                    \
    X(servet_comm_times_create_f)                                                                  \
    X(servet_comm_reorder_by)                                                                      \
    X(servet_comm_reorder_f)                                                                       \
    X(servet_profile_has_job)                                                                      \
    X(servet_profile_write)                                                                        \
    X(servet_profile_dump)

static int pass_over(void *context, const char *key)
{
    (void)context;
    (void)key;
    return 0;
}

typedef int call(const servet_profile *profile, const arguments *with, answer *to);

#define DEFINE(name, reason, query_)                                                               \
    static int call_##name(const servet_profile *profile, const arguments *with, answer *to)       \
    {                                                                                              \
        (void)with;                                                                                \
        (void)to;                                                                                  \
        return query_;                                                                             \
    }
QUERIES(DEFINE)

#define ROW(name, reason, query_) {#name, reason, call_##name},
static const struct query {
    const char *name, *reason;
    call *call;
} queries[] = {QUERIES(ROW)};

/* --- arguments -------------------------------------------------------------------------------- */

/* The values from which arguments are chosen. */
typedef struct choice {
    const servet_profile *profile;
    int classes, nodes, layers;
} choice;

static int draw(unsigned *state, int below)
{
    *state = *state * 1664525u + 1013904223u;
    return below > 0 ? (int)((*state >> 8) % (unsigned)below) : 0;
}

static int draw_core(const choice *of, const servet_at *at, unsigned *state)
{
    servet_machine machine;
    int cores[SERVET_CORES_MAX], count = 0;
    if (servet_profile_machine(of->profile, at, &machine) == SERVET_OK)
        (void)servet_cores_from_text(machine.cores, cores, SERVET_CORES_MAX, &count);
    count = count < SERVET_CORES_MAX ? count : SERVET_CORES_MAX;
    return count ? cores[draw(state, count)] : 0;
}

/* With `here`, of this node, as most programs do; else of any class and core by their names. */
static arguments draw_arguments(const choice *of, bool here, unsigned *state)
{
    static const char *const keys[] = {"caches.2.bytes", "memory.levels.2.bandwidth",
                                       "layers.3.latency_us", "distance.layers.2.latency_ns"};
    arguments with = {.class = draw(state, of->classes), .node = draw(state, of->nodes)};
    with.at.node_class = here ? NULL : servet_profile_class_name(of->profile, with.class);
    with.at.core = here ? SERVET_THIS_CORE : draw_core(of, &with.at, state);
    with.other = draw_core(of, &with.at, state);
    with.a = (servet_place){draw(state, of->nodes), draw_core(of, &with.at, state)};
    with.b = (servet_place){draw(state, 2) ? with.a.node : draw(state, of->nodes),
                            draw_core(of, &with.at, state)};
    with.kind = draw(state, 2);
    with.level = 1 + draw(state, 4);
    with.group = draw(state, 64);
    with.layer = 1 + draw(state, of->layers);
    with.item = draw(state, 64);
    with.cores = 1 + draw(state, 128);
    with.messages = 2 + draw(state, 126);
    with.kernel = (servet_kernel)draw(state, SERVET_KERNEL_COUNT);
    with.pages = (servet_pages)draw(state, SERVET_PAGES_COUNT);
    with.degradation = (servet_degradation)draw(state, SERVET_DEGRADATION_COUNT);
    with.bytes = 1 + (draw(state, 1 << 24) >> draw(state, 20));
    with.host = servet_network_node(of->profile, with.node);
    with.key = keys[draw(state, (int)(sizeof keys / sizeof *keys))];
    return with;
}

/* The choices of the pool that the query answers, at most the number that is timed together. */
static int choose(const struct query *query, const servet_profile *profile, const arguments *pool,
                  arguments chosen[CALLS])
{
    answer to;
    int count = 0;
    for (int i = 0; i < POOL && count < CALLS; i++)
        if (query->call(profile, &pool[i], &to) == SERVET_OK)
            chosen[count++] = pool[i];
    for (int i = count; count > 0 && i < CALLS; i++)
        chosen[i] = chosen[i % count];
    return count;
}

/* --- times ------------------------------------------------------------------------------------ */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Nanoseconds of a call, the least of all rounds: what others take of the machine is not its own.
 */
static double nanoseconds(const struct query *query, const servet_profile *profile,
                          const arguments chosen[CALLS])
{
    answer to;
    double least = INFINITY, begin = now();
    int calls = query->reason ? 1 : CALLS;
    for (int round = 0; round < ROUNDS && (round < 1 || now() - begin < SECONDS_MAX); round++) {
        double start = now();
        for (int i = 0; i < calls; i++)
            check(query->call(profile, &chosen[i], &to), query->name);
        least = fmin(least, (now() - start) / calls);
    }
    return least * 1e9;
}

/* A query, its arguments, and its time; NaN: it has no answer. */
typedef struct timing {
    const struct query *query;
    arguments chosen[CALLS];
    double ns;
} timing;

static arguments *make_pool(const servet_profile *profile, bool here)
{
    choice of = {profile, servet_profile_class_count(profile), 0, 0};
    servet_network network;
    unsigned state = 2010;
    if (servet_network_get(profile, &network) == SERVET_OK)
        of.nodes = network.nodes;
    (void)servet_network_layer_count(profile, &of.layers);
    arguments *pool = malloc(POOL * sizeof *pool);
    check(pool ? SERVET_OK : SERVET_EMEMORY, "arguments");
    for (int i = 0; i < POOL; i++)
        pool[i] = draw_arguments(&of, here, &state);
    return pool;
}

enum { QUERY_COUNT = sizeof queries / sizeof *queries };

/* Times all queries, of any core or of this one. */
static void time_all(const servet_profile *profile, bool here, timing timings[QUERY_COUNT])
{
    arguments *pool = make_pool(profile, here);
    for (int i = 0; i < QUERY_COUNT; i++) {
        timings[i].query = &queries[i];
        timings[i].ns = choose(&queries[i], profile, pool, timings[i].chosen) ? INFINITY : NAN;
    }
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < QUERY_COUNT; i++)
            if (!isnan(timings[i].ns))
                timings[i].ns =
                    fmin(timings[i].ns, nanoseconds(&queries[i], profile, timings[i].chosen));
    free(pool);
}

bool time_queries(const servet_profile *profile, bool complete)
{
    timing *any = malloc(QUERY_COUNT * sizeof *any), *here = malloc(QUERY_COUNT * sizeof *here);
    bool passed = true;
    check(any && here ? SERVET_OK : SERVET_EMEMORY, "times");
    time_all(profile, false, any);
    time_all(profile, true, here);
    printf("%-34s %12s %12s   look-ups take %d ns or less\n", "ns of a query", "of any core",
           "of this core", LOOK_UP_NS_MAX);
    for (int i = 0; i < QUERY_COUNT; i++) {
        const char *reason = queries[i].reason;
        bool slow = !reason && fmax(any[i].ns, here[i].ns) > LOOK_UP_NS_MAX;
        bool missing = complete && (isnan(any[i].ns) || isnan(here[i].ns));
        printf("%-34s %12.1f %12.1f   %s%s%s\n", queries[i].name, any[i].ns, here[i].ns,
               reason ? reason : "", slow ? "TOO LONG" : "", missing ? "NO ANSWER" : "");
        passed = passed && !slow && !missing;
    }
    free(any);
    free(here);
    return passed;
}
