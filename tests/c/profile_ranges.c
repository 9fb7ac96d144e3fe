/* SPDX-License-Identifier: BSD-3-Clause */
/* No number of a profile or model is unbounded and no list endless: what loops go over ends. */
#include "test.h"

#include <string.h>

#include "machine/model/format.h"
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

static void check_field(const srv_field *field, const char *above)
{
    char path[256];
    snprintf(path, sizeof path, "%s.%s", above, field->name);
    if (!is_bounded(field))
        fail_msg("%s has no bound: give its row a range, or a most number of items", path);
    if (field->shape && field->shape != &srv_value_shape)
        walk(field->shape, path);
}

static void walk(const srv_shape *shape, const char *path)
{
    for (const srv_field *field = shape->fields; field->name; field++)
        check_field(field, path);
}

static void each_row_has_a_bound(void **state)
{
    (void)state;
    walk(&srv_profile_shape, "profile");
    walk(&srv_value_shape, "value");
    walk(&srv_model_file_shape, "model");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
