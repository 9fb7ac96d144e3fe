/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes a new folder of text files, or an archive of them (POSIX ustar). */
#ifndef SRV_CLI_GATHER_PACK_H
#define SRV_CLI_GATHER_PACK_H

#include "cli/output/output.h"
#include "core/file.h"

/** The output, which gets its name when it is complete. */
typedef struct cli_pack {
    char path[CLI_PATH_MAX];
    char folder[CLI_PATH_MAX]; /**< the unfinished folder PATH.unfinished-gather; "": an archive */
    srv_file archive;
} cli_pack;

/** Begins a new folder, or an archive if `path` ends with ".tar"; unfinished remnants of killed
 * processes are removed. Errors: SERVET_EIO. */
int cli_pack_begin(cli_pack *pack, const char *path, servet_error *error);

/** Adds a file; `name` may have the folder "raw" before it ("raw/distance.csv"). Errors:
 * SERVET_EIO. */
int cli_pack_add(cli_pack *pack, const char *name, const char *text, servet_error *error);

/** Ends the output. Errors: SERVET_EIO; the output is then removed. */
int cli_pack_end(cli_pack *pack, servet_error *error);

/** Removes the unfinished output. */
void cli_pack_abandon(cli_pack *pack);

#endif
