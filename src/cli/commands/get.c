/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/query.h"

typedef struct get_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class, *pages;
    long long core;
    bool keys, trusted_only;
} get_arguments;

/* Sets of cores are the longest facts: 16 Ki single cores still fit. */
enum { FACT_MAX = 1 << 17 };

static int list_keys(void)
{
    const char *pattern, *summary;
    for (int i = 0; (pattern = servet_profile_key(i, &summary)); i++)
        printf("%-42s %s\n", pattern, summary);
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

static int get(const get_arguments *arguments, servet_error *error)
{
    char text[FACT_MAX], key[SERVET_NAME_MAX];
    servet_at at = cli_at(arguments->node_class, arguments->core);
    servet_profile *profile;
    int code = servet_profile_open(&profile, arguments->operands[1], error);
    if (code != SERVET_OK)
        return code;
    servet_profile_trusted_only(profile, arguments->trusted_only);
    code = servet_profile_get(profile, &at, key_of(arguments, key), text, sizeof text, error);
    servet_profile_close(profile);
    if (code == SERVET_OK)
        puts(text);
    return code;
}

static int run(const void *parsed)
{
    const get_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    if (arguments->keys)
        return list_keys();
    if (!arguments->operands[0])
        return cli_usage_error("get needs KEY [PROFILE] (servet get --keys lists the keys)");
    if (strcmp(arguments->pages, "base") != 0 && strcmp(arguments->pages, "huge") != 0)
        return cli_usage_error("--pages must be base or huge, not '%s'", arguments->pages);
    return get(arguments, &error) == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"keys", 0, CLI_FLAG, offsetof(get_arguments, keys), NULL, "list the keys"},
    CLI_OPTION_CLASS(get_arguments),
    CLI_OPTION_CORE(get_arguments),
    {"pages", 0, CLI_TEXT, offsetof(get_arguments, pages), "SIZE",
     "page size of translation: base or huge (default: base)"},
    {"trusted-only", 0, CLI_FLAG, offsetof(get_arguments, trusted_only), NULL,
     "fail if the value is not trusted"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const get_arguments defaults = {.core = SERVET_ANY_CORE, .pages = "base"};

const cli_command command_get = {
    .name = "get",
    .summary = "print one value, for scripts",
    .operands = "KEY [PROFILE]",
    .operands_max = 2,
    .options = options,
    .size = sizeof(get_arguments),
    .operands_offset = offsetof(get_arguments, operands),
    .defaults = &defaults,
    .run = run,
};
