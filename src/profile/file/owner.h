/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks the owners of a file and its folders: files that other users may change are not used. */
#ifndef SRV_PROFILE_FILE_OWNER_H
#define SRV_PROFILE_FILE_OWNER_H

#include "core/error.h"

/**
 * Checks the open file of the path `file`. The file, its folder and all folders above it, and
 * likewise the targets of links, must belong to root, to this user or to the user who installed
 * Servet. No other user may write into them, except for folders with the sticky bit. The path must
 * still lead to this file. Errors: SERVET_EIO of `file`, with the reason.
 */
int srv_owner_check(int open_file, const char *file, servet_error *error);

/**
 * Checks the open file of a path that the user named. Its folders may have any owner: a home folder
 * may be below the folder of the head of a group.
 */
int srv_owner_check_named(int open_file, const char *file, servet_error *error);

#endif
