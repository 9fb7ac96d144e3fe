/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* secure_getenv() */
#include "profile/file/places.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/host.h"
#include "profile/file/read.h"
#include "servet/identity.h"
#include "servet/record.h"

/* The XDG standard ignores the variable unless it is an absolute path. */
bool srv_place_of_user(char place[SERVET_ERROR_FILE_MAX])
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

static srv_place_fit fit_of(const char *path)
{
    static const srv_place_fit fits[SERVET_IDENTITY_COUNT] = {
        [SERVET_IDENTITY_NONE] = SRV_PLACE_OTHER,
        [SERVET_IDENTITY_LISTED] = SRV_PLACE_LISTED,
        [SERVET_IDENTITY_ALIKE] = SRV_PLACE_ALIKE,
        [SERVET_IDENTITY_MODEL] = SRV_PLACE_ALIKE,
    };
    servet_profile *profile;
    if (access(path, F_OK) != 0)
        return SRV_PLACE_NONE;
    if (srv_profile_read(&profile, path, NULL, NULL) != SERVET_OK)
        return SRV_PLACE_LISTED;
    servet_identity identity = servet_profile_identity(profile);
    bool network_alone = servet_profile_class_count(profile) == 0;
    servet_profile_close(profile);
    return network_alone ? SRV_PLACE_ALIKE : fits[identity];
}

/* Takes PLACE/NAME/profile.json if it fits better than `path` does. */
static srv_place_fit better(const char *place, const char *name, srv_place_fit than,
                            char path[SERVET_ERROR_FILE_MAX])
{
    char other[SERVET_ERROR_FILE_MAX];
    int length =
        snprintf(other, sizeof other, "%s%s%s/profile.json", place, *name ? "/" : "", name);
    srv_place_fit found = length < (int)sizeof other ? fit_of(other) : SRV_PLACE_NONE;
    if (found <= than)
        return than;
    memcpy(path, other, sizeof other);
    return found;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

srv_place_fit srv_place_search(const char *place, char path[SERVET_ERROR_FILE_MAX])
{
    struct dirent **names = NULL;
    *path = '\0';
    srv_place_fit best = better(place, "", SRV_PLACE_NONE, path);
    int count = best == SRV_PLACE_LISTED ? 0 : scandir(place, &names, is_visible, alphasort);
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
    if (!srv_place_of_user(place))
        return srv_fail(error, SERVET_ENOTFOUND, "neither $XDG_DATA_HOME nor $HOME names a folder");
    srv_place_fit found = srv_place_search(place, path);
    if (found >= SRV_PLACE_ALIKE) {
        *strrchr(path, '/') = '\0';
        memcpy(place, path, sizeof place);
    } else if (found == SRV_PLACE_OTHER) {
        name_free(place, name);
    }
    int length = snprintf(folder, size, "%s%s%s", place, *name ? "/" : "", name);
    return (size_t)length < size
               ? SERVET_OK
               : srv_fail(error, SERVET_ERANGE, "the path is too long: %.64s...", place);
}
