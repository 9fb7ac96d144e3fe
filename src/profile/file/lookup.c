/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* secure_getenv() */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/host.h"
#include "core/json/document.h"
#include "core/text.h"
#include "profile/file/owner.h"
#include "profile/here.h"
#include "profile/index.h"
#include "profile/shape/shape.h"
#include "profile/trusted.h"
#include "servet/identity.h"
#include "servet/profile.h"
#include "servet/record.h"

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
    if (code == SERVET_OK)
        srv_find_here(profile);
    return code;
}

static int read_profile(servet_profile *profile, srv_text_check *check, servet_error *error)
{
    srv_document document;
    int code = srv_document_read(&document, profile->path, SRV_FILE_BYTES_MAX, check, error);
    srv_json_path where = srv_json_path_in(profile->path, document.text, error);
    if (code == SERVET_OK)
        code = decode_profile(profile, &document, &where);
    srv_document_free(&document);
    return code;
}

/* Writes the name of the file that a path means: for a folder "DIR", "DIR/profile.json", which
 * `servet measure -o DIR` writes. Returns false if it is too long. */
static bool profile_file(const char *path, char file[SERVET_ERROR_FILE_MAX])
{
    struct stat status;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return snprintf(file, SERVET_ERROR_FILE_MAX, "%s%s", path, folder ? "/profile.json" : "") <
           SERVET_ERROR_FILE_MAX;
}

/* Does what servet_profile_open() does with a path; `check`, unless it is NULL, runs before. */
static int profile_read(servet_profile **profile, const char *path, srv_text_check *check,
                        servet_error *error)
{
    servet_profile *opened = calloc(1, sizeof *opened);
    if (!opened)
        return srv_fail_memory(error);
    int code = profile_file(path, opened->path)
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

/* How well a profile fits this node, the best last. */
typedef enum place_fit {
    PLACE_NONE,  /* there is no profile */
    PLACE_OTHER, /* it is of other nodes only */
    PLACE_ALIKE, /* of this node's type */
    PLACE_LISTED /* it lists this node, or cannot be read: opening it reports the reason */
} place_fit;

/* Writes the user's place, by the XDG standard. Returns false if the environment names none, or if
 * it is too long. In a set-uid program, the environment is ignored.
 * The XDG standard ignores the variable unless it is an absolute path. */
static bool place_of_user(char place[SERVET_ERROR_FILE_MAX])
{
    const char *data = secure_getenv("XDG_DATA_HOME"), *home = secure_getenv("HOME");
    int length = SERVET_ERROR_FILE_MAX;
    if (data && *data == '/')
        length = snprintf(place, SERVET_ERROR_FILE_MAX, "%s/servet", data);
    else if (home && *home)
        length = snprintf(place, SERVET_ERROR_FILE_MAX, "%s/.local/share/servet", home);
    if (length < SERVET_ERROR_FILE_MAX)
        return true;
    *place = '\0';
    return false;
}

/* --- searching -------------------------------------------------------------------------------- */

static place_fit fit_of(const char *path)
{
    static const place_fit fits[SERVET_IDENTITY_COUNT] = {
        [SERVET_IDENTITY_NONE] = PLACE_OTHER,
        [SERVET_IDENTITY_LISTED] = PLACE_LISTED,
        [SERVET_IDENTITY_ALIKE] = PLACE_ALIKE,
        [SERVET_IDENTITY_MODEL] = PLACE_ALIKE,
    };
    servet_profile *profile;
    if (access(path, F_OK) != 0)
        return PLACE_NONE;
    if (profile_read(&profile, path, NULL, NULL) != SERVET_OK)
        return PLACE_LISTED;
    servet_identity identity = servet_profile_identity(profile);
    bool network_alone = servet_profile_class_count(profile) == 0;
    servet_profile_close(profile);
    return network_alone ? PLACE_ALIKE : fits[identity];
}

/* Takes PLACE/NAME/profile.json if it fits better than `path` does. */
static place_fit better(const char *place, const char *name, place_fit than,
                        char path[SERVET_ERROR_FILE_MAX])
{
    char other[SERVET_ERROR_FILE_MAX];
    int length =
        snprintf(other, sizeof other, "%s%s%s/profile.json", place, *name ? "/" : "", name);
    place_fit found = length < (int)sizeof other ? fit_of(other) : PLACE_NONE;
    if (found <= than)
        return than;
    memcpy(path, other, sizeof other);
    return found;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Searches a place. Writes the path of the profile that fits best, or else of the first one, into
 * `path`; "" if there is none. */
static place_fit place_search(const char *place, char path[SERVET_ERROR_FILE_MAX])
{
    struct dirent **names = NULL;
    *path = '\0';
    place_fit best = better(place, "", PLACE_NONE, path);
    int count = best == PLACE_LISTED ? 0 : scandir(place, &names, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        best = better(place, names[i]->d_name, best, path);
        free(names[i]);
    }
    free(names);
    return best;
}

/* --- where a measurement goes ----------------------------------------------------------------- */

/* Writes a name for the folder of nodes of this type: the processor, which people recognize, and a
 * hash (FNV-1a) of the common properties, except for memory, whose size varies by a few MiB. */
static void name_type(char name[SERVET_NAME_MAX])
{
    char fingerprint[SRV_FINGERPRINT_MAX], cpu[SRV_FINGERPRINT_MAX];
    uint32_t hash = 2166136261u;
    srv_host_fingerprint("", fingerprint);
    srv_fingerprint_word(fingerprint, "cpu", cpu, sizeof cpu);
    const char *end = strstr(fingerprint, " memory=");
    for (const char *at = fingerprint; *at && at != end; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    for (char *at = cpu; *at; at++)
        *at = (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z')
                  ? *at
                  : '-';
    snprintf(name, SERVET_NAME_MAX, "%.40s%s%08x", cpu, *cpu ? "-" : "", (unsigned)hash);
}

/* Finds an unused name of a folder for nodes of this type. The name may exist already, for example
 * for nodes with another memory size. */
static void name_free(const char *place, char name[SERVET_NAME_MAX])
{
    char path[SERVET_ERROR_FILE_MAX + SERVET_NAME_MAX + sizeof "/profile.json"];
    char type[SERVET_NAME_MAX];
    name_type(type);
    memcpy(name, type, SERVET_NAME_MAX);
    for (int i = 2;; i++) {
        snprintf(path, sizeof path, "%s/%s/profile.json", place, name);
        if (access(path, F_OK) != 0)
            return;
        snprintf(name, SERVET_NAME_MAX, "%.50s-%d", type, i);
    }
}

int servet_profile_place(char *folder, size_t size, servet_error *error)
{
    char place[SERVET_ERROR_FILE_MAX], path[SERVET_ERROR_FILE_MAX], name[SERVET_NAME_MAX] = "";
    if (!place_of_user(place))
        return srv_fail(error, SERVET_ENOTFOUND, "neither $XDG_DATA_HOME nor $HOME names a folder");
    place_fit found = place_search(place, path);
    if (found >= PLACE_ALIKE) {
        *strrchr(path, '/') = '\0';
        memcpy(place, path, sizeof place);
    } else if (found == PLACE_OTHER) {
        name_free(place, name);
    }
    int length = snprintf(folder, size, "%s%s%s", place, *name ? "/" : "", name);
    return (size_t)length < size
               ? SERVET_OK
               : srv_fail(error, SERVET_ERANGE, "the path is too long: %.64s...", place);
}

/* --- finding ---------------------------------------------------------------------------------- */

static int fail_long(const char *path, servet_error *error)
{
    return srv_fail(error, SERVET_ERANGE, "the path of the profile is too long: %.64s...", path);
}

static int fail_nothing(const char *user, servet_error *error)
{
    return srv_fail(error, SERVET_ENOTFOUND,
                    "no profile: SERVET_PROFILE is not set, and neither %.80s/profile.json nor "
                    "%.80s exists (run "
                    "servet measure)",
                    *user ? user : "~/.local/share/servet", SERVET_DATADIR "/profile.json");
}

/* Finds the default profile. If no profile is of this node, it is the first one; opening it reports
 * the mismatch. A set-uid program must not open files that only its owner may read, and quote them
 * in errors. */
static int find(char found[SERVET_ERROR_FILE_MAX], srv_text_check **check, servet_error *error)
{
    char place[SERVET_ERROR_FILE_MAX] = "", of_user[SERVET_ERROR_FILE_MAX] = "";
    char installed[SERVET_ERROR_FILE_MAX] = "";
    const char *ordered = secure_getenv("SERVET_PROFILE");
    *check = ordered && *ordered ? srv_owner_check_named : srv_owner_check;
    if (ordered && *ordered) {
        int length = snprintf(found, SERVET_ERROR_FILE_MAX, "%s", ordered);
        return length < SERVET_ERROR_FILE_MAX ? SERVET_OK : fail_long(ordered, error);
    }
    bool ours = place_of_user(place) && place_search(place, of_user) >= PLACE_ALIKE;
    place_fit fit = ours ? PLACE_NONE : place_search(SERVET_DATADIR, installed);
    snprintf(found, SERVET_ERROR_FILE_MAX, "%s",
             fit >= PLACE_ALIKE || !*of_user ? installed : of_user);
    return *found ? SERVET_OK : fail_nothing(place, error);
}

/* Checks the owner of the file. If the file does not exist, or cannot be opened, the function that
 * reads it reports that. */
static int check_owner(const char *found, srv_text_check *check, servet_error *error)
{
    char file[SERVET_ERROR_FILE_MAX];
    int open_file =
        profile_file(found, file) ? open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    if (open_file < 0)
        return SERVET_OK;
    int code = check(open_file, file, error);
    close(open_file);
    return code;
}

int servet_profile_find(char *path, size_t size, servet_error *error)
{
    char found[SERVET_ERROR_FILE_MAX];
    srv_text_check *check;
    int code = find(found, &check, error);
    if (code == SERVET_OK && strlen(found) >= size)
        code = fail_long(found, error);
    if (code == SERVET_OK)
        code = check_owner(found, check, error);
    if (code == SERVET_OK)
        strcpy(path, found);
    return code;
}

int servet_profile_open(servet_profile **profile, const char *path, servet_error *error)
{
    char found[SERVET_ERROR_FILE_MAX];
    srv_text_check *check;
    if (path)
        return profile_read(profile, path, NULL, error);
    int code = find(found, &check, error);
    return code == SERVET_OK ? profile_read(profile, found, check, error) : code;
}
