/* SPDX-License-Identifier: BSD-3-Clause */
/** Composes advice: the text, the reason, and the facts from which it follows. */
#ifndef SRV_ADVICE_SAY_H
#define SRV_ADVICE_SAY_H

#include "core/human.h"
#include "servet/advice.h"

/** The subject of an advice. */
typedef struct srv_subject {
    const servet_profile *profile;
    servet_at at;                       /**< the class, and a core of the core type */
    const char *kind;                   /**< name of the core type, if there are several; or "" */
    char on_kind[SERVET_NAME_MAX + 16]; /**< " on performance cores", or "" */
    servet_advice_for whom;
    char cores[SERVET_CORES_MAX]; /**< PUs of the class that it may use, as ranges; "": not known */
    int level; /**< cache level or communication layer to which a rule is applied */
} srv_subject;

/** A rule. It returns false if the profile has no facts for it, or if there is nothing to advise.
 */
typedef bool srv_advice_rule(const srv_subject *on, servet_advice *advice);

/** Writes a part of an advice and replaces its text. */
#define SRV_SAY(advice, ...) snprintf((advice)->text, sizeof(advice)->text, __VA_ARGS__)
#define SRV_WHY(advice, ...) snprintf((advice)->why, sizeof(advice)->why, __VA_ARGS__)

/** Notes that the advice follows from the fact with this key. If the fact is not trusted, notes the
 * reason, unless there is one already. */
void srv_rest_on(const srv_subject *on, servet_advice *advice, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Marks the advice as not trusted for this reason, unless there is one already. */
void srv_doubt_advice(servet_advice *advice, const char *reason);

/** Returns the advised number, with the interval of the facts. */
servet_value srv_advised(double number, servet_unit unit, const servet_value *from);

/** The ratio `far` / `near`, with its interval. */
servet_value srv_times(const servet_value *far, const servet_value *near);

/** "" for one, "s" for any other number. */
const char *srv_plural(int count);

/** "4.76": a bandwidth in GB/s. */
void srv_rate_text(double rate, char text[HUMAN_MAX]);

/** Programs notice a difference if the intervals differ by this ratio or more. */
#define SRV_NOTICEABLE 1.05

/** The rules of each family, which end with NULL. */
extern srv_advice_rule *const srv_cache_rules[]; /**< for each cache level of a core type */
extern srv_advice_rule *const srv_kind_rules[];  /**< for each core type */
extern srv_advice_rule *const srv_node_rules[];  /**< for the node */
extern srv_advice_rule *const srv_layer_rules[]; /**< for each communication layer */

#endif
