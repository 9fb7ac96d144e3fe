/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sets of core numbers as text ranges, "0-2,12-14": ascending, disjoint, without blanks. The
 * profile, the command line and Linux write sets in this form.
 */
#ifndef SRV_CORE_RANGES_H
#define SRV_CORE_RANGES_H

#include <stdbool.h>
#include <stddef.h>

/** Numbers are below this, because loops go over all numbers of a range: Linux has at most 8192
 * cores, and a job SERVET_RANKS_MAX nodes. */
enum { SRV_RANGES_MAX = 1 << 20 };

/** Reads the number from 0 to `most` at `*cursor` into `*number`, and moves the cursor behind it.
 * False if there is none, or a larger one. */
bool srv_ranges_number(const char **cursor, int most, int *number);

/** Reads the range at `*cursor` into first..last, and moves the cursor behind it. Returns false at
 * the end of the text, or if it is malformed (then *cursor does not point at '\0'). */
bool srv_ranges_next(const char **cursor, int *first, int *last);

/** True if `text` is well formed: at least one range, ascending and disjoint. */
bool srv_ranges_valid(const char *text);

/** True if `number` is in the set. */
bool srv_ranges_contain(const char *text, int number);

/** True if two sets have a number in common. */
bool srv_ranges_overlap(const char *a, const char *b);

/** Writes the common numbers of two sets into `text` of `size` bytes ("" if there are none), and
 * returns how many there are. Numbers that do not fit are left out. */
int srv_ranges_common(const char *a, const char *b, char *text, size_t size);

/** The number of members of the set. */
int srv_ranges_count(const char *text);

/** Writes the ascending `numbers` as ranges into `text` of `size` bytes. False if they do not fit.
 */
bool srv_ranges_write(const int *numbers, int count, char *text, size_t size);

/**
 * Sets `*disjoint` if no number is in two of `count` well-formed sets. The time is proportional to
 * the number of their ranges. Errors: SERVET_EMEMORY.
 */
int srv_ranges_disjoint(const char *const *sets, int count, bool *disjoint);

#endif
