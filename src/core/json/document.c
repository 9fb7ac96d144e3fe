/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/document.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/text.h"

/* The parser's own words for it are about a flag of its own. */
static bool is_null_character(const json_error_t *cause)
{
    return json_error_code(cause) == json_error_null_character ||
           json_error_code(cause) == json_error_null_byte_in_key;
}

static int parse(const char *text, size_t size, json_t **root, const char *path,
                 servet_error *error)
{
    json_error_t cause = {.line = 0}; /* Jansson reads all members, but does not set all */
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &cause);
    if (*root)
        return SERVET_OK;
    /* If memory is exhausted, Jansson mostly reports no cause, not even a line. */
    if (json_error_code(&cause) == json_error_out_of_memory || cause.line < 1)
        return srv_fail_memory(error);
    if (size == 0)
        return srv_fail_at(error, SERVET_EFORMAT, path, 1, "the file is empty");
    return srv_fail_at(error, SERVET_EFORMAT, path, cause.line, "%s",
                       is_null_character(&cause) ? "texts must not contain \\u0000" : cause.text);
}

int srv_document_read(srv_document *document, const char *path, size_t max, servet_error *error)
{
    size_t size;
    *document = (srv_document){NULL, NULL};
    int code = srv_text_read(path, max, &document->text, &size, error);
    return code == SERVET_OK ? parse(document->text, size, &document->root, path, error) : code;
}

void srv_document_free(srv_document *document)
{
    json_decref(document->root);
    free(document->text);
}

int srv_document_version(const srv_document *document, const char *member, int newest,
                         srv_json_path *where)
{
    const json_t *version = json_object_get(document->root, member);
    if (!json_is_integer(version) || json_integer_value(version) <= newest)
        return SERVET_OK;
    where->code = SERVET_EVERSION;
    srv_json_path_enter(where, member);
    return srv_json_path_fail(where, "for a newer Servet (%s %lld, this one reads up to %d)",
                              member, (long long)json_integer_value(version), newest);
}
