/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/shipped.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".json";

/* Length of a file name without its suffix; 0 if it has another. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0 ? length - end : 0;
}

/* The folders of models, in order; NULL where there is none. */
static const char *folder(int index)
{
    const char *ordered = getenv("SERVET_MODELS");
    bool has_ordered = ordered && *ordered;
    if (index == 0)
        return has_ordered ? ordered : SERVET_DATADIR "/models";
    return index == 1 && has_ordered ? SERVET_DATADIR "/models" : NULL;
}

/* Whether `names`, separated by ", ", has this one. */
static bool is_listed(const char *names, const char *name, size_t length)
{
    for (; *names; names += strspn(names, ", ")) {
        size_t next = strcspn(names, ",");
        if (next == length && strncmp(names, name, length) == 0)
            return true;
        names += next;
    }
    return false;
}

static int is_model(const struct dirent *entry)
{
    return stem_length(entry->d_name) > 0;
}

static void list_folder(const char *path, char *names, size_t size)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_model, alphasort);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(names), length = stem_length(entries[i]->d_name);
        if (!is_listed(names, entries[i]->d_name, length))
            snprintf(names + used, size - used, "%s%.*s", used ? ", " : "", (int)length,
                     entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static int nothing_found(const char *name, servet_error *error)
{
    char names[SERVET_ERROR_TEXT_MAX] = "";
    for (int i = 0; folder(i); i++)
        list_folder(folder(i), names, sizeof names);
    return srv_fail(error, SERVET_ENOTFOUND, "no model '%.48s'; there are %s", name,
                    *names ? names : "none, where SERVET_MODELS and " SERVET_DATADIR " point");
}

int srv_model_find(const char *name, char *path, size_t size, servet_error *error)
{
    bool is_path = strchr(name, '/') || stem_length(name);
    if (strlen(name) >= size)
        return srv_fail(error, SERVET_ENOTFOUND, "the path of the model is too long: %.64s...",
                        name);
    if (is_path) {
        strcpy(path, name);
        return SERVET_OK;
    }
    for (int i = 0; folder(i); i++) {
        int length = snprintf(path, size, "%s/%s%s", folder(i), name, suffix);
        if (length >= 0 && (size_t)length < size && access(path, F_OK) == 0)
            return SERVET_OK;
    }
    return nothing_found(name, error);
}
