/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/room.h"
#include "core/units.h"
#include "facts/layers/detect_cost.h"
#include "servet/network.h"
#include "stats/components.h"
#include "stats/interval.h"
#include "stats/robust.h"

/* --- paces ------------------------------------------------------------------------------------ */

/* The median of a column of `count` costs, ascending, without one that is `cost`. */
static double median_without(const double *column, size_t count, double cost)
{
    size_t low = (count - 2) / 2, high = (count - 1) / 2;
    double a = column[low] < cost ? column[low] : column[low + 1];
    double b = column[high] < cost ? column[high] : column[high + 1];
    return (a + b) / 2;
}

/* Compares the costs of a node's partners with the costs of their other partners. */
static void compare_partners(const servet_matrix *matrix, size_t node, srv_paces *found)
{
    size_t n = matrix->n, count = 0;
    for (size_t other = 0; other < n; other++)
        if (other != node)
            found->column[count++] = srv_pair_cost(matrix, node, other);
    srv_sort(found->column, count);
    found->fastest[node] = found->column[0];
    for (size_t other = 0; other < n; other++) {
        double cost = other == node ? NAN : srv_pair_cost(matrix, node, other);
        size_t place = other * (n - 1) + node - (node > other);
        if (other != node)
            found->ratio[place] = cost / median_without(found->column, count, cost);
    }
}

bool srv_paces_find(const servet_matrix *matrix, srv_paces *found)
{
    size_t n = matrix->n;
    *found = (srv_paces){.fastest = calloc(n, sizeof *found->fastest),
                         .column = calloc(n, sizeof *found->column),
                         .ratio = calloc(n * (n - 1), sizeof *found->ratio)};
    if (!found->fastest || !found->column || !found->ratio)
        return false;
    for (size_t i = 0; i < n; i++)
        compare_partners(matrix, i, found);
    memcpy(found->column, found->fastest, n * sizeof *found->column);
    found->usual = srv_spread_of(found->column, n).median;
    return true;
}

void srv_paces_finish(srv_paces *found)
{
    free(found->fastest);
    free(found->column);
    free(found->ratio);
}

servet_value srv_slowness_of(const srv_paces *found, size_t node, size_t n)
{
    double *ratio = found->ratio + node * (n - 1), median = srv_spread_of(ratio, n - 1).median;
    double value = fmin(found->fastest[node] / found->usual, fmax(1, median));
    srv_interval with = srv_interval_of(ratio, n - 1);
    return srv_timed(value, fmin(value, with.low), fmax(value, with.high), (int)n - 1,
                     SERVET_UNIT_NONE);
}

/* Divisor of the ways of an end: at most a third of them may be slow. If a long way joins two parts
 * of a network, one part has most of the nodes, and its nodes are a majority of the ways of those
 * in the other. */
enum { SLOW_SHARE = 3 };

typedef struct search {
    srv_room room;
    const servet_matrix *matrix;
    const int *unit;
    int units;
    int *first, *thing;  /* things of unit u: thing[first[u]..first[u + 1] - 1], ascending */
    servet_matrix costs; /* between units */
    bool *slow;          /* of each unit: with all others */
    double *most;        /* of each unit: the cost of its longest sound way; INFINITY: not known */
    double *work;
    srv_slow_way *ways;
    int most_ways, *count;
} search;

static double cost(const search *on, int a, int b)
{
    return srv_pair_cost(&on->costs, (size_t)a, (size_t)b);
}

static bool are_things(const search *on)
{
    return (size_t)on->units == on->matrix->n;
}

static double median_cost(const search *on, int a, int b)
{
    size_t count = 0;
    for (int i = on->first[a]; i < on->first[a + 1]; i++)
        for (int j = on->first[b]; j < on->first[b + 1]; j++)
            on->work[count++] =
                srv_pair_cost(on->matrix, (size_t)on->thing[i], (size_t)on->thing[j]);
    return srv_spread_of(on->work, count).median;
}

static bool allocate(search *on)
{
    size_t units = (size_t)on->units, things = on->matrix->n;
    on->slow = srv_room_take(&on->room, units, sizeof *on->slow);
    on->most = srv_room_take(&on->room, units, sizeof *on->most);
    on->work =
        srv_room_take(&on->room, are_things(on) ? things : things * things, sizeof *on->work);
    on->first = srv_room_take(&on->room, units + 1, sizeof *on->first);
    on->thing = srv_room_take(&on->room, things, sizeof *on->thing);
    on->costs = *on->matrix;
    if (!are_things(on)) {
        on->costs.n = units;
        on->costs.cost = srv_room_take(&on->room, units * units, sizeof(double));
    }
    return !on->room.failed;
}

static void pick_things(const search *on, int a, int b, int things[2])
{
    double least = INFINITY;
    for (int i = on->first[a]; i < on->first[a + 1]; i++)
        for (int j = on->first[b]; j < on->first[b + 1]; j++) {
            int one = on->thing[i], other = on->thing[j];
            double off =
                fabs(srv_pair_cost(on->matrix, (size_t)one, (size_t)other) - cost(on, a, b));
            if (one != other && off < least) {
                least = off;
                things[0] = one;
                things[1] = other;
            }
        }
}

/* --- ways ------------------------------------------------------------------------------------- */

/* The two units of a way, and of the one that it is compared with. */
static void add(search *on, srv_slow_way way, const int units[2], const int like[2])
{
    if (*on->count == on->most_ways)
        return;
    way.factor = cost(on, units[0], units[1]) / cost(on, like[0], like[1]);
    pick_things(on, units[0], units[1], way.pair);
    pick_things(on, like[0], like[1], way.like);
    on->ways[(*on->count)++] = way;
}

/* The other unit whose messages with it cost most nearly so much. */
static int partner_at(const search *on, int unit, double wanted)
{
    int found = -1;
    for (int other = 0; other < on->units; other++)
        if (other != unit && (found < 0 || fabs(cost(on, unit, other) - wanted) <
                                               fabs(cost(on, unit, found) - wanted)))
            found = other;
    return found;
}

static int usual_unit(const search *on, const srv_paces *paces)
{
    int found = 0;
    for (int unit = 1; unit < on->units; unit++)
        if (fabs(paces->fastest[unit] - paces->usual) < fabs(paces->fastest[found] - paces->usual))
            found = unit;
    return found;
}

/* A switch whose cable to all others is slow, as a node is. */
static int find_slow_units(search *on, servet_error *error)
{
    srv_paces paces = {0};
    bool allocated = srv_paces_find(&on->costs, &paces);
    int usual = allocated ? usual_unit(on, &paces) : 0;
    for (int unit = 0; unit < on->units && allocated; unit++) {
        servet_value slowness = srv_slowness_of(&paces, (size_t)unit, (size_t)on->units);
        on->slow[unit] = slowness.value >= SERVET_SLOW_NODE;
        if (on->slow[unit])
            add(on, (srv_slow_way){.from = unit, .to = -1},
                (int[]){unit, partner_at(on, unit, paces.fastest[unit])},
                (int[]){usual, partner_at(on, usual, paces.fastest[usual])});
    }
    srv_paces_finish(&paces);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}

/* Cost of the longest of a unit's sound ways, the last one below a gap. `*gap`: there is a gap,
 * beyond which only a few ways are. */
static double longest_sound(const search *on, int unit, bool *gap)
{
    size_t count = 0;
    for (int other = 0; other < on->units; other++)
        if (other != unit && !on->slow[other])
            on->work[count++] = cost(on, unit, other);
    srv_sort(on->work, count);
    size_t i = count - count / SLOW_SHARE;
    while (i < count && on->work[i] < SERVET_SLOW_NODE * on->work[i - 1])
        i++;
    *gap = i < count;
    return count > 0 ? on->work[i - 1] : INFINITY;
}

/* Compared with the end whose longest way is shorter: the other may have more slow ones. */
static void find_slow_pairs(search *on)
{
    /* If a unit's longest ways are already slow, its sound ones are not known. */
    bool gap;
    for (int unit = 0; unit < on->units; unit++)
        on->most[unit] = longest_sound(on, unit, &gap);
    memcpy(on->work, on->most, (size_t)on->units * sizeof *on->work);
    double usual = srv_spread_of(on->work, (size_t)on->units).median;
    for (int unit = 0; unit < on->units; unit++) {
        (void)longest_sound(on, unit, &gap);
        if (!gap || on->slow[unit] || on->most[unit] >= SERVET_SLOW_NODE * usual)
            on->most[unit] = INFINITY;
    }
    for (int a = 0; a < on->units; a++)
        for (int b = a + 1; b < on->units && on->most[a] < INFINITY; b++) {
            bool shorter = on->most[b] < on->most[a];
            int like = shorter ? b : a, longer = shorter ? a : b;
            if (cost(on, a, b) >= SERVET_SLOW_NODE * on->most[longer])
                add(on, (srv_slow_way){.from = a, .to = b}, (int[]){a, b},
                    (int[]){like, partner_at(on, like, on->most[like])});
        }
}

int srv_find_slow_ways(const servet_matrix *matrix, const int *unit, int units, srv_slow_way *ways,
                       int most, int *count, servet_error *error)
{
    search on = {.matrix = matrix,
                 .unit = unit,
                 .units = units,
                 .ways = ways,
                 .most_ways = most,
                 .count = count};
    *count = 0;
    if (units < 3)
        return SERVET_OK;
    int code = allocate(&on) ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        srv_components_sort(unit, (int)matrix->n, units, on.first, on.thing);
        for (int a = 0; a < on.units && !are_things(&on); a++)
            for (int b = 0; b < a; b++)
                on.costs.cost[a * on.units + b] = on.costs.cost[b * on.units + a] =
                    median_cost(&on, a, b);
    }
    if (code == SERVET_OK && !are_things(&on))
        code = find_slow_units(&on, error);
    if (code == SERVET_OK)
        find_slow_pairs(&on);
    srv_room_free(&on.room);
    return code;
}
