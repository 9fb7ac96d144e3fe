/* SPDX-License-Identifier: BSD-3-Clause */
/** Model files for tests, one at a time in a folder of their own. */
#ifndef SRV_TESTS_MODEL_FILE_H
#define SRV_TESTS_MODEL_FILE_H

#include "test.h"

#include <stddef.h>

#include "sim/model.h"

/** The smallest valid model. */
extern const char model_least[];

/** Every member once, none at its default; two PUs a core, two cores an L2, four an L3. */
extern const char model_full[];

/** Two kinds of cores under one L2. */
extern const char model_hybrid[];

/** The file: node.json in the folder of models. */
extern char model_path[TEST_PATH_MAX];

/** Set-up and tear-down of each test: the folder. */
int model_file_begin(void **state);
int model_file_end(void **state);

/** Writes the file. */
void model_file_store(const char *text, size_t size);

/** Writes and reads it, which must succeed; the model ends with the test. */
srv_model *model_file_read(const char *text);

/** Reads what was stored; what fails hands over nothing and says where in one line. */
int model_file_try(servet_error *error);

#endif
