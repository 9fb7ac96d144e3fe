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

/* Calls `visit` with each name in the open folder until one fails; false keeps its errno. */
static bool each_name(int folder, bool (*visit)(int from, const char *name, int other), int other)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again >= 0 ? fdopendir(again) : NULL;
    bool going = names;
    for (struct dirent *entry; going && (entry = readdir(names));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            going = visit(folder, entry->d_name, other);
    int cause = errno;
    if (names)
        closedir(names);
    else if (again >= 0)
        close(again);
    errno = cause;
    return going;
}

/* Returns true for a record, which begins with a comment, and for an empty file. */
static bool is_own(int folder, const char *name)
{
    char first = '#';
    if (fnmatch("answers-*.txt", name, 0) != 0)
        return true;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool read_it = file >= 0 && read(file, &first, 1) == 1;
    close_kept(file);
    return !read_it || first == '#';
}

bool cli_series_has_foreign(int folder, char name[CLI_SERIES_NAME_MAX])
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again >= 0 ? fdopendir(again) : NULL;
    bool foreign = false;
    for (struct dirent *entry; names && !foreign && (entry = readdir(names));) {
        foreign = !is_own(folder, entry->d_name);
        if (foreign)
            snprintf(name, CLI_SERIES_NAME_MAX, "%s", entry->d_name);
    }
    if (names)
        closedir(names);
    else if (again >= 0)
        close(again);
    return foreign;
}

static bool remove_any(int from, const char *name, int other)
{
    (void)other;
    return unlinkat(from, name, 0) == 0;
}

static bool remove_of_node(int from, const char *name, int other)
{
    return !servet_is_series(name, false) || remove_any(from, name, other);
}

static bool remove_of_network(int from, const char *name, int other)
{
    return !servet_is_series(name, true) || remove_any(from, name, other);
}

static bool remove_stale(int from, const char *name, int fresh)
{
    struct stat status;
    bool stale = cli_is_series(name) && faccessat(fresh, name, F_OK, 0) != 0 &&
                 fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
    return !stale || unlinkat(from, name, 0) == 0;
}

/* Moves a file under a temporary name: a run that is killed meanwhile leaves no half of a file
 * under its final name. */
static bool move(int from, const char *name, int to)
{
    return !cli_is_series(name) || renameat(from, name, to, name) == 0;
}

static bool between(const char *path, bool (*visit)(int from, const char *name, int other),
                    const char *other_path)
{
    int folder = cli_folder_open(path), other = cli_folder_open(other_path);
    bool done = folder >= 0 && other >= 0 && each_name(folder, visit, other);
    close_kept(folder);
    close_kept(other);
    return done;
}

bool cli_series_remove(const char *path, bool of_network)
{
    int folder = cli_folder_open(path);
    bool removed =
        folder >= 0 && each_name(folder, of_network ? remove_of_network : remove_of_node, -1);
    close_kept(folder);
    return removed;
}

bool cli_folder_remove(const char *path)
{
    int folder = cli_folder_open(path);
    bool emptied = folder >= 0 && each_name(folder, remove_any, -1);
    close_kept(folder);
    return emptied && rmdir(path) == 0;
}

bool cli_series_remove_stale(const char *folder, const char *fresh)
{
    return between(folder, remove_stale, fresh);
}

bool cli_series_move(const char *from, const char *to)
{
    return between(from, move, to);
}
