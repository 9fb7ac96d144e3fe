/* SPDX-License-Identifier: BSD-3-Clause */
/** JSON files: parsed, with their text kept so that errors can name lines. */
#ifndef SRV_CORE_JSON_DOCUMENT_H
#define SRV_CORE_JSON_DOCUMENT_H

#include <jansson.h>
#include "core/json/path.h"
#include "core/text.h"

typedef struct srv_document {
    char *text;
    json_t *root;
} srv_document;

/**
 * Reads and parses the file at `path`, at most `max` bytes, after `check` has accepted it, unless
 * it is NULL; srv_document_free() frees it, also after a failure. Members given twice are refused.
 * Errors: those of srv_text_read(), SERVET_EFORMAT with the line.
 */
int srv_document_read(srv_document *document, const char *path, size_t max, srv_text_check *check,
                      servet_error *error);

void srv_document_free(srv_document *document);

/**
 * Checks the integer `member` of the root, the version of the format. It comes before all other
 * checks, because this library cannot know the meaning of a newer format's members. Decoding checks
 * whether the member exists and is valid. Errors: SERVET_EVERSION if it is above `newest`.
 */
int srv_document_version(const srv_document *document, const char *member, int newest,
                         srv_json_path *where);

#endif
