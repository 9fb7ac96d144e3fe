/* SPDX-License-Identifier: BSD-3-Clause */
/** Reading a profile from a file that is known. */
#ifndef SRV_PROFILE_FILE_READ_H
#define SRV_PROFILE_FILE_READ_H

#include "core/text.h"
#include "servet/profile.h"

/** The file that a path means: "DIR/profile.json", where `servet measure -o DIR` puts it, for
 * "DIR". False: its path is too long. */
bool srv_profile_file(const char *path, char file[SERVET_ERROR_FILE_MAX]);

/** servet_profile_open() with a path; `check` runs first, unless it is NULL. */
int srv_profile_read(servet_profile **profile, const char *path, srv_text_check *check,
                     servet_error *error);

#endif
