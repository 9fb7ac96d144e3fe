/* SPDX-License-Identifier: BSD-3-Clause */
/* TLBs: entries, reach, and what a miss costs. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"

static void add_level(report_table *table, int level, const servet_tlb *tlb)
{
    char name[24];
    report_tlb row;
    snprintf(name, sizeof name, "TLB %d", level);
    report_tlb_text(tlb, &row);
    report_table_row(
        table, (const char *[]){name, row.entries, row.ways, row.reach, row.miss, row.confidence});
}

static void print_levels(const servet_profile *profile, const servet_at *at, servet_pages pages,
                         const char *title)
{
    report_table table;
    servet_tlb tlb;
    report_table_begin(&table);
    report_table_column(&table, 'l', title);
    report_table_column(&table, 'r', "entries");
    report_table_column(&table, 'r', "ways");
    report_table_column(&table, 'l', "reach");
    report_table_column(&table, 'r', "miss, ns");
    report_table_column(&table, 'l', "confidence");
    for (int level = 1; servet_tlb_get(profile, at, pages, level, &tlb) == SERVET_OK; level++)
        add_level(&table, level, &tlb);
    report_table_print(&table);
}

/* The size that an entry translates is printed if it is not exactly one page. */
static void print_rest(const servet_translation *translation)
{
    char walk[HUMAN_MAX], granule[HUMAN_MAX], page[HUMAN_MAX];
    report_time(&translation->walk, HUMAN_NS, walk);
    report_bytes(&translation->granule_bytes, granule);
    report_bytes(&translation->page_bytes, page);
    if (servet_value_known(&translation->walk))
        printf("  a load that no TLB translates takes %s ns longer (page walk)\n", walk);
    if (servet_value_known(&translation->granule_bytes) &&
        translation->granule_bytes.value != translation->page_bytes.value)
        printf("  one entry translates %s, not a page of %s\n", granule, page);
}

static void print_pages(const servet_profile *profile, const servet_at *at, servet_pages pages)
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
        report_print_doubted(none, profile, at, counts[pages]);
        return;
    }
    print_levels(profile, at, pages, title);
    print_rest(&translation);
}

void report_translation(const servet_profile *profile, const servet_at *at)
{
    servet_translation any;
    char cores[REPORT_KIND_MAX];
    bool begun = false;
    report_kind_text(profile, at, cores);
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++) {
        if (servet_translation_get(profile, at, (servet_pages)pages, &any) != SERVET_OK)
            continue;
        if (begun)
            putchar('\n');
        else
            printf("\nTranslation (TLBs) of each of the PUs %s\n", cores);
        begun = true;
        print_pages(profile, at, (servet_pages)pages);
    }
}
