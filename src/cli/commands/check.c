/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/report/report.h"
#include "core/error.h"
#include "core/human.h"
#include "core/units.h"
#include "servet/identity.h"
#include "servet/measure.h"

typedef struct check_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class, *model;
    double seconds;
    bool fitness, json, measure;
} check_arguments;

/* --- comparing -------------------------------------------------------------------------------- */

typedef enum field_type { TEXT, SIZE } field_type;

/* Facts, besides the fingerprint, that make measurements invalid when they change. Kernel and host
 * name do not. Neither do the numbers of cores, packages and NUMA nodes, because profile and
 * machine report only those that a job may use. Firmware and hypervisors reserve a varying part of
 * memory, hence the tolerance. */
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

/* A fact that differs, in the profile and on the machine. */
typedef struct difference {
    const char *name;
    char profile[SERVET_TEXT_MAX], machine[SERVET_TEXT_MAX];
    char sentence[SERVET_TEXT_MAX]; /* "" if the two texts above are sufficient */
} difference;

/* Stores the fields that differ in `found`; returns their number. */
static int compare(const servet_machine *profile, const servet_machine *machine,
                   difference found[FIELD_COUNT])
{
    int count = 0;
    for (const struct field *field = fields; field < fields + FIELD_COUNT; field++) {
        const void *a = (const char *)profile + field->offset;
        const void *b = (const char *)machine + field->offset;
        if (same(field, a, b))
            continue;
        difference *next = &found[count++];
        *next = (difference){.name = field->name};
        format(field, a, next->profile);
        format(field, b, next->machine);
    }
    /* The fingerprint contains the fields above in another form, so it is compared only if they
     * agree. */
    if (count == 0 && servet_fingerprints_differ(profile->fingerprint, machine->fingerprint,
                                                 found->sentence, sizeof found->sentence)) {
        found->name = "fingerprint";
        strcpy(found->profile, profile->fingerprint);
        strcpy(found->machine, machine->fingerprint);
        count = 1;
    }
    return count;
}

/* --- the class to compare with ---------------------------------------------------------------- */

/* Finds, for a node that no class lists, the most similar class; among equals, one with known
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
        difference ignored[FIELD_COUNT];
        int distance = 2 * compare(&stored, machine, ignored) +
                       !srv_ranges_within(machine->cores, stored.cores);
        if (distance < least) {
            least = distance;
            nearest = at.node_class;
        }
    }
    return nearest;
}

/* --- the check -------------------------------------------------------------------------------- */

/* Results of a check. */
typedef struct findings {
    servet_machine machine, stored; /* this machine, and the class's first node */
    char node_class[SERVET_NAME_MAX];
    bool listed; /* the profile lists this node */
    bool fits;
    difference differences[FIELD_COUNT];
    int count;
} findings;

/* The class to compare with; NULL: the profile has none. */
static const char *choose_class(const servet_profile *profile, const char *requested,
                                findings *found)
{
    int index;
    found->listed = servet_profile_class_of(profile, found->machine.hostname, &index) == SERVET_OK;
    if (requested)
        return requested;
    bool here = found->listed || servet_profile_here(profile, &index, NULL) == SERVET_OK;
    return here ? servet_profile_class_name(profile, index)
                : nearest_class(profile, &found->machine);
}

static int check(const servet_profile *profile, const char *model, servet_at *at, findings *found,
                 servet_error *error)
{
    int code = model ? servet_machine_of_model(model, &found->machine, error)
                     : servet_machine_here(&found->machine, error);
    if (code != SERVET_OK)
        return code;
    at->node_class = choose_class(profile, at->node_class, found);
    code = servet_profile_get(profile, at, "class.name", found->node_class,
                              sizeof found->node_class, error);
    if (code != SERVET_OK)
        return code;
    servet_profile_machine(profile, at, &found->stored);
    found->count = compare(&found->stored, &found->machine, found->differences);
    found->fits = found->count == 0;
    return SERVET_OK;
}

static bool covers(const findings *found)
{
    return !*found->stored.cores || srv_ranges_within(found->machine.cores, found->stored.cores);
}

static void print_text(const servet_profile *profile, const findings *found)
{
    const char *host = found->machine.hostname;
    char path[CLI_CLEAN_MAX];
    if (!found->listed)
        printf("note: the profile does not list %s\n", host);
    for (const difference *at = found->differences; at < found->differences + found->count; at++)
        if (*at->sentence)
            printf("%s: %s\n", at->name, at->sentence);
        else
            printf("%s: the profile has %s, this machine has %s\n", at->name, at->profile,
                   at->machine);
    if (!covers(found))
        printf("note: the profile covers the PUs %s, this job may use %s\n", found->stored.cores,
               found->machine.cores);
    printf("%s %s node class '%s' of %s\n", host, found->fits ? "fits" : "does not fit",
           found->node_class, cli_clean(servet_profile_path(profile), path));
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *machine_json(const findings *found)
{
    json_t *list = json_array();
    for (const difference *at = found->differences; at < found->differences + found->count; at++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", at->name, "profile",
                                              at->profile, "machine", at->machine));
    return json_pack("{s:s, s:s, s:b, s:b, s:b, s:o}", "host", found->machine.hostname, "class",
                     found->node_class, "listed", found->listed, "covers_cores", covers(found),
                     "fits", found->fits, "differences", list);
}

/* Prints the result as JSON; `found` is NULL if only the fitness was requested. */
static int print_json(const servet_profile *profile, const servet_at *at, const findings *found,
                      const servet_fitness *fitness, servet_error *error)
{
    char *doubtful = cli_report_doubtful(profile, at);
    json_t *all = found ? machine_json(found) : json_object();
    json_object_set_new(all, "profile", json_string(servet_profile_path(profile)));
    json_object_set_new(all, "fit_for_use", json_boolean(fitness->fit));
    json_object_set_new(all, "doubtful", json_string(doubtful));
    json_object_set_new(all, "noise", json_string(fitness->noise));
    int code = cli_print_json(all, JSON_INDENT(1), error);
    code = doubtful ? code : srv_fail_memory(error);
    free(doubtful);
    return code;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Checks only the profile, on any machine: one class, or all. */
static int check_class(const servet_profile *profile, const servet_at *at, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    return at->node_class ? servet_profile_get(profile, at, "class.name", name, sizeof name, error)
                          : SERVET_OK;
}

static int check_and_print(const servet_profile *profile, const check_arguments *arguments,
                           bool *fits, servet_error *error)
{
    servet_at at = {arguments->node_class, SERVET_ANY_CORE};
    findings found = {.fits = true};
    servet_fitness fitness = {.fit = false};
    int code = arguments->fitness ? check_class(profile, &at, error)
                                  : check(profile, NULL, &at, &found, error);
    if (code != SERVET_OK)
        return code;
    (void)servet_profile_fitness(profile, &at, &fitness);
    *fits = found.fits && fitness.fit;
    if (arguments->json)
        return print_json(profile, &at, arguments->fitness ? NULL : &found, &fitness, error);
    if (!arguments->fitness)
        print_text(profile, &found);
    if (found.fits)
        cli_print_fitness(profile, &at);
    return SERVET_OK;
}

/* --- speed ------------------------------------------------------------------------------------ */

/* "core 3 by 30 % (2.4 ns a load, not 1.7)" */
static void print_slow(const servet_slow_part *slow)
{
    if (slow->core < 0)
        printf("memory by %s %% (%s GB/s, not %s)", HUMAN(100 * slow->loss, 2),
               HUMAN(slow->found / 1e9, 3), HUMAN(slow->expected / 1e9, 3));
    else
        printf("core %d by %s %% (%s ns a load, not %s)", slow->core, HUMAN(100 * slow->loss, 2),
               HUMAN(slow->found * HUMAN_NS, 3), HUMAN(slow->expected * HUMAN_NS, 3));
}

static void print_speed(const findings *found, const servet_speed *speed)
{
    int shown = speed->slow_count < SERVET_SLOW_MAX ? speed->slow_count : SERVET_SLOW_MAX;
    if (!found->fits) {
        printf("%s does not fit node class '%s': %s\n", found->machine.hostname, found->node_class,
               found->differences[0].name);
        return;
    }
    printf("%s%s node class '%s'", found->machine.hostname,
           speed->slow_count  ? " is slower than"
           : speed->unchecked ? ": nothing slow found in what was compared with"
                              : " is as fast as",
           found->node_class);
    for (int i = 0; i < shown; i++) {
        fputs(i ? ", " : ": ", stdout);
        print_slow(&speed->slow[i]);
    }
    if (shown < speed->slow_count)
        printf(" and %d more", speed->slow_count - shown);
    printf("%s%d core%s%s compared", speed->slow_count ? "; " : ": ", speed->cores,
           speed->cores == 1 ? "" : "s", speed->memory ? " and memory" : "");
    if (speed->unchecked)
        printf(", %d without time", speed->unchecked);
    putchar('\n');
}

static json_t *slow_json(const servet_speed *speed)
{
    json_t *list = json_array();
    for (int i = 0; i < speed->slow_count && i < SERVET_SLOW_MAX; i++) {
        const servet_slow_part *slow = &speed->slow[i];
        json_array_append_new(list,
                              json_pack("{s:o, s:f, s:f, s:f, s:s}", "core",
                                        slow->core < 0 ? json_null() : json_integer(slow->core),
                                        "loss", slow->loss, "found", slow->found, "expected",
                                        slow->expected, "unit", servet_unit_symbol(slow->unit)));
    }
    return list;
}

static int print_speed_json(const findings *found, const servet_speed *speed, servet_error *error)
{
    json_t *all =
        json_pack("{s:s, s:s, s:b, s:i, s:b, s:i, s:i, s:o, s:f}", "host", found->machine.hostname,
                  "class", found->node_class, "fits", found->fits, "cores", speed->cores, "memory",
                  speed->memory, "unchecked", speed->unchecked, "slow_count", speed->slow_count,
                  "slow", slow_json(speed), "seconds", speed->seconds);
    return cli_print_json(all, JSON_INDENT(1) | JSON_REAL_PRECISION(6), error);
}

/* Checks the speed and prints one line, for the health checks of schedulers. */
static int check_speed(const servet_profile *profile, const check_arguments *arguments, bool *fits,
                       servet_error *error)
{
    servet_at at = {arguments->node_class, SERVET_ANY_CORE};
    findings found = {.fits = true};
    servet_speed speed = {.slow_count = 0};
    int code = check(profile, arguments->model, &at, &found, error);
    if (code == SERVET_OK && found.fits)
        code = servet_check_speed(profile, at.node_class, arguments->model, arguments->seconds,
                                  &speed, error);
    if (code != SERVET_OK)
        return code;
    *fits = found.fits && speed.slow_count == 0;
    if (arguments->json)
        return print_speed_json(&found, &speed, error);
    print_speed(&found, &speed);
    return SERVET_OK;
}

static int run(const void *parsed)
{
    const check_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    bool fits = false;
    if (arguments->measure && arguments->fitness)
        return cli_usage_error("--measure and --fitness exclude each other");
    if (!arguments->measure && arguments->model)
        return cli_usage_error("--machine needs --measure");
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK)
        return cli_error(&error);
    int code =
        (arguments->measure ? check_speed : check_and_print)(profile, arguments, &fits, &error);
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
    {"measure", 0, CLI_FLAG, offsetof(check_arguments, measure), NULL,
     "check by short measurements whether the node is as fast as its class"},
    {"seconds", 0, CLI_NUMBER, offsetof(check_arguments, seconds), "S",
     "longest time of --measure, in seconds (default: 20)", 1, SRV_SECONDS_MAX},
    {"machine", 0, CLI_TEXT, offsetof(check_arguments, model), "MODEL",
     "simulated machine for --measure (default: this node)"},
    {"json", 0, CLI_FLAG, offsetof(check_arguments, json), NULL, "print the result as JSON"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const check_arguments defaults = {.seconds = 20};

const cli_command command_check = {
    .name = "check",
    .summary = "check whether a profile is fit for use and for this machine",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(check_arguments),
    .defaults = &defaults,
    .run = run,
};
