/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Folders of raw series. Users may keep their own files in any folder: only files with the name of
 * a series (cache-*.csv, sharing-*.csv, ...) are ever moved or removed, and links are not followed.
 * If a function returns false, errno has the reason.
 */
#ifndef SRV_CLI_OUTPUT_SERIES_H
#define SRV_CLI_OUTPUT_SERIES_H

#include <stdbool.h>

/** The longest name of a file. */
enum { CLI_SERIES_NAME_MAX = 256 };

/** True if a file of this name is a raw series or a record of answers. */
bool cli_is_series(const char *name);

/** Opens a folder, never through a link, which might lead to other data; -1 after a failure. */
int cli_folder_open(const char *path);

/** Returns true if the open folder has a file of the user: with the name of a record of answers,
 * but another beginning. Writes its name into `name`. */
bool cli_series_has_foreign(int folder, char name[CLI_SERIES_NAME_MAX]);

/** Removes a folder with all files in it. */
bool cli_folder_remove(const char *path);

/** Removes the series of nodes, or of the network between them, from a folder. */
bool cli_series_remove(const char *folder, bool of_network);

/** Removes the series of `folder` that `fresh` does not replace. */
bool cli_series_remove_stale(const char *folder, const char *fresh);

/** Moves all series of `from` into `to`, and replaces series there. Each is replaced in one step.
 */
bool cli_series_move(const char *from, const char *to);

#endif
