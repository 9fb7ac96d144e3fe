/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with a matrix, and files with none. */
#include "test.h"

#include <unistd.h>

#include "alloc.h"
#include "servet/analyze.h"

static char path[TEST_PATH_MAX];

static int make_file(void **state)
{
    (void)state;
    test_path(path, "servet-matrix-XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_bytes(const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

/* Reads a file with this text. */
static servet_matrix read_text(const char *text)
{
    servet_matrix matrix = SERVET_MATRIX_INIT;
    servet_error error = SERVET_ERROR_INIT;
    write_bytes(text, strlen(text));
    assert_ok(servet_matrix_read(path, &matrix, &error));
    assert_int_equal(matrix.unit, SERVET_UNIT_NONE);
    return matrix;
}

/* The matrix is {NaN or 0, a; b, NaN or 0}. */
static void check_two(const char *text, double a, double b)
{
    servet_matrix matrix = read_text(text);
    assert_int_equal(matrix.n, 2);
    assert_true(matrix.cost[1] == a && matrix.cost[2] == b);
    assert_true(!(matrix.cost[0] > 0) && !(matrix.cost[3] > 0));
    servet_matrix_free(&matrix);
    assert_null(matrix.cost);
    assert_int_equal(matrix.n, 0);
}

TEST(forms_of_a_file_that_are_accepted)
{
    check_two(",1.5\n2,\n", 1.5, 2);
    check_two("0,1.5\n2,0\n", 1.5, 2);
    check_two("nan,1.5\n2,NaN", 1.5, 2);
    check_two(",1.5\r\n2,\r\n", 1.5, 2);
    check_two(" , 1.5\n2\t,  \n", 1.5, 2);
    check_two("\t nan \t,\t1.5 \r\n  2 ,\t\r\n", 1.5, 2);
    check_two("# a comment, longer than any number may be, with commas, .................."
              "\n\n,1.5\n#\n2,\n\n# the end",
              1.5, 2);
    check_two(",15e-1\n2.0000,\n", 1.5, 2);
}

TEST(not_measured_is_nan_or_0)
{
    servet_matrix matrix = read_text(",,3\nnan,,5\n6,0,\n");
    assert_int_equal(matrix.n, 3);
    assert_true(isnan(matrix.cost[1]) && isnan(matrix.cost[3]));
    assert_true(matrix.cost[7] == 0);
    assert_true(matrix.cost[2] == 3 && matrix.cost[5] == 5 && matrix.cost[6] == 6);
    servet_matrix_free(&matrix);
}

TEST(one_core)
{
    servet_matrix matrix = read_text("0\n");
    assert_int_equal(matrix.n, 1);
    servet_matrix_free(&matrix);
}

/* A matrix with more columns than any line buffer holds. */
TEST(a_large_matrix)
{
    enum { N = 700 };
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            fprintf(stream, "%d.25%c", i * N + j, j + 1 < N ? ',' : '\n');
    assert_int_equal(fclose(stream), 0);
    servet_matrix matrix = SERVET_MATRIX_INIT;
    assert_ok(servet_matrix_read(path, &matrix, NULL));
    assert_int_equal(matrix.n, N);
    for (int i = 0; i < N * N; i++)
        assert_true(matrix.cost[i] == i + 0.25);
    servet_matrix_free(&matrix);
}

/* The matrix is left alone; line and a word of the message are as expected. */
static void check_refused(const char *bytes, size_t size, int line, const char *word)
{
    double cost = 7;
    servet_matrix matrix = {1, &cost, SERVET_UNIT_CYCLE};
    servet_error error = SERVET_ERROR_INIT;
    write_bytes(bytes, size);
    assert_int_equal(servet_matrix_read(path, &matrix, &error), SERVET_EFORMAT);
    assert_int_equal(error.line, line);
    assert_string_equal(error.file, path);
    assert_non_null(strstr(error.text, word));
    assert_true(matrix.n == 1 && matrix.cost == &cost);
}

static void refuse(const char *text, int line, const char *word)
{
    check_refused(text, strlen(text), line, word);
}

TEST(malformed_files)
{
    refuse("", 0, "at least one row");
    refuse("# only this\n\n", 0, "at least one row");
    refuse(",1\n", 0, "has 1 x 2 numbers");
    refuse(",1\n1\n", 2, "fewer columns");
    refuse(",1\n1,,\n", 2, "more columns");
    refuse(",1\n1,\n1,1\n", 3, "more rows");
    refuse(",1\nx,\n", 2, "column 1: 'x' is not a number");
    refuse(",1y\n1,\n", 1, "column 2: '1y' is not a number");
    refuse(",1;1,\n", 1, "not a number");
    refuse(",1\n9 0,\n", 2, "column 1: '9' is followed by a blank: commas must separate numbers");
    refuse("\t1\t2\n", 1, "column 1: '1' is followed by a blank");
    refuse("nan 1.234567890123456 1.234567890123456 1.234567890123456 1.234567890123456\n", 1,
           "column 1: 'nan' is followed by a blank");
    refuse(",-1\n1,\n", 1, "column 2: '-1' is no cost");
    refuse(",inf\n1,\n", 1, "no cost");
    refuse(",1e999\n1,\n", 1, "no cost");
    refuse(",1e300\n1,\n", 1, "no cost (1e-15 to 1e+15; 0, nan or empty: not measured)");
    refuse(",1e-300\n1,\n", 1, "no cost");
    refuse("bytes,ns\n1,2\n", 1, "not a number");
    refuse(",1\n\xff,\n", 2, "'?' is not a number");
    check_refused(",1\n\0,\n", 6, 2, "not a text file");
}

TEST(more_columns_than_cores_anywhere)
{
    static char commas[SERVET_MATRIX_MAX + 2];
    memset(commas, ',', sizeof commas - 1);
    refuse(commas, 1, "too many columns");
}

TEST(files_that_cannot_be_read)
{
    servet_matrix matrix = SERVET_MATRIX_INIT;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(servet_matrix_read("/nonexistent/matrix.csv", &matrix, &error),
                     SERVET_ENOTFOUND);
    assert_string_equal(error.file, "/nonexistent/matrix.csv");
    assert_int_equal(servet_matrix_read("/", &matrix, NULL), SERVET_EIO);
    assert_null(matrix.cost);
    servet_matrix_free(&matrix);
    servet_matrix_free(NULL);
}

static int read_and_forget(void *context)
{
    (void)context;
    servet_matrix matrix = SERVET_MATRIX_INIT;
    int code = servet_matrix_read(path, &matrix, NULL);
    servet_matrix_free(&matrix);
    return code;
}

TEST(memory_may_run_out_anywhere)
{
    write_bytes(",1\n1,\n", 6);
    assert_true(alloc_fail_everywhere(read_and_forget, NULL) >= 2);
}

TEST_GROUP(make_file, remove_file)
