/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No fact of a profile is beyond the reach of `servet get` and `servet diff`: whatever changes in a
 * file, a key answers otherwise, and whatever value changes much, the difference tells.
 */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>

#include "servet/diff.h"

enum { KEYS_MAX = 8192, KEY_MAX = 96, ANSWER_MAX = 8192, NUMBERS = 9 };

/* A query that the sample answers. */
typedef struct query {
    servet_at at;
    char key[KEY_MAX];
    char *answer;
} query;

static query queries[KEYS_MAX];
static int query_count, leaves;
static servet_profile *profile;
static json_t *sample;
static char path[TEST_PATH_MAX];

/* --- all queries that have an answer -------------------------------------------------------- */

static void add_query(const servet_at *at, const char *key)
{
    static char text[ANSWER_MAX];
    if (servet_profile_get(profile, at, key, text, sizeof text, NULL) != SERVET_OK)
        return;
    assert_true(query_count < KEYS_MAX);
    queries[query_count] = (query){*at, "", strdup(text)};
    snprintf(queries[query_count++].key, KEY_MAX, "%s", key);
}

static void add_aspects(const servet_at *at, const char *key)
{
    static const char *const aspects[] = {"", ".low", ".high", ".samples", ".method", ".trusted"};
    char text[KEY_MAX];
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++) {
        snprintf(text, sizeof text, "%s%s", key, aspects[i]);
        add_query(at, text);
    }
}

/* The pattern with every number in place of its first N or M, and so on. */
static void add_pattern(const servet_at *at, const char *pattern)
{
    size_t before = strcspn(pattern, "NM");
    if (!pattern[before]) {
        add_aspects(at, pattern);
        return;
    }
    for (int i = 1; i <= NUMBERS; i++) {
        char key[KEY_MAX];
        snprintf(key, sizeof key, "%.*s%d%s", (int)before, pattern, i, pattern + before + 1);
        add_pattern(at, key);
    }
}

static void add_all(void)
{
    static const servet_at places[] = {{"fat", 0}, {"fat", 8}, {"thin", SERVET_ANY_CORE}};
    char pattern[SERVET_NAME_MAX];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int j = 0; servet_profile_key(j, pattern, sizeof pattern, NULL) == SERVET_OK; j++)
            add_pattern(&places[i], pattern);
}

/* Facts that follow each other in a file have keys that do: the search begins at the last one that
 * told. */
static bool answers_otherwise(const servet_profile *other)
{
    static char text[ANSWER_MAX];
    static int last;
    for (int i = 0; i < query_count; i++) {
        int k = (last + i) % query_count;
        const query *of = &queries[k];
        if (servet_profile_get(other, &of->at, of->key, text, sizeof text, NULL) != SERVET_OK ||
            strcmp(text, of->answer) != 0) {
            last = k;
            return true;
        }
    }
    return false;
}

/* --- other profiles --------------------------------------------------------------------------- */

static servet_profile *open_sample(void)
{
    servet_profile *opened = NULL;
    unlink(path);
    assert_int_equal(json_dump_file(sample, path, 0), 0);
    return servet_profile_open(&opened, path, NULL) == SERVET_OK ? opened : NULL;
}

/* Other valid values of a member. */
static json_t *candidate(const json_t *leaf, int number)
{
    enum { WORDS = 17 };
    static const char *const words[WORDS] = {
        "agrees", "differs",   "os",        "timed",    "turnover", "2:3",
        "60",     "0:50-51",   "capacity",  "loses",    "even",     "broadcast",
        "reduce", "allreduce", "allgather", "alltoall", "to-device"};
    static const double steps[] = {1, -1, 0.5, -0.5, 0.25, -0.25, 1e-9, -1e-9, 1e6};
    double step = number < 9 ? steps[number] : 0;
    if (json_is_boolean(leaf))
        return number == 0 ? json_boolean(!json_is_true(leaf)) : NULL;
    if (json_is_integer(leaf) && step == (double)(json_int_t)step)
        return number < 9 ? json_integer(json_integer_value(leaf) + (json_int_t)step) : NULL;
    if (json_is_number(leaf))
        return number < 9 ? json_real(json_number_value(leaf) + step) : NULL;
    return number < WORDS ? json_string(words[number]) : NULL;
}

/* Members with one valid word or number in a file. Ascending numbers have no room between each
 * other, nor have collective operations and peak rates in their order, and a value without an
 * interval cannot change by itself. */
static bool is_fixed(const json_t *parent, const char *member)
{
    return strcmp(member, "unit") == 0 || strcmp(member, "level") == 0 ||
           strcmp(member, "schema") == 0 || strcmp(member, "number") == 0 ||
           strcmp(member, "at") == 0 || json_object_get(parent, "op") ||
           json_object_get(parent, "precision") ||
           (strcmp(member, "messages") == 0 && json_object_get(parent, "payoff")) ||
           json_equal(json_object_get(parent, "low"), json_object_get(parent, "high"));
}

typedef struct slot {
    json_t *parent;
    const char *member; /* of an array: what it is called */
    size_t index;
} slot;

static void put(const slot *at, json_t *value)
{
    if (json_is_object(at->parent))
        json_object_set(at->parent, at->member, value);
    else
        json_array_set(at->parent, at->index, value);
}

/* The answers of the sample with a changed leaf: nothing (no profile), the same, or other answers.
 */
typedef enum outcome { REFUSED, THE_SAME, OTHERWISE } outcome;

static outcome outcome_of(const slot *at, json_t *changed)
{
    put(at, changed);
    servet_profile *other = open_sample();
    outcome found = !other ? REFUSED : answers_otherwise(other) ? OTHERWISE : THE_SAME;
    servet_profile_close(other);
    return found;
}

/* Changes the leaf in one way after the other until a profile answers otherwise. */
static void try_leaf(const slot *at, json_t *leaf)
{
    outcome best = REFUSED;
    json_t *changed;
    json_incref(leaf);
    for (int i = 0; best != OTHERWISE && (changed = candidate(leaf, i)); i++) {
        outcome found = json_equal(changed, leaf) ? REFUSED : outcome_of(at, changed);
        best = found > best ? found : best;
        json_decref(changed);
    }
    put(at, leaf);
    json_decref(leaf);
    if (best == THE_SAME || (best == REFUSED && !is_fixed(at->parent, at->member)))
        fail_msg("no key tells of %s in %s", at->member, json_dumps(at->parent, JSON_COMPACT));
    leaves += best == OTHERWISE;
}

static void walk(const slot *at, json_t *json)
{
    const char *member;
    json_t *child;
    size_t i;
    if (json_is_object(json))
        json_object_foreach (json, member, child) {
            const slot below = {json, member, 0};
            walk(&below, child);
        }
    else if (json_is_array(json))
        json_array_foreach (json, i, child) {
            const slot below = {json, at->member, i};
            walk(&below, child);
        }
    else if (!json_is_null(json))
        try_leaf(at, json);
}

static void every_fact_has_a_key(void **state)
{
    (void)state;
    const slot whole = {sample, "profile", 0};
    walk(&whole, sample);
    assert_true(leaves > 300);
}

/* --- differences ------------------------------------------------------------------------------ */

static void scale(json_t *value, double factor)
{
    static const char *const parts[] = {"value", "low", "high"};
    for (int i = 0; i < 3; i++) {
        double number = json_number_value(json_object_get(value, parts[i]));
        json_object_set_new(value, parts[i], json_real(number * factor));
    }
}

static int differences(const servet_profile *other)
{
    servet_diff *diff;
    assert_int_equal(servet_diff_create(&diff, profile, other, NULL, 0, NULL), SERVET_OK);
    int count = servet_diff_count(diff) - servet_diff_count_of(diff, SERVET_COMPARISON_SAME);
    servet_diff_destroy(diff);
    return count;
}

/* The difference does not report these members, because others report the same. The sizes below
 * which one message pays report the batches, and the latencies at shares of the best bandwidth the
 * points of their curve. */
static bool is_reported_otherwise(const json_t *parent, const char *member)
{
    return json_object_get(parent, "payoff") ||
           (json_object_get(parent, "latency_ns") && json_object_size(parent) == 2) ||
           (strcmp(member, "time") == 0 && json_object_get(parent, "messages"));
}

static int values;

static void try_value(json_t *parent, const char *member, json_t *value)
{
    json_t *before = json_deep_copy(value);
    scale(value, 0.125);
    servet_profile *other = open_sample();
    if (other && !is_reported_otherwise(parent, member) && differences(other) == 0)
        fail_msg("no difference by %s", member);
    values += other != NULL;
    servet_profile_close(other);
    json_object_update(value, before);
    json_decref(before);
}

static void walk_values(json_t *parent, const char *called, json_t *json)
{
    const char *member;
    json_t *child;
    size_t i;
    if (json_object_get(json, "unit"))
        try_value(parent, called, json);
    else if (json_is_object(json))
        json_object_foreach (json, member, child)
            walk_values(json, member, child);
    else if (json_is_array(json))
        json_array_foreach (json, i, child)
            walk_values(json, called, child);
}

static void every_value_is_compared(void **state)
{
    (void)state;
    servet_profile *other = open_sample();
    assert_non_null(other);
    assert_int_equal(differences(other), 0);
    servet_profile_close(other);
    walk_values(sample, "classes", json_object_get(sample, "classes"));
    walk_values(sample, "network", json_object_get(sample, "network"));
    assert_true(values > 60);
}

/* Every list that one profile lacks is reported. */
static void every_list_is_missed(void **state)
{
    (void)state;
    json_t *class = json_array_get(json_object_get(sample, "classes"), 0);
    json_t *kind = json_array_get(json_object_get(class, "kinds"), 0);
    json_t *network = json_object_get(sample, "network");
    json_t *const owners[] = {
        class,
        kind,
        json_array_get(json_object_get(kind, "caches"), 0),
        json_array_get(json_object_get(json_object_get(class, "distance"), "layers"), 0),
        json_array_get(json_object_get(json_object_get(class, "memory"), "levels"), 0),
        json_array_get(json_object_get(class, "numa"), 0),
        network,
        json_array_get(json_object_get(network, "layers"), 0),
        sample};
    int count = 0;
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        const char *member;
        json_t *child;
        json_t *copy = json_copy(owners[i]);
        json_object_foreach (copy, member, child) {
            if (strcmp(member, "run") == 0 ||
                strcmp(member, "sharing") == 0) /* only how sure the groups are */
                continue;
            json_object_set_new(owners[i], member, json_null());
            servet_profile *other = open_sample();
            if (other && !json_is_null(child) && differences(other) == 0)
                fail_msg("%s is not missed", member);
            count += other != NULL && !json_is_null(child);
            servet_profile_close(other);
            json_object_set(owners[i], member, child);
        }
        json_decref(copy);
    }
    assert_true(count > 25);
}

/* --- the sample ------------------------------------------------------------------------------- */

static int setup(void **state)
{
    char *text = NULL;
    size_t size;
    (void)state;
    sample_path(path);
    if (sample_profile(&profile, NULL) != SERVET_OK)
        return -1;
    FILE *stream = open_memstream(&text, &size);
    int code = servet_profile_dump(profile, stream, NULL);
    fclose(stream);
    sample = json_loads(text, 0, NULL);
    free(text);
    servet_profile_close(profile);
    profile = open_sample(); /* as it is read, with what is only known then */
    add_all();
    return code || !profile;
}

static int teardown(void **state)
{
    (void)state;
    while (query_count > 0)
        free(queries[--query_count].answer);
    servet_profile_close(profile);
    json_decref(sample);
    return sample_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_has_a_key),
        cmocka_unit_test(every_value_is_compared),
        cmocka_unit_test(every_list_is_missed),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
