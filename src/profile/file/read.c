/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/file/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/json/document.h"
#include "profile/here.h"
#include "profile/index.h"
#include "profile/shape/shape.h"
#include "profile/trusted.h"
#include "servet/record.h"

/* Limit of the file: a node class takes about 10 KiB, so that a thousand classes fit. */
enum { FILE_BYTES_MAX = 16 << 20 };

static int decode_profile(servet_profile *profile, const srv_document *document,
                          srv_json_path *where)
{
    int code = srv_document_version(document, "schema", SRV_SCHEMA, where);
    if (code == SERVET_OK)
        code = srv_decode(&srv_profile_shape, document->root, profile, where);
    if (code == SERVET_OK)
        code = srv_check(&srv_profile_shape, profile, where);
    if (code == SERVET_OK)
        code = srv_index_create(profile, where);
    if (code == SERVET_OK)
        code = servet_profile_reconcile(profile, where->error);
    if (code == SERVET_OK && srv_trusted_note(profile) != SERVET_OK)
        code = srv_fail_memory(where->error);
    srv_find_here(profile);
    return code;
}

static int read_profile(servet_profile *profile, srv_text_check *check, servet_error *error)
{
    srv_document document;
    int code = srv_document_read(&document, profile->path, FILE_BYTES_MAX, check, error);
    srv_json_path where = srv_json_path_in(profile->path, document.text, error);
    if (code == SERVET_OK)
        code = decode_profile(profile, &document, &where);
    srv_document_free(&document);
    return code;
}

bool srv_profile_file(const char *path, char file[SERVET_ERROR_FILE_MAX])
{
    struct stat status;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return snprintf(file, SERVET_ERROR_FILE_MAX, "%s%s", path, folder ? "/profile.json" : "") <
           SERVET_ERROR_FILE_MAX;
}

int srv_profile_read(servet_profile **profile, const char *path, srv_text_check *check,
                     servet_error *error)
{
    servet_profile *opened = calloc(1, sizeof *opened);
    if (!opened)
        return srv_fail_memory(error);
    int code = srv_profile_file(path, opened->path)
                   ? read_profile(opened, check, error)
                   : srv_fail(error, SERVET_ENOTFOUND, "the path is too long: %.64s...", path);
    if (code != SERVET_OK) {
        servet_profile_close(opened);
        return code;
    }
    *profile = opened;
    return SERVET_OK;
}

int servet_profile_copy(const servet_profile *profile, servet_profile **copy, servet_error *error)
{
    srv_json_path where = srv_json_path_in("", "", error);
    servet_profile *made = calloc(1, sizeof *made);
    json_t *json = srv_encode(&srv_profile_shape, profile);
    int code =
        made && json ? srv_decode(&srv_profile_shape, json, made, &where) : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = srv_index_create(made, &where);
    json_decref(json);
    if (code != SERVET_OK) {
        servet_profile_close(made);
        return code;
    }
    memcpy(made->path, profile->path, sizeof made->path);
    made->here = profile->here;
    made->identity = profile->identity;
    made->trusted_only = profile->trusted_only;
    *copy = made;
    return SERVET_OK;
}

void servet_profile_close(servet_profile *profile)
{
    if (!profile)
        return;
    srv_index_forget(profile);
    srv_shape_free(&srv_profile_shape, profile);
    free(profile);
}

const char *servet_profile_path(const servet_profile *profile)
{
    return profile->path;
}
