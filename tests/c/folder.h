/* SPDX-License-Identifier: BSD-3-Clause */
/** The folder of a test, one at a time. */
#ifndef SRV_TESTS_FOLDER_H
#define SRV_TESTS_FOLDER_H

#include "test.h"

/** Its path. */
extern const char *const folder;

/** Set-up of a test: a new, empty folder. */
int make_folder(void **state);

/** Writes a file below the folder ("proc/self/cgroup"), with the folders that its name has. */
void put_file(const char *name, const char *content);

/** Tear-down of a test: removes the folder with all that is in it; -1 where something is left. */
int remove_folder(void **state);

#endif
