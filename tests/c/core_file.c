/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* syscall() */
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "folder.h"

static char target[TEST_PATH_MAX];

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(target, sizeof target, "%s/profile.json", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(target);
    return rmdir(folder); /* fails, and so the test, if a temporary file was left */
}

static void content_is(const char *expected)
{
    char text[64] = "";
    FILE *stream = fopen(target, "r");
    assert_non_null(stream);
    size_t n = fread(text, 1, sizeof text - 1, stream);
    text[n] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void put(const char *text)
{
    srv_file file;
    assert_ok(srv_file_begin(&file, target, NULL));
    fputs(text, file.stream);
    assert_ok(srv_file_commit(&file, NULL));
    assert_null(file.stream);
    srv_file_abandon(&file);
}

TEST_WITH(commit_replaces_the_file, setup, teardown)
{
    put("old");
    content_is("old");
    put("new");
    content_is("new");
}

TEST_WITH(abandon_keeps_the_old_file, setup, teardown)
{
    put("old");
    srv_file file;
    assert_ok(srv_file_begin(&file, target, NULL));
    fputs("half", file.stream);
    srv_file_abandon(&file);
    content_is("old");
}

TEST_WITH(a_failed_write_keeps_the_old_file, setup, teardown)
{
    put("old");
    srv_file file;
    servet_error error = SERVET_ERROR_INIT;
    assert_ok(srv_file_begin(&file, target, NULL));
    /* The device that is always full stands in for a full disk. */
    assert_non_null(freopen("/dev/full", "w", file.stream));
    fputs("lost", file.stream);
    assert_int_equal(srv_file_commit(&file, &error), SERVET_EIO);
    assert_string_equal(error.file, target);
    assert_non_null(strstr(error.text, "No space left"));
    content_is("old");
}

TEST(a_missing_folder_is_reported_at_once)
{
    srv_file file;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_file_begin(&file, "/nowhere/at/all", &error), SERVET_EIO);
    assert_string_equal(error.file, "/nowhere/at/all");
    assert_non_null(strstr(error.text, "No such file"));
}

static void make_pipe(void)
{
    assert_int_equal(mkfifo(target, 0600), 0);
}

static void make_socket(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    assert_true(strlen(target) < sizeof name.sun_path);
    strcpy(name.sun_path, target);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(server, (const struct sockaddr *)&name, sizeof name), 0);
    close(server);
}

/* A link like /dev/stdout: as root, the link itself would be replaced. */
static void make_link_to_device(void)
{
    assert_int_equal(symlink("/dev/full", target), 0);
}

TEST_WITH(only_files_are_replaced, setup, teardown)
{
    static void (*const make[])(void) = {make_pipe, make_socket, make_link_to_device};
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        srv_file file;
        struct stat before, after;
        servet_error error = SERVET_ERROR_INIT;
        make[i]();
        assert_int_equal(lstat(target, &before), 0);
        assert_int_equal(srv_file_begin(&file, target, &error), SERVET_EIO);
        assert_string_equal(error.text, "cannot write: not a regular file");
        assert_int_equal(lstat(target, &after), 0);
        assert_int_equal(after.st_ino, before.st_ino);
        assert_int_equal(after.st_mode, before.st_mode);
        unlink(target);
    }
}

/* A child that is killed while it writes. */
static void be_killed(void)
{
    pid_t child = fork();
    if (child == 0) {
        srv_file file;
        (void)srv_file_begin(&file, target, NULL);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static int count_files(void)
{
    int count = 0;
    DIR *names = opendir(folder);
    assert_non_null(names);
    for (struct dirent *entry; (entry = readdir(names));)
        count += entry->d_name[0] != '.';
    closedir(names);
    return count;
}

TEST_WITH(remnants_of_killed_writers_are_removed, setup, teardown)
{
    srv_file living;
    char others[sizeof target + 16];
    put("old");
    be_killed();
    assert_int_equal(count_files(), 2);
    be_killed(); /* which sweeps first */
    assert_int_equal(count_files(), 2);
    assert_ok(srv_file_begin(&living, target, NULL));
    assert_int_equal(count_files(), 2);
    fputs("newest", living.stream);
    snprintf(others, sizeof others, "%s.backup-1", target);
    FILE *stream = fopen(others, "w");
    assert_non_null(stream);
    fclose(stream);
    put("new"); /* and leaves what a living one writes, and what is no writer's */
    assert_int_equal(count_files(), 3);
    assert_ok(srv_file_commit(&living, NULL));
    content_is("newest");
    assert_int_equal(count_files(), 2);
    unlink(others);
}

static srv_file *hurried;

/* In place of that of the C library: before a writer that sweeps has the lock of `hurried`, it is
 * committed and begun anew. */
int flock(int fd, int operation)
{
    srv_file *file = hurried;
    hurried = NULL;
    if (file) {
        assert_ok(srv_file_commit(file, NULL));
        assert_ok(srv_file_begin(file, target, NULL));
    }
    return (int)syscall(SYS_flock, fd, operation);
}

TEST_WITH(the_next_file_of_a_fast_writer_is_not_swept, setup, teardown)
{
    srv_file living, other;
    assert_ok(srv_file_begin(&living, target, NULL));
    hurried = &living;
    assert_ok(srv_file_begin(&other, target, NULL));
    assert_null(hurried);
    srv_file_abandon(&other);
    fputs("second", living.stream);
    assert_ok(srv_file_commit(&living, NULL));
    content_is("second");
}

TEST_WITH(a_link_to_a_file_is_replaced, setup, teardown)
{
    char other[sizeof target + 2];
    snprintf(other, sizeof other, "%s-2", target);
    put("old");
    assert_int_equal(rename(target, other), 0);
    assert_int_equal(symlink(other, target), 0);
    put("new");
    content_is("new");
    assert_int_equal(unlink(target), 0);
    assert_int_equal(rename(other, target), 0);
    content_is("old");
}
