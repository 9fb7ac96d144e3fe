/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves in the words of the tools that print them: lmbench's lat_mem_rd.c, tinymembench's main.c,
 * OSU's osu_latency (6 and 7), NetPIPE 3.7. Expected numbers are converted by hand. */
#include "test.h"

#include <unistd.h>

#include "servet/analyze.h"

typedef struct expected {
    const char *text;
    servet_printed how;
    int code; /* of an error; else the curve has these ends */
    size_t n;
    double ends[4]; /* bytes and time of the first point, and of the last one */
} expected;

static const expected cases[] = {
    /* The last table counts. 0.00049 MiB are 513.8 B, 64 MiB 67108864. */
    {.text =
         "\"stride=64\n0.00049 9.386\n0.00098 9.386\n\n\"stride=128\n0.00049 1.386\n0.00098 1.4\n"
         "64.00000 72.5\n",
     .n = 3,
     .ends = {514, 1.386e-9, 67108864, 72.5e-9}},
    {.text = "== Note ==\nblock size : single random read / dual random read, [MADV_NOHUGEPAGE]\n"
             "      1024 :    9.0 ns          /     9.0 ns \n"
             "\nblock size : single random read / dual random read, [MADV_HUGEPAGE]\n"
             "      1024 :    0.0 ns          /     0.0 ns \n"
             "    131072 :    6.6 ns          /    10.5 ns \n",
     .how = {NULL, 1.5e-9},
     .n = 2,
     .ends = {1024, 1.5e-9, 131072, 8.1e-9}},
    {.text = "block size : single random read / dual random read\n"
             "      1024 :    0.0 ns          /     0.0 ns \n"
             "      2048 :    0.0 ns          /     0.0 ns \n",
     .code = SERVET_EARGUMENT},
    /* A message of no bytes is no point of a curve. */
    {.text = "\n# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
             "0                       1.42\n1                       3.34\n"
             "4194304               412.77\n",
     .n = 2,
     .ends = {1, 3.34e-6, 4194304, 412.77e-6}},
    {.text = "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n"
             "1                       0.15\n2                       0.15\n",
     .n = 2,
     .ends = {1, 0.15e-6, 2, 0.15e-6}},
    /* A log, and another test. */
    {.text = "# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)\n1126 starts\n"
             "2026-11-26 10:12 INFO\n1   3.34\n2   3.4\n\n2027 10:12 INFO\n"
             "# OSU MPI Bandwidth Test v7.5\n# Size      Bandwidth (MB/s)\n4096   3.45\n",
     .n = 2,
     .ends = {1, 3.34e-6, 2, 3.4e-6}},
    {.text = "# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)\n"
             "# OSU MPI Bandwidth Test v7.5\n# Size      Bandwidth (MB/s)\n1   3.45\n2   7\n",
     .code = SERVET_EFORMAT},
    {.text =
         "# OSU MPI Bandwidth Test v7.1\n# Size      Bandwidth (MB/s)\n1   3.45\n1024  1893.21\n",
     .code = SERVET_EFORMAT},
    {.text = "0: node1\n1: node2\nNow starting the main loop\n"
             "  0:       1 bytes   4187 times -->      0.53 Mbps in      14.48 usec\n"
             "  1:       2 bytes   6905 times -->      1.05 Mbps in      14.53 usec\n"
             "  2:       3 bytes   6881 times -->      1.58 Mbps in      14.50 usec\n",
     .n = 3,
     .ends = {1, 14.48e-6, 3, 14.50e-6}},
    /* The file of NetPIPE: 1 MiB in 1 ms are 8000 Mbps of its own (2^20 bits). */
    {.text = "       1 0.526316   0.00001450\n 1048576 8000.000   0.00100000\n",
     .n = 2,
     .ends = {1, 14.5e-6, 1048576, 1e-3}},
    {.text = "4k 1.4\n1M 4.6\n64m 88.4\n",
     .how = {"ns", 0},
     .n = 3,
     .ends = {4096, 1.4e-9, 67108864, 88.4e-9}},
    {.text = "4096 5\n8192 14\n", .how = {"cycles", 0}, .n = 2, .ends = {4096, 5, 8192, 14}},
    {.text = "# by hand\nbytes,ns\n4096,1.4\n8192,1.5\n",
     .n = 2,
     .ends = {4096, 1.4e-9, 8192, 1.5e-9}},
    {.text = "4096 5\n8192 14\n", .code = SERVET_EARGUMENT},
    {.text = "4096 5\n8192 14\n", .how = {"min", 0}, .code = SERVET_EARGUMENT},
    {.text = "\"stride=64\n0.00049 9.386\n", .how = {"ns", 0}, .code = SERVET_EARGUMENT},
    {.text = "\"stride=64\n0.00049 9.386\n", .how = {NULL, 1e-9}, .code = SERVET_EARGUMENT},
    {.text = "bytes,ns\n4096,1.4\n8192,1.5\n", .how = {"us", 0}, .code = SERVET_EARGUMENT},
    {.text = "8192 5\n4096 14\n", .how = {"ns", 0}, .code = SERVET_EFORMAT},
    {.text = "4096 0\n8192 14\n", .how = {"ns", 0}, .code = SERVET_EFORMAT},
    {.text = "hello\n", .code = SERVET_EFORMAT},
    {.text = "", .code = SERVET_EFORMAT},
};

static int read_text(const char *text, const servet_printed *how, servet_curve *curve)
{
    char path[TEST_PATH_MAX];
    test_temporary_file(path, "", text);
    int code = servet_curve_read_printed(path, how, curve, NULL);
    unlink(path);
    return code;
}

TEST(output_of_tools_is_a_curve)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const expected *now = &cases[i];
        servet_curve curve = SERVET_CURVE_INIT;
        int code = read_text(now->text, &now->how, &curve);
        if (code != now->code)
            fail_msg("case %zu: code %d, not %d", i, code, now->code);
        assert_int_equal(curve.n, now->n);
        if (code == SERVET_OK) {
            assert_float_equal(curve.bytes[0], now->ends[0], 0.5);
            assert_float_equal(curve.latency[0], now->ends[1], 1e-12);
            assert_float_equal(curve.bytes[curve.n - 1], now->ends[2], 0.5);
            assert_float_equal(curve.latency[curve.n - 1], now->ends[3], 1e-12);
        }
        servet_curve_free(&curve);
    }
}
