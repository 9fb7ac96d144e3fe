/* SPDX-License-Identifier: BSD-3-Clause */
/** What a method says of a simulated machine. */
#ifndef SRV_TESTS_FINDINGS_H
#define SRV_TESTS_FINDINGS_H

#include "machine/machine.h"

enum { FINDINGS_TEXT_MAX = 512 };

typedef enum finding_method { METHOD_2010, METHOD_DEFAULT, METHOD_COUNT } finding_method;

typedef struct findings {
    int code;  /**< SERVET_OK, or why the rest is empty */
    int count; /**< of levels */
    double bytes[SRV_CACHES_MAX];
    char groups[SRV_CACHES_MAX]
               [FINDINGS_TEXT_MAX]; /**< cores sharing a cache: "0,12 1,13"; "": not said */
    double steepest; /**< servet2010: where the curve rises most beyond the first level; bytes */
    double seconds;  /**< what it would have taken there */
} findings;

/** Asks `machine`, which the caller keeps, with working sets up to max_bytes (0: 64 MiB). */
findings findings_of(srv_machine *machine, finding_method method, double max_bytes);

/** Bytes in the largest unit that they are a multiple of: "3 MiB", "1536 KiB". */
const char *size_text(double bytes, char *text, size_t size);

#endif
