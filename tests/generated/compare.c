/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text for a fact that is not given. */
static const char ABSENT[] = "-";

__attribute__((format(printf, 3, 0))) static truth *add(truths *all, const char *fact,
                                                        const char *key, va_list arguments)
{
    if (all->count == TRUTHS_MAX)
        abort();
    truth *next = &all->list[all->count++];
    *next = (truth){.value = NAN};
    snprintf(next->fact, sizeof next->fact, "%s", fact);
    vsnprintf(next->key, sizeof next->key, key, arguments);
    return next;
}

truth *truth_number(truths *all, const char *fact, double value, double tolerance, const char *key,
                    ...)
{
    va_list arguments;
    va_start(arguments, key);
    truth *next = add(all, fact, key, arguments);
    va_end(arguments);
    next->value = value;
    next->tolerance = tolerance;
    return next;
}

truth *truth_none(truths *all, const char *fact, const char *key, ...)
{
    va_list arguments;
    va_start(arguments, key);
    truth *next = add(all, fact, key, arguments);
    va_end(arguments);
    snprintf(next->text, sizeof next->text, "%s", ABSENT);
    return next;
}

truth *truth_text(truths *all, const char *fact, const char *text, const char *key, ...)
{
    va_list arguments;
    va_start(arguments, key);
    truth *next = add(all, fact, key, arguments);
    va_end(arguments);
    snprintf(next->text, sizeof next->text, "%s", text);
    return next;
}

/* An end of the interval; what has none is exact. */
static double end_of(const servet_profile *profile, const truth *fact, const char *which,
                     double exact)
{
    char key[TRUTH_KEY_MAX + 8], said[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "%s.%s", fact->key, which);
    int code = servet_profile_get(profile, NULL, key, said, sizeof said, NULL);
    return code == SERVET_OK ? atof(said) : exact;
}

static bool holds(const servet_profile *profile, const truth *fact, const char *said)
{
    double value = atof(said), tolerance = fact->tolerance;
    if (fact->text[0] != '\0')
        return strcmp(said, fact->text) == 0;
    if (fabs(value - fact->value) <= tolerance * fabs(fact->value))
        return true;
    return end_of(profile, fact, "low", value) <= fact->value &&
           end_of(profile, fact, "high", value) >= fact->value;
}

outcome compare_fact(const servet_profile *profile, const truth *fact, char *said)
{
    servet_trust trust;
    snprintf(said, TRUTH_TEXT_MAX, "%s", ABSENT);
    if (servet_profile_get(profile, NULL, fact->key, said, TRUTH_TEXT_MAX, NULL) != SERVET_OK)
        return strcmp(fact->text, ABSENT) == 0 ? FACT_RIGHT : FACT_ABSENT;
    if (servet_profile_trust(profile, NULL, fact->key, &trust, NULL) != SERVET_OK || !trust.trusted)
        return FACT_MARKED;
    return holds(profile, fact, said) ? FACT_RIGHT : FACT_WRONG;
}
