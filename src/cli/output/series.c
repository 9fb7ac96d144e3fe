/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/series.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "servet/measure.h"

bool cli_is_series(const char *name)
{
    return servet_is_series(name, false) || servet_is_series(name, true);
}

int cli_folder_open(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void close_kept(int folder)
{
    int cause = errno;
    if (folder >= 0)
        close(folder);
    errno = cause;
}

/* Handles a name in the open folder `from`; false, with errno, ends the loop. */
typedef bool visitor(int from, const char *name, void *context);

/* Calls `visit` with each name in the open folder until one fails; false keeps its errno. */
static bool each_name(int folder, visitor *visit, void *context)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again >= 0 ? fdopendir(again) : NULL;
    bool going = names;
    for (struct dirent *entry; going && (entry = readdir(names));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            going = visit(folder, entry->d_name, context);
    int cause = errno;
    if (names)
        closedir(names);
    else if (again >= 0)
        close(again);
    errno = cause;
    return going;
}

/* A record begins with a comment, or is empty. Stops at another file with the name of a record, and
 * copies the name. */
static bool is_own(int folder, const char *name, void *foreign)
{
    char first = '#';
    if (fnmatch("answers-*.txt", name, 0) != 0)
        return true;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool own = file < 0 || read(file, &first, 1) != 1 || first == '#';
    close_kept(file);
    if (!own)
        snprintf(foreign, CLI_SERIES_NAME_MAX, "%s", name);
    return own;
}

bool cli_series_has_foreign(int folder, char name[CLI_SERIES_NAME_MAX])
{
    *name = '\0';
    (void)each_name(folder, is_own, name);
    return *name != '\0';
}

static bool remove_any(int from, const char *name, void *context)
{
    (void)context;
    return unlinkat(from, name, 0) == 0;
}

static bool remove_series(int from, const char *name, void *of_network)
{
    return !servet_is_series(name, *(bool *)of_network) || unlinkat(from, name, 0) == 0;
}

static bool remove_stale(int from, const char *name, void *fresh)
{
    struct stat status;
    bool stale = cli_is_series(name) && faccessat(*(int *)fresh, name, F_OK, 0) != 0 &&
                 fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
    return !stale || unlinkat(from, name, 0) == 0;
}

static bool move(int from, const char *name, void *to)
{
    return !cli_is_series(name) || renameat(from, name, *(int *)to, name) == 0;
}

static bool in_folder(const char *path, visitor *visit, void *context)
{
    int folder = cli_folder_open(path);
    bool done = folder >= 0 && each_name(folder, visit, context);
    close_kept(folder);
    return done;
}

/* The context of `visit` is the other folder. */
static bool between(const char *path, visitor *visit, const char *other_path)
{
    int other = cli_folder_open(other_path);
    bool done = other >= 0 && in_folder(path, visit, &other);
    close_kept(other);
    return done;
}

bool cli_series_remove(const char *path, bool of_network)
{
    return in_folder(path, remove_series, &of_network);
}

bool cli_folder_remove(const char *path)
{
    return in_folder(path, remove_any, NULL) && rmdir(path) == 0;
}

bool cli_series_remove_stale(const char *folder, const char *fresh)
{
    return between(folder, remove_stale, fresh);
}

bool cli_series_move(const char *from, const char *to)
{
    return between(from, move, to);
}
