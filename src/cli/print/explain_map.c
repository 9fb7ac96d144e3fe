/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/explain_map.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/report/text.h"
#include "core/human.h"

enum { CELL_MAX = 64 };

/* The predictions for Servet's placement and the scheduler's placements, by their order. */
typedef struct explanation {
    const servet_map_request *request;
    explain_program program;
    servet_map_cost cost[SERVET_ORDER_COUNT];
    double speed[SERVET_ORDER_COUNT];              /* of the slowest core of a process */
    char limit_host[SERVET_ORDER_COUNT][CELL_MAX]; /* host of the node that limits the messages */
    servet_map_idle idle[SERVET_RESOURCE_COUNT];   /* for Servet's placement; per_node 0: unknown */
} explanation;

/* --- predictions ------------------------------------------------------------------------------ */

/* Notes the speed of the slowest core, and the host that limits the messages. */
static void note_processes(explanation *on, servet_order order, const servet_map *map)
{
    const servet_map_cost *cost = &on->cost[order];
    servet_map_process process;
    on->speed[order] = 1;
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++) {
        on->speed[order] = fmin(on->speed[order], process.speed);
        if (cost->limit == SERVET_LIMIT_NODE && process.node == cost->limit_at)
            snprintf(on->limit_host[order], CELL_MAX, "%s", process.host);
    }
}

/* Finds whether cores should stay idle; missing facts are not an error. Errors: SERVET_EMEMORY. */
static int find_idle(explanation *on, const servet_map *map, const servet_profile *profile,
                     servet_error *error)
{
    for (int r = 0; r < SERVET_RESOURCE_COUNT; r++) {
        int code = servet_map_idle_get(map, profile, (servet_resource)r, &on->idle[r]);
        if (code == SERVET_EMEMORY)
            return cli_fail_memory(error);
        if (code != SERVET_OK)
            on->idle[r].per_node = 0;
    }
    return SERVET_OK;
}

static int explain_order(explanation *on, const servet_profile *profile, servet_order order,
                         servet_error *error)
{
    servet_map *map;
    servet_map_request request = *on->request;
    request.order = order;
    int code = servet_map_create(&map, profile, &request, error);
    if (code != SERVET_OK)
        return code;
    code = servet_map_predict(map, profile, request.traffic, &on->cost[order], error);
    if (code == SERVET_OK)
        note_processes(on, order, map);
    if (code == SERVET_OK && order == SERVET_ORDER_SERVET)
        code = find_idle(on, map, profile, error);
    servet_map_destroy(map);
    return code;
}

/* --- a table for people ----------------------------------------------------------------------- */

static void number(double value, double unit, char text[CELL_MAX])
{
    human_digits(value / unit, 4, text);
}

static void nodes(const explanation *on, int order, char text[CELL_MAX])
{
    snprintf(text, CELL_MAX, "%d", on->cost[order].nodes);
}

static void per_node(const explanation *on, int order, char text[CELL_MAX])
{
    snprintf(text, CELL_MAX, "%d", on->cost[order].per_node);
}

static void microseconds(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].seconds, 1e-6, text);
}

static void work(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].work, 1e-6, text);
}

/* Returns the duration of a step: processes send nothing while they compute, and wait for the one
 * on the slowest core. */
static double step_seconds(const explanation *on, int order)
{
    return on->program.computing / on->speed[order] + on->cost[order].seconds;
}

static void step(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->program.computing > 0 ? step_seconds(on, order) : NAN, 1e-6, text);
}

static void limit(const explanation *on, int order, char text[CELL_MAX])
{
    const servet_map_cost *cost = &on->cost[order];
    const char *name = servet_limit_name(cost->limit);
    if (cost->limit == SERVET_LIMIT_NONE)
        snprintf(text, CELL_MAX, "%s", report_unknown);
    else if (cost->limit == SERVET_LIMIT_NODE)
        snprintf(text, CELL_MAX, "%s %.40s", name, on->limit_host[order]);
    else
        snprintf(text, CELL_MAX, "%s %d", name, cost->limit_at);
}

static void cache_pairs(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].cache_pairs, 1, text);
}

static void memory_pairs(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].memory_pairs, 1, text);
}

static void latency(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].latency, 1e-6, text);
}

static void access_ratio(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].access_ratio, 1, text);
}

static void speed(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->speed[order], 1, text);
}

static void memory(const explanation *on, int order, char text[CELL_MAX])
{
    number(on->cost[order].memory, 1e9, text);
}

static void trusted(const explanation *on, int order, char text[CELL_MAX])
{
    snprintf(text, CELL_MAX, "%s", on->cost[order].trusted ? "yes" : "no");
}

static const struct row {
    const char *label;
    void (*cell)(const explanation *on, int order, char text[CELL_MAX]);
} rows[] = {
    {"nodes", nodes},
    {"processes of a node, at most", per_node},
    {"all messages at once, us", microseconds},
    {"  they wait for", limit},
    {"with computing, us", step},
    {"each alone, added up, us", work},
    {"rule 1: pairs that share a cache", cache_pairs},
    {"rule 2: pairs slow in memory", memory_pairs},
    {"rule 3: mean latency of pairs, us", latency},
    {"rule 4: ratNC of a node", access_ratio},
    {"rule 5: speed of the slowest core", speed},
    {"copies of the slowest, GB/s", memory},
    {"from trusted facts only", trusted},
};

static void print_table(const explanation *on)
{
    char text[CELL_MAX];
    printf("%-34s", "");
    for (int order = 0; order < SERVET_ORDER_COUNT; order++)
        printf("  %12s", servet_order_name((servet_order)order));
    putchar('\n');
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        printf("%-34s", rows[r].label);
        for (int order = 0; order < SERVET_ORDER_COUNT; order++) {
            rows[r].cell(on, order, text);
            printf("  %12s", text);
        }
        putchar('\n');
    }
}

/* --- in words --------------------------------------------------------------------------------- */

static void print_head(const explanation *on)
{
    const servet_map_request *request = on->request;
    printf("%d process%s of %d thread%s, limited by %s; messages: %s\n\n", request->processes,
           request->processes == 1 ? "" : "es", request->threads, report_plural(request->threads),
           servet_code_name(request->code), on->program.messages);
}

/* A ratio that differs from 1 by less would be printed as 1. */
static const double same = 0.005;

/* Returns the prefix of lines that depend on facts that are not trusted. */
static const char *doubt(bool is_trusted)
{
    return is_trusted ? "" : "(not trusted) ";
}

static void print_gain(const explanation *on, servet_order order)
{
    const char *before = doubt(on->cost[order].trusted && on->cost[SERVET_ORDER_SERVET].trusted);
    const char *what = on->program.computing > 0 ? "a step takes" : "messages take";
    double gain = step_seconds(on, order) / step_seconds(on, SERVET_ORDER_SERVET);
    if (!isfinite(gain))
        return;
    char times[CELL_MAX];
    human_digits(gain, 3, times);
    if (fabs(gain - 1) < same)
        printf("%spredicted: %s as long in %s order\n", before, what, servet_order_name(order));
    else
        printf("%spredicted: %s %s times as long in %s order\n", before, what, times,
               servet_order_name(order));
}

static void print_idle(const explanation *on, servet_resource resource)
{
    const servet_map_idle *idle = &on->idle[resource];
    int per_node_now = on->cost[SERVET_ORDER_SERVET].per_node;
    if (idle->per_node == 0)
        return;
    if (idle->per_node == per_node_now)
        printf("%s%s: leaving cores idle gains nothing\n", doubt(idle->trusted),
               servet_resource_name(resource));
    else
        printf("%s%s: %d process%s per node instead of %d get %s times the total bandwidth, "
               "%s times per process\n",
               doubt(idle->trusted), servet_resource_name(resource), idle->per_node,
               idle->per_node == 1 ? "" : "es", per_node_now, HUMAN(idle->gain, 3),
               HUMAN(idle->each, 3));
}

static void print_text(const explanation *on)
{
    print_head(on);
    print_table(on);
    putchar('\n');
    print_gain(on, SERVET_ORDER_BLOCK);
    print_gain(on, SERVET_ORDER_CYCLIC);
    for (int r = 0; r < SERVET_RESOURCE_COUNT; r++)
        print_idle(on, (servet_resource)r);
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *cost_json(const explanation *on, int order)
{
    const servet_map_cost *cost = &on->cost[order];
    json_t *at = cost->limit == SERVET_LIMIT_NONE   ? json_null()
                 : cost->limit == SERVET_LIMIT_NODE ? json_string(on->limit_host[order])
                                                    : json_integer(cost->limit_at);
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:b}",
                     "order", servet_order_name((servet_order)order), "nodes", cost->nodes,
                     "per_node", cost->per_node, "seconds", real(cost->seconds), "step",
                     real(step_seconds(on, order)), "limit", servet_limit_name(cost->limit),
                     "limit_at", at, "work", real(cost->work), "cache_pairs",
                     real(cost->cache_pairs), "memory_pairs", real(cost->memory_pairs), "latency",
                     real(cost->latency), "access_ratio", real(cost->access_ratio), "speed",
                     on->speed[order], "memory", real(cost->memory), "trusted", cost->trusted);
}

static json_t *idle_json(const explanation *on, int resource)
{
    const servet_map_idle *idle = &on->idle[resource];
    return json_pack("{s:s, s:i, s:f, s:f, s:b}", "resource",
                     servet_resource_name((servet_resource)resource), "per_node", idle->per_node,
                     "gain", idle->gain, "each", idle->each, "trusted", idle->trusted);
}

static int print_json(const explanation *on, servet_error *error)
{
    json_t *placements = json_array(), *idle = json_array();
    for (int order = 0; order < SERVET_ORDER_COUNT; order++)
        json_array_append_new(placements, cost_json(on, order));
    for (int r = 0; r < SERVET_RESOURCE_COUNT; r++)
        if (on->idle[r].per_node > 0)
            json_array_append_new(idle, idle_json(on, r));
    json_t *json =
        json_pack("{s:i, s:i, s:s, s:s, s:f, s:o, s:o}", "processes", on->request->processes,
                  "threads", on->request->threads, "class", servet_code_name(on->request->code),
                  "messages", on->program.messages, "computing", on->program.computing,
                  "placements", placements, "idle", idle);
    return cli_print_json(json, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) ? SERVET_OK
                                                                         : cli_fail_memory(error);
}

int explain_map(const servet_profile *profile, const servet_map_request *request,
                const explain_program *program, bool json, servet_error *error)
{
    explanation on = {.request = request, .program = *program};
    if (!program->messages)
        on.program.messages = "unknown (all-to-all assumed)";
    int code = SERVET_OK;
    for (int order = 0; order < SERVET_ORDER_COUNT && code == SERVET_OK; order++)
        code = explain_order(&on, profile, (servet_order)order, error);
    if (code != SERVET_OK)
        return code;
    if (json)
        return print_json(&on, error);
    print_text(&on);
    return SERVET_OK;
}
