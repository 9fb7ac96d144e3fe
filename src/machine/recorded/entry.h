/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Probes of a machine and their answers as lines of text:
 *
 *     noise 1 0 0.1 = 1 0.0123 nan 0.002 3.69
 *
 * is the word of the probe, the number of its structs and their members, then the same for the
 * answer. If the probe failed, its code stands instead of an answer: "! SERVET_EUNSUPPORTED". A
 * table lists a struct's members (rows.h): a new member of a probe is a new row.
 */
#ifndef SRV_MACHINE_RECORDED_ENTRY_H
#define SRV_MACHINE_RECORDED_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "servet/error.h"

/** Returns true if a number may be an answer: NaN and infinity say that there is none, and one that
 * no machine gives is none. */
bool srv_is_timing(double number);

/** How a member is held in C. */
typedef enum srv_item_type {
    SRV_ITEM_INT,
    SRV_ITEM_LONG,   /**< long long */
    SRV_ITEM_SIZE,   /**< size_t */
    SRV_ITEM_SEED,   /**< uint64_t */
    SRV_ITEM_NUMBER, /**< double, written with 7 digits; NaN and infinity are numbers, too */
    SRV_ITEM_SHORT,  /**< float, written with 4 digits: of many */
    SRV_ITEM_EXACT,  /**< double, whole bytes */
    SRV_ITEM_FLAG,   /**< bool */
    SRV_ITEM_TEXT,   /**< char[size] */
    SRV_ITEM_STRING, /**< char *, owned */
} srv_item_type;

/** A member. */
typedef struct srv_item {
    srv_item_type type;
    size_t offset;
    size_t size; /**< SRV_ITEM_TEXT: of the array */
    bool loose;  /**< of a probe: another value requests another sample of the same */
    /** at the end of the last struct of an answer: a text that earlier records lack */
    bool later;
} srv_item;

/** A struct. */
typedef struct srv_row {
    const srv_item *items;
    int count;
    size_t size;
} srv_row;

/** An array of structs; `row` is NULL if there is none. */
typedef struct srv_rows {
    const srv_row *row;
    const void *at;
    int count;
} srv_rows;

/** A probe. */
typedef struct srv_recorded_probe {
    const char *word;
    srv_rows parameters;
} srv_recorded_probe;

/** Room for an answer. */
typedef struct srv_answer {
    const srv_row *row;
    void *at;
    int *count; /**< structs, room for `most`; NULL: always `most` */
    int most;
} srv_answer;

/**
 * Writes a probe, without the answer and the end of the line; loosely: "*" stands for what
 * distinguishes samples of the same. Timings are written with fewer digits than doubles have; a
 * measurement continues with the written values, so that it can be repeated to the last digit.
 */
void srv_recorded_probe_write(const srv_recorded_probe *probe, bool loosely, FILE *stream);

/** Writes " = " and an answer. */
void srv_answer_write(const srv_answer *answer, FILE *stream);

/** Writes " ! " and the name of an error. */
void srv_refusal_write(int code, FILE *stream);

/** The error of what follows a probe; SERVET_OK where that is no refusal. */
int srv_refusal_read(const char *text);

/** True if the line begins with this probe, written exactly or loosely; `*answer` is what follows
 * then. */
bool srv_recorded_probe_matches(const char *line, const char *probe, const char **answer);

/**
 * Reads what follows the probe in a line. Owned strings that the structs hold are replaced, not
 * freed. Errors: SERVET_EFORMAT; that of a refusal, which is not explained; SERVET_EMEMORY.
 */
int srv_answer_read(const char *text, const srv_answer *answer);

#endif
