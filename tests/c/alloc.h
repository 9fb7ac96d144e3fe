/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * An allocator that fails on purpose. Tests are linked so that every malloc, calloc, realloc,
 * strdup and strndup of their own and of Servet's objects goes through here. Libraries keep their
 * own allocator; Jansson takes this one after `json_set_alloc_funcs(malloc, free)` in the test.
 */
#ifndef SRV_TESTS_ALLOC_H
#define SRV_TESTS_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/** Lets the nth allocation from now on fail (1: the next one), once; 0: none. */
void alloc_fail_at(size_t n);

/** Is true if an allocation was made to fail since the last alloc_fail_at(). */
bool alloc_has_failed(void);

/** How many allocations after the nth the next one fails: at night each, per commit the first ones
 * each and of later ones, which often are of the same kind, fewer. */
size_t alloc_next(size_t n);

/**
 * Calls `action` with one allocation after another failing, alloc_next() apart, until it gets
 * through without losing one. The test fails unless each call that lost an allocation returned
 * SERVET_EMEMORY and the last one SERVET_OK. Returns the number of the last allocation that failed.
 */
size_t alloc_fail_everywhere(int (*action)(void *context), void *context);

#endif
