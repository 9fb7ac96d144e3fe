/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Raw series of an earlier measurement without answers on record: it sent other probes than this
 * version, or kept none.
 */
#ifndef SRV_RUN_RAW_H
#define SRV_RUN_RAW_H

#include "run/stage.h"

/** True if `code` says that a recording lacks the answer, so that the raw series replace it. */
bool srv_raw_wanted(const srv_stage *stage, int code);

/** A file of rows after a header, which is its first line that is no comment. */
typedef struct srv_raw_table {
    char path[SERVET_ERROR_FILE_MAX];
    char *text;  /**< all of it; the caller frees it, also after a failure */
    char *rest;  /**< the lines that were not read yet */
    int line;    /**< number of the last one read, from 1 */
    bool headed; /**< the header was read */
} srv_raw_table;

/** Reads the series `name` ("distance.csv"). Errors: SERVET_EUNMEASURED (there is none),
 * SERVET_EIO, SERVET_EMEMORY. */
int srv_raw_open(const srv_stage *stage, const char *name, srv_raw_table *made,
                 servet_error *error);

/** The next row; NULL at the end. Empty lines, comments and the header are passed over. */
char *srv_raw_line(srv_raw_table *from);

/** The numbers of the next row, of which there are `columns`; `*more`: there was one. Between
 * srv_numbers_begin() and _end(). Errors: srv_raw_malformed(). */
int srv_raw_next(srv_raw_table *from, int columns, double *numbers, bool *more,
                 servet_error *error);

/** The last line read is no row. Returns SERVET_EFORMAT. */
int srv_raw_malformed(const srv_raw_table *from, servet_error *error);

#endif
