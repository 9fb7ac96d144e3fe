/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SRV_TESTS_DESCRIBE_KEYS_H
#define SRV_TESTS_DESCRIBE_KEYS_H

#include <stdbool.h>
#include <stdio.h>

/** Prints servet-keys(7), all keys in scdoc's format. */
bool keys_print(FILE *stream);

#endif
