/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "core/error.h"
#include "core/utf8.h"

/* The first and the last character of each range of The Unicode Standard's table 3-7, and their
 * neighbours. */
TEST(lengths)
{
    static const struct {
        const char *text;
        int length;
    } cases[] = {
        {" ", 1},
        {"~", 1},
        {"\n", 0},
        {"\x1b", 0},
        {"\x7f", 0},
        {"\x80", 0},
        {"\xc1\xbf", 0},
        {"\xc2\xa0", 2},
        {"\xc3\xa9", 2},
        {"\xdf\xbf", 2},
        {"\xe0\x9f\xbf", 0},
        {"\xe0\xa0\x80", 3},
        {"\xed\xa0\x80", 0}, /* a surrogate */
        {"\xef\xbf\xbf", 3},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf0\x9f\x98\x80", 4},
        {"\xf4\x90\x80\x80", 0},
        {"\xe2\x82", 0},
        /* obeyed by terminals: U+0080, U+009B, U+009F, U+061C, U+200E, U+2028, U+202E, U+2066,
           U+2069 */
        {"\xc2\x80", 0},
        {"\xc2\x9b", 0},
        {"\xc2\x9f", 0},
        {"\xd8\x9c", 0},
        {"\xe2\x80\x8e", 0},
        {"\xe2\x80\xa8", 0},
        {"\xe2\x80\xae", 0},
        {"\xe2\x81\xa6", 0},
        {"\xe2\x81\xa9", 0},
        /* their neighbours: U+200D, U+2010, U+202F, U+2065, U+206A */
        {"\xe2\x80\x8d", 3},
        {"\xe2\x80\x90", 3},
        {"\xe2\x80\xaf", 3},
        {"\xe2\x81\xa5", 3},
        {"\xe2\x81\xaa", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (srv_utf8_length(cases[i].text) != cases[i].length)
            fail_msg("case %zu has length %d, not %d", i, srv_utf8_length(cases[i].text),
                     cases[i].length);
}

TEST(each_byte_of_others_is_replaced)
{
    char text[] = "a\xc3\xa9\xc2\x9b\x1b\xff\xe2\x80\xae.";
    srv_utf8_clean(text);
    assert_string_equal(text, "a\xc3\xa9????"
                              "???.");
}

TEST(a_clean_text_is_recognized_as_the_cleaned_original)
{
    assert_true(srv_utf8_is_clean_of("a\xc3\xa9?", "a\xc3\xa9\xff"));
    assert_true(srv_utf8_is_clean_of("", ""));
    assert_false(srv_utf8_is_clean_of("a", "a\xff"));
    assert_false(srv_utf8_is_clean_of("a??", "a\xff"));
    assert_false(srv_utf8_is_clean_of("ab", "a"));
    assert_false(srv_utf8_is_clean_of("b", "a"));
}

TEST(error_texts_are_cleaned)
{
    char line[64];
    servet_error error = SERVET_ERROR_INIT;
    srv_fail_at(&error, SERVET_EFORMAT, "a\nb", 0, "'%s'",
                "\xc2\x9b"
                "2J");
    assert_string_equal(error.text, "'??2J'");
    assert_string_equal(servet_error_line(&error, line, sizeof line), "a?b: '??2J'");
}
