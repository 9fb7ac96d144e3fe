/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* pipe2() */
#include "export/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child sends first; the text follows. */
typedef struct answer {
    int code;
    servet_error error;
    size_t size;
} answer;

/* --- the child -------------------------------------------------------------------------------- */

/* Handlers of the program would report a crash, or save its state, from here. */
static void forget_program(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

/* No limit that is in force already is raised. */
static void lower(int of, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(of, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_max = most;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most)
        limit.rlim_cur = most;
    (void)setrlimit(of, &limit);
}

/* The address space that the program has already; 0: not known. */
static rlim_t mapped_bytes(void)
{
    unsigned long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (!stream)
        return 0;
    int found = fscanf(stream, "%lu", &pages);
    fclose(stream);
    return found == 1 ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

static void limit_child(const srv_apart_limits *limits)
{
    struct rusage used = {.ru_utime = {0, 0}};
    rlim_t mapped = mapped_bytes();
    (void)getrusage(RUSAGE_SELF, &used);
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_CPU,
          (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + limits->seconds + 1);
    if (mapped)
        lower(RLIMIT_AS, mapped + limits->bytes);
}

static bool send_all(int to, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t n = write(to, at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Ends without what the program does at its end: its streams would be written twice. */
static void be_child(srv_apart_work *work, void *context, const srv_apart_limits *limits, int to)
{
    char *text = NULL;
    answer sent = {.error = SERVET_ERROR_INIT};
    forget_program();
    limit_child(limits);
    FILE *out = open_memstream(&text, &sent.size);
    sent.code = out ? work(context, out, &sent.error) : srv_fail_memory(&sent.error);
    if (out && fclose(out) != 0 && sent.code == SERVET_OK)
        sent.code = srv_fail_memory(&sent.error);
    bool done = send_all(to, &sent, sizeof sent) && send_all(to, text, sent.size);
    _exit(done ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* --- the parent ------------------------------------------------------------------------------- */

static bool receive(FILE *from, char **data, size_t *size, servet_error *error)
{
    char block[4096];
    FILE *memory = open_memstream(data, size);
    for (size_t n; memory && (n = fread(block, 1, sizeof block, from)) > 0;)
        fwrite(block, 1, n, memory);
    bool done = memory && !ferror(from) && !ferror(memory);
    if ((memory && fclose(memory) != 0) || !done)
        (void)srv_fail_memory(error);
    return done;
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int fail_ended(int signal_of_child, const char *file, servet_error *error)
{
    return srv_fail_at(error, SERVET_EFORMAT, file, 0, "the process that read it ended early: %s",
                       signal_of_child ? strsignal(signal_of_child) : "for an unknown reason");
}

static int take(const char *data, size_t size, FILE *out, servet_error *error)
{
    answer sent;
    memcpy(&sent, data, sizeof sent);
    if (sent.code != SERVET_OK)
        return srv_fail_at(error, sent.code, sent.error.file, sent.error.line, "%s",
                           sent.error.text);
    if (fwrite(data + sizeof sent, 1, size - sizeof sent, out) != sent.size)
        return srv_fail(error, SERVET_EIO, "cannot write: %s", strerror(errno));
    return SERVET_OK;
}

/* Whether all came that the child was to send. */
static bool is_complete(const char *data, size_t size)
{
    answer sent;
    if (size < sizeof sent)
        return false;
    memcpy(&sent, data, sizeof sent);
    return size == sizeof sent + sent.size;
}

static int hear(pid_t child, int answers, const char *file, FILE *out, servet_error *error)
{
    char *data = NULL;
    size_t size = 0;
    FILE *from = fdopen(answers, "r");
    bool heard = from ? receive(from, &data, &size, error) : srv_fail_memory(error) == SERVET_OK;
    if (from)
        fclose(from);
    else
        close(answers);
    int signal_of_child = wait_for(child);
    int code = SERVET_EMEMORY;
    if (heard)
        code = is_complete(data, size) ? take(data, size, out, error)
                                       : fail_ended(signal_of_child, file, error);
    free(data);
    return code;
}

int srv_apart(srv_apart_work *work, void *context, const srv_apart_limits *limits, const char *file,
              FILE *out, servet_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return srv_fail(error, SERVET_EIO, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        be_child(work, context, limits, ends[1]);
    close(ends[1]);
    if (child > 0)
        return hear(child, ends[0], file, out, error);
    close(ends[0]);
    return srv_fail(error, SERVET_EIO, "cannot start a process: %s", strerror(errno));
}
