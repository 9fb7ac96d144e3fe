/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/diff.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* --- a fact in words -------------------------------------------------------------------------- */

/* Characters of a text that are shown; sets of cores may be very long. */
enum { SHOWN_MAX = 48 };

/* Prints a text as one line, without characters that begin a directive of TAP. */
static void print_value(const char *text)
{
    int shown = 0;
    for (; *text && shown < SHOWN_MAX; text++, shown++)
        if (*text == '\n')
            fputs(" | ", stdout);
        else
            printf(*text == '#' ? "\\%c" : "%c", *text);
    fputs(*text ? "..." : "", stdout);
}

/* One side of a fact. */
static void print_side(const servet_diff_fact *fact, const char *text)
{
    if (text)
        print_value(text);
    else
        fputs(fact->host ? "not listed" : "not measured", stdout);
}

static void print_change(const servet_diff_fact *fact)
{
    if (fact->quantity == SERVET_QUANTITY_GROUPS && fact->change > 0)
        printf(" (%.3g %% of the pairs)", 100 * fact->change);
    else if (isfinite(fact->change) && fact->change != 0)
        printf(" (%+.3g %%)", 100 * fact->change);
}

/* "class fat, kind big: caches.2.bytes: 2097152 -> 1048576 (-50 %)" */
static void print_fact(const servet_diff_fact *fact)
{
    if (fact->node_class)
        printf("%s%s%s: ", fact->node_class, fact->kind ? "/" : "", fact->kind ? fact->kind : "");
    if (fact->host)
        printf("%s: ", fact->host);
    printf("%s: ", fact->key);
    print_side(fact, fact->first);
    if (fact->first && fact->second && strcmp(fact->first, fact->second) == 0)
        return;
    fputs(" -> ", stdout);
    print_side(fact, fact->second);
    print_change(fact);
}

static void print_doubt(const servet_diff_fact *fact, const char *const names[2])
{
    printf("not trusted in %s", fact->first_trusted ? "" : names[0]);
    printf("%s%s", fact->first_trusted || fact->second_trusted ? "" : " and ",
           fact->second_trusted ? "" : names[1]);
}

/* --- for people ------------------------------------------------------------------------------- */

static void print_line(const servet_diff_fact *fact, const char *const names[2])
{
    bool doubtful = fact->comparison == SERVET_COMPARISON_DOUBTFUL;
    fputs(doubtful ? "! " : "", stdout);
    print_fact(fact);
    if (doubtful) {
        fputs(", ", stdout);
        print_doubt(fact, names);
    }
    putchar('\n');
}

static void print_counts(const servet_diff *diff)
{
    printf("%d facts:", servet_diff_count(diff));
    for (int i = 0; i < SERVET_COMPARISON_COUNT; i++) {
        int count = servet_diff_count_of(diff, (servet_comparison)i);
        printf("%s %d %s", i ? "," : "", count, servet_comparison_name((servet_comparison)i));
    }
    putchar('\n');
}

bool diff_print_text(const servet_diff *diff, const char *const names[2], bool common, bool changed)
{
    servet_diff_fact fact;
    (void)common;
    (void)changed;
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++)
        if (fact.comparison != SERVET_COMPARISON_SAME)
            print_line(&fact, names);
    print_counts(diff);
    return true;
}

/* --- TAP -------------------------------------------------------------------------------------- */

static bool passes(const servet_diff_fact *fact, bool common)
{
    bool lone =
        fact->comparison == SERVET_COMPARISON_GONE || fact->comparison == SERVET_COMPARISON_NEW;
    return fact->comparison == SERVET_COMPARISON_SAME || (lone && common);
}

bool diff_print_tap(const servet_diff *diff, const char *const names[2], bool common, bool changed)
{
    servet_diff_fact fact;
    (void)changed;
    printf("1..%d\n", servet_diff_count(diff));
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++) {
        bool good = passes(&fact, common);
        printf("%s %d - ", good ? "ok" : "not ok", i + 1);
        print_fact(&fact);
        if (fact.comparison == SERVET_COMPARISON_DOUBTFUL) {
            fputs(" # TODO ", stdout); /* a difference that does not make the test fail */
            print_doubt(&fact, names);
        } else if (good && fact.comparison != SERVET_COMPARISON_SAME)
            printf(" # SKIP only in %s", names[fact.comparison == SERVET_COMPARISON_NEW]);
        putchar('\n');
    }
    return true;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *fact_json(const servet_diff_fact *fact)
{
    return json_pack("{s:s?, s:s?, s:s?, s:s, s:s, s:s, s:s?, s:s?, s:b, s:b, s:o}", "class",
                     fact->node_class, "kind", fact->kind, "host", fact->host, "key", fact->key,
                     "quantity", servet_quantity_name(fact->quantity), "comparison",
                     servet_comparison_name(fact->comparison), "first", fact->first, "second",
                     fact->second, "first_trusted", fact->first_trusted, "second_trusted",
                     fact->second_trusted, "change",
                     isfinite(fact->change) ? json_real(fact->change) : json_null());
}

static json_t *diff_json(const servet_diff *diff, bool changed)
{
    servet_diff_fact fact;
    json_t *counts = json_object(), *facts = json_array();
    for (int i = 0; i < SERVET_COMPARISON_COUNT; i++)
        json_object_set_new(counts, servet_comparison_name((servet_comparison)i),
                            json_integer(servet_diff_count_of(diff, (servet_comparison)i)));
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++)
        json_array_append_new(facts, fact_json(&fact));
    return json_pack("{s:b, s:o, s:o}", "differs", changed, "counts", counts, "facts", facts);
}

bool diff_print_json(const servet_diff *diff, const char *const names[2], bool common, bool changed)
{
    (void)names;
    (void)common;
    return cli_print_json(diff_json(diff, changed), JSON_INDENT(1) | JSON_REAL_PRECISION(6));
}
