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

/* Fails, and says what was called, unless its code is SERVET_OK. */
static inline void test_ok(int code, const char *call, const char *file, int line)
{
    if (code == 0)
        return;
    print_error("%s: code %d\n", call, code);
    _fail(file, line);
}

#define assert_ok(call) test_ok((call), #call, __FILE__, __LINE__)

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

/* --- tests that are skipped ------------------------------------------------------------------- */

/* The tests that run, whose names may change; cmocka's own copies lie in main(). */
static struct CMUnitTest *test_running;
static size_t test_running_count;

/* The name of the test that runs, where TEST() defined it. */
__attribute__((unused)) static const char *test_now;

/* Marks the test of this name as skipped: what follows it in TAP is a directive. */
static inline void test_mark_skipped(const char *name, const char *reason)
{
    static char marked[16][256];
    static size_t used;
    for (size_t i = 0; i < test_running_count && used < sizeof marked / sizeof *marked; i++)
        if (strcmp(test_running[i].name, name) == 0) {
            snprintf(marked[used], sizeof *marked, "%s # SKIP %s", name, reason);
            test_running[i].name = marked[used++];
            return;
        }
    print_message("# %s: skipped: %s\n", name, reason);
}

static inline int test_run(const char *group, const struct CMUnitTest *tests, size_t count,
                           CMFixtureFunction setup, CMFixtureFunction teardown)
{
    test_running = malloc(count * sizeof *tests);
    if (!test_running)
        return -1;
    memcpy(test_running, tests, count * sizeof *tests);
    test_running_count = count;
    int failed = _cmocka_run_group_tests(group, test_running, count, setup, teardown);
    free(test_running);
    test_running_count = 0;
    test_end_kept();
    return failed;
}

/** Ends the calling test, a function that cmocka calls, as "ok # SKIP reason". cmocka's own skip()
 * writes "not ok", which Meson takes for a failure, and no reason. */
#define test_skip(reason)                                                                          \
    do {                                                                                           \
        test_mark_skipped(test_now ? test_now : __func__, reason);                                 \
        return;                                                                                    \
    } while (0)
#undef skip

/** Leaves a case that simulates a large machine to the night: smaller machines in other cases run
 * through the same code. */
#define test_leave_to_night()                                                                      \
    do {                                                                                           \
        if (!getenv("SERVET_THOROUGH"))                                                            \
            test_skip("a large machine: simulated at night only");                                 \
    } while (0)

/* --- the tests of a file ---------------------------------------------------------------------- */

enum { TESTS_MAX = 64 };

/* The tests of this file, in the order of its lines. */
static struct CMUnitTest test_listed[TESTS_MAX];
static int test_lines[TESTS_MAX];
static size_t test_listed_count;

/* Compilers call constructors in an order of their own. */
static inline void test_list(struct CMUnitTest test, int line)
{
    size_t at = test_listed_count++;
    if (at == TESTS_MAX)
        abort();
    for (; at > 0 && test_lines[at - 1] > line; at--) {
        test_listed[at] = test_listed[at - 1];
        test_lines[at] = test_lines[at - 1];
    }
    test_listed[at] = test;
    test_lines[at] = line;
}

static inline int test_run_listed(CMFixtureFunction before_each, CMFixtureFunction after_each,
                                  CMFixtureFunction before_all, CMFixtureFunction after_all)
{
    for (size_t i = 0; i < test_listed_count; i++) {
        struct CMUnitTest *test = &test_listed[i];
        if (!test->setup_func)
            test->setup_func = before_each;
        if (!test->teardown_func)
            test->teardown_func = after_each;
    }
    return test_run("tests", test_listed, test_listed_count, before_all, after_all);
}

/** A test, whose body follows. */
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
    __attribute__((constructor)) static void name##_is_listed(void)                                \
    {                                                                                              \
        test_list((struct CMUnitTest){#name, name, setup, teardown, NULL}, __LINE__);              \
    }                                                                                              \
    static void name##_body(void)

/** The last line of a file of tests: its main(), which runs them. */
#define TEST_MAIN() TEST_MAIN_OF(NULL, NULL, NULL, NULL)

/** With a set-up and a tear-down of each test that has none of its own, */
#define TEST_MAIN_EACH(setup, teardown) TEST_MAIN_OF(setup, teardown, NULL, NULL)

/** or of all tests together. */
#define TEST_MAIN_GROUP(setup, teardown) TEST_MAIN_OF(NULL, NULL, setup, teardown)

#define TEST_MAIN_OF(before_each, after_each, before_all, after_all)                               \
    int main(void)                                                                                 \
    {                                                                                              \
        return test_run_listed(before_each, after_each, before_all, after_all);                    \
    }

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    test_run(#tests, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

#endif
