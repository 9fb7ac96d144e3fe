/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "alloc.h"
#include "core/memory_stream.h"
#include "servet/error.h"

enum { LINES = 9999, LINE = 6 };

/* "00000\n" and so on. */
static void write_lines(FILE *stream)
{
    for (int i = 0; i < LINES; i++)
        fprintf(stream, "%05d\n", i);
}

static int write_all(void *context)
{
    (void)context;
    srv_memory_stream memory;
    char *text = NULL;
    size_t size = 7;
    if (!srv_memory_stream_open(&memory))
        return SERVET_EMEMORY;
    write_lines(memory.stream);
    if (!srv_memory_stream_close(&memory, &text, &size)) {
        assert_null(text);
        assert_int_equal(size, 0);
        return SERVET_EMEMORY;
    }
    assert_int_equal(size, LINES * LINE);
    assert_int_equal(strlen(text), size);
    assert_memory_equal(text, "00000\n00001\n", 12);
    assert_string_equal(text + size - LINE, "09998\n");
    free(text);
    return SERVET_OK;
}

TEST(text_is_whole_or_none)
{
    /* The first block and larger ones; how much stdio hands over at a time is its own. */
    assert_true(alloc_fail_everywhere(write_all, NULL) >= 3);
}

TEST(nothing_is_an_empty_text)
{
    srv_memory_stream memory;
    char *text;
    size_t size = 7;
    assert_true(srv_memory_stream_open(&memory));
    assert_true(srv_memory_stream_close(&memory, &text, &size));
    assert_string_equal(text, "");
    assert_int_equal(size, 0);
    free(text);
}

TEST(a_null_character_is_text)
{
    srv_memory_stream memory;
    char *text;
    size_t size;
    assert_true(srv_memory_stream_open(&memory));
    fprintf(memory.stream, "a%cb", '\0');
    assert_true(srv_memory_stream_close(&memory, &text, &size));
    assert_int_equal(size, 3);
    assert_memory_equal(text, "a\0b", 4);
    free(text);
}
