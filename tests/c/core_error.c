/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "core/error.h"

TEST(first_error_wins)
{
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_fail(&error, SERVET_EIO, "first %d", 1), SERVET_EIO);
    assert_int_equal(srv_fail(&error, SERVET_EMEMORY, "second"), SERVET_EMEMORY);
    assert_int_equal(error.code, SERVET_EIO);
    assert_string_equal(error.text, "first 1");
}

TEST(error_struct_is_optional)
{
    assert_int_equal(srv_fail(NULL, SERVET_EIO, "no one listens"), SERVET_EIO);
    assert_int_equal(srv_fail_memory(NULL), SERVET_EMEMORY);
}

TEST(line_names_the_place)
{
    char line[64];
    servet_error error = SERVET_ERROR_INIT;
    srv_fail_at(&error, SERVET_EFORMAT, "p.json", 3, "no colon");
    assert_string_equal(servet_error_line(&error, line, sizeof line), "p.json:3: no colon");
    error.line = 0;
    assert_string_equal(servet_error_line(&error, line, sizeof line), "p.json: no colon");
    error.file[0] = '\0';
    assert_string_equal(servet_error_line(&error, line, sizeof line), "no colon");
    assert_string_equal(servet_error_line(&error, line, 3), "no");
}

TEST(file_and_text_have_no_characters_that_terminals_obey)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_fail_at(&error, SERVET_EIO, "a\302\233b\n", 0, "c\342\200\256d");
    assert_string_equal(error.file, "a?\?b?");
    assert_string_equal(error.text, "c?\?\?d");
}

TEST(texts_are_cut_not_overrun)
{
    char longer[2 * SERVET_ERROR_FILE_MAX];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    servet_error error = SERVET_ERROR_INIT;
    srv_fail_at(&error, SERVET_EIO, longer, 1, "%s", longer);
    assert_int_equal(strlen(error.file), SERVET_ERROR_FILE_MAX - 1);
    assert_int_equal(strlen(error.text), SERVET_ERROR_TEXT_MAX - 1);
    assert_string_equal(error.text + SERVET_ERROR_TEXT_MAX - 1 - 4, "x...");
}

TEST(every_code_has_its_own_name_and_text)
{
#define ROW(name, value, text)                                                                     \
    assert_string_equal(servet_error_name(name), #name);                                           \
    assert_string_equal(servet_error_text(value), text);
    SERVET_ERROR_LIST(ROW)
#undef ROW
    assert_string_equal(servet_error_name(-999), "SERVET_E?");
    assert_string_equal(servet_error_text(7), "unknown error");
}
