/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds contradictions in the model's pages, TLBs and prefetchers. */
#include "sim/format.h"

#include <math.h>

bool srv_is_power_of_two(double number)
{
    int exponent;
    return number >= 1 && frexp(number, &exponent) == 0.5;
}

static int check_pages(const srv_model *model, srv_json_path *where)
{
    double base = model->machine.page_bytes, huge = model->huge_bytes;
    double memory = model->machine.memory_bytes;
    if (!srv_is_power_of_two(base))
        return srv_json_path_fail(srv_model_at(where, "pages", -1, "bytes"),
                                  "%.0f is not a power of two", base);
    if (fmax(base, huge) > memory)
        return srv_json_path_fail(
            srv_model_at(where, "pages", -1, base > memory ? "bytes" : "huge_bytes"),
            "%.0f bytes, more than the %.0f of memory", fmax(base, huge), memory);
    if (huge > 0 && (!srv_is_power_of_two(huge) || huge <= base))
        return srv_json_path_fail(srv_model_at(where, "pages", -1, "huge_bytes"),
                                  "%.0f is not a power of two above the %.0f of a page", huge,
                                  base);
    if (model->placement == SRV_PAGES_HUGE && huge <= 0)
        return srv_json_path_fail(srv_model_at(where, "pages", -1, "placement"),
                                  "placement huge requires huge_bytes");
    return SERVET_OK;
}

static int check_tlb(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_tlb *tlb = &model->tlb[i];
    if (!tlb->ways && tlb->entries > SRV_MODEL_WAYS_MAX)
        return srv_json_path_fail(srv_model_at(where, "tlbs", i, "entries"),
                                  "%d entries; a fully associative TLB has at most %d",
                                  tlb->entries, SRV_MODEL_WAYS_MAX);
    if (tlb->ways && tlb->entries % tlb->ways != 0)
        return srv_json_path_fail(srv_model_at(where, "tlbs", i, "entries"),
                                  "%d ways; their number must divide the %d entries", tlb->ways,
                                  tlb->entries);
    if (i && tlb->entries <= tlb[-1].entries)
        return srv_json_path_fail(srv_model_at(where, "tlbs", i, "entries"),
                                  "%d entries; must be more than the %d of the level above",
                                  tlb->entries, tlb[-1].entries);
    return SERVET_OK;
}

static int check_prefetcher(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_prefetcher *prefetcher = &model->prefetcher[i];
    bool known = false;
    for (int c = 0; c < model->cache_count; c++)
        known = known || model->cache[c].level == prefetcher->level;
    if (!known)
        return srv_json_path_fail(srv_model_at(where, "prefetchers", i, "level"),
                                  "there is no cache of level %d", prefetcher->level);
    if (prefetcher->type != SRV_PREFETCH_NEXT_LINE && prefetcher->reach_bytes <= 0)
        return srv_json_path_fail(srv_model_at(where, "prefetchers", i, "reach_bytes"),
                                  "missing: required except for next-line");
    return SERVET_OK;
}

int srv_model_check_memory(const srv_model *model, srv_json_path *where)
{
    int code = check_pages(model, where);
    for (int i = 0; i < model->tlb_count && code == SERVET_OK; i++)
        code = check_tlb(model, i, where);
    for (int i = 0; i < model->prefetcher_count && code == SERVET_OK; i++)
        code = check_prefetcher(model, i, where);
    return code;
}
