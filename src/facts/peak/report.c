/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak rates, speeds of core types, and the ridge points of the roofline. */
#include <stdio.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"

static void add_peak(report_table *table, const servet_peak *peak)
{
    char width[32], cores[32], rate[HUMAN_MAX], clock[HUMAN_MAX], cycle[HUMAN_MAX];
    const bool is_vector = peak->width == SERVET_WIDTH_VECTOR;
    snprintf(width, sizeof width, is_vector ? "%s of %d bits" : "%s",
             servet_width_name(peak->width), peak->bits);
    snprintf(cores, sizeof cores, peak->cores == 1 ? "%d" : "all %d",
             peak->cores == 1 ? peak->core : peak->cores);
    report_rate(&peak->rate, rate);
    report_rate(&peak->clock, clock);
    human_digits(peak->rate.value / peak->clock.value / peak->cores, 3, cycle);
    report_table_row(table, (const char *[]){servet_precision_name(peak->precision), width, cores,
                                             rate, clock, cycle});
}

static int find_peak(const servet_profile *profile, const servet_at *at, int number,
                     servet_peak *peak)
{
    return servet_profile_item(profile, at, "peak", (const int[]){number}, peak, sizeof *peak);
}

static void add_peaks(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_peak peak = {.precision = SERVET_PRECISION_F64};
    report_table *table = document_table(to, NULL, "lllrrr", "precision", "instructions", "PUs",
                                         "GFLOP/s", "GHz", "FLOP/cycle of a PU");
    for (int i = 1; find_peak(profile, at, i, &peak) == SERVET_OK; i++)
        add_peak(table, &peak);
    if (peak.precision == SERVET_PRECISION_I64)
        document_line(to, "i64: additions of integers instead of FLOP");
}

/* The speeds of the core types, if there are several. */
static void add_speeds(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_at of_kind;
    servet_value speed;
    char cores[REPORT_KIND_MAX], text[SERVET_WORK_COUNT][HUMAN_MAX];
    if (at->core != SERVET_ANY_CORE || !report_kind(profile, at, 1, &of_kind))
        return;
    report_table *table =
        document_table(to, "Speed of a core, relative to the fastest core type", "lrrr", "PUs",
                       servet_work_name(SERVET_WORK_VECTOR), servet_work_name(SERVET_WORK_INTEGER),
                       servet_work_name(SERVET_WORK_MEMORY));
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++) {
        bool is_known = false;
        for (int w = SERVET_WORK_VECTOR; w < SERVET_WORK_COUNT; w++) {
            speed = servet_value_unknown(SERVET_UNIT_NONE);
            is_known |= servet_core_speed(profile, &of_kind, (servet_work)w, &speed) == SERVET_OK;
            report_number(&speed, text[w]);
        }
        report_kind_text(profile, &of_kind, cores);
        if (is_known)
            report_table_row(table,
                             (const char *[]){cores, text[SERVET_WORK_VECTOR],
                                              text[SERVET_WORK_INTEGER], text[SERVET_WORK_MEMORY]});
    }
}

static void add_ridge(report_table *table, const servet_profile *profile, const servet_at *at,
                      int level, const char *name)
{
    enum { FLOATS = SERVET_PRECISION_I64 }; /* the precisions before */
    servet_value ridge[FLOATS];
    char text[FLOATS][HUMAN_MAX];
    bool is_known = false;
    for (int i = 0; i < FLOATS; i++) {
        ridge[i] = servet_value_unknown(SERVET_UNIT_FLOP_PER_BYTE);
        is_known |= servet_ridge(profile, at, (servet_precision)i, level, &ridge[i]) == SERVET_OK;
        report_number(&ridge[i], text[i]);
    }
    if (is_known)
        report_table_row(table, (const char *[]){name, text[0], text[1]});
}

static void add_ridges(document *to, const servet_profile *profile, const servet_at *at)
{
    const servet_at all = {at->node_class, SERVET_ANY_CORE};
    char cores[REPORT_KIND_MAX], title[REPORT_KIND_MAX + 64], level[REPORT_LEVEL_MAX];
    int levels = 0;
    report_kind_text(profile, at, cores);
    snprintf(title, sizeof title, "Ridge points of each of the PUs %s, FLOP/B", cores);
    report_table *table = document_table(to, title, "lrr", "level", "f64", "f32");
    (void)servet_cache_count(profile, at, &levels);
    for (int i = 1; i <= levels; i++) {
        report_level_name(i, level);
        add_ridge(table, profile, at, i, level);
    }
    add_ridge(table, profile, at, 0, "memory");
    add_ridge(table, profile, &all, 0, "memory, all PUs");
}

void report_peaks(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_peak peak;
    servet_at of_kind;
    if (find_peak(profile, at, 1, &peak) != SERVET_OK)
        return;
    document_heading(to, "Peak rates of multiplications and additions, fused where possible");
    add_peaks(to, profile, at);
    add_speeds(to, profile, at);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++)
        add_ridges(to, profile, &of_kind);
}
