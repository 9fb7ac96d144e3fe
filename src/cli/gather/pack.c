/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gather/pack.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/series.h"

/* Sizes of an archive: POSIX.1-1988, ustar. */
enum { BLOCK = 512, NAME_MAX_BYTES = 100 };

static int fail(servet_error *error, const char *path, const char *what)
{
    *error = (servet_error){.code = SERVET_EIO};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->text, sizeof error->text, "%s: %s", what, strerror(errno));
    return error->code;
}

/* --- archives --------------------------------------------------------------------------------- */

/* Writes the header of a file that everybody may read, without owner, dated 1970: nothing
 * identifies the user. */
static void fill_header(char header[BLOCK], const char *name, size_t size)
{
    unsigned sum = 0;
    memset(header, 0, BLOCK);
    snprintf(header, NAME_MAX_BYTES, "%s", name);
    memcpy(header + 100, "0000644\0000000000\0000000000", 24);
    snprintf(header + 124, 12, "%011o", (unsigned)size & 0x7fffffffu);
    memcpy(header + 136, "00000000000", 12);
    memset(header + 148, ' ', 8);
    header[156] = '0';
    memcpy(header + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
}

static int add_to_archive(cli_pack *pack, const char *name, const char *text, servet_error *error)
{
    char header[BLOCK];
    static const char zeros[BLOCK];
    size_t size = strlen(text), rest = (BLOCK - size % BLOCK) % BLOCK;
    fill_header(header, name, size);
    FILE *to = pack->archive.stream;
    bool done = fwrite(header, 1, BLOCK, to) == BLOCK && fwrite(text, 1, size, to) == size &&
                fwrite(zeros, 1, rest, to) == rest;
    return done ? SERVET_OK : fail(error, pack->path, "cannot write");
}

/* --- folders ---------------------------------------------------------------------------------- */

static int add_to_folder(const cli_pack *pack, const char *name, const char *text,
                         servet_error *error)
{
    char path[CLI_PATH_MAX];
    const char *slash = strchr(name, '/');
    errno = ENAMETOOLONG;
    if (slash && snprintf(path, sizeof path, "%s/%.*s", pack->folder, (int)(slash - name), name) >=
                     (int)sizeof path)
        return fail(error, pack->folder, "cannot make a folder");
    if (slash && mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(error, path, "cannot make");
    errno = ENAMETOOLONG;
    FILE *file = snprintf(path, sizeof path, "%s/%s", pack->folder, name) < (int)sizeof path
                     ? fopen(path, "w")
                     : NULL;
    if (!file)
        return fail(error, path, "cannot write");
    bool written = fputs(text, file) >= 0;
    bool closed = fclose(file) == 0;
    return written && closed ? SERVET_OK : fail(error, path, "cannot write");
}

/* Removes a folder and its text files; with other files in it, the folder stays. */
static void remove_folder(const char *path)
{
    char within[CLI_PATH_MAX + sizeof "/profile.json"];
    snprintf(within, sizeof within, "%s/raw", path);
    (void)(cli_series_remove(within, false) && cli_series_remove(within, true));
    (void)rmdir(within);
    snprintf(within, sizeof within, "%s/profile.json", path);
    (void)unlink(within);
    (void)rmdir(path);
}

static int begin_folder(cli_pack *pack, servet_error *error)
{
    errno = ENAMETOOLONG;
    if (snprintf(pack->folder, CLI_PATH_MAX, "%s.unfinished-gather", pack->path) >= CLI_PATH_MAX)
        return fail(error, pack->path, "cannot make");
    remove_folder(pack->folder);
    return mkdir(pack->folder, 0777) == 0 ? SERVET_OK : fail(error, pack->folder, "cannot make");
}

static int end_folder(const cli_pack *pack, servet_error *error)
{
    if (rename(pack->folder, pack->path) == 0)
        return SERVET_OK;
    int code = fail(error, pack->path, "cannot make");
    remove_folder(pack->folder);
    return code;
}

/* --- both ------------------------------------------------------------------------------------- */

/* Returns the length without slashes at the end: the suffix of the unfinished folder begins there.
 */
static size_t without_slashes(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

int cli_pack_begin(cli_pack *pack, const char *path, servet_error *error)
{
    size_t length = strlen(path);
    struct stat there;
    bool archive = length > 4 && strcmp(path + length - 4, ".tar") == 0;
    pack->folder[0] = '\0';
    snprintf(pack->path, sizeof pack->path, "%.*s", (int)without_slashes(path), path);
    errno = EEXIST;
    if (lstat(pack->path, &there) == 0)
        return fail(error, path, "cannot make");
    return archive ? srv_file_begin(&pack->archive, path, error) : begin_folder(pack, error);
}

int cli_pack_add(cli_pack *pack, const char *name, const char *text, servet_error *error)
{
    return *pack->folder ? add_to_folder(pack, name, text, error)
                         : add_to_archive(pack, name, text, error);
}

/* Ends the folder or the archive; two empty blocks end an archive. */
int cli_pack_end(cli_pack *pack, servet_error *error)
{
    static const char end[2 * BLOCK];
    if (*pack->folder)
        return end_folder(pack, error);
    (void)fwrite(end, 1, sizeof end, pack->archive.stream);
    return srv_file_commit(&pack->archive, error);
}

void cli_pack_abandon(cli_pack *pack)
{
    if (*pack->folder)
        remove_folder(pack->folder);
    else
        srv_file_abandon(&pack->archive);
}
