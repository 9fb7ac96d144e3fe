/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/shape.h"
#include "profile/text.h"

/*
 * A node class takes some 10 KiB, so this is a cluster of a thousand sorts of nodes. The bound is
 * for memory: a hostile file, all of it empty objects, grows eightyfold in the parser, to 1.3 GiB.
 */
enum { FILE_BYTES_MAX = 16 << 20 };

/* Parser messages quote the file, which may hold anything; an error is one line. */
static void flatten(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

static int parse(const char *text, size_t size, json_t **root, const char *path,
                 servet_error *error)
{
    json_error_t cause;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &cause);
    if (*root)
        return SERVET_OK;
    /* Without memory Jansson mostly says nothing, not even a line. */
    if (json_error_code(&cause) == json_error_out_of_memory || cause.line < 1)
        return srv_fail_memory(error);
    if (size == 0)
        return srv_fail_at(error, SERVET_EFORMAT, path, 1, "the file is empty");
    flatten(cause.text);
    return srv_fail_at(error, SERVET_EFORMAT, path, cause.line, "%s", cause.text);
}

/* Before anything else: what a newer schema means by its members is not for this one to judge. */
static int check_schema(const json_t *root, srv_trail *trail)
{
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_integer(schema) || json_integer_value(schema) <= SRV_SCHEMA)
        return SERVET_OK;
    trail->code = SERVET_EVERSION;
    srv_trail_enter(trail, "schema");
    return srv_trail_fail(trail, "written by a newer Servet (schema %lld, this one reads up to %d)",
                          (long long)json_integer_value(schema), SRV_SCHEMA);
}

static int decode_profile(servet_profile *profile, const json_t *root, srv_trail *trail)
{
    int code = check_schema(root, trail);
    if (code == SERVET_OK)
        code = srv_decode(&srv_profile_shape, root, profile, trail);
    if (code == SERVET_OK)
        code = srv_check(&srv_profile_shape, profile, trail);
    profile->here = srv_class_here(profile);
    return code;
}

static int read_profile(servet_profile *profile, servet_error *error)
{
    char *text;
    size_t size;
    int code = srv_text_read(profile->path, FILE_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    json_t *root;
    srv_trail trail = {SERVET_EFORMAT, profile->path, text, error, 0, {{NULL, 0}}};
    code = parse(text, size, &root, profile->path, error);
    if (code == SERVET_OK)
        code = decode_profile(profile, root, &trail);
    json_decref(root);
    free(text);
    return code;
}

/* "DIR" means "DIR/profile.json", where `servet measure -o DIR` puts it. */
static int set_path(servet_profile *profile, const char *path, servet_error *error)
{
    struct stat status;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    int length =
        snprintf(profile->path, sizeof profile->path, "%s%s", path, folder ? "/profile.json" : "");
    if (length < 0 || (size_t)length >= sizeof profile->path)
        return srv_fail(error, SERVET_ENOTFOUND, "the path is too long: %.64s...", path);
    return SERVET_OK;
}

int servet_profile_open(servet_profile **profile, const char *path, servet_error *error)
{
    char found[SERVET_ERROR_FILE_MAX];
    int code = path ? SERVET_OK : servet_profile_find(found, sizeof found, error);
    if (code != SERVET_OK)
        return code;
    servet_profile *opened = calloc(1, sizeof *opened);
    if (!opened)
        return srv_fail_memory(error);
    code = set_path(opened, path ? path : found, error);
    if (code == SERVET_OK)
        code = read_profile(opened, error);
    if (code != SERVET_OK) {
        servet_profile_close(opened);
        return code;
    }
    *profile = opened;
    return SERVET_OK;
}

void servet_profile_close(servet_profile *profile)
{
    if (!profile)
        return;
    srv_shape_free(&srv_profile_shape, profile);
    free(profile);
}

const char *servet_profile_path(const servet_profile *profile)
{
    return profile->path;
}
