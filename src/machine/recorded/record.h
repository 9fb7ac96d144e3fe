/* SPDX-License-Identifier: BSD-3-Clause */
/** The files of a recording: of a machine or a network, being made or being replayed. */
#ifndef SRV_MACHINE_RECORDED_RECORD_H
#define SRV_MACHINE_RECORDED_RECORD_H

#include "core/file.h"
#include "machine/recorded/probes.h"

enum { SRV_RECORD_PATH_MAX = SERVET_ERROR_FILE_MAX };

/** A line of a recording, to be given once. */
typedef struct srv_line {
    char *text;
    int piece, number; /**< of which file, and where there, both from 1 */
    bool given;
} srv_line;

typedef struct srv_lines {
    srv_line *line;
    int count;
} srv_lines;

typedef struct srv_record {
    char folder[SRV_RECORD_PATH_MAX];
    int job;                    /**< of a network, from 1; 0: of a machine */
    bool replays;               /**< else it is being made */
    srv_lines fixed;            /**< answers that are given any number of times */
    bool changed;               /**< since they were stored */
    char part[SERVET_NAME_MAX]; /**< that is open, or was the last one */
    int piece;                  /**< of it, from 1 */
    srv_file file;              /**< of the part */
    bool open;                  /**< there is one */
    srv_lines lines;            /**< of the part, in a replay */
    int next;                   /**< line after the last one that was given */
    long long now;              /**< as the clock was read last; us */
} srv_record;

/** The file of a part's piece; with `part` NULL the one of what is fixed. Errors: SERVET_EIO (the
 * path is too long). */
int srv_record_path(const srv_record *on, const char *part, int piece,
                    char path[SRV_RECORD_PATH_MAX], servet_error *error);

/**
 * Opens the recording of a machine (job 0) or of a job in the folder: of an earlier measurement, or
 * to be made; with `known`, what is fixed and there is read. srv_record_finish() is due in any
 * case. Errors: SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT
 * (too large, or a line of no recording), SERVET_EMEMORY.
 */
int srv_record_open(srv_record *on, const char *folder, int job, bool replays, bool known,
                    servet_error *error);

/**
 * Records a call that was answered, `status` as its code, and gives it the answer as it was
 * written; or answers it from the recording. Returns the code of the answer. Errors:
 * SERVET_EUNMEASURED (it is not on record), SERVET_EFORMAT (file and line say where),
 * SERVET_EMEMORY.
 */
int srv_record_answer(srv_record *on, const srv_call *call, int status, servet_error *error);

/** Records that the clock says `now` (s), or reads from the recording what it said. It does not run
 * backwards if the probes differ. */
double srv_record_elapsed(srv_record *on, double now);

/** The first part of every recording. */
#define SRV_RECORD_BEGIN "begin"

/** Ends the part that is open and begins another, or with NULL none; the same name continues it. In
 * a replay NULL changes nothing. Errors: SERVET_EIO; SERVET_EUNMEASURED (it is not on record),
 * SERVET_EFORMAT, SERVET_EMEMORY. */
int srv_record_part(srv_record *on, const char *name, servet_error *error);

/** Frees all, without the part that is open. A zeroed one is valid. */
void srv_record_finish(srv_record *on);

#endif
