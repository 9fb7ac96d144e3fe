/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds models in $SERVET_MODELS, in share/models beside the running program (a build tree), in the
 * installation around it, and in the configured installation (DATADIR/models). Of several files of
 * one name the first counts.
 */
#ifndef SRV_MODEL_SHIPPED_H
#define SRV_MODEL_SHIPPED_H

#include "core/error.h"

/**
 * Writes the path of the model that `name` means into `path` of `size` bytes: itself, or for a name
 * without slash and ".json" the file of that name. Errors: SERVET_ENOTFOUND (for a name, the text
 * lists what is there).
 */
int srv_model_find(const char *name, char *path, size_t size, servet_error *error);

/** Receives the name of a model; a result other than SERVET_OK ends the visits. */
typedef int srv_model_visitor(void *context, const char *name);

/** Visits all names, in alphabetical order within a folder. Errors: those of the visitor. */
int srv_model_each(srv_model_visitor *visit, void *context);

#endif
