/* SPDX-License-Identifier: BSD-3-Clause */
/** A raw series that is being written: one of the files of options->raw_dir. */
#ifndef SRV_RUN_RAW_FILE_H
#define SRV_RUN_RAW_FILE_H

#include <stdbool.h>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

typedef struct srv_raw_file {
    FILE *stream; /**< to write to; numbers have a point, whatever the locale */
    srv_file file;
    srv_numbers numbers;
    int code; /**< of what failed, or SERVET_OK; the writer may set it */
} srv_raw_file;

/**
 * Begins the file with this name, like the format of printf() ("line-L%d.csv"), in the folder
 * `raw_dir`. False: there is nothing to write, because no raw series are kept (NULL), or it failed
 * (SERVET_EIO). srv_raw_end() is due in any case.
 */
bool srv_raw_begin(srv_raw_file *to, const char *raw_dir, servet_error *error, const char *name,
                   ...) SRV_PRINTF(4, 5);

/** Puts the file, if one was begun and nothing failed, in place of an earlier one. Errors:
 * to->code, SERVET_EIO. */
int srv_raw_end(srv_raw_file *to, servet_error *error);

#endif
