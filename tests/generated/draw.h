/* SPDX-License-Identifier: BSD-3-Clause */
/** Random numbers of generated machines: the same on every computer. */
#ifndef SRV_TESTS_DRAW_H
#define SRV_TESTS_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The state of machine number `index`. */
uint64_t draw_begin(int index);

/** The next random number (splitmix64). */
uint64_t draw(uint64_t *state);

/** 0..count-1. */
int draw_below(uint64_t *state, size_t count);

/** Uniform in low..high. */
double draw_between(uint64_t *state, double low, double high);

/** True with this probability. */
bool draw_chance(uint64_t *state, double probability);

/** An element of an array. */
#define DRAW_FROM(state, table) (table)[draw_below(state, sizeof(table) / sizeof *(table))]

#endif
