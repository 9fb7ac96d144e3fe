/* SPDX-License-Identifier: BSD-3-Clause */
/* TLBs: entries, reach, and what a miss costs. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"

static void print_row(const char *const cell[6])
{
    printf("  %-18s %11s %6s  %-14s %8s  %s\n", cell[0], cell[1], cell[2], cell[3], cell[4],
           cell[5]);
}

/* Measurements with intervals up to this share of the value agree on it to the digits that people
 * compare; what is wider is no number. */
static const double WIDE = 0.1;

static bool is_wide(const servet_value *value)
{
    return servet_value_known(value) && value->high - value->low > WIDE * value->value;
}

/* "1536", or "1240-2170" where no one number is known. */
static void write_count(const servet_value *value, char text[HUMAN_MAX])
{
    if (is_wide(value))
        snprintf(text, HUMAN_MAX, "%.4g-%.4g", value->low, value->high);
    else
        report_number(value, text);
}

static void write_reach(const servet_value *value, char text[HUMAN_MAX])
{
    (is_wide(value) ? report_interval : report_bytes)(value, text);
}

static void print_level(int level, const servet_tlb *tlb)
{
    char name[24], entries[HUMAN_MAX], ways[HUMAN_MAX], reach[HUMAN_MAX], miss[HUMAN_MAX];
    char confidence[REPORT_CONFIDENCE_MAX];
    snprintf(name, sizeof name, "  TLB %d", level);
    report_confidence(tlb->confidence, tlb->trusted, confidence);
    write_count(&tlb->entries, entries);
    write_count(&tlb->ways, ways);
    write_reach(&tlb->reach_bytes, reach);
    report_time(&tlb->latency, HUMAN_NS, miss);
    print_row((const char *[]){name, entries, ways, reach, miss, confidence});
}

/* Printed if an entry does not translate exactly one page. */
static void print_rest(const servet_translation *translation)
{
    char walk[HUMAN_MAX], granule[HUMAN_MAX];
    report_time(&translation->walk, HUMAN_NS, walk);
    report_bytes(&translation->granule_bytes, granule);
    if (servet_value_known(&translation->walk))
        printf("    a page walk costs %s ns\n", walk);
    if (servet_value_known(&translation->granule_bytes) &&
        translation->granule_bytes.value != translation->page_bytes.value)
        printf("    one entry maps %s\n", granule);
}

static void print_pages(const servet_profile *profile, const servet_at *at, servet_pages pages)
{
    servet_translation translation;
    servet_tlb tlb;
    static const char *const counts[] = {
        [SERVET_PAGES_BASE] = "translation.count", [SERVET_PAGES_HUGE] = "translation_huge.count"};
    char page[HUMAN_MAX], title[HUMAN_MAX + 16], doubt[REPORT_DOUBT_MAX];
    int count = 0;
    if (servet_translation_get(profile, at, pages, &translation) != SERVET_OK)
        return;
    report_bytes(&translation.page_bytes, page);
    snprintf(title, sizeof title, "pages of %s", page);
    (void)servet_tlb_count(profile, at, pages, &count);
    if (count == 0) {
        report_doubt(profile, at, counts[pages], doubt);
        printf("  %s: %sno TLB detected up to %d pages\n", title, doubt, translation.pages_asked);
        return;
    }
    print_row((const char *[]){title, "entries", "ways", "reach", "miss, ns", "confidence"});
    for (int level = 1; servet_tlb_get(profile, at, pages, level, &tlb) == SERVET_OK; level++)
        print_level(level, &tlb);
    print_rest(&translation);
}

void report_translation(const servet_profile *profile, const servet_at *at)
{
    servet_translation any;
    bool is_known = false;
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++)
        is_known |= servet_translation_get(profile, at, (servet_pages)pages, &any) == SERVET_OK;
    if (!is_known)
        return;
    puts("\nTranslation");
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++)
        print_pages(profile, at, (servet_pages)pages);
}
