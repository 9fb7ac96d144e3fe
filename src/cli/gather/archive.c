/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gather/archive.h"

#include <string.h>

enum { BLOCK = 512, NAME_MAX_BYTES = 100 };

static const char zeros[2 * BLOCK];

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

bool cli_archive_add(FILE *to, const char *name, const char *text)
{
    char header[BLOCK];
    size_t size = strlen(text), rest = (BLOCK - size % BLOCK) % BLOCK;
    fill_header(header, name, size);
    return fwrite(header, 1, BLOCK, to) == BLOCK && fwrite(text, 1, size, to) == size &&
           fwrite(zeros, 1, rest, to) == rest;
}

/* Two empty blocks end an archive. */
void cli_archive_end(FILE *to)
{
    (void)fwrite(zeros, 1, sizeof zeros, to);
}
