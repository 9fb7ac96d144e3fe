/* SPDX-License-Identifier: BSD-3-Clause */
/** Recorded runs of real machines (tests/data/machines/README.md). */
#ifndef SRV_TESTS_RECORDED_RUN_H
#define SRV_TESTS_RECORDED_RUN_H

#include "folder.h"

/**
 * Copies run `run` ("zen5-guest/m1") into the folder of the test, which make_folder() made, and
 * unpacks its files. `path` becomes the path of the copy. Replaces the copy of an earlier call.
 */
void unpack_run(const char *run, char path[TEST_PATH_MAX]);

#endif
