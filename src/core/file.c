/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_io(const srv_file *file, servet_error *error)
{
    return srv_fail_at(error, SERVET_EIO, file->path, 0, "cannot write: %s", strerror(errno));
}

/* --- names ------------------------------------------------------------------------------------ */

enum { HOST_MAX = 66 };

/* Writes ".node7.": locks of this host may be invisible on others, so that names contain the host.
 */
static void print_host(char text[HOST_MAX])
{
    char host[64] = "";
    (void)gethostname(host, sizeof host - 1);
    for (char *at = host; *at; at++)
        *at = *at == '/' ? '-' : *at;
    snprintf(text, HOST_MAX, ".%.63s.", host);
}

/* Returns true if `name` consists of `base`, the host, and "PROCESS-NUMBER". */
static bool is_temporary(const char *name, const char *base, const char *host)
{
    static const char digits[] = "0123456789";
    size_t before = strlen(base), within = strlen(host);
    if (strncmp(name, base, before) != 0 || strncmp(name + before, host, within) != 0)
        return false;
    const char *process = name + before + within, *number = process + strspn(process, digits);
    return number > process && *number == '-' && number[1] &&
           !number[1 + strspn(number + 1, digits)];
}

/* Writes the folder of `path`, or ".", into `folder`; returns the name in it. */
static const char *split(const char *path, char folder[SERVET_ERROR_FILE_MAX])
{
    const char *slash = strrchr(path, '/');
    if (!slash) {
        strcpy(folder, ".");
        return path;
    }
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    return slash + 1;
}

/* --- files of killed writers ------------------------------------------------------------------ */

/* Returns true if `name` still means the open file. Its writer may have moved it to its place
 * meanwhile, and may have begun the next one. */
static bool is_there_still(int fd, int folder, const char *name)
{
    struct stat opened, there;
    return fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
           fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           there.st_ino == opened.st_ino && there.st_dev == opened.st_dev;
}

/* Removes the file unless its lock is held: then its writer lives. On a file system without locks,
 * nothing is removed. NFS only locks files that are open for writing. */
static void remove_unlocked(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_there_still(fd, folder, name))
        (void)unlinkat(folder, name, 0);
    close(fd);
}

static void sweep(const char *path)
{
    char folder[SERVET_ERROR_FILE_MAX], host[HOST_MAX];
    const char *base = split(path, folder);
    print_host(host);
    DIR *names = opendir(folder);
    for (struct dirent *entry; names && (entry = readdir(names));)
        if (is_temporary(entry->d_name, base, host))
            remove_unlocked(dirfd(names), entry->d_name);
    if (names)
        closedir(names);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Locks the new file. Returns false if another writer removed it before. */
static bool keep(int fd)
{
    struct stat status;
    (void)flock(fd, LOCK_EX);
    return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

/* mkstemp() is not used, because it makes files private, and the user's umask decides who may read
 * a profile. */
static int create_beside(srv_file *file)
{
    char host[HOST_MAX];
    print_host(host);
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(file->temporary, sizeof file->temporary, "%s%s%ld-%d", file->path, host,
                 (long)getpid(), attempt);
        int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 && keep(fd))
            return fd;
        if (fd < 0 && errno != EEXIST)
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* Returns false for a device, a pipe or a socket: the rename would replace it by a file. */
static bool is_replaceable(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

int srv_file_begin(srv_file *file, const char *path, servet_error *error)
{
    *file = (srv_file){NULL, "", ""};
    if (strlen(path) >= sizeof file->path)
        return srv_fail(error, SERVET_EIO, "the path is too long: %.64s...", path);
    strcpy(file->path, path);
    if (!is_replaceable(path))
        return srv_fail_at(error, SERVET_EIO, path, 0, "cannot write: not a regular file");
    sweep(path);
    int fd = create_beside(file);
    if (fd < 0)
        return fail_io(file, error);
    file->stream = fdopen(fd, "w");
    if (!file->stream) {
        close(fd);
        unlink(file->temporary);
        return fail_io(file, error);
    }
    return SERVET_OK;
}

/* Flushes the folder of `path` to disk: a rename is only safe after that. */
static void sync_folder(const char *path)
{
    char folder[SERVET_ERROR_FILE_MAX];
    (void)split(path, folder);
    FILE *stream = fopen(folder, "r");
    if (stream) {
        (void)fsync(fileno(stream));
        fclose(stream);
    }
}

/* Flushes and closes the stream. Keeps the errno of the first step that fails. */
static bool finish_stream(FILE *stream)
{
    bool written = !ferror(stream) && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    int cause = errno;
    bool closed = fclose(stream) == 0;
    if (!written)
        errno = cause;
    return written && closed;
}

int srv_file_commit(srv_file *file, servet_error *error)
{
    /* Keeps the lock until no temporary file is left. */
    int lock = dup(fileno(file->stream));
    bool moved = finish_stream(file->stream) && rename(file->temporary, file->path) == 0;
    int code = moved ? SERVET_OK : fail_io(file, error);
    file->stream = NULL;
    if (!moved)
        unlink(file->temporary);
    if (lock >= 0)
        close(lock);
    if (moved)
        sync_folder(file->path);
    return code;
}

void srv_file_abandon(srv_file *file)
{
    if (!file->stream)
        return;
    unlink(file->temporary); /* while the name is locked */
    fclose(file->stream);
    file->stream = NULL;
}
