/* SPDX-License-Identifier: BSD-3-Clause */
/** Collects the tests of a program, runs those of a file, and marks those that are skipped; files
 * that they use. */
#define _GNU_SOURCE /* mkstemps() */
#include "test.h"

#include <unistd.h>

#include "servet/error.h"

/* All tests of the program, in no order. */
static test_added *all_added;

const char *test_now;

int (*test_answer)(const char *argument);

/* The tests that run, whose names may change; cmocka's own copies lie in its caller. */
static struct CMUnitTest *running;
static size_t running_count;

void test_add(test_added *added)
{
    added->next = all_added;
    all_added = added;
}

/* A name without folder and ending is that of the file. */
static bool is_of_file(const test_added *added, const char *name)
{
    const char *folder = strrchr(added->file, '/'), *base = folder ? folder + 1 : added->file;
    size_t length = strcspn(base, ".");
    return !name || (strlen(name) == length && strncmp(base, name, length) == 0);
}

static int compare_lines(const void *a, const void *b)
{
    return (*(test_added *const *)a)->line - (*(test_added *const *)b)->line;
}

/* The tests and fixtures of a file in its order; the caller frees them. */
static test_added **of_file(const char *name, size_t *count)
{
    test_added **found = NULL;
    *count = 0;
    for (test_added *added = all_added; added; added = added->next)
        if (is_of_file(added, name)) {
            found = realloc(found, (*count + 1) * sizeof *found);
            assert_non_null(found);
            found[(*count)++] = added;
        }
    if (*count > 0)
        qsort(found, *count, sizeof *found, compare_lines);
    return found;
}

/* Gives a test the set-up and tear-down of the last fixture above it where it has none. */
static struct CMUnitTest with_fixture(struct CMUnitTest test, const struct CMUnitTest *fixture)
{
    if (!test.setup_func)
        test.setup_func = fixture->setup_func;
    if (!test.teardown_func)
        test.teardown_func = fixture->teardown_func;
    return test;
}

int test_run_file(const char *name)
{
    size_t added_count, count = 0;
    test_added **added = of_file(name, &added_count);
    struct CMUnitTest *tests = calloc(added_count + 1, sizeof *tests), group = {0}, each = {0};
    assert_non_null(tests);
    for (size_t i = 0; i < added_count; i++)
        if (added[i]->kind == TEST_IS_GROUP)
            group = added[i]->test;
        else if (added[i]->kind == TEST_IS_EACH)
            each = added[i]->test;
        else
            tests[count++] = with_fixture(added[i]->test, &each);
    free(added);
    if (count == 0)
        print_error("no tests of file %s\n", name);
    int failed =
        count == 0 ? 1 : test_run("tests", tests, count, group.setup_func, group.teardown_func);
    free(tests);
    return failed;
}

int test_run(const char *group, const struct CMUnitTest *tests, size_t count,
             CMFixtureFunction setup, CMFixtureFunction teardown)
{
    running = calloc(count, sizeof *running);
    assert_non_null(running);
    memcpy(running, tests, count * sizeof *tests);
    running_count = count;
    int failed = _cmocka_run_group_tests(group, running, count, setup, teardown);
    test_end_kept();
    free(running);
    return failed;
}

void test_mark_skipped(const char *name, const char *reason)
{
    enum { MARKS_MAX = 128 };
    static char marked[MARKS_MAX][256];
    for (size_t i = 0; i < running_count && i < MARKS_MAX; i++)
        if (strcmp(running[i].name, name) == 0) {
            snprintf(marked[i], sizeof *marked, "%s # SKIP %s", name, reason);
            running[i].name = marked[i];
            return;
        }
    print_message("# %s: skipped: %s\n", name, reason);
}

void test_code(int code, int expected, const char *call, const char *file, int line)
{
    if (code == expected)
        return;
    print_error("%s, not %s: %s\n", servet_error_name(code), servet_error_name(expected), call);
    _fail(file, line);
}

/* --- files ------------------------------------------------------------------------------------ */

char *test_read_file(const char *path, size_t *size)
{
    char *text = NULL;
    size_t length = 0, room = 1 << 12;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    do {
        room *= 2;
        text = realloc(text, room);
        assert_non_null(text);
        length += fread(text + length, 1, room - 1 - length, file);
    } while (length == room - 1);
    fclose(file);
    text[length] = '\0';
    if (size)
        *size = length;
    return text;
}

void test_write_file(const char *path, const char *text, size_t size)
{
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void test_temporary_file(char path[TEST_PATH_MAX], const char *ending, const char *text)
{
    char name[64];
    snprintf(name, sizeof name, "servet-test-XXXXXX%s", ending);
    test_path(path, name);
    int file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0 && close(file) == 0);
    test_write_file(path, text, strlen(text));
}
