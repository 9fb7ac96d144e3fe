/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/apart.h"

static const srv_apart_limits limits = {(size_t)64 << 20, 1};

static int write_words(void *context, FILE *out, servet_error *error)
{
    (void)error;
    int *calls = context;
    ++*calls;
    for (int i = 0; i < 100000; i++)
        fprintf(out, "word %d\n", i);
    return SERVET_OK;
}

static int refuse(void *context, FILE *out, servet_error *error)
{
    (void)context;
    fputs("half", out);
    fputs("nobody reads this", stderr);
    return srv_fail_at(error, SERVET_EMACHINE, "file", 7, "the reason");
}

static int die(void *context, FILE *out, servet_error *error)
{
    (void)out;
    (void)error;
    raise(*(const int *)context);
    return SERVET_OK;
}

static int leave(void *context, FILE *out, servet_error *error)
{
    (void)context;
    (void)out;
    (void)error;
    _exit(0);
}

/* Until there is none left, or the process ends. */
static int take_memory(void *context, FILE *out, servet_error *error)
{
    enum { MIB = 1 << 20 };
    (void)context;
    (void)out;
    for (int i = 0; i < 256; i++) {
        char *block = malloc(MIB);
        if (!block)
            return srv_fail_memory(error);
        memset(block, 1, MIB);
    }
    return SERVET_OK;
}

static int take_time(void *context, FILE *out, servet_error *error)
{
    (void)out;
    (void)error;
    for (volatile int *turns = context;; ++*turns) {
    }
    return SERVET_OK;
}

/* What comes of it; nothing may be written unless it succeeds, and no child be left. */
static int apart(srv_apart_work *work, void *context, char **text, servet_error *error)
{
    size_t size;
    *error = (servet_error)SERVET_ERROR_INIT;
    FILE *out = open_memstream(text, &size);
    int code = srv_apart(work, context, &limits, "a file", out, error);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_true(code == SERVET_OK || size == 0);
    return code;
}

static void what_it_writes_arrives_and_nothing_else_changes(void **state)
{
    (void)state;
    char *text;
    int calls = 0;
    servet_error error;
    assert_int_equal(apart(write_words, &calls, &text, &error), SERVET_OK);
    assert_int_equal(calls, 0);
    assert_memory_equal(text, "word 0\nword 1\n", 14);
    assert_string_equal(text + strlen(text) - 11, "word 99999\n");
    free(text);
}

static void its_error_arrives(void **state)
{
    (void)state;
    char *text;
    servet_error error;
    assert_int_equal(apart(refuse, NULL, &text, &error), SERVET_EMACHINE);
    assert_string_equal(error.file, "file");
    assert_int_equal(error.line, 7);
    assert_string_equal(error.text, "the reason");
    free(text);
}

static void its_death_is_an_error(void **state)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGKILL};
    (void)state;
    char *text;
    servet_error error;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int number = signals[i];
        assert_int_equal(apart(die, &number, &text, &error), SERVET_EFORMAT);
        assert_non_null(strstr(error.text, strsignal(number)));
        assert_string_equal(error.file, "a file");
        free(text);
    }
    assert_int_equal(apart(leave, NULL, &text, &error), SERVET_EFORMAT);
    free(text);
}

static void its_memory_and_its_time_are_limited(void **state)
{
    (void)state;
    char *text;
    int turns = 0;
    servet_error error;
    assert_int_equal(apart(take_time, &turns, &text, &error), SERVET_EFORMAT);
    free(text);
    if (TEST_SANITIZED)
        return; /* their allocator ends the process with a report of its own */
    assert_int_equal(apart(take_memory, NULL, &text, &error), SERVET_EMEMORY);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_writes_arrives_and_nothing_else_changes),
        cmocka_unit_test(its_error_arrives),
        cmocka_unit_test(its_death_is_an_error),
        cmocka_unit_test(its_memory_and_its_time_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
