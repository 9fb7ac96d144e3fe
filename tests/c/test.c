/* SPDX-License-Identifier: BSD-3-Clause */
/** Collects the tests of a file, runs them, and marks those that are skipped; files that they use.
 */
#define _GNU_SOURCE /* mkstemps() */
#include "test.h"

#include <unistd.h>

#include "servet/error.h"

enum { TESTS_MAX = 128 };

/* A test, or, without a function, the fixture of those below it. */
typedef struct added_test {
    struct CMUnitTest test;
    int line;
} added_test;

static added_test added[TESTS_MAX];
static size_t added_count;
static CMFixtureFunction group_setup, group_teardown;

const char *test_now;

/* The tests that run, whose names may change; cmocka's own copies lie in its caller. */
static struct CMUnitTest running[TESTS_MAX];
static size_t running_count;

void test_add(struct CMUnitTest test, int line)
{
    if (added_count == TESTS_MAX)
        abort();
    added[added_count++] = (added_test){test, line};
}

void test_add_each(CMFixtureFunction setup, CMFixtureFunction teardown, int line)
{
    test_add((struct CMUnitTest){.setup_func = setup, .teardown_func = teardown}, line);
}

void test_add_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    group_setup = setup;
    group_teardown = teardown;
}

static int compare_lines(const void *a, const void *b)
{
    return ((const added_test *)a)->line - ((const added_test *)b)->line;
}

int test_run_added(void)
{
    struct CMUnitTest tests[TESTS_MAX], fixture = {0};
    size_t count = 0;
    qsort(added, added_count, sizeof *added, compare_lines);
    for (size_t i = 0; i < added_count; i++)
        if (added[i].test.test_func) {
            struct CMUnitTest *test = &tests[count++];
            *test = added[i].test;
            if (!test->setup_func)
                test->setup_func = fixture.setup_func;
            if (!test->teardown_func)
                test->teardown_func = fixture.teardown_func;
        } else {
            fixture = added[i].test;
        }
    if (count == 0)
        abort(); /* a program without tests would pass */
    return test_run("tests", tests, count, group_setup, group_teardown);
}

int test_run(const char *group, const struct CMUnitTest *tests, size_t count,
             CMFixtureFunction setup, CMFixtureFunction teardown)
{
    if (count > TESTS_MAX)
        abort();
    memcpy(running, tests, count * sizeof *tests);
    running_count = count;
    int failed = _cmocka_run_group_tests(group, running, count, setup, teardown);
    test_end_kept();
    return failed;
}

void test_mark_skipped(const char *name, const char *reason)
{
    static char marked[TESTS_MAX][256];
    for (size_t i = 0; i < running_count; i++)
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
