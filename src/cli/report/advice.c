/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/advice.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/text.h"
#include "cli/report/wrap.h"
#include "servet/network.h"
#include "servet/node.h"

/* What an advice is about: a core type and its name where there are several, or a layer. */
typedef struct subject {
    const servet_profile *profile;
    servet_at at;
    char of[SERVET_NAME_MAX + 16]; /* " on performance cores" */
    int layer;
} subject;

/* Whether there is such an advice, and which. */
typedef bool advise(const subject *on, report_advice *into);

/* Intervals that are apart by as much as this make a difference that programs notice. */
static const double noticeable = 1.05;

#define SAY(into, ...) snprintf((into)->text, sizeof(into)->text, __VA_ARGS__)
#define WHY(into, ...) snprintf((into)->why, sizeof(into)->why, __VA_ARGS__)

/* The first doubt stays. */
static void rests_on(const subject *on, const char *key, report_advice *into)
{
    if (!*into->doubt)
        report_reason(on->profile, on->layer ? NULL : &on->at, key, into->doubt);
}

static void rests_on_level(const subject *on, const char *format, int level, report_advice *into)
{
    char key[SERVET_NAME_MAX];
    const char *number = strchr(format, 'N');
    snprintf(key, sizeof key, "%.*s%d%s", (int)(number - format), format, level, number + 1);
    rests_on(on, key, into);
}

/* --- sets of cores ---------------------------------------------------------------------------- */

/* Takes the next range off "0-2,5"; false at its end. */
static bool take_range(const char **cores, int *first, int *last)
{
    char *end;
    if (!**cores)
        return false;
    *first = *last = (int)strtol(*cores, &end, 10);
    if (*end == '-')
        *last = (int)strtol(end + 1, &end, 10);
    *cores = *end == ',' ? end + 1 : end;
    return true;
}

static int size_of(const char *cores)
{
    int size = 0, first, last;
    while (take_range(&cores, &first, &last))
        size += last - first + 1;
    return size;
}

/* How many cores two sets have in common. */
static int common_to(const char *one, const char *other)
{
    int common = 0, first, last, from, to;
    while (take_range(&one, &first, &last))
        for (const char *rest = other; take_range(&rest, &from, &to);) {
            int low = first > from ? first : from, high = last < to ? last : to;
            common += high >= low ? high - low + 1 : 0;
        }
    return common;
}

/* --- caches ----------------------------------------------------------------------------------- */

/* Whether others leave only a part of the capacity. */
static bool is_part(const servet_cache *cache)
{
    const servet_value *reach = &cache->reachable_bytes;
    return servet_value_known(reach) && reach->high < cache->bytes.value;
}

/* What a program can keep in a cache: the capacity, or the part that others leave. */
static double usable(const servet_cache *cache)
{
    return is_part(cache) ? cache->reachable_bytes.value : cache->bytes.value;
}

static bool has_capacity(const servet_cache *cache)
{
    return servet_value_known(&cache->bytes) &&
           (cache->kind == SERVET_CACHE_CAPACITY || report_is_counted(cache)) &&
           cache->verdict != SERVET_VERDICT_NOT_COMPARABLE;
}

/* The most cores that a group of the level has; 0: unknown. */
static int cores_of(const subject *on, int level)
{
    const char *cores;
    int count = 0, most = 0;
    (void)servet_cache_group_count(on->profile, &on->at, level, &count);
    for (int i = 0; i < count; i++)
        if (servet_cache_group(on->profile, &on->at, level, i, &cores) == SERVET_OK &&
            size_of(cores) > most)
            most = size_of(cores);
    return most;
}

/* What a block in a cache depends on that `cores` share; 0: it is not known how many. */
static const char *condition(const subject *on, int cores)
{
    servet_machine machine;
    if (cores > 1)
        return ", for all threads on it";
    bool several =
        servet_profile_machine(on->profile, &on->at, &machine) == SERVET_OK && machine.pu_count > 1;
    return cores == 0 && several ? ", sharing unknown" : "";
}

/* Half of a cache, because what is used beside the block needs room, too. */
static bool block(const subject *on, report_advice *into)
{
    enum { LEVELS = 2 };
    servet_cache cache;
    char size[HUMAN_MAX], half[HUMAN_MAX];
    size_t said = 0, reasons = 0;
    for (int level = 1; level <= LEVELS; level++) {
        if (servet_cache_get(on->profile, &on->at, level, &cache) != SERVET_OK ||
            !has_capacity(&cache))
            continue;
        int cores = cores_of(on, level);
        human_bytes(usable(&cache), size);
        human_bytes(usable(&cache) / 2, half);
        said +=
            (size_t)snprintf(into->text + said, sizeof into->text - said, "%s %s (half of L%d%s)",
                             said ? " or" : "block loops for", half, level, condition(on, cores));
        reasons += (size_t)snprintf(into->why + reasons, sizeof into->why - reasons, "%sL%d has %s",
                                    reasons ? "; " : "", level, size);
        if (cores > 1)
            reasons += (size_t)snprintf(into->why + reasons, sizeof into->why - reasons,
                                        " for %d cores: divide by the threads that use it", cores);
        rests_on_level(on, "caches.N.bytes", level, into);
        if (is_part(&cache))
            rests_on_level(on, "caches.N.reachable_bytes", level, into);
        if (cores > 0)
            rests_on_level(on, "caches.N.groups", level, into);
    }
    if (said > 0)
        snprintf(into->text + said, sizeof into->text - said, "%s", on->of);
    return said > 0;
}

/* A last cache that others use, too. */
static bool shun_turnover(const subject *on, report_advice *into)
{
    servet_cache cache;
    char reach[HUMAN_MAX], reported[HUMAN_MAX];
    int count = 0;
    (void)servet_cache_count(on->profile, &on->at, &count);
    if (count < 2 || servet_cache_get(on->profile, &on->at, count, &cache) != SERVET_OK ||
        has_capacity(&cache) || !servet_value_known(&cache.bytes))
        return false;
    report_interval(&cache.bytes, reach);
    SAY(into, "do not block for the L%d%s: what a program gets of it changes", cache.level, on->of);
    report_bytes(&cache.reported_bytes, reported);
    WHY(into, "reachable %s at the access rates measured%s%s", reach,
        servet_value_known(&cache.reported_bytes) ? "; the OS reports " : "",
        servet_value_known(&cache.reported_bytes) ? reported : "");
    rests_on_level(on, "caches.N.latency_ns", cache.level, into);
    return true;
}

/* The reach of the last TLB, B; 0: no level was detected. -1: not measured. */
static double reach_of(const subject *on, servet_pages pages)
{
    servet_tlb tlb;
    int count;
    if (servet_tlb_count(on->profile, &on->at, pages, &count) != SERVET_OK)
        return -1;
    if (count == 0)
        return 0;
    return servet_tlb_get(on->profile, &on->at, pages, count, &tlb) == SERVET_OK &&
                   servet_value_known(&tlb.reach_bytes)
               ? tlb.reach_bytes.value
               : -1;
}

/* A further level, if there is one, reaches farther still. */
static void rests_on_huge_reach(const subject *on, report_advice *into)
{
    int levels = 0;
    (void)servet_tlb_count(on->profile, &on->at, SERVET_PAGES_HUGE, &levels);
    rests_on_level(on, "translation_huge.N.reach_bytes", levels, into);
}

static bool use_huge_pages(const subject *on, report_advice *into)
{
    static const double farther = 2;
    servet_translation base;
    char reach[HUMAN_MAX], huge_reach[HUMAN_MAX];
    double bytes = reach_of(on, SERVET_PAGES_BASE), huge = reach_of(on, SERVET_PAGES_HUGE);
    if (bytes <= 0 || huge < 0 ||
        servet_translation_get(on->profile, &on->at, SERVET_PAGES_BASE, &base) != SERVET_OK)
        return false;
    human_bytes(bytes, reach);
    human_bytes(huge, huge_reach);
    if (huge == 0 || huge >= farther * bytes)
        SAY(into, "request huge pages where more than %s are accessed at random%s", reach, on->of);
    else
        SAY(into, "keep what is accessed at random within %s%s: huge pages reach no farther here",
            reach, on->of);
    int n = WHY(into, "the TLBs reach %s with base pages and %s with huge ones", reach,
                huge == 0 ? "more than was measured" : huge_reach);
    if (servet_value_known(&base.walk))
        snprintf(into->why + n, sizeof into->why - (size_t)n, "; a miss of all takes %.3g ns",
                 base.walk.value * HUMAN_NS);
    rests_on(on, "translation.count", into);
    if (huge >= farther * bytes)
        rests_on_huge_reach(on, into);
    else
        rests_on(on, "translation_huge.count", into);
    int levels = 0;
    (void)servet_tlb_count(on->profile, &on->at, SERVET_PAGES_BASE, &levels);
    rests_on_level(on, "translation.N.reach_bytes", levels, into);
    return true;
}

static bool overlap_loads(const subject *on, report_advice *into)
{
    servet_concurrency loads;
    servet_value one;
    char best[HUMAN_MAX], alone[HUMAN_MAX];
    if (servet_concurrency_get(on->profile, &on->at, 0, &loads) != SERVET_OK ||
        loads.requests < 2 ||
        servet_concurrency_of_chains(on->profile, &on->at, 0, 1, &one) != SERVET_OK)
        return false;
    report_rate(&loads.best, best);
    report_rate(&one, alone);
    SAY(into, "keep %d independent loads in flight in random access to memory%s", loads.requests,
        on->of);
    WHY(into, "a core gets %s GB/s with them, %s GB/s with one load after the other", best, alone);
    rests_on(on, "memory.requests", into);
    rests_on(on, "memory.chains.1", into);
    return true;
}

/* --- the node --------------------------------------------------------------------------------- */

static bool pad(const subject *on, report_advice *into)
{
    servet_coherence coherence;
    char line[HUMAN_MAX];
    if (servet_coherence_get(on->profile, &on->at, &coherence) != SERVET_OK ||
        !servet_value_known(&coherence.line))
        return false;
    human_bytes(coherence.line.value, line);
    SAY(into, "pad data that different cores write to %s", line);
    WHY(into, "cores that write within one such block slow each other down");
    rests_on(on, "coherence_line", into);
    return true;
}

/* Whether it matters on which cores threads run that memory limits: there are others than those of
 * one set of the overhead level. */
static bool is_choice(const subject *on, int level)
{
    servet_machine machine;
    const char *cores;
    int count = 0;
    (void)servet_memory_group_count(on->profile, &on->at, level, &count);
    return count > 1 || (servet_memory_group(on->profile, &on->at, level, 0, &cores) == SERVET_OK &&
                         servet_profile_machine(on->profile, &on->at, &machine) == SERVET_OK &&
                         size_of(cores) < machine.pu_count);
}

/* The level of which a program should use as many sets as it can: the last is the one with the most
 * overhead. 0: none. */
static int choice(const subject *on)
{
    int level = 0;
    (void)servet_memory_level_count(on->profile, &on->at, &level);
    while (level > 0 && !is_choice(on, level))
        level--;
    return level;
}

enum { PLACES_MAX = REPORT_SETS_MAX + 32 };

/* ", spread over 0-3  4-7": where the threads should run; "" where that does not matter. Longer
 * sets stand in the table of the levels. */
static void places(const subject *on, char text[PLACES_MAX], report_advice *into)
{
    enum { SETS_IN_SENTENCE = 32 };
    static const report_sets groups = {servet_memory_group_count, servet_memory_group};
    char cores[REPORT_SETS_MAX];
    int level = choice(on), count = 0;
    *text = '\0';
    if (!level)
        return;
    (void)servet_memory_group_count(on->profile, &on->at, level, &count);
    report_sets_text(&groups, on->profile, &on->at, level, cores);
    if (strlen(cores) > SETS_IN_SENTENCE)
        snprintf(cores, sizeof cores, "the set%s of memory overhead level %d", report_plural(count),
                 level);
    snprintf(text, PLACES_MAX, "%s %s", count > 1 ? ", spread over" : ", as few as possible on",
             cores);
    rests_on_level(on, "memory.levels.N.groups", level, into);
    rests_on_level(on, "memory.levels.N.bandwidth", level, into);
}

static bool limit_threads(const subject *on, report_advice *into)
{
    servet_machine machine;
    servet_value one, each;
    char alone[HUMAN_MAX], together[HUMAN_MAX], sites[PLACES_MAX] = "";
    int enough;
    if (servet_memory_saturation(on->profile, &on->at, &enough) != SERVET_OK ||
        servet_profile_machine(on->profile, &on->at, &machine) != SERVET_OK || machine.pu_count < 2)
        return false;
    if (enough > 1 && enough < machine.pu_count)
        places(on, sites, into);
    if (enough < machine.pu_count)
        SAY(into, "use %d of the %d cores where memory limits%s: %d thread%s saturate%s it", enough,
            machine.pu_count, sites, enough, report_plural(enough), enough == 1 ? "s" : "");
    else if (enough == 2)
        SAY(into, "use both cores where memory limits: one does not saturate it");
    else
        SAY(into, "use all %d cores where memory limits: fewer do not saturate it", enough);
    WHY(into, "%d core%s get 95 %% or more of the best bandwidth", enough, report_plural(enough));
    if (servet_memory_scaling(on->profile, &on->at, 0, 1, &one) == SERVET_OK &&
        servet_memory_scaling(on->profile, &on->at, 0, enough, &each) == SERVET_OK) {
        report_rate(&one, alone);
        each.value *= enough;
        report_rate(&each, together);
        WHY(into, "one core copies %s GB/s, %d together %s GB/s", alone, enough, together);
    }
    rests_on(on, "memory.saturation", into);
    return true;
}

static bool bypass_caches(const subject *on, report_advice *into)
{
    servet_value usual, bypassing;
    char slow[HUMAN_MAX], fast[HUMAN_MAX];
    if (servet_memory_bandwidth(on->profile, &on->at, SERVET_KERNEL_COPY, &usual) != SERVET_OK ||
        servet_memory_bandwidth(on->profile, &on->at, SERVET_KERNEL_COPY_NT, &bypassing) !=
            SERVET_OK ||
        !(bypassing.low > noticeable * usual.high))
        return false;
    report_rate(&usual, slow);
    report_rate(&bypassing, fast);
    SAY(into, "write arrays larger than the caches with non-temporal stores");
    WHY(into, "one core copies %s GB/s with them, %s GB/s without", fast, slow);
    rests_on(on, "memory.copy", into);
    rests_on(on, "memory.copy-nt", into);
    return true;
}

static void rests_on_numa(const subject *on, int from, int to, report_advice *into)
{
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "numa.%d.latency_ns.%d", from + 1, to + 1);
    rests_on(on, key, into);
}

/* The pair that is farthest apart is told. */
static bool stay_on_numa_node(const subject *on, report_advice *into)
{
    servet_value own, other;
    double farthest = 0;
    int count = 0;
    (void)servet_numa_count(on->profile, &on->at, &count);
    for (int from = 0; from < count; from++) {
        if (servet_numa_latency(on->profile, &on->at, from, from, &own) != SERVET_OK)
            continue;
        for (int to = 0; to < count; to++) {
            if (from == to ||
                servet_numa_latency(on->profile, &on->at, from, to, &other) != SERVET_OK ||
                !(other.low > noticeable * own.high))
                continue;
            rests_on_numa(on, from, from, into);
            rests_on_numa(on, from, to, into);
            if (other.value / own.value > farthest)
                WHY(into, "a load from the own node takes %.3g ns, from another one up to %.3g ns",
                    own.value * HUMAN_NS, other.value * HUMAN_NS);
            farthest = fmax(farthest, other.value / own.value);
        }
    }
    SAY(into, "place data on the NUMA node of the thread that uses it");
    return farthest > 0;
}

/* Whether two cores of a set are in one set of the overhead level. */
static bool contend_in(const subject *on, int level, const char *cores)
{
    const char *set;
    int count = 0;
    (void)servet_memory_group_count(on->profile, &on->at, level, &count);
    for (int i = 0; i < count; i++)
        if (servet_memory_group(on->profile, &on->at, level, i, &set) == SERVET_OK &&
            common_to(cores, set) > 1)
            return true;
    return false;
}

/* Whether cores of a set of distance layer 1 slow each other down where they use memory, and others
 * would not. */
static bool contend_near(const subject *on)
{
    const char *cores;
    int levels = 0, count = 0;
    (void)servet_memory_level_count(on->profile, &on->at, &levels);
    (void)servet_distance_group_count(on->profile, &on->at, 1, &count);
    for (int level = 1; level <= levels; level++)
        for (int i = 0; i < count && is_choice(on, level); i++)
            if (servet_distance_group(on->profile, &on->at, 1, i, &cores) == SERVET_OK &&
                contend_in(on, level, cores))
                return true;
    return false;
}

static bool keep_near(const subject *on, report_advice *into)
{
    static const report_sets groups = {servet_distance_group_count, servet_distance_group};
    servet_distance_layer near, far;
    char cores[REPORT_SETS_MAX];
    int count = 0;
    (void)servet_distance_layer_count(on->profile, &on->at, &count);
    if (count < 2 || servet_distance_layer_get(on->profile, &on->at, 1, &near) != SERVET_OK ||
        servet_distance_layer_get(on->profile, &on->at, count, &far) != SERVET_OK)
        return false;
    report_sets_text(&groups, on->profile, &on->at, 1, cores);
    SAY(into, "place threads that exchange data on cores of one set of distance layer 1%s",
        contend_near(on) ? ", unless memory limits" : "");
    WHY(into, "%s: a line takes %.3g ns there, and up to %.3g ns elsewhere", cores,
        near.latency.value * HUMAN_NS, far.latency.value * HUMAN_NS);
    rests_on(on, "distance.layers.count", into);
    rests_on(on, "distance.layers.1.latency_ns", into);
    rests_on_level(on, "distance.layers.N.latency_ns", count, into);
    return true;
}

/* --- communication ---------------------------------------------------------------------------- */

static const char *where(const servet_network_layer *layer)
{
    return layer->between_nodes ? "between nodes" : "in a node";
}

enum { SIZES_MAX = 2 * HUMAN_MAX + 16 };

/* "below 512 B": of all smaller messages, or from where the range begins. */
static void sizes_of(const servet_aggregation *range, bool first, char text[SIZES_MAX])
{
    char from[HUMAN_MAX], below[HUMAN_MAX];
    human_bytes(range->from, from);
    human_bytes(range->below, below);
    if (first)
        snprintf(text, SIZES_MAX, "%s %s", range->unbounded ? "of up to" : "below", below);
    else if (range->from == range->below)
        snprintf(text, SIZES_MAX, "of %s", from);
    else
        snprintf(text, SIZES_MAX, "from %s to %s", from, below);
}

/* The first range that pays, of the largest number of messages. */
static bool gather(const subject *on, report_advice *into)
{
    servet_network_layer layer;
    servet_aggregation range, best = {.messages = 0};
    char sizes[SIZES_MAX], key[SERVET_NAME_MAX];
    int which = 0, before = 0;
    if (servet_network_layer_get(on->profile, on->layer, &layer) != SERVET_OK)
        return false;
    for (int i = 0; servet_network_aggregation(on->profile, on->layer, i, &range) == SERVET_OK;
         i++) {
        if (range.payoff == SERVET_PAYOFF_PAYS && range.messages > best.messages) {
            best = range;
            which = i + 1;
            sizes_of(&range, range.messages != before, sizes);
        }
        before = range.messages;
    }
    if (!best.messages)
        return false;
    SAY(into, "gather %d messages %s to one process into one (layer %d, %s)", best.messages, sizes,
        on->layer, where(&layer));
    WHY(into, "one message is %.2g times as fast as %d with the same bytes", best.gain.value,
        best.messages);
    snprintf(key, sizeof key, "layers.%d.aggregation.%d.gain", on->layer, which);
    rests_on(on, key, into);
    return true;
}

/* Said once, with the slowest layer. */
static bool stay_in_layer(const subject *on, report_advice *into)
{
    servet_network_layer near, far;
    servet_network network;
    char bytes[HUMAN_MAX], fast[HUMAN_MAX], slow[HUMAN_MAX];
    int count = 0;
    (void)servet_network_layer_count(on->profile, &count);
    if (on->layer != count || count < 2 || servet_network_get(on->profile, &network) != SERVET_OK ||
        servet_network_layer_get(on->profile, 1, &near) != SERVET_OK ||
        servet_network_layer_get(on->profile, count, &far) != SERVET_OK)
        return false;
    human_bytes(network.message_bytes, bytes);
    human_time(near.latency.value, fast);
    human_time(far.latency.value, slow);
    SAY(into, "place processes that exchange much near each other (servet map does)");
    WHY(into, "a message of %s takes %s in the fastest layer, %s, and %s in the slowest, %s", bytes,
        fast, where(&near), slow, where(&far));
    rests_on(on, "layers.1.latency_us", into);
    rests_on_level(on, "layers.N.latency_us", count, into);
    return true;
}

/* What all processes of a node get, 1 being one process alone: the ratio is what each loses. */
static servet_value total_of(const servet_ratio *access)
{
    servet_value total = access->ratio;
    total.value = access->at / access->ratio.value;
    total.low = access->at / access->ratio.high;
    total.high = access->at / access->ratio.low;
    return total;
}

/* The number of processes with the best total, and the worst total of a larger number. */
static bool send_by_few(const subject *on, report_advice *into)
{
    servet_ratios about;
    servet_ratio ratio;
    servet_value most = {.value = 0}, least = most;
    int best = 0, worst = 0, count = 0;
    (void)servet_network_layer_count(on->profile, &count);
    if (on->layer != count ||
        servet_network_ratios(on->profile, SERVET_DEGRADATION_ACCESS, &about) != SERVET_OK)
        return false;
    for (int at = 1; at <= about.largest; at++) {
        if (servet_network_ratio(on->profile, SERVET_DEGRADATION_ACCESS, at, &ratio) != SERVET_OK)
            continue;
        servet_value total = total_of(&ratio);
        if (total.value > most.value) {
            least = most = total;
            best = worst = at;
        } else if (total.value < least.value) {
            least = total;
            worst = at;
        }
    }
    if (!(most.low > noticeable * least.high))
        return false;
    SAY(into, "let at most %d process%s of a node send to other nodes at once", best,
        best == 1 ? "" : "es");
    WHY(into, "%d at once get %.3g times the bandwidth of one alone, %d get %.3g times (ratNC)",
        best, most.value, worst, least.value);
    rests_on_level(on, "network.access_ratio.N", best, into);
    rests_on_level(on, "network.access_ratio.N", worst, into);
    return true;
}

static bool use_near_nodes(const subject *on, report_advice *into)
{
    static const double far = 1.1;
    servet_ratios about;
    servet_ratio most;
    int count = 0;
    (void)servet_network_layer_count(on->profile, &count);
    if (on->layer != count ||
        servet_network_ratios(on->profile, SERVET_DEGRADATION_DISTANCE, &about) != SERVET_OK ||
        servet_network_ratio(on->profile, SERVET_DEGRADATION_DISTANCE, about.largest, &most) !=
            SERVET_OK ||
        !(most.ratio.value >= far))
        return false;
    SAY(into, "let nodes next to each other in the job exchange most");
    WHY(into, "at distance %d a message gets 1/%.3g of the bandwidth of neighbours (ratDist)",
        most.at, most.ratio.value);
    rests_on_level(on, "network.distance_ratio.N", about.largest, into);
    return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

static void call(advise *const list[], const subject *on, report_advised *take, void *context)
{
    for (; *list; list++) {
        report_advice advice = {.doubt = ""};
        if ((*list)(on, &advice))
            take(context, &advice);
    }
}

void report_advise(const servet_profile *profile, const servet_at *at, report_advised *take,
                   void *context)
{
    static advise *const of_kind[] = {block, shun_turnover, overlap_loads, use_huge_pages, NULL};
    static advise *const of_node[] = {pad,       limit_threads, bypass_caches, stay_on_numa_node,
                                      keep_near, NULL};
    static advise *const of_layer[] = {gather, stay_in_layer, send_by_few, use_near_nodes, NULL};
    subject on = {.profile = profile};
    servet_kind kind;
    char name[SERVET_NAME_MAX];
    int layers = 0;
    for (int i = 0; report_kind(profile, at, i, &on.at); i++) {
        *on.of = '\0';
        if (servet_kind_get(profile, at, 1, &kind) == SERVET_OK &&
            servet_profile_get(profile, &on.at, "kind.name", name, sizeof name, NULL) == SERVET_OK)
            snprintf(on.of, sizeof on.of, " on %s cores", name);
        call(of_kind, &on, take, context);
    }
    on = (subject){.profile = profile, .at = *at};
    call(of_node, &on, take, context);
    (void)servet_network_layer_count(profile, &layers);
    for (on.layer = 1; on.layer <= layers; on.layer++)
        call(of_layer, &on, take, context);
}

void report_sentence(const char *text, char sentence[REPORT_ADVICE_MAX + 2])
{
    size_t length = strlen(text);
    memcpy(sentence, text, length + 1);
    if (length > 0) {
        sentence[0] = (char)toupper((unsigned char)sentence[0]);
        strcpy(sentence + length, ".");
    }
}

static void print(void *context, const report_advice *advice)
{
    bool *begun = context;
    char text[REPORT_ADVICE_MAX + REPORT_DOUBT_MAX];
    if (!*begun)
        puts("\nFor programs");
    *begun = true;
    if (*advice->doubt)
        snprintf(text, sizeof text, "Perhaps %s; not trusted: %s.", advice->text, advice->doubt);
    else
        report_sentence(advice->text, text);
    report_print_wrapped("  ", 4, text);
}

void report_advice_print(const servet_profile *profile, const servet_at *at)
{
    bool begun = false;
    report_advise(profile, at, print, &begun);
}
