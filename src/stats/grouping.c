/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/grouping.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/room.h"

enum { NOWHERE = -1 };

typedef struct search {
    srv_room room;
    const srv_groups_plan *plan;
    int *group;          /* group of each item; NOWHERE: not found yet */
    int *representative; /* representative of each group */
    int group_count;
    bool *guessed; /* items that were compared with the representative that the hint suggests */
    bool *marked;  /* groups that are used in this round, or that are candidates */
    srv_couple *couple;
    int *set;
    double *odds;
    servet_error *error;
} search;

static int search_init(search *on)
{
    size_t n = (size_t)on->plan->count;
    on->representative = srv_room_take(&on->room, n, sizeof *on->representative);
    on->guessed = srv_room_take(&on->room, n, sizeof *on->guessed);
    on->marked = srv_room_take(&on->room, n, sizeof *on->marked);
    on->couple = srv_room_take(&on->room, n, sizeof *on->couple);
    on->set = srv_room_take(&on->room, n, sizeof *on->set);
    on->odds = srv_room_take(&on->room, n, sizeof *on->odds);
    if (on->room.failed)
        return srv_fail_memory(on->error);
    for (int i = 0; i < on->plan->count; i++)
        on->group[i] = NOWHERE;
    return SERVET_OK;
}

static void found_group(search *on, int thing)
{
    on->group[thing] = on->group_count;
    on->representative[on->group_count++] = thing;
}

/* Tests the set of the first `n` items: an item that is alone in it founds a group. */
static int screen(search *on, int n)
{
    int code = on->plan->probe_set(on->plan->context, on->set, n, on->odds);
    for (int i = 0; i < n && code == SERVET_OK; i++)
        if (on->odds[i] < 0 && on->group[on->set[i]] == NOWHERE)
            found_group(on, on->set[i]);
    return code;
}

static bool is_first_of_hint(const srv_groups_plan *plan, int thing)
{
    for (int i = 0; i < thing; i++)
        if (plan->hint[i] == plan->hint[thing])
            return false;
    return true;
}

/* Tests whether the first items of probable groups are in different groups. */
static int screen_firsts(search *on)
{
    int n = 0;
    for (int i = 0; i < on->plan->count && on->plan->sets; i++)
        if (is_first_of_hint(on->plan, i))
            on->set[n++] = i;
    int code = n > 1 ? screen(on, n) : SERVET_OK;
    if (code == SERVET_OK && on->group_count == 0)
        found_group(on, 0);
    return code;
}

/* Tests all remaining items and representatives: one that is alone founds a group. */
static int screen_rest(search *on)
{
    int n = 0;
    bool left = false;
    for (int g = 0; g < on->group_count; g++)
        on->set[n++] = on->representative[g];
    for (int i = 0; i < on->plan->count; i++)
        if (on->group[i] == NOWHERE) {
            on->set[n++] = i;
            left = true;
        }
    return left && on->plan->sets ? screen(on, n) : SERVET_OK;
}

/* --- couples ---------------------------------------------------------------------------------- */

/* Returns the group in which an item probably is; NOWHERE: unknown. */
static int guess(const search *on, int thing)
{
    for (int g = 0; g < on->group_count; g++)
        if (on->plan->hint[on->representative[g]] == on->plan->hint[thing])
            return g;
    return NOWHERE;
}

/* Couples items with their guessed representatives, each item once. */
static int couple_guesses(search *on)
{
    int n = 0;
    for (int g = 0; g < on->group_count; g++)
        on->marked[g] = false;
    for (int i = 0; i < on->plan->count; i++) {
        int g = on->group[i] == NOWHERE && !on->guessed[i] ? guess(on, i) : NOWHERE;
        if (g == NOWHERE || on->marked[g])
            continue;
        on->marked[g] = on->guessed[i] = true;
        on->couple[n++] = (srv_couple){on->representative[g], i};
    }
    return n;
}

static int probe(search *on, int n)
{
    int code = on->plan->probe_couples(on->plan->context, on->couple, n, on->odds);
    for (int i = 0; i < n && code == SERVET_OK; i++)
        if (on->odds[i] > 0)
            on->group[on->couple[i].b] = on->group[on->couple[i].a];
    return code;
}

/* Tests the guesses. After the first wrong one, tests once which items are alone. */
static int probe_guesses(search *on)
{
    int code = SERVET_OK;
    bool screened = false, failed = false;
    for (int n; code == SERVET_OK && (n = couple_guesses(on)) > 0;) {
        code = probe(on, n);
        for (int i = 0; i < n && code == SERVET_OK; i++)
            failed = failed || on->odds[i] <= 0;
        if (code == SERVET_OK && failed && !screened) {
            screened = true;
            code = screen_rest(on);
        }
    }
    return code;
}

/* Compares an item with the representatives of the marked groups until its group is found. */
static int probe_marked(search *on, int thing)
{
    int code = SERVET_OK;
    for (int g = 0; g < on->group_count && on->group[thing] == NOWHERE && code == SERVET_OK; g++)
        if (on->marked[g]) {
            on->couple[0] = (srv_couple){on->representative[g], thing};
            code = probe(on, 1);
        }
    return code;
}

/* Marks the groups to which an item may belong: it changes the answer for their representative. */
static int mark_candidates(search *on, int thing)
{
    int n = on->group_count, noticed = 0;
    int tried = on->guessed[thing] ? guess(on, thing) : NOWHERE;
    for (int g = 0; g < n; g++)
        on->marked[g] = g != tried;
    if (!on->plan->sets || n < 2)
        return SERVET_OK;
    for (int g = 0; g < n; g++)
        on->set[g] = on->representative[g];
    on->set[n] = thing;
    int code = on->plan->probe_set(on->plan->context, on->set, n + 1, on->odds);
    if (code != SERVET_OK)
        return code;
    for (int g = 0; g < n; g++)
        noticed += on->odds[g] > 0;
    for (int g = 0; g < n && (noticed || on->odds[n] < 0); g++)
        on->marked[g] = on->odds[g] > 0 && on->odds[n] > 0;
    return SERVET_OK;
}

/* Tests the guess of an item, whose representative may have been found meanwhile. */
static int probe_late_guess(search *on, int thing)
{
    int g = on->guessed[thing] ? NOWHERE : guess(on, thing);
    if (g == NOWHERE)
        return SERVET_OK;
    on->guessed[thing] = true;
    on->couple[0] = (srv_couple){on->representative[g], thing};
    return probe(on, 1);
}

static int place(search *on, int thing)
{
    int code = probe_late_guess(on, thing);
    if (code != SERVET_OK || on->group[thing] != NOWHERE)
        return code;
    code = mark_candidates(on, thing);
    if (code == SERVET_OK)
        code = probe_marked(on, thing);
    if (code == SERVET_OK && on->group[thing] == NOWHERE)
        found_group(on, thing);
    return code;
}

static int number_in_order(search *on)
{
    int count = 0, *number = on->set;
    for (int g = 0; g < on->group_count; g++)
        number[g] = NOWHERE;
    for (int i = 0; i < on->plan->count; i++) {
        int *own = &number[on->group[i]];
        if (*own == NOWHERE)
            *own = count++;
        on->group[i] = *own;
    }
    return count;
}

int srv_bench_groups(const srv_groups_plan *plan, int *group, int *count, servet_error *error)
{
    search on = {.plan = plan, .group = group, .error = error};
    int code = search_init(&on);
    if (code == SERVET_OK)
        code = screen_firsts(&on);
    if (code == SERVET_OK)
        code = probe_guesses(&on);
    for (int i = 0; i < plan->count && code == SERVET_OK; i++)
        if (group[i] == NOWHERE)
            code = place(&on, i);
    if (code == SERVET_OK)
        *count = number_in_order(&on);
    srv_room_free(&on.room);
    return code;
}

/* The last two items of a group: of three and more none is its representative. */
static bool last_two(const int *group, int n, int number, srv_couple *couple)
{
    int found = 0;
    for (int i = n - 1; i >= 0 && found < 2; i--)
        if (group[i] == number) {
            *(found == 0 ? &couple->b : &couple->a) = i;
            found++;
        }
    return found == 2;
}

static int last_of(const int *group, int n, int number)
{
    while (n > 0 && group[n - 1] != number)
        n--;
    return n - 1;
}

int srv_groups_checks(const int *group, int n, int group_count, int between_max,
                      srv_groups_check *checks)
{
    int count = 0, borders = group_count - 1;
    int between = borders < between_max ? borders : between_max;
    for (int g = 0; g < group_count; g++)
        if (last_two(group, n, g, &checks[count].couple))
            checks[count++].together = true;
    for (int i = 0; i < between; i++) {
        int g = (int)((long long)i * borders / between);
        checks[count++] =
            (srv_groups_check){{last_of(group, n, g), last_of(group, n, g + 1)}, false};
    }
    return count;
}
