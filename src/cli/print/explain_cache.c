/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/explain_cache.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "core/human.h"
#include "servet/explain.h"

/* --- steps that are left out ------------------------------------------------------------------ */

/* The kind of a step for each rule that decided; other rules join the step to its neighbour. */
static const struct taken {
    const char *rule, *reason;
} taken[] = {
    {"RISE_MIN", "too small a rise for a cache: prefetching, noise or translation"},
    {"TRANSLATION_MAX", "taken for address translation (--pages shows whether it is)"},
    {"MEMORY_LIKELY", "taken for translation in memory: its latency is that of memory"},
    {"MEMORY_SURE", "taken for translation in memory: no cache is so slow"},
};

static const char *reason_of(const servet_reason *step)
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(step->rule, taken[i].rule) == 0)
            return taken[i].reason;
    return "taken for a part of the boundary before it";
}

/* Returns true for a step that is left out. A step of translation without its own rise is not: it
 * is listed as a TLB. */
static bool is_left_out(const servet_reason *reason)
{
    bool rise = reason->kind == SERVET_REASON_RISE && !reason->accepted && reason->value > 0;
    return rise || reason->kind == SERVET_REASON_JOIN;
}

static void print_step(const servet_reason *step)
{
    char bytes[HUMAN_MAX], text[SERVET_FINDING_TEXT_MAX];
    human_bytes(step->bytes, bytes);
    printf("-    %9s  %s: %s\n", bytes, servet_reason_text(step, text, sizeof text),
           reason_of(step));
}

void explain_cache_print_left_out(const servet_explanation *explanation)
{
    bool begun = false;
    for (size_t i = 0; i < explanation->n; i++) {
        if (!is_left_out(&explanation->reason[i]))
            continue;
        if (!begun)
            puts("steps that are no level of their own");
        begun = true;
        print_step(&explanation->reason[i]);
    }
}

json_t *explain_cache_left_out_json(const servet_explanation *explanation)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < explanation->n; i++) {
        const servet_reason *step = &explanation->reason[i];
        if (!is_left_out(step))
            continue;
        json_t *json =
            json_pack("{s:I, s:s, s:f, s:f, s:s, s:s}", "bytes", (json_int_t)llround(step->bytes),
                      "about", servet_reason_kind_name(step->kind), "value", step->value, "limit",
                      step->limit, "rule", step->rule, "reason", reason_of(step));
        if (json_array_append_new(list, json)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* --- for people ------------------------------------------------------------------------------- */

static void print_head(const servet_reason *reason)
{
    char bytes[HUMAN_MAX] = "", level[16] = "";
    if (reason->bytes > 0)
        human_bytes(reason->bytes, bytes);
    if (reason->level > 0)
        snprintf(level, sizeof level, "L%d", reason->level);
    bool size = reason->kind == SERVET_REASON_CAPACITY;
    printf("%-3s %s%-10s ", size ? "" : level, size ? "   " : "", bytes);
}

static void print_text(const servet_reason *reason)
{
    char text[SERVET_FINDING_TEXT_MAX];
    printf("%s  [%s", servet_reason_text(reason, text, sizeof text), reason->rule);
    if (reason->kind == SERVET_REASON_CAPACITY)
        printf(" %s", HUMAN(reason->limit, 3));
    puts("]");
}

void explain_cache_print(const servet_explanation *explanation)
{
    puts("explanation (names in brackets: see detection.md)");
    for (size_t i = 0; i < explanation->n; i++) {
        print_head(&explanation->reason[i]);
        print_text(&explanation->reason[i]);
    }
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *reason_json(const servet_reason *reason)
{
    json_t *json = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:s, s:b}", "about", servet_reason_kind_name(reason->kind),
        "level", reason->level, "bytes", json_integer((json_int_t)llround(reason->bytes)), "value",
        cli_json_number(reason->value), "limit", cli_json_number(reason->limit), "rule",
        reason->rule, "accepted", reason->accepted);
    if (json && reason->kind == SERVET_REASON_CAPACITY) {
        json_object_set_new(json, "prior", cli_json_number(reason->prior));
        json_object_set_new(json, "share", cli_json_number(reason->share));
    }
    return json;
}

json_t *explain_cache_json(const servet_explanation *explanation)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < explanation->n; i++)
        if (json_array_append_new(list, reason_json(&explanation->reason[i]))) {
            json_decref(list);
            return NULL;
        }
    return list;
}
