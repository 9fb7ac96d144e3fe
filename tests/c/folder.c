/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* nftw() */
#include "folder.h"

#include "test.h"

#include <ftw.h>
#include <locale.h>
#include <sys/stat.h>

static char made[TEST_PATH_MAX];
const char *const folder = made;

int make_folder(void **state)
{
    (void)state;
    test_path(made, "test-XXXXXX");
    return mkdtemp(made) ? 0 : -1;
}

void put_file(const char *name, const char *content)
{
    char path[2 * TEST_PATH_MAX];
    for (const char *slash = name; (slash = strchr(slash, '/')); slash++) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
        (void)mkdir(path, 0777);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    (void)type;
    (void)at;
    return remove(path);
}

int remove_folder(void **state)
{
    enum { OPEN_AT_ONCE = 8 };
    (void)state;
    return nftw(folder, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}

/* A locale of our own that writes 1,5: what is installed differs from machine to machine. */
bool use_comma_locale(void)
{
    char command[TEST_PATH_MAX + 256];
    if (make_folder(NULL) != 0)
        return false;
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\n"
             "grouping -1\\nEND LC_NUMERIC\\n' >source && "
             "localedef -c --no-archive -i source ./comma >/dev/null 2>&1",
             folder);
    int ignored = system(command); /* warns of all the categories it lacks */
    setenv("LOCPATH", folder, 1);
    bool set = setlocale(LC_NUMERIC, "comma") != NULL;
    return remove_folder(NULL) == 0 && set && ignored >= 0;
}
