/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Raw series of an earlier measurement without answers on record: it sent other probes than this
 * version, or kept none.
 */
#ifndef SRV_RUN_RAW_H
#define SRV_RUN_RAW_H

#include "run/stage.h"

/** Whether `code` says that a recording lacks the answer, so that the raw series replace it. */
bool srv_raw_wanted(const srv_stage *stage, int code);

/** A file of numbers: rows after the header. */
typedef struct srv_raw_table {
    char path[SERVET_ERROR_FILE_MAX];
    char *text; /**< all of it; the caller frees it, also after a failure */
    char *rest; /**< the rows that were not read yet */
} srv_raw_table;

/** Reads the series `name` ("distance.csv"). Errors: SERVET_EUNMEASURED (there is none),
 * SERVET_EIO, SERVET_EMEMORY. */
int srv_raw_open(const srv_stage *stage, const char *name, srv_raw_table *made,
                 servet_error *error);

/** The next row of `columns` numbers; false at the end. Comments and headers are passed over.
 * Between srv_numbers_begin() and _end(). */
bool srv_raw_next(srv_raw_table *from, int columns, double *numbers);

#endif
