/* SPDX-License-Identifier: BSD-3-Clause */
/** Caches of GPUs from the results of MT4G (https://github.com/caps-tum/mt4g). */
#ifndef SRV_CLI_COMMANDS_MT4G_H
#define SRV_CLI_COMMANDS_MT4G_H

#include "servet/record.h"

/**
 * Stores the caches in the JSON file of MT4G at all accelerators of the profile that have the name
 * in the file. Errors: those of reading a file, SERVET_EFORMAT (it is no JSON, or not a result of
 * MT4G), SERVET_ENOTFOUND (the profile has no such accelerator), SERVET_EMEMORY.
 */
int cli_mt4g_store(servet_profile *profile, const char *path, servet_error *error);

#endif
