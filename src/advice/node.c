/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice for threads on a node: their number, their cores, and the place of their data. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/say.h"
#include "core/ranges.h"
#include "profile/types.h"
#include "servet/node.h"

/* --- padding, stores, NUMA -------------------------------------------------------------------- */

static bool pad(const srv_subject *on, servet_advice *advice)
{
    servet_coherence coherence;
    char line[HUMAN_MAX];
    if (servet_coherence_get(on->profile, &on->at, &coherence) != SERVET_OK ||
        !servet_value_known(&coherence.line))
        return false;
    human_bytes(coherence.line.value, line);
    advice->topic = SERVET_ADVICE_PADDING;
    advice->value = coherence.line;
    SRV_SAY(advice, "pad data that different cores write to %s", line);
    SRV_WHY(advice, "cores that write within one such block slow each other down");
    srv_rest_on(on, advice, "coherence_line");
    return true;
}

static bool bypass_caches(const srv_subject *on, servet_advice *advice)
{
    servet_value usual, bypassing;
    char slow[HUMAN_MAX], fast[HUMAN_MAX];
    if (servet_memory_bandwidth(on->profile, &on->at, SERVET_KERNEL_COPY, &usual) != SERVET_OK ||
        servet_memory_bandwidth(on->profile, &on->at, SERVET_KERNEL_COPY_NT, &bypassing) !=
            SERVET_OK ||
        !(bypassing.low > SRV_NOTICEABLE * usual.high))
        return false;
    srv_rate_text(usual.value, slow);
    srv_rate_text(bypassing.value, fast);
    advice->topic = SERVET_ADVICE_STORES;
    advice->value = srv_times(&bypassing, &usual);
    SRV_SAY(advice, "write arrays larger than the caches with non-temporal stores");
    SRV_WHY(advice, "one core copies %s GB/s with them, %s GB/s without", fast, slow);
    srv_rest_on(on, advice, "memory.copy");
    srv_rest_on(on, advice, "memory.copy-nt");
    return true;
}

/* Names the pair of NUMA nodes with the largest ratio of latencies. */
static bool stay_on_numa_node(const srv_subject *on, servet_advice *advice)
{
    servet_value own, other, farthest = {.value = 0};
    char near[HUMAN_MAX], far[HUMAN_MAX];
    int count = 0, from_node = 0, to_node = 0;
    (void)servet_numa_count(on->profile, &on->at, &count);
    for (int from = 0; from < count; from++) {
        if (servet_numa_latency(on->profile, &on->at, from, from, &own) != SERVET_OK)
            continue;
        for (int to = 0; to < count; to++) {
            if (from == to ||
                servet_numa_latency(on->profile, &on->at, from, to, &other) != SERVET_OK ||
                !(other.low > SRV_NOTICEABLE * own.high) ||
                !(other.value / own.value > farthest.value))
                continue;
            farthest = srv_times(&other, &own);
            from_node = from + 1;
            to_node = to + 1;
            human_time(own.value, near);
            human_time(other.value, far);
        }
    }
    if (from_node == 0)
        return false;
    advice->topic = SERVET_ADVICE_NUMA;
    advice->value = farthest;
    SRV_SAY(advice, "place data on the NUMA node of the thread that uses it");
    SRV_WHY(advice, "a load from the own node takes %s, from another one up to %s", near, far);
    srv_rest_on(on, advice, "numa.%d.latency_ns.%d", from_node, from_node);
    srv_rest_on(on, advice, "numa.%d.latency_ns.%d", from_node, to_node);
    return true;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* Returns the cores from which to choose; NULL means the cores of the process. */
static int *candidates(const srv_subject *on, const servet_machine *machine, int *count)
{
    int *cores = NULL;
    *count = 0;
    if (on->whom == SERVET_ADVICE_FOR_PROCESS)
        return NULL;
    cores = calloc((size_t)machine->pu_count + 1, sizeof *cores);
    if (cores &&
        (servet_cores_from_text(machine->cores, cores, machine->pu_count, count) != SERVET_OK ||
         *count > machine->pu_count))
        *count = 0;
    return cores;
}

/* The number of threads for code that memory limits, and their cores; 0: not known. */
static int find_threads(const srv_subject *on, const int *among, int among_count, int *all,
                        servet_advice *advice)
{
    int threads = 0, *cores = NULL;
    bool sure = true, placed_sure = true;
    if (servet_thread_room(on->profile, &on->at, SERVET_POLICY_COMPACT, among, among_count, all,
                           NULL, NULL) != SERVET_OK ||
        servet_thread_room(on->profile, &on->at, SERVET_POLICY_MEMORY, among, among_count, &threads,
                           &sure, NULL) != SERVET_OK)
        return 0;
    cores = calloc((size_t)threads + 1, sizeof *cores);
    if (cores && servet_thread_place(on->profile, &on->at, SERVET_POLICY_MEMORY, among, among_count,
                                     cores, threads, &placed_sure, NULL) == SERVET_OK)
        (void)servet_cores_to_text(cores, threads, advice->cores, sizeof advice->cores);
    free(cores);
    if (!sure || !placed_sure)
        srv_doubt_advice(advice, "which PUs contend for memory is doubtful");
    return threads;
}

static void explain_threads(const srv_subject *on, int threads, servet_advice *advice)
{
    servet_value one, each;
    char alone[HUMAN_MAX], together[HUMAN_MAX];
    if (servet_memory_scaling(on->profile, &on->at, 0, 1, &one) == SERVET_OK &&
        servet_memory_scaling(on->profile, &on->at, 0, threads, &each) == SERVET_OK) {
        srv_rate_text(one.value, alone);
        srv_rate_text(each.value * threads, together);
        SRV_WHY(advice, "one core copies %s GB/s, %d together %s GB/s", alone, threads, together);
    } else {
        SRV_WHY(advice, "what each number of PUs gets was not measured");
    }
}

static void say_threads(const srv_subject *on, int threads, int all, int pus, servet_advice *advice)
{
    enum { CORES_IN_SENTENCE = 32 };
    char on_cores[CORES_IN_SENTENCE + 16] = "";
    if (*advice->cores && strlen(advice->cores) <= CORES_IN_SENTENCE)
        snprintf(on_cores, sizeof on_cores, " (%.*s)", CORES_IN_SENTENCE, advice->cores);
    if (threads < all)
        SRV_SAY(advice,
                "use %d of the %d PUs for code that memory limits%s: %d thread%s saturate%s memory",
                threads, all, on_cores, threads, srv_plural(threads), threads == 1 ? "s" : "");
    else if (all < pus && on->whom == SERVET_ADVICE_FOR_PROCESS)
        SRV_SAY(advice, "use %d thread%s for code that memory limits: this process may use no more",
                threads, srv_plural(threads));
    else if (threads == 2)
        SRV_SAY(advice, "use both PUs for code that memory limits: one does not saturate memory");
    else
        SRV_SAY(advice, "use all %d PUs for code that memory limits: fewer do not saturate memory",
                threads);
}

static bool limit_threads(const srv_subject *on, servet_advice *advice)
{
    servet_machine machine;
    int all = 0, count = 0;
    if (servet_profile_machine(on->profile, &on->at, &machine) != SERVET_OK || machine.pu_count < 2)
        return false;
    int *among = candidates(on, &machine, &count);
    bool lost = on->whom == SERVET_ADVICE_FOR_NODE && count == 0; /* out of memory, or no cores */
    int threads = lost ? 0 : find_threads(on, among, count, &all, advice);
    free(among);
    if (threads == 0)
        return false;
    advice->topic = SERVET_ADVICE_THREADS;
    advice->value =
        (servet_value){threads, threads, threads, 1, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
    say_threads(on, threads, all, machine.pu_count, advice);
    explain_threads(on, threads, advice);
    srv_rest_on(on, advice, "memory.saturation");
    srv_rest_on(on, advice, "memory.levels.count");
    return true;
}

/* Returns the number of threads that use barriers, one on each core; 0: there are no two. */
static int count_team(const srv_subject *on)
{
    servet_machine machine;
    int threads = 0, room;
    if (servet_profile_machine(on->profile, &on->at, &machine) == SERVET_OK)
        threads = machine.core_count;
    if (on->whom == SERVET_ADVICE_FOR_PROCESS &&
        servet_thread_room(on->profile, &on->at, SERVET_POLICY_COMPACT, NULL, 0, &room, NULL,
                           NULL) == SERVET_OK &&
        room < threads)
        threads = room;
    return threads > 1 ? threads : 0;
}

/* True if a barrier tells more about `threads` threads than the best one so far: with fewer further
 * threads, then with cores that are farther apart, then by the faster algorithm. */
static bool tells_more(const servet_sync *barrier, const servet_sync *best, int threads)
{
    if ((barrier->op != SERVET_SYNC_CENTRAL && barrier->op != SERVET_SYNC_DISSEMINATION) ||
        barrier->threads < threads)
        return false;
    if (barrier->threads != best->threads)
        return barrier->threads < best->threads;
    if (barrier->layer != best->layer)
        return barrier->layer > best->layer;
    return barrier->time.value < best->time.value;
}

/* Finds the time of the fastest barrier of this number of threads, or of the next larger number
 * that was measured. False if none was. */
static bool find_barrier(const srv_subject *on, int threads, servet_value *time,
                         servet_advice *advice)
{
    servet_sync sync, best = {.threads = INT_MAX};
    int count = 0, number = 0;
    char text[HUMAN_MAX];
    (void)servet_profile_count(on->profile, &on->at, "sync", NULL, &count);
    for (int i = 1; i <= count; i++) {
        if (servet_profile_item(on->profile, &on->at, "sync", &i, &sync, sizeof sync) ==
                SERVET_OK &&
            tells_more(&sync, &best, threads)) {
            best = sync;
            number = i;
        }
    }
    if (number == 0)
        return false;
    *time = best.time;
    human_time(time->value, text);
    SRV_WHY(advice,
            "the faster kind of barrier of %d threads takes %s; then it costs 1 %% of the time",
            best.threads, text);
    srv_rest_on(on, advice, "sync.%d.time_ns", number);
    return true;
}

/* Estimates the time where no barrier was measured. A barrier passes lines between cores in rounds;
 * each round doubles the number of cores that have been reached. */
static bool estimate_barrier(const srv_subject *on, int threads, servet_value *time,
                             servet_advice *advice)
{
    servet_distance_layer far;
    char line[HUMAN_MAX];
    int layers = 0;
    (void)servet_distance_layer_count(on->profile, &on->at, &layers);
    if (layers < 1 || servet_distance_layer_get(on->profile, &on->at, layers, &far) != SERVET_OK)
        return false;
    double rounds = ceil(log2(threads));
    *time = srv_advised(rounds * far.latency.value, SERVET_UNIT_SECOND, &far.latency);
    human_time(far.latency.value, line);
    SRV_WHY(advice,
            "a barrier takes at least %.0f transfer%s of a cache line, %s each; then it "
            "costs 1 %% of the time",
            rounds, srv_plural((int)rounds), line);
    srv_rest_on(on, advice, "distance.layers.count");
    srv_rest_on(on, advice, "distance.layers.%d.latency_ns", layers);
    return true;
}

/* Advises the time between barriers. */
static bool space_barriers(const srv_subject *on, servet_advice *advice)
{
    static const double work_per_barrier = 100; /* with this ratio, barriers take 1 % of the time */
    servet_value time;
    char apart[HUMAN_MAX];
    int threads = count_team(on);
    if (threads == 0 ||
        !(find_barrier(on, threads, &time, advice) || estimate_barrier(on, threads, &time, advice)))
        return false;
    advice->topic = SERVET_ADVICE_BARRIERS;
    advice->value = srv_advised(work_per_barrier * time.value, SERVET_UNIT_SECOND, &time);
    human_time(advice->value.value, apart);
    SRV_SAY(advice, "let %d threads, one on each core, meet in a barrier at most every %s", threads,
            apart);
    return true;
}

/* --- threads that exchange data --------------------------------------------------------------- */

static bool has_pair_in(const char *set, const char *cores)
{
    int first, last, common = 0;
    while (srv_ranges_next(&set, &first, &last))
        for (int core = first; core <= last && common < 2; core++)
            common += srv_ranges_contain(cores, core);
    return common >= 2;
}

/* Returns true if two of these cores contend at this overhead level, unless all cores do. */
static bool contend_at(const srv_subject *on, int level, int pus, const char *cores)
{
    const char *set;
    int count = 0;
    (void)servet_memory_group_count(on->profile, &on->at, level, &count);
    for (int i = 0; i < count; i++)
        if (servet_memory_group(on->profile, &on->at, level, i, &set) == SERVET_OK &&
            (count > 1 || srv_ranges_count(set) < pus) && has_pair_in(cores, set))
            return true;
    return false;
}

/* The PUs of a set of layer 1 that may be used; returns their number. */
static int near_set(const srv_subject *on, int index, char cores[SERVET_CORES_MAX])
{
    const char *set;
    if (servet_distance_group(on->profile, &on->at, 1, index, &set) != SERVET_OK)
        return 0;
    if (!*on->cores)
        return srv_ranges_common(set, set, cores, SERVET_CORES_MAX);
    return srv_ranges_common(set, on->cores, cores, SERVET_CORES_MAX);
}

static int count_all(const srv_subject *on)
{
    return *on->cores ? srv_ranges_count(on->cores) : INT_MAX;
}

static bool contend_near(const srv_subject *on, int sets)
{
    char cores[SERVET_CORES_MAX];
    int levels = 0, pus = count_all(on);
    (void)servet_memory_level_count(on->profile, &on->at, &levels);
    for (int i = 0; i < sets; i++)
        for (int level = 1; level <= levels && near_set(on, i, cores) > 1; level++)
            if (contend_at(on, level, pus, cores))
                return true;
    return false;
}

/* Writes ": 0-1; 2-3; 4-5; 6-7", unless there are many sets. Sets of a single PU are ignored.
 * Returns the number of sets, or 0 if one set has all PUs. */
static int name_near_sets(const srv_subject *on, int sets, char *text, size_t size)
{
    enum { SETS_MAX = 8, SETS_LENGTH = 48 };
    char cores[SERVET_CORES_MAX];
    int count = 0, all = count_all(on);
    size_t used = 0;
    for (int i = 0; i < sets; i++) {
        int pus = near_set(on, i, cores);
        if (pus == all)
            return 0;
        if (pus < 2)
            continue;
        if (used < SETS_LENGTH)
            used += (size_t)snprintf(text + used, size - used, "%s%s", count ? "; " : ": ", cores);
        count++;
    }
    if (count > SETS_MAX || used >= SETS_LENGTH)
        snprintf(text, size, " of distance layer 1");
    return count;
}

static bool keep_near(const srv_subject *on, servet_advice *advice)
{
    servet_distance_layer near, far;
    char sets[SERVET_ADVICE_TEXT_MAX / 2], fast[HUMAN_MAX], slow[HUMAN_MAX];
    int count = 0, of_near = 0;
    (void)servet_distance_layer_count(on->profile, &on->at, &count);
    if (count < 2 || servet_distance_layer_get(on->profile, &on->at, 1, &near) != SERVET_OK ||
        servet_distance_layer_get(on->profile, &on->at, count, &far) != SERVET_OK ||
        servet_distance_group_count(on->profile, &on->at, 1, &of_near) != SERVET_OK ||
        name_near_sets(on, of_near, sets, sizeof sets) == 0)
        return false;
    human_time(near.latency.value, fast);
    human_time(far.latency.value, slow);
    advice->topic = SERVET_ADVICE_NEAR;
    advice->level = 1;
    advice->value = srv_times(&far.latency, &near.latency);
    SRV_SAY(advice, "place threads that exchange data on PUs of one set%s%s", sets,
            contend_near(on, of_near) ? ", unless the code is memory bound" : "");
    SRV_WHY(advice, "a cache line takes %s there, and up to %s elsewhere", fast, slow);
    srv_rest_on(on, advice, "distance.layers.count");
    srv_rest_on(on, advice, "distance.layers.1.latency_ns");
    srv_rest_on(on, advice, "distance.layers.%d.latency_ns", count);
    return true;
}

srv_advice_rule *const srv_node_rules[] = {
    pad, limit_threads, space_barriers, bypass_caches, stay_on_numa_node, keep_near, NULL,
};
