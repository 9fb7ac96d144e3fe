/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/human.h"
#include "cli/query.h"
#include "cli/report/report.h"
#include "servet/identity.h"
#include "servet/measure.h"

typedef struct check_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class;
    bool fitness;
} check_arguments;

/* --- comparing -------------------------------------------------------------------------------- */

typedef enum field_type { TEXT, SIZE } field_type;

/*
 * What decides whether measurements are still valid, besides the fingerprint. Kernel and host name
 * do not, nor the numbers of cores, packages and NUMA nodes: profile and machine report only those
 * that a job may use. Firmware and hypervisors reserve a varying part of memory, hence the
 * tolerance.
 */
static const double memory_tolerance = 0.05;

static const struct field {
    const char *name;
    field_type type;
    size_t offset;
} fields[] = {
    {"architecture", TEXT, offsetof(servet_machine, architecture)},
    {"cpu", TEXT, offsetof(servet_machine, cpu)},
    {"memory_bytes", SIZE, offsetof(servet_machine, memory_bytes)},
    {"page_bytes", SIZE, offsetof(servet_machine, page_bytes)},
};

enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static bool same(const struct field *field, const void *profile, const void *machine)
{
    if (field->type == TEXT)
        return strcmp(profile, machine) == 0;
    double a = *(const double *)profile, b = *(const double *)machine;
    return fabs(a - b) <= memory_tolerance * fmax(a, b);
}

static void format(const struct field *field, const void *at, char text[SERVET_TEXT_MAX])
{
    char size[HUMAN_MAX];
    if (field->type == SIZE)
        human_bytes(*(const double *)at, size);
    const char *told = field->type == SIZE ? size : at;
    snprintf(text, SERVET_TEXT_MAX, "%s", *told ? told : "nothing");
}

/* The number of fields that differ; prints them if `say` is set. */
static int compare(const servet_machine *profile, const servet_machine *machine, bool say)
{
    char said[SERVET_TEXT_MAX], found[SERVET_TEXT_MAX];
    int count = 0;
    for (const struct field *field = fields; field < fields + FIELD_COUNT; field++) {
        const void *a = (const char *)profile + field->offset;
        const void *b = (const char *)machine + field->offset;
        if (same(field, a, b))
            continue;
        count++;
        format(field, a, said);
        format(field, b, found);
        if (say)
            printf("%s: the profile has %s, this machine has %s\n", field->name, said, found);
    }
    /* It has the same of the fields above in other words, so it counts where they agree. */
    if (count == 0 &&
        servet_fingerprints_differ(profile->fingerprint, machine->fingerprint, said, sizeof said)) {
        count++;
        if (say)
            printf("fingerprint: %s\n", said);
    }
    return count;
}

/* --- sets of cores ---------------------------------------------------------------------------- */

typedef struct range {
    long first, last;
} range;

/* Takes the first range off a set ("0-3,8"), which is well formed, as all of profile and machine.
 */
static bool next_range(const char **set, range *next)
{
    char *end;
    if (!**set)
        return false;
    next->first = next->last = strtol(*set, &end, 10);
    if (*end == '-')
        next->last = strtol(end + 1, &end, 10);
    *set = end + (*end == ',');
    return true;
}

/* The last number of the range that holds `number`; -1 if none does. */
static long end_of_range(const char *set, long number)
{
    range next;
    while (next_range(&set, &next))
        if (next.first <= number && number <= next.last)
            return next.last;
    return -1;
}

static bool subset(const char *set, const char *of)
{
    range next;
    while (next_range(&set, &next))
        while (next.first <= next.last) {
            long covered = end_of_range(of, next.first);
            if (covered < 0)
                return false;
            next.first = covered + 1;
        }
    return true;
}

/* --- the class to compare with ---------------------------------------------------------------- */

/* Of a node that no class lists: the class it resembles most; among equals one that knows its
 * cores. */
static const char *nearest_class(const servet_profile *profile, const servet_machine *machine)
{
    const char *nearest = NULL;
    int least = 2 * FIELD_COUNT + 4;
    for (int i = 0; i < servet_profile_class_count(profile); i++) {
        servet_machine stored;
        servet_at at = {.node_class = servet_profile_class_name(profile, i),
                        .core = SERVET_ANY_CORE};
        if (servet_profile_machine(profile, &at, &stored) != SERVET_OK)
            continue;
        int distance = 2 * compare(&stored, machine, false) + !subset(machine->cores, stored.cores);
        if (distance < least) {
            least = distance;
            nearest = at.node_class;
        }
    }
    return nearest;
}

/* Prints where the node differs from the one in the profile, and chooses the class to compare it
 * with. */
static const char *choose_class(const servet_profile *profile, const servet_machine *machine,
                                const char *requested)
{
    int index;
    bool listed = servet_profile_class_of(profile, machine->hostname, &index) == SERVET_OK;
    if (!listed)
        printf("note: the profile does not list %s\n", machine->hostname);
    if (requested)
        return requested;
    bool found = listed || servet_profile_here(profile, &index, NULL) == SERVET_OK;
    return found ? servet_profile_class_name(profile, index) : nearest_class(profile, machine);
}

static int check(const servet_profile *profile, const char *requested, bool *fits,
                 servet_error *error)
{
    servet_machine machine, stored;
    char name[SERVET_NAME_MAX];
    int code = servet_machine_here(&machine, error);
    if (code != SERVET_OK)
        return code;
    servet_at at = {.node_class = choose_class(profile, &machine, requested),
                    .core = SERVET_ANY_CORE};
    code = servet_profile_get(profile, &at, "class.name", name, sizeof name, error);
    if (code != SERVET_OK)
        return code;
    servet_profile_machine(profile, &at, &stored);
    *fits = compare(&stored, &machine, true) == 0;
    if (*stored.cores && !subset(machine.cores, stored.cores))
        printf("note: the profile covers cores %s, this job may use %s\n", stored.cores,
               machine.cores);
    printf("%s %s node class '%s' of %s\n", machine.hostname, *fits ? "fits" : "does not fit", name,
           servet_profile_path(profile));
    *fits = cli_report_fitness(profile, &at) && *fits;
    return SERVET_OK;
}

/* The profile alone, on whatever machine: of one class, or of all. */
static int check_fitness(const servet_profile *profile, const char *requested, bool *fits,
                         servet_error *error)
{
    char name[SERVET_NAME_MAX];
    servet_at at = {.node_class = requested, .core = SERVET_ANY_CORE};
    int code = requested ? servet_profile_get(profile, &at, "class.name", name, sizeof name, error)
                         : SERVET_OK;
    if (code == SERVET_OK)
        *fits = cli_report_fitness(profile, &at);
    return code;
}

static int run(const void *parsed)
{
    const check_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    bool fits = false;
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK)
        return cli_error(&error);
    int code =
        (arguments->fitness ? check_fitness : check)(profile, arguments->node_class, &fits, &error);
    servet_profile_close(profile);
    if (code != SERVET_OK)
        return cli_error(&error);
    int status = cli_finish_output();
    return status == CLI_OK && !fits ? CLI_FAILED : status;
}

static const cli_option options[] = {
    CLI_OPTION_CLASS(check_arguments),
    {"fitness", 0, CLI_FLAG, offsetof(check_arguments, fitness), NULL,
     "check only whether the profile is fit for use, on any machine"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_check = {
    .name = "check",
    .summary = "check whether a profile is fit for use and for this machine",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(check_arguments),
    .operands_offset = offsetof(check_arguments, operands),
    .run = run,
};
