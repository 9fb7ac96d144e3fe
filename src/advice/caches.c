/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice about caches, memory and translation, for each core type. */
#include <stdio.h>

#include "advice/say.h"
#include "core/cache.h"
#include "servet/node.h"

/* --- blocks ----------------------------------------------------------------------------------- */

/* "L2 holds 2 MiB, of which others leave 1.4 MiB; half of that is for the block; 2 PUs share it,
 * and a thread alone has 1 MiB." */
static void explain_block(const servet_cache *cache, const servet_block *block,
                          servet_advice *advice)
{
    char size[HUMAN_MAX], reached[HUMAN_MAX] = "", alone[HUMAN_MAX], share[HUMAN_MAX + 64] = "";
    const servet_value *holds = srv_cache_holds(cache);
    bool part = holds == &cache->reachable_bytes && servet_value_known(&cache->bytes);
    human_bytes(part ? cache->bytes.value : holds->value, size);
    human_bytes(holds->value, reached);
    human_bytes(block->bytes * block->sharers, alone);
    if (block->sharers > 1)
        snprintf(share, sizeof share, ", divided by %d; a thread alone on it has %s",
                 block->sharers, alone);
    bool certain = block->bytes * block->sharers < 0.5 * holds->value;
    SRV_WHY(advice, "L%d holds %s%s%s: %s of that%s", cache->level, size,
            part ? ", of which others leave " : "", part ? reached : "",
            certain ? "what is certain" : "half", share);
}

static bool block(const srv_subject *on, servet_advice *advice)
{
    servet_cache cache;
    servet_block found;
    char bytes[HUMAN_MAX], shared[64] = "";
    if (servet_cache_get(on->profile, &on->at, on->level, &cache) != SERVET_OK ||
        srv_cache_is_emptied(&cache) ||
        servet_cache_block(on->profile, &on->at, on->level, 1, 1, 0, &found) != SERVET_OK)
        return false;
    human_bytes(found.bytes, bytes);
    if (found.sharers > 1)
        snprintf(shared, sizeof shared, ", which %s%d PUs %s", found.assumed ? "up to " : "",
                 found.sharers, found.assumed ? "may share" : "share");
    advice->topic = SERVET_ADVICE_BLOCK;
    advice->level = on->level;
    advice->value = srv_advised(found.bytes, SERVET_UNIT_BYTE, srv_cache_holds(&cache));
    SRV_SAY(advice, "block loops for %s%s in L%d%s%s", bytes, found.sharers > 1 ? " a thread" : "",
            on->level, shared, on->on_kind);
    explain_block(&cache, &found, advice);
    srv_rest_on(on, advice, "caches.%d.bytes", on->level);
    if (srv_cache_holds(&cache) == &cache.reachable_bytes)
        srv_rest_on(on, advice, "caches.%d.reachable_bytes", on->level);
    if (!found.assumed)
        srv_rest_on(on, advice, "caches.%d.groups", on->level);
    else
        srv_doubt_advice(advice, "which PUs share it was not measured");
    return true;
}

/* Advises not to use a turnover for blocks. */
static bool shun_emptied(const srv_subject *on, servet_advice *advice)
{
    servet_cache cache;
    char reached[HUMAN_MAX], reported[HUMAN_MAX];
    if (servet_cache_get(on->profile, &on->at, on->level, &cache) != SERVET_OK ||
        !srv_cache_is_emptied(&cache) || !servet_value_known(srv_cache_holds(&cache)))
        return false;
    advice->topic = SERVET_ADVICE_NO_BLOCK;
    advice->level = on->level;
    advice->value = *srv_cache_holds(&cache);
    human_interval(advice->value.low, advice->value.high, reached);
    SRV_SAY(advice, "leave the L%d%s out of block sizes: its usable size changes", on->level,
            on->on_kind);
    if (servet_value_known(&cache.reported_bytes)) {
        human_bytes(cache.reported_bytes.value, reported);
        SRV_WHY(advice, "%s were reached; the OS reports %s", reached, reported);
    } else {
        SRV_WHY(advice, "%s were reached", reached);
    }
    srv_rest_on(on, advice, "caches.%d.latency_ns", on->level);
    return true;
}

srv_advice_rule *const srv_cache_rules[] = {block, shun_emptied, NULL};

/* --- memory ----------------------------------------------------------------------------------- */

static bool overlap_loads(const srv_subject *on, servet_advice *advice)
{
    servet_concurrency loads;
    servet_value one;
    char best[HUMAN_MAX], alone[HUMAN_MAX];
    if (servet_concurrency_get(on->profile, &on->at, 0, &loads) != SERVET_OK ||
        loads.requests < 2 ||
        servet_concurrency_of_chains(on->profile, &on->at, 0, 1, &one) != SERVET_OK ||
        !servet_value_known(&loads.best) || !servet_value_known(&one))
        return false;
    srv_rate_text(loads.best.value, best);
    srv_rate_text(one.value, alone);
    advice->topic = SERVET_ADVICE_LOADS;
    advice->value = srv_advised(loads.requests, SERVET_UNIT_NONE, &loads.best);
    bool has_interval = loads.requests_low > 0;
    advice->value.low = has_interval ? loads.requests_low : loads.requests;
    advice->value.high = has_interval ? loads.requests_high : loads.requests;
    SRV_SAY(advice, "keep %d independent loads in flight in random access to memory%s",
            loads.requests, on->on_kind);
    SRV_WHY(advice, "a core gets %s GB/s with them, %s GB/s with one load after the other", best,
            alone);
    srv_rest_on(on, advice, "memory.requests");
    srv_rest_on(on, advice, "memory.chains.1");
    return true;
}

/* --- pages ------------------------------------------------------------------------------------ */

/* The memory that all TLBs together translate. */
typedef struct reach {
    bool measured;
    int levels;         /* 0: the reach is larger than was measured */
    servet_value bytes; /* reach of the last level; unknown without a level */
} reach;

static reach reach_of(const srv_subject *on, servet_pages pages)
{
    reach found = {.bytes = servet_value_unknown(SERVET_UNIT_BYTE)};
    servet_tlb tlb;
    found.measured = servet_tlb_count(on->profile, &on->at, pages, &found.levels) == SERVET_OK;
    if (!found.measured || found.levels == 0)
        return found;
    found.measured = servet_tlb_get(on->profile, &on->at, pages, found.levels, &tlb) == SERVET_OK &&
                     servet_value_known(&tlb.reach_bytes);
    if (found.measured)
        found.bytes = tlb.reach_bytes;
    return found;
}

/* Advises huge pages if the reach with them is at least twice as large. */
static bool use_huge_pages(const srv_subject *on, servet_advice *advice)
{
    static const double reach_ratio_min = 2;
    const reach base = reach_of(on, SERVET_PAGES_BASE), huge = reach_of(on, SERVET_PAGES_HUGE);
    servet_translation translation;
    char near[HUMAN_MAX], far[HUMAN_MAX] = "more than was measured", miss[HUMAN_MAX] = "";
    if (!base.measured || base.levels == 0 || !huge.measured ||
        servet_translation_get(on->profile, &on->at, SERVET_PAGES_BASE, &translation) != SERVET_OK)
        return false;
    bool farther = huge.levels == 0 || huge.bytes.value >= reach_ratio_min * base.bytes.value;
    human_bytes(base.bytes.value, near);
    if (huge.levels > 0)
        human_bytes(huge.bytes.value, far);
    if (servet_value_known(&translation.walk))
        human_time(translation.walk.value, miss);
    advice->topic = SERVET_ADVICE_PAGES;
    advice->value = base.bytes;
    if (farther)
        SRV_SAY(advice, "request huge pages where more than %s are accessed at random%s", near,
                on->on_kind);
    else
        SRV_SAY(advice, "keep what is accessed at random within %s%s: huge pages reach no farther",
                near, on->on_kind);
    SRV_WHY(advice, "the TLBs reach %s with base pages and %s with huge ones%s%s", near, far,
            *miss ? "; a miss of all takes " : "", miss);
    srv_rest_on(on, advice, "translation.count");
    if (farther && huge.levels > 0)
        srv_rest_on(on, advice, "translation_huge.%d.reach_bytes", huge.levels);
    else
        srv_rest_on(on, advice, "translation_huge.count");
    srv_rest_on(on, advice, "translation.%d.reach_bytes", base.levels);
    return true;
}

srv_advice_rule *const srv_kind_rules[] = {overlap_loads, use_huge_pages, NULL};
