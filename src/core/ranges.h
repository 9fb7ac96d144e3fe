/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sets of core numbers as text ranges, "0-2,12-14": ascending, disjoint, no blanks. The form in
 * which the profile, the CLI and Linux itself write sets; nothing is ever expanded to a list of
 * pairs.
 */
#ifndef SRV_CORE_RANGES_H
#define SRV_CORE_RANGES_H

#include <stdbool.h>
#include <stddef.h>

/** Numbers are below this: Linux has at most 8192 cores, and a job SERVET_RANKS_MAX nodes. */
enum { SRV_RANGES_MAX = 1 << 20 };

/** Reads the number from 0 to `most` at `*cursor` into `*number`, and moves the cursor behind it.
 * False if there is none, or a larger one. */
bool srv_ranges_number(const char **cursor, int most, int *number);

/** The range that `*cursor` points at goes to first..last, the cursor behind it. False at the end
 *  of the text or where it is malformed (then *cursor does not point at '\0'). */
bool srv_ranges_next(const char **cursor, int *first, int *last);

/** True if `text` is well formed: at least one range, ascending and disjoint. */
bool srv_ranges_valid(const char *text);

/** True if `number` is in the set. */
bool srv_ranges_contain(const char *text, int number);

/** True if two sets have a number in common. */
bool srv_ranges_overlap(const char *a, const char *b);

/** Writes the common numbers of two sets into `text` of `size` bytes, "" for none; returns how many
 * there are. Numbers that do not fit are left out. */
int srv_ranges_common(const char *a, const char *b, char *text, size_t size);

/** The number of members of the set. */
int srv_ranges_count(const char *text);

/** Writes the ascending `numbers` as ranges into `text` of `size` bytes. False if they do not fit.
 */
bool srv_ranges_write(const int *numbers, int count, char *text, size_t size);

/**
 * Sets `*disjoint` if no number is in two of `count` well-formed sets; takes time in proportion to
 * their ranges. Errors: SERVET_EMEMORY.
 */
int srv_ranges_disjoint(const char *const *sets, int count, bool *disjoint);

#endif
