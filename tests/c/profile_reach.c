/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No fact of a profile is beyond the reach of `servet get` and `servet diff`: whatever changes in a
 * file, a key answers otherwise, and whatever value changes much, the difference tells.
 */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>

#include "servet/diff.h"
#include "profile_fixture.h"

enum { KEYS_MAX = 8192, KEY_MAX = 96, ANSWER_MAX = 8192, NUMBERS = 9 };

/* A query that the sample answers. */
typedef struct query {
    servet_at at;
    char key[KEY_MAX];
    char *answer;
} query;

static query queries[KEYS_MAX];
static int query_count, leaves;
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

/* Other values that a member may have: the words of its row, other sets. */
static json_t *candidate(const json_t *leaf, const srv_words *words, int number)
{
    static const char *const sets[] = {"2:3", "60", "0:50-51"};
    static const srv_words any_text = {3, sets};
    static const double steps[] = {1, -1, 0.5, -0.5, 0.25, -0.25, 1e-9, -1e-9, 1e6};
    words = words ? words : &any_text;
    double step = number < 9 ? steps[number] : 0;
    if (json_is_boolean(leaf))
        return number == 0 ? json_boolean(!json_is_true(leaf)) : NULL;
    if (json_is_integer(leaf) && step == (double)(json_int_t)step)
        return number < 9 ? json_integer(json_integer_value(leaf) + (json_int_t)step) : NULL;
    if (json_is_number(leaf))
        return number < 9 ? json_real(json_number_value(leaf) + step) : NULL;
    return number < words->count ? json_string(words->text[number]) : NULL;
}

/* A member may have one valid value in a file: its row allows one number, a value has the unit of
 * its row, or no interval, or an order or a check of structs ties it to other members. */
static bool is_fixed(const char *where, const json_t *parent)
{
    const profile_member at = profile_member_at(where);
    if (at.holder == &srv_value_shape)
        return strcmp(at.row->name, "unit") == 0 ||
               json_equal(json_object_get(parent, "low"), json_object_get(parent, "high"));
    return (at.row->range == SRV_WITHIN && at.row->least == at.row->most) || at.holder->order[0] ||
           at.holder->check || (at.row->type == SRV_INTEGER && at.above->check);
}

/* A member or item of the sample, and its path. */
typedef struct slot {
    json_t *parent;
    const char *member; /* NULL: an item */
    size_t index;
    char path[KEY_MAX];
} slot;

static void put(const slot *at, json_t *value)
{
    if (at->member)
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
    const profile_member member = profile_member_at(at->path);
    outcome best = REFUSED;
    json_t *changed;
    json_incref(leaf);
    for (int i = 0; best != OTHERWISE && (changed = candidate(leaf, member.row->words, i)); i++) {
        outcome found = json_equal(changed, leaf) ? REFUSED : outcome_of(at, changed);
        best = found > best ? found : best;
        json_decref(changed);
    }
    put(at, leaf);
    json_decref(leaf);
    if (best == THE_SAME || (best == REFUSED && !is_fixed(at->path, at->parent)))
        fail_msg("no key tells of %s", at->path);
    leaves += best == OTHERWISE;
}

static void extend(slot *below, const slot *at, const char *between, const char *name)
{
    int length = snprintf(below->path, KEY_MAX, "%s%s%s", at->path, between, name);
    assert_in_range(length, 1, KEY_MAX - 1);
}

/* Calls `visit` with each member and item, outer ones first, unless it returns true: it then did
 * all that is to be done below. */
static void walk(const slot *at, json_t *json, bool (*visit)(const slot *at, json_t *json))
{
    slot below = {.parent = json};
    char number[32];
    json_t *child, *copy = json_copy(json); /* to walk: the original changes */
    if (*at->path && visit(at, json)) {
        json_decref(copy);
        return;
    }
    json_object_foreach (copy, below.member, child) {
        extend(&below, at, *at->path ? "." : "", below.member);
        walk(&below, child, visit);
    }
    below.member = NULL;
    json_array_foreach (copy, below.index, child) {
        snprintf(number, sizeof number, "%zu]", below.index);
        extend(&below, at, "[", number);
        walk(&below, child, visit);
    }
    json_decref(copy);
}

static bool visit_leaf(const slot *at, json_t *json)
{
    /* Members of values have keys by one description: a few suffice, beside the estimates. */
    static size_t others;
    bool leaf = !json_is_object(json) && !json_is_array(json);
    bool other = json_object_get(at->parent, "unit") && strcmp(at->member, "value") != 0;
    if (leaf && !json_is_null(json) && (!other || others++ % test_step(19) == 0))
        try_leaf(at, json);
    return leaf;
}

static const slot whole = {.path = ""};

TEST(every_fact_has_a_key)
{
    walk(&whole, sample, visit_leaf);
    assert_true(leaves > 200);
}

/* --- differences ------------------------------------------------------------------------------ */

/* Is true for rows that a difference reports, and for structs with such a row. */
static bool is_compared(const srv_field *row)
{
    bool compared = (row->label.summary && row->label.weight != SRV_NOTE) ||
                    (row->items.summary && row->items.weight != SRV_NOTE);
    for (const srv_field *inner = row->shape ? row->shape->fields : NULL; inner && inner->name;)
        compared = is_compared(inner++) || compared;
    return compared;
}

static int differences(const servet_profile *other)
{
    servet_diff *diff;
    assert_ok(servet_diff_create(&diff, profile, other, NULL, 0, NULL));
    int count = servet_diff_count(diff) - servet_diff_count_of(diff, SERVET_COMPARISON_SAME);
    servet_diff_destroy(diff);
    return count;
}

/* Puts another value in the place of a member: if the file is valid, a difference tells of it. */
static int expect_difference(const slot *at, json_t *json, json_t *changed)
{
    json_incref(json);
    put(at, changed);
    servet_profile *other = open_sample();
    if (other && differences(other) == 0)
        fail_msg("no difference by %s", at->path);
    servet_profile_close(other);
    put(at, json);
    json_decref(json);
    json_decref(changed);
    return other != NULL;
}

static int values, lists;

static bool visit_value(const slot *at, json_t *json)
{
    static const char *const parts[] = {"value", "low", "high"};
    if (!json_object_get(json, "unit"))
        return false;
    json_t *changed = json_deep_copy(json);
    for (int i = 0; i < 3; i++)
        json_object_set_new(changed, parts[i],
                            json_real(0.125 * json_number_value(json_object_get(json, parts[i]))));
    if (is_compared(profile_member_at(at->path).row))
        values += expect_difference(at, json, changed);
    else
        json_decref(changed);
    return true;
}

TEST(every_value_is_compared)
{
    servet_profile *other = open_sample();
    assert_non_null(other);
    assert_int_equal(differences(other), 0);
    servet_profile_close(other);
    walk(&whole, sample, visit_value);
    assert_true(values > 60);
}

static bool visit_list(const slot *at, json_t *json)
{
    const srv_field *row = profile_member_at(at->path).row;
    bool list = at->member && !json_is_null(json) && row && row->type != SRV_VALUE &&
                srv_nullable(row->type) && is_compared(row);
    if (list)
        lists += expect_difference(at, json, json_null());
    return json_object_get(json, "unit") != NULL;
}

/* Every list that one profile lacks is reported. */
TEST(every_list_is_missed)
{
    walk(&whole, sample, visit_list);
    assert_true(lists > 25);
}

/* --- the sample ------------------------------------------------------------------------------- */

TEST_FIXTURE(setup)
{
    sample_path(path);
    assert_int_equal(profile_begin(state), 0);
    char *text = profile_text(profile);
    sample = json_loads(text, 0, NULL);
    free(text);
    profile_end(state);
    profile = open_sample(); /* as it is read, with what is only known then */
    add_all();
    return !profile;
}

TEST_FIXTURE(teardown)
{
    while (query_count > 0)
        free(queries[--query_count].answer);
    servet_profile_close(profile);
    json_decref(sample);
    return sample_remove(path);
}

TEST_GROUP(setup, teardown)
