/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* secure_getenv() */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "profile/file/owner.h"
#include "profile/file/places.h"
#include "profile/file/read.h"

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

static void choose_better(const char *of_user, const char *installed, srv_place_fit fit,
                          char found[SERVET_ERROR_FILE_MAX])
{
    bool better = fit >= SRV_PLACE_ALIKE || !*of_user;
    snprintf(found, SERVET_ERROR_FILE_MAX, "%s", better ? installed : of_user);
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
    bool ours = srv_place_of_user(place) && srv_place_search(place, of_user) >= SRV_PLACE_ALIKE;
    srv_place_fit fit = ours ? SRV_PLACE_NONE : srv_place_search(SERVET_DATADIR, installed);
    choose_better(of_user, installed, fit, found);
    return *found ? SERVET_OK : fail_nothing(place, error);
}

/* Checks the owner of the file. If the file does not exist, or cannot be opened, the function that
 * reads it reports that. */
static int check_owner(const char *found, srv_text_check *check, servet_error *error)
{
    char file[SERVET_ERROR_FILE_MAX];
    int open_file = srv_profile_file(found, file)
                        ? open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
                        : -1;
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
        return srv_profile_read(profile, path, NULL, error);
    int code = find(found, &check, error);
    return code == SERVET_OK ? srv_profile_read(profile, found, check, error) : code;
}
