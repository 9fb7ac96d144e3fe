/* SPDX-License-Identifier: BSD-3-Clause */
/* On simulated machines, the stage finds the groups of cores that share caches in the model. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/ranges.h"
#include "core/units.h"
#include "folder.h"
#include "known_node.h"
#include "sim/simulated.h"
#include "sim/system.h"
#include "facts/stages.h"
#include "facts/sharing/stage_parts.h"
#include "../record.h"

/* --- a machine whose caches are known, as after the benchmark of caches ----------------------- */

static servet_value value_of(double value, servet_unit unit)
{
    return (servet_value){value, value, value, 1, unit, SERVET_METHOD_TIMED, true};
}

static const srv_model_cache *row_of(const srv_model *model, int level, int pu)
{
    for (int i = 0; i < model->cache_count; i++)
        if (model->cache[i].level == level && srv_system_covers(model, &model->cache[i], pu))
            return &model->cache[i];
    return NULL;
}

static double ns_of(const srv_model *model, const srv_model_cache *row, int pu)
{
    return row ? row->latency_cycles / srv_system_ghz(model, pu) : model->memory_latency_ns;
}

/* Returns the caches of a PU as a measurement may have found them: `size` times their real size. */
static int caches_of(const srv_model *model, int pu, double size, servet_cache *caches)
{
    int count = 0;
    for (const srv_model_cache *row; (row = row_of(model, count + 1, pu)); count++) {
        double reported = row->reported_bytes > 0 ? row->reported_bytes : row->bytes;
        bool has_turnover = row->turnover_ms > 0;
        caches[count] = (servet_cache){
            .level = count + 1,
            .kind = has_turnover ? SERVET_CACHE_TURNOVER : SERVET_CACHE_CAPACITY,
            .bytes = value_of(row->bytes * size, SERVET_UNIT_BYTE),
            .reachable_bytes = value_of(row->bytes * size, SERVET_UNIT_BYTE),
            .reported_bytes = value_of(reported, SERVET_UNIT_BYTE),
            .verdict = SERVET_VERDICT_AGREES,
            .latency = srv_value_in_seconds(value_of(ns_of(model, row, pu), SRV_UNIT_NANOSECOND)),
            .latency_cycles = value_of(row->latency_cycles, SERVET_UNIT_CYCLE),
            .line = value_of(row->line_bytes, SERVET_UNIT_BYTE),
            .confidence = 1,
        };
        if (has_turnover)
            caches[count].bytes.method = SERVET_METHOD_TURNOVER;
    }
    return count;
}

static void set_caches(known_node *node, const srv_model *model, double size)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_cache caches[SERVET_CACHE_LEVELS_MAX];
    servet_value memory =
        srv_value_in_seconds(value_of(model->memory_latency_ns, SRV_UNIT_NANOSECOND));
    for (int kind = 0; kind < model->core_type_count; kind++) {
        int count = caches_of(model, model->core_type[kind].first_pu, size, caches);
        if (record_caches(node->place.profile, node->place.node_class, kind, caches, count, &memory,
                          &error) != SERVET_OK)
            fail_msg("%s: %s", model->name, error.text);
    }
}

static srv_model *model_of(const char *name)
{
    srv_model *model;
    servet_error error = SERVET_ERROR_INIT;
    if (srv_model_read(&model, name, &error) != SERVET_OK)
        fail_msg("%s: %s", name, error.text);
    return model;
}

static void measure(known_node *node, double until)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_stage stage = known_node_stage(node, until);
    if (srv_measure_sharing(&stage, &node->place, &error) != SERVET_OK)
        fail_msg("%s", error.text);
}

/* --- truth ------------------------------------------------------------------------------------ */

/* Is true if two PUs are below one instance. */
static bool share(const srv_model *model, int level, int a, int b)
{
    const srv_model_cache *row = row_of(model, level, a);
    return row && row == row_of(model, level, b) &&
           (a - row->first_pu) / row->pus_per_instance ==
               (b - row->first_pu) / row->pus_per_instance;
}

/* The set that a PU was found in. */
static const char *group_of(const known_node *node, const srv_model *model, int level, int pu)
{
    int group;
    const char *cores;
    servet_at at = {"default", model->os_index[pu]};
    if (servet_cache_group_of(node->place.profile, &at, level, &group) != SERVET_OK)
        fail_msg("%s: L%d of core %d is in no group", model->name, level, at.core);
    assert_int_equal(servet_cache_group(node->place.profile, &at, level, group, &cores), SERVET_OK);
    return cores;
}

/* A working set that fits a victim cache also fits a larger cache above it: no traversal measures
 * the victim cache alone. */
static bool is_hidden_by_the_level_above(const srv_model *model, int level)
{
    const srv_model_cache *above = row_of(model, level - 1, 0);
    return above && row_of(model, level, 0)->bytes <= above->bytes;
}

/* Checks every pair of PUs at every level. */
static void check_groups(const known_node *node, const srv_model *model)
{
    if (model->pu_count == 1)
        known_node_prints(node, model->os_index[0], "caches.1.groups", NULL);
    for (int level = 1; model->pu_count > 1 && row_of(model, level, 0); level++) {
        if (is_hidden_by_the_level_above(model, level))
            continue;
        servet_sharing facts;
        servet_at at = {"default", model->os_index[0]};
        assert_int_equal(servet_cache_sharing(node->place.profile, &at, level, &facts), SERVET_OK);
        assert_true(facts.confidence > 0.9);
        assert_int_equal(facts.verdict, SERVET_VERDICT_AGREES);
        for (int a = 0; a < model->pu_count; a++) {
            const char *cores = group_of(node, model, level, a);
            for (int b = 0; b < model->pu_count; b++)
                if (srv_ranges_contain(cores, model->os_index[b]) != share(model, level, a, b))
                    fail_msg("%s: cores %d and %d at L%d", model->name, model->os_index[a],
                             model->os_index[b], level);
        }
    }
}

/* --- simulated machines ----------------------------------------------------------------------- */

/* Returns the duration on the machine's clock, in seconds. The machine takes ownership of the
 * model. */
static double finds_in(srv_model *model, double size)
{
    known_node node;
    srv_machine *machine;
    assert_int_equal(srv_simulated_from(&machine, model, NULL), SERVET_OK);
    known_node_of(&node, machine);
    set_caches(&node, model, size);
    measure(&node, 0);
    double seconds = machine->ops->elapsed(machine);
    check_groups(&node, model);
    known_node_finish(&node);
    return seconds;
}

static double finds(const char *name, double size)
{
    return finds_in(model_of(name), size);
}

/* Requirements, section 9: cores 0 and 12 share an L2, cores 0-2 and 12-14 an L3. The paper's
 * benchmark took many minutes. */
static void caches_of_dunnington_are_shared_as_documented(void **state)
{
    (void)state;
    test_leave_to_night();
    assert_true(finds("dunnington", 1) < 40);
}

static void machines_of_the_papers_share_as_documented(void **state)
{
    (void)state;
    static const char *const names[] = {"harpertown", "niagara-t1", "kentsfield", "finis-terrae",
                                        "hector"};
    for (size_t i = 0; i < test_cases(2, sizeof names / sizeof *names); i++)
        finds(names[i], 1);
}

/* On the first machine, other guests turn over the L3, so that only reads decide. The second one
 * has no third level. */
static void current_machines_share_as_documented(void **state)
{
    (void)state;
    test_leave_to_night();
    static const char *const names[] = {"cloud-vm", "a64fx"};
    for (size_t i = 0; i < test_cases(2, 2); i++)
        finds(names[i], 1);
}

/* The sets of all reads lie on huge pages. On base pages, page walks would look like loads from
 * memory. The L3 and the reach of the TLB are an eighth of the machine's, to save time. */
static void walks_do_not_hide_a_shared_cache(void **state)
{
    (void)state;
    srv_model *model = model_of("sg2042");
    assert_int_equal(model->cache[2].level, 3);
    model->cache[2].bytes /= 8;
    model->tlb[1].entries /= 8;
    finds_in(model, 1);
}

/* A capacity from a miss curve is an estimate. */
static void inexact_capacities_suffice(void **state)
{
    (void)state;
    finds("kentsfield", 0.8);
    finds("kentsfield", 1.2);
}

/* --- any machine, by a formula ---------------------------------------------------------------- */

/* A machine with a model's structure, whose times come from a formula: sets that fit a cache are
 * hits, others are misses. */
typedef struct quick {
    srv_machine machine;
    srv_model *model;
    double seconds;
    int probed;          /* number of pairs, added up over all visits */
    bool parts;          /* each core has a part of each cache to itself */
    const char *claimed; /* the only set that the OS reports; NULL: as in the model */
} quick;

static quick *self(srv_machine *machine)
{
    return (quick *)machine;
}

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    (void)error;
    *description = self(machine)->model->machine;
    return SERVET_OK;
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    return srv_system_core_types(self(machine)->model, list, count, error);
}

static int pu_of(srv_machine *machine, int core)
{
    int pu = 0;
    assert_int_equal(srv_system_pu(self(machine)->model, core, &pu, NULL), SERVET_OK);
    return pu;
}

static int reported(srv_machine *machine, int core, srv_reported *answer, servet_error *error)
{
    return srv_system_reported(self(machine)->model, pu_of(machine, core), answer, error);
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)error;
    *bytes = self(machine)->model->machine.memory_bytes;
    return SERVET_OK;
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    if (!self(machine)->claimed)
        return srv_system_objects(self(machine)->model, sets, error);
    *sets = (srv_sets){NULL, 0};
    return srv_sets_add(sets, self(machine)->claimed, error);
}

static double traversal_ns(srv_machine *machine, const srv_traversal *traversals, int count, int i)
{
    const srv_model *model = self(machine)->model;
    int level = 1, pu = pu_of(machine, traversals[i].core);
    const srv_model_cache *row;
    for (; (row = row_of(model, level, pu)); level++) {
        double bytes = 0;
        for (int k = 0; k < count; k++)
            if (k == i || (!self(machine)->parts &&
                           share(model, level, pu, pu_of(machine, traversals[k].core))))
                bytes += traversals[k].bytes;
        if (bytes <= row->bytes)
            break;
    }
    return ns_of(model, row, pu);
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    (void)error;
    self(machine)->seconds += 0.02;
    self(machine)->probed += count / 2;
    for (int i = 0; i < count; i++) {
        double ns = traversal_ns(machine, traversals, count, i);
        timings[i] = (srv_timing){ns, {ns, ns, ns, ns, 100}, 1, 1, 0, 1};
    }
    return SERVET_OK;
}

/* The latency of the first cache that holds the set's lines and that the reader shares. */
static double read_ns(srv_machine *machine, const srv_line_transfer *transfer)
{
    const srv_model *model = self(machine)->model;
    int level = 1, reader = pu_of(machine, transfer->reader);
    const srv_model_cache *row;
    for (; (row = row_of(model, level, reader)); level++)
        if (row->bytes >= transfer->bytes / 2 &&
            share(model, level, pu_of(machine, transfer->owner), reader))
            break;
    return ns_of(model, row, reader);
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    (void)error;
    self(machine)->seconds += 0.02;
    self(machine)->probed += count;
    for (int i = 0; i < count; i++) {
        double ns = read_ns(machine, &transfers[i]);
        timings[i] = (srv_timing){ns, {ns, ns, ns, ns, 100}, 1, 1, 0, 1};
    }
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return self(machine)->seconds;
}

static void destroy(srv_machine *machine)
{
    srv_model_free(self(machine)->model);
}

static void quick_init(quick *on, const char *name)
{
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .memory = memory,
        .traverse = traverse,
        .transfer_lines = transfer_lines,
        .objects = objects,
        .elapsed = elapsed,
        .destroy = destroy,
    };
    *on = (quick){.machine = {&ops}, .model = model_of(name)};
}

static int levels_of(const srv_model *model)
{
    int levels = 0;
    while (row_of(model, levels + 1, 0))
        levels++;
    return levels;
}

/* Checks that the stage finds the model's groups, whatever the OS reports. Returns the number of
 * pairs that it probed, added up over all visits. */
static int count_probed_pairs(const char *name, const char *claimed, int *most)
{
    quick machine;
    known_node node;
    quick_init(&machine, name);
    machine.claimed = claimed;
    known_node_of(&node, &machine.machine);
    set_caches(&node, machine.model, 1);
    measure(&node, 0);
    check_groups(&node, machine.model);
    *most = 4 * machine.model->pu_count * levels_of(machine.model);
    known_node_finish(&node);
    return machine.probed;
}

static int check_any(void *context, const char *name, const char *about)
{
    (void)about;
    int most, probed = count_probed_pairs(name, NULL, &most);
    if (probed > most)
        fail_msg("%s: %d pairs were probed, more than %d", name, probed, most);
    ++*(int *)context;
    return 0;
}

static void few_pairs_are_probed_on_every_model(void **state)
{
    (void)state;
    int models = 0;
    assert_int_equal(servet_machine_models(check_any, &models), 0);
    assert_true(models >= 16);
}

/* The result does not depend on the report of the OS, even if its sets are wrong. */
static void a_wrong_report_of_the_os_does_not_matter(void **state)
{
    (void)state;
    int most;
    count_probed_pairs("dunnington", "0-1", &most);
    count_probed_pairs("dunnington", "0-23", &most);
    count_probed_pairs("hector", "1-30", &most);
}

/* --- what cannot be decided ------------------------------------------------------------------- */

static quick machine;
static known_node node;

static int open_finis_terrae(void **state)
{
    (void)state;
    quick_init(&machine, "finis-terrae");
    known_node_of(&node, &machine.machine);
    set_caches(&node, machine.model, 1);
    return 0;
}

static int close_node(void **state)
{
    (void)state;
    known_node_finish(&node);
    return 0;
}

static bool stored_are_trusted(const srv_group_member *members, int count, double confidence)
{
    servet_trust trust;
    assert_int_equal(
        srv_store_cache_groups(&machine.machine, &node.place, 1, members, count, &confidence, NULL),
        SERVET_OK);
    assert_int_equal(
        servet_profile_trust(node.place.profile, NULL, "caches.1.groups", &trust, NULL), SERVET_OK);
    return trust.trusted;
}

/* The first level of this machine is private, and the OS reports that. A result that contradicts
 * the report must come from two methods. */
static void one_method_is_not_trusted_against_the_os(void **state)
{
    (void)state;
    srv_group_member members[16];
    for (int i = 0; i < 16; i++)
        members[i] = (srv_group_member){i, 0, i};
    assert_true(stored_are_trusted(members, 16, 0.75));
    members[1].group = 0;
    assert_true(stored_are_trusted(members, 16, 0.99));
    assert_false(stored_are_trusted(members, 16, 0.75));
}

/* The working sets, and so the times that show sharing, depend on the size of the cache. */
static void groups_of_a_doubtful_size_are_not_trusted_against_the_os(void **state)
{
    (void)state;
    srv_group_member members[16];
    for (int i = 0; i < 16; i++)
        members[i] = (srv_group_member){i, 0, i};
    assert_int_equal(servet_profile_distrust(node.place.profile, node.place.node_class,
                                             "kinds.1.caches.1.bytes", "unclear", NULL),
                     SERVET_OK);
    assert_true(stored_are_trusted(members, 16, 0.99));
    members[1].group = 0;
    assert_false(stored_are_trusted(members, 16, 0.99));
}

static bool groups_are_trusted(int core, const char *key)
{
    const servet_at at = {"default", core};
    servet_trust trust;
    assert_int_equal(servet_profile_trust(node.place.profile, &at, key, &trust, NULL), SERVET_OK);
    return trust.trusted;
}

/* All cores of an M1 share its third level, but the miss curve of the large cores does not show it.
 * The groups of the small cores are complete only if the large ones are known to have two levels.
 */
static void cores_that_may_have_the_level_make_groups_doubtful(void **state)
{
    (void)state;
    servet_cache caches[SERVET_CACHE_LEVELS_MAX];
    for (int doubtful = 0; doubtful < 2; doubtful++) {
        quick_init(&machine, "apple-m1");
        known_node_of(&node, &machine.machine);
        set_caches(&node, machine.model, 1);
        servet_value memory = servet_value_unknown(SERVET_UNIT_SECOND);
        int count = caches_of(machine.model, 0, 1, caches);
        assert_int_equal(record_caches(node.place.profile, node.place.node_class, 0, caches,
                                       count - 1, &memory, NULL),
                         SERVET_OK);
        if (doubtful)
            assert_int_equal(servet_profile_distrust(node.place.profile, node.place.node_class,
                                                     "kinds.1.caches.count", "a sum", NULL),
                             SERVET_OK);
        measure(&node, 0);
        known_node_prints(&node, 4, "caches.3.groups", "4-7");
        assert_int_equal(groups_are_trusted(4, "caches.3.groups"), !doubtful);
        assert_true(groups_are_trusted(4, "caches.2.groups"));
        known_node_finish(&node);
    }
}

/* The third of three private levels has turnover. That no core finds another's set in it does not
 * prove that the level is private. */
static void separation_in_a_turnover_cache_is_not_determined(void **state)
{
    (void)state;
    machine.model->cache[2].turnover_ms = 20;
    set_caches(&node, machine.model, 1);
    measure(&node, 0);
    known_node_prints(&node, 0, "caches.2.groups",
                      "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15");
    known_node_prints(&node, 0, "caches.3.groups", NULL);
}

/* A single core is not probed for sharing. */
static void a_single_core_is_not_probed(void **state)
{
    (void)state;
    known_node alone;
    srv_machine *simulated;
    srv_model *model = model_of("athlon3200");
    assert_int_equal(srv_simulated_create(&simulated, "athlon3200", NULL), SERVET_OK);
    known_node_of(&alone, simulated);
    set_caches(&alone, model, 1);
    measure(&alone, 0);
    known_node_prints(&alone, 0, "caches.count", "2");
    known_node_prints(&alone, 0, "caches.1.groups", NULL);
    known_node_prints(&alone, 0, "caches.2.groups", NULL);
    known_node_finish(&alone);
    srv_model_free(model);
}

static void levels_beyond_the_deadline_stay_unmeasured(void **state)
{
    (void)state;
    measure(&node, 1);
    assert_true(machine.seconds < 1.5);
    known_node_prints(&node, 0, "caches.3.groups", NULL);
}

static int stop(void *context, const servet_progress *progress)
{
    assert_true(progress->done >= 0 && progress->done <= 1);
    return ++*(int *)context == 5 ? 7 : 0;
}

static void the_caller_can_end_the_stage(void **state)
{
    (void)state;
    int calls = 0;
    node.options.progress = stop;
    node.options.context = &calls;
    srv_stage stage = known_node_stage(&node, 0);
    assert_int_equal(srv_measure_sharing(&stage, &node.place, NULL), SERVET_EINTERRUPTED);
    assert_int_equal(calls, 5);
}

static void answers_are_stored(void **state)
{
    (void)state;
    char path[TEST_PATH_MAX], line[256];
    assert_int_equal(make_folder(NULL), 0);
    node.options.raw_dir = folder;
    measure(&node, 0);
    for (int level = 1; level <= 3; level++) {
        int traversals = 0, reads = 0;
        snprintf(path, sizeof path, "%s/sharing-L%d.csv", folder, level);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, "test,core,other,at_once,ns,odds\n");
        while (fgets(line, sizeof line, file)) {
            traversals += strncmp(line, "walk,", 5) == 0;
            reads += strncmp(line, "read,", 5) == 0;
        }
        assert_true(traversals >= 16 && reads > 0); /* all sixteen cores traversed */
        fclose(file);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* If each core has its own part of a shared cache, traversals do not compete, but a reader finds
 * all lines of the other core. */
static void reads_find_sharing_of_a_partitioned_cache(void **state)
{
    (void)state;
    quick parted;
    known_node kentsfield;
    servet_sharing facts;
    quick_init(&parted, "kentsfield");
    parted.parts = true;
    known_node_of(&kentsfield, &parted.machine);
    set_caches(&kentsfield, parted.model, 1);
    measure(&kentsfield, 0);
    known_node_prints(&kentsfield, 0, "caches.1.groups", "0\n1\n2\n3");
    known_node_prints(&kentsfield, 0, "caches.2.groups", "0-1\n2-3");
    assert_int_equal(servet_cache_sharing(kentsfield.place.profile, NULL, 2, &facts), SERVET_OK);
    assert_true(facts.confidence > 0.5 && facts.confidence < 0.9);
    known_node_finish(&kentsfield);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_method_is_not_trusted_against_the_os, open_finis_terrae,
                                        close_node),
        cmocka_unit_test_setup_teardown(groups_of_a_doubtful_size_are_not_trusted_against_the_os,
                                        open_finis_terrae, close_node),
        cmocka_unit_test_setup_teardown(separation_in_a_turnover_cache_is_not_determined,
                                        open_finis_terrae, close_node),
        cmocka_unit_test(cores_that_may_have_the_level_make_groups_doubtful),
        cmocka_unit_test(a_single_core_is_not_probed),
        cmocka_unit_test_setup_teardown(levels_beyond_the_deadline_stay_unmeasured,
                                        open_finis_terrae, close_node),
        cmocka_unit_test_setup_teardown(the_caller_can_end_the_stage, open_finis_terrae,
                                        close_node),
        cmocka_unit_test_setup_teardown(answers_are_stored, open_finis_terrae, close_node),
        cmocka_unit_test(reads_find_sharing_of_a_partitioned_cache),
        cmocka_unit_test(few_pairs_are_probed_on_every_model),
        cmocka_unit_test(a_wrong_report_of_the_os_does_not_matter),
        cmocka_unit_test(caches_of_dunnington_are_shared_as_documented),
        cmocka_unit_test(machines_of_the_papers_share_as_documented),
        cmocka_unit_test(current_machines_share_as_documented),
        cmocka_unit_test(walks_do_not_hide_a_shared_cache),
        cmocka_unit_test(inexact_capacities_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
