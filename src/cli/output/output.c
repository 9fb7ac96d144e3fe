/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/at_work.h"
#include "cli/output/series.h"
#include "cli/output/unfinished.h"
#include "core/error.h"
#include "servet/network.h"
#include "servet/node.h"

static int fail(servet_error *error, const char *path, const char *doing)
{
    return srv_fail_at(error, SERVET_EIO, path, 0, "cannot %s: %s", doing, strerror(errno));
}

static void append(servet_error *error, const char *text)
{
    size_t n = strlen(error->text);
    snprintf(error->text + n, sizeof error->text - n, "%s", text);
}

__attribute__((format(printf, 3, 4))) static int
print_path(char path[CLI_PATH_MAX], servet_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(path, CLI_PATH_MAX, format, args);
    va_end(args);
    errno = ENAMETOOLONG;
    return length < CLI_PATH_MAX ? SERVET_OK : fail(error, path, "use this folder");
}

static int user_folder(char folder[CLI_PATH_MAX], servet_error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        return print_path(folder, error, "%s/servet", data);
    if (home && *home)
        return print_path(folder, error, "%s/.local/share/servet", home);
    errno = ENOENT;
    return fail(error, "$HOME", "find the user's data folder (use -o to name a folder)");
}

/* Finds the place of a model's profile. It is never the place of this node, whatever the name of
 * the model's file. */
static int model_folder(char folder[CLI_PATH_MAX], const char *model, servet_error *error)
{
    static const char suffix[] = ".json";
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    size_t length = strlen(name), end = strlen(suffix);
    char user[CLI_PATH_MAX];
    if (length > end && strcmp(name + length - end, suffix) == 0)
        length -= end;
    errno = EINVAL;
    if (length == 0 || name[0] == '.')
        return fail(error, model, "name a folder after this model (use -o to name a folder)");
    int code = user_folder(user, error);
    return code == SERVET_OK
               ? print_path(folder, error, "%s/machines/%.*s", user, (int)length, name)
               : code;
}

/* Counts the nodes that the classes list, and in `*measured` those that the measurement for this
 * place has. A profile of one node stands for its type of nodes. */
static int count_nodes(const servet_profile *profile, const cli_place *place, int *measured)
{
    int count = 0, found = 0, class;
    for (int i = 0; i < servet_profile_class_count(profile); i++) {
        const servet_at at = {servet_profile_class_name(profile, i), SERVET_ANY_CORE};
        for (int node = 0; servet_profile_node(profile, &at, node); node++)
            count++;
    }
    for (int i = 0; i < place->node_count; i++)
        found += servet_profile_class_of(profile, place->nodes[i], &class) == SERVET_OK;
    *measured = found > 0 ? found : count > 0;
    return count;
}

/* Returns true if the profile comes from a job that this job continues, on any nodes. */
static bool is_continued(const servet_profile *profile, const cli_place *place)
{
    servet_run run;
    return place->resume && servet_profile_run(profile, &run) == SERVET_OK && *run.unfinished;
}

/* Fails if the profile has nodes that the new one would not have. */
static int check_nodes(const servet_profile *profile, const cli_place *place, servet_error *error)
{
    servet_network network = {.nodes = 0};
    int measured, count = count_nodes(profile, place, &measured);
    int all = place->node_count > 0 ? place->node_count : 1;
    (void)servet_network_get(profile, &network);
    if ((measured == count && network.nodes <= all) || is_continued(profile, place))
        return SERVET_OK;
    return srv_fail_at(error, SERVET_EIO, servet_profile_path(profile), 0,
                       "describes nodes that are not measured now, and is not replaced: use -o to "
                       "name another folder, and servet merge to join the two profiles");
}

/* Fails for a file that this version cannot read: it may be a profile of a later version. */
static int refuse_unread(const servet_error *why, servet_error *error)
{
    *error = *why;
    error->code = SERVET_EIO;
    append(error, "; it is not replaced: move it away, or use -o to name another folder");
    return error->code;
}

/* Fails if the profile in the default folder must not be replaced. */
static int check_profile(const char *folder, const cli_place *place, servet_error *error)
{
    char path[CLI_PATH_MAX];
    servet_profile *profile;
    servet_error why = SERVET_ERROR_INIT;
    int code = print_path(path, error, "%s/profile.json", folder);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_open(&profile, path, &why);
    if (code != SERVET_OK)
        return code == SERVET_ENOTFOUND ? SERVET_OK : refuse_unread(&why, error);
    code = check_nodes(profile, place, error);
    servet_profile_close(profile);
    return code;
}

/* Chooses the folder. If the user names one, its contents are not checked. */
static int choose_folder(char chosen[CLI_PATH_MAX], const cli_place *place, servet_error *error)
{
    if (place->folder)
        return print_path(chosen, error, "%s", place->folder);
    if (place->model)
        return model_folder(chosen, place->model, error);
    int code = servet_profile_place(chosen, CLI_PATH_MAX, error);
    return code == SERVET_OK ? check_profile(chosen, place, error) : code;
}

static bool make_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    int cause = errno;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        errno = cause == EEXIST ? ENOTDIR : cause;
        return false;
    }
    return true;
}

static bool make_folders(const char *path)
{
    char part[CLI_PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_folder(part))
            return false;
        *slash = '/';
    }
    return make_folder(part);
}

/* --- begin, then commit or abandon ------------------------------------------------------------ */

/* Fails if the folder has a file with the name of a record that Servet did not write: it belongs to
 * the user. */
static int check_foreign(int folder, const char *raw, servet_error *error)
{
    char name[CLI_SERIES_NAME_MAX], path[CLI_PATH_MAX];
    if (!cli_series_has_foreign(folder, name))
        return SERVET_OK;
    snprintf(path, sizeof path, "%.700s/%s", raw, name);
    return srv_fail_at(error, SERVET_EFORMAT, path, 0,
                       "no record of Servet, and is not replaced: move it away, or use -o to name "
                       "another folder");
}

/* Checks that series can be stored, before hours of measuring. */
static int check_raw(const char *raw, servet_error *error)
{
    int folder = cli_folder_open(raw);
    if (folder < 0)
        return errno == ENOENT ? SERVET_OK
                               : fail(error, raw, "use this as the folder of raw series");
    bool writable = faccessat(folder, ".", W_OK | X_OK, 0) == 0;
    int code =
        writable ? check_foreign(folder, raw, error) : fail(error, raw, "write into this folder");
    close(folder);
    return code;
}

static int keep_others_out(cli_output *output, servet_error *error)
{
    char other[CLI_PATH_MAX];
    if (!output->place.who)
        return SERVET_OK;
    output->at_work = cli_at_work_begin(output->folder, output->place.who, other);
    if (output->at_work >= 0)
        return SERVET_OK;
    if (output->at_work != CLI_AT_WORK_OTHER)
        return fail(error, output->folder, "write into this folder");
    return srv_fail_at(error, SERVET_EIO, output->folder, 0,
                       "%.100s is writing to this folder: wait until it ends, or use -o to name "
                       "another folder",
                       other);
}

static int set_paths(cli_output *output, const char *folder, servet_error *error)
{
    int code = print_path(output->raw, error, "%s/raw", folder);
    if (code == SERVET_OK)
        code = print_path(output->profile, error, "%s/profile.json", folder);
    if (code == SERVET_OK && !make_folders(folder))
        code = fail(error, folder, "make this folder");
    return code;
}

int cli_output_begin(cli_output *output, const cli_place *place, servet_error *error)
{
    *output = (cli_output)CLI_OUTPUT_INIT;
    output->place = *place;
    char fresh[CLI_PATH_MAX];
    int code = choose_folder(output->folder, place, error);
    if (code == SERVET_OK)
        code = set_paths(output, output->folder, error);
    if (code == SERVET_OK)
        code = check_raw(output->raw, error);
    if (code == SERVET_OK)
        code = keep_others_out(output, error);
    if (code != SERVET_OK)
        return code;
    cli_unfinished_sweep(output->folder, place->who, output->raw);
    output->lock = cli_unfinished_open(output->folder, place->who, place->resume, fresh);
    if (output->lock < 0)
        return fail(error, output->folder, "write into this folder");
    memcpy(output->fresh, fresh, sizeof fresh);
    return print_path(output->progress, error, "%s/progress.json", fresh);
}

/*
 * Removes series that only an earlier run had, then renames the folder so that its series only
 * remain to be moved. If the run is killed before the renaming, a run that continues it finds all
 * of its series; if it is killed later, the next run moves the rest.
 */
static int store_series(cli_output *output, servet_error *error)
{
    output->stored =
        cli_series_remove_stale(output->raw, output->fresh) && cli_unfinished_store(output->fresh);
    if (output->stored && cli_series_move(output->fresh, output->raw))
        return SERVET_OK;
    (void)fail(error, output->raw, "put the raw series here");
    append(error, "; the new profile is in its place");
    if (output->stored)
        append(error, ", and the next run moves them");
    return error->code;
}

static int choose_again(cli_output *output, servet_error *error)
{
    char now[CLI_PATH_MAX];
    int code = choose_folder(now, &output->place, error);
    return code == SERVET_OK && strcmp(now, output->folder) != 0 ? set_paths(output, now, error)
                                                                 : code;
}

int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error)
{
    bool by_default = !output->place.folder && !output->place.model;
    int chosen = by_default ? choose_again(output, error) : SERVET_OK;
    if (chosen != SERVET_OK)
        return chosen;
    bool made = mkdir(output->raw, 0777) == 0;
    if (!made && errno != EEXIST)
        return fail(error, output->raw, "make this folder");
    int code = servet_profile_write(profile, output->profile, error);
    if (code != SERVET_OK && made)
        (void)rmdir(output->raw);
    if (code == SERVET_OK)
        code = store_series(output, error);
    if (code == SERVET_OK)
        cli_unfinished_replace(output->folder, output->place.who, profile);
    return code;
}

bool cli_output_can_go_on(int code)
{
    return code == SERVET_EINTERRUPTED || code == SERVET_ECOMMUNICATION || code == SERVET_EIO ||
           code == SERVET_EMEMORY;
}

/* Returns true if the unfinished results stay: a run that was refused keeps the results that it
 * should have continued. */
static bool stays(const cli_output *output, int code)
{
    bool progress = cli_output_can_go_on(code) || code == SERVET_EARGUMENT;
    return code != SERVET_OK &&
           (output->stored || (progress && cli_unfinished_has_progress(output->fresh)));
}

static void end_unfinished(cli_output *output, int code, servet_error *error)
{
    if (!stays(output, code))
        (void)cli_folder_remove(output->fresh);
    else if (cli_output_can_go_on(code) && !output->stored) {
        append(error, "; --resume continues from there");
    }
    close(output->lock);
    output->lock = -1;
}

void cli_output_end(cli_output *output, int code, servet_error *error)
{
    if (output->lock >= 0)
        end_unfinished(output, code, error);
    cli_at_work_end(output->folder, output->place.who, output->at_work);
    output->at_work = -1;
}
