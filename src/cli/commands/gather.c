/* SPDX-License-Identifier: BSD-3-Clause */
/* servet gather: packs a measurement for a bug report, without names. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/gather/anonymous.h"
#include "cli/gather/archive.h"
#include "cli/output/output.h"
#include "cli/output/series.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "servet/error.h"
#include "servet/profile.h"

/* Returns true for a line "at 0.17", "PROBE ... = COUNT ..." or "PROBE ... ! ERROR". */
static bool is_answer(const char *line, size_t length)
{
    size_t at = 0;
    if (length > 3 && strncmp(line, "at ", 3) == 0)
        return isdigit((unsigned char)line[3]);
    while (at + 3 < length &&
           !(line[at] == ' ' && strchr("=!", line[at + 1]) && line[at + 2] == ' '))
        at++;
    return at > 0 && at + 3 < length &&
           (line[at + 1] == '=' ? isdigit((unsigned char)line[at + 3])
                                : strncmp(line + at + 3, "SERVET_E", 8) == 0);
}

/* Returns true for numbers and words with commas: "kernel,bandwidth,low,high",
 * "read,1.79749e+10,,". */
static bool is_row(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && (isalnum((unsigned char)line[at]) || strchr(".,_+-/", line[at])))
        at++;
    return at == length;
}

/* The forms of files. A profile has no form here, because it was read as a profile before. */
static const struct form {
    const char *name;
    bool (*has)(const char *line, size_t length);
    const char *wrong;
} forms[] = {
    {"*.txt", is_answer, "this is no line of a recording"},
    {"*.csv", is_row, "this is no row of a series"},
};

static int check_lines(const char *text, const struct form *form, const char *path,
                       servet_error *error)
{
    int number = 1;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        size_t shown = length - (length > 0 && line[length - 1] == '\r');
        if (shown > 0 && *line != '#' && !form->has(line, shown))
            return srv_fail_at(error, SERVET_EFORMAT, path, number,
                               "%s: move the file away if Servet did not write it", form->wrong);
        line += length + (line[length] == '\n');
    }
    return SERVET_OK;
}

/* Reads a whole recording (answers-*.txt), series (*.csv) or profile; the caller frees `*text`.
 * Errors: those of srv_text_read_found(), SERVET_EFORMAT (a line that no such file has). */
static int gather_read(const char *path, char **text, servet_error *error)
{
    size_t size;
    int code = srv_text_read_found(path, SRV_SERIES_BYTES_MAX, text, &size, error);
    if (code != SERVET_OK)
        return code;
    code = srv_text_check_plain(path, *text, size, error);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && code == SERVET_OK; i++)
        if (fnmatch(forms[i].name, path, 0) == 0)
            code = check_lines(*text, &forms[i], path, error);
    if (code == SERVET_OK)
        return code;
    free(*text);
    *text = NULL;
    return code;
}

typedef struct gather_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output;
} gather_arguments;

/* A measurement on its way. */
typedef struct gathering {
    const char *folder;
    char raw[CLI_PATH_MAX];
    cli_names names;
    srv_file archive;
    int files;
    servet_error *error;
} gathering;

/* --- names ------------------------------------------------------------------------------------ */

static int add(gathering *on, const char *kind, const char *name)
{
    return !name || cli_names_add(&on->names, kind, name) ? SERVET_OK : srv_fail_memory(on->error);
}

/* The user who reports may be another one than the one who measured. */
static int add_own(gathering *on)
{
    char host[256] = "";
    const struct passwd *user = getpwuid(geteuid());
    const char *const users[] = {user ? user->pw_name : NULL, getenv("USER"), getenv("LOGNAME")};
    int code = SERVET_OK;
    if (gethostname(host, sizeof host - 1) == 0)
        code = add(on, "node", host);
    for (size_t i = 0; i < sizeof users / sizeof *users && code == SERVET_OK; i++)
        code = add(on, "user", users[i]);
    return code;
}

static int add_profile(gathering *on, const char *path)
{
    servet_profile *profile;
    int code = servet_profile_open(&profile, path, on->error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < servet_profile_class_count(profile) && code == SERVET_OK; i++) {
        servet_at at = {.node_class = servet_profile_class_name(profile, i),
                        .core = SERVET_ANY_CORE};
        servet_machine machine;
        const char *node;
        if (servet_profile_machine(profile, &at, &machine) == SERVET_OK)
            code = add(on, "node", machine.hostname);
        for (int k = 0; code == SERVET_OK && (node = servet_profile_node(profile, &at, k)); k++)
            code = add(on, "node", node);
    }
    servet_profile_close(profile);
    return code;
}

/* --- files ------------------------------------------------------------------------------------ */

/* "describe 0 = 1 HOST ...", "hosts 0 = 2 HOST CORES RANKS MACHINE HOST CORES RANKS MACHINE": the
 * first word of each struct. */
static int add_described(gathering *on, char *line)
{
    static const struct {
        const char *word;
        int members;
    } probes[] = {{"describe ", 13}, {"hosts ", 4}};
    char *rest = strstr(line, " = "), *word;
    int code = SERVET_OK, members = 0;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        if (strncmp(line, probes[i].word, strlen(probes[i].word)) == 0)
            members = probes[i].members;
    if (!members || !rest)
        return SERVET_OK;
    rest += strlen(" = ");
    strsep(&rest, " "); /* their number */
    for (int i = 0; code == SERVET_OK && (word = strsep(&rest, " ")); i++)
        if (i % members == 0)
            code = add(on, "node", word);
    return code;
}

/* Finds the names in a file of the record, if it is there. A file that cannot be read is an error:
 * its names would stay in the packed files. */
static int add_record(gathering *on, const char *file, bool *found)
{
    char path[CLI_PATH_MAX], *rest, *line;
    bool fits = snprintf(path, sizeof path, "%s/%s", on->raw, file) < (int)sizeof path;
    char *text = NULL;
    int code = fits ? gather_read(path, &text, on->error) : SERVET_ENOTFOUND;
    *found = text;
    if (code == SERVET_ENOTFOUND) {
        *on->error = (servet_error)SERVET_ERROR_INIT;
        return SERVET_OK;
    }
    for (rest = text; code == SERVET_OK && (line = strsep(&rest, "\n"));)
        code = add_described(on, line);
    free(text);
    return code;
}

/* Adds the record of a node, and those of the network of each job. */
static int add_records(gathering *on, bool *found)
{
    int code = add_record(on, "answers-machine.txt", found);
    bool more = true;
    for (int job = 1; more && code == SERVET_OK; job++) {
        char file[40];
        snprintf(file, sizeof file, "answers-network-%d.txt", job);
        code = add_record(on, file, &more);
        *found = *found || more;
    }
    return code;
}

static int add_file(gathering *on, const char *path, const char *name)
{
    char *text;
    int code = gather_read(path, &text, on->error);
    if (code != SERVET_OK)
        return code;
    char *copy = cli_anonymous(&on->names, text), *shown = cli_anonymous_file(&on->names, name);
    if (!copy || !shown)
        code = srv_fail_memory(on->error);
    else if (!cli_archive_add(on->archive.stream, shown, copy))
        code = srv_fail_at(on->error, SERVET_EIO, on->archive.path, 0, "cannot write: %s",
                           strerror(errno));
    free(text);
    free(copy);
    free(shown);
    on->files++;
    return code;
}

static int add_series(gathering *on)
{
    char path[CLI_PATH_MAX], name[CLI_PATH_MAX];
    int code = SERVET_OK;
    struct dirent **entries;
    int count = scandir(on->raw, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *file = entries[i]->d_name;
        bool fits = snprintf(path, sizeof path, "%s/%s", on->raw, file) < (int)sizeof path &&
                    snprintf(name, sizeof name, "raw/%s", file) < (int)sizeof name;
        if (code == SERVET_OK && fits && cli_is_series(file))
            code = add_file(on, path, name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count >= 0 ? code
                      : srv_fail_at(on->error, SERVET_EIO, on->raw, 0, "cannot read the folder");
}

/* --- the whole -------------------------------------------------------------------------------- */

/* A run's folder has its series in raw/; without a profile, the folder is that of series. */
static int find_raw(gathering *on, char profile[CLI_PATH_MAX], bool *has_profile)
{
    bool fits = snprintf(on->raw, CLI_PATH_MAX, "%s/raw", on->folder) < CLI_PATH_MAX &&
                snprintf(profile, CLI_PATH_MAX, "%s/profile.json", on->folder) < CLI_PATH_MAX;
    if (!fits)
        return srv_fail_at(on->error, SERVET_EIO, on->folder, 0, "the path is too long");
    *has_profile = access(profile, F_OK) == 0;
    if (access(on->raw, F_OK) != 0)
        snprintf(on->raw, sizeof on->raw, "%s", on->folder);
    int code = *has_profile ? add_profile(on, profile) : SERVET_OK;
    bool recorded = false;
    if (code == SERVET_OK)
        code = add_records(on, &recorded);
    if (code == SERVET_OK && !recorded && !*has_profile)
        code = srv_fail_at(on->error, SERVET_ENOTFOUND, on->folder, 0,
                           "the folder contains no measurement");
    return code;
}

static int gather(gathering *on, const char *output)
{
    char profile[CLI_PATH_MAX];
    bool has_profile = false;
    int code = find_raw(on, profile, &has_profile);
    if (code == SERVET_OK)
        code = add_own(on);
    if (code == SERVET_OK)
        code = srv_file_begin(&on->archive, output, on->error);
    if (code != SERVET_OK)
        return code;
    if (has_profile)
        code = add_file(on, profile, "profile.json");
    if (code == SERVET_OK)
        code = add_series(on);
    if (code != SERVET_OK) {
        srv_file_abandon(&on->archive);
        return code;
    }
    cli_archive_end(on->archive.stream);
    return srv_file_commit(&on->archive, on->error);
}

static void say(const gathering *on, const char *output)
{
    char path[CLI_CLEAN_MAX];
    printf("%s: %d files\n", cli_clean(output, path), on->files);
    printf("replaced: names of hosts and users (%ld), paths (%ld)\n", on->names.replaced,
           on->names.paths);
    puts("the files still describe the hardware, as servet show does; check them before you send "
         "them");
}

static int run(const void *parsed)
{
    const gather_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    gathering on = {.folder = arguments->operands[0], .error = &error};
    const char *ending = arguments->output ? strrchr(arguments->output, '.') : NULL;
    if (!ending || strcmp(ending, ".tar") != 0)
        return cli_usage_error("gather needs -o FILE.tar, a name that ends in .tar");
    int code = gather(&on, arguments->output);
    if (code == SERVET_OK)
        say(&on, arguments->output);
    cli_names_finish(&on.names);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"output", 'o', CLI_TEXT, offsetof(gather_arguments, output), "FILE",
     "output file, a tar archive"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_gather = {
    .name = "gather",
    .summary = "pack a measurement for a bug report, without host names, users and paths",
    .operands = "DIR",
    .operands_min = 1,
    .operands_max = 1,
    .options = options,
    .size = sizeof(gather_arguments),
    .run = run,
};
