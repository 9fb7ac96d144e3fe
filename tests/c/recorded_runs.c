/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers and of pairs as runs with equal steps, and back. */
#include "test.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recorded/runs.h"

enum { MOST = 64 };

static char *text_of(const int *numbers, int width, int count)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    srv_runs_write(numbers, width, count, stream);
    fclose(stream);
    return text;
}

static void comes_back(const int *numbers, int width, int count, const char *written)
{
    int read[MOST];
    char *text = text_of(numbers, width, count);
    const char *at = text;
    assert_string_equal(text, written);
    assert_int_equal(srv_runs_read(&at, width, read, count), count);
    assert_int_equal(*at, '\0');
    assert_memory_equal(read, numbers, (size_t)(width * count) * sizeof *numbers);
    free(text);
}

static void equal_steps_are_written_as_a_run(void **state)
{
    (void)state;
    comes_back((const int[]){0, 1, 2, 3, 7}, 1, 5, " 0*4+1 7");
    comes_back((const int[]){9, 6, 3, 5, 5, 5, 5}, 1, 7, " 9*3-3 5*4+0");
    comes_back((const int[]){0, 63, 1, 62, 2, 61, 3, 60}, 2, 4, " 0,63*4+1-1");
    comes_back((const int[]){0, 0, 0, 1, 1, 0, 1, 1}, 2, 4, " 0,0;0,1*2+1+0");
}

static void several_items_may_be_repeated_together(void **state)
{
    (void)state;
    comes_back((const int[]){0, 8, 8, 0, 1, 9, 9, 1, 2, 10, 10, 2}, 2, 6, " 0,8;8,0*3+1+1");
    comes_back((const int[]){0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 7}, 1, 11, " 0;5*5+1 7");
    comes_back((const int[]){0, 1, 5, 10, 11, 15, 3}, 1, 7, " 0;1;5*2+10 3");
}

static void other_numbers_are_written_one_by_one(void **state)
{
    (void)state;
    comes_back(NULL, 1, 0, "");
    comes_back((const int[]){4}, 1, 1, " 4");
    comes_back((const int[]){4, 8}, 1, 2, " 4 8");
    comes_back((const int[]){0, 3, 2, 3, 0, 1}, 2, 3, " 0,3 2,3 0,1");
    comes_back((const int[]){INT_MIN, 0, INT_MAX, -1}, 1, 4, " -2147483648 0 2147483647 -1");
}

static void malformed_runs_are_refused(void **state)
{
    (void)state;
    static const char *const broken[] = {
        " x",     " 1,",          " 1*", " 1*3",     " 1*0+1",   " 1*-3+1", " 1*3+",
        " 1*9+1", " 99999999999", " 1;", " 1;2*5+1", " 1*3+1+1", " 1:2",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        int read[8];
        const char *at = broken[i];
        if (srv_runs_read(&at, 1, read, 8) >= 0)
            fail_msg("'%s'", broken[i]);
    }
    int pair[2];
    const char *at = " 1";
    assert_int_equal(srv_runs_read(&at, 2, pair, 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps_are_written_as_a_run),
        cmocka_unit_test(several_items_may_be_repeated_together),
        cmocka_unit_test(other_numbers_are_written_one_by_one),
        cmocka_unit_test(malformed_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
