/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command to which the kernel refuses some calls, as a container's filter would (EPERM):
 *
 *     refuse CALL[,CALL]... COMMAND [ARGUMENT]...
 *
 * CALL is a word of the table; `threads`: no thread can begin (EAGAIN). Exit status 77 where there
 * are no filters. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct call {
    const char *name;
    unsigned number;
} call;

static const call calls[] = {
    {"setaffinity", SYS_sched_setaffinity},
    {"getaffinity", SYS_sched_getaffinity},
    {"mbind", SYS_mbind},
    {"mempolicy", SYS_set_mempolicy},
    {"getmempolicy", SYS_get_mempolicy},
    {"move_pages", SYS_move_pages},
    {"madvise", SYS_madvise},
    {"mlock", SYS_mlock},
    {"perf", SYS_perf_event_open},
    {"getcpu", SYS_getcpu},
    {"sysinfo", SYS_sysinfo},
    {"priority", SYS_setpriority},
    {"rusage", SYS_getrusage},
    {"uname", SYS_uname},
};

enum { CALLS = sizeof calls / sizeof *calls, RULES_MAX = 2 * CALLS + 16 };

typedef struct filter {
    struct sock_filter rules[RULES_MAX];
    unsigned short count;
} filter;

static void add(filter *to, struct sock_filter rule)
{
    to->rules[to->count++] = rule;
}

#define LOAD(member)                                                                               \
    (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define SKIP_UNLESS(what, value, skipped)                                                          \
    (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | what, value, 0, skipped)
#define ANSWER(value) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, value)
#define FAIL(number)  ANSWER(SECCOMP_RET_ERRNO | (number))

/* A filter cannot read what clone3 is given; the C library then uses clone. */
static void refuse_threads(filter *to)
{
    add(to, SKIP_UNLESS(BPF_K, SYS_clone3, 1));
    add(to, FAIL(ENOSYS));
    add(to, SKIP_UNLESS(BPF_K, SYS_clone, 4));
    add(to, LOAD(args[0]));
    add(to, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
    add(to, FAIL(EAGAIN));
    add(to, ANSWER(SECCOMP_RET_ALLOW));
}

static int add_word(filter *to, const char *word)
{
    if (strcmp(word, "threads") == 0) {
        refuse_threads(to);
        return 0;
    }
    for (int i = 0; i < CALLS; i++)
        if (strcmp(calls[i].name, word) == 0) {
            add(to, SKIP_UNLESS(BPF_K, calls[i].number, 1));
            add(to, FAIL(EPERM));
            return 0;
        }
    return -1;
}

int main(int argc, char **argv)
{
    filter made = {.count = 0};
    add(&made, LOAD(nr));
    for (char *word = argc > 2 ? strtok(argv[1], ",") : NULL; word; word = strtok(NULL, ","))
        if (made.count + 8 > RULES_MAX || add_word(&made, word) != 0)
            argc = 0;
    if (argc < 3) {
        fputs("usage: refuse CALL[,CALL]... COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    add(&made, ANSWER(SECCOMP_RET_ALLOW));
    struct sock_fprog program = {made.count, made.rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return 77;
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 77;
}
