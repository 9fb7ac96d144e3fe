/* SPDX-License-Identifier: BSD-3-Clause */
/* Resources that PUs share, as the operating system of a modelled node reports them. */
#include "test.h"

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
    assert_ok(machine->ops->objects(machine, &sets, NULL));
    return sets;
}

/* Requirements, section 9: L2 per pair (0 with 12), L3 per six. */
TEST(objects_of_dunnington_are_reported)
{
    srv_machine *machine = shipped_machine("dunnington");
    srv_reported reported;
    srv_sets sets = objects_of(machine);
    assert_true(has(&sets, "0,12") && has(&sets, "5,17") && has(&sets, "11,23"));
    assert_true(has(&sets, "0-2,12-14") && has(&sets, "9-11,21-23") && has(&sets, "0-23"));
    assert_int_equal(sets.count, 12 + 4 + 1); /* the packages are the L3s */
    srv_sets_finish(&sets);
    assert_ok(machine->ops->reported(machine, 14, &reported, NULL));
    assert_int_equal(reported.count, 3);
    assert_string_equal(reported.level[0].cores, "14");
    assert_string_equal(reported.level[1].cores, "2,14");
    assert_string_equal(reported.level[2].cores, "0-2,12-14");
}

/* Threads of a core, clusters of one kind, one cache for both kinds. */
TEST(each_core_type_has_its_own_sets)
{
    srv_machine *machine = shipped_machine("hybrid-desktop");
    srv_sets sets = objects_of(machine);
    assert_true(has(&sets, "0-1") && has(&sets, "14-15") && !has(&sets, "16-17"));
    assert_true(has(&sets, "16-19") && has(&sets, "28-31") && has(&sets, "0-31"));
    assert_int_equal(sets.count, 8 + 4 + 1);
    srv_sets_finish(&sets);
}

TEST(a_hidden_cache_is_not_reported)
{
    srv_reported reported;
    srv_model *model = sample_model();
    model->cache[1].hidden = true;
    srv_machine *machine = machine_of_model(model);
    srv_sets sets = objects_of(machine);
    assert_true(has(&sets, "0-3") && !has(&sets, "2-3"));
    srv_sets_finish(&sets);
    assert_ok(machine->ops->reported(machine, 3, &reported, NULL));
    assert_int_equal(reported.count, 1);
}
