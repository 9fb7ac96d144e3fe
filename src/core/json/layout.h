/* SPDX-License-Identifier: BSD-3-Clause */
/** JSON as text for people. */
#ifndef SRV_CORE_JSON_LAYOUT_H
#define SRV_CORE_JSON_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>

/**
 * Writes an object whose names need no escapes: each member or item begins a line, small ones take
 * one line, and numbers have enough digits to read back the same. False without memory; the stream
 * has its own errors.
 */
bool srv_json_put(FILE *stream, json_t *json);

#endif
