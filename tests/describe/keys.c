/* SPDX-License-Identifier: BSD-3-Clause */
/* The manual page of all keys. */
#include "keys.h"

#include <string.h>

#include "core/units.h"
#include "profile/keys/keys.h"

static const char head[] =
    "servet-keys(7)\n"
    "\n"
    "# NAME\n"
    "\n"
    "servet-keys - the facts of a profile by name\n"
    "\n"
    "# DESCRIPTION\n"
    "\n"
    "The keys of *servet get* (see servet(1)) and of _servet_profile_get()_ (see servet(3)), with\n"
    "their answers. N and M count from 1; cache levels and layers from the fastest. A fact that "
    "was\n"
    "not measured is an error. *servet diff* does not compare keys that are marked (not "
    "compared):\n"
    "they describe the measurement, or another key has the same fact.\n"
    "\n"
    "# KEYS\n";

static const char foot[] = "\n"
                           "# SEE ALSO\n"
                           "\n"
                           "*servet*(1), *servet*(3)\n";

/* The unit of a number; NULL: its key or summary says it, or there is none. */
static const char *unit_of(const srv_key *key)
{
    static const char *const names[SRV_UNIT_COUNT] = {
        [SERVET_UNIT_BYTE] = "bytes",
        [SERVET_UNIT_BYTE_PER_SECOND] = "bytes per second",
    };
    bool measured = key->type == SRV_VALUE || key->type == SRV_NUMBER;
    const char *name = measured ? names[key->field->unit] : NULL;
    bool said = name && (strstr(key->label.summary, "bytes") || strstr(key->pattern, "bytes"));
    return said ? NULL : name;
}

/* An item of a list has none: what its member says is about the list. */
static const char *detail_of(const srv_key *key)
{
    if (key->derived)
        return key->derived->detail;
    return key->is_item ? NULL : key->field->detail;
}

static bool print_key(const srv_key *key, void *context)
{
    FILE *stream = context;
    const char *unit = unit_of(key), *detail = detail_of(key);
    fprintf(stream, "\n*%s*\n\t%s", key->pattern, key->label.summary);
    if (unit)
        fprintf(stream, ", %s", unit);
    if (detail)
        fprintf(stream, "; %s", detail);
    if (key->label.weight == SRV_NOTE)
        fputs(" (not compared)", stream);
    return fputc('\n', stream) != EOF;
}

bool keys_print(FILE *stream)
{
    fputs(head, stream);
    (void)srv_keys_walk(print_key, stream);
    return fputs(foot, stream) != EOF;
}
