/* SPDX-License-Identifier: BSD-3-Clause */
/** A folder for the files of a test. There is one at a time. */
#ifndef SRV_TESTS_FOLDER_H
#define SRV_TESTS_FOLDER_H

#include "test.h"

/** The path of the folder. */
extern const char *const folder;

/** Set-up of a test: a new, empty folder. */
int make_folder(void **state);

/** Writes a file in the folder, such as "proc/self/cgroup", and makes the folders in its name. */
void put_file(const char *name, const char *content);

/** Tear-down of a test: removes the folder and its contents. Returns -1 if something is left. */
int remove_folder(void **state);

/** Makes programs write 1,5 until setlocale(LC_NUMERIC, "C"), by way of the folder, which must not
 * exist. Returns false where no locales can be made. */
bool use_comma_locale(void);

#endif
