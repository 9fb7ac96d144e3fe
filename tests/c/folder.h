/* SPDX-License-Identifier: BSD-3-Clause */
/** Folders that a test made. */
#ifndef SRV_TESTS_FOLDER_H
#define SRV_TESTS_FOLDER_H

/** Removes a folder and the files in it; 0, or -1 where something is left. */
int remove_folder(const char *path);

#endif
