/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of hosts are read and written as in Slurm's manuals, and leaves.json is exported as a
 * topology. Its first layer between nodes joins h0-h2 and h3-h4, the second joins h0-h5; h6, h7 and
 * h10 were not measured. */
#include "test.h"

#include <unistd.h>

#include "export/host_list.h"
#include "servet/export.h"

static int join(const char *name, void *context)
{
    char *text = context;
    size_t used = strlen(text);
    snprintf(text + used, 256 - used, " %s", name);
    return SERVET_OK;
}

TEST(lists_expand_to_their_names)
{
    static const struct {
        const char *list, *names; /* NULL: the text is not a list */
    } cases[] = {
        {"node7", " node7"},
        {"tux[0-3,12,18-20]", " tux0 tux1 tux2 tux3 tux12 tux18 tux19 tux20"},
        {"n[08-11]", " n08 n09 n10 n11"},
        {"n[8-11],login", " n8 n9 n10 n11 login"},
        {"r[0-1]n[1-2]-ib", " r0n1-ib r0n2-ib r1n1-ib r1n2-ib"},
        {"", NULL},
        {"n[1-2", NULL},
        {"n[]", NULL},
        {"n[2-1]", NULL},
        {"n]1", NULL},
        {"a,,b", NULL},
        {"n[1-1234567890]", NULL},
        {"n[0-9999999]", NULL},
        {"a b", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char names[256] = "";
        int code = srv_host_list_read(cases[i].list, join, names, NULL);
        assert_int_equal(code, cases[i].names ? SERVET_OK : SERVET_EFORMAT);
        if (cases[i].names)
            assert_string_equal(names, cases[i].names);
    }
}

TEST(consecutive_names_become_a_range)
{
    static const char *const names[] = {"login", "n7",   "n8",   "n9", "n10",
                                        "n12",   "n012", "n013", "x1"};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 1; i < 6; i++)
        assert_true(srv_host_order(names[i - 1], names[i]) < 0);
    srv_host_list_write(names, sizeof names / sizeof *names, stream);
    fclose(stream);
    assert_string_equal(text, "login,n[7-10,12,012-013],x1");
    free(text);
}

static servet_profile *profile;
static const servet_export_request request = {.format = SERVET_EXPORT_SLURM_TOPOLOGY};

static int setup(void **state)
{
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/tests/data/profiles/leaves.json", getenv("SOURCE_ROOT"));
    return servet_profile_open(&profile, path, NULL);
}

static int teardown(void **state)
{
    (void)state;
    servet_profile_close(profile);
    return 0;
}

TEST(exported_formats_name_their_file)
{
    assert_string_equal(servet_export_file(SERVET_EXPORT_SLURM_TOPOLOGY, 0), "topology.conf");
    assert_string_equal(servet_export_file(SERVET_EXPORT_SLURM_TOPOLOGY, 1), "topology.yaml");
    assert_null(servet_export_file(SERVET_EXPORT_SLURM_TOPOLOGY, 2));
    assert_null(servet_export_file(SERVET_EXPORT_SLURM_TOPOLOGY, -1));
    assert_null(servet_export_file(SERVET_EXPORT_COUNT, 0));
}

/* Returns the number of differences between the profile and a file with this text. */
static int differences(const char *text)
{
    char path[TEST_PATH_MAX];
    int count = -1;
    test_path(path, "export_slurm_XXXXXX");
    int file = mkstemp(path);
    FILE *written = fdopen(file, "w"), *stream = fopen("/dev/null", "w");
    fputs(text, written);
    fclose(written);
    int code = servet_export_compare(profile, &request, path, stream, &count, NULL);
    fclose(stream);
    unlink(path);
    return code == SERVET_OK ? count : code;
}

TEST(nodes_that_a_file_puts_under_another_switch_are_counted)
{
    assert_int_equal(differences("SwitchName=a Nodes=h[0-2],h7\nSwitchName=b Nodes=h[3-4]\n"
                                 "SwitchName=c Nodes=h[5-6,10]\nSwitchName=d Switches=a,b,c\n"),
                     0);
    /* One switch of the file has the nodes of both measured ones; the nodes of the smaller one are
     * elsewhere. */
    assert_int_equal(differences("BlockName=a Nodes=h[0-4]\nBlockName=c Nodes=h[5-7,10]\n"), 2);
    assert_int_equal(differences("---\n- topology: t\n  tree:\n    switches:\n"
                                 "    - switch: a\n      nodes: h[0-1,3,7]\n"
                                 "    - switch: b\n      nodes: \"h[2,4]\"\n"
                                 "    - switch: c\n      nodes: h[5-6]\n"
                                 "- topology: u\n  block:\n    blocks:\n"
                                 "    - block: a\n      nodes: h[0-2]\n"),
                     3); /* h2, h3, and h10 is missing */
    assert_int_equal(differences("hello\n"), SERVET_EFORMAT);
    assert_int_equal(differences("SwitchName=a Nodes=h[0-\n"), SERVET_EFORMAT);
    assert_int_equal(differences("Nodes=h1\n"), SERVET_EFORMAT);
    const servet_export_request other = {.format = SERVET_EXPORT_HWLOC_XML};
    int count;
    assert_int_equal(servet_export_compare(profile, &other, "", stdout, &count, NULL),
                     SERVET_EUNSUPPORTED);
}

TEST_GROUP(setup, teardown)
