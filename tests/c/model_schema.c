/* SPDX-License-Identifier: BSD-3-Clause */
/* The model's schema in share/, and the manual page, against the library. */
#include "test.h"

#include <dirent.h>
#include <unistd.h>

#include "json_schema.h"
#include "sim/format.h"

/* A cluster, and a node of two kinds of cores: together every member that is not in the way of
 * another. */
static const char *const samples[] = {
    "{'model': 1, 'comment': 'x', 'name': 'a', 'about': 'b', 'nodes': 4, 'cpu': 'c',"
    " 'architecture': 'd', 'os': 'e', 'packages': 1, 'numa_nodes': 2, 'cores': 2, 'smt': 2,"
    " 'clock_ghz': 2, 'os_numbering': '0,2,1,3',"
    " 'caches': [{'comment': 'x', 'level': 1, 'bytes': '32K', 'ways': 8, 'line_bytes': 64,"
    "   'latency_cycles': 4, 'load_bytes_per_cycle': 64, 'kind': '', 'shared_by': 2, 'inclusion': "
    "'inclusive',"
    "   'replacement': 'lru', 'slices': 1, 'hidden': true,"
    "   'reported_bytes': '16K', 'turnover_ms': 5}],"
    " 'tlbs': [{'comment': 'x', 'entries': 64, 'ways': 4, 'penalty_cycles': 7}],"
    " 'prefetchers': [{'comment': 'x', 'kind': 'stride', 'level': 1, 'reach_bytes': '2K'}],"
    " 'pages': {'comment': 'x', 'bytes': '4K', 'placement': 'random', 'huge_bytes': '2M'},"
    " 'memory': {'comment': 'x', 'bytes': '1G', 'latency_ns': 80, 'core_bytes_per_second': 1e9,"
    "   'domains': [{'comment': 'x', 'name': 'm', 'shared_by': 4, 'bytes_per_second': 2e9,"
    "     'contended_bytes_per_second': 1.5e9}], 'remote': [{'comment': 'x', 'within': 4,"
    "     'latency_ns': 90, 'core_bytes_per_second': 1e9, 'link_bytes_per_second': 2e9}]},"
    " 'line_transfer': [{'comment': 'x', 'within': 4, 'ns': 50}],"
    " 'messages': [{'comment': 'x', 'within': 4, 'shared_bytes_per_second': 1e9, 'protocols':"
    "     [{'comment': 'x', 'from_bytes': 0, 'latency_us': 1, 'bytes_per_second': 1e9,"
    "      'gap_us': 0.5, 'rendezvous': true}]},"
    "   {'protocols': [{'latency_us': 2, 'bytes_per_second': 1e9}]}],"
    " 'network': {'comment': 'x', 'kind': 'tree', 'dimensions': [2, 2], 'oversubscription': [2, 1],"
    "   'link_bytes_per_second': 1e9, 'nic_bytes_per_second': 1e9, 'hop_us': 1,"
    "   'slow_nodes': [{'comment': 'x', 'node': 1, 'latency_factor': 2, 'byte_factor': 3}],"
    "   'slow_links': [{'comment': 'x', 'node': 1, 'link': 1, 'byte_factor': 3}]},"
    " 'noise': {'comment': 'x', 'jitter': 0.1, 'outlier_share': 0.1, 'outlier_factor': 3,"
    "   'steal': 0.1, 'drift': 0.1,"
    "   'sibling': {'comment': 'x', 'busy': 0, 'burst_ms': 5, 'levels': 2}}}",
    "{'model': 1, 'cores': 3,"
    " 'kinds': [{'comment': 'x', 'name': 'big', 'cores': 1, 'smt': 2, 'clock_ghz': 5,"
    "   'core_bytes_per_second': 5e8}, {'name': 'small', 'cores': 2, 'clock_ghz': 4}],"
    " 'caches': [{'level': 1, 'kind': 'big', 'bytes': '32K', 'ways': 8, 'latency_cycles': 4},"
    "   {'level': 1, 'kind': 'small', 'bytes': '32K', 'ways': 8, 'latency_cycles': 4}],"
    " 'memory': {'bytes': '1G', 'latency_ns': 80, 'core_bytes_per_second': 1e9}}",
};

static json_t *schema;
static char path[TEST_PATH_MAX];

static int setup(void **state)
{
    (void)state;
    test_path(path, "servet-model-XXXXXX");
    int file = mkstemp(path);
    schema = schema_load("model.schema.json");
    return file < 0 || close(file) != 0 || !schema ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    json_decref(schema);
    return unlink(path);
}

static json_t *parse(const char *text)
{
    char *copy = strdup(text);
    for (char *at = copy; *at; at++)
        if (*at == '\'')
            *at = '"';
    json_t *json = json_loads(copy, JSON_REJECT_DUPLICATES, NULL);
    free(copy);
    assert_non_null(json);
    return json;
}

/* --- the same answer ----------------------------------------------------------------------- */

/* Texts that the tables refuse can be in the schema, too; all others are contradictions. */
static bool is_from_tables(const char *text)
{
    static const char *const phrases[] = {
        " where ",        "unknown member", "unknown word",   "is not positive", "is negative",
        "is not a share", "is no size",     "items, at most", "is too large",    ", not within ",
    };
    static const char missing[] = ": missing";
    size_t length = strlen(text), end = strlen(missing);
    if (strstr(text, " bytes, not within ")) /* a schema bounds no texts such as "2T" */
        return false;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (strstr(text, phrases[i]))
            return true;
    return length > end && strcmp(text + length - end, missing) == 0;
}

static schema_verdict library_answers(const json_t *document)
{
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(json_dump_file(document, path, 0), 0);
    if (srv_model_read(&model, path, &error) == SERVET_OK) {
        srv_model_free(model);
        return SCHEMA_ACCEPTED;
    }
    return is_from_tables(error.text) ? SCHEMA_REFUSED : SCHEMA_BEYOND;
}

TEST_EACH(setup, teardown)

TEST(schema_and_library_agree)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        json_t *sample = parse(samples[i]);
        assert_true(schema_valid(schema, sample));
        assert_int_equal(library_answers(sample), SCHEMA_ACCEPTED);
        schema_agrees(sample, library_answers);
        json_object_set_new(sample, "unheard_of", json_null());
        assert_false(schema_valid(schema, sample));
        assert_int_equal(library_answers(sample), SCHEMA_REFUSED);
        json_decref(sample);
    }
}

TEST(shipped_models_obey_the_schema)
{
    char file[1400];
    const char *folder = getenv("SERVET_MODELS");
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (struct dirent *entry; (entry = readdir(opened));) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        json_t *model = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
        if (!schema_valid(schema, model))
            fail_msg("%s does not obey the schema", entry->d_name);
        json_decref(model);
    }
    closedir(opened);
}

/* --- the same members and words --------------------------------------------------------------- */

static void same_rows(const srv_shape *shape, const json_t *rules);

/* A bound that stands beside a reference, or behind it. */
static double bound(const json_t *rules, const char *keyword)
{
    const json_t *own = json_object_get(rules, keyword);
    return json_number_value(own ? own : json_object_get(schema_follow(rules), keyword));
}

/* If 0 means none, the schema has a choice of 0 and the range. */
static void same_range(const srv_field *field, const json_t *rules)
{
    json_t *choice = json_object_get(rules, "anyOf");
    bool none = field->range == SRV_0_OR_WITHIN;
    if (field->range != SRV_WITHIN && !none)
        return;
    const json_t *range = none ? json_array_get(choice, 1) : rules;
    assert_int_equal(json_array_size(choice), none ? 2 : 0);
    if (bound(range, "minimum") != field->least || bound(range, "maximum") != field->most)
        fail_msg("the schema and the library differ on the range of '%s'",
                 field->name ? field->name : "an item");
}

static void same_field(const srv_field *field, const json_t *property)
{
    const json_t *rules = schema_follow(property);
    same_range(field, property);
    const json_t *words = json_object_get(rules, "enum");
    if (field->type == SRV_OBJECT)
        same_rows(field->shape, rules);
    if (field->type == SRV_ARRAY) {
        assert_int_equal(json_integer_value(json_object_get(rules, "maxItems")), field->max);
        same_field(field->item, json_object_get(rules, "items"));
    }
    if (field->type != SRV_WORD)
        return;
    assert_int_equal(json_array_size(words), field->words->count);
    for (int i = 0; i < field->words->count; i++)
        assert_string_equal(json_string_value(json_array_get(words, (size_t)i)),
                            field->words->text[i]);
}

static bool is_required(const json_t *rules, const char *name)
{
    size_t i;
    json_t *item, *required = json_object_get(rules, "required");
    json_array_foreach (required, i, item)
        if (strcmp(json_string_value(item), name) == 0)
            return true;
    return false;
}

/* Each row is a property, required alike, and "comment" is the only other one. */
static void same_rows(const srv_shape *shape, const json_t *rules)
{
    const json_t *properties = json_object_get(rules, "properties");
    size_t rows = 0;
    for (const srv_field *field = shape->fields; field->name; field++, rows++) {
        const json_t *property = json_object_get(properties, field->name);
        if (!property || is_required(rules, field->name) == field->optional)
            fail_msg("the schema and the library differ on '%s'", field->name);
        same_field(field, property);
    }
    assert_non_null(json_object_get(properties, "comment"));
    assert_int_equal(json_object_size(properties), rows + 1);
}

TEST(the_same_members_and_words)
{
    same_rows(&srv_model_file_shape, schema);
}

/* --- the manual page -------------------------------------------------------------------------- */

static char page[1 << 15];

static void load_page(void)
{
    char file[1200];
    snprintf(file, sizeof file, "%s/share/man/servet-model.5.scd", getenv("SOURCE_ROOT"));
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    page[fread(page, 1, sizeof page - 1, stream)] = '\0';
    fclose(stream);
}

/* Reads "8K"; what follows is at `*end`. */
static double size_at(const char *text, const char **end)
{
    static const char suffixes[] = "KMGT";
    char *behind;
    double number = strtod(text, &behind);
    const char *suffix = *behind ? strchr(suffixes, *behind) : NULL;
    *end = behind + (suffix != NULL);
    return suffix ? ldexp(number, 10 * (int)(suffix - suffixes + 1)) : number;
}

/* Is true if the entry at `entry`, up to the next blank line, says "LEAST to MOST". */
static bool says_range(const char *entry, double least, double most)
{
    const char *end = strstr(entry, "\n\n"), *last, *next;
    for (const char *at = entry; at < end; at = next) {
        next = at + 1;
        if (at[-1] != ' ' && at[-1] != '\t')
            continue;
        double from = size_at(at, &last);
        if (last > at && strncmp(last, " to ", 4) == 0 && from == least &&
            size_at(last + 4, &last) == most)
            return true;
    }
    return false;
}

/* Members of several objects may bear the same name: one of its entries must say it. */
static void page_says_range(const char *term, double least, double most)
{
    for (const char *at = page; (at = strstr(at, term)); at++)
        if (says_range(at, least, most))
            return;
    fail_msg("servet-model(5) does not say of %s that it is within %g to %g", term, least, most);
}

static void page_names_range(const srv_field *field, const char *term)
{
    const srv_field *item = field->type == SRV_ARRAY ? field->item : field;
    if (item->range == SRV_SHARE)
        page_says_range(term, 0, 1);
    if (item->range == SRV_WITHIN || item->range == SRV_0_OR_WITHIN)
        page_says_range(term, item->least, item->most);
}

static void page_names(const srv_shape *shape)
{
    char term[80];
    for (const srv_field *field = shape->fields; field->name; field++) {
        snprintf(term, sizeof term, "*%s*", field->name);
        if (!strstr(page, term))
            fail_msg("servet-model(5) does not explain %s", term);
        page_names_range(field, term);
        for (int i = 0; field->type == SRV_WORD && i < field->words->count; i++) {
            snprintf(term, sizeof term, "*%s*", field->words->text[i]);
            if (!strstr(page, term))
                fail_msg("servet-model(5) does not explain the word %s", term);
        }
        const srv_field *item = field->type == SRV_ARRAY ? field->item : field;
        if (item->type == SRV_OBJECT)
            page_names(item->shape);
    }
}

TEST(the_page_explains_every_member_and_word)
{
    load_page();
    page_names(&srv_model_file_shape);
}

/* The text between the first pair of lines of three backquotes. */
TEST(the_example_of_the_page_is_read)
{
    static const char fence[] = "\n```\n";
    load_page();
    char *begin = strstr(page, fence);
    assert_non_null(begin);
    begin += strlen(fence);
    char *end = strstr(begin, fence);
    assert_non_null(end);
    *end = '\0';
    json_t *example = json_loads(begin, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(example);
    assert_true(schema_valid(schema, example));
    assert_int_equal(library_answers(example), SCHEMA_ACCEPTED);
    json_decref(example);
}
