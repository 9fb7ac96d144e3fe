/* SPDX-License-Identifier: BSD-3-Clause */
/** The common header of all C tests; cmocka needs these headers before its own. */
#ifndef SRV_TESTS_TEST_H
#define SRV_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers slow a simulated machine down by five times and more. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/** How many of `all` cases of a kind a test takes: per commit the first `quick` ones, which show
 * all there is to show, and with sanitizers a quarter of these, which run through all the code;
 * with SERVET_THOROUGH in the environment, as in the night, each. */
static inline size_t test_cases(size_t quick, size_t all)
{
    return getenv("SERVET_THOROUGH") ? all : TEST_SANITIZED ? (quick + 3) / 4 : quick;
}

/** For tests whose cases are the bytes or members of a file: a test takes each at night, and each
 * `quick`-th one per commit. */
static inline size_t test_step(size_t quick)
{
    return getenv("SERVET_THOROUGH") ? 1 : TEST_SANITIZED ? 4 * quick : quick;
}

/* --- temporary files ------------------------------------------------------------------------- */

enum { TEST_PATH_MAX = 512 };

/** The path of a temporary file or folder of this name, which may end in XXXXXX. */
static inline void test_path(char path[TEST_PATH_MAX], const char *name)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, TEST_PATH_MAX, "%s/%s", folder && *folder ? folder : "/tmp", name);
}

/** The content of a file and, behind it, '\0'; the caller frees it. `size` may be NULL. */
char *test_read_file(const char *path, size_t *size);

/** Writes a file anew: some file systems flush one that is truncated and written again. */
void test_write_file(const char *path, const char *text, size_t size);

/** A new file with that text, whose name ends so; the caller removes it. */
void test_temporary_file(char path[TEST_PATH_MAX], const char *ending, const char *text);

/* --- numbers that are near ------------------------------------------------------------------- */

/* cmocka's takes what is not a number, and infinity, for equal to any number; like that one, this
 * allows the rounding of a float besides. */
static inline void test_near(double a, double b, double epsilon, const char *file, int line)
{
    double allowed = fmax(epsilon, FLT_EPSILON * fmax(fabs(a), fabs(b)));
    if (a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= allowed))
        return;
    print_error("%.9g != %.9g\n", a, b);
    _fail(file, line);
}

#undef assert_float_equal
#define assert_float_equal(a, b, epsilon) test_near((a), (b), (epsilon), __FILE__, __LINE__)

/* --- codes of errors -------------------------------------------------------------------------- */

void test_code(int code, int expected, const char *call, const char *file, int line);

/** Checks that a call succeeds, or fails with that code. */
#define assert_ok(call)         test_code((call), 0, #call, __FILE__, __LINE__)
#define assert_code(call, code) test_code((call), (code), #call, __FILE__, __LINE__)

/* --- what a test makes ------------------------------------------------------------------------ */

/** Calls `end` with `made` when the body of the calling test ends; what was kept last ends first.
 */
void test_keep(void *made, void (*end)(void *made));

/** Ends all that was kept. */
void test_end_kept(void);

/** Defines keep_TYPE(), which keeps a pointer that `destroy` ends, and returns it. */
#define TEST_KEEPS(type, destroy)                                                                  \
    static void destroy##_kept(void *made)                                                         \
    {                                                                                              \
        destroy(made);                                                                             \
    }                                                                                              \
    static type *keep_##type(type *made)                                                           \
    {                                                                                              \
        test_keep(made, destroy##_kept);                                                           \
        return made;                                                                               \
    }

/** The same for a value that `finish` takes by its address. */
#define TEST_KEEPS_VALUE(type, finish)                                                             \
    static void finish##_kept(void *made)                                                          \
    {                                                                                              \
        finish(made);                                                                              \
        free(made);                                                                                \
    }                                                                                              \
    static type keep_##type(type made)                                                             \
    {                                                                                              \
        type *copy = malloc(sizeof *copy);                                                         \
        assert_non_null(copy);                                                                     \
        *copy = made;                                                                              \
        test_keep(copy, finish##_kept);                                                            \
        return made;                                                                               \
    }

/* --- tests and their fixtures ----------------------------------------------------------------- */

/* A test or, without a function, a fixture of its file: of all tests, or of each one below it.
 * cmocka's functions that run before and after a test may be NULL, as in its own tables. */
typedef struct test_added {
    struct CMUnitTest test;
    enum { TEST_IS_TEST, TEST_IS_EACH, TEST_IS_GROUP } kind;
    const char *file;
    int line;
    struct test_added *next;
} test_added;

/** Adds to the tests of the program; `added` stays where it is. */
void test_add(test_added *added);

/* The name of the test that runs, where TEST() defined it. */
extern const char *test_now;

#define TEST_JOIN(a, b)    a##b
#define TEST_NAME_OF(a, b) TEST_JOIN(a, b)
#define TEST_ADD(name, ...)                                                                        \
    __attribute__((constructor)) static void name(void)                                            \
    {                                                                                              \
        static test_added added = {__VA_ARGS__, __FILE__, __LINE__, NULL};                         \
        test_add(&added);                                                                          \
    }

/** A test: this begins its function, which main() in main.c runs, in the order of the file. */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/** A test with its own set-up and tear-down, which may be NULL. */
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name##_body(void);                                                                 \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        test_now = #name;                                                                          \
        name##_body();                                                                             \
        test_end_kept();                                                                           \
    }                                                                                              \
    TEST_ADD(add_##name, {#name, name, setup, teardown, NULL}, TEST_IS_TEST)                       \
    static void name##_body(void)

/** This begins a function that runs before or after tests; it returns 0 if all is well. */
#define TEST_FIXTURE(name) static int name(void **state __attribute__((unused)))

/** These run before and after each test that follows in the file. */
#define TEST_EACH(setup, teardown)                                                                 \
    TEST_ADD(TEST_NAME_OF(add_each_, __LINE__), {NULL, NULL, setup, teardown, NULL}, TEST_IS_EACH)

/** These run once, before all tests of the file and after them. */
#define TEST_GROUP(setup, teardown)                                                                \
    TEST_ADD(add_group, {NULL, NULL, setup, teardown, NULL}, TEST_IS_GROUP)

/** Runs the tests of the file of this name, without folder and ending; NULL: of all files, for
 * programs that have one. Returns how many failed. */
int test_run_file(const char *name);

/** For tests that call their program again, with an argument behind the name: its exit status. */
extern int (*test_answer)(const char *argument);

/** Runs a table of tests, as cmocka_run_group_tests() does. */
int test_run(const char *group, const struct CMUnitTest *tests, size_t count,
             CMFixtureFunction setup, CMFixtureFunction teardown);

/* --- tests that are skipped ------------------------------------------------------------------- */

/** Marks the test of this name as skipped: what follows it in TAP is a directive. */
void test_mark_skipped(const char *name, const char *reason);

/** Ends the calling test, a function that cmocka calls, as "ok # SKIP reason". cmocka's own skip()
 * writes "not ok", which Meson takes for a failure, and no reason. */
#define test_skip(reason)                                                                          \
    do {                                                                                           \
        test_mark_skipped(test_now ? test_now : __func__, reason);                                 \
        return;                                                                                    \
    } while (0)
#undef skip

/** Leaves a case that takes long to the night: other cases run through the same code. */
#define test_leave_to_night()                                                                      \
    do {                                                                                           \
        if (!getenv("SERVET_THOROUGH"))                                                            \
            test_skip("takes long, and others run the same code: at night only");                  \
    } while (0)

/** Leaves a case that repeats the same code often, such as statistics, to the build without
 * sanitizers, and to the night. */
#define test_leave_to_plain_build()                                                                \
    do {                                                                                           \
        if (TEST_SANITIZED && !getenv("SERVET_THOROUGH"))                                          \
            test_skip("takes long with sanitizers, where it runs at night only");                  \
    } while (0)

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    test_run(#tests, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

#endif
