/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the leaf switches of a site's topology.conf or topology.yaml. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "export/host_list.h"
#include "export/slurm_tree.h"

/* The file while it is read. */
typedef struct reading {
    srv_switch_tree *tree;
    const char *path;
    int line, topologies;
    servet_error *error;
} reading;

static int take_host(const char *name, void *context)
{
    const reading *on = context;
    return srv_switch_tree_host(on->tree, name, on->tree->switch_count - 1, on->error);
}

/* --- words ------------------------------------------------------------------------------------ */

static int take_switch(reading *on, const char *value)
{
    return srv_switch_tree_add(on->tree, value, 0, on->error);
}

static int take_nodes(reading *on, const char *value)
{
    servet_error error = SERVET_ERROR_INIT;
    if (on->tree->switch_count == 0)
        return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line,
                           "nodes before the first switch");
    int code = srv_host_list_read(value, take_host, on, &error);
    return code == SERVET_OK ? code
                             : srv_fail_at(on->error, code, on->path, on->line, "%s", error.text);
}

static int take_topology(reading *on, const char *value)
{
    (void)value;
    on->topologies++;
    return SERVET_OK;
}

/* The words that are read; other words, such as LinkSpeed, are ignored. */
static const struct {
    const char *key;
    int (*take)(reading *on, const char *value);
} keys[] = {
    {"SwitchName", take_switch}, {"BlockName", take_switch}, {"switch", take_switch},
    {"block", take_switch},      {"Nodes", take_nodes},      {"topology", take_topology},
};

/* A word without a value begins a part of YAML. */
static int take(reading *on, const char *key, const char *value)
{
    for (size_t i = 0; *value && i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(key, keys[i].key) == 0)
            return keys[i].take(on, value);
    return SERVET_OK;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Reads words KEY=VALUE with blanks between them. */
static int take_conf(reading *on, char *line)
{
    int code = SERVET_OK;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t", &rest); word && code == SERVET_OK;
         word = strtok_r(NULL, " \t", &rest)) {
        char *equals = strchr(word, '=');
        if (!equals)
            continue;
        *equals = '\0';
        code = take(on, word, equals + 1);
    }
    return code;
}

/* Reads "- KEY: VALUE". */
static int take_yaml(reading *on, char *line)
{
    char *key = line + strspn(line, " \t-"), *colon = strchr(key, ':');
    if (!colon)
        return SERVET_OK;
    *colon = '\0';
    char *value = colon + 1 + strspn(colon + 1, " \t");
    value[strcspn(value, " \t")] = '\0';
    return take(on, key, value);
}

/* Names of switches and nodes have no blanks, so that quotes around them add nothing. */
static void drop_quotes(char *line)
{
    char *to = line;
    for (; *line; line++)
        if (*line != '"' && *line != '\'')
            *to++ = *line;
    *to = '\0';
}

static int take_line(reading *on, char *line)
{
    line[strcspn(line, "#")] = '\0';
    drop_quotes(line);
    if (strchr(line, '{'))
        return srv_fail_at(
            on->error, SERVET_EFORMAT, on->path, on->line,
            "maps in braces are not read: put each key of a map on a line of its own");
    return strchr(line, '=') ? take_conf(on, line) : take_yaml(on, line);
}

/* Reads the lines. A backslash at the end of a line continues it. */
static int take_lines(reading *on, char *text)
{
    int code = SERVET_OK;
    for (char *at = strstr(text, "\\\n"); at; at = strstr(at, "\\\n"))
        at[0] = at[1] = ' ';
    for (char *line; code == SERVET_OK && on->topologies < 2 && (line = srv_text_line(&text));) {
        on->line++;
        code = take_line(on, line);
    }
    return code;
}

int srv_switch_tree_read(const char *path, srv_switch_tree *tree, servet_error *error)
{
    reading on = {.tree = tree, .path = path, .error = error};
    char *text;
    size_t size;
    *tree = (srv_switch_tree){.apart = -1};
    int code = srv_text_read(path, SRV_FILE_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    code = take_lines(&on, text);
    free(text);
    if (code == SERVET_OK && tree->host_count == 0)
        code =
            srv_fail_at(error, SERVET_EFORMAT, path, 0,
                        "no switch with nodes: expected a topology.conf or topology.yaml of Slurm");
    (void)srv_switch_tree_settle(tree);
    return code;
}
