/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks who may have placed a file, because files that other users may change decide nothing
 * here. */
#ifndef SRV_PROFILE_FILE_OWNER_H
#define SRV_PROFILE_FILE_OWNER_H

#include "core/error.h"

/**
 * Checks the open file of the path `file`: it, its folder and all folders above it, and those of
 * what links lead to, belong to root, to this user or to who installed Servet, and others may
 * write into none of them (but for folders with the sticky bit); and the path leads to this file
 * still. Errors: SERVET_EIO of `file`, with the reason.
 */
int srv_owner_check(int open_file, const char *file, servet_error *error);

/**
 * The same for a path that the user named, with folders of any owner: a home may lie below the
 * folder of a group's head.
 */
int srv_owner_check_named(int open_file, const char *file, servet_error *error);

#endif
