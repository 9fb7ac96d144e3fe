/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command whose N-th system call of a kind fails with EIO, in whichever process of it that
 * falls:
 *
 *     failing KIND N FOLDER REPORT COMMAND [ARGUMENT]...
 *
 * Only calls on files below FOLDER count ("/": all), and none on libraries, by which the loader
 * begins. What failed is written into REPORT: "KIND of FILE", empty if there were fewer calls. N =
 * 0: none fails, and their number is written there. The exit status is that of the command, 128 and
 * the number of the signal that ended it, 76 where it did not end within two minutes and was
 * killed, or 77 where the kernel or its settings do not let one process answer for the system calls
 * of another. Messages are not failed: writing to what this program has as stderr. A `close` that
 * fails leaves the file open. With "kill-" before the KIND, SIGKILL ends the command, all processes
 * of its group and of the caller's right before the call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS      SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

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

/*
 * A signal interrupts a call that waits for its answer: a shell whose child ends just then does not
 * close its pipe, and reads from it for ever. Since Linux 5.19 only deadly ones do once we know of
 * the call; before, and on older systems, that remains a reason to hang.
 */
static int install(const struct sock_fprog *program)
{
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, program);
    return listener >= 0 || errno != EINVAL
               ? listener
               : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
}

static int listen_for(const call_kind *kind)
{
    struct sock_filter rules[2 * CALLS_MAX + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short n = 1;
    for (int i = 0; i < CALLS_MAX; i++) {
        if (kind->calls[i].number < 0)
            continue;
        rules[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                  (unsigned)kind->calls[i].number, 0, 1);
        rules[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    rules[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {n, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return install(&program);
}

typedef union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
} control;

/* Not by write() or close(), which may be what is listened for. */
static bool send_listener(int socket, int listener)
{
    char byte = 0;
    control room = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    memcpy(CMSG_DATA(&room.header), &listener, sizeof listener);
    struct iovec text = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

static int receive_listener(int socket)
{
    char byte;
    control room = {{0}};
    struct iovec text = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
    int listener = -1;
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    return listener;
}

/* Returns only where it failed. The listener ends with exec: SECCOMP_FILTER_FLAG_NEW_LISTENER sets
 * close-on-exec. */
static int become_command(const call_kind *kind, int socket, char **command)
{
    int listener = listen_for(kind);
    if (listener < 0)
        return stop("seccomp");
    if (!send_listener(socket, listener))
        return stop("sendmsg");
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

static bool name_file(const struct seccomp_notif *call, const call_shape *shape,
                      char text[2 * TEXT_MAX])
{
    const uint64_t *args = (const uint64_t *)call->data.args;
    pid_t pid = (pid_t)call->pid;
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
    const call_kind *kind;
    long at, seen;
    bool kills;
    pid_t command;
    const char *below;
    FILE *report;
    char messages[TEXT_MAX]; /* the file that is our stderr */
} watch;

static bool fails_now(watch *by, const struct seccomp_notif *call)
{
    char file[2 * TEXT_MAX] = "";
    const call_shape *shape = by->kind->calls;
    while (shape->number != call->data.nr)
        shape++;
    if (!name_file(call, shape, file) || strncmp(file, by->below, strlen(by->below)) != 0)
        return false;
    if (strstr(file, ".so"))
        return false;
    if (strcmp(by->kind->name, "write") == 0 && strcmp(file, by->messages) == 0)
        return false;
    if (++by->seen != by->at)
        return false;
    fprintf(by->report, "%s of %s\n", by->kind->name, file);
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

static void answer(watch *by, int listener)
{
    struct seccomp_notif call = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return;
    struct seccomp_notif_resp reply = {.id = call.id};
    bool now = fails_now(by, &call);
    if (now && by->kills)
        kill_all(by, (pid_t)call.pid);
    if (now)
        reply.error = -EIO;
    else
        reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/* Until no process is left that the listener listens to; false: that took too long. Who calls and
 * who answers take turns: since Linux 6.6 they may do so on one processor, which is faster by far
 * on a busy machine. */
static bool answer_all(watch *by, int listener)
{
    time_t until = time(NULL) + SECONDS_MAX;
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
    struct pollfd wait = {listener, POLLIN, 0};
    while (time(NULL) < until) {
        if (poll(&wait, 1, 1000) <= 0)
            continue;
        if (!(wait.revents & POLLIN))
            return true;
        answer(by, listener);
    }
    return false;
}

static int run(watch *by, char **command)
{
    int sockets[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return stop("socketpair");
    pid_t child = fork();
    by->command = child;
    if (child == 0 && setpgid(0, 0) == 0)
        _exit(become_command(by->kind, sockets[1], command));
    close(sockets[1]);
    int listener = child < 0 ? -1 : receive_listener(sockets[0]);
    if (listener >= 0 && !answer_all(by, listener)) {
        (void)kill(-child, SIGKILL);
        return HANGS;
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return stop("fork");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
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
    watch by = {.kind = argc > 5 ? find_kind(argv[1] + (kills ? 5 : 0)) : NULL, .kills = kills};
    if (!by.kind || !(by.report = fopen(argv[4], "we"))) {
        fputs("usage: failing KIND N FOLDER REPORT COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    by.at = atol(argv[2]);
    by.below = argv[3];
    (void)name_open_file(getpid(), 2, by.messages);
    int status = run(&by, argv + 5);
    if (by.at == 0)
        fprintf(by.report, "%ld\n", by.seen);
    fclose(by.report);
    return status;
}
