/* SPDX-License-Identifier: BSD-3-Clause */
/** Collects findings, the reasons of decisions. Decisions never depend on them. */
#ifndef SRV_CORE_FINDINGS_H
#define SRV_CORE_FINDINGS_H

#include <stdbool.h>

#include "core/error.h"
#include "servet/explain.h"

/** Destination of findings, and their subject. */
typedef struct srv_account {
    servet_findings *to; /**< NULL: findings are dropped */
    servet_topic topic;
    const char *cores; /**< name of the kind of cores */
    int level;         /**< see servet_finding */
} srv_account;

/** A rule that was applied: the constant that decides, and the value that it was compared with. */
typedef struct srv_rule {
    const char *name; /**< static storage; NULL: no constant, then the numbers are NAN */
    double value, limit;
    servet_outcome outcome;
} srv_rule;

/** Accepted or rejected. */
servet_outcome srv_outcome(bool accepted);

enum { SRV_SIZE_TEXT_MAX = 32 };

/** "512 KiB"; returns `text`. */
const char *srv_size_text(double bytes, char text[SRV_SIZE_TEXT_MAX]);

/** Notes an observation. If memory is exhausted, sets the list's code and drops this and all later
 * findings. */
void srv_note(const srv_account *on, const char *format, ...) SRV_PRINTF(2, 3);

/** Notes the outcome of a rule, in the same way. */
void srv_note_rule(const srv_account *on, srv_rule rule, const char *format, ...) SRV_PRINTF(3, 4);

/** Returns the failure of an incomplete list; SERVET_OK for a complete one, and for NULL. */
int srv_findings_check(const servet_findings *findings, servet_error *error);

#endif
