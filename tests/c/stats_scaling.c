/* SPDX-License-Identifier: BSD-3-Clause */
/* Series whose saturation point is plain: 95 % of the best is counted by hand. */
#include "test.h"

#include <unistd.h>

#include "servet/analyze.h"

static int read_text(const char *text, servet_scaling *scaling)
{
    char path[TEST_PATH_MAX];
    test_temporary_file(path, "", text);
    int code = servet_scaling_read(path, scaling, NULL);
    unlink(path);
    return code;
}

static const struct {
    const char *text;
    int code;
    int enough, fewest, most; /* 0: there is no analysis */
    const char *unit;
} cases[] = {
    /* 28.5 of 30 are 95 %: 3 cores have 29. */
    {"cores,GB/s\n1,10\n2,20\n3,29\n4,30\n", SERVET_OK, 3, 3, 3, "GB/s"},
    /* Each core has its own memory. */
    {"1 10\n2 20\n4 40\n8 80\n", SERVET_OK, 8, 5, 8, ""},
    /* One core saturates it. */
    {"1 30\n2 30\n4 29.9\n", SERVET_OK, 1, 1, 1, ""},
    /* Repeats in any order: the medians are 10, 20, 25 and 30, of which 28.5 are 95 %.
     */
    {"# repeats\n4 30\n2 21\n2 19\n1 10\n2 20\n4 31\n4 29\n3 25\n3 24\n3 26\n", SERVET_OK, 4, 4, 4,
     ""},
    {"cores,MB/s,low,high\n1,10,9,11\n2,30,29,31\n4,30,29,31\n", SERVET_OK, 2, 2, 2, "MB/s"},
    {"1;10\n2;30\n4\t30\n", SERVET_OK, 2, 2, 2, ""},
    {"1 10\n", SERVET_OK, 0, 0, 0, ""},
    {"", SERVET_EFORMAT, 0, 0, 0, ""},
    {"threads bandwidth\n1 10\n", SERVET_EFORMAT, 0, 0, 0, ""},
    {"1 10\nx", SERVET_EFORMAT, 0, 0, 0, ""},
    {"1 10\n2 -3\n", SERVET_EFORMAT, 0, 0, 0, ""},
    {"1.5 10\n2 3\n", SERVET_EFORMAT, 0, 0, 0, ""},
    {"0 10\n2 3\n", SERVET_EFORMAT, 0, 0, 0, ""},
    {"1 10 11 12\n", SERVET_EFORMAT, 0, 0, 0, ""},
    {"1 10 9\n", SERVET_EFORMAT, 0, 0, 0, ""},
    {"1 nan\n", SERVET_EFORMAT, 0, 0, 0, ""},
};

TEST(saturation_is_the_first_number_with_95_per_cent)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        servet_scaling scaling = SERVET_SCALING_INIT;
        servet_scaling_analysis analysis = {0, 0, 0, 0, 0};
        int code = read_text(cases[i].text, &scaling);
        if (code != cases[i].code)
            fail_msg("case %zu: code %d, not %d", i, code, cases[i].code);
        if (code == SERVET_OK) {
            code = servet_analyze_scaling(&scaling, &analysis, NULL);
            assert_int_equal(code, cases[i].enough ? SERVET_OK : SERVET_EARGUMENT);
            assert_string_equal(scaling.unit, cases[i].unit);
        }
        if (analysis.enough != cases[i].enough || analysis.fewest != cases[i].fewest ||
            analysis.most != cases[i].most)
            fail_msg("case %zu: %d (%d-%d)", i, analysis.enough, analysis.fewest, analysis.most);
        servet_scaling_free(&scaling);
    }
}

TEST(every_core_of_a_large_machine_counts)
{
    static servet_scaling_point points[SERVET_SCALING_MAX + 1];
    servet_scaling scaling = {SERVET_SCALING_MAX, points, ""};
    servet_scaling_analysis analysis;
    for (int i = 0; i <= SERVET_SCALING_MAX; i++) {
        double all = i < 100 ? i + 1 : 100;
        points[i] = (servet_scaling_point){i + 1, all, all, all, 1};
    }
    assert_ok(servet_analyze_scaling(&scaling, &analysis, NULL));
    assert_int_equal(analysis.enough, 95);
    scaling.n++;
    assert_code(servet_analyze_scaling(&scaling, &analysis, NULL), SERVET_EARGUMENT);
    points[1].cores = 1;
    scaling.n = 2;
    assert_code(servet_analyze_scaling(&scaling, &analysis, NULL), SERVET_EARGUMENT);
}
