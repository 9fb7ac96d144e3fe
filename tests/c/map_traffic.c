/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic of programs: patterns against their definitions, valid and invalid files. */
#include "test.h"

#include <unistd.h>

#include "map/traffic/graph.h"

/* A line number, and an error. */
enum { LINE_ROOM = SERVET_ERROR_TEXT_MAX + 16 };

/* Bytes that `from` sends to `to`; 0: nothing. */
static double sent(const servet_traffic *traffic, int from, int to)
{
    double bytes = 0;
    srv_graph graph = {0};
    assert_ok(srv_graph_begin(&graph, traffic, false, NULL));
    for (size_t i = graph.begin[from]; i < graph.begin[from + 1]; i++)
        bytes += graph.to[i] == to ? graph.bytes[i] : 0;
    srv_graph_finish(&graph);
    return bytes;
}

static servet_traffic *pattern(servet_pattern which, int processes)
{
    servet_traffic *traffic;
    assert_ok(servet_traffic_pattern(&traffic, which, processes, 8, NULL));
    assert_int_equal(servet_traffic_processes(traffic), processes);
    return traffic;
}

TEST(rings_have_the_expected_traffic)
{
    servet_traffic *five = pattern(SERVET_PATTERN_RING, 5);
    for (int from = 0; from < 5; from++)
        for (int to = 0; to < 5; to++)
            assert_true(sent(five, from, to) ==
                        ((from + 1) % 5 == to || (to + 1) % 5 == from ? 8 : 0));
    servet_traffic_destroy(five);
    servet_traffic *two = pattern(SERVET_PATTERN_RING, 2);
    assert_true(sent(two, 0, 1) == 8 && sent(two, 1, 0) == 8);
    servet_traffic_destroy(two);
    servet_traffic *one = pattern(SERVET_PATTERN_RING, 1);
    assert_true(servet_traffic_bytes(one) == 0);
    servet_traffic_destroy(one);
}

/* Messages of a grid without ends that wrap round, both ways. */
static int faces(int a, int b, int c)
{
    return 2 * ((a - 1) * b * c + a * (b - 1) * c + a * b * (c - 1));
}

static void expect_stencil(servet_pattern which, int a, int b, int c)
{
    servet_traffic *traffic = pattern(which, a * b * c);
    assert_true(servet_traffic_bytes(traffic) == 8. * faces(a, b, c));
    for (int rank = 0; rank < a * b * c; rank++) {
        int x = rank / (b * c), y = rank / c % b, z = rank % c;
        assert_true(sent(traffic, rank, rank) == 0);
        if (x + 1 < a)
            assert_true(sent(traffic, rank, rank + b * c) == 8);
        if (y + 1 < b)
            assert_true(sent(traffic, rank + c, rank) == 8);
        if (z + 1 < c)
            assert_true(sent(traffic, rank, rank + 1) == 8);
    }
    servet_traffic_destroy(traffic);
}

/* The boxes are those of MPI_Dims_create(). */
TEST(stencils_have_the_expected_traffic)
{
    expect_stencil(SERVET_PATTERN_STENCIL_2D, 8, 8, 1);
    expect_stencil(SERVET_PATTERN_STENCIL_2D, 4, 3, 1);
    expect_stencil(SERVET_PATTERN_STENCIL_2D, 7, 1, 1);
    expect_stencil(SERVET_PATTERN_STENCIL_3D, 4, 4, 4);
    expect_stencil(SERVET_PATTERN_STENCIL_3D, 4, 3, 2);
    expect_stencil(SERVET_PATTERN_STENCIL_3D, 6, 4, 3);
    expect_stencil(SERVET_PATTERN_STENCIL_3D, 2, 2, 1);
}

TEST(transposes_have_the_expected_traffic)
{
    servet_traffic *traffic = pattern(SERVET_PATTERN_TRANSPOSE, 6); /* 3 rows, 2 columns */
    const int to[6] = {0, 3, 1, 4, 2, 5};
    for (int rank = 0; rank < 6; rank++)
        assert_true(sent(traffic, rank, to[rank]) == (to[rank] == rank ? 0 : 8));
    assert_true(servet_traffic_bytes(traffic) == 4 * 8);
    servet_traffic_destroy(traffic);
}

TEST(all_to_all_has_the_expected_traffic)
{
    servet_traffic *traffic = pattern(SERVET_PATTERN_ALL_TO_ALL, 100000);
    assert_true(servet_traffic_bytes(traffic) == 8. * 100000 * 99999);
    assert_code(servet_traffic_add(traffic, 0, 1, 1, NULL), SERVET_EARGUMENT);
    servet_traffic_destroy(traffic);
}

TEST(patterns_have_names)
{
    assert_string_equal(servet_pattern_name(SERVET_PATTERN_STENCIL_3D), "stencil-3d");
    servet_traffic *traffic;
    assert_code(servet_traffic_pattern(&traffic, SERVET_PATTERN_COUNT, 2, 1, NULL),
                SERVET_EARGUMENT);
    assert_code(servet_traffic_pattern(&traffic, SERVET_PATTERN_RING, 2, -1, NULL),
                SERVET_EARGUMENT);
    assert_code(servet_traffic_pattern(&traffic, SERVET_PATTERN_RING, 0, 1, NULL),
                SERVET_EARGUMENT);
}

TEST(added_traffic_is_summed)
{
    servet_traffic *traffic;
    assert_ok(servet_traffic_create(&traffic, 3, NULL));
    assert_ok(servet_traffic_add(traffic, 0, 2, 10, NULL));
    assert_ok(servet_traffic_add(traffic, 0, 2, 5, NULL));
    assert_ok(servet_traffic_add(traffic, 1, 1, 99, NULL));
    assert_true(sent(traffic, 0, 2) == 15 && sent(traffic, 2, 0) == 0);
    assert_true(servet_traffic_bytes(traffic) == 15);
    assert_code(servet_traffic_add(traffic, 0, 3, 1, NULL), SERVET_ERANGE);
    assert_code(servet_traffic_add(traffic, -1, 0, 1, NULL), SERVET_ERANGE);
    assert_code(servet_traffic_add(traffic, 0, 1, -1, NULL), SERVET_EARGUMENT);
    assert_code(servet_traffic_add(traffic, 0, 1, NAN, NULL), SERVET_EARGUMENT);
    servet_traffic_destroy(traffic);
    servet_traffic_destroy(NULL);
}

static int read_text(const char *text, size_t size, int processes, servet_traffic **traffic,
                     char *line)
{
    char path[TEST_PATH_MAX];
    servet_error error = SERVET_ERROR_INIT;
    test_temporary_file(path, "", "");
    test_write_file(path, text, size);
    int code = servet_traffic_read(traffic, path, processes, &error);
    unlink(path);
    if (code != SERVET_OK) {
        assert_string_equal(error.file, path);
        snprintf(line, LINE_ROOM, "%d: %s", error.line, error.text);
    }
    return code;
}

TEST(files_are_read)
{
    servet_traffic *traffic;
    const char *text = "# a step\n\n0 1 1024\n  1\t0   1e3 # back\r\n0 1 1\n2 2 0";
    assert_ok(read_text(text, strlen(text), 0, &traffic, NULL));
    assert_int_equal(servet_traffic_processes(traffic), 3);
    assert_true(sent(traffic, 0, 1) == 1025 && sent(traffic, 1, 0) == 1000);
    servet_traffic_destroy(traffic);
}

/* Spreadsheets and numpy write such files. */
TEST(commas_separate_numbers_and_a_line_of_words_is_a_heading)
{
    servet_traffic *traffic;
    const char *text = "from, to, bytes\r\n0,1,1024\r\n1, 0, 1e3\r\n2,2,0\r\n";
    assert_ok(read_text(text, strlen(text), 3, &traffic, NULL));
    assert_true(sent(traffic, 0, 1) == 1024 && sent(traffic, 1, 0) == 1000);
    servet_traffic_destroy(traffic);
}

/* Rank 1 sends 4 bytes to rank 0, and 6 to rank 3; a rank sends nothing to itself. */
TEST(a_square_matrix_is_read_row_by_row_for_each_phase)
{
    servet_traffic *traffic;
    const char *text = "# traffic\n9,1,0,3\n4,9,0,6\n0,0,0,0\n7,0,0,0\n";
    const char *phases = "0 5\n0 0\nphase\n0 0\n7 0\n";
    for (int processes = 0; processes <= 4; processes += 4) {
        assert_ok(read_text(text, strlen(text), processes, &traffic, NULL));
        assert_int_equal(servet_traffic_processes(traffic), 4);
        assert_true(sent(traffic, 0, 1) == 1 && sent(traffic, 0, 3) == 3);
        assert_true(sent(traffic, 1, 0) == 4 && sent(traffic, 1, 3) == 6);
        assert_true(sent(traffic, 3, 0) == 7 && servet_traffic_bytes(traffic) == 21);
        servet_traffic_destroy(traffic);
    }
    assert_ok(read_text(phases, strlen(phases), 2, &traffic, NULL));
    assert_int_equal(traffic->count, 2);
    assert_true(traffic->items[0].bytes == 5 && traffic->items[1].bytes == 7);
    assert_int_equal(traffic->items[1].phase, 1);
    servet_traffic_destroy(traffic);
}

/* Phases without messages take no time, and are none. */
TEST(lines_of_a_file_begin_phases)
{
    servet_traffic *traffic;
    const char *text = "phase\n0 1 5\nphase\nphase # 2\n1 0 6\n0 1 7\n phase";
    const int phases[] = {0, 1, 1};
    assert_ok(read_text(text, strlen(text), 2, &traffic, NULL));
    assert_int_equal(traffic->count, 3);
    for (size_t i = 0; i < traffic->count; i++)
        assert_int_equal(traffic->items[i].phase, phases[i]);
    assert_true(sent(traffic, 0, 1) == 12 && servet_traffic_bytes(traffic) == 18);
    servet_traffic_destroy(traffic);
}

TEST(bad_files_are_refused)
{
    static const struct {
        const char *text;
        int processes;
        const char *error;
    } rows[] = {
        {"0 1 8\n1 0 -8\n", 2, "2: '-8' bytes are less than none"},
        {"0 2 8\n", 3, "0: rank 1 of 3 is missing; a rank that sends nothing needs a line: 1 1 0"},
        {"0 1 8\n", 3, "0: rank 2 of 3 is missing; a rank that sends nothing needs a line: 2 2 0"},
        {"0 3 8\n", 0, "0: rank 1 of 4 is missing; a rank that sends nothing needs a line: 1 1 0"},
        {"0 1 8\n\n0 3 8\n", 3, "3: there is no rank 3, only 0 to 2"},
        {"-1 0 8\n", 2, "1: '-1' is not a rank: they count from 0"},
        {"a b 8\n", 2, "1: 'a' is not a rank: a line is FROM TO BYTES"},
        {"0 1.5 8\n", 2, "1: '1.5' is not a rank: a line is FROM TO BYTES"},
        {"0 1 8k\n", 2, "1: '8k' is not a number of bytes"},
        {"0 1 inf\n", 2, "1: 'inf' is not a number of bytes"},
        {"0 1 1e300\n", 2, "1: '1e300' is not a number of bytes"},
        {"0 1\n", 4,
         "1: a line is FROM TO BYTES, three numbers, or a row of a matrix with a column for each "
         "process"},
        {"0,,8\n", 4, "1: a cell is empty: write 0 where nothing is sent"},
        {",1,2\n1,,3\n2,3,\n", 3, "1: a cell is empty: write 0 where nothing is sent"},
        {"0,1,8,\n", 4, "1: a cell is empty: write 0 where nothing is sent"},
        {"0 1\n", 2, "1: the matrix has 1 of 2 rows"},
        {"0 1\nphase\n0 1\n1 0\n", 2, "2: the matrix has 1 of 2 rows"},
        {"0 1\n1 0\n0 0\n", 0, "3: more rows than the first has columns"},
        {"0 1\n1 0 0\n", 2,
         "2: this row of the matrix has another number of columns than the first"},
        {"0 1\n1 x\n", 2, "2: 'x' is not a number of bytes"},
        {"0 1 8 9\n", 2,
         "1: a line is FROM TO BYTES, three numbers, or a row of a matrix with a column for each "
         "process"},
        {"99999999999999999999 1 8\n", 0,
         "1: there is no rank 99999999999999999999, only 0 to 16777215"},
        {"0 1 8\nphases\n", 2,
         "2: a line is FROM TO BYTES, three numbers, or a row of a matrix with a column for each "
         "process"},
        {"phase 1\n", 4,
         "1: a line is FROM TO BYTES, three numbers, or a row of a matrix with a column for each "
         "process"},
        {"# nothing\n", 0, "0: the file has no line FROM TO BYTES, and no row of a matrix"},
        {"from,to,bytes\n", 0, "0: the file has no line FROM TO BYTES, and no row of a matrix"},
        {"", 2, "0: the file has no line FROM TO BYTES, and no row of a matrix"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[LINE_ROOM];
        servet_traffic *traffic = NULL;
        assert_code(
            read_text(rows[i].text, strlen(rows[i].text), rows[i].processes, &traffic, line),
            SERVET_EFORMAT);
        assert_string_equal(line, rows[i].error);
        assert_null(traffic);
    }
}

TEST(a_file_that_is_not_text_is_refused)
{
    char line[LINE_ROOM];
    servet_traffic *traffic = NULL;
    assert_code(read_text("0 1 8\n1 0\0 8\n", 13, 2, &traffic, line), SERVET_EFORMAT);
    assert_string_equal(line, "2: not a text file");
    assert_code(servet_traffic_read(&traffic, "/nonexistent/file", 2, NULL), SERVET_ENOTFOUND);
    assert_code(servet_traffic_read(&traffic, "/tmp", 2, NULL), SERVET_EIO);
    assert_code(servet_traffic_read(&traffic, "/tmp", -2, NULL), SERVET_EARGUMENT);
    assert_null(traffic);
}
