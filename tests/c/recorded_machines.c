/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses recordings of real machines again (tests/data/machines/README.md): the trusted facts
 * agree with what is known of the machines. */
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>

#include "recorded_run.h"
#include "servet/measure.h"
#include "servet/profile.h"

enum { PATH = 512, LINE = 128 };

/* Sums over all runs. */
static int recordings, runs, right, doubted, wrong, unlisted, unmeasured;

/* Two parts of a path or a key; whoever keeps this tree in a very deep folder hears of it. */
static void join(char *whole, size_t size, const char *first, const char *second)
{
    assert_true(snprintf(whole, size, "%s%s", first, second) < (int)size);
}

/* Facts that are known to be wrong: "RUN KEY", a line each. */
static bool is_listed(const char *machine, const char *run, const char *key)
{
    char path[PATH], line[LINE], wanted[LINE];
    bool found = false;
    join(path, sizeof path, machine, "/wrong.txt");
    join(line, sizeof line, run, " ");
    join(wanted, sizeof wanted, line, key);
    FILE *list = fopen(path, "r");
    while (list && !found && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        found = strcmp(line, wanted) == 0;
    }
    if (list)
        fclose(list);
    return found;
}

static bool get(const servet_profile *profile, const char *key, const char *aspect, char text[LINE])
{
    char whole[LINE];
    servet_at at = {NULL, 0};
    join(whole, sizeof whole, key, aspect);
    return servet_profile_get(profile, &at, whole, text, LINE, NULL) == SERVET_OK;
}

/* Numbers lie in their interval, sets are the same. */
static bool is_right(const servet_profile *profile, const char *key, const char *truth)
{
    char low[LINE], high[LINE], text[LINE];
    if (get(profile, key, ".low", low) && get(profile, key, ".high", high))
        return atof(low) <= atof(truth) && atof(truth) <= atof(high);
    if (!get(profile, key, "", text))
        return false;
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return strcmp(text, truth) == 0;
}

static bool is_trusted(const servet_profile *profile, const char *key)
{
    char text[LINE];
    return !get(profile, key, ".trusted", text) || strcmp(text, "no") != 0;
}

static void check_fact(const servet_profile *profile, const char *machine, const char *run,
                       const char *key, const char *truth)
{
    char text[LINE];
    if (!get(profile, key, "", text)) {
        unmeasured++;
    } else if (is_right(profile, key, truth)) {
        right++;
        if (is_listed(machine, run, key))
            print_message("# %s %s: right now; it may leave wrong.txt\n", run, key);
    } else if (!is_trusted(profile, key)) {
        doubted++;
    } else {
        wrong++;
        if (is_listed(machine, run, key))
            return;
        unlisted++;
        print_message("# %s/%s: %s is %s, not %s\n", machine, run, key, text, truth);
    }
}

/* A node, the network of a job, or both. */
static servet_profile *decide(const char *path)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT, other = SERVET_ERROR_INIT;
    int node = servet_replay(path, NULL, NULL, &profile, &error);
    int network = servet_replay_network(path, NULL, NULL, &profile, &other);
    if (node != SERVET_OK && (node != SERVET_ENOTFOUND || network == SERVET_ENOTFOUND))
        fail_msg("%s: %s", path, error.text);
    if (network != SERVET_OK && network != SERVET_ENOTFOUND)
        fail_msg("%s: %s", path, other.text);
    return profile;
}

/* Per commit one run of each machine, at night all. */
static bool is_due(const char *run)
{
    return strcmp(run, "m1") == 0 || test_cases(0, 1) > 0;
}

static void check_run(const char *machine, const char *run)
{
    char path[PATH], name[LINE], line[LINE];
    recordings++;
    if (!is_due(run))
        return;
    join(name, sizeof name, strrchr(machine, '/') + 1, "/");
    join(name + strlen(name), sizeof name - strlen(name), run, "");
    unpack_run(name, path);
    servet_profile *profile = decide(path);
    join(path, sizeof path, machine, "/truth.txt");
    FILE *truths = fopen(path, "r");
    assert_non_null(truths);
    while (fgets(line, sizeof line, truths)) {
        line[strcspn(line, "\n")] = '\0';
        char *truth = strchr(line, ' ');
        assert_non_null(truth);
        *truth++ = '\0';
        check_fact(profile, machine, run, line, truth);
    }
    fclose(truths);
    servet_profile_close(profile);
    runs++;
}

static bool is_folder(const char *parent, const char *name, char path[PATH])
{
    struct stat status;
    join(path, PATH, parent, "/");
    join(path + strlen(path), PATH - strlen(path), name, "");
    return *name != '.' && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void check_machine(const char *machine)
{
    char path[PATH];
    DIR *names = opendir(machine);
    assert_non_null(names);
    for (struct dirent *entry; (entry = readdir(names));)
        if (is_folder(machine, entry->d_name, path))
            check_run(machine, entry->d_name);
    closedir(names);
}

TEST_EACH(make_folder, remove_folder)

TEST(facts_are_right_or_not_trusted)
{
    char machines[PATH], path[PATH];
    join(machines, sizeof machines, getenv("SOURCE_ROOT"), "/tests/data/machines");
    DIR *names = opendir(machines);
    assert_non_null(names);
    for (struct dirent *entry; (entry = readdir(names));)
        if (is_folder(machines, entry->d_name, path))
            check_machine(path);
    closedir(names);
    print_message(
        "# %d runs: %d facts right, %d not trusted, %d wrong as listed, %d not measured\n", runs,
        right, doubted, wrong, unmeasured);
    assert_int_equal(unlisted, 0);
    assert_true(recordings >= 9 && right > 3 * runs);
}
