/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/record.h"

#include <errno.h>
#include <string.h>

#include "core/file.h"
#include "core/json/layout.h"
#include "profile/shape/shape.h"

/* Encodes the profile as JSON in this library's format, even if it was read in another format. NULL
 * without memory. */
static json_t *encode(const servet_profile *profile)
{
    json_t *json = srv_encode(&srv_profile_shape, profile);
    if (json_object_set_new(json, "schema", json_integer(SRV_SCHEMA)) == 0)
        return json;
    json_decref(json);
    return NULL;
}

/* `file`: the file of the stream, or "". */
static int put(const servet_profile *profile, FILE *stream, const char *file, servet_error *error)
{
    json_t *json = encode(profile);
    if (!json)
        return srv_fail_memory(error);
    bool done = srv_json_put(stream, json);
    json_decref(json);
    if (ferror(stream))
        return srv_fail_at(error, SERVET_EIO, file, 0, "cannot write the profile: %s",
                           strerror(errno));
    return done ? SERVET_OK : srv_fail_memory(error);
}

/* --- public ----------------------------------------------------------------------------------- */

int servet_profile_dump(const servet_profile *profile, FILE *stream, servet_error *error)
{
    return put(profile, stream, "", error);
}

int servet_profile_write(const servet_profile *profile, const char *path, servet_error *error)
{
    srv_file file;
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    code = put(profile, file.stream, path, error);
    if (code == SERVET_OK)
        code = srv_file_commit(&file, error);
    srv_file_abandon(&file);
    return code;
}
