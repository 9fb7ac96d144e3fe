/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analyze/folder.h"
#include "cli/analyze/layers.h"
#include "cli/analyze/tables.h"
#include "cli/print/explain_cache.h"
#include "cli/report/text.h"
#include "core/human.h"
#include "core/units.h"
#include "servet/analyze.h"
#include "servet/measure.h"

typedef struct analyze_arguments {
    const char *operands[CLI_OPERANDS_MAX]; /* the kind of analysis, the file */
    bool json, explain;
    const char *pages, *independent, *rates[CLI_TEXTS_MAX], *unit;
    int method;
    double page_bytes, line_bytes, base_latency;
    long long votes;
} analyze_arguments;

static const analyze_arguments defaults = {
    .method = SERVET_APPROACH_DEFAULT, .page_bytes = 4096, .line_bytes = 64, .votes = 5};

/* --- contents of the files -------------------------------------------------------------------- */

static_assert((int)CLI_TEXTS_MAX <= (int)SERVET_RATES_MAX, "every --rate has its curve");

/* The curves named on the command line; the other ones stay empty. */
typedef struct curve_set {
    servet_curve lines, pages, independent, rates[SERVET_RATES_MAX];
} curve_set;

static servet_printed printed_of(const analyze_arguments *arguments)
{
    return (servet_printed){arguments->unit, arguments->base_latency / HUMAN_NS};
}

static int read_curves(const analyze_arguments *arguments, curve_set *curves, servet_error *error)
{
    const servet_printed printed = printed_of(arguments);
    int code = servet_curve_read_printed(arguments->operands[1], &printed, &curves->lines, error);
    if (code == SERVET_OK && arguments->pages)
        code = servet_curve_read(arguments->pages, &curves->pages, error);
    if (code == SERVET_OK && arguments->independent)
        code = servet_curve_read(arguments->independent, &curves->independent, error);
    for (int i = 0; i < CLI_TEXTS_MAX && arguments->rates[i] && code == SERVET_OK; i++)
        code = servet_curve_read(arguments->rates[i], &curves->rates[i], error);
    return code;
}

static void free_curves(curve_set *curves)
{
    servet_curve_free(&curves->lines);
    servet_curve_free(&curves->pages);
    servet_curve_free(&curves->independent);
    for (int i = 0; i < SERVET_RATES_MAX; i++)
        servet_curve_free(&curves->rates[i]);
}

static int as_default(const analyze_arguments *arguments, const curve_set *curves,
                      servet_cache_analysis *analysis, servet_explanation *explanation,
                      servet_error *error)
{
    servet_cache_evidence evidence = {
        .lines = &curves->lines,
        .pages = curves->pages.n ? &curves->pages : NULL,
        .independent = curves->independent.n ? &curves->independent : NULL,
        .page_bytes = arguments->page_bytes,
        .line_bytes = arguments->line_bytes,
    };
    for (int i = 0; i < SERVET_RATES_MAX; i++)
        if (curves->rates[i].n)
            evidence.rates[evidence.rate_count++] = &curves->rates[i];
    return servet_explain_cache(&evidence, analysis, explanation, error);
}

static int as_servet2010(const analyze_arguments *arguments, const curve_set *curves,
                         servet_cache_analysis *analysis, servet_explanation *explanation,
                         servet_error *error)
{
    (void)explanation;
    servet_2010_options options = {.page_bytes = arguments->page_bytes,
                                   .votes = (int)arguments->votes};
    return servet_analyze_cache_2010(&curves->lines, &options, analysis, error);
}

/* Converts a time of a curve, in seconds or cycles, to the unit of people: ns or cycles. */
static double amount(const servet_value *value, double number)
{
    return value->unit == SERVET_UNIT_SECOND ? number * HUMAN_NS : number;
}

static const char *unit_of(const servet_value *value)
{
    return value->unit == SERVET_UNIT_SECOND ? "ns" : servet_unit_symbol(value->unit);
}

/* --- for programs ----------------------------------------------------------------------------- */

/* Returns whole bytes as JSON; numbers that a double cannot represent exactly become null. */
static json_t *bytes_json(double bytes)
{
    return bytes < 0x1p53 ? json_integer((json_int_t)llround(bytes)) : json_real(bytes);
}

/* The reasons why a size is not trusted, by its method. */
static const struct doubt {
    servet_method method;
    const char *reason;
} doubts[] = {
    {SERVET_METHOD_CURVE_FIT, "other sizes explain the curve about as well"},
    {SERVET_METHOD_TURNOVER, "other users replace lines: this size is reachable"},
    {SERVET_METHOD_SERVET2010, "the curve still rises at its end"},
    {SERVET_METHOD_SERVET2010_STEP, "the curve still rises at its end"},
};

/* Returns the reason why a size is not trusted; NULL if it is. */
static const char *doubt_of(const servet_value *bytes)
{
    for (size_t i = 0; !bytes->trusted && i < sizeof doubts / sizeof *doubts; i++)
        if (doubts[i].method == bytes->method)
            return doubts[i].reason;
    return NULL;
}

static json_t *level_json(const servet_cache_level *level)
{
    const servet_value *latency = &level->latency;
    return json_pack(
        "{s:i, s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:s, s:f, s:b, s:s?}", "level", level->level,
        "kind", servet_cache_kind_name(level->kind), "bytes", bytes_json(level->bytes.value), "low",
        bytes_json(level->bytes.low), "high", bytes_json(level->bytes.high), "reachable_bytes",
        bytes_json(level->reachable_bytes), "latency", amount(latency, latency->value),
        "latency_low", amount(latency, latency->low), "latency_high",
        amount(latency, latency->high), "unit", unit_of(latency), "confidence", level->confidence,
        "trusted", level->bytes.trusted, "reason", doubt_of(&level->bytes));
}

static json_t *tlb_json(const servet_tlb_step *step)
{
    return json_pack("{s:o, s:o, s:o, s:f, s:s}", "bytes", bytes_json(step->bytes.value), "low",
                     bytes_json(step->bytes.low), "high", bytes_json(step->bytes.high), "penalty",
                     amount(&step->penalty, step->penalty.value), "unit", unit_of(&step->penalty));
}

static json_t *latency_json(const servet_value *value, double number)
{
    return servet_value_known(value) ? json_real(amount(value, number)) : json_null();
}

static json_t *analysis_json(const servet_cache_analysis *analysis)
{
    json_t *levels = json_array(), *tlb = json_array();
    for (int i = 0; i < analysis->level_count; i++)
        json_array_append_new(levels, level_json(&analysis->level[i]));
    for (int i = 0; i < analysis->tlb_count; i++)
        json_array_append_new(tlb, tlb_json(&analysis->tlb[i]));
    const servet_value *memory = &analysis->memory_latency;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "levels", levels, "tlb", tlb, "memory_latency",
                     memory->trusted ? latency_json(memory, memory->value) : json_null(),
                     "memory_latency_low", latency_json(memory, memory->low), "memory_latency_high",
                     latency_json(memory, memory->high));
}

static int print_json(const analyze_arguments *arguments, const servet_cache_analysis *analysis,
                      const servet_explanation *explanation)
{
    json_t *json = analysis_json(analysis);
    if (json && json_object_set_new(json, "left_out", explain_cache_left_out_json(explanation))) {
        json_decref(json);
        json = NULL;
    }
    if (json && arguments->explain &&
        json_object_set_new(json, "explanation", explain_cache_json(explanation))) {
        json_decref(json);
        json = NULL;
    }
    return cli_finish_json(json, JSON_INDENT(2));
}

/* --- for people ------------------------------------------------------------------------------- */

static void print_level(const servet_cache_level *level)
{
    char bytes[HUMAN_MAX], interval[HUMAN_MAX];
    human_bytes(level->bytes.value, bytes);
    human_interval(level->bytes.low, level->bytes.high, interval);
    printf("L%d  %10s  %-22s  %8s %-6s  %3.0f %%%s\n", level->level, bytes, interval,
           HUMAN(amount(&level->latency, level->latency.value), 4), unit_of(&level->latency),
           100 * level->confidence,
           level->kind == SERVET_CACHE_TURNOVER
               ? "  reachable, not the size: other users replace lines"
               : "");
}

static void print_tlb(const servet_tlb_step *step)
{
    char bytes[HUMAN_MAX], interval[HUMAN_MAX];
    human_bytes(step->bytes.value, bytes);
    human_interval(step->bytes.low, step->bytes.high, interval);
    printf("TLB %10s  %-22s  +%7s %s\n", bytes, interval,
           HUMAN(amount(&step->penalty, step->penalty.value), 3), unit_of(&step->penalty));
}

/* Prints the latency of memory. If the curve still rises behind the last level, the latency may lie
 * anywhere between that plateau and the end of the curve. */
static void print_memory(const servet_value *memory)
{
    if (!servet_value_known(memory))
        return;
    if (memory->trusted)
        printf("mem  %10s  %-22s  %8s %s\n", "", "", HUMAN(amount(memory, memory->value), 4),
               unit_of(memory));
    else
        printf("mem  %10s  %-22s  %s to %s %s: not determined\n", "", "",
               HUMAN(amount(memory, memory->low), 4), HUMAN(amount(memory, memory->high), 4),
               unit_of(memory));
}

static int print_table(const analyze_arguments *arguments, const servet_cache_analysis *analysis,
                       const servet_explanation *explanation)
{
    if (analysis->level_count == 0)
        puts("no cache level visible in this curve");
    else
        printf("%-3s  %10s  %-22s  %8s %-6s  %s\n", "", "size", "interval", "latency", "",
               "confidence");
    for (int i = 0; i < analysis->level_count; i++)
        print_level(&analysis->level[i]);
    print_memory(&analysis->memory_latency);
    for (int i = 0; i < analysis->tlb_count; i++)
        print_tlb(&analysis->tlb[i]);
    explain_cache_print_left_out(explanation);
    if (arguments->explain)
        explain_cache_print(explanation);
    return cli_finish_output();
}

/* --- the command ------------------------------------------------------------------------------ */

static int analyze_cache(const analyze_arguments *arguments)
{
    bool papers = arguments->method == SERVET_APPROACH_SERVET2010;
    curve_set curves = {
        SERVET_CURVE_INIT, SERVET_CURVE_INIT, SERVET_CURVE_INIT, {SERVET_CURVE_INIT}};
    servet_cache_analysis analysis;
    servet_explanation explanation = SERVET_EXPLANATION_INIT;
    servet_error error = SERVET_ERROR_INIT;
    if (arguments->explain && papers)
        return cli_usage_error("--explain needs --method default");
    int code = read_curves(arguments, &curves, &error);
    if (code == SERVET_OK)
        code = (papers ? as_servet2010 : as_default)(arguments, &curves, &analysis, &explanation,
                                                     &error);
    free_curves(&curves);
    int status =
        code != SERVET_OK
            ? analyze_failed(arguments->operands[1], &error)
            : (arguments->json ? print_json : print_table)(arguments, &analysis, &explanation);
    servet_explanation_free(&explanation);
    return status;
}

static int analyze_matrix(const analyze_arguments *arguments)
{
    return analyze_layers(arguments->operands[1], arguments->json);
}

static int analyze_load(const analyze_arguments *arguments)
{
    return analyze_loaded(arguments->operands[1], arguments->json);
}

static int analyze_bandwidths(const analyze_arguments *arguments)
{
    return analyze_scaling(arguments->operands[1], arguments->unit, arguments->json);
}

static int analyze_times(const analyze_arguments *arguments)
{
    const servet_printed printed = printed_of(arguments);
    return analyze_messages(arguments->operands[1], &printed, arguments->json);
}

/* Analyzes a measurement again; the recording has its options. */
static int analyze_measurement(const analyze_arguments *arguments)
{
    return analyze_folder(arguments->operands[0], arguments->json, arguments->explain);
}

/* A kind of input, and the options that have an effect on it (NULL: all). */
static const struct kind {
    const char *name;
    int (*run)(const analyze_arguments *arguments);
    const char *options, *help;
} kinds[] = {
    {"cache", analyze_cache, NULL, "find cache levels in a curve"},
    {"layers", analyze_matrix, "json", "find layers in a matrix"},
    {"loaded", analyze_load, "json", "find the knee of latency by bandwidth"},
    {"messages", analyze_times, "unit,json", "find protocols in times of messages"},
    {"scaling", analyze_bandwidths, "unit,json", "find how many cores saturate a bandwidth"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };
static const struct kind folder = {"DIR", analyze_measurement, "json,explain", NULL};

#define FIELD(name) offsetof(analyze_arguments, name)

static const cli_option options[] = {
    {"json", 0, CLI_FLAG, FIELD(json), NULL, "print the result as JSON"},
    {"explain", 0, CLI_FLAG, FIELD(explain), NULL,
     "explain each decision: the evidence and the rule that applied"},
    {"pages", 0, CLI_TEXT, FIELD(pages), "PAGES.csv",
     "curve with one line per page: separates TLB from cache"},
    {"independent", 0, CLI_TEXT, FIELD(independent), "RANDOM.csv",
     "curve of independent random loads: size despite replacement policy"},
    {"rate", 0, CLI_TEXTS, FIELD(rates), "RATE.csv",
     "curve at another load rate, up to four: size or reachable part"},
    {"method", 0, CLI_WORD, FIELD(method), "NAME", "method", .word = servet_approach_name},
    {"votes", 0, CLI_WHOLE, FIELD(votes), "N",
     "servet2010: number of best fits that vote on a size (default: 5)", 1, SERVET_2010_VOTES_MAX},
    {"page-size", 0, CLI_BYTES, FIELD(page_bytes), "BYTES", "page size (default: 4K)", 1,
     SRV_BYTES_MAX},
    {"unit", 0, CLI_TEXT, FIELD(unit), "UNIT",
     "unit of numbers in a file that has none: ns, us, s or cycles, of scaling GB/s for example"},
    {"base-latency", 0, CLI_NUMBER, FIELD(base_latency), "NS",
     "latency of the L1, ns, which tinymembench subtracts", 0, SRV_SECONDS_MAX},
    {"line-size", 0, CLI_BYTES, FIELD(line_bytes), "BYTES",
     "distance between adjacent loads (default: 64)", 1, SRV_BYTES_MAX},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

/* Refuses options that would have no effect: that would be a mistake of the user. */
static int run_kind(const struct kind *kind, const analyze_arguments *arguments)
{
    for (const cli_option *option = options; kind->options && option->name; option++)
        if (cli_is_given(option, arguments, &defaults) &&
            !report_is_listed(kind->options, option->name))
            return cli_usage_error("analyze %s accepts no --%s", kind->name, option->name);
    return kind->run(arguments);
}

static int run(const void *parsed)
{
    const analyze_arguments *arguments = parsed;
    const char *first = arguments->operands[0];
    for (int i = 0; i < KINDS; i++)
        if (strcmp(first, kinds[i].name) == 0)
            return arguments->operands[1] ? run_kind(&kinds[i], arguments)
                                          : cli_usage_error("analyze %s needs a file", first);
    return arguments->operands[1] ? cli_usage_error("analyze: expected cache, layers, loaded, "
                                                    "messages, scaling or a folder, not '%s'",
                                                    first)
                                  : run_kind(&folder, arguments);
}

static bool complete(const char *name)
{
    for (int i = 0; strcmp(name, kinds[0].name) == 0 && i < KINDS; i++)
        cli_candidate(kinds[i].name, kinds[i].help);
    return false;
}

const cli_command command_analyze = {
    .name = "analyze",
    .summary = "analyze what others measured, or a run again",
    .operands =
        "cache CURVE.csv | layers MATRIX.csv | loaded FILE | messages FILE | scaling FILE | DIR",
    .operands_min = 1,
    .operands_max = 2,
    .options = options,
    .size = sizeof(analyze_arguments),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
