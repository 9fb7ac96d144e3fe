/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "folder.h"

static char target[96];

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
    assert_int_equal(srv_file_begin(&file, target, NULL), SERVET_OK);
    fputs(text, file.stream);
    assert_int_equal(srv_file_commit(&file, NULL), SERVET_OK);
    assert_null(file.stream);
    srv_file_abandon(&file);
}

static void commit_replaces_the_file(void **state)
{
    (void)state;
    put("old");
    content_is("old");
    put("new");
    content_is("new");
}

static void abandon_keeps_the_old_file(void **state)
{
    (void)state;
    put("old");
    srv_file file;
    assert_int_equal(srv_file_begin(&file, target, NULL), SERVET_OK);
    fputs("half", file.stream);
    srv_file_abandon(&file);
    content_is("old");
}

static void a_failed_write_keeps_the_old_file(void **state)
{
    (void)state;
    put("old");
    srv_file file;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_file_begin(&file, target, NULL), SERVET_OK);
    /* The device that is always full stands in for a full disk. */
    assert_non_null(freopen("/dev/full", "w", file.stream));
    fputs("lost", file.stream);
    assert_int_equal(srv_file_commit(&file, &error), SERVET_EIO);
    assert_string_equal(error.file, target);
    assert_non_null(strstr(error.text, "No space left"));
    content_is("old");
}

static void a_missing_folder_is_reported_at_once(void **state)
{
    (void)state;
    srv_file file;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_file_begin(&file, "/nowhere/at/all", &error), SERVET_EIO);
    assert_string_equal(error.file, "/nowhere/at/all");
    assert_non_null(strstr(error.text, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commit_replaces_the_file, setup, teardown),
        cmocka_unit_test_setup_teardown(abandon_keeps_the_old_file, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failed_write_keeps_the_old_file, setup, teardown),
        cmocka_unit_test(a_missing_folder_is_reported_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
