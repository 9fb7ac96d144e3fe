/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/simulated.h"
#include "pool.h"
#include "report.h"

enum { MACHINES_MAX = 16, TEXT_MAX = FINDINGS_TEXT_MAX };

/* Memory latencies are not known more exactly: data sheets and test reports differ by that much. */
static const double MEMORY_TOLERANCE = 0.15;

/* The papers print shares of the bandwidth in such steps, or bandwidths as exact as that. */
static const double SHARE_TOLERANCE = 0.025;

static const char *const method_names[METHOD_COUNT] = {"servet2010", "default"};

typedef struct inquiry {
    const known_facts *facts;
    bool quick;
    findings found[METHOD_COUNT][MACHINES_MAX];
} inquiry;

static bool is_measured(const inquiry *of, finding_method method)
{
    return !of->quick || method == METHOD_2010;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* How many entries from `first` on are kinds of one model. */
static int kinds_from(const known_facts *facts, int first)
{
    int count = 1;
    while (first + count < facts->machine_count &&
           strcmp(facts->machines[first].model, facts->machines[first + count].model) == 0)
        count++;
    return count;
}

static bool is_first_kind(const known_facts *facts, int index)
{
    return index == 0 ||
           strcmp(facts->machines[index - 1].model, facts->machines[index].model) != 0;
}

static bool has_common(const known_machine *machine)
{
    if (machine->node)
        return true;
    for (int i = 0; i < machine->level_count; i++)
        if (machine->level[i].groups)
            return true;
    return false;
}

static void measure(void *context, int index)
{
    inquiry *of = context;
    finding_method method = (finding_method)(index % METHOD_COUNT);
    int at = index / METHOD_COUNT;
    const known_machine *measured = &of->facts->machines[at];
    findings *found = &of->found[method][at];
    finding_plan plan = {method, measured->max_bytes, !of->quick && has_common(measured)};
    srv_machine *machine;
    if (!is_measured(of, method) || !is_first_kind(of->facts, at))
        return;
    found->code = srv_simulated_create(&machine, measured->model, NULL);
    if (found->code != SERVET_OK)
        return;
    findings_of_kinds(machine, &plan, found, kinds_from(of->facts, at));
    srv_machine_destroy(machine);
}

static void check_models(const known_facts *facts, const char *program)
{
    servet_machine machine;
    for (int i = 0; i < facts->machine_count; i++) {
        servet_error error = SERVET_ERROR_INIT;
        const char *model = facts->machines[i].model;
        if (servet_machine_of_model(model, &machine, &error) == SERVET_OK)
            continue;
        fprintf(stderr, "%s: cannot read the model %s: %s\n", program, model, error.text);
        exit(1);
    }
}

static void check_findings(const inquiry *of, const char *program)
{
    for (int i = 0; i < of->facts->machine_count; i++)
        for (int method = 0; method < METHOD_COUNT; method++) {
            int code = of->found[method][i].code;
            if (code == SERVET_OK)
                continue;
            fprintf(stderr, "%s: %s on %s failed: %s\n", program, method_names[method],
                    of->facts->machines[i].name, servet_error_text(code));
            exit(1);
        }
}

/* --- comparing -------------------------------------------------------------------------------- */

typedef struct table_row {
    const known_machine *machine;
    int level; /* 0: of none */
    const char *fact;
    char expected[TEXT_MAX];
    struct {
        bool measured, holds;
        char text[TEXT_MAX];
    } said[METHOD_COUNT];
} table_row;

static const char *reason_of(const known_facts *facts, const table_row *row, int method)
{
    for (const known_difference *difference = facts->differences;
         difference < facts->differences + facts->difference_count; difference++)
        if (strcmp(difference->name, row->machine->name) == 0 && difference->level == row->level &&
            (int)difference->method == method && strcmp(difference->fact, row->fact) == 0)
            return difference->reason;
    return NULL;
}

static void compare(test_report *out, const known_facts *facts, const table_row *row, int method)
{
    char level[16] = "";
    bool known = reason_of(facts, row, method), holds = row->said[method].holds;
    void (*state)(test_report *, bool, const char *, ...) =
        known && method == METHOD_DEFAULT ? report_goal : report_claim;
    if (row->level > 0)
        snprintf(level, sizeof level, "L%d, ", row->level);
    bool is_bias = known && method == METHOD_2010;
    state(out, is_bias ? !holds : holds, "%s, %s%s by %s: %s%s%s (%s)", row->machine->name, level,
          row->fact, method_names[method], is_bias ? "not " : "", row->expected,
          is_bias ? ", as known" : "", row->said[method].text);
}

static void write_row(test_report *out, const known_facts *facts, const table_row *row)
{
    char level[16] = "";
    if (row->level > 0)
        snprintf(level, sizeof level, "L%d", row->level);
    fprintf(out->section, "| %s | %s | %s | %s | %s | %s |\n", row->machine->name, level, row->fact,
            row->expected, row->said[METHOD_2010].text, row->said[METHOD_DEFAULT].text);
    for (int method = 0; method < METHOD_COUNT; method++)
        if (row->said[method].measured)
            compare(out, facts, row, method);
}

/* --- facts ------------------------------------------------------------------------------------ */

static size_t add_sizes(const findings *found, char *text, size_t used)
{
    char size[32];
    for (int i = 0; i < found->count && used < TEXT_MAX; i++)
        used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s%s", i > 0 ? ", " : ": ",
                                 size_text(found->bytes[i], size, sizeof size));
    return used;
}

static void write_levels(test_report *out, const inquiry *of, int index)
{
    const known_machine *machine = &of->facts->machines[index];
    table_row row = {.machine = machine, .fact = FACT_LEVELS};
    snprintf(row.expected, TEXT_MAX, "%d", machine->level_count);
    for (int method = 0; method < METHOD_COUNT; method++) {
        const findings *found = &of->found[method][index];
        row.said[method].measured = is_measured(of, (finding_method)method);
        row.said[method].holds = found->count == machine->level_count;
        if (row.said[method].measured)
            add_sizes(found, row.said[method].text,
                      (size_t)snprintf(row.said[method].text, TEXT_MAX, "%d", found->count));
    }
    write_row(out, of->facts, &row);
}

static void write_size(test_report *out, const inquiry *of, int index, int level)
{
    const known_machine *machine = &of->facts->machines[index];
    table_row row = {.machine = machine, .level = level, .fact = FACT_SIZE};
    if (machine->level[level - 1].bytes <= 0)
        return;
    size_text(machine->level[level - 1].bytes, row.expected, TEXT_MAX);
    for (int method = 0; method < METHOD_COUNT; method++) {
        const findings *found = &of->found[method][index];
        char *text = row.said[method].text;
        row.said[method].measured = is_measured(of, (finding_method)method);
        if (level <= found->count)
            size_text(found->bytes[level - 1], text, TEXT_MAX);
        else if (row.said[method].measured)
            strcpy(text, "none");
        row.said[method].holds = strcmp(text, row.expected) == 0;
    }
    write_row(out, of->facts, &row);
}

static void write_sharing(test_report *out, const inquiry *of, int index, int level)
{
    const known_machine *machine = &of->facts->machines[index];
    const char *expected = machine->level[level - 1].groups;
    table_row row = {.machine = machine, .level = level, .fact = FACT_SHARING};
    if (!expected || of->quick)
        return;
    snprintf(row.expected, TEXT_MAX, "%s", expected);
    for (int method = 0; method < METHOD_COUNT; method++) {
        const findings *found = &of->found[method][index];
        const char *said = level <= found->count ? found->groups[level - 1] : "none";
        snprintf(row.said[method].text, TEXT_MAX, "%s", said);
        row.said[method].measured = true;
        row.said[method].holds = strcmp(said, expected) == 0;
    }
    write_row(out, of->facts, &row);
}

/* --- what the cores of a node have in common; the papers' cache method knows nothing of it ---- */

static void write_number(test_report *out, const inquiry *of, int index, const char *fact,
                         const char *unit, int expected, int said)
{
    table_row row = {.machine = &of->facts->machines[index], .fact = fact};
    snprintf(row.expected, TEXT_MAX, "%d%s", expected, unit);
    if (said >= 0)
        snprintf(row.said[METHOD_DEFAULT].text, TEXT_MAX, "%d%s", said, unit);
    row.said[METHOD_DEFAULT].measured = true;
    row.said[METHOD_DEFAULT].holds = said == expected;
    write_row(out, of->facts, &row);
}

static void write_overhead(test_report *out, const inquiry *of, int index, int level)
{
    char fact[64];
    const known_overhead *known = &of->facts->machines[index].node->overhead[level];
    const findings *found = &of->found[METHOD_DEFAULT][index];
    table_row row = {.machine = &of->facts->machines[index], .fact = fact};
    bool there = level < found->memory_count && level < FINDINGS_MEMORY_MAX;
    snprintf(fact, sizeof fact, FACT_OVERHEADS ", level %d", level + 1);
    snprintf(row.expected, TEXT_MAX, "%.0f %%: %s", 100 * known->share, known->groups);
    row.said[METHOD_DEFAULT].measured = true;
    if (there)
        snprintf(row.said[METHOD_DEFAULT].text, TEXT_MAX, "%.0f %%: %.480s",
                 100 * found->memory_share[level], found->memory_groups[level]);
    row.said[METHOD_DEFAULT].holds =
        there && fabs(found->memory_share[level] - known->share) <= SHARE_TOLERANCE &&
        strcmp(found->memory_groups[level], known->groups) == 0;
    write_row(out, of->facts, &row);
}

static void write_node(test_report *out, const inquiry *of, int index)
{
    const known_node *node = of->facts->machines[index].node;
    const findings *found = &of->found[METHOD_DEFAULT][index];
    if (!node || of->quick)
        return;
    if (node->block > 0)
        write_number(out, of, index, FACT_BLOCK, " B", node->block, found->block);
    if (node->distances > 0)
        write_number(out, of, index, FACT_DISTANCES, "", node->distances, found->distance_count);
    if (node->overhead_count >= 0)
        write_number(out, of, index, FACT_OVERHEADS ", levels", "", node->overhead_count,
                     found->memory_count);
    for (int level = 0; level < node->overhead_count; level++)
        write_overhead(out, of, index, level);
}

static void write_memory(test_report *out, const inquiry *of, int index)
{
    const known_machine *machine = &of->facts->machines[index];
    table_row row = {.machine = machine, .fact = FACT_MEMORY};
    if (machine->memory_ns <= 0)
        return;
    snprintf(row.expected, TEXT_MAX, "%.0f ns", machine->memory_ns);
    for (int method = 0; method < METHOD_COUNT; method++) {
        double ns = of->found[method][index].memory_ns;
        row.said[method].measured = is_measured(of, (finding_method)method);
        row.said[method].holds = fabs(ns / machine->memory_ns - 1) <= MEMORY_TOLERANCE;
        if (row.said[method].measured)
            snprintf(row.said[method].text, TEXT_MAX, "%.0f ns", ns);
    }
    write_row(out, of->facts, &row);
}

/* The levels that one would read off the curve without the probabilistic algorithm (IPDPS'10,
 * III.A). */
static void write_gradient(test_report *out, const inquiry *of, int index)
{
    const known_machine *machine = &of->facts->machines[index];
    table_row row = {.machine = machine, .level = 2, .fact = "size by the gradient alone"};
    if (!machine->gradient)
        return;
    size_text(MIB(1), row.expected, TEXT_MAX);
    size_text(of->found[METHOD_2010][index].steepest, row.said[METHOD_2010].text, TEXT_MAX);
    row.said[METHOD_2010].measured = true;
    row.said[METHOD_2010].holds = strcmp(row.said[METHOD_2010].text, row.expected) == 0;
    write_row(out, of->facts, &row);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void write_machine(test_report *out, const inquiry *of, int index)
{
    write_levels(out, of, index);
    for (int level = 1; level <= of->facts->machines[index].level_count; level++) {
        write_size(out, of, index, level);
        write_sharing(out, of, index, level);
    }
    write_gradient(out, of, index);
    write_memory(out, of, index);
    write_node(out, of, index);
}

/* The first difference with the reason of difference `i`. */
static int first_with_reason(const known_facts *facts, int i)
{
    int first = 0;
    while (strcmp(facts->differences[first].reason, facts->differences[i].reason) != 0)
        first++;
    return first;
}

static void write_difference(FILE *out, const known_difference *difference)
{
    fprintf(out, "  - %s, ", difference->name);
    if (difference->level > 0)
        fprintf(out, "L%d, ", difference->level);
    fprintf(out, "%s by %s\n", difference->fact, method_names[difference->method]);
}

static void write_differences(FILE *out, const known_facts *facts)
{
    fputs("\nWhere a method differs, by reason:\n\n", out);
    for (int i = 0; i < facts->difference_count; i++) {
        if (first_with_reason(facts, i) != i)
            continue;
        fprintf(out, "- %s:\n", facts->differences[i].reason);
        for (int j = i; j < facts->difference_count; j++)
            if (first_with_reason(facts, j) == i)
                write_difference(out, &facts->differences[j]);
    }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int facts_main(const known_facts *facts, int argc, char **argv)
{
    static inquiry of;
    test_report out;
    int at = report_begin(&out, argc, argv);
    of.facts = facts;
    of.quick = at < argc && strcmp(argv[at], "quick") == 0;
    const int machines = of.quick && at + 1 < argc
                             ? smaller(atoi(argv[at + 1]), facts->machine_count)
                             : facts->machine_count;
    check_models(facts, argv[0]);
    pool_run(machines * METHOD_COUNT, measure, &of);
    check_findings(&of, argv[0]);
    fprintf(out.section,
            "## %s\n\n%s\n\n| machine | level | fact | %s | servet2010 | default |\n"
            "| --- | --- | --- | --- | --- | --- |\n",
            facts->title, facts->text, facts->source);
    for (int i = 0; i < machines; i++)
        write_machine(&out, &of, i);
    write_differences(out.section, facts);
    return report_end(&out);
}
