/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/print/facts.h"
#include "cli/query.h"

typedef struct get_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class, *pages;
    long long core;
    bool all, json, keys, trusted_only;
} get_arguments;

/* Prints lines, or an object of JSON; descriptions of keys need no escapes. */
static int list_keys(bool json)
{
    const char *summary;
    char pattern[SERVET_NAME_MAX];
    for (int i = 0; servet_profile_key(i, pattern, sizeof pattern, &summary) == SERVET_OK; i++)
        printf(json ? "%s\"%s\": \"%s\"" : "%s%-42s %s\n", json ? (i ? ",\n " : "{") : "", pattern,
               summary);
    if (json)
        puts("}");
    return cli_finish_output();
}

/* Facts of translation with huge pages have keys of their own. */
static const char *key_of(const get_arguments *arguments, char key[SERVET_NAME_MAX])
{
    static const char of_base[] = "translation.";
    const char *wanted = arguments->operands[0];
    if (strcmp(arguments->pages, "huge") != 0 || strncmp(wanted, of_base, strlen(of_base)) != 0)
        return wanted;
    snprintf(key, SERVET_NAME_MAX, "translation_huge.%s", wanted + strlen(of_base));
    return key;
}

/* Prints one fact or all, as text or JSON. */
static int print(const get_arguments *arguments, const fact_source *source, servet_error *error)
{
    char key[SERVET_NAME_MAX];
    if (arguments->all)
        return (arguments->json ? facts_print_all_json : facts_print_all)(source, error);
    return (arguments->json ? facts_print_one_json
                            : facts_print_one)(source, key_of(arguments, key), error);
}

static int get(const get_arguments *arguments, servet_error *error)
{
    servet_profile *profile;
    int code = servet_profile_open(&profile, arguments->operands[!arguments->all], error);
    if (code != SERVET_OK)
        return code;
    servet_profile_trusted_only(profile, arguments->trusted_only);
    const fact_source source = {profile, cli_at(arguments->node_class, arguments->core),
                                arguments->trusted_only};
    code = print(arguments, &source, error);
    servet_profile_close(profile);
    return code;
}

static int run(const void *parsed)
{
    const get_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    if (arguments->keys)
        return list_keys(arguments->json);
    if (!arguments->all && !arguments->operands[0])
        return cli_usage_error(
            "get needs KEY [PROFILE] or --all [PROFILE] (servet get --keys lists the keys)");
    if (arguments->all && arguments->operands[1])
        return cli_usage_error("get --all takes no KEY, only a PROFILE: unexpected '%s'",
                               arguments->operands[1]);
    if (strcmp(arguments->pages, "base") != 0 && strcmp(arguments->pages, "huge") != 0)
        return cli_usage_error("--pages must be base or huge, not '%s'", arguments->pages);
    return get(arguments, &error) == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

/* The key with the number for N, and 1 for M. */
static void key_with(const char *pattern, char number, char key[SERVET_NAME_MAX])
{
    size_t length = 0;
    for (; length < SERVET_NAME_MAX - 1 && pattern[length]; length++)
        key[length] = pattern[length] == 'N'   ? number
                      : pattern[length] == 'M' ? '1'
                                               : pattern[length];
    key[length] = '\0';
}

/* The keys, with the levels that machines have. */
static bool complete(const char *name)
{
    const char *summary;
    char pattern[SERVET_NAME_MAX], key[SERVET_NAME_MAX];
    if (strcmp(name, "KEY") != 0)
        return false;
    for (int i = 0; servet_profile_key(i, pattern, sizeof pattern, &summary) == SERVET_OK; i++)
        for (char number = '1'; number <= (strchr(pattern, 'N') ? '3' : '1'); number++) {
            key_with(pattern, number, key);
            cli_candidate(key, summary);
        }
    return true;
}

static const cli_option options[] = {
    {"all", 0, CLI_FLAG, offsetof(get_arguments, all), NULL,
     "print all values that were measured, a line KEY=VALUE each"},
    {"json", 0, CLI_FLAG, offsetof(get_arguments, json), NULL,
     "print JSON, with intervals and trust"},
    {"keys", 0, CLI_FLAG, offsetof(get_arguments, keys), NULL, "list the keys"},
    CLI_OPTION_CLASS(get_arguments),
    CLI_OPTION_CORE(get_arguments),
    {"pages", 0, CLI_TEXT, offsetof(get_arguments, pages), "SIZE",
     "page size of translation: base or huge (default: base)"},
    {"trusted-only", 0, CLI_FLAG, offsetof(get_arguments, trusted_only), NULL,
     "fail if the value is not trusted; leave it out of all values"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const get_arguments defaults = {.core = SERVET_ANY_CORE, .pages = "base"};

const cli_command command_get = {
    .name = "get",
    .summary = "print one value or all, for scripts",
    .operands = "KEY [PROFILE]",
    .operands_max = 2,
    .options = options,
    .size = sizeof(get_arguments),
    .operands_offset = offsetof(get_arguments, operands),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
