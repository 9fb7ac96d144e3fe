/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/human.h"

const char report_unknown[] = "-";

const char *report_plural(int count)
{
    return count == 1 ? "" : "s";
}

void report_add_count(char *text, size_t size, int count, const char *noun, const char *detail)
{
    size_t used = strlen(text);
    if (count > 0)
        snprintf(text + used, size - used, "%s%d %s%s%s", used ? ", " : "", count, noun,
                 report_plural(count), detail);
}

void report_add_bytes(char *text, size_t size, double bytes, const char *noun)
{
    char amount[HUMAN_MAX];
    size_t used = strlen(text);
    human_bytes(bytes, amount);
    if (bytes > 0)
        snprintf(text + used, size - used, "%s%s%s", used ? ", " : "", noun, amount);
}

/* --- values ----------------------------------------------------------------------------------- */

const char *report_mark(const servet_value *value)
{
    if (!servet_value_known(value) || value->trusted)
        return "";
    return value->method == SERVET_METHOD_OS ? " (OS)" : "?";
}

/* Prints a value with its mark, if it is known. */
static void put(const servet_value *value, const char *known, char text[HUMAN_MAX])
{
    if (servet_value_known(value))
        snprintf(text, HUMAN_MAX, "%.*s%s", HUMAN_MAX - 6, known, report_mark(value));
    else
        strcpy(text, report_unknown);
}

void report_bytes(const servet_value *value, char text[HUMAN_MAX])
{
    char size[HUMAN_MAX] = "";
    if (servet_value_known(value))
        human_bytes(value->value, size);
    put(value, size, text);
}

void report_reported(const servet_value *value, char text[HUMAN_MAX])
{
    strcpy(text, report_unknown);
    if (servet_value_known(value))
        human_bytes(value->value, text);
}

void report_interval(const servet_value *value, char text[HUMAN_MAX])
{
    strcpy(text, report_unknown);
    if (servet_value_known(value) && value->low == value->high)
        human_bytes(value->low, text);
    else if (servet_value_known(value))
        human_interval(value->low, value->high, text);
}

void report_number(const servet_value *value, char text[HUMAN_MAX])
{
    char number[HUMAN_MAX];
    human_number(value->value, number);
    put(value, number, text);
}

void report_time(const servet_value *seconds, double per_second, char text[HUMAN_MAX])
{
    char time[HUMAN_MAX];
    human_number(seconds->value * per_second, time);
    put(seconds, time, text);
}

void report_rate(const servet_value *value, char text[HUMAN_MAX])
{
    char rate[HUMAN_MAX];
    human_digits(value->value * 1e-9, 3, rate);
    put(value, rate, text);
}

const char *report_outlier(const servet_node_rate *of)
{
    static const char *const words[2][2] = {{"", "noisy"}, {"slow", "slow, noisy"}};
    return words[of->slow][of->noisy];
}

void report_confidence(double confidence, bool trusted, char text[REPORT_CONFIDENCE_MAX])
{
    if (trusted)
        snprintf(text, REPORT_CONFIDENCE_MAX, "%.0f %%", confidence * 100);
    else
        snprintf(text, REPORT_CONFIDENCE_MAX, "%s", report_verdict(SERVET_VERDICT_COUNT, false));
}

const char *report_verdict(servet_verdict verdict, bool trusted)
{
    return trusted || verdict == SERVET_VERDICT_NOT_COMPARABLE ? servet_verdict_name(verdict)
                                                               : "not trusted";
}

/* An interval that is narrower than this share of the value is printed as one number; with a wider
 * one, less than two digits are certain. */
static const double INTERVAL_SHARE_MAX = 0.1;

static bool is_wide(const servet_value *value)
{
    return servet_value_known(value) &&
           value->high - value->low > INTERVAL_SHARE_MAX * value->value;
}

static void count_text(const servet_value *value, char text[HUMAN_MAX])
{
    if (is_wide(value))
        snprintf(text, HUMAN_MAX, "%s-%s", HUMAN(value->low, 4), HUMAN(value->high, 4));
    else
        report_number(value, text);
}

void report_tlb_text(const servet_tlb *tlb, report_tlb *text)
{
    count_text(&tlb->entries, text->entries);
    count_text(&tlb->ways, text->ways);
    (is_wide(&tlb->reach_bytes) ? report_interval : report_bytes)(&tlb->reach_bytes, text->reach);
    report_time(&tlb->latency, HUMAN_NS, text->miss);
    report_confidence(tlb->confidence, tlb->trusted, text->confidence);
}

void report_reason(const servet_profile *profile, const servet_at *at, const char *key,
                   char reason[SERVET_TEXT_MAX])
{
    const servet_at any = {.node_class = servet_profile_class_name(profile, 0),
                           .core = SERVET_ANY_CORE};
    servet_trust trust = {.reason = ""};
    (void)servet_profile_trust(profile, at ? at : &any, key, &trust, NULL);
    memcpy(reason, trust.reason, SERVET_TEXT_MAX);
}

void report_doubt(const servet_profile *profile, const servet_at *at, const char *key,
                  char text[REPORT_DOUBT_MAX])
{
    char reason[SERVET_TEXT_MAX];
    report_reason(profile, at, key, reason);
    *text = '\0';
    if (*reason)
        snprintf(text, REPORT_DOUBT_MAX, " (not trusted: %s)", reason);
}

void report_doubted(document *to, const char *text, const servet_profile *profile,
                    const servet_at *at, const char *key)
{
    char doubt[REPORT_DOUBT_MAX];
    report_doubt(profile, at, key, doubt);
    document_line(to, "%s%s", text, doubt);
}

bool report_is_private(const servet_profile *profile, const servet_at *at, int level)
{
    const char *cores;
    int count = 0;
    (void)servet_cache_group_count(profile, at, level, &count);
    for (int i = 0; i < count; i++)
        if (servet_cache_group(profile, at, level, i, &cores) == SERVET_OK && strpbrk(cores, ",-"))
            return false;
    return count > 0;
}

void report_level_name(int level, char name[REPORT_LEVEL_MAX])
{
    strcpy(name, "memory");
    if (level)
        snprintf(name, REPORT_LEVEL_MAX, "L%d", level);
}

/* --- sets of cores ---------------------------------------------------------------------------- */

void report_set_text(const char *cores, char *text, size_t size)
{
    static const char cut[] = "...";
    if (snprintf(text, size, "%s", cores) < (int)size)
        return;
    text[size - sizeof cut] = '\0';
    char *comma = strrchr(text, ',');
    strcpy(comma ? comma + 1 : text + size - sizeof cut, cut);
}

void report_sets_text(const report_sets *sets, const servet_profile *profile, const servet_at *at,
                      int level, char text[REPORT_SETS_MAX])
{
    enum { TAIL = 32 }; /* "  ...  (1234567890 sets)" */
    const char *cores;
    int count, i = 0;
    strcpy(text, report_unknown);
    if (sets->count(profile, at, level, &count) != SERVET_OK)
        return;
    size_t used = 0, room = REPORT_SETS_MAX - TAIL;
    for (; i < count && sets->set(profile, at, level, i, &cores) == SERVET_OK; i++) {
        if (used + strlen(cores) + 2 >= room)
            break;
        used += (size_t)snprintf(text + used, room - used, "%s%s", i ? "  " : "", cores);
    }
    if (i == 0 && count > 0 && sets->set(profile, at, level, i, &cores) == SERVET_OK) {
        report_set_text(cores, text, room);
        used = strlen(text);
    }
    if (i < count && count > 1)
        snprintf(text + used, TAIL, "%s  (%d sets)", i ? "  ..." : "", count);
}

/* --- series ----------------------------------------------------------------------------------- */

void report_series_row(report_table *table, const char *name, const report_numbers *numbers,
                       report_series *series, const servet_profile *profile, const servet_at *at,
                       int level)
{
    char rate[REPORT_COLUMNS_MAX][HUMAN_MAX];
    const char *cells[REPORT_COLUMNS_MAX] = {name};
    servet_value bandwidth;
    for (int i = 0; i < numbers->count; i++) {
        *rate[i] = '\0';
        if (series(profile, at, level, numbers->number[i], &bandwidth) == SERVET_OK)
            report_rate(&bandwidth, rate[i]);
        cells[i + 1] = rate[i];
    }
    report_table_row(table, cells);
}

bool report_kind(const servet_profile *profile, const servet_at *at, int index, servet_at *of_kind)
{
    servet_kind kind;
    *of_kind = *at;
    if (at->core != SERVET_ANY_CORE)
        return index == 0;
    if (servet_kind_get(profile, at, index, &kind) != SERVET_OK)
        return false;
    of_kind->core = atoi(kind.cores);
    return true;
}

void report_kind_text(const servet_profile *profile, const servet_at *at,
                      char text[REPORT_KIND_MAX])
{
    char name[SERVET_NAME_MAX] = "", cores[SERVET_TEXT_MAX] = "...", shown[REPORT_SETS_MAX];
    servet_kind kind;
    servet_profile_get(profile, at, "kind.name", name, sizeof name, NULL);
    servet_profile_get(profile, at, "kind.cores", cores, sizeof cores, NULL);
    report_set_text(cores, shown, sizeof shown);
    bool several = servet_kind_get(profile, at, 1, &kind) == SERVET_OK;
    snprintf(text, REPORT_KIND_MAX, "%s%s%s%s", shown, several ? " (" : "", several ? name : "",
             several ? ")" : "");
}

bool report_is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list) {
        size_t next = strcspn(list, ",");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next + (list[next] == ',');
    }
    return false;
}
