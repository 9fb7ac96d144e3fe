/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"
#include "cli/commands/mt4g.h"

#include <stdio.h>

#include "servet/record.h"

typedef struct merge_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *node_class, *mt4g[CLI_TEXTS_MAX];
    bool json;
} merge_arguments;

/* Names the first class, which has the most nodes, `name`, and the other ones NAME-2, ... */
static int name_classes(servet_profile *profile, const char *name, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < servet_profile_class_count(profile) && code == SERVET_OK; i++) {
        char numbered[SERVET_NAME_MAX + 16];
        snprintf(numbered, sizeof numbered, i ? "%s-%d" : "%s", name, i + 1);
        code = servet_profile_name_class(profile, i, numbered, error);
    }
    return code;
}

/* Adds the profile at `path` to `*all`, which is NULL at first. Its node class gets the name `name`
 * (NULL: keeps its name). */
static int add(servet_profile **all, const char *path, const char *name, servet_error *error)
{
    servet_profile *one;
    int code = servet_profile_open(&one, path, error);
    if (code != SERVET_OK)
        return code;
    code = name ? name_classes(one, name, error) : SERVET_OK;
    if (code != SERVET_OK) {
        servet_profile_close(one);
        return code;
    }
    if (!*all) {
        *all = one;
        return SERVET_OK;
    }
    code = servet_profile_merge(*all, one, error);
    servet_profile_close(one);
    return code;
}

static int merge(const merge_arguments *arguments, servet_error *error)
{
    servet_profile *all = NULL;
    int count = 0, code = SERVET_OK;
    while (count < CLI_OPERANDS_MAX && arguments->operands[count])
        count++;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code =
            add(&all, arguments->operands[i], i == count - 1 ? arguments->node_class : NULL, error);
    for (int i = 0; i < CLI_TEXTS_MAX && arguments->mt4g[i] && code == SERVET_OK; i++)
        code = cli_mt4g_store(all, arguments->mt4g[i], error);
    if (code == SERVET_OK && arguments->output)
        code = servet_profile_write(all, arguments->output, error);
    if (code == SERVET_OK && (arguments->json || !arguments->output))
        code = servet_profile_dump(all, stdout, error);
    servet_profile_close(all);
    return code;
}

static int run(const void *parsed)
{
    const merge_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    return merge(arguments, &error) == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"output", 'o', CLI_TEXT, offsetof(merge_arguments, output), "FILE",
     "output file (default: standard output)"},
    {"class", 0, CLI_TEXT, offsetof(merge_arguments, node_class), "NAME",
     "name of the node class of the last profile (default: the one it has)"},
    {"mt4g", 0, CLI_TEXTS, offsetof(merge_arguments, mt4g), "FILE",
     "add the caches of a GPU from a result of MT4G; may be repeated"},
    {"json", 0, CLI_FLAG, offsetof(merge_arguments, json), NULL,
     "print the result also if it goes to a file"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_merge = {
    .name = "merge",
    .summary = "combine the profiles of several jobs of a cluster; later ones override",
    .operands = "PROFILE...",
    .operands_min = 1,
    .operands_max = CLI_OPERANDS_MAX,
    .options = options,
    .size = sizeof(merge_arguments),
    .operands_offset = offsetof(merge_arguments, operands),
    .run = run,
};
