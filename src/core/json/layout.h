/* SPDX-License-Identifier: BSD-3-Clause */
/** JSON as text for people. */
#ifndef SRV_CORE_JSON_LAYOUT_H
#define SRV_CORE_JSON_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>

/**
 * Writes an object whose names need no escapes. Each member or item begins a line, and small ones
 * take one line. Numbers have enough digits to be read back unchanged. Returns false without
 * memory; the caller checks the stream for errors.
 */
bool srv_json_put(FILE *stream, json_t *json);

/** Writes a text as a string of JSON or Python; control characters, which no text of a profile has,
 * become '?'. */
void srv_json_string(FILE *stream, const char *text);

#endif
