/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The JSON path: the position in a document that an error names. It is the path of members and, if
 * the document comes from a file, the line.
 */
#ifndef SRV_CORE_JSON_PATH_H
#define SRV_CORE_JSON_PATH_H

#include "core/error.h"
#include "core/json/parse.h"

/** More levels than any format has (profile: classes, item, kinds, item, caches, item, bytes, low).
 */
enum { SRV_JSON_DEPTH_MAX = 16 };

typedef struct srv_json_path {
    int code; /**< code of failures: SERVET_EFORMAT (reading), SERVET_EARGUMENT (recording) */
    const char *file; /**< NULL: not from a file */
    const char *text; /**< content of the file, valid JSON; NULL: not from a file */
    servet_error *error;
    int depth;
    srv_json_step step[SRV_JSON_DEPTH_MAX];
} srv_json_path;

/** The start of a path through the file at `path`, which holds `text`. */
srv_json_path srv_json_path_in(const char *path, const char *text, servet_error *error);

void srv_json_path_enter(srv_json_path *where, const char *name);
void srv_json_path_enter_item(srv_json_path *where, int index);
void srv_json_path_leave(srv_json_path *where);

/**
 * Notes the error as "PATH: problem", with file and line if there are any, and returns where->code.
 * The first error ends all reading and checking, so the path need not be restored.
 */
int srv_json_path_fail(const srv_json_path *where, const char *format, ...) SRV_PRINTF(2, 3);

#endif
