/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves in files: what is read, written, and refused. */
#include "test.h"

#include "alloc.h"
#include "folder.h"
#include "servet/analyze.h"

static char path[TEST_PATH_MAX];

TEST_FIXTURE(setup)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/curve.csv", folder);
    return 0;
}

static void reads(const char *text, size_t rows)
{
    servet_curve curve = SERVET_CURVE_INIT;
    test_write_file(path, text, strlen(text));
    assert_ok(servet_curve_read(path, &curve, NULL));
    assert_int_equal(curve.n, rows);
    servet_curve_free(&curve);
    assert_null(curve.bytes);
}

/* The file is refused at `line`, in words that hold `why`, and the curve is left alone. */
static void refuses(const char *text, size_t n, int line, const char *why)
{
    servet_curve curve = {7, NULL, NULL, NULL, NULL, SERVET_UNIT_CYCLE};
    servet_error error = SERVET_ERROR_INIT;
    test_write_file(path, text, n);
    assert_code(servet_curve_read(path, &curve, &error), SERVET_EFORMAT);
    assert_string_equal(error.file, path);
    assert_int_equal(error.line, line);
    assert_non_null(strstr(error.text, why));
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(curve.n, 7);
}

/* The last bits may differ: i386 computes with more bits than it stores. */
static bool is_ns(double seconds, double ns)
{
    return fabs(seconds / ns - 1e-9) < 1e-22;
}

TEST_EACH(setup, remove_folder)

TEST(rows_are_read)
{
    const char text[] = "bytes,ns,low,high\n4096,1.5,1.4,1.75\n8192,2,2,2\n";
    servet_curve curve = SERVET_CURVE_INIT;
    test_write_file(path, text, strlen(text));
    assert_ok(servet_curve_read(path, &curve, NULL));
    assert_int_equal(curve.n, 2);
    assert_int_equal(curve.unit, SERVET_UNIT_SECOND);
    assert_true(curve.bytes[0] == 4096 && curve.bytes[1] == 8192);
    assert_true(is_ns(curve.latency[0], 1.5) && is_ns(curve.latency[1], 2));
    assert_true(is_ns(curve.low[0], 1.4) && is_ns(curve.high[0], 1.75));
    servet_curve_free(&curve);
    servet_curve_free(NULL);
}

TEST(forms_of_a_good_file)
{
    reads("bytes,cycles\n1,1\n2,1\n", 2);
    reads("bytes,ns\r\n1,1\r\n2,1\r\n", 2);
    reads("bytes,ns\n1,1\n2,1", 2);
    reads("# taken on a Sunday\n\nbytes,ns\n1,1\n# between\n2,1\n\n3,1e3\n", 3);
}

TEST(bad_files_are_refused)
{
    static const struct {
        const char *text;
        int line;
        const char *why;
    } cases[] = {
        {"", 0, "two rows"},
        {"bytes,ns\n", 1, "two rows"},
        {"bytes,ns\n4096,1\n", 2, "two rows"},
        {"4096,1\n8192,1\n", 1, "header"},
        {"size,ns\n4096,1\n8192,1\n", 1, "header"},
        {"bytes,ns,low\n1,1,1\n2,1,1\n", 1, "header"},
        {"bytes,ns\n4096,fast\n", 2, "2 numbers"},
        {"bytes,ns\n4096\n", 2, "2 numbers"},
        {"bytes,ns\n4096,1,1\n", 2, "2 numbers"},
        {"bytes,ns\n4096;1\n", 2, "2 numbers"},
        {"bytes,ns,low,high\n4096,1\n", 2, "4 numbers"},
        {"bytes,ns\n4096,nan\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,ns\n4096,inf\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,ns\n4096,1e999\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,ns\n4096,-1\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,ns\n4096,0\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,ns\n0,1\n", 2, "1 B to 1 PiB"},
        {"bytes,ns\n-4096,1\n", 2, "1 B to 1 PiB"},
        {"bytes,ns\n4096,1e-300\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,ns\n4096,1e300\n", 2, "1e-21 to 1e+15 ns"},
        {"bytes,cycles\n4096,1e-300\n", 2, "1e-30 to 1e+15"},
        {"bytes,ns\n4096,1\n1125899906842625,1\n", 3, "1 PiB"},
        {"bytes,ns\n4096,1\n1e22,1\n", 3, "1 PiB"},
        {"bytes,ns\n8192,1\n4096,1\n", 3, "ascend"},
        {"bytes,ns\n4096,1\n4096,1\n", 3, "ascend"},
        {"bytes,ns,low,high\n4096,1,2,1\n", 2, "low"},
        {"bytes,ns\n4096,1\n\x1b[31m\xff,1\n", 3, "2 numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuses(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].why);
}

TEST(binary_files_are_refused)
{
    static const char binary[] = "bytes,ns\n4096,1\n\0\1\2\3";
    refuses(binary, sizeof binary - 1, 3, "text");
}

/* Comments count, too. */
TEST(files_of_more_than_16_mib_are_refused)
{
    static const char rows[] = "bytes,ns\n1,1\n2,1\n#";
    enum { MOST = 16 << 20 };
    char *text = malloc(MOST + 2);
    assert_non_null(text);
    memset(text, '-', MOST + 1);
    memcpy(text, rows, strlen(rows));
    text[MOST] = '\0';
    reads(text, 2);
    text[MOST] = '-';
    refuses(text, MOST + 1, 0, "over 16777216 bytes");
    free(text);
}

TEST(missing_file_and_folder)
{
    servet_curve curve;
    servet_error error = SERVET_ERROR_INIT;
    assert_code(servet_curve_read("/nowhere/curve.csv", &curve, &error), SERVET_ENOTFOUND);
    assert_string_equal(error.file, "/nowhere/curve.csv");
    error = (servet_error)SERVET_ERROR_INIT;
    assert_code(servet_curve_read(folder, &curve, &error), SERVET_EIO);
    assert_non_null(strstr(error.text, "not a regular file"));
}

TEST(written_is_read_back)
{
    double bytes[] = {4096, 1234567890123}, latency[] = {1.25, 1e-3}, low[] = {1, 1e-4},
           high[] = {2, 1e5};
    const servet_curve cycles = {2, bytes, latency, low, high, SERVET_UNIT_CYCLE};
    servet_curve back = SERVET_CURVE_INIT;
    assert_ok(servet_curve_write(path, &cycles, NULL));
    assert_ok(servet_curve_read(path, &back, NULL));
    assert_int_equal(back.n, 2);
    assert_int_equal(back.unit, SERVET_UNIT_CYCLE);
    for (size_t i = 0; i < 2; i++) {
        assert_true(back.bytes[i] == bytes[i]);
        assert_float_equal(back.latency[i] / latency[i], 1, 1e-8);
        assert_float_equal(back.low[i] / low[i], 1, 1e-8);
        assert_float_equal(back.high[i] / high[i], 1, 1e-8);
    }
    servet_curve_free(&back);
    assert_code(servet_curve_write("/nowhere/curve.csv", &cycles, NULL), SERVET_EIO);
}

static int read_once(void *context)
{
    (void)context;
    servet_curve curve = SERVET_CURVE_INIT;
    int code = servet_curve_read(path, &curve, NULL);
    servet_curve_free(&curve);
    return code;
}

TEST(lost_allocations_are_survived)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("bytes,ns,low,high\n", stream);
    for (int i = 1; i <= 1000; i++)
        fprintf(stream, "%d,1,1,1\n", i);
    assert_int_equal(fclose(stream), 0);
    /* Four arrays that grow at least twice on the way to a thousand rows. */
    assert_true(alloc_fail_everywhere(read_once, NULL) >= 8);
}
