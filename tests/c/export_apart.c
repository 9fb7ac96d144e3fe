/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "export/apart.h"

/* Work that comes to an end may take as long as a busy machine makes it. */
static const srv_apart_limits ample = {(size_t)64 << 20, 60}, brief = {(size_t)64 << 20, 1};

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
    fputs("not to be read", stderr);
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

/* Waits forever, like for a lock that is never released. */
static int wait_for_ever(void *context, FILE *out, servet_error *error)
{
    (void)context;
    (void)out;
    (void)error;
    while (pause() < 0) {
    }
    return SERVET_OK;
}

static void ignore(int number)
{
    (void)number;
}

static int interrupt_the_program(void *context, FILE *out, servet_error *error)
{
    (void)error;
    (void)context;
    raise(SIGUSR1); /* which a handler of the program would survive */
    fputs("never", out);
    return SERVET_OK;
}

static int signal_the_program(void *context, FILE *out, servet_error *error)
{
    (void)error;
    static const struct timespec moment = {0, 20 * 1000 * 1000};
    kill(*(const pid_t *)context, SIGUSR1);
    nanosleep(&moment, NULL);
    kill(*(const pid_t *)context, SIGUSR1);
    nanosleep(&moment, NULL);
    fputs("done", out);
    return SERVET_OK;
}

static int use_stderr(void *context, FILE *out, servet_error *error)
{
    (void)error;
    (void)context;
    (void)!write(STDERR_FILENO, "lost", 4);
    fputs("arrived", out);
    return SERVET_OK;
}

/* Runs the work; nothing may be written unless it succeeds, and no child may be left. */
static int apart_within(const srv_apart_limits *limits, srv_apart_work *work, void *context,
                        char **text, servet_error *error)
{
    size_t size;
    *error = (servet_error)SERVET_ERROR_INIT;
    FILE *out = open_memstream(text, &size);
    int code = srv_apart(work, context, limits, "a file", out, error);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_true(code == SERVET_OK || size == 0);
    return code;
}

static int apart(srv_apart_work *work, void *context, char **text, servet_error *error)
{
    return apart_within(&ample, work, context, text, error);
}

TEST(the_output_arrives_and_nothing_else_changes)
{
    char *text;
    int calls = 0;
    servet_error error;
    assert_ok(apart(write_words, &calls, &text, &error));
    assert_int_equal(calls, 0);
    assert_memory_equal(text, "word 0\nword 1\n", 14);
    assert_string_equal(text + strlen(text) - 11, "word 99999\n");
    free(text);
}

TEST(its_error_arrives)
{
    char *text;
    servet_error error;
    assert_int_equal(apart(refuse, NULL, &text, &error), SERVET_EMACHINE);
    assert_string_equal(error.file, "file");
    assert_int_equal(error.line, 7);
    assert_string_equal(error.text, "the reason");
    free(text);
}

TEST(its_death_is_an_error)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGKILL};
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

/* Emulators of processes (qemu-user) take the limit, and do not keep it. */
static bool address_space_can_be_limited(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        _exit(setrlimit(RLIMIT_AS, &none) == 0 &&
                      mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                          MAP_FAILED
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status == 0;
}

TEST(its_memory_and_its_time_are_limited)
{
    char *text;
    int turns = 0;
    servet_error error;
    assert_int_equal(apart_within(&brief, take_time, &turns, &text, &error), SERVET_EFORMAT);
    free(text);
    if (TEST_SANITIZED)
        return; /* their allocator ends the process with a report of its own */
    if (!address_space_can_be_limited())
        test_skip("the system does not keep RLIMIT_AS");
    assert_int_equal(apart(take_memory, NULL, &text, &error), SERVET_EMEMORY);
    free(text);
}

TEST(a_child_that_waits_is_ended)
{
    char *text;
    servet_error error;
    assert_int_equal(apart_within(&brief, wait_for_ever, NULL, &text, &error), SERVET_EFORMAT);
    assert_non_null(strstr(error.text, "did not come to an end"));
    assert_string_equal(error.file, "a file");
    free(text);
}

TEST(handlers_of_the_program_interrupt_nothing)
{
    struct sigaction handler = {.sa_handler = ignore}, before;
    pid_t self = getpid();
    char *text;
    servet_error error;
    assert_int_equal(sigaction(SIGUSR1, &handler, &before), 0);
    assert_ok(apart(signal_the_program, &self, &text, &error));
    assert_string_equal(text, "done");
    free(text);
    assert_int_equal(apart(interrupt_the_program, NULL, &text, &error), SERVET_EFORMAT);
    free(text);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

/* Ends with a status, because the results of the tests need the streams. */
TEST(the_standard_streams_may_be_closed)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
            close(fd);
        int code = srv_apart(use_stderr, NULL, &ample, "a file", out, NULL);
        _exit(fclose(out) == 0 && code == SERVET_OK && strcmp(text, "arrived") == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
