/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "profile/types.h"

/* XDG: the variable counts only if it holds an absolute path. */
static bool user_path(char *path, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (data && *data == '/')
        length = snprintf(path, size, "%s/servet/profile.json", data);
    else if (home && *home)
        length = snprintf(path, size, "%s/.local/share/servet/profile.json", home);
    return length >= 0 && (size_t)length < size;
}

/* --- trust ------------------------------------------------------------------------------------ */

/* Whoever owns the folder that Servet was installed into has decided already what its programs do.
 */
static bool installed_by(uid_t owner)
{
    struct stat status;
    return stat(SERVET_DATADIR, &status) == 0 && status.st_uid == owner;
}

/* In a folder with the sticky bit, as /tmp is, nobody takes away what others own. */
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

/* `found` may be a link: both where it lies and where it leads to count. */
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

/* A profile decides how a program runs: nobody else may slip one in. What is not there is said by
 * whoever opens it. */
static int check_trust(const char *found, servet_error *error)
{
    char file[PATH_MAX];
    struct stat status;
    bool folder = stat(found, &status) == 0 && S_ISDIR(status.st_mode);
    int length = snprintf(file, sizeof file, "%s%s", found, folder ? "/profile.json" : "");
    if ((size_t)length >= sizeof file || stat(file, &status) != 0)
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

int servet_profile_find(char *path, size_t size, servet_error *error)
{
    static const char installed[] = SERVET_DATADIR "/profile.json";
    char user[SERVET_ERROR_FILE_MAX];
    const char *ordered = getenv("SERVET_PROFILE");
    if (ordered && *ordered)
        return hand_over(ordered, path, size, error);
    bool has_user = user_path(user, sizeof user);
    if (has_user && access(user, F_OK) == 0)
        return hand_over(user, path, size, error);
    if (access(installed, F_OK) == 0)
        return hand_over(installed, path, size, error);
    return srv_fail(error, SERVET_ENOTFOUND,
                    "no profile: SERVET_PROFILE is not set, and neither "
                    "%.80s nor %.80s exists (run servet measure)",
                    has_user ? user : "~/.local/share/servet/profile.json", installed);
}
