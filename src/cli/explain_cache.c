/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain_cache.h"

#include <math.h>
#include <stdio.h>

#include "human.h"

/* --- for people ------------------------------------------------------------------------------- */

/* What is said of a reason: before its first number, before its second, and the verdicts. */
static const struct phrase {
    const char *value, *limit, *yes, *no;
} phrases[SERVET_REASON_KIND_COUNT] = {
    [SERVET_REASON_PATTERN] = {"cost as random loads", "as a chase", "random loads", "a chase"},
    [SERVET_REASON_RISE] = {"times its plateau", "needed", "a cache", "no cache"},
    [SERVET_REASON_JOIN] = {"octaves from the step before", "one boundary below", "",
                            "a part of it"},
    [SERVET_REASON_ANOTHER] = {"cost that one more step would save", "needed", "", "not taken"},
    [SERVET_REASON_TURNOVER] = {"times as far at other rates", "needed", "turned over", ""},
};

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

static void print_size(const servet_reason *reason)
{
    printf("cost +%-8.3g prior %-5.2g share %5.1f %%%s  [%s %.3g]\n", reason->value, reason->prior,
           100 * reason->share, reason->accepted ? "  said" : "", reason->rule, reason->limit);
}

static void print_other(const servet_reason *reason)
{
    const struct phrase *phrase = &phrases[reason->kind];
    printf("%s: %.3g, %s: %.3g: %s  [%s]\n", phrase->value, reason->value, phrase->limit,
           reason->limit, reason->accepted ? phrase->yes : phrase->no, reason->rule);
}

void explain_cache_print(const servet_explanation *explanation)
{
    puts("why (the names in brackets are those of detection.md)");
    for (size_t i = 0; i < explanation->n; i++) {
        const servet_reason *reason = &explanation->reason[i];
        print_head(reason);
        if (reason->kind == SERVET_REASON_CAPACITY)
            print_size(reason);
        else
            print_other(reason);
    }
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *reason_json(const servet_reason *reason)
{
    json_t *json = json_pack("{s:s, s:i, s:o, s:o, s:o, s:s, s:b}", "about",
                             servet_reason_kind_name(reason->kind), "level", reason->level, "bytes",
                             json_integer((json_int_t)llround(reason->bytes)), "value",
                             number(reason->value), "limit", number(reason->limit), "rule",
                             reason->rule, "accepted", reason->accepted);
    if (json && reason->kind == SERVET_REASON_CAPACITY) {
        json_object_set_new(json, "prior", number(reason->prior));
        json_object_set_new(json, "share", number(reason->share));
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
