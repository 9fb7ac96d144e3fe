/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int hand_over(const char *found, char *path, size_t size, servet_error *error)
{
    if (strlen(found) >= size)
        return srv_fail(error, SERVET_ERANGE, "the path of the profile is too long: %.64s...",
                        found);
    strcpy(path, found);
    return SERVET_OK;
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
                    "%.80s nor %.80s exists (servet measure makes one)",
                    has_user ? user : "~/.local/share/servet/profile.json", installed);
}
