/* SPDX-License-Identifier: BSD-3-Clause */
/* The node class of a node: the situations of share/doc/identity.md. */
#include "test.h"

#include <unistd.h>

#include "folder.h"
#include "profile_sample.h"
#include "servet/identity.h"

#define SOLD_AS   "model=Intel(R)_Xeon(R)_Platinum_8468 "
#define SOLD_AS_H "model=Intel(R)_Xeon(R)_Platinum_8468H "
#define TYPE_A                                                                                     \
    "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS                                                \
    "pus=96 threads=2 package=48 numa=2 L1=48K L1_sharers=2 "                                      \
    "L2=2048K L2_sharers=2 L3=107520K L3_sharers=48 page=4096 memory=270000000000"
#define TYPE_B                                                                                     \
    "arch=x86_64 cpu=AuthenticAMD/25/17/1 pus=192 threads=1 package=96 numa=2 L1=32K "             \
    "L1_sharers=1 "                                                                                \
    "L2=1024K L2_sharers=1 L3=32768K L3_sharers=8 page=4096 memory=800000000000"

#define OTHER_STEPPING "arch=x86_64 cpu=GenuineIntel/6/143/6 " SOLD_AS REST_OF_A

/* The words of type A after the model. */
#define REST_OF_A                                                                                  \
    "pus=96 threads=2 package=48 numa=2 L1=48K L1_sharers=2 L2=2048K L2_sharers=2 L3=107520K "     \
    "L3_sharers=48 page=4096 memory=270000000000"
#define A_SOLD_AS(name) "arch=x86_64 cpu=GenuineIntel/6/143/8 " name REST_OF_A

/* A class of a profile: its node and fingerprint. */
typedef struct class_of {
    const char *node, *fingerprint;
} class_of;

typedef struct situation {
    const char *what;
    const char *first, *first_print, *second, *second_print; /* the classes */
    const char *host, *fingerprint;
    int index; /* -1: no answer */
    servet_identity identity;
    const char *why; /* part of the error's text */
} situation;

#define ONLY(node, fingerprint) node, fingerprint, NULL, NULL
#define ONE_A                   ONLY("a1", TYPE_A)
#define A_AND_B                 "a1", TYPE_A, "b1", TYPE_B
#define OF_A(changed)                                                                              \
    "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS changed " L1=48K L1_sharers=2 "                \
    "L2=2048K L2_sharers=2 L3=107520K L3_sharers=48 page=4096 memory=270000000000"
#define A_MEMORY(bytes)                                                                            \
    "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS                                                \
    "pus=96 threads=2 package=48 numa=2 L1=48K L1_sharers=2 "                                      \
    "L2=2048K L2_sharers=2 L3=107520K L3_sharers=48 page=4096 memory=" bytes
#define LISTED SERVET_IDENTITY_LISTED
#define ALIKE  SERVET_IDENTITY_ALIKE
#define NONE   SERVET_IDENTITY_NONE

static const situation situations[] = {
    {"the node that was measured", ONE_A, "a1", TYPE_A, 0, LISTED, NULL},
    {"the same by its full name", ONE_A, "a1.cluster.org", TYPE_A, 0, LISTED, NULL},
    {"a node of the same type that was not measured", ONE_A, "a2", TYPE_A, 0, ALIKE, NULL},
    {"a container with a name of its own on the node", ONE_A, "5f2c9", TYPE_A, 0, ALIKE, NULL},
    {"a node of another type", ONE_A, "b1", TYPE_B, -1, NONE,
     "is not listed: cpu was GenuineIntel/6/143/8"},
    {"a virtual machine that has moved to another processor", ONE_A, "a1", TYPE_B, -1, NONE,
     "a1 is listed, but has changed: cpu was GenuineIntel/6/143/8 and is AuthenticAMD/25/17/1"},
    {"another stepping, not listed", ONE_A, "a2", OTHER_STEPPING, -1, NONE,
     "cpu was GenuineIntel/6/143/8 and is GenuineIntel/6/143/6"},
    {"another stepping, under the old name", ONE_A, "a1", OTHER_STEPPING, -1, NONE,
     "a1 is listed, but has changed: cpu was GenuineIntel/6/143/8 and is GenuineIntel/6/143/6"},
    {"another model of the same family, model and stepping, not listed", ONE_A, "a2",
     A_SOLD_AS(SOLD_AS_H), -1, NONE,
     "a2 is not listed: model was Intel(R)_Xeon(R)_Platinum_8468 and is "
     "Intel(R)_Xeon(R)_Platinum_8468H; measure"},
    {"another model of the same family, model and stepping, under the old name", ONE_A, "a1",
     A_SOLD_AS(SOLD_AS_H), -1, NONE, "a1 is listed, but has changed: model was "},
    {"a cluster of two such models: a node like the second", "a1", TYPE_A, "h1",
     A_SOLD_AS(SOLD_AS_H), "h7", A_SOLD_AS(SOLD_AS_H), 1, ALIKE, NULL},
    {"an architecture that names no model", ONLY("a1", A_SOLD_AS("")), "a2", A_SOLD_AS(""), 0,
     ALIKE, NULL},
    {"an earlier Servet recorded no model, listed", ONLY("a1", A_SOLD_AS("")), "a1", TYPE_A, 0,
     LISTED, NULL},
    {"an earlier Servet recorded no model, not listed", ONLY("a1", A_SOLD_AS("")), "a2", TYPE_A, -1,
     NONE, "model was unknown and is Intel(R)_Xeon(R)_Platinum_8468"},
    {"SMT switched off, listed", ONE_A, "a1", OF_A("pus=48 threads=1 package=24 numa=2"), 0, LISTED,
     NULL},
    {"SMT switched off, not listed", ONE_A, "a2", OF_A("pus=48 threads=1 package=24 numa=2"), -1,
     NONE, "pus was 96 and is 48"},
    {"other NUMA nodes by a setting of the firmware, listed", ONE_A, "a1",
     OF_A("pus=96 threads=2 package=48 numa=4"), 0, LISTED, NULL},
    {"other NUMA nodes by a setting of the firmware, not listed", ONE_A, "a2",
     OF_A("pus=96 threads=2 package=48 numa=4"), -1, NONE, "numa was 2 and is 4"},
    {"memory added, listed", ONE_A, "a1", A_MEMORY("540000000000"), 0, LISTED, NULL},
    {"memory added, not listed", ONE_A, "a2", A_MEMORY("540000000000"), -1, NONE,
     "memory was 270000000000 and is 540000000000"},
    {"a kernel that keeps 2 % more memory to itself", ONE_A, "a2", A_MEMORY("264600000000"), 0,
     ALIKE, NULL},
    {"pages of another size, not listed", ONE_A, "a2",
     "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS
     "pus=96 threads=2 package=48 numa=2 L1=48K L1_sharers=2 "
     "L2=2048K L2_sharers=2 L3=107520K L3_sharers=48 page=16384 memory=270000000000",
     -1, NONE, "page was 4096 and is 16384"},
    {"a guest whose hypervisor reports another L3", ONE_A, "a2",
     "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS
     "pus=96 threads=2 package=48 numa=2 L1=48K L1_sharers=2 "
     "L2=2048K L2_sharers=2 L3=16384K L3_sharers=48 page=4096 memory=270000000000",
     -1, NONE, "L3 was 107520K and is 16384K"},
    {"a container that hides /sys, not listed", ONE_A, "a2",
     "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS "page=4096 memory=270000000000", -1, NONE,
     "pus was 96 and is unknown"},
    {"a container that hides /sys, listed", ONE_A, "a1",
     "arch=x86_64 cpu=GenuineIntel/6/143/8 " SOLD_AS "page=4096 memory=270000000000", 0, LISTED,
     NULL},
    {"a cluster of two types: a listed node", A_AND_B, "b1", TYPE_B, 1, LISTED, NULL},
    {"a cluster of two types: a node like the second", A_AND_B, "b7", TYPE_B, 1, ALIKE, NULL},
    {"a cluster of two types: its login node", A_AND_B, "login", A_MEMORY("64000000000"), -1, NONE,
     "no node class has nodes of this type"},
    {"two classes of one type, one of them of a sick node", "a1", TYPE_A, "a9", TYPE_A, "a2",
     TYPE_A, -1, NONE, "2 node classes have nodes of this type"},
    {"one home directory for two clusters with equal names, unlike processors", ONE_A, "a1", TYPE_B,
     -1, NONE, "is listed, but has changed"},
    {"a profile of an earlier Servet, listed", ONLY("a1", ""), "a1", TYPE_A, 0, LISTED, NULL},
    {"a profile of an earlier Servet, not listed", ONLY("a1", ""), "a2", TYPE_A, -1, NONE,
     "it was measured by an older Servet"},
    {"a node whose system tells nothing, listed", ONLY("a1", "page=4096"), "a1", "page=4096", 0,
     LISTED, NULL},
    {"a node whose system tells nothing, not listed", ONLY("a1", "page=4096"), "a2", "page=4096",
     -1, NONE, "the processor is not known"},
};

static servet_profile *profile_of(const class_of classes[3], const char *clock)
{
    servet_profile *made, *read;
    servet_run run = sample_run();
    int index;
    char path[TEST_PATH_MAX];
    snprintf(run.clock, sizeof run.clock, "%s", clock);
    assert_ok(servet_profile_create(&made, NULL));
    assert_ok(servet_profile_set_run(made, &run, NULL));
    for (int i = 0; i < 3 && classes[i].node; i++) {
        char name[] = "class0";
        servet_machine machine = sample_machine(classes[i].node);
        name[5] = (char)('0' + i);
        snprintf(machine.fingerprint, sizeof machine.fingerprint, "%s", classes[i].fingerprint);
        assert_ok(servet_profile_add_class(made, name, &machine, &index, NULL));
    }
    snprintf(path, sizeof path, "%s/profile.json", folder);
    assert_ok(servet_profile_write(made, path, NULL));
    servet_profile_close(made);
    assert_ok(servet_profile_open(&read, path, NULL));
    return read;
}

TEST_EACH(make_folder, remove_folder)

TEST(one_rule_for_all_situations)
{
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        const situation *at = &situations[i];
        servet_profile *profile = profile_of(
            (class_of[3]){{at->first, at->first_print}, {at->second, at->second_print}}, "tsc");
        servet_error error = SERVET_ERROR_INIT;
        servet_identity identity;
        int index = -1;
        int code =
            servet_profile_identify(profile, at->host, at->fingerprint, &index, &identity, &error);
        if (code != (at->index < 0 ? SERVET_EOTHER : SERVET_OK) || index != at->index ||
            identity != at->identity || (at->why && !strstr(error.text, at->why)))
            fail_msg("%s: class %d, %s: %s", at->what, index, servet_identity_name(identity),
                     error.text);
        servet_profile_close(profile);
    }
}

/* The core that is meant decides between the core types of the one class. */
TEST(a_hybrid_processor_is_one_class)
{
    static const class_of hybrid[3] = {{"h1", TYPE_A}};
    servet_profile *profile = profile_of(hybrid, "tsc");
    int kind, index;
    assert_ok(servet_profile_add_kind(profile, 0, "fast", "0-1", &kind, NULL));
    assert_ok(servet_profile_add_kind(profile, 0, "slow", "2-5", &kind, NULL));
    assert_ok(servet_profile_identify(profile, "h2", TYPE_A, &index, NULL, NULL));
    for (int core = 1; core <= 2; core++) {
        const servet_at at = {servet_profile_class_name(profile, index), core};
        char name[SERVET_NAME_MAX];
        assert_ok(servet_profile_get(profile, &at, "kind.name", name, sizeof name, NULL));
        assert_string_equal(name, core == 1 ? "fast" : "slow");
    }
    servet_profile_close(profile);
}

TEST_EACH(NULL, NULL)

/* Until the profile is written, it answers for the nodes that are being measured. */
TEST(a_profile_that_is_recorded_answers)
{
    char host[64] = "", text[64];
    int index = -1, added;
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    for (int listed = 0; listed < 2; listed++) {
        servet_profile *profile;
        assert_ok(servet_profile_create(&profile, NULL));
        for (int i = 0; i < 2; i++) {
            servet_machine machine = sample_machine(listed && i == 1 ? host : "no-such-node");
            if (i == 0)
                snprintf(machine.hostname, sizeof machine.hostname, "first-node");
            assert_ok(
                servet_profile_add_class(profile, i ? "other" : "first", &machine, &added, NULL));
        }
        assert_ok(servet_profile_here(profile, &index, NULL));
        assert_int_equal(servet_profile_identity(profile), SERVET_IDENTITY_RECORDED);
        assert_ok(servet_profile_get(profile, NULL, "class.name", text, sizeof text, NULL));
        assert_string_equal(text, listed ? "other" : "first");
        servet_profile_close(profile);
    }
}

TEST_EACH(make_folder, remove_folder)

/* No program runs on a simulated machine. If the profile has two, the class must be named. */
TEST(a_simulated_machine_is_meant)
{
    static const class_of one[3] = {{"model", ""}}, two[3] = {{"model1", ""}, {"model2", ""}};
    servet_profile *profile = profile_of(one, "virtual");
    char text[64];
    assert_ok(servet_profile_here(profile, NULL, NULL));
    assert_int_equal(servet_profile_identity(profile), SERVET_IDENTITY_MODEL);
    assert_ok(servet_profile_get(profile, NULL, "machine.hostname", text, sizeof text, NULL));
    servet_profile_close(profile);
    profile = profile_of(two, "virtual");
    assert_code(servet_profile_here(profile, NULL, NULL), SERVET_EOTHER);
    servet_profile_close(profile);
}

/* Everything that another machine's profile could answer without a class is refused. */
TEST(another_machine_gives_no_answer)
{
    static const class_of other[3] = {{"no-such-node", TYPE_A}};
    servet_profile *profile = profile_of(other, "tsc");
    const servet_at named = {"class0", SERVET_ANY_CORE};
    servet_machine machine;
    servet_error error = SERVET_ERROR_INIT;
    char text[64];
    int count;
    assert_code(servet_profile_machine(profile, NULL, &machine), SERVET_EOTHER);
    assert_code(servet_cache_count(profile, NULL, &count), SERVET_EOTHER);
    assert_code(servet_profile_get(profile, NULL, "caches.count", text, sizeof text, &error),
                SERVET_EOTHER);
    assert_non_null(strstr(error.text, "is not listed"));
    assert_code(servet_profile_get(profile, NULL, "run.clock", text, sizeof text, NULL),
                SERVET_EOTHER);
    assert_ok(servet_profile_machine(profile, &named, &machine));
    assert_string_equal(machine.hostname, "no-such-node");
    assert_ok(servet_profile_get(profile, &named, "run.clock", text, sizeof text, NULL));
    servet_profile_close(profile);
}

/* This node is listed, or recognised by what it tells of itself; cut texts are refused. */
TEST(this_node_is_found)
{
    char mine[SERVET_TEXT_MAX], small[8], host[64] = "", what[SERVET_TEXT_MAX];
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    assert_ok(servet_node_fingerprint(mine, sizeof mine));
    assert_code(servet_node_fingerprint(small, sizeof small), SERVET_ERANGE);
    assert_false(servet_fingerprints_differ(mine, mine, what, sizeof what));
    assert_string_equal(what, "");
    assert_true(servet_fingerprints_differ(TYPE_A, TYPE_B, what, sizeof what));
    assert_string_equal(what, "cpu was GenuineIntel/6/143/8 and is AuthenticAMD/25/17/1");
    assert_false(servet_fingerprints_differ("", TYPE_B, what, sizeof what));
    const class_of ways[][3] = {{{host, mine}}, {{"no-such-node", mine}}};
    for (int i = 0; i < 2; i++) {
        int index = -1;
        servet_profile *profile = profile_of(ways[i], "tsc");
        assert_ok(servet_profile_here(profile, &index, NULL));
        assert_int_equal(index, 0);
        assert_int_equal(servet_profile_identity(profile), i == 0 ? LISTED : ALIKE);
        servet_profile_close(profile);
    }
    assert_string_equal(servet_identity_name(ALIKE), "alike");
}
