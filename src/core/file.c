/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_io(const srv_file *file, servet_error *error)
{
    return srv_fail_at(error, SERVET_EIO, file->path, 0, "cannot write: %s", strerror(errno));
}

/* Not mkstemp(): it makes files private, and a profile is for whom the user's umask allows. */
static int create_beside(srv_file *file)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(file->temporary, sizeof file->temporary, "%s.%ld-%d", file->path, (long)getpid(),
                 attempt);
        int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The rename would replace a device, a pipe or a socket by a file. */
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

/* A rename is only safe on disk once the folder that holds the name is. */
static void sync_folder(const char *path)
{
    char folder[SERVET_ERROR_FILE_MAX];
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    FILE *stream = fopen(slash ? folder : ".", "r");
    if (stream) {
        (void)fsync(fileno(stream));
        fclose(stream);
    }
}

/* Keeps the errno of the first step that fails; the stream is closed in any case. */
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
    FILE *stream = file->stream;
    file->stream = NULL;
    if (!finish_stream(stream) || rename(file->temporary, file->path) != 0) {
        int code = fail_io(file, error);
        unlink(file->temporary);
        return code;
    }
    sync_folder(file->path);
    return SERVET_OK;
}

void srv_file_abandon(srv_file *file)
{
    if (!file->stream)
        return;
    fclose(file->stream);
    unlink(file->temporary);
    file->stream = NULL;
}
