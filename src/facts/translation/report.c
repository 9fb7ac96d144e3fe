/* SPDX-License-Identifier: BSD-3-Clause */
/* TLBs: entries, reach, and the cost of a miss. */
#include <stdio.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"

/* The size that an entry translates is added if it is not exactly one page. */
static void add_rest(document *to, const servet_translation *translation)
{
    char walk[HUMAN_MAX], granule[HUMAN_MAX], page[HUMAN_MAX];
    report_time(&translation->walk, HUMAN_NS, walk);
    report_bytes(&translation->granule_bytes, granule);
    report_bytes(&translation->page_bytes, page);
    if (servet_value_known(&translation->walk))
        document_line(to, "a load that no TLB translates takes %s ns longer (page walk)", walk);
    if (servet_value_known(&translation->granule_bytes) &&
        translation->granule_bytes.value != translation->page_bytes.value)
        document_line(to, "one entry translates %s, not a page of %s", granule, page);
}

static void add_pages(document *to, const servet_profile *profile, const servet_at *at,
                      servet_pages pages)
{
    servet_translation translation;
    static const char *const counts[] = {
        [SERVET_PAGES_BASE] = "translation.count", [SERVET_PAGES_HUGE] = "translation_huge.count"};
    char page[HUMAN_MAX], title[HUMAN_MAX + 16], none[2 * HUMAN_MAX + 16];
    int count = 0;
    if (servet_translation_get(profile, at, pages, &translation) != SERVET_OK)
        return;
    report_bytes(&translation.page_bytes, page);
    snprintf(title, sizeof title, "pages of %s", page);
    (void)servet_tlb_count(profile, at, pages, &count);
    if (count == 0) {
        snprintf(none, sizeof none, "%s: no TLB detected up to %d pages", title,
                 translation.pages_asked);
        report_doubted(to, none, profile, at, counts[pages]);
        return;
    }
    servet_tlb tlb;
    report_table *table = document_table(to, NULL, "lrrlrl", title, "entries", "ways", "reach",
                                         "miss, ns", "confidence");
    for (int level = 1; servet_tlb_get(profile, at, pages, level, &tlb) == SERVET_OK; level++) {
        char name[24];
        report_tlb row;
        snprintf(name, sizeof name, "TLB %d", level);
        report_tlb_text(&tlb, &row);
        report_table_row(table, (const char *[]){name, row.entries, row.ways, row.reach, row.miss,
                                                 row.confidence});
    }
    add_rest(to, &translation);
}

void report_translation(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_translation any;
    char cores[REPORT_KIND_MAX];
    bool begun = false;
    report_kind_text(profile, at, cores);
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++) {
        if (servet_translation_get(profile, at, (servet_pages)pages, &any) != SERVET_OK)
            continue;
        if (!begun)
            document_heading(to, "Translation (TLBs) of each of the PUs %s", cores);
        begun = true;
        add_pages(to, profile, at, (servet_pages)pages);
    }
}
