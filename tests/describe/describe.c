/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints descriptions of the profile from its shapes: `describe schema` the JSON schema, `describe
 * keys` the manual page of the keys. */
#include <stdio.h>
#include <string.h>

#include "core/json/layout.h"
#include "profile/shape/shape.h"

#include "keys.h"
#include "schema.h"

static bool print_schema(FILE *stream)
{
    char title[64];
    snprintf(title, sizeof title, "Servet profile, schema %d", SRV_SCHEMA);
    json_t *schema = schema_create(
        &srv_profile_shape, title,
        "Results of measurements on a cluster. Written and read by libservet; see doc/profile.md. "
        "Members that are not named here are ignored. A fact that is null or absent was not "
        "measured.");
    bool done = srv_json_put(stream, schema);
    json_decref(schema);
    return done;
}

static const struct {
    const char *name;
    bool (*print)(FILE *stream);
} pages[] = {
    {"schema", print_schema},
    {"keys", keys_print},
};

int main(int count, char **arguments)
{
    for (size_t i = 0; count == 2 && i < sizeof pages / sizeof *pages; i++)
        if (strcmp(arguments[1], pages[i].name) == 0)
            return pages[i].print(stdout) && fflush(stdout) == 0 ? 0 : 1;
    fputs("usage: describe schema|keys\n", stderr);
    return 2;
}
