/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a test so that nothing outlives it, whatever kills it: guard COMMAND [ARGUMENT]...
 *
 * The process that Meson knows only waits. A second one, the keeper, in a session of its own, runs
 * the test and becomes the parent of whatever the test leaves behind, daemons too
 * (PR_SET_CHILD_SUBREAPER). Once the test has ended, or the first process has, the keeper ends them
 * all. A test that is ended gets SIGTERM first, and time to remove what it made. Its temporary
 * files are in a folder of its own, TMPDIR, which is removed. If the keeper is killed, the first
 * process does its work; if both are, the next run in the same place does: the lock of such a
 * folder is free.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_SECONDS = 5, LOST = 127, BY_SIGNAL = 128 };

#define FOLDER "servet-test."

static char folder[4096];

static void fail(const char *what)
{
    perror(what);
    exit(LOST);
}

/* Blocks the signals by which people, Meson and batch systems end a run, and that of a child that
 * ends: they are waited for. */
static void block_signals(sigset_t *blocked, sigset_t *before)
{
    static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    sigemptyset(blocked);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(blocked, signals[i]);
    sigprocmask(SIG_BLOCK, blocked, before);
}

/* --- the test's folder ------------------------------------------------------------------------ */

/* Opens a folder and locks it until this process and its children without another program have
 * ended; -1: another process has the lock, or it is no folder of this user. */
static int lock_folder(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && status.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Under another name until it is locked, so that no sweep takes it for a left one. */
static void make_folder(const char *parent)
{
    char made[sizeof folder];
    snprintf(made, sizeof made, "%.4000s/servet-new.XXXXXX", parent);
    if (!mkdtemp(made) || lock_folder(made) < 0)
        fail(made);
    snprintf(folder, sizeof folder, "%.4000s/" FOLDER "%s", parent, strrchr(made, '.') + 1);
    if (rename(made, folder) != 0)
        fail(folder);
    setenv("TMPDIR", folder, 1);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    (void)remove(path);
    return 0;
}

static int open_folder(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)where;
    if (type == FTW_D || type == FTW_DNR)
        (void)chmod(path, status->st_mode | S_IRWXU);
    return 0;
}

/* Tests leave folders that nobody may write to. */
static void remove_folder(const char *path)
{
    enum { OPEN_MAX_ = 16 };
    (void)nftw(path, open_folder, OPEN_MAX_, FTW_PHYS | FTW_MOUNT);
    (void)nftw(path, remove_entry, OPEN_MAX_, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* --- what the test leaves behind -------------------------------------------------------------- */

/* The parent of a process; 0: it has ended. */
static pid_t parent_of(const char *process)
{
    char path[64], line[512];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fgets(line, sizeof line, file)) {
        const char *name_end = strrchr(line, ')');
        if (!name_end || sscanf(name_end + 1, " %*c %d", &parent) != 1)
            parent = 0;
    }
    fclose(file);
    return parent;
}

/* Kills those processes of which `chosen` says so. */
static void kill_each(bool (*chosen)(const char *process, const char *context), const char *context)
{
    DIR *processes = opendir("/proc");
    if (!processes)
        return;
    for (const struct dirent *entry; (entry = readdir(processes));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && chosen(entry->d_name, context))
            kill(atoi(entry->d_name), SIGKILL);
    closedir(processes);
}

static bool is_child(const char *process, const char *context)
{
    (void)context;
    return parent_of(process) == getpid();
}

/* True if the folder, or one in it, is the TMPDIR that the process was given. */
static bool has_folder(const char *process, const char *path)
{
    char name[64], *variable = NULL;
    size_t room = 0, length = strlen(path);
    bool found = false;
    snprintf(name, sizeof name, "/proc/%.20s/environ", process);
    FILE *file = fopen(name, "r");
    if (!file)
        return false;
    while (!found && getdelim(&variable, &room, '\0', file) > 0) {
        const char *value = variable + strlen("TMPDIR=");
        found = strncmp(variable, "TMPDIR=", strlen("TMPDIR=")) == 0 &&
                strncmp(value, path, length) == 0 && (!value[length] || value[length] == '/');
    }
    free(variable);
    fclose(file);
    return found;
}

/* Children of killed processes become children of this one, and are killed next. */
static void end_all(void)
{
    do
        kill_each(is_child, NULL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
}

/* Ends and removes what tests have left whose keepers were killed. */
static void sweep(const char *parent)
{
    char left[sizeof folder];
    DIR *entries = opendir(parent);
    if (!entries)
        return;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strncmp(entry->d_name, FOLDER, strlen(FOLDER)) != 0)
            continue;
        snprintf(left, sizeof left, "%.3800s/%.255s", parent, entry->d_name);
        int file = lock_folder(left);
        if (file < 0)
            continue;
        kill_each(has_folder, left);
        remove_folder(left);
        close(file);
    }
    closedir(entries);
}

/* --- the keeper ------------------------------------------------------------------------------- */

static int exit_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

/* Returns true once the process has ended. Others that end meanwhile are taken leave of. */
static bool has_ended(pid_t process, int *status)
{
    pid_t ended;
    int of_any;
    while ((ended = waitpid(-1, &of_any, WNOHANG)) > 0) {
        if (ended != process)
            continue;
        *status = of_any;
        return true;
    }
    return false;
}

/* Waits until a process has ended, and returns 0; or for a signal that ends the run,
 * which it returns. */
static int wait_for(pid_t process, const sigset_t *blocked, int *status)
{
    for (;;) {
        int signal = sigwaitinfo(blocked, NULL);
        if (signal == SIGCHLD && has_ended(process, status))
            return 0;
        if (signal > 0 && signal != SIGCHLD)
            return signal;
    }
}

/* Passes a signal on to the test, and gives it some seconds, whatever other signals come. */
static void end_gently(pid_t test, int received, const sigset_t *blocked, int *status)
{
    time_t end = time(NULL) + GRACE_SECONDS;
    const struct timespec step = {.tv_sec = 1};
    kill(-test, received);
    *status = received; /* as if the signal had ended it */
    while (!has_ended(test, status) && time(NULL) <= end)
        (void)sigtimedwait(blocked, NULL, &step);
}

/* Runs the test, which has the signals as they were `before`. */
static int keep(char **command, const sigset_t *blocked, const sigset_t *before)
{
    int status;
    pid_t test = fork();
    if (test < 0)
        fail("fork");
    if (test == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        sigprocmask(SIG_SETMASK, before, NULL);
        execvp(*command, command);
        fail(*command);
    }
    setpgid(test, test); /* by both, so that it has its group when a signal is passed on */
    int received = wait_for(test, blocked, &status);
    if (received)
        end_gently(test, received, blocked, &status);
    end_all();
    remove_folder(folder);
    return exit_code(status);
}

/* The keeper gets a signal when the first process ends, from it or from the system. */
static void become_keeper(pid_t first)
{
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != first)
        raise(SIGTERM);
}

int main(int argc, char **argv)
{
    int status, received;
    sigset_t blocked, before;
    if (argc < 2) {
        fputs("usage: guard COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    const char *given = getenv("TMPDIR"), *parent = given && *given ? given : "/tmp";
    sweep(parent);
    make_folder(parent);
    block_signals(&blocked, &before);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t first = getpid(), keeper = fork();
    if (keeper < 0)
        fail("fork");
    if (keeper == 0) {
        become_keeper(first);
        return keep(argv + 1, &blocked, &before);
    }
    while ((received = wait_for(keeper, &blocked, &status)) != 0)
        kill(keeper, received);
    if (WIFSIGNALED(status)) {
        end_all();
        remove_folder(folder);
    }
    return exit_code(status);
}
