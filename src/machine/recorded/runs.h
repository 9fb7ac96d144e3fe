/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Lists of numbers, or of pairs of numbers, as runs with equal steps: "0,63*32+1-1" is 32 pairs,
 * (0, 63), (1, 62), ..., (31, 32), and "0,8;8,0*4+1+1" four times two, (0, 8), (8, 0), (1, 9), (9,
 * 1), ... The ranks of a probe are mostly a few runs, however many ranks there are.
 */
#ifndef SRV_MACHINE_RECORDED_RUNS_H
#define SRV_MACHINE_RECORDED_RUNS_H

#include <stdio.h>

enum { SRV_RUNS_WIDTH_MAX = 2 };

/** Writes `count` tuples of `width` numbers each, a blank before every run. */
void srv_runs_write(const int *numbers, int width, int count, FILE *stream);

/**
 * Reads tuples from `*text` on until room for `most` is full, and moves `*text` behind them.
 * Returns how many there were; -1: this is no such list.
 */
int srv_runs_read(const char **text, int width, int *numbers, int most);

#endif
