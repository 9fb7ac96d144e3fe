/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/explain_cache.h"

#include <math.h>
#include <stdio.h>

#include "core/human.h"
#include "servet/explain.h"

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
        printf(" %.3g", reason->limit);
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
