/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/document.h"

#include <stdlib.h>

#include "core/json/parse.h"
#include "core/text.h"

static int parse(const char *text, size_t size, json_t **root, const char *path,
                 servet_error *error)
{
    srv_json_fault fault;
    if (size == 0)
        return srv_fail_at(error, SERVET_EFORMAT, path, 1, "the file is empty");
    *root = srv_json_parse(text, size, &fault);
    if (*root)
        return SERVET_OK;
    return fault.text ? srv_fail_at(error, SERVET_EFORMAT, path, fault.line, "%s", fault.text)
                      : srv_fail_memory(error);
}

int srv_document_read(srv_document *document, const char *path, size_t max, srv_text_check *check,
                      servet_error *error)
{
    size_t size;
    *document = (srv_document){NULL, NULL};
    int code = srv_text_read_checked(path, max, check, &document->text, &size, error);
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
