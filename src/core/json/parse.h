/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Parses the text of a JSON document into a tree of jansson. jansson's own parser has no limits,
 * and ignores failed allocations, so that a part of a text may be lost.
 */
#ifndef SRV_CORE_JSON_PARSE_H
#define SRV_CORE_JSON_PARSE_H

#include <jansson.h>
#include <stddef.h>

/** Limit of nested arrays and objects: more than any format has, but few enough for small stacks.
 */
enum { SRV_JSON_LEVELS_MAX = 64 };

/** Approximate limit of the memory of a tree. */
enum { SRV_JSON_BYTES_MAX = 256 << 20 };

/** Error in a text, and its place. */
typedef struct srv_json_fault {
    int line;         /**< from 1 */
    const char *text; /**< static storage; NULL: memory is exhausted */
} srv_json_fault;

/**
 * Parses an object or an array, strictly by RFC 8259, from `size` bytes, which a NUL follows.
 * Members given twice, NUL in texts, and numbers that do not fit are refused. Returns NULL, and
 * sets `fault`, after a failure; otherwise the caller owns the reference.
 */
json_t *srv_json_parse(const char *text, size_t size, srv_json_fault *fault);

/** One step down: into the member `name` or, if `name` is NULL, into item `index`. */
typedef struct srv_json_step {
    const char *name;
    int index;
} srv_json_step;

/** Returns the line, from 1, of the value to which `count` steps lead from the root of a text that
 * was parsed, or else of the innermost part on the way that exists. A name with dots may lead
 * through several objects. */
int srv_json_line(const char *text, const srv_json_step *steps, int count);

#endif
