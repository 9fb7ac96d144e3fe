/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/file/owner.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool owns(const char *folder, uid_t user)
{
    struct stat status;
    return stat(folder, &status) == 0 && status.st_uid == user;
}

/* Returns true for files of root, of this user, and of the user who installed Servet: this user
 * controls its programs anyway. In a container, root's folders may belong to the same unknown user
 * as the files of strangers. */
static bool is_trusted(const struct stat *status)
{
    uid_t owner = status->st_uid;
    return owner == 0 || owner == geteuid() || owns(SERVET_DATADIR, owner) ||
           (S_ISDIR(status->st_mode) && owns("/", owner));
}

/* Returns true if anybody may replace files there. In a folder with the sticky bit, such as /tmp,
 * only the owner of the folder can replace files of others. */
static bool anybody_writes(const struct stat *status)
{
    bool sticky = S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX);
    return (status->st_mode & S_IWOTH) && !sticky;
}

/* Checks the owner and the mode of a file or folder. With `named`, folders may belong to anybody,
 * because the user chose the path. */
static int check_one(const struct stat *status, bool named, const char *part, const char *file,
                     servet_error *error)
{
    bool folder = S_ISDIR(status->st_mode);
    if (!(named && folder) && !is_trusted(status))
        return srv_fail_at(error, SERVET_EIO, file, 0,
                           "refused: %.100s belongs to user %lu, who is neither root, nor you, nor "
                           "who installed Servet; %s",
                           folder ? part : "it", (unsigned long)status->st_uid,
                           folder ? "SERVET_PROFILE=PATH uses it all the same"
                                  : "a path in the call is used all the same");
    if (anybody_writes(status))
        return srv_fail_at(error, SERVET_EIO, file, 0, "refused: %.160s is writable by everybody",
                           part);
    return SERVET_OK;
}

/* Checks a path without links, itself and all folders above it. */
static int check_above(char path[PATH_MAX], bool named, const char *file, servet_error *error)
{
    struct stat status;
    int code = SERVET_OK;
    for (char *slash = path + strlen(path); code == SERVET_OK && slash;
         slash = strrchr(path, '/')) {
        *slash = '\0';
        const char *part = *path ? path : "/";
        if (stat(part, &status) == 0)
            code = check_one(&status, named, part, file, error);
    }
    return code;
}

/* Checks the file and its folders. `file` may be a link: the folder of the link is checked, too. */
static int check_places(const char *file, bool named, servet_error *error)
{
    char folder[PATH_MAX], path[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", file);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int code = SERVET_OK;
    if (realpath(slash ? folder : ".", path))
        code = check_above(path, named, file, error);
    return code == SERVET_OK && realpath(file, path) ? check_above(path, named, file, error) : code;
}

static int check(int open_file, bool named, const char *file, servet_error *error)
{
    struct stat opened, there;
    if (fstat(open_file, &opened) != 0)
        return srv_fail_at(error, SERVET_EIO, file, 0, "cannot be examined");
    int code = check_one(&opened, named, file, file, error);
    if (code == SERVET_OK)
        code = check_places(file, named, error);
    if (code == SERVET_OK &&
        (stat(file, &there) != 0 || there.st_ino != opened.st_ino || there.st_dev != opened.st_dev))
        code = srv_fail_at(error, SERVET_EIO, file, 0, "it was replaced while it was opened");
    return code;
}

int srv_owner_check(int open_file, const char *file, servet_error *error)
{
    return check(open_file, false, file, error);
}

int srv_owner_check_named(int open_file, const char *file, servet_error *error)
{
    return check(open_file, true, file, error);
}
