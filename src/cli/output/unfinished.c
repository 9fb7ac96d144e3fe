/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/output/series.h"
#include "servet/network.h"

enum { WHO_MAX = 64, PREFIX_MAX = WHO_MAX + 16 };

#define UNFINISHED "unfinished-"
#define STORED     "stored-"

/* "unfinished-node7." */
static void print_prefix(const char *who, char prefix[PREFIX_MAX])
{
    char host[WHO_MAX] = "";
    if (!who)
        (void)gethostname(host, sizeof host - 1);
    for (char *at = host; *at; at++)
        if (*at == '/')
            *at = '-';
    snprintf(prefix, PREFIX_MAX, UNFINISHED "%.63s.", who ? who : host);
}

/* Opens and locks the folder; -1 also if another run uses it. File systems without locks are not an
 * error. */
static int open_locked(const char *path)
{
    int folder = cli_folder_open(path);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(folder);
        return -1;
    }
    return folder;
}

/* Finds the path of the next file of an open folder whose name has this beginning and this end.
 * Closes the folder behind the last one, and then returns false. */
static bool next_path(DIR **names, const char *folder, const char *prefix, const char *suffix,
                      char path[CLI_PATH_MAX])
{
    for (struct dirent *entry; *names && (entry = readdir(*names));) {
        size_t length = strlen(entry->d_name), end = strlen(suffix);
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && length >= end &&
            strcmp(entry->d_name + length - end, suffix) == 0 &&
            snprintf(path, CLI_PATH_MAX, "%s/%s", folder, entry->d_name) < CLI_PATH_MAX)
            return true;
    }
    if (*names)
        closedir(*names);
    return false;
}

static const char progress[] = ".json";

/* The time of the last progress in a folder; -1: there was none. */
static time_t progress_time(const char *folder)
{
    char path[CLI_PATH_MAX];
    struct stat status;
    time_t latest = -1;
    for (DIR *names = opendir(folder); next_path(&names, folder, "", progress, path);)
        if (lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_mtime > latest)
            latest = status.st_mtime;
    return latest;
}

/* Opens the latest folder that can be continued; -1: there is none. */
static int open_latest(const char *folder, const char *prefix, char path[CLI_PATH_MAX])
{
    char candidate[CLI_PATH_MAX];
    time_t latest = -1;
    int found = -1;
    for (DIR *names = opendir(folder); next_path(&names, folder, prefix, "", candidate);) {
        int open_one = open_locked(candidate), other = open_one;
        if (open_one >= 0 && progress_time(candidate) > latest) {
            latest = progress_time(candidate);
            other = found;
            found = open_one;
            memcpy(path, candidate, sizeof candidate);
        }
        if (other >= 0)
            close(other);
    }
    return found;
}

/* Opens a new folder. If a sweep of another run removes it before it is locked, opens another one.
 */
static int open_new(char path[CLI_PATH_MAX], const char *folder, const char *prefix)
{
    enum { ATTEMPTS = 16 };
    int opened = -1;
    for (int attempt = 0; opened < 0 && attempt < ATTEMPTS; attempt++) {
        if (snprintf(path, CLI_PATH_MAX, "%s/%sXXXXXX", folder, prefix) >= CLI_PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (!mkdtemp(path))
            return -1;
        opened = open_locked(path);
        if (opened < 0)
            (void)rmdir(path);
        if (opened >= 0 && access(path, F_OK) != 0) {
            close(opened);
            opened = -1;
        }
    }
    return opened;
}

int cli_unfinished_open(const char *folder, const char *who, bool resume, char path[CLI_PATH_MAX])
{
    char prefix[PREFIX_MAX];
    print_prefix(who, prefix);
    int found = resume ? open_latest(folder, prefix, path) : -1;
    return found >= 0 ? found : open_new(path, folder, prefix);
}

bool cli_unfinished_has_progress(const char *path)
{
    return progress_time(path) >= 0;
}

bool cli_unfinished_store(char path[CLI_PATH_MAX])
{
    char stored[CLI_PATH_MAX];
    const char *name = strrchr(path, '/') + 1;
    if (strncmp(name, UNFINISHED, strlen(UNFINISHED)) != 0)
        return true;
    snprintf(stored, sizeof stored, "%.*s" STORED "%s", (int)(name - path), path,
             name + strlen(UNFINISHED));
    if (rename(path, stored) != 0)
        return false;
    memcpy(path, stored, sizeof stored);
    return true;
}

/* Removes the folder if there is nothing to continue and no run uses it, which the lock shows. */
static void remove_useless(const char *path)
{
    int found = cli_folder_open(path);
    if (found >= 0 && flock(found, LOCK_EX | LOCK_NB) == 0 && progress_time(path) < 0)
        (void)cli_folder_remove(path);
    if (found >= 0)
        close(found);
}

void cli_unfinished_sweep(const char *folder, const char *who, const char *raw)
{
    char prefix[PREFIX_MAX], path[CLI_PATH_MAX];
    print_prefix(who, prefix);
    for (DIR *names = opendir(folder); next_path(&names, folder, prefix, "", path);)
        remove_useless(path);
    for (DIR *names = opendir(folder); next_path(&names, folder, STORED, "", path);) {
        int lock = open_locked(path);
        if (lock < 0)
            continue;
        if (cli_series_move(path, raw))
            (void)cli_folder_remove(path);
        close(lock);
    }
}

/* --- earlier runs that a complete one replaces ------------------------------------------------ */

/* Returns true if the whole profile has the node, with the same cores. */
static bool has_node(const servet_profile *whole, const char *host, const char *cores)
{
    int class;
    servet_machine machine;
    if (servet_profile_class_of(whole, host, &class) != SERVET_OK)
        return false;
    const servet_at at = {servet_profile_class_name(whole, class), SERVET_ANY_CORE};
    return servet_profile_machine(whole, &at, &machine) == SERVET_OK &&
           strcmp(machine.cores, cores) == 0;
}

static bool has_nodes(const servet_profile *whole, const servet_profile *part)
{
    const char *host;
    servet_machine machine;
    for (int i = 0; i < servet_profile_class_count(part); i++) {
        const servet_at at = {servet_profile_class_name(part, i), SERVET_ANY_CORE};
        if (servet_profile_machine(part, &at, &machine) != SERVET_OK)
            return false;
        for (int node = 0; (host = servet_profile_node(part, &at, node)) != NULL; node++)
            if (!has_node(whole, host, machine.cores))
                return false;
    }
    return true;
}

/* Communication between other numbers of nodes or processes has other facts. */
static bool has_network(const servet_profile *whole, const servet_profile *part)
{
    servet_network all, some;
    return servet_network_get(part, &some) != SERVET_OK ||
           (servet_network_get(whole, &all) == SERVET_OK && all.nodes == some.nodes &&
            all.ranks == some.ranks);
}

/* Returns true if the file is a profile of which `whole` measured everything again. */
static bool is_measured_again(const char *path, const servet_profile *whole)
{
    servet_run then, now;
    servet_profile *part;
    if (servet_profile_open(&part, path, NULL) != SERVET_OK)
        return false;
    bool again = servet_profile_run(part, &then) == SERVET_OK &&
                 servet_profile_run(whole, &now) == SERVET_OK && !*now.cut && !*now.unfinished &&
                 strcmp(then.version, now.version) == 0 && strcmp(then.options, now.options) == 0 &&
                 has_nodes(whole, part) && has_network(whole, part);
    servet_profile_close(part);
    return again;
}

/* Returns true if there are profiles of progress, all of which are. A folder that cannot be read is
 * kept. */
static bool is_replaced(const char *folder, const servet_profile *whole)
{
    char path[CLI_PATH_MAX];
    bool any = false, replaced = true;
    for (DIR *names = opendir(folder); next_path(&names, folder, "", progress, path); any = true)
        replaced = replaced && is_measured_again(path, whole);
    return any && replaced;
}

/* Without progress a folder has no results. Where there are no locks, another run may use it. */
static void replace_one(const char *path, int folder, const servet_profile *whole)
{
    char clean[CLI_CLEAN_MAX];
    if (progress_time(path) < 0)
        return;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0 && is_replaced(path, whole))
        (void)cli_folder_remove(path);
    else
        fprintf(stderr,
                "servet: %s has results of an earlier run that was not finished: --resume with the "
                "options of that run continues it; remove the folder if they are useless\n",
                cli_clean(path, clean));
}

void cli_unfinished_replace(const char *folder, const char *who, const servet_profile *whole)
{
    char prefix[PREFIX_MAX], path[CLI_PATH_MAX];
    print_prefix(who, prefix);
    for (DIR *names = opendir(folder); next_path(&names, folder, prefix, "", path);) {
        int found = open_locked(path);
        if (found >= 0) {
            replace_one(path, found, whole);
            close(found);
        }
    }
}
