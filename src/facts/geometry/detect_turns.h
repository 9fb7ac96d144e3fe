/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Counts the elements of one colour that a cache holds, from trials that visit some of them in a
 * cycle. Between their visits come elements of other colours, which evict them from the caches in
 * front and leave their sets alone.
 */
#ifndef SRV_FACTS_GEOMETRY_DETECT_TURNS_H
#define SRV_FACTS_GEOMETRY_DETECT_TURNS_H

#include "facts/geometry/detect_colours.h"
#include "facts/geometry/detect_ways.h"

enum { SRV_TURNS_MAX = 64 };

/** Trials; the first lines[t] elements of trial t are of one colour, the others are not. A zeroed
 * one is empty. */
typedef struct srv_turn_trials {
    srv_coeviction trials;
    int *lines;
    size_t room;
} srv_turn_trials;

/** Adds trials as srv_coeviction_add() does. Errors: SERVET_EMEMORY. */
int srv_turn_trials_add(srv_turn_trials *turns, int count, int lines, int walked, size_t *at,
                        servet_error *error);

/** Forgets all trials from number `first` on. */
void srv_turn_trials_cut(srv_turn_trials *turns, int first);

void srv_turn_trials_finish(srv_turn_trials *turns);

/**
 * The time of an element by the number of elements in a cycle, in points[0..result-1], ascending.
 * The same elements are in several trials, the faster of which count: interference makes lines
 * miss, nothing makes more of them hit. The median of several selections of the same number counts.
 * -1 without memory.
 */
int srv_turns_read(const srv_turn_trials *turns, srv_turns points[SRV_TURNS_MAX]);

/**
 * Reads the ways out of trials of `rounds` rounds before the timed one; `*clear`: another number is
 * far less likely. Errors: SERVET_EMEMORY.
 */
int srv_detect_turns(const srv_turn_trials *turns, int rounds, srv_ways *ways, bool *clear,
                     servet_error *error);

/** Explains the result, as srv_explain_ways() does; without memory, nothing. */
void srv_explain_turns(const srv_turn_trials *turns, int rounds, const srv_account *on);

#endif
