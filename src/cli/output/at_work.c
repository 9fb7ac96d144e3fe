/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/at_work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST_MAX = 64 };

static bool print_path(char path[CLI_PATH_MAX], const char *folder, const char *who)
{
    errno = ENAMETOOLONG;
    return snprintf(path, CLI_PATH_MAX, "%s/at-work-%s", folder, who) < CLI_PATH_MAX;
}

static void find_host(char host[HOST_MAX])
{
    memset(host, 0, HOST_MAX);
    (void)gethostname(host, HOST_MAX - 1);
}

/* Reads "process 71 on n1" from the file; "another process" if it is not written yet. */
static void read_other(int file, char other[CLI_PATH_MAX])
{
    ssize_t length = pread(file, other, CLI_PATH_MAX - 1, 0);
    other[length > 0 ? length : 0] = '\0';
    other[strcspn(other, "\n")] = '\0';
    if (!*other)
        strcpy(other, "another process");
}

/* For file systems without locks: returns true if the process that the file names runs on this
 * host. */
static bool runs_here(const char *other)
{
    char host[HOST_MAX], named[HOST_MAX];
    long process;
    find_host(host);
    return sscanf(other, "process %ld on %63s", &process, named) == 2 && strcmp(host, named) == 0 &&
           process != (long)getpid() && (kill((pid_t)process, 0) == 0 || errno == EPERM);
}

static bool is_taken(int file, char other[CLI_PATH_MAX])
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return false;
    bool locked = errno == EWOULDBLOCK;
    read_other(file, other);
    return locked || runs_here(other);
}

/* Returns true if the file still exists: the previous job may have removed it before it was locked
 * here. */
static bool is_still_there(int file, const char *path)
{
    struct stat ours, there;
    return fstat(file, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

static bool write_name(int file)
{
    char host[HOST_MAX];
    find_host(host);
    return ftruncate(file, 0) == 0 &&
           dprintf(file, "process %ld on %s\n", (long)getpid(), host) > 0;
}

int cli_at_work_begin(const char *folder, const char *who, char other[CLI_PATH_MAX])
{
    char path[CLI_PATH_MAX];
    int file = -1;
    if (!print_path(path, folder, who))
        return -1;
    do {
        if (file >= 0)
            close(file);
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0)
            return -1;
        if (is_taken(file, other)) {
            close(file);
            return CLI_AT_WORK_OTHER;
        }
    } while (!is_still_there(file, path));
    if (write_name(file))
        return file;
    close(file);
    return -1;
}

void cli_at_work_end(const char *folder, const char *who, int lock)
{
    char path[CLI_PATH_MAX];
    if (lock < 0)
        return;
    if (print_path(path, folder, who))
        (void)unlink(path);
    close(lock);
}
