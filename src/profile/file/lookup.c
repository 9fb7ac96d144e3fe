/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* secure_getenv() */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "profile/file/places.h"
#include "profile/file/read.h"

/* --- trust ------------------------------------------------------------------------------------ */

/* The owner of the folder that Servet was installed into controls its programs anyway.
 */
static bool installed_by(uid_t owner)
{
    struct stat status;
    return stat(SERVET_DATADIR, &status) == 0 && status.st_uid == owner;
}

/* In a folder with the sticky bit, such as /tmp, users cannot replace files of others. */
static bool anybody_writes(const struct stat *status)
{
    bool sticky = S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX);
    return (status->st_mode & S_IWOTH) && !sticky;
}

/* At a place and in all folders above it. */
static int check_writers(const char *place, const char *found, servet_error *error)
{
    char path[PATH_MAX];
    struct stat status;
    if (!realpath(place, path))
        return SERVET_OK;
    for (char *slash = path + strlen(path); slash; slash = strrchr(path, '/')) {
        *slash = '\0';
        const char *part = *path ? path : "/";
        if (stat(part, &status) == 0 && anybody_writes(&status))
            return srv_fail_at(error, SERVET_EIO, found, 0,
                               "refused: %.160s is writable by everybody", part);
    }
    return SERVET_OK;
}

/* `found` may be a link: its folder and that of its target are checked. */
static int check_places(const char *found, servet_error *error)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", found);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int code = check_writers(slash ? folder : ".", found, error);
    return code == SERVET_OK ? check_writers(found, found, error) : code;
}

/* A profile decides how a program runs: no other user may place one here. If it does not exist, the
 * function that opens it reports that. */
static int check_trust(const char *found, servet_error *error)
{
    char file[SERVET_ERROR_FILE_MAX];
    struct stat status;
    if (!srv_profile_file(found, file) || stat(file, &status) != 0)
        return SERVET_OK;
    if (status.st_uid != 0 && status.st_uid != geteuid() && !installed_by(status.st_uid))
        return srv_fail_at(error, SERVET_EIO, file, 0,
                           "refused: it belongs to user %lu, who is neither root, nor you, nor who "
                           "installed Servet",
                           (unsigned long)status.st_uid);
    return check_places(file, error);
}

/* --- finding ---------------------------------------------------------------------------------- */

static int hand_over(const char *found, char *path, size_t size, servet_error *error)
{
    if (strlen(found) >= size)
        return srv_fail(error, SERVET_ERANGE, "the path of the profile is too long: %.64s...",
                        found);
    int code = check_trust(found, error);
    if (code == SERVET_OK)
        strcpy(path, found);
    return code;
}

static int fail_nothing(const char *user, servet_error *error)
{
    return srv_fail(error, SERVET_ENOTFOUND,
                    "no profile: SERVET_PROFILE is not set, and neither %.80s/profile.json nor "
                    "%.80s exists (run "
                    "servet measure)",
                    *user ? user : "~/.local/share/servet", SERVET_DATADIR "/profile.json");
}

/* If no profile is of this node, the first one is returned, and reports the mismatch. A set-uid
 * program must not open, and quote in an error, what only its owner may read. */
int servet_profile_find(char *path, size_t size, servet_error *error)
{
    char place[SERVET_ERROR_FILE_MAX] = "", of_user[SERVET_ERROR_FILE_MAX] = "";
    char installed[SERVET_ERROR_FILE_MAX] = "";
    const char *ordered = secure_getenv("SERVET_PROFILE");
    if (ordered && *ordered)
        return hand_over(ordered, path, size, error);
    if (srv_place_of_user(place) && srv_place_search(place, of_user) >= SRV_PLACE_ALIKE)
        return hand_over(of_user, path, size, error);
    if (srv_place_search(SERVET_DATADIR, installed) >= SRV_PLACE_ALIKE || !*of_user)
        return *installed ? hand_over(installed, path, size, error) : fail_nothing(place, error);
    return hand_over(of_user, path, size, error);
}

int servet_profile_open(servet_profile **profile, const char *path, servet_error *error)
{
    char found[SERVET_ERROR_FILE_MAX];
    int code = path ? SERVET_OK : servet_profile_find(found, sizeof found, error);
    return code == SERVET_OK ? srv_profile_read(profile, path ? path : found, error) : code;
}
