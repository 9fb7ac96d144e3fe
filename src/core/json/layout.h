/* SPDX-License-Identifier: BSD-3-Clause */
/** JSON as text for people. */
#ifndef SRV_CORE_JSON_LAYOUT_H
#define SRV_CORE_JSON_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>

/**
 * Writes an object whose names need no escapes: a member or an item on a line or more of its own,
 * what is small on one line, numbers with as many digits as it takes to read back the same. False
 * without memory; the stream knows its own errors.
 */
bool srv_json_put(FILE *stream, json_t *json);

#endif
