/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation fails once: SERVET_EMEMORY, nothing half made, nothing leaked. */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>

#include "alloc.h"
#include "servet/diff.h"

static char path[TEST_PATH_MAX];

TEST_FIXTURE(setup)
{
    servet_profile *profile;
    sample_path(path);
    if (sample_profile(&profile, NULL) != SERVET_OK)
        return -1;
    int code = servet_profile_write(profile, path, NULL);
    servet_profile_close(profile);
    return code;
}

TEST_FIXTURE(teardown)
{
    return sample_remove(path);
}

static int build(void *context)
{
    (void)context;
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    int code = sample_profile(&profile, &error);
    assert_int_equal(error.code, code);
    servet_profile_close(profile);
    return code;
}

static int open_it(void *context)
{
    (void)context;
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_profile_open(&profile, path, &error);
    assert_int_equal(error.code, code);
    assert_true((profile == NULL) == (code != SERVET_OK));
    servet_profile_close(profile);
    return code;
}

/* The content of the file; allocates nothing. */
static void read_file(char content[1 << 15])
{
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    content[fread(content, 1, (1 << 15) - 1, stream)] = '\0';
    fclose(stream);
}

static char whole[1 << 15];

/* The file is there and whole at any time. */
static int write_it(void *profile)
{
    char content[1 << 15];
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_profile_write(profile, path, &error);
    assert_int_equal(error.code, code);
    read_file(content);
    assert_string_equal(content, whole);
    return code;
}

TEST_EACH(setup, teardown)

TEST(building)
{
    assert_true(alloc_fail_everywhere(build, NULL) > 10);
}

static int compare_it(void *profile)
{
    servet_diff *diff = NULL;
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_diff_create(&diff, profile, profile, NULL, 0, &error);
    assert_int_equal(error.code, code);
    assert_true((diff == NULL) == (code != SERVET_OK));
    servet_diff_destroy(diff);
    return code;
}

TEST(comparing)
{
    servet_profile *profile;
    assert_ok(sample_profile(&profile, NULL));
    assert_true(alloc_fail_everywhere(compare_it, profile) > 100);
    servet_profile_close(profile);
}

TEST(opening)
{
    assert_true(alloc_fail_everywhere(open_it, NULL) > 10);
}

/* Jansson's allocations fail, too, in the following. */

TEST(writing)
{
    servet_profile *profile;
    read_file(whole);
    assert_ok(servet_profile_open(&profile, path, NULL));
    json_set_alloc_funcs(malloc, free);
    assert_true(alloc_fail_everywhere(write_it, profile) > 100);
    servet_profile_close(profile);
}

/*
 * The parser cannot always tell lost memory from bad syntax, and loses part of a text where its
 * buffer cannot grow (Jansson 2.14, lex_save()), so the code is not fixed here: what is tested is
 * that nothing crashes or leaks, and that a failure hands over no profile.
 */
TEST(parsing)
{
    int failures = 0;
    bool lost = true;
    json_set_alloc_funcs(malloc, free);
    for (size_t n = 1; lost; n += alloc_next(n)) {
        alloc_fail_at(n);
        int code = open_it(NULL);
        lost = alloc_has_failed();
        alloc_fail_at(0);
        assert_true(code == SERVET_OK ||
                    (lost && (code == SERVET_EMEMORY || code == SERVET_EFORMAT)));
        failures += code != SERVET_OK;
    }
    assert_true(failures > 10);
}
