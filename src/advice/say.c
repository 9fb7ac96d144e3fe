/* SPDX-License-Identifier: BSD-3-Clause */
#include "advice/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *srv_plural(int count)
{
    return count == 1 ? "" : "s";
}

void srv_rate_text(double rate, char text[HUMAN_MAX])
{
    human_digits(rate * 1e-9, 3, text);
}

void srv_doubt_advice(servet_advice *advice, const char *reason)
{
    if (advice->trusted)
        snprintf(advice->doubt, sizeof advice->doubt, "%s", reason);
    advice->trusted = false;
}

/* Returns the class and core of a key. Facts of communication are the same for any class. */
static servet_at about(const srv_subject *on, const char *key)
{
    bool of_node = strncmp(key, "layers.", 7) != 0 && strncmp(key, "network.", 8) != 0;
    const char *any = servet_profile_class_name(on->profile, 0);
    return of_node ? on->at : (servet_at){.node_class = any, .core = SERVET_ANY_CORE};
}

void srv_rest_on(const srv_subject *on, servet_advice *advice, const char *format, ...)
{
    servet_trust trust;
    char key[SERVET_NAME_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(key, sizeof key, format, arguments);
    va_end(arguments);
    const servet_at at = about(on, key);
    if (servet_profile_trust(on->profile, &at, key, &trust, NULL) != SERVET_OK)
        return; /* not measured: the advice does not need it */
    size_t used = strlen(advice->facts);
    if (used + strlen(key) + 2 <= sizeof advice->facts)
        snprintf(advice->facts + used, sizeof advice->facts - used, "%s%s", used ? " " : "", key);
    if (!trust.trusted)
        srv_doubt_advice(advice, trust.reason);
}

servet_value srv_advised(double number, servet_unit unit, const servet_value *from)
{
    servet_value advised = *from;
    double scale = from->value != 0 ? number / from->value : 1;
    advised.value = number;
    advised.low = scale * from->low;
    advised.high = scale * from->high;
    advised.unit = unit;
    return advised;
}

servet_value srv_times(const servet_value *far, const servet_value *near)
{
    servet_value times = *far;
    times.value = far->value / near->value;
    times.low = far->low / near->high;
    times.high = far->high / near->low;
    times.unit = SERVET_UNIT_NONE;
    times.trusted = far->trusted && near->trusted;
    return times;
}
