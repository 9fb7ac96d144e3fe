/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are no profile, or almost one: an error with file and line, no crash, no leak. */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>
#include <sys/stat.h>
#include "profile_fixture.h"

static char path[TEST_PATH_MAX], *text;

TEST_FIXTURE(setup)
{
    sample_path(path);
    assert_int_equal(profile_begin(state), 0);
    text = profile_text(profile);
    return profile_end(state);
}

TEST_FIXTURE(teardown)
{
    free(text);
    return sample_remove(path);
}

static void store(const char *content, size_t size)
{
    test_write_file(path, content, size);
}

/* Opens what was stored; what fails says where and hands over nothing. */
static int try_open(servet_error *error)
{
    servet_profile *opened = NULL;
    *error = (servet_error)SERVET_ERROR_INIT;
    int code = servet_profile_open(&opened, path, error);
    if (code == SERVET_OK) {
        servet_profile_close(opened);
        return code;
    }
    assert_null(opened);
    assert_int_equal(error->code, code);
    assert_string_equal(error->file, path);
    assert_true(*error->text != '\0' && !strpbrk(error->text, "\n\r\t"));
    return code;
}

static int try_text(const char *content, servet_error *error)
{
    store(content, strlen(content));
    return try_open(error);
}

/* --- damage ----------------------------------------------------------------------------------- */

TEST_EACH(setup, teardown)

TEST(truncated_at_any_byte)
{
    servet_error error;
    size_t size = strlen(text);
    for (size_t length = 0; length < size - 1; length += test_step(47)) {
        store(text, length);
        assert_code(try_open(&error), SERVET_EFORMAT);
        assert_true(error.line >= 1);
    }
    store(text, size - 1); /* all but the last newline */
    assert_ok(try_open(&error));
}

TEST(any_byte_overwritten)
{
    servet_error error;
    const char garbage[] = {'\0', '\xff', '{', ']', '"'};
    size_t size = strlen(text);
    for (size_t i = 0; i < size; i += 5 * test_step(47))
        for (size_t j = 0; j < sizeof garbage; j++) {
            char kept = text[i];
            text[i] = garbage[j];
            store(text, size);
            int code = try_open(&error); /* "{" in a host name is valid; it must not crash */
            assert_true(code == SERVET_OK || code == SERVET_EFORMAT);
            text[i] = kept;
        }
}

/* --- hostile files ---------------------------------------------------------------------------- */

/* `count` times `unit` between `head` and `tail`. */
static char *repeat(const char *head, const char *unit, size_t count, const char *tail)
{
    char *made = malloc(strlen(head) + strlen(unit) * count + strlen(tail) + 1);
    assert_non_null(made);
    char *at = stpcpy(made, head);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, unit);
    strcpy(at, tail);
    return made;
}

TEST(not_even_json)
{
    static const struct {
        const char *content;
        int line;
    } cases[] = {
        {"", 1},
        {"\n\n", 3},
        {"[]", 1},
        {"null", 1},
        {"{}", 1},
        {"\n\n{}", 3},
        {"{\"schema\": 4,\n \"schema\": 4}", 2},
        {"{\"schema\":\n 1e999}", 2},
        {"{\"schema\":\n 99999999999999999999}", 2},
        {"{\"schema\":\n NaN}", 2},
        {"{\"schema\":\n \"\xff\xfe\"}", 2},
        {"\n{\n\"\\u0073chema\": true}", 3}, /* an escaped name */
        {"{\"schema\": 4, \n\"a\": \"\\u0000\"}", 2},
        {"\xef\xbb\xbf{}", 1},
        {"{\"schema\": 4, \"run\": null, \"classes\": []}\n]", 2},
        {"{\"schema\": 4, \"run\": null, \"classes\": []}\n{}", 2},
    };
    servet_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_code(try_text(cases[i].content, &error), SERVET_EFORMAT);
        assert_int_equal(error.line, cases[i].line);
    }
    /* The smallest profile there is, so that the cases above fail for their own reason. */
    assert_ok(try_text("{\"schema\": 4, \"classes\": []}", &error));
}

TEST(a_newer_schema)
{
    servet_error error;
    assert_code(try_text("{\n\"schema\": 5, \"what\": [{}]}", &error), SERVET_EVERSION);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.text, "newer"));
}

TEST(a_million_levels)
{
    servet_error error;
    const char *machine = strstr(text, "\"machine\": ");
    char head[1024];
    snprintf(head, sizeof head,
             "{\"schema\": 4, \"classes\": [{\"name\": \"a\", \"nodes\": [], %.*s,\n"
             "\"kinds\": [{\"name\": \"a\", \"cores\": \"0\",\n\"caches\": [{}",
             (int)(strchr(machine, '}') + 1 - machine), machine);
    char *levels = repeat(head, ",{}", 1000000, "]}]}]}");
    assert_code(try_text(levels, &error), SERVET_EFORMAT);
    assert_string_equal(error.text,
                        "classes[0].kinds[0].caches: 1000001 items, at most 8 are allowed");
    assert_int_equal(error.line, 17); /* the machine is 15 of them */
    free(levels);
}

TEST(deep_nesting)
{
    servet_error error;
    char *deep = repeat("{\"schema\": 4, \"a\": ", "[", 1000000, "");
    assert_code(try_text(deep, &error), SERVET_EFORMAT);
    free(deep);
}

TEST(an_enormous_file)
{
    servet_error error;
    store("{", 1);
    assert_int_equal(truncate(path, (off_t)1 << 40), 0); /* a hole: takes no disk */
    assert_code(try_open(&error), SERVET_EFORMAT);
    assert_non_null(strstr(error.text, "bytes"));
}

TEST(no_file)
{
    servet_error error;
    assert_code(try_open(&error), SERVET_ENOTFOUND);
    assert_string_equal(error.text, "cannot open: No such file or directory");
    store("{}", 2);
    servet_profile *opened = NULL;
    char below[2 * TEST_PATH_MAX];
    snprintf(below, sizeof below, "%s/profile.json", path);
    assert_code(servet_profile_open(&opened, below, NULL), SERVET_ENOTFOUND);
    assert_code(servet_profile_open(&opened, "", NULL), SERVET_ENOTFOUND);
    char *far = repeat("/", "x", 5000, "");
    assert_code(servet_profile_open(&opened, far, NULL), SERVET_ENOTFOUND);
    assert_null(opened);
    free(far);
}

TEST(unreadable_files)
{
    servet_error error;
    store(text, strlen(text));
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() != 0)
        assert_code(try_open(&error), SERVET_EIO);
    unlink(path);
    /* A folder as profile.json: opens, but cannot be read. */
    servet_profile *opened = NULL;
    assert_int_equal(mkdir(path, 0700), 0);
    error = (servet_error)SERVET_ERROR_INIT;
    assert_code(servet_profile_open(&opened, folder, &error), SERVET_EIO);
    assert_string_equal(error.file, path);
    assert_int_equal(rmdir(path), 0);
}

TEST(a_folder_stands_for_its_profile)
{
    servet_profile *opened = NULL;
    store(text, strlen(text));
    assert_ok(servet_profile_open(&opened, folder, NULL));
    assert_string_equal(servet_profile_path(opened), path);
    servet_profile_close(opened);
}

/* --- every member in turn --------------------------------------------------------------------- */

static int line_of(const char *content, const char *at)
{
    int line = 1;
    for (; content < at; content++)
        line += *content == '\n';
    return line;
}

static void opens_badly(json_t *root, const char *where, const char *what, const char *marker)
{
    char expected[256];
    servet_error error;
    char *content = json_dumps(root, JSON_INDENT(1));
    assert_non_null(content);
    if (try_text(content, &error) != SERVET_EFORMAT)
        fail_msg("%s: accepted, although %s", where, what);
    snprintf(expected, sizeof expected, "%s: %s", where, what);
    assert_memory_equal(error.text, expected, strlen(expected));
    if (marker) {
        char *at = strstr(content, marker);
        assert_non_null(at);
        assert_int_equal(error.line, line_of(content, at));
    }
    free(content);
}

static void of_the_wrong_type(json_t *root, json_t *object, const char *name, json_t *value,
                              const char *where)
{
    bool number = json_is_number(value);
    json_object_set_new(object, name, number ? json_string("wrong") : json_real(-12345.5));
    opens_badly(root, where, number ? "a string where" : "a number where",
                number ? "\"wrong\"" : "-12345.5");
    json_object_set(object, name, value);
}

static void without_it(json_t *root, json_t *object, const char *name, json_t *value,
                       const char *where)
{
    servet_error error;
    json_object_del(object, name);
    if (profile_may_lack(where)) {
        char *content = json_dumps(root, 0);
        if (try_text(content, &error) != SERVET_OK)
            fail_msg("without %s: %s", where, error.text);
        free(content);
    } else {
        opens_badly(root, where, "missing", NULL);
    }
    json_object_set(object, name, value);
}

/* Breaks each member below `value`; returns how many there were. */
static int break_members(json_t *root, json_t *value, const char *where)
{
    int count = 0;
    const char *name;
    char inner[256];
    size_t i;
    json_t *item;
    /* Types of the members of values are of one description: a few values suffice for each commit.
     */
    static size_t values;
    if (json_object_get(value, "unit") && values++ % test_step(17) > 0)
        return 0;
    json_array_foreach (value, i, item) {
        snprintf(inner, sizeof inner, "%s[%zu]", where, i);
        count += break_members(root, item, inner);
    }
    json_t *names = json_object(); /* a copy to walk: the original changes under us */
    json_object_update(names, value);
    json_object_foreach (names, name, item) {
        snprintf(inner, sizeof inner, "%s%s%s", where, *where ? "." : "", name);
        json_incref(item);
        of_the_wrong_type(root, value, name, item, inner);
        without_it(root, value, name, item, inner);
        json_decref(item);
        count += 1 + break_members(root, item, inner);
    }
    json_decref(names);
    return count;
}

TEST(each_member_wrong_and_missing)
{
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_true(break_members(root, root, "") > 600);
    json_decref(root);
}

TEST(members_with_unknown_names_are_ignored)
{
    servet_error error;
    json_t *root = json_loads(text, 0, NULL);
    json_t *machine =
        json_object_get(json_array_get(json_object_get(root, "classes"), 0), "machine");
    json_object_set_new(root, "later", json_pack("{s:[i,n]}", "x", 1));
    json_object_set_new(machine, "water_cooled", json_true());
    char *content = json_dumps(root, 0);
    assert_ok(try_text(content, &error));
    free(content);
    json_decref(root);
}

/* --- well typed, and wrong -------------------------------------------------------------------- */

TEST(wrong_meaning)
{
    static const struct {
        const char *from, *to, *where, *what;
    } edits[] = {
        {"\"schema\": 4", "\"schema\": 0", "schema", "not within 4 to 4"},
        {"\"schema\": 4", "\"schema\": 4.0", "schema", "a number where an integer belongs"},
        {"\"level\": 1,", "\"level\": 2,", "classes[0].kinds[0].caches[0].level", "level 2 where"},
        {"\"level\": 3,", "\"level\": 1,", "classes[0].kinds[0].caches[2].level", "level 1 where"},
        {"\"level\": 3,", "\"level\": 0,", "classes[0].kinds[0].caches[2].level", "not positive"},
        {"\"kind\": \"turnover\"", "\"kind\": \"turn\"", "classes[0].kinds[0].caches[2].kind",
         "unknown word 'turn'"},
        {"\"not visible\"", "\"not_visible\"", "classes[0].kinds[0].caches[1].verdict",
         "unknown word"},
        {"\"method\": \"timed\"", "\"method\": \"guess\"", "run.duration_s.method", "unknown word"},
        {"\"method\": \"timed\"", "\"method\": \"none\"", "run.duration_s.method", "unknown word"},
        {"\"unit\": \"s\"", "\"unit\": \"cycles\"", "run.duration_s", "'s' belongs"},
        {"\"unit\": \"s\"", "\"unit\": \"ns\"", "run.duration_s", "'s' belongs"},
        {"\"unit\": \"s\"", "\"unit\": \"weeks\"", "run.duration_s.unit", "unknown word"},
        {"\"value\": 21.7", "\"value\": 27.5", "run.duration_s", "interval"},
        {"\"value\": 21.7", "\"value\": 16", "run.duration_s", "interval"},
        {"\"low\": 16.275", "\"low\": -16.275", "run.duration_s", "negative"},
        {"\"value\": 21.7", "\"value\": 2.17e400", "", "overflow"},
        {"\"samples\": 13", "\"samples\": -1", "run.duration_s.samples", "negative"},
        {"\"samples\": 13", "\"samples\": 1.5", "run.duration_s.samples", "integer"},
        {"\"samples\": 13", "\"samples\": 3000000000", "run.duration_s.samples", "too large"},
        {"\"low\": 0.0225", "\"low\": -0.0225", "run.noise", "negative"},
        {"\"high\": 0.0375", "\"high\": 1.25", "run.noise", "1.25, not within 0 to 1"},
        {"\"low\": 36864", "\"low\": 0", "classes[0].kinds[0].caches[0].bytes", "not positive"},
        {"\"confidence\": 0.8,", "\"confidence\": 1.5,", "classes[0].kinds[0].caches[2].confidence",
         "1.5, not within 0 to 1"},
        {"[\"0,2\", \"1\", \"3\"]", "[\"0,2\", \"1\", \"2-3\"]",
         "classes[0].kinds[0].caches[0].groups", "a core is in two groups"},
        {"[\"0,2\", \"1\", \"3\"]", "[\"0,2\", \"2-1\"]", "classes[0].kinds[0].caches[0].groups[1]",
         "set of cores"},
        {"[\"0,2\", \"1\", \"3\"]", "[]", "classes[0].kinds[0].caches[0].groups", "no set"},
        {"[\"0,2\", \"1\", \"3\"]", "[\"0,2\", 1]", "classes[0].kinds[0].caches[0].groups[1]",
         "an integer where a string belongs"},
        {"\"cores\": \"0-3\"", "\"cores\": \"3-0\"", "classes[0].kinds[0].cores", "set of cores"},
        {"\"cores\": \"0-3\"", "\"cores\": \"\"", "classes[0].kinds[0].cores", "set of cores"},
        {"\"cores\": \"8-11\"", "\"cores\": \"3,8-11\"", "classes[0].kinds[1]", "share cores"},
        {"\"cores\": \"0-3,8-11\"", "\"cores\": \"all\"", "classes[0].machine.cores",
         "set of cores"},
        {"\"0,8,1-3,9-11\"", "\"0,8,3-1\"", "classes[0].machine.logical_order",
         "'3-1' is no range of cores"},
        {"\"pu_count\": 8", "\"pu_count\": -8", "classes[0].machine.pu_count", "negative"},
        {"\"pu_count\": 8", "\"pu_count\": 2147483647", "classes[0].machine.pu_count",
         "2147483647, not within 1 to 16384"},
        {"\"cores\": \"0-3,8-11\"", "\"cores\": \"0-99999\"", "classes[0].machine.cores",
         "100000 cores, at most 16384"},
        {"\"memory_bytes\": 68719476736", "\"memory_bytes\": 1e308",
         "classes[0].machine.memory_bytes", "1e+308 bytes, not within 1 to"},
        {"\"memory_bytes\": 68719476736", "\"memory_bytes\": 4096.5",
         "classes[0].machine.memory_bytes", "4096.5 is no whole number of bytes"},
        {"\"high\": 61440", "\"high\": 1e308", "classes[0].kinds[0].caches[0].bytes",
         "1e+308, not within 1 to"},
        {"\"memory_bytes\": 68719476736", "\"memory_bytes\": -1", "classes[0].machine.memory_bytes",
         "negative"},
        {"\"cpu\": \"Ex", "\"cpu\": \"\\u001b[2J", "classes[0].machine.cpu", "control character"},
        {"\"cpu\": \"Ex",
         "\"cpu\": \"\xc2\x9b"
         "2J",
         "classes[0].machine.cpu", "control character"},
        {"\"cpu\": \"Ex", "\"cpu\": \"\\u202e", "classes[0].machine.cpu", "control character"},
        {"\"cpu\": \"Ex", "\"cpu\": \"\\u2067", "classes[0].machine.cpu", "control character"},
        {"\"confidence\": 0.875,", "\"confidence\": 8.75,",
         "classes[0].kinds[0].caches[0].sharing.confidence", "8.75, not within 0 to 1"},
        {"\"requests\": 2", "\"requests\": 5", "classes[0].kinds[0].caches[0].concurrency.requests",
         "5 loads, not within 2 to 3"},
        {"\"requests\": 5", "\"requests\": 0", "classes[0].kinds[0].memory.concurrency.requests",
         "not positive"},
        {"\"threads\": null", "\"threads\": []", "classes[0].kinds[0].memory.concurrency.threads",
         "no value at all"},
        {"\"threads\": null", "\"threads\": [null, 7]",
         "classes[0].kinds[0].memory.concurrency.threads[1]", "an integer where an object"},
        {"\"threads\": null", "\"threads\": [[1, 1, 1]]",
         "classes[0].kinds[0].memory.concurrency.threads[0]", "3 items where [value"},
        {"\"threads\": null", "\"threads\": [[1, 1, 1, 1, 1]]",
         "classes[0].kinds[0].memory.concurrency.threads[0]", "5 items where [value"},
        {"\"threads\": null", "\"threads\": [[5, 1, 2, 1]]",
         "classes[0].kinds[0].memory.concurrency.threads[0]", "interval"},
        {"\"threads\": null", "\"threads\": [[1, -1, 2, 1]]",
         "classes[0].kinds[0].memory.concurrency.threads[0]", "negative"},
        {"\"threads\": null", "\"threads\": [[1, \"1\", 2, 1]]",
         "classes[0].kinds[0].memory.concurrency.threads[0][1]", "a string where a number"},
        {"\"threads\": null", "\"threads\": [[1, 1, 2, 1.5]]",
         "classes[0].kinds[0].memory.concurrency.threads[0][3]", "where an integer belongs"},
        {"\"coherence_level\": 2", "\"coherence_level\": 0", "classes[0].coherence.coherence_level",
         "not positive"},
        {"[\"0-1\", \"2-3\"]", "[\"0-1\", \"1-3\"]", "classes[0].distance.layers[0].groups",
         "a core is in two groups"},
        {"[\"0-1,8\", \"2-3\"]", "[\"8,0-1\", \"2-3\"]", "classes[0].memory.levels[0].groups[0]",
         "set of cores"},
        {"\"saturation\": 3", "\"saturation\": 5", "classes[0].memory.levels[0].saturation",
         "5 cores, but at most 4 were measured"},
        {"\"saturation\": 3", "\"saturation\": 0", "classes[0].memory.levels[0].saturation",
         "not positive"},
        {"\"saturation\": 6", "\"saturation\": 9", "classes[0].memory.saturation",
         "9 cores, but at most 8 were measured"},
        {"\"number\": 4", "\"number\": 1", "classes[0].numa[2]",
         "does not ascend from the one before"},
        {"\"cores\": \"8-11\",\n          \"bandwidth\"",
         "\"cores\": \"3\",\n          \"bandwidth\"", "classes[0].numa",
         "a core is in two NUMA nodes"},
        {"\"latency_ns\": null}", "\"latency_ns\": [null]}", "classes[0].numa[2].latency_ns",
         "1 values for 3 NUMA nodes"},
        {"[\"0:0-1\", \"0:2-3\", \"1:0-3\"]", "[\"0:0-1\", \"0:1-2\", \"1:0-3\"]",
         "network.layers[0].groups[1]", "core 1 of node 0 is in two groups"},
        {"[\"0-1:0-3\"]", "[\"0-2:0-3\"]", "network.layers[1].groups[0]", "there is no node 2"},
        {"[\"0-1:0-3\"]", "[\"0-1:0-9999\"]", "network.layers[1].groups[0]", "more cores than"},
        {"{\"at\": 5,", "{\"at\": 1,", "network.distance.ratios[1]", "does not ascend"},
        {"\"bytes\": 512,", "\"bytes\": 2e6,", "network.other_access[0]", "does not count less"},
        {"\"nodes\": [\"node02\"]", "\"nodes\": [\"a\", \"\\n\"]", "classes[1].nodes[1]",
         "control character"},
        {"\"nodes\": [\"node02\"]", "\"nodes\": [\"a\", 5]", "classes[1].nodes[1]",
         "an integer where a string belongs"},
        {"\"name\": \"fat\"", "\"name\": \"\"", "classes[0].name", "missing or empty"},
        {"\"name\": \"big\"", "\"name\": \"\"", "classes[0].kinds[0].name", "missing or empty"},
        {"\"clock\": \"tsc\"",
         "\"clock\": \"0123456789012345678901234567890123456789012345678901234567890123\"",
         "run.clock", "64 characters, at most 63 fit"},
    };
    servet_error error;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *at = strstr(text, edits[i].from), edited[1 << 16];
        assert_non_null(at);
        snprintf(edited, sizeof edited, "%.*s%s%s", (int)(at - text), text, edits[i].to,
                 at + strlen(edits[i].from));
        assert_code(try_text(edited, &error), SERVET_EFORMAT);
        assert_memory_equal(error.text, edits[i].where, strlen(edits[i].where));
        if (*edits[i].where)
            assert_int_equal(error.text[strlen(edits[i].where)], ':');
        if (!strstr(error.text, edits[i].what))
            fail_msg("'%s' is not in: %s", edits[i].what, error.text);
        /* Core kinds and classes begin on the line before the name or cores that were edited. */
        int off = line_of(text, at) - error.line;
        bool of_list = strcmp(edits[i].where, "classes[0].numa") == 0 &&
                       error.line == line_of(text, strstr(text, "\"numa\": ["));
        assert_true(off == 0 || of_list || (off <= 2 && strstr(edits[i].where, "]") && off > 0));
    }
}

TEST(two_classes_of_one_name)
{
    servet_error error;
    char *at = strstr(text, "\"thin\"");
    memcpy(at, "\"fat\" ", 6);
    assert_code(try_text(text, &error), SERVET_EFORMAT);
    assert_string_equal(error.text, "classes: two node classes are called 'fat'");
}
