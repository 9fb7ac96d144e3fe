/* SPDX-License-Identifier: BSD-3-Clause */
/** Where models are looked for. */
#ifndef SRV_MODEL_SHIPPED_H
#define SRV_MODEL_SHIPPED_H

#include "core/error.h"

/**
 * Writes the path of the model that `name` means into `path` of `size` bytes: itself, or for a name
 * without slash and ".json" the file of that name in $SERVET_MODELS or DATADIR/models.
 * Errors: SERVET_ENOTFOUND (for a name, the text lists what is there).
 */
int srv_model_find(const char *name, char *path, size_t size, servet_error *error);

#endif
