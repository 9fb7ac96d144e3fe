/* SPDX-License-Identifier: BSD-3-Clause */
/* Resources that PUs share, as the operating system of a modelled node reports them. */
#include "test.h"

#include <string.h>

#include "sim/simulated.h"
#include "sample_model.h"

static bool has(const srv_sets *sets, const char *set)
{
    int found = 0;
    for (int i = 0; i < sets->count; i++)
        found += strcmp(sets->set[i], set) == 0;
    assert_true(found <= 1); /* each once */
    return found;
}

static srv_sets objects_of(srv_machine *machine)
{
    srv_sets sets;
    assert_int_equal(machine->ops->objects(machine, &sets, NULL), SERVET_OK);
    return sets;
}

/* Requirements, section 9: L2 per pair (0 with 12), L3 per six. */
static void objects_of_dunnington_are_reported(void **state)
{
    (void)state;
    srv_machine *machine;
    srv_reported reported;
    assert_int_equal(srv_simulated_create(&machine, "dunnington", NULL), SERVET_OK);
    srv_sets sets = objects_of(machine);
    assert_true(has(&sets, "0,12") && has(&sets, "5,17") && has(&sets, "11,23"));
    assert_true(has(&sets, "0-2,12-14") && has(&sets, "9-11,21-23") && has(&sets, "0-23"));
    assert_int_equal(sets.count, 12 + 4 + 1); /* the packages are the L3s */
    srv_sets_finish(&sets);
    assert_int_equal(machine->ops->reported(machine, 14, &reported, NULL), SERVET_OK);
    assert_int_equal(reported.count, 3);
    assert_string_equal(reported.level[0].cores, "14");
    assert_string_equal(reported.level[1].cores, "2,14");
    assert_string_equal(reported.level[2].cores, "0-2,12-14");
    srv_machine_destroy(machine);
}

/* Threads of a core, clusters of one kind, one cache for both kinds. */
static void each_core_type_has_its_own_sets(void **state)
{
    (void)state;
    srv_machine *machine;
    assert_int_equal(srv_simulated_create(&machine, "hybrid-desktop", NULL), SERVET_OK);
    srv_sets sets = objects_of(machine);
    assert_true(has(&sets, "0-1") && has(&sets, "14-15") && !has(&sets, "16-17"));
    assert_true(has(&sets, "16-19") && has(&sets, "28-31") && has(&sets, "0-31"));
    assert_int_equal(sets.count, 8 + 4 + 1);
    srv_sets_finish(&sets);
    srv_machine_destroy(machine);
}

static void a_hidden_cache_is_not_reported(void **state)
{
    (void)state;
    srv_machine *machine;
    srv_reported reported;
    srv_model *model = sample_model();
    model->cache[1].hidden = true;
    assert_int_equal(srv_simulated_from(&machine, model, NULL), SERVET_OK);
    srv_sets sets = objects_of(machine);
    assert_true(has(&sets, "0-3") && !has(&sets, "2-3"));
    srv_sets_finish(&sets);
    assert_int_equal(machine->ops->reported(machine, 3, &reported, NULL), SERVET_OK);
    assert_int_equal(reported.count, 1);
    srv_machine_destroy(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_dunnington_are_reported),
        cmocka_unit_test(each_core_type_has_its_own_sets),
        cmocka_unit_test(a_hidden_cache_is_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
