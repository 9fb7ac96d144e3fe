/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/grow.h"
#include "core/names.h"
#include "core/utf8.h"

SRV_NAMES(servet_topic_name, servet_topic, SERVET_TOPIC_LIST)
SRV_NAMES(servet_outcome_name, servet_outcome, SERVET_OUTCOME_LIST)

void servet_findings_free(servet_findings *findings)
{
    if (!findings)
        return;
    free(findings->finding);
    *findings = (servet_findings)SERVET_FINDINGS_INIT;
}

SRV_PRINTF(3, 0)
static void add(const srv_account *on, servet_finding finding, const char *format, va_list args)
{
    servet_findings *list = on->to;
    if (list->code != SERVET_OK)
        return;
    servet_finding *grown = srv_grow(list->finding, list->n, sizeof *grown);
    if (!grown) {
        list->code = SERVET_EMEMORY;
        return;
    }
    list->finding = grown;
    finding.topic = on->topic;
    finding.level = on->level;
    snprintf(finding.cores, sizeof finding.cores, "%s", on->cores);
    srv_utf8_mark_cut(finding.text, sizeof finding.text,
                      vsnprintf(finding.text, sizeof finding.text, format, args));
    list->finding[list->n++] = finding;
}

void srv_note(const srv_account *on, const char *format, ...)
{
    va_list args;
    if (!on->to)
        return;
    va_start(args, format);
    add(on, (servet_finding){.value = NAN, .limit = NAN, .outcome = SERVET_OUTCOME_SEEN}, format,
        args);
    va_end(args);
}

void srv_note_rule(const srv_account *on, srv_rule rule, const char *format, ...)
{
    va_list args;
    if (!on->to)
        return;
    servet_finding finding = {
        .value = rule.value,
        .limit = rule.limit,
        .rule = rule.name,
        .outcome = rule.outcome,
    };
    va_start(args, format);
    add(on, finding, format, args);
    va_end(args);
}

servet_outcome srv_outcome(bool accepted)
{
    return accepted ? SERVET_OUTCOME_ACCEPTED : SERVET_OUTCOME_REJECTED;
}

const char *srv_size_text(double bytes, char text[SRV_SIZE_TEXT_MAX])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; unit < 3 && bytes >= 1024; unit++)
        bytes /= 1024;
    snprintf(text, SRV_SIZE_TEXT_MAX, "%.4g %s", bytes, units[unit]);
    return text;
}

int srv_findings_check(const servet_findings *findings, servet_error *error)
{
    return findings && findings->code != SERVET_OK ? srv_fail_memory(error) : SERVET_OK;
}
