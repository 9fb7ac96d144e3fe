/* SPDX-License-Identifier: BSD-3-Clause */
/** Composes advice: the text, the reason, and the facts it rests on. */
#ifndef SRV_ADVICE_SAY_H
#define SRV_ADVICE_SAY_H

#include "core/human.h"
#include "servet/advice.h"

/** The subject of an advice. */
typedef struct srv_subject {
    const servet_profile *profile;
    servet_at at;                       /**< the class, and of a core type any of its cores */
    const char *kind;                   /**< name of the core type, if there are several; or "" */
    char on_kind[SERVET_NAME_MAX + 16]; /**< " on performance cores", or "" */
    servet_advice_for whom;
    char cores[SERVET_CORES_MAX]; /**< PUs of the class that it may use, as ranges; "": not known */
    int level; /**< cache level or communication layer that a rule is applied to */
} srv_subject;

/** A rule: false if the profile has no facts for it, or if there is nothing to advise. */
typedef bool srv_advice_rule(const srv_subject *on, servet_advice *advice);

/** Writes a part of an advice and replaces its text. */
#define SRV_SAY(advice, ...) snprintf((advice)->text, sizeof(advice)->text, __VA_ARGS__)
#define SRV_WHY(advice, ...) snprintf((advice)->why, sizeof(advice)->why, __VA_ARGS__)

/** Notes that the advice rests on the fact of a key, and the first reason not to trust such a fact.
 */
void srv_rest_on(const srv_subject *on, servet_advice *advice, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Marks the advice as not trusted for this reason, unless there is one already. */
void srv_doubt_advice(servet_advice *advice, const char *reason);

/** Sets the advised number, whose interval is that of the facts. */
servet_value srv_advised(double number, servet_unit unit, const servet_value *from);

/** The ratio `far` / `near`, with its interval. */
servet_value srv_times(const servet_value *far, const servet_value *near);

/** "" for one, "s" for any other number. */
const char *srv_plural(int count);

/** "4.76": a bandwidth in GB/s. */
void srv_rate_text(double rate, char text[HUMAN_MAX]);

/** Ratio of intervals from which on programs notice the difference. */
#define SRV_NOTICEABLE 1.05

/** The rules of each family, which end with NULL. */
extern srv_advice_rule *const srv_cache_rules[]; /**< of each cache level of a core type */
extern srv_advice_rule *const srv_kind_rules[];  /**< of each core type */
extern srv_advice_rule *const srv_node_rules[];  /**< of the node */
extern srv_advice_rule *const srv_layer_rules[]; /**< of each communication layer */

#endif
