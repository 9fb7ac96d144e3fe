/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/explain_findings.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "core/error.h"
#include "core/human.h"
#include "core/memory_stream.h"
#include "servet/record.h"

/* --- for people ------------------------------------------------------------------------------- */

static const struct heading {
    const char *level, *none; /* "%d" stands for the level */
} headings[SERVET_TOPIC_COUNT] = {
    [SERVET_TOPIC_STRIDES] = {"lines at a stride (L%d)", "lines at a stride"},
    [SERVET_TOPIC_PAGES] = {"pages that evict each other (L%d)", "pages that evict each other"},
    [SERVET_TOPIC_CURVE] = {"latency curve, L%d", "latency curve, no level"},
    [SERVET_TOPIC_JOIN] = {"L%d of the profile", "removed levels"},
    [SERVET_TOPIC_SHARING] = {"sharing of L%d", "sharing of caches"},
    [SERVET_TOPIC_LINE] = {"line of L%d", "coherence block"},
};

static void print_heading(const servet_finding *finding)
{
    const struct heading *heading = &headings[finding->topic];
    if (finding->level > 0) {
        const char *rest = strstr(heading->level, "%d");
        printf("\n%.*s%d%s, cores %s\n", (int)(rest - heading->level), heading->level,
               finding->level, rest + 2, finding->cores);
    } else
        printf("\n%s, cores %s\n", heading->none, finding->cores);
}

/* Prints the rule and its numbers, except for a finding about the curve, which has them in its
 * text. */
static void print_rule(const servet_finding *finding)
{
    if (!finding->rule)
        return;
    if (finding->topic == SERVET_TOPIC_CURVE || isnan(finding->value))
        printf("  [%s]", finding->rule);
    else
        printf(": %s  [%s %s]", HUMAN(finding->value, 3), finding->rule, HUMAN(finding->limit, 3));
}

static void print_finding(const servet_finding *finding)
{
    static const char marks[SERVET_OUTCOME_COUNT] = {[SERVET_OUTCOME_SEEN] = ' ',
                                                     [SERVET_OUTCOME_ACCEPTED] = '+',
                                                     [SERVET_OUTCOME_REJECTED] = '-'};
    printf("  %c %s", marks[finding->outcome], finding->text);
    print_rule(finding);
    putchar('\n');
}

/* Prints those of the findings first..last-1 that are about the level. */
static void print_level(const servet_findings *findings, size_t first, size_t last, int level)
{
    bool begun = false;
    for (size_t i = first; i < last; i++) {
        const servet_finding *finding = &findings->finding[i];
        if (finding->level != level)
            continue;
        if (!begun)
            print_heading(finding);
        begun = true;
        print_finding(finding);
    }
}

/* Returns the end of the findings from `first` on that have the same topic and cores; stores their
 * last level in `*levels`. */
static size_t end_of_topic(const servet_findings *findings, size_t first, int *levels)
{
    const servet_finding *one = &findings->finding[first];
    size_t i = first;
    for (*levels = 0; i < findings->n; i++) {
        const servet_finding *other = &findings->finding[i];
        if (other->topic != one->topic || strcmp(other->cores, one->cores) != 0)
            break;
        *levels = other->level > *levels ? other->level : *levels;
    }
    return i;
}

/* Prints the findings level by level, then those without a level. */
void explain_findings_print(const servet_findings *findings)
{
    int levels;
    puts(findings->n > 0
             ? "\nexplanation (+ accepted, - rejected; names in brackets: see detection.md)"
             : "\nexplanation: no reasons were recorded");
    for (size_t first = 0, last; first < findings->n; first = last) {
        last = end_of_topic(findings, first, &levels);
        for (int level = 1; level <= levels; level++)
            print_level(findings, first, last, level);
        print_level(findings, first, last, 0);
    }
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *finding_json(const servet_finding *finding)
{
    return json_pack("{s:s, s:s, s:i, s:s, s:o, s:o, s:s?, s:s}", "about",
                     servet_topic_name(finding->topic), "cores", finding->cores, "level",
                     finding->level, "text", finding->text, "value",
                     cli_json_number(finding->value), "limit", cli_json_number(finding->limit),
                     "rule", finding->rule, "outcome", servet_outcome_name(finding->outcome));
}

static json_t *list_json(const servet_findings *findings)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < findings->n; i++)
        if (json_array_append_new(list, finding_json(&findings->finding[i]))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* Writes the profile as a text, which the caller frees. */
static int write_text(const servet_profile *profile, char **text, servet_error *error)
{
    srv_memory_stream memory;
    *text = NULL;
    if (!srv_memory_stream_open(&memory))
        return SERVET_EMEMORY;
    int code = servet_profile_dump(profile, memory.stream, error);
    return srv_memory_stream_close(&memory, text, NULL) ? code : SERVET_EMEMORY;
}

/* Prints the text of a profile, with the list before its last brace. Returns false without memory;
 * cli_finish_output() reports errors of writing. */
static bool print_both(char *text, json_t *list)
{
    size_t end = strlen(text);
    while (end > 0 && strchr("} \n", text[end - 1]))
        end--;
    printf("%.*s,\n  \"explanation\": ", (int)end, text);
    bool printed = json_dumpf(list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0;
    puts("\n}");
    return printed || ferror(stdout);
}

int explain_findings_dump(const servet_profile *profile, const servet_findings *findings,
                          servet_error *error)
{
    char *text;
    int code = write_text(profile, &text, error);
    json_t *list = code == SERVET_OK ? list_json(findings) : NULL;
    if (code == SERVET_OK && !(list && print_both(text, list)))
        code = SERVET_EMEMORY;
    if (code != SERVET_OK && error->code == SERVET_OK)
        code = srv_fail_memory(error);
    json_decref(list);
    free(text);
    return code;
}
