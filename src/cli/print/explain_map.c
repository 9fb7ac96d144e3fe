/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/explain_map.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/report/text.h"
#include "core/error.h"
#include "core/human.h"

enum { CELL_MAX = 64 };

/* The prediction for a placement. */
typedef struct prediction {
    servet_map_cost cost;
    double speed;              /* of the slowest core of a process */
    double step;               /* s */
    char limit_host[CELL_MAX]; /* host of the node that limits the messages */
} prediction;

/* The predictions for Servet's placement and the scheduler's placements, by their order. */
typedef struct explanation {
    const servet_map_request *request;
    explain_program program;
    prediction of[SERVET_ORDER_COUNT];
    servet_map_idle idle[SERVET_RESOURCE_COUNT]; /* for Servet's placement; per_node 0: unknown */
} explanation;

/* --- predictions ------------------------------------------------------------------------------ */

/* Notes the speed of the slowest core, the host that limits the messages, and the duration of a
 * step: processes send nothing while they compute, and wait for the one on the slowest core. */
static void note_processes(prediction *of, double computing, const servet_map *map)
{
    servet_map_process process;
    of->speed = 1;
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++) {
        of->speed = fmin(of->speed, process.speed);
        if (of->cost.limit == SERVET_LIMIT_NODE && process.node == of->cost.limit_at)
            snprintf(of->limit_host, CELL_MAX, "%s", process.host);
    }
    of->step = computing / of->speed + of->cost.seconds;
}

/* Finds whether cores should stay idle; missing facts are not an error. Errors: SERVET_EMEMORY. */
static int find_idle(explanation *on, const servet_map *map, const servet_profile *profile,
                     servet_error *error)
{
    for (int r = 0; r < SERVET_RESOURCE_COUNT; r++) {
        int code = servet_map_idle_get(map, profile, (servet_resource)r, &on->idle[r]);
        if (code == SERVET_EMEMORY)
            return srv_fail_memory(error);
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
    code = servet_map_predict(map, profile, request.traffic, &on->of[order].cost, error);
    if (code == SERVET_OK)
        note_processes(&on->of[order], on->program.computing, map);
    if (code == SERVET_OK && order == SERVET_ORDER_SERVET)
        code = find_idle(on, map, profile, error);
    servet_map_destroy(map);
    return code;
}

/* --- rows ------------------------------------------------------------------------------------- */

typedef enum row_type { WHOLE, NUMBER, LIMIT, TRUTH } row_type;

/* A member of a prediction: its text for people, in units of `unit`, and its name in JSON. */
static const struct row {
    const char *label, *name;
    row_type type;
    size_t offset;
    double unit;
} rows[] = {
#define MEMBER(member) offsetof(prediction, member)
    {"nodes", "nodes", WHOLE, MEMBER(cost.nodes), 1},
    {"processes of a node, at most", "per_node", WHOLE, MEMBER(cost.per_node), 1},
    {"all messages at once, us", "seconds", NUMBER, MEMBER(cost.seconds), 1e-6},
    {"  they wait for", "limit", LIMIT, 0, 1},
    {"with computing, us", "step", NUMBER, MEMBER(step), 1e-6},
    {"each alone, added up, us", "work", NUMBER, MEMBER(cost.work), 1e-6},
    {"rule 1: pairs that share a cache", "cache_pairs", NUMBER, MEMBER(cost.cache_pairs), 1},
    {"rule 2: pairs slow in memory", "memory_pairs", NUMBER, MEMBER(cost.memory_pairs), 1},
    {"rule 3: mean latency of pairs, us", "latency", NUMBER, MEMBER(cost.latency), 1e-6},
    {"rule 4: ratNC of a node", "access_ratio", NUMBER, MEMBER(cost.access_ratio), 1},
    {"rule 5: speed of the slowest core", "speed", NUMBER, MEMBER(speed), 1},
    {"copies of the slowest, GB/s", "memory", NUMBER, MEMBER(cost.memory), 1e9},
    {"from trusted facts only", "trusted", TRUTH, MEMBER(cost.trusted), 1},
#undef MEMBER
};
enum { ROWS = sizeof rows / sizeof *rows };

/* --- a table for people ----------------------------------------------------------------------- */

static void print_limit(const prediction *of, char text[CELL_MAX])
{
    const char *name = servet_limit_name(of->cost.limit);
    if (of->cost.limit == SERVET_LIMIT_NONE)
        snprintf(text, CELL_MAX, "%s", report_unknown);
    else if (of->cost.limit == SERVET_LIMIT_NODE)
        snprintf(text, CELL_MAX, "%s %.40s", name, of->limit_host);
    else
        snprintf(text, CELL_MAX, "%s %d", name, of->cost.limit_at);
}

static void print_cell(const prediction *of, const struct row *row, char text[CELL_MAX])
{
    const void *member = (const char *)of + row->offset;
    switch (row->type) {
    case WHOLE:
        snprintf(text, CELL_MAX, "%d", *(const int *)member);
        break;
    case NUMBER:
        human_digits(*(const double *)member / row->unit, 4, text);
        break;
    case LIMIT:
        print_limit(of, text);
        break;
    case TRUTH:
        snprintf(text, CELL_MAX, "%s", *(const bool *)member ? "yes" : "no");
        break;
    }
}

static void print_table(const explanation *on)
{
    char text[CELL_MAX];
    printf("%-34s", "");
    for (int order = 0; order < SERVET_ORDER_COUNT; order++)
        printf("  %12s", servet_order_name((servet_order)order));
    putchar('\n');
    for (int r = 0; r < ROWS; r++) {
        if (rows[r].offset == offsetof(prediction, step) && !(on->program.computing > 0))
            continue;
        printf("%-34s", rows[r].label);
        for (int order = 0; order < SERVET_ORDER_COUNT; order++) {
            print_cell(&on->of[order], &rows[r], text);
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
    const prediction *other = &on->of[order], *ours = &on->of[SERVET_ORDER_SERVET];
    const char *before = doubt(other->cost.trusted && ours->cost.trusted);
    const char *what = on->program.computing > 0 ? "a step takes" : "messages take";
    double gain = other->step / ours->step;
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
    int per_node_now = on->of[SERVET_ORDER_SERVET].cost.per_node;
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

static json_t *limit_at(const prediction *of)
{
    if (of->cost.limit == SERVET_LIMIT_NONE)
        return json_null();
    return of->cost.limit == SERVET_LIMIT_NODE ? json_string(of->limit_host)
                                               : json_integer(of->cost.limit_at);
}

static json_t *cell_json(const prediction *of, const struct row *row)
{
    const void *member = (const char *)of + row->offset;
    switch (row->type) {
    case WHOLE:
        return json_integer(*(const int *)member);
    case LIMIT:
        return json_string(servet_limit_name(of->cost.limit));
    case TRUTH:
        return json_boolean(*(const bool *)member);
    default:
        return cli_json_number(*(const double *)member);
    }
}

static json_t *prediction_json(const prediction *of, servet_order order)
{
    json_t *json = json_pack("{s:s}", "order", servet_order_name(order));
    for (int r = 0; r < ROWS; r++)
        json_object_set_new(json, rows[r].name, cell_json(of, &rows[r]));
    json_object_set_new(json, "limit_at", limit_at(of));
    return json;
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
        json_array_append_new(placements, prediction_json(&on->of[order], (servet_order)order));
    for (int r = 0; r < SERVET_RESOURCE_COUNT; r++)
        if (on->idle[r].per_node > 0)
            json_array_append_new(idle, idle_json(on, r));
    json_t *json =
        json_pack("{s:i, s:i, s:s, s:s, s:f, s:o, s:o}", "processes", on->request->processes,
                  "threads", on->request->threads, "class", servet_code_name(on->request->code),
                  "messages", on->program.messages, "computing", on->program.computing,
                  "placements", placements, "idle", idle);
    return cli_print_json(json, JSON_INDENT(2) | JSON_REAL_PRECISION(6), error);
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
