/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/contradiction.h"

#include <stdio.h>

#include "core/findings.h"
#include "core/units.h"
#include "servet/record.h"

enum { AMOUNT_MAX = 48 };
_Static_assert((int)AMOUNT_MAX >= (int)SRV_SIZE_TEXT_MAX, "a size fits");

static const char *print_amount(const servet_value *value, char text[AMOUNT_MAX])
{
    if (value->unit == SERVET_UNIT_BYTE)
        return srv_size_text(value->value, text);
    bool time = value->unit == SERVET_UNIT_SECOND, none = value->unit == SERVET_UNIT_NONE;
    servet_value written = time ? srv_value_in_unit(*value, SRV_UNIT_NANOSECOND) : *value;
    const char *unit = time ? "ns" : servet_unit_symbol(value->unit);
    snprintf(text, AMOUNT_MAX, "%.6g%s%s", written.value, none ? "" : " ", none ? "" : unit);
    return text;
}

/* Facts that were counted by conflicts are marked, too: one of two contradicting facts is wrong. */
int srv_contradict(servet_profile *profile, int class, const srv_fact *of, const srv_fact *other,
                   const char *statement, servet_error *error)
{
    char reason[SERVET_TEXT_MAX], amount[AMOUNT_MAX], other_amount[AMOUNT_MAX];
    snprintf(reason, sizeof reason, "%s: %s here, but %s in %s", statement,
             print_amount(of->value, amount), print_amount(other->value, other_amount),
             other->path);
    int code = servet_profile_distrust(profile, class, of->path, reason, error);
    of->value->trusted = false;
    return code;
}

bool srv_is_sure(const srv_fact *of)
{
    return servet_value_known(of->value) && of->value->trusted;
}

int srv_demand_order(servet_profile *profile, int class, const srv_fact *lesser,
                     const srv_fact *greater, const char *statement, servet_error *error)
{
    if (!srv_is_sure(lesser) || !srv_is_sure(greater) || lesser->value->low <= greater->value->high)
        return SERVET_OK;
    int code = srv_contradict(profile, class, lesser, greater, statement, error);
    return code == SERVET_OK ? srv_contradict(profile, class, greater, lesser, statement, error)
                             : code;
}
