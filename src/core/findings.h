/* SPDX-License-Identifier: BSD-3-Clause */
/** Collects findings: why a decision is what it is. Decisions never depend on it. */
#ifndef SRV_CORE_FINDINGS_H
#define SRV_CORE_FINDINGS_H

#include <stdbool.h>

#include "core/error.h"
#include "servet/explain.h"

/** Where findings go, and what they are about. */
typedef struct srv_account {
    servet_findings *to; /**< NULL: nobody wants them, and nothing is done */
    servet_topic topic;
    const char *cores; /**< name of the kind of cores */
    int level;         /**< see servet_finding */
} srv_account;

/** A rule that was asked: two numbers, the constant that decides, and whether it is kept. */
typedef struct srv_rule {
    const char *name; /**< static storage */
    double value, limit;
    bool kept;
} srv_rule;

/** Notes an observation. Without memory the list's code says so; later ones are then dropped. */
void srv_seen(const srv_account *on, const char *format, ...) SRV_PRINTF(2, 3);

/** Notes what a rule said of something, in the same way. */
void srv_weighed(const srv_account *on, srv_rule rule, const char *format, ...) SRV_PRINTF(3, 4);

/** SERVET_OK, or the failure of a list that is not whole; NULL is fine. */
int srv_findings_check(const servet_findings *findings, servet_error *error);

#endif
