/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whole files; a pipe or device is refused without waiting. */
#include "test.h"

#include <sys/stat.h>

#include "core/json/document.h"
#include "core/text.h"
#include "core/utf8.h"
#include "folder.h"

static char path[TEST_PATH_MAX];

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static void store(const char *content, size_t size)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(content, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static void refuses(const char *file, size_t max, int code, const char *expected)
{
    char *text = NULL;
    size_t size;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_text_read(file, max, &text, &size, &error), code);
    assert_null(text);
    assert_string_equal(error.file, file);
    assert_string_equal(error.text, expected);
}

TEST_WITH(a_file_is_read_whole, setup, remove_folder)
{
    char *text;
    size_t size;
    store("a\0b\n", 4);
    assert_ok(srv_text_read(path, 4, &text, &size, NULL));
    assert_int_equal(size, 4);
    assert_memory_equal(text, "a\0b\n", 5);
    free(text);
    refuses(path, 3, SERVET_EFORMAT, "over 3 bytes");
}

/* Notepad and PowerShell write such marks. */
TEST_WITH(a_byte_order_mark_is_no_text, setup, remove_folder)
{
    char *text;
    size_t size;
    store("\xef\xbb\xbf{}", 5);
    assert_ok(srv_text_read(path, 9, &text, &size, NULL));
    assert_string_equal(text, "{}");
    assert_int_equal(size, 2);
    free(text);
    store("\xff\xfe{\0", 4);
    refuses(path, 9, SERVET_EFORMAT, "the text is in UTF-16, or no text: save it as UTF-8");
    store("\xef\xbb{}", 4);
    refuses(path, 9, SERVET_EFORMAT, "not a text file");
}

TEST_WITH(paths_that_are_not_files_are_refused_at_once, setup, remove_folder)
{
    refuses(path, 9, SERVET_ENOTFOUND, "cannot open: No such file or directory");
    refuses(folder, 9, SERVET_EIO, "not a regular file");
    refuses("/dev/null", 9, SERVET_EIO, "not a regular file");
    assert_int_equal(mkfifo(path, 0600), 0);
    refuses(path, 9, SERVET_EIO, "nothing came through this pipe"); /* or it waits for a writer */
}

TEST_WITH(a_null_character_has_its_own_message, setup, remove_folder)
{
    static const char *const texts[] = {"{\n\"a\": \"\\u0000\"}", "{\n\"\\u0000\": 1}"};
    for (int i = 0; i < 2; i++) {
        srv_document document;
        servet_error error = SERVET_ERROR_INIT;
        store(texts[i], strlen(texts[i]));
        assert_int_equal(srv_document_read(&document, path, 99, NULL, &error), SERVET_EFORMAT);
        srv_document_free(&document);
        assert_string_equal(error.text, "texts must not contain \\u0000");
        assert_int_equal(error.line, 2);
    }
}

static void write_twice(FILE *stream, const void *text)
{
    fprintf(stream, "%s, %s", (const char *)text, (const char *)text);
}

TEST(a_stream_collects_a_text)
{
    char *text = srv_text_written(write_twice, "so");
    assert_non_null(text);
    assert_string_equal(text, "so, so");
    free(text);
}

/* CPUID pads the names of processors with blanks. */
TEST(blanks_at_the_end_make_no_difference)
{
    assert_int_equal(srv_text_trimmed("AMD EPYC  "), 8);
    assert_int_equal(srv_text_trimmed("   "), 0);
    assert_true(srv_text_same("AMD EPYC  ", "AMD EPYC"));
    assert_false(srv_text_same("AMD EPYC", "AMD EPY"));
    assert_false(srv_text_same(" AMD EPYC", "AMD EPYC"));
}

/* A cut text ends behind a whole word and is marked. */
TEST(a_cut_is_marked)
{
    static const struct {
        const char *whole;
        size_t size;
        const char *marked;
    } cases[] = {
        {"L1, L2", 7, "L1, L2"},
        {"alpha beta gamma delta", 20, "alpha beta gamma..."},
        {"alpha, beta, gamma, delta", 20, "alpha, beta..."},
        {"/a/path/without/blanks", 12, "/a/path/..."},
        {"a path/without/blanks", 20, "a path/without/b..."},
        {"123456\303\244\303\244\303\244\303\244", 12, "123456\303\244..."},
        {"123456\303\244\303\244\303\244\303\244", 11, "123456..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        int length = snprintf(text, cases[i].size, "%s", cases[i].whole);
        srv_utf8_mark_cut(text, cases[i].size, length);
        assert_string_equal(text, cases[i].marked);
    }
}

TEST(a_text_has_lines_of_each_system)
{
    char text[] = "first\r\n\nthird";
    char *rest = text;
    assert_string_equal(srv_text_line(&rest), "first");
    assert_string_equal(srv_text_line(&rest), "");
    assert_string_equal(srv_text_line(&rest), "third");
    assert_null(srv_text_line(&rest));
    assert_null(srv_text_line(&rest));
}
