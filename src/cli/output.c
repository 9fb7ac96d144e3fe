/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Removes a folder of plain files, which is all that this program makes. */
static void remove_folder(const char *path)
{
    char file[CLI_PATH_MAX + 256];
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(file);
    }
    closedir(folder);
    rmdir(path);
}

int cli_output_begin(cli_output *output, const char *folder, servet_error *error)
{
    *output = (cli_output){0};
    int code = folder ? print_path(output->folder, error, "%s", folder)
                      : user_folder(output->folder, error);
    if (code == SERVET_OK)
        code = print_path(output->raw, error, "%s/raw", output->folder);
    if (code == SERVET_OK)
        code = print_path(output->profile, error, "%s/profile.json", output->folder);
    char new_raw[CLI_PATH_MAX];
    if (code == SERVET_OK)
        code = print_path(new_raw, error, "%s/raw.new-%ld", output->folder, (long)getpid());
    if (code != SERVET_OK)
        return code;
    if (!make_folders(output->folder))
        return fail(error, output->folder, "make this folder");
    if (mkdir(new_raw, 0777) != 0)
        return fail(error, output->folder, "write into this folder");
    memcpy(output->new_raw, new_raw, sizeof new_raw);
    return SERVET_OK;
}

/* A folder cannot be replaced in one step: the old one steps aside and is removed last. */
static int swap_raw(cli_output *output, char old_raw[CLI_PATH_MAX], servet_error *error)
{
    int code = print_path(old_raw, error, "%s/raw.old-%ld", output->folder, (long)getpid());
    if (code != SERVET_OK)
        return code;
    if (rename(output->raw, old_raw) != 0 && errno != ENOENT)
        return fail(error, output->raw, "replace this folder");
    if (rename(output->new_raw, output->raw) != 0) {
        code = fail(error, output->raw, "replace this folder");
        (void)rename(old_raw, output->raw);
        return code;
    }
    output->new_raw[0] = '\0';
    return SERVET_OK;
}

int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error)
{
    char old_raw[CLI_PATH_MAX];
    int code = servet_profile_write(profile, output->profile, error);
    if (code == SERVET_OK)
        code = swap_raw(output, old_raw, error);
    if (code == SERVET_OK)
        remove_folder(old_raw);
    return code;
}

void cli_output_abandon(cli_output *output)
{
    if (output->new_raw[0])
        remove_folder(output->new_raw);
    output->new_raw[0] = '\0';
}
