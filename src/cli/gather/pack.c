/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gather/pack.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/series.h"

/* Of an archive: POSIX.1-1988, ustar. */
enum { BLOCK = 512, NAME_MAX_BYTES = 100 };

static int fail(servet_error *error, const char *path, const char *what)
{
    *error = (servet_error){.code = SERVET_EIO};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->text, sizeof error->text, "%s: %s", what, strerror(errno));
    return error->code;
}

/* --- archives --------------------------------------------------------------------------------- */

/* A file readable by all, without owner, dated 1970: nothing identifies who packed it. */
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
    bool done = fwrite(header, 1, BLOCK, pack->archive) == BLOCK &&
                fwrite(text, 1, size, pack->archive) == size &&
                fwrite(zeros, 1, rest, pack->archive) == rest;
    return done ? SERVET_OK : fail(error, pack->path, "cannot write");
}

/* --- folders ---------------------------------------------------------------------------------- */

static int add_to_folder(const cli_pack *pack, const char *name, const char *text,
                         servet_error *error)
{
    char path[CLI_PATH_MAX];
    const char *slash = strchr(name, '/');
    errno = ENAMETOOLONG;
    if (slash && snprintf(path, sizeof path, "%s/%.*s", pack->path, (int)(slash - name), name) >=
                     (int)sizeof path)
        return fail(error, pack->path, "cannot make a folder");
    if (slash && mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(error, path, "cannot make");
    errno = ENAMETOOLONG;
    FILE *file = snprintf(path, sizeof path, "%s/%s", pack->path, name) < (int)sizeof path
                     ? fopen(path, "w")
                     : NULL;
    if (!file)
        return fail(error, path, "cannot write");
    bool written = fputs(text, file) >= 0;
    bool closed = fclose(file) == 0;
    return written && closed ? SERVET_OK : fail(error, path, "cannot write");
}

/* --- both ------------------------------------------------------------------------------------- */

int cli_pack_begin(cli_pack *pack, const char *path, servet_error *error)
{
    size_t length = strlen(path);
    bool archive = length > 4 && strcmp(path + length - 4, ".tar") == 0;
    snprintf(pack->path, sizeof pack->path, "%s", path);
    pack->archive = archive ? fopen(path, "wx") : NULL;
    if (archive ? !pack->archive : mkdir(path, 0777) != 0)
        return fail(error, path, "cannot make");
    return SERVET_OK;
}

int cli_pack_add(cli_pack *pack, const char *name, const char *text, servet_error *error)
{
    return pack->archive ? add_to_archive(pack, name, text, error)
                         : add_to_folder(pack, name, text, error);
}

/* Two empty blocks end an archive. */
int cli_pack_end(cli_pack *pack, servet_error *error)
{
    static const char end[2 * BLOCK];
    if (!pack->archive)
        return SERVET_OK;
    bool written = fwrite(end, 1, sizeof end, pack->archive) == sizeof end;
    bool closed = fclose(pack->archive) == 0;
    pack->archive = NULL;
    if (written && closed)
        return SERVET_OK;
    int code = fail(error, pack->path, "cannot write");
    unlink(pack->path);
    return code;
}

void cli_pack_abandon(cli_pack *pack)
{
    char raw[CLI_PATH_MAX + sizeof "/raw"];
    snprintf(raw, sizeof raw, "%s/raw", pack->path);
    if (pack->archive) {
        fclose(pack->archive);
        unlink(pack->path);
    } else {
        (void)cli_folder_remove(raw);
        (void)cli_folder_remove(pack->path);
    }
    pack->archive = NULL;
}
