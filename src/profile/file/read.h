/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads a profile from a known file. */
#ifndef SRV_PROFILE_FILE_READ_H
#define SRV_PROFILE_FILE_READ_H

#include "core/text.h"
#include "servet/profile.h"

/** Writes the name of the file that a path means: for a folder "DIR", "DIR/profile.json", which
 * `servet measure -o DIR` writes. Returns false if it is too long. */
bool srv_profile_file(const char *path, char file[SERVET_ERROR_FILE_MAX]);

/** Does what servet_profile_open() does with a path; `check`, unless it is NULL, runs before. */
int srv_profile_read(servet_profile **profile, const char *path, srv_text_check *check,
                     servet_error *error);

#endif
