/* SPDX-License-Identifier: BSD-3-Clause */
/* Every number and every list of a profile or model has a limit, so that loops over them end. */
#include "test.h"

#include "sim/format.h"
#include "profile/shape/shape.h"

static void walk(const srv_shape *shape, const char *path);

/* Ends of values have the range of the row that holds the value. */
static bool has_range(const srv_field *field)
{
    bool of_value = field == srv_value_shape.fields || field == srv_value_shape.fields + 1 ||
                    field == srv_value_shape.fields + 2;
    return of_value || field->range != SRV_ANY;
}

static bool is_bounded(const srv_field *field)
{
    switch (field->type) {
    case SRV_INTEGER:
    case SRV_NUMBER:
    case SRV_VALUE:
    case SRV_VALUES:
        return has_range(field);
    case SRV_LIST:
    case SRV_FACTS:
        return field->max > 0;
    default:
        return true;
    }
}

static bool is_list(srv_type type)
{
    return type == SRV_STRINGS || type == SRV_SETS || type == SRV_PLACES || type == SRV_VALUES ||
           type == SRV_LIST || type == SRV_FACTS;
}

/* Reader and writer refuse one item more than the row allows, whatever the items are. */
static void refuses_more(const srv_shape *shape, const srv_field *field, const char *path)
{
    const srv_field row[] = {*field, SRV_END};
    const srv_shape one = {.fields = row, .size = shape->size};
    const int count = srv_items_max(field) + 1;
    char expected[80];
    servet_error read = SERVET_ERROR_INIT, write = SERVET_ERROR_INIT;
    srv_json_path reading = srv_json_path_in("p.json", "", &read);
    srv_json_path writing = srv_json_path_in("p.json", "", &write);
    void *item = calloc(1, shape->size);
    json_t *items = json_array();
    assert_non_null(item);
    for (int i = 0; i < count; i++)
        json_array_append_new(items, json_null());
    const char *dot = strchr(field->name, '.');
    json_t *object = json_pack("{s:o}", dot ? dot + 1 : field->name, items);
    if (dot)
        object = json_pack("{s%:o}", field->name, dot - field->name, object);
    snprintf(expected, sizeof expected, ": %d items, at most %d are allowed", count, count - 1);
    assert_code(srv_decode(&one, object, item, &reading), SERVET_EFORMAT);
    *(srv_list *)(void *)((char *)item + field->offset) = (srv_list){.count = count, .known = true};
    assert_code(srv_check(&one, item, &writing), SERVET_EFORMAT);
    if (!strstr(read.text, expected) || !strstr(write.text, expected))
        fail_msg("%s: %s; %s", path, read.text, write.text);
    json_decref(object);
    free(item);
}

static void check_field(const srv_shape *shape, const srv_field *field, const char *above)
{
    char path[256];
    snprintf(path, sizeof path, "%s.%s", above, field->name);
    if (!is_bounded(field))
        fail_msg("%s has no bound: give its row a range, or a most number of items", path);
    if (is_list(field->type))
        refuses_more(shape, field, path);
    if (field->shape && field->shape != &srv_value_shape)
        walk(field->shape, path);
}

static void walk(const srv_shape *shape, const char *path)
{
    for (const srv_field *field = shape->fields; field->name; field++)
        check_field(shape, field, path);
}

TEST(each_row_has_a_bound)
{
    walk(&srv_profile_shape, "profile");
    walk(&srv_value_shape, "value");
    walk(&srv_model_file_shape, "model");
}
