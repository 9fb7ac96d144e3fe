/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses JSON; the expected result is that of jansson's own parser, with enough memory. */
#include "test.h"

#include <locale.h>
#include <pthread.h>
#include <unistd.h>

#include "core/json/parse.h"

static const char sample[] =
    "{\"time\": \"2026-11-23T12:00:00Z\", \"values\": [1.5, -2e-3, 17, true, false, null],\n"
    " \"text of more than sixteen bytes\": \"\\u00e9\\ud83d\\ude00\\n\\\"\xc3\xa9\",\n"
    " \"inner\": {\"a\": [], \"b\": {}, \"c\": [[{\"d\": 12345678901234567}]], \"e\": \"\"}}";

static json_t *parse(const char *text, srv_json_fault *fault)
{
    return srv_json_parse(text, strlen(text), fault);
}

/* Both parsers accept the text and read the same, or both refuse it. */
static void agrees(const char *text, size_t size)
{
    srv_json_fault fault;
    json_error_t cause = {.line = 0};
    json_t *read = srv_json_parse(text, size, &fault);
    json_t *expected = json_loadb(text, size, JSON_REJECT_DUPLICATES, &cause);
    if (!read != !expected || (read && !json_equal(read, expected)))
        fail_msg("line %d: %s, jansson: %s: %s", fault.line, fault.text ? fault.text : "memory",
                 cause.text, text);
    assert_true(read || fault.text);
    json_decref(read);
    json_decref(expected);
}

TEST(forms)
{
    static const char *const texts[] = {
        "{}",
        " [ ] ",
        "[1]",
        "[01]",
        "[-0]",
        "[-0.0]",
        "[1.]",
        "[.5]",
        "[1e5]",
        "[1E+05]",
        "[1e]",
        "[+1]",
        "[-]",
        "[0x10]",
        "[1e400]",
        "[1e-400]",
        "[9223372036854775807]",
        "[9223372036854775808]",
        "[nan]",
        "[tru]",
        "[truefalse]",
        "[true,]",
        "[,1]",
        "[1 2]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{a:1}",
        "{\"a\":1,\"a\":2}",
        "[\"\\u12\"]",
        "[\"\\ud800\"]",
        "[\"\\udc00\"]",
        "[\"\\ud800\\u0041\"]",
        "[\"\\x\"]",
        "[\"a\nb\"]",
        "[\"\t\"]",
        "[\"unended]",
        "[\"\xff\"]",
        "[\"\xed\xa0\x80\"]",
        "[\"\xc0\x80\"]",
        "[\"\\u0000\"]",
        "{\"\\u0000\":1}",
        "[]]",
        "[] []",
        "1",
        "\"a\"",
        "null",
        "",
        " ",
        "[",
        "{",
        "{\"a\"",
        "[\"\\",
        "[\"\\u",
        "\xef\xbb\xbf[]",
        "[\"\\/\\b\\f\\r\\t\"]",
        "[1]\v",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        agrees(texts[i], strlen(texts[i]));
    agrees("[]\0", 3);
    agrees("[\"\0\"]", 5);
}

TEST(each_changed_byte)
{
    static const char bytes[] = "\"\\{}[]:,0-.eu\n\x01\x80\xc3 ";
    char text[sizeof sample];
    agrees(sample, strlen(sample));
    for (size_t at = 0; at + 1 < sizeof sample; at += test_step(1))
        for (size_t i = 0; i + 1 < sizeof bytes; i++) {
            memcpy(text, sample, sizeof sample);
            text[at] = bytes[i];
            agrees(text, strlen(sample));
        }
    for (size_t length = 0; length + 1 < sizeof sample; length++) {
        memcpy(text, sample, length);
        text[length] = '\0';
        agrees(text, length);
    }
}

static int countdown;

static void *fail_one(size_t size)
{
    return --countdown == 0 ? NULL : malloc(size);
}

/* jansson's own parser reads a wrong time where a buffer cannot grow. */
TEST(a_failed_allocation_is_never_passed_over)
{
    srv_json_fault fault;
    json_t *expected = parse(sample, &fault);
    assert_non_null(expected);
    int failures = 0;
    json_set_alloc_funcs(fail_one, free);
    for (bool failed = true; failed; failures++) {
        countdown = failures + 1;
        json_t *read = parse(sample, &fault);
        failed = countdown <= 0;
        assert_true(failed ? !read && !fault.text : json_equal(read, expected));
        countdown = 0;
        json_decref(read);
    }
    json_set_alloc_funcs(malloc, free);
    json_decref(expected);
    assert_true(failures > 20); /* the tree has as many objects, arrays, texts and numbers */
}

TEST(the_line_of_a_fault)
{
    srv_json_fault fault;
    assert_null(parse("{\"a\":\n 1,\n \"b\": tru}", &fault));
    assert_int_equal(fault.line, 3);
    assert_string_equal(fault.text, "a value is missing or malformed");
}

static char *nested(size_t levels)
{
    char *text = malloc(2 * levels + 1);
    assert_non_null(text);
    memset(text, '[', levels);
    memset(text + levels, ']', levels);
    text[2 * levels] = '\0';
    return text;
}

/* Parses on the stack of a thread; if the stack were too small, this test would crash. */
typedef struct nesting {
    size_t levels;
    srv_json_fault fault;
} nesting;

static void *parse_nested(void *context)
{
    nesting *on = context;
    char *text = nested(on->levels);
    json_decref(parse(text, &on->fault));
    free(text);
    return NULL;
}

static const char *fault_on_small_stack(size_t levels)
{
    /* Frames of sanitized programs are several times as large. */
    size_t small = (size_t)(TEST_SANITIZED ? 256 : 64) << 10,
           least = (size_t)sysconf(_SC_THREAD_STACK_MIN); /* 128 KiB on ARM */
    pthread_attr_t attributes;
    pthread_t thread;
    nesting on = {.levels = levels};
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, small > least ? small : least), 0);
    assert_int_equal(pthread_create(&thread, &attributes, parse_nested, &on), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    return on.fault.text;
}

TEST(levels_are_limited_before_any_stack_is)
{
    assert_null(fault_on_small_stack(SRV_JSON_LEVELS_MAX));
    assert_string_equal(fault_on_small_stack(SRV_JSON_LEVELS_MAX + 1), "over 64 levels");
    assert_string_equal(fault_on_small_stack(1000000), "over 64 levels");
}

static size_t taken, most;

static void *count_taken(size_t size)
{
    size_t *block = malloc(size + 16);
    if (!block)
        return NULL;
    *block = size;
    taken += size;
    most = taken > most ? taken : most;
    return block + 16 / sizeof *block;
}

static void count_given(void *given)
{
    size_t *block = given;
    if (!block)
        return;
    block -= 16 / sizeof *block;
    taken -= *block;
    free(block);
}

/* A file of empty objects took eighty times its size. */
TEST(memory_is_limited)
{
    test_leave_to_plain_build();
    static const char *const units[] = {"{},", "1,"};
    enum { SIZE = 16 << 20 };
    srv_json_fault fault;
    char *text = malloc(SIZE + 2);
    assert_non_null(text);
    json_set_alloc_funcs(count_taken, count_given);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t at = 1, length = strlen(units[i]);
        text[0] = '[';
        for (; at + length < SIZE; at += length)
            memcpy(text + at, units[i], length);
        text[at - 1] = ']';
        most = 0;
        json_t *read = srv_json_parse(text, at, &fault);
        assert_true(read || strstr(fault.text, "256 MiB"));
        json_decref(read);
        assert_true(most <= SRV_JSON_BYTES_MAX);
        assert_int_equal(taken, 0);
    }
    json_set_alloc_funcs(malloc, free);
    free(text);
}
