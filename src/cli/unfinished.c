/* SPDX-License-Identifier: BSD-3-Clause */
#include "unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST_MAX = 64 };

/* "unfinished-node7." */
static void print_prefix(char prefix[HOST_MAX + 16])
{
    char host[HOST_MAX] = "";
    (void)gethostname(host, sizeof host - 1);
    for (char *at = host; *at; at++)
        if (*at == '/')
            *at = '-';
    snprintf(prefix, HOST_MAX + 16, "unfinished-%s.", host);
}

/* Opens and locks it; -1 also where another run is at work on it. File systems without locks have
 * to do without. */
static int open_locked(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(folder);
        return -1;
    }
    return folder;
}

/* When progress was last made in an open folder; -1: none was. */
static time_t progress_time(int folder)
{
    struct stat status;
    bool there = fstatat(folder, CLI_PROGRESS_FILE, &status, AT_SYMLINK_NOFOLLOW) == 0;
    return there && S_ISREG(status.st_mode) ? status.st_mtime : -1;
}

/* The latest one that can be taken up; -1: there is none. */
static int open_latest(const char *folder, const char *prefix, char path[CLI_PATH_MAX])
{
    char candidate[CLI_PATH_MAX];
    time_t latest = -1;
    int found = -1;
    DIR *names = opendir(folder);
    for (struct dirent *entry; names && (entry = readdir(names));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            snprintf(candidate, sizeof candidate, "%s/%s", folder, entry->d_name) >= CLI_PATH_MAX)
            continue;
        int open_one = open_locked(candidate), other = open_one;
        if (open_one >= 0 && progress_time(open_one) > latest) {
            latest = progress_time(open_one);
            other = found;
            found = open_one;
            memcpy(path, candidate, sizeof candidate);
        }
        if (other >= 0)
            close(other);
    }
    if (names)
        closedir(names);
    return found;
}

int cli_unfinished_open(const char *folder, bool resume, char path[CLI_PATH_MAX])
{
    char prefix[HOST_MAX + 16];
    print_prefix(prefix);
    int found = resume ? open_latest(folder, prefix, path) : -1;
    if (found >= 0)
        return found;
    if (snprintf(path, CLI_PATH_MAX, "%s/%sXXXXXX", folder, prefix) >= CLI_PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkdtemp(path) ? open_locked(path) : -1;
}
