/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/quota.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LENGTH = 4096, LINE_LENGTH = 2 * PATH_LENGTH };

/* A version of control groups, and the words by which its lines in the system's files are
 * recognized. */
typedef struct version {
    const char *filesystem; /* in mountinfo */
    const char *controller; /* in the mount's options and in /proc/self/cgroup; "": not needed */
    double (*quota)(const char *folder);
} version;

/* --- the quota of one group ------------------------------------------------------------------- */

/* The first line of FOLDER/NAME; "" without one. */
static void read_line(const char *folder, const char *name, char line[LINE_LENGTH])
{
    char path[2 * LINE_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "r");
    if (!stream || !fgets(line, LINE_LENGTH, stream))
        *line = '\0';
    if (stream)
        fclose(stream);
}

static double share(double time, double period)
{
    return time > 0 && period > 0 ? time / period : INFINITY;
}

static double read_number(const char *folder, const char *name)
{
    char line[LINE_LENGTH];
    double number = -1;
    read_line(folder, name, line);
    return sscanf(line, "%lf", &number) == 1 ? number : -1;
}

/* The quota in version 1; "-1" means no quota. */
static double quota_1(const char *folder)
{
    return share(read_number(folder, "cpu.cfs_quota_us"), read_number(folder, "cpu.cfs_period_us"));
}

/* The quota in version 2, such as "200000 100000"; "max 100000" means no quota. */
static double quota_2(const char *folder)
{
    char line[LINE_LENGTH];
    double time = -1, period = -1;
    read_line(folder, "cpu.max", line);
    return sscanf(line, "%lf %lf", &time, &period) == 2 ? share(time, period) : INFINITY;
}

static const version versions[] = {{"cgroup", "cpu", quota_1}, {"cgroup2", "", quota_2}};

/* --- the groups of the process ---------------------------------------------------------------- */

/* Returns true if a list such as "rw,cpu,cpuacct" has the word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ',') && strchr(",\n", at[length]))
            return true;
    return false;
}

/* Finds the process's group of this version ("/jobs/12") in a line "NUMBER:CONTROLLERS:PATH". */
static bool find_group(const char *root, const version *of, char group[PATH_LENGTH])
{
    char name[PATH_LENGTH], line[LINE_LENGTH], controllers[LINE_LENGTH];
    bool found = false;
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *stream = fopen(name, "r");
    while (stream && !found && fgets(line, sizeof line, stream)) {
        char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;
        if (!second)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(controllers, sizeof controllers, "%.*s", (int)(second - first - 1), first + 1);
        found = *of->controller ? has_word(controllers, of->controller) : !*controllers;
        if (found)
            snprintf(group, PATH_LENGTH, "%.*s", PATH_LENGTH - 1, second + 1);
    }
    if (stream)
        fclose(stream);
    return found;
}

/* Finds the mount point of the hierarchy, and the group that is mounted there. */
static bool find_mount(const char *root, const version *of, char top[PATH_LENGTH],
                       char mount[PATH_LENGTH])
{
    char name[PATH_LENGTH], line[LINE_LENGTH], filesystem[64], options[LINE_LENGTH];
    bool found = false;
    snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
    FILE *stream = fopen(name, "r");
    while (stream && !found && fgets(line, sizeof line, stream)) {
        const char *rest = strstr(line, " - ");
        found = rest && sscanf(line, "%*s %*s %*s %4095s %4095s", top, mount) == 2 &&
                sscanf(rest, " - %63s %*s %8191s", filesystem, options) == 2 &&
                strcmp(filesystem, of->filesystem) == 0 &&
                (!*of->controller || has_word(options, of->controller));
    }
    if (stream)
        fclose(stream);
    return found;
}

/* Returns the smallest quota of the group at `folder` and of the groups that contain it. The first
 * `least` characters of `folder` name the outermost group. */
static double quota_up(const version *of, char *folder, size_t least)
{
    double quota = of->quota(folder);
    for (char *slash; strlen(folder) > least && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        quota = fmin(quota, of->quota(folder));
    }
    return quota;
}

static double quota_of(const version *of, const char *root)
{
    char group[PATH_LENGTH], top[PATH_LENGTH], mount[PATH_LENGTH],
        folder[LINE_LENGTH + PATH_LENGTH];
    if (!find_group(root, of, group) || !find_mount(root, of, top, mount))
        return INFINITY;
    /* In a container, often the process's own group is mounted. */
    size_t length = strcmp(top, "/") == 0 ? 0 : strlen(top);
    bool is_below = strncmp(group, top, length) == 0 && strchr("/", group[length]);
    const char *below = is_below ? group + length : "";
    snprintf(folder, sizeof folder, "%s%s%s", root, mount, strcmp(below, "/") == 0 ? "" : below);
    return quota_up(of, folder, strlen(root) + strlen(mount));
}

double srv_cpu_quota(const char *root)
{
    double quota = INFINITY;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        quota = fmin(quota, quota_of(&versions[i], root));
    return quota;
}
