/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of JSON members: sizes, arrays in place, defaults, closed objects. */
#include "test.h"

#include <locale.h>

#include "core/json/shape.h"

typedef struct shelf {
    int count;
    double sizes[3];
    int colour;
    char *label;
    double weight;
    int rows;
} shelf;

static const char *const colour_texts[] = {"red", "green"};
static const srv_words colours = SRV_WORDS(colour_texts);
static const srv_field size_item = {
    .type = SRV_SIZE, .range = SRV_POSITIVE, .size = sizeof(double)};
static const srv_field fields[] = {
    SRV_MEMBER(shelf, sizes, .type = SRV_ARRAY, .item = &size_item, .max = 3,
               .count = offsetof(shelf, count)),
    SRV_MEMBER(shelf, colour, .type = SRV_WORD, .words = &colours, .optional = true),
    SRV_MEMBER(shelf, label, .type = SRV_STRING, .optional = true),
    SRV_MEMBER(shelf, weight, .type = SRV_NUMBER, .optional = true, .range = SRV_WITHIN,
               .least = 0.5, .most = 100),
    SRV_MEMBER(shelf, rows, .type = SRV_INTEGER, .optional = true, .range = SRV_0_OR_WITHIN,
               .least = 2, .most = 40),
    SRV_END,
};
static const shelf defaults = {.colour = 1, .weight = 1};
static const srv_shape shape = {
    .fields = fields, .size = sizeof(shelf), .defaults = &defaults, .closed = true};

/* Reads and checks; the error's text is `expected`, "" for none. */
static void reads(const char *text, shelf *read, const char *expected)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_json_path where = srv_json_path_in("shelf.json", text, &error);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    int code = srv_decode(&shape, json, read, &where);
    if (code == SERVET_OK)
        code = srv_check(&shape, read, &where);
    json_decref(json);
    assert_string_equal(error.text, expected);
    assert_int_equal(code, *expected ? SERVET_EFORMAT : SERVET_OK);
}

static void refuses(const char *text, const char *expected)
{
    shelf read = {0};
    reads(text, &read, expected);
    srv_shape_free(&shape, &read);
}

TEST(sizes_are_numbers_or_have_a_suffix)
{
    shelf read = {0};
    reads("{\"sizes\": [1e3, \"1.25M\", \"2T\"]}", &read, "");
    assert_int_equal(read.count, 3);
    assert_true(read.sizes[0] == 1000 && read.sizes[1] == 1310720 &&
                read.sizes[2] == 2199023255552);
    reads("{\"sizes\": [\"7\", \"3K\", \"0.5G\"]}", &read, "");
    assert_true(read.sizes[0] == 7 && read.sizes[1] == 3072 && read.sizes[2] == 536870912);
    if (setlocale(LC_ALL, "de_DE.UTF-8")) { /* where the point is a comma */
        reads("{\"sizes\": [\"1.25M\"]}", &read, "");
        assert_true(read.sizes[0] == 1310720);
        setlocale(LC_ALL, "C");
    }
    refuses("{\"sizes\": [\"1.25m\"]}",
            "sizes[0]: '1.25m' is no size such as \"32K\" (suffixes K M G T, binary)");
    refuses("{\"sizes\": [1, \"0K\"]}", "sizes[1]: 0 is not positive");
}

TEST(sizes_are_whole)
{
    refuses("{\"sizes\": [32768.5]}", "sizes[0]: 32768.5 is no whole number of bytes");
    refuses("{\"sizes\": [\"1.3K\"]}", "sizes[0]: 1331.2 is no whole number of bytes");
}

TEST(numbers_within_limits)
{
    shelf read = {0};
    reads("{\"sizes\": [], \"weight\": 0.5, \"rows\": 40}", &read, "");
    assert_true(read.weight == 0.5 && read.rows == 40);
    reads("{\"sizes\": [], \"weight\": 100, \"rows\": 0}", &read, "");
    assert_true(read.weight == 100 && read.rows == 0);
    refuses("{\"sizes\": [], \"weight\": 1e300}", "weight: 1e+300, not within 0.5 to 100");
    refuses("{\"sizes\": [], \"weight\": 0}", "weight: 0, not within 0.5 to 100");
    refuses("{\"sizes\": [], \"rows\": -1}", "rows: -1, not within 2 to 40");
    refuses("{\"sizes\": [], \"rows\": 1}", "rows: 1, not within 2 to 40");
    refuses("{\"sizes\": [], \"rows\": 41}", "rows: 41, not within 2 to 40");
}

TEST(absent_members_keep_the_default)
{
    shelf read = {0};
    reads("{\"sizes\": []}", &read, "");
    assert_int_equal(read.count, 0);
    assert_int_equal(read.colour, 1);
    assert_null(read.label);
}

TEST(members_missing_in_the_table_are_refused)
{
    shelf read = {0};
    reads("{\"comment\": 1, \"sizes\": []}", &read, "");
    refuses("{\"sizes\": [1, 2, 3, 4]}", "sizes: 4 items, at most 3 are allowed");
    refuses("{\"sizes\": 1}", "sizes: an integer where an array belongs");
    refuses("{\"sizes\": [], \"color\": 1}",
            "color: unknown member; known: sizes, colour, label, weight, rows");
    refuses("{\"sizes\": [], \"colour\": \"blue\"}",
            "colour: unknown word 'blue'; known: red, green");
}

/* The text is refused, with this line in the message. */
static void refuses_at(const char *text, int line, const char *expected)
{
    shelf read = {0};
    servet_error error = SERVET_ERROR_INIT;
    srv_json_path where = srv_json_path_in("shelf.json", text, &error);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_int_equal(srv_decode(&shape, json, &read, &where), SERVET_EFORMAT);
    json_decref(json);
    srv_shape_free(&shape, &read);
    assert_string_equal(error.text, expected);
    assert_int_equal(error.line, line);
}

TEST(escapes_in_names_lead_to_their_line)
{
    refuses_at("{\"sizes\": [],\n \"c\\u006flo\\u0072\":\n 1}", 3,
               "color: unknown member; known: sizes, colour, label, weight, rows");
    refuses_at("{\"sizes\": [],\n \"a\\nb\\u001b\":\n 1}", 3,
               "a?b?: unknown member; known: sizes, colour, label, weight, rows");
    refuses_at("{\"a\\\\\":\n 1}", 2,
               "a\\: unknown member; known: sizes, colour, label, weight, rows");
}

TEST(written_values_are_read_back)
{
    char label[] = "top";
    const shelf full = {2, {49152, 512, 0}, 0, label, 2.5, 0};
    const shelf bare = {0, {0}, 1, NULL, 1, 3};
    json_t *written = srv_encode(&shape, &full);
    char *text = json_dumps(written, JSON_COMPACT);
    assert_string_equal(text, "{\"sizes\":[49152,512],\"colour\":\"red\",\"label\":\"top\","
                              "\"weight\":2.5,\"rows\":0}");
    shelf read = {0};
    reads(text, &read, "");
    assert_int_equal(read.count, 2);
    assert_string_equal(read.label, "top");
    srv_shape_free(&shape, &read);
    free(text);
    json_decref(written);
    written = srv_encode(&shape, &bare);
    text = json_dumps(written, JSON_COMPACT);
    assert_string_equal(text, "{\"sizes\":[],\"colour\":\"green\",\"weight\":1,\"rows\":3}");
    free(text);
    json_decref(written);
}
