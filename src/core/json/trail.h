/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Where in a JSON document one is, so that an error can say it: the path of members, and, when the
 * document comes from a file, the line it is on.
 */
#ifndef SRV_CORE_JSON_TRAIL_H
#define SRV_CORE_JSON_TRAIL_H

#include "core/error.h"

/** Deeper than any format nests (profile: classes, item, kinds, item, caches, item, bytes, low). */
enum { SRV_TRAIL_MAX = 16 };

/** One step down: into the member `name`, or into item `index` where `name` is NULL. */
typedef struct srv_trail_step {
    const char *name;
    int index;
} srv_trail_step;

typedef struct srv_trail {
    int code;         /**< of failures: SERVET_EFORMAT reading, SERVET_EARGUMENT recording */
    const char *file; /**< NULL: not from a file */
    const char *text; /**< what the file holds, valid JSON; NULL: not from a file */
    servet_error *error;
    int depth;
    srv_trail_step step[SRV_TRAIL_MAX];
} srv_trail;

/** The start of a trail through the file at `path`, which holds `text`. */
srv_trail srv_trail_in(const char *path, const char *text, servet_error *error);

void srv_trail_enter(srv_trail *trail, const char *name);
void srv_trail_enter_item(srv_trail *trail, int index);
void srv_trail_leave(srv_trail *trail);

/**
 * Notes "PATH: what is wrong", with file and line if there are any, and returns trail->code. The
 * first error ends all reading and checking, so the trail may stay where it is then.
 */
int srv_trail_fail(const srv_trail *trail, const char *format, ...) SRV_PRINTF(2, 3);

/** The line, from 1, that the trail leads to; that of the innermost part that exists. */
int srv_trail_line(const srv_trail *trail);

#endif
