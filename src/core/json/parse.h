/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Parses the text of a JSON document into a tree of jansson's. jansson's own parser ignores failed
 * allocations, so that a part of a text may be lost, and has no limits.
 */
#ifndef SRV_CORE_JSON_PARSE_H
#define SRV_CORE_JSON_PARSE_H

#include <jansson.h>
#include <stddef.h>

/** Levels of arrays and objects: more than any format has, and few for the smallest stacks. */
enum { SRV_JSON_LEVELS_MAX = 64 };

/** Memory that a tree may take, about. */
enum { SRV_JSON_BYTES_MAX = 256 << 20 };

/** Error in a text, and its place. */
typedef struct srv_json_fault {
    int line;         /**< from 1 */
    const char *text; /**< static storage; NULL: memory is exhausted */
} srv_json_fault;

/**
 * Parses `size` bytes, which a NUL follows: an object or an array, strictly as RFC 8259 has it;
 * members given twice, NUL in texts, and numbers that do not fit are refused. NULL, with `fault`,
 * on failure; else the caller has the reference.
 */
json_t *srv_json_parse(const char *text, size_t size, srv_json_fault *fault);

#endif
