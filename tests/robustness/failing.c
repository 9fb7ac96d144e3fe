/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command whose N-th system call of a kind fails with EIO, in whichever process of it that
 * falls:
 *
 *     failing KIND N FOLDER REPORT COMMAND [ARGUMENT]...
 *
 * Only calls on files below FOLDER count ("/": all), and none on libraries, by which the loader
 * begins. What failed is written into REPORT: "KIND of FILE", empty if there were fewer calls. N =
 * 0: none fails, and the number of calls of each kind is written there: "KIND NUMBER". The exit
 * status is that of the command, 128 and the number of the signal that ended it, 76 where it did
 * not end within two minutes and was killed, or 77 where the kernel, its settings or this processor
 * do not let one process change the system calls of another. Messages are not failed: writing to
 * what this program has as stderr. A `close` that fails leaves the file open. With "kill-" before
 * the KIND, SIGKILL ends the command, all processes of its group and of the caller's right before
 * the call.
 *
 * The processes are traced. A listener of seccomp would be simpler, but a signal interrupts calls
 * that wait for its answer: a shell whose child ends just then would not close the end of its pipe
 * that writes, and read from it for ever.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS_MAX = 4, TEXT_MAX = 4096, NO_PATH = -1 };
enum { HANGS = 76, UNSUPPORTED = 77, SECONDS_MAX = 120 };

/* The argument that names the file: `fd` an open one, `folder` and `path` one by its name. */
typedef struct call_shape {
    int number, fd, folder, path;
} call_shape;

typedef struct call_kind {
    const char *name;
    call_shape calls[CALLS_MAX];
} call_kind;

// clang-format off
#define BY_FD(number) {number, 0, NO_PATH, NO_PATH}
#define BY_PATH(number, folder, path) {number, NO_PATH, folder, path}
#define UNUSED BY_PATH(-1, NO_PATH, NO_PATH)

/* Calls of older processors that take no folder. */
#ifdef SYS_open
#define OLD_OPEN BY_PATH(SYS_open, NO_PATH, 0)
#define OLD_MKDIR BY_PATH(SYS_mkdir, NO_PATH, 0)
#define OLD_RENAME BY_PATH(SYS_rename, NO_PATH, 0)
#define OLD_LINK BY_PATH(SYS_link, NO_PATH, 1), BY_PATH(SYS_symlink, NO_PATH, 1)
#define OLD_REMOVE BY_PATH(SYS_unlink, NO_PATH, 0), BY_PATH(SYS_rmdir, NO_PATH, 0)
#else
#define OLD_OPEN UNUSED
#define OLD_MKDIR UNUSED
#define OLD_RENAME UNUSED
#define OLD_LINK UNUSED, UNUSED
#define OLD_REMOVE UNUSED, UNUSED
#endif
#ifdef SYS_renameat
#define OLD_RENAMEAT BY_PATH(SYS_renameat, 0, 1)
#else
#define OLD_RENAMEAT UNUSED
#endif
// clang-format on

static const call_kind kinds[] = {
    {"open", {OLD_OPEN, BY_PATH(SYS_openat, 0, 1), UNUSED, UNUSED}},
    {"read", {BY_FD(SYS_read), BY_FD(SYS_pread64), BY_FD(SYS_readv), UNUSED}},
    {"write",
     {BY_FD(SYS_write), BY_FD(SYS_pwrite64), BY_FD(SYS_writev), BY_FD(SYS_copy_file_range)}},
    {"fsync", {BY_FD(SYS_fsync), BY_FD(SYS_fdatasync), UNUSED, UNUSED}},
    {"rename", {OLD_RENAME, OLD_RENAMEAT, BY_PATH(SYS_renameat2, 0, 1), UNUSED}},
    {"mkdir", {OLD_MKDIR, BY_PATH(SYS_mkdirat, 0, 1), UNUSED, UNUSED}},
    {"link", {OLD_LINK, BY_PATH(SYS_linkat, 2, 3), BY_PATH(SYS_symlinkat, 1, 2)}},
    {"remove", {OLD_REMOVE, BY_PATH(SYS_unlinkat, 0, 1), UNUSED}},
    {"close", {BY_FD(SYS_close), UNUSED, UNUSED, UNUSED}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static int stop(const char *text)
{
    fprintf(stderr, "failing: %s: %s\n", text, strerror(errno));
    return UNSUPPORTED;
}

/* --- the command -------------------------------------------------------------------------------
 */

/* A process stops for its tracer before each call of these kinds. */
static bool trace_calls(const call_kind *first, int count)
{
    struct sock_filter rules[2 * KINDS * CALLS_MAX + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short n = 1;
    for (int i = 0; i < count * CALLS_MAX; i++) {
        int number = first[i / CALLS_MAX].calls[i % CALLS_MAX].number;
        if (number < 0)
            continue;
        rules[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
        rules[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    rules[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {n, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Returns only where it failed. It stops until it is traced. */
static int become_command(const call_kind *first, int count, char **command)
{
    if (setpgid(0, 0) != 0 || raise(SIGSTOP) != 0)
        return stop("raise");
    if (!trace_calls(first, count))
        return stop("seccomp");
    execvp(command[0], command);
    return stop(command[0]);
}

/* --- what a call is on -------------------------------------------------------------------------
 */

static bool read_link(pid_t pid, const char *what, char text[TEXT_MAX])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
    ssize_t length = readlink(path, text, TEXT_MAX - 1);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool name_open_file(pid_t pid, int fd, char text[TEXT_MAX])
{
    char what[32];
    snprintf(what, sizeof what, "fd/%d", fd);
    return read_link(pid, what, text);
}

static bool name_folder(pid_t pid, int fd, char text[TEXT_MAX])
{
    return fd == AT_FDCWD ? read_link(pid, "cwd", text) : name_open_file(pid, fd, text);
}

/* A name may end where the page after it is not mapped: bytes are read one by one. */
static bool read_name(pid_t pid, uint64_t address, char text[TEXT_MAX])
{
    for (size_t i = 0; i < TEXT_MAX; i++) {
        struct iovec here = {text + i, 1}, there = {(void *)(uintptr_t)(address + i), 1};
        if (process_vm_readv(pid, &here, 1, &there, 1, 0) != 1)
            return false;
        if (!text[i])
            return true;
    }
    return false;
}

static bool name_file(pid_t pid, const __u64 *args, const call_shape *shape,
                      char text[2 * TEXT_MAX])
{
    if (shape->fd >= 0)
        return name_open_file(pid, (int)args[shape->fd], text);
    char name[TEXT_MAX], folder[TEXT_MAX] = "";
    if (!read_name(pid, args[shape->path], name))
        return false;
    int from = shape->folder == NO_PATH ? AT_FDCWD : (int)args[shape->folder];
    if (name[0] != '/' && !name_folder(pid, from, folder))
        return false;
    snprintf(text, 2 * (size_t)TEXT_MAX, "%s%s%s", folder, name[0] == '/' ? "" : "/", name);
    return true;
}

/* --- answering ---------------------------------------------------------------------------------
 */

typedef struct watch {
    const call_kind *kind; /* the first of kind_count */
    int kind_count;
    long at, seen[KINDS];
    bool kills;
    bool blind; /* the kernel does not say which call it is: Linux before 5.3 */
    pid_t command;
    const char *below;
    FILE *report;
    char messages[TEXT_MAX]; /* the file that is our stderr */
} watch;

static bool fails_now(watch *by, pid_t caller, const struct ptrace_syscall_info *call)
{
    char file[2 * TEXT_MAX] = "";
    int i = 0;
    while (by->kind[i / CALLS_MAX].calls[i % CALLS_MAX].number != (int)call->seccomp.nr)
        i++;
    const call_kind *kind = &by->kind[i / CALLS_MAX];
    const call_shape *shape = &kind->calls[i % CALLS_MAX];
    if (!name_file(caller, call->seccomp.args, shape, file) ||
        strncmp(file, by->below, strlen(by->below)) != 0)
        return false;
    if (strstr(file, ".so"))
        return false;
    if (strcmp(kind->name, "write") == 0 && strcmp(file, by->messages) == 0)
        return false;
    if (++by->seen[kind - by->kind] != by->at)
        return false;
    fprintf(by->report, "%s of %s\n", kind->name, file);
    return true;
}

/* MPI's launcher gives each rank a group of its own; the others end without it. */
static void kill_all(const watch *by, pid_t caller)
{
    pid_t group = getpgid(caller);
    (void)kill(-by->command, SIGKILL);
    if (group > 1 && group != getpgrp())
        (void)kill(-group, SIGKILL);
}

static long trace(long request, pid_t pid, uintptr_t number, const void *data)
{
    return syscall(SYS_ptrace, request, pid, number, data);
}

/* The call that the process has stopped before is left out, and returns the error. */
#if defined(__x86_64__)
enum { CAN_REFUSE = 1 };

static void refuse(pid_t caller, int error)
{
    struct user_regs_struct now;
    struct iovec all = {&now, sizeof now};
    if (trace(PTRACE_GETREGSET, caller, NT_PRSTATUS, &all) != 0)
        return;
    now.orig_rax = (unsigned long)-1;
    now.rax = (unsigned long)-error;
    (void)trace(PTRACE_SETREGSET, caller, NT_PRSTATUS, &all);
}
#elif defined(__aarch64__)
enum { CAN_REFUSE = 1 };

static void refuse(pid_t caller, int error)
{
    struct user_regs_struct now;
    int number = -1;
    struct iovec all = {&now, sizeof now}, call = {&number, sizeof number};
    if (trace(PTRACE_GETREGSET, caller, NT_PRSTATUS, &all) != 0)
        return;
    now.regs[0] = (unsigned long)-error;
    (void)trace(PTRACE_SETREGSET, caller, NT_PRSTATUS, &all);
    (void)trace(PTRACE_SETREGSET, caller, NT_ARM_SYSTEM_CALL, &call);
}
#else
enum { CAN_REFUSE = 0 };

static void refuse(pid_t caller, int error)
{
    (void)caller, (void)error;
}
#endif

static void answer(watch *by, pid_t caller)
{
    struct ptrace_syscall_info call;
    if (trace(PTRACE_GET_SYSCALL_INFO, caller, sizeof call, &call) <= 0) {
        by->blind = errno != ESRCH;
        return;
    }
    if (call.op != PTRACE_SYSCALL_INFO_SECCOMP || !fails_now(by, caller, &call))
        return;
    if (by->kills)
        kill_all(by, caller);
    refuse(caller, EIO);
}

/* A process stops before a call that is watched, where it begins, makes another, gets a signal, or
 * is stopped by one, which it then stays. */
static void go_on(watch *by, pid_t pid, int status)
{
    int event = status >> 16, signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_SECCOMP)
        answer(by, pid);
    bool stays = event == PTRACE_EVENT_STOP && signal != SIGTRAP;
    (void)trace(stays ? PTRACE_LISTEN : PTRACE_CONT, pid, 0,
                (const void *)(uintptr_t)(event ? 0 : signal));
}

static void wake(int signal)
{
    (void)signal;
}

/* Signals end a wait when the time is up, and again each second, as one may come before it. */
static void limit_time(void)
{
    struct itimerval time = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = SECONDS_MAX}};
    struct sigaction act = {.sa_handler = wake};
    (void)sigaction(SIGALRM, &act, NULL);
    (void)setitimer(ITIMER_REAL, &time, NULL);
}

/* Until none of the command's processes is left; returns its status. */
static int answer_all(watch *by)
{
    int status, result = 0;
    pid_t pid;
    while ((pid = waitpid(-1, &status, __WALL)) > 0)
        if (WIFSTOPPED(status))
            go_on(by, pid, status);
        else if (pid == by->command)
            result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (errno == ECHILD)
        return result;
    fprintf(stderr, "failing: the command did not end within %d seconds\n", SECONDS_MAX);
    (void)kill(-by->command, SIGKILL);
    return HANGS;
}

/* With PTRACE_O_EXITKILL no process outlives this one. */
static bool begin_trace(pid_t command)
{
    uintptr_t options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                        PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    int status;
    return waitpid(command, &status, WUNTRACED) == command && WIFSTOPPED(status) &&
           trace(PTRACE_SEIZE, command, 0, (const void *)options) == 0 &&
           kill(command, SIGCONT) == 0;
}

static int run(watch *by, char **command)
{
    if (!CAN_REFUSE) {
        errno = ENOSYS;
        return stop("no registers of this processor are known");
    }
    by->command = fork();
    if (by->command == 0)
        _exit(become_command(by->kind, by->kind_count, command));
    if (by->command < 0)
        return stop("fork");
    if (!begin_trace(by->command)) {
        int status = stop("ptrace");
        (void)kill(by->command, SIGKILL);
        return status;
    }
    limit_time();
    int status = answer_all(by);
    return by->blind ? UNSUPPORTED : status;
}

static const call_kind *find_kind(const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

int main(int argc, char **argv)
{
    bool kills = argc > 5 && strncmp(argv[1], "kill-", 5) == 0;
    watch by = {.kind = argc > 5 ? find_kind(argv[1] + (kills ? 5 : 0)) : NULL,
                .kind_count = 1,
                .kills = kills};
    if (!by.kind || !(by.report = fopen(argv[4], "we"))) {
        fputs("usage: failing KIND N FOLDER REPORT COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    by.at = atol(argv[2]);
    if (by.at == 0) {
        by.kind = kinds;
        by.kind_count = KINDS;
    }
    by.below = argv[3];
    (void)name_open_file(getpid(), 2, by.messages);
    int status = run(&by, argv + 5);
    for (int i = 0; by.at == 0 && i < KINDS; i++)
        fprintf(by.report, "%s %ld\n", kinds[i].name, by.seen[i]);
    fclose(by.report);
    return status;
}
