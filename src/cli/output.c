/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unfinished.h"

static int fail(servet_error *error, const char *path, const char *doing)
{
    *error = (servet_error){.code = SERVET_EIO};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->text, sizeof error->text, "cannot %s: %s", doing, strerror(errno));
    return error->code;
}

__attribute__((format(printf, 3, 4)))
static int print_path(char path[CLI_PATH_MAX], servet_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(path, CLI_PATH_MAX, format, args);
    va_end(args);
    errno = ENAMETOOLONG;
    return length < CLI_PATH_MAX ? SERVET_OK : fail(error, path, "use this folder");
}

static int user_folder(char folder[CLI_PATH_MAX], servet_error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        return print_path(folder, error, "%s/servet", data);
    if (home && *home)
        return print_path(folder, error, "%s/.local/share/servet", home);
    errno = ENOENT;
    return fail(error, "$HOME", "find the user's own folder (say where with -o)");
}

/* The place of a model: never the user's own, whatever the model's file is called. */
static int model_folder(char folder[CLI_PATH_MAX], const char *model, servet_error *error)
{
    static const char suffix[] = ".json";
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    size_t length = strlen(name), end = strlen(suffix);
    char user[CLI_PATH_MAX];
    if (length > end && strcmp(name + length - end, suffix) == 0)
        length -= end;
    errno = EINVAL;
    if (length == 0 || name[0] == '.')
        return fail(error, model, "name a folder after this model (say where with -o)");
    int code = user_folder(user, error);
    return code == SERVET_OK
               ? print_path(folder, error, "%s/machines/%.*s", user, (int)length, name)
               : code;
}

static int choose_folder(char chosen[CLI_PATH_MAX], const char *folder, const char *model,
                         servet_error *error)
{
    if (folder)
        return print_path(chosen, error, "%s", folder);
    return model ? model_folder(chosen, model, error) : user_folder(chosen, error);
}

static bool make_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    int cause = errno;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        errno = cause == EEXIST ? ENOTDIR : cause;
        return false;
    }
    return true;
}

static bool make_folders(const char *path)
{
    char part[CLI_PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_folder(part))
            return false;
        *slash = '/';
    }
    return make_folder(part);
}

/* --- folders of series ------------------------------------------------------------------------ */

/* Users keep files of their own in any folder: only what is called like a series is ours. */
static bool is_series(const char *name)
{
    static const char *const patterns[] = {"cache-*.csv",  "sharing-*.csv", "coherence.csv",
                                           "line-*.csv",   "distance.csv",  "memory-*.csv",
                                           "concurrency-*.csv", "layers-*.csv", "messages-*.csv",
                                           "together-*.csv", "distance-ratio.csv", "access-ratio.csv"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    return false;
}

/* Never through a link, which might lead to somebody's data. */
static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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

static bool remove_any(int from, const char *name, int other)
{
    (void)other;
    return unlinkat(from, name, 0) == 0;
}

static bool remove_stale(int from, const char *name, int fresh)
{
    struct stat status;
    bool stale = is_series(name) && faccessat(fresh, name, F_OK, 0) != 0 &&
                 fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
    return !stale || unlinkat(from, name, 0) == 0;
}

/* A run that was killed while it wrote leaves halves of other names behind. */
static bool move(int from, const char *name, int to)
{
    return !is_series(name) || renameat(from, name, to, name) == 0;
}

/* --- begin, then commit or abandon ------------------------------------------------------------ */

/* What stands in the way of the series is said before hours of measuring. */
static int check_raw(const char *raw, servet_error *error)
{
    int folder = open_folder(raw);
    if (folder < 0)
        return errno == ENOENT ? SERVET_OK : fail(error, raw, "use this as folder of raw series");
    bool writable = faccessat(folder, ".", W_OK | X_OK, 0) == 0;
    int code = writable ? SERVET_OK : fail(error, raw, "write into this folder");
    close(folder);
    return code;
}

int cli_output_begin(cli_output *output, const char *folder, const char *model, bool resume,
                     servet_error *error)
{
    *output = (cli_output){.lock = -1};
    char fresh[CLI_PATH_MAX];
    int code = choose_folder(output->folder, folder, model, error);
    if (code == SERVET_OK)
        code = print_path(output->raw, error, "%s/raw", output->folder);
    if (code == SERVET_OK)
        code = print_path(output->profile, error, "%s/profile.json", output->folder);
    if (code == SERVET_OK && !make_folders(output->folder))
        code = fail(error, output->folder, "make this folder");
    if (code == SERVET_OK)
        code = check_raw(output->raw, error);
    if (code != SERVET_OK)
        return code;
    output->lock = cli_unfinished_open(output->folder, resume, fresh);
    if (output->lock < 0)
        return fail(error, output->folder, "write into this folder");
    memcpy(output->new_raw, fresh, sizeof fresh);
    return print_path(output->progress, error, "%s/" CLI_PROGRESS_FILE, fresh);
}

/* Each series appears whole; what an earlier run had and this one has not goes first. */
static bool move_series(const char *from, const char *to)
{
    int fresh = open_folder(from), raw = open_folder(to);
    bool moved = fresh >= 0 && raw >= 0 && each_name(raw, remove_stale, fresh) &&
                 each_name(fresh, move, raw);
    int cause = errno;
    if (fresh >= 0)
        close(fresh);
    if (raw >= 0)
        close(raw);
    errno = cause;
    return moved;
}

int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error)
{
    bool made = mkdir(output->raw, 0777) == 0;
    if (!made && errno != EEXIST)
        return fail(error, output->raw, "make this folder");
    int code = servet_profile_write(profile, output->profile, error);
    if (code == SERVET_OK)
        (void)unlink(output->progress); /* first: what has moved must not be taken up again */
    if (code == SERVET_OK && !move_series(output->new_raw, output->raw))
        code = fail(error, output->raw, "put the raw series here");
    if (code != SERVET_OK && made)
        (void)rmdir(output->raw);
    return code;
}

void cli_output_abandon(cli_output *output)
{
    int folder = output->new_raw[0] ? open_folder(output->new_raw) : -1;
    if (folder >= 0) {
        (void)each_name(folder, remove_any, -1);
        close(folder);
        (void)rmdir(output->new_raw);
    }
    output->new_raw[0] = '\0';
    if (output->lock >= 0)
        close(output->lock);
    output->lock = -1;
}

bool cli_output_keep(cli_output *output)
{
    if (access(output->progress, F_OK) != 0) {
        cli_output_abandon(output);
        return false;
    }
    close(output->lock);
    output->lock = -1;
    output->new_raw[0] = '\0';
    return true;
}
