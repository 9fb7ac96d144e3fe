/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* environ, pipe2() */
#include "export/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/memory_stream.h"

/* The first message of the child; a text follows. */
typedef struct answer {
    int code;
    servet_error error;
    size_t size;
} answer;

/* --- the child -------------------------------------------------------------------------------- */

/* Removes the program's signal handlers, which would report a crash or save its state. Removes also
 * the environment of a set-uid program: it comes from the caller and may name plugins that hwloc
 * loads. The environment is not freed, because another thread may have locked it at the fork. */
static void forget_program(void)
{
    for (int number = 1; number <= SIGRTMAX; number++)
        signal(number, SIG_DFL);
    if (getauxval(AT_SECURE))
        environ = NULL;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

/* Lowers a limit; a lower one that exists already stays. */
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

/* Returns the bytes of address space that the program uses already; 0: not known. */
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

/* Runs the work. The child ends without the program's exit handlers, which would write its streams
 * twice. */
static void be_child(srv_apart_work *work, void *context, const srv_apart_limits *limits, int to)
{
    char *text = NULL;
    answer sent = {.error = SERVET_ERROR_INIT};
    forget_program();
    limit_child(limits);
    srv_memory_stream out;
    bool open = srv_memory_stream_open(&out);
    sent.code = open ? work(context, out.stream, &sent.error) : srv_fail_memory(&sent.error);
    if (open && !srv_memory_stream_close(&out, &text, &sent.size) && sent.code == SERVET_OK)
        sent.code = srv_fail_memory(&sent.error);
    bool done = send_all(to, &sent, sizeof sent) && send_all(to, text, sent.size);
    _exit(done ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* --- the parent ------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reads, and continues after interruptions by signal handlers of the program. Returns the number of
 * bytes, 0 at the end; -1 with errno, which is ETIMEDOUT after the deadline. */
static ssize_t read_until(int from, double deadline, void *block, size_t size)
{
    for (double left; (left = deadline - now()) > 0;) {
        struct pollfd answers = {.fd = from, .events = POLLIN};
        ssize_t n = poll(&answers, 1, (int)(1e3 * left) + 1);
        if (n > 0 && (n = read(from, block, size)) >= 0)
            return n;
        if (n < 0 && errno != EINTR)
            return -1;
    }
    errno = ETIMEDOUT;
    return -1;
}

static int receive(int from, double deadline, FILE *memory, const char *file, servet_error *error)
{
    char block[4096];
    ssize_t n;
    while ((n = read_until(from, deadline, block, sizeof block)) > 0)
        fwrite(block, 1, (size_t)n, memory);
    if (n < 0 && errno == ETIMEDOUT)
        return srv_fail_at(error, SERVET_EFORMAT, file, 0,
                           "the process that read it did not come to an end, and was ended");
    if (n < 0)
        return srv_fail(error, SERVET_EIO, "cannot read from a process: %s", strerror(errno));
    return ferror(memory) ? srv_fail_memory(error) : SERVET_OK;
}

static int receive_all(int from, double deadline, char **data, size_t *size, const char *file,
                       servet_error *error)
{
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    int code = receive(from, deadline, memory.stream, file, error);
    bool kept = srv_memory_stream_close(&memory, data, size);
    return kept || code != SERVET_OK ? code : srv_fail_memory(error);
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

/* Returns true if the child has sent everything. */
static bool is_complete(const char *data, size_t size)
{
    answer sent;
    if (size < sizeof sent)
        return false;
    memcpy(&sent, data, sizeof sent);
    return size == sizeof sent + sent.size;
}

/* Receives the answer. If another thread held a lock at the fork, the child may wait for it forever
 * without using processor time; therefore there is a deadline. */
static int hear(pid_t child, int answers, double deadline, const char *file, FILE *out,
                servet_error *error)
{
    char *data = NULL;
    size_t size = 0;
    int code = receive_all(answers, deadline, &data, &size, file, error);
    close(answers);
    if (code != SERVET_OK)
        kill(child, SIGKILL);
    int signal_of_child = wait_for(child);
    if (code == SERVET_OK)
        code = is_complete(data, size) ? take(data, size, out, error)
                                       : fail_ended(signal_of_child, file, error);
    free(data);
    return code;
}

/* Makes a pipe with descriptors above the standard streams: a program may have closed these, and
 * the child replaces one of them. */
static bool make_pipe(int ends[2])
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(pair[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(pair[i]);
    }
    bool made = ends[0] >= 0 && ends[1] >= 0;
    for (int i = 0; i < 2 && !made; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return made;
}

int srv_apart(srv_apart_work *work, void *context, const srv_apart_limits *limits, const char *file,
              FILE *out, servet_error *error)
{
    int ends[2];
    double deadline = now() + 2.0 * limits->seconds;
    if (!make_pipe(ends))
        return srv_fail(error, SERVET_EIO, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(work, context, limits, ends[1]);
    }
    close(ends[1]);
    if (child > 0)
        return hear(child, ends[0], deadline, file, out, error);
    close(ends[0]);
    return srv_fail(error, SERVET_EIO, "cannot start a process: %s", strerror(errno));
}
