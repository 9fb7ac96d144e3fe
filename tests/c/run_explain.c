/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of a measurement of simulated machines: they contain what decided, do not change the
 * decisions, and are the same in a replay. */
#include "test.h"

#include "folder.h"
#include "sim/simulated.h"
#include "run/measure.h"
#include "profile_text.h"
#include "sample_model.h"

static const double KIB = 1 << 10;

/* --- machines --------------------------------------------------------------------------------- */

/* 16 KiB of 4 ways, then 64 KiB of 8 ways, that two of four cores share. */
static srv_model *plain_model(void)
{
    srv_model *model = sample_model();
    model->cache[0].bytes = 16 * KIB;
    model->cache[0].latency_cycles = 4;
    model->cache[1].bytes = 64 * KIB;
    model->cache[1].latency_cycles = 14;
    return model;
}

enum {
    CACHES = 1u << SERVET_BENCHMARK_CACHE,
    MORE = CACHES | 1u << SERVET_BENCHMARK_SHARING | 1u << SERVET_BENCHMARK_LINE
};

static servet_profile *measure(srv_model *model, unsigned only, double max_bytes,
                               servet_findings *findings)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    srv_machine *machine;
    options.only = only;
    options.pages = SERVET_PAGES_BASE;
    options.max_bytes = max_bytes;
    options.raw_dir = folder;
    options.findings = findings;
    assert_ok(srv_simulated_from(&machine, model, NULL));
    if (srv_measure_on(machine, &options, &profile, &error) != SERVET_OK)
        fail_msg("%s", error.text);
    srv_machine_destroy(machine);
    return profile;
}

static char *text_of(servet_profile *profile)
{
    char *text = profile_text(profile);
    servet_profile_close(profile);
    return text;
}

/* Skips the lines before the caches, which contain the date. */
static const char *facts_of(const char *text)
{
    const char *facts = strstr(text, "\"kinds\"");
    assert_non_null(facts);
    return facts;
}

/* --- findings --------------------------------------------------------------------------------- */

/* The finding of a topic and level whose text holds that; NULL: there is none. */
static const servet_finding *find(const servet_findings *list, servet_topic topic, int level,
                                  const char *text)
{
    for (size_t i = 0; i < list->n; i++) {
        const servet_finding *finding = &list->finding[i];
        if (finding->topic == topic && finding->level == level && strstr(finding->text, text))
            return finding;
    }
    return NULL;
}

/* Checks that the finding is there, with this outcome and this rule (NULL: none). */
static void says(const servet_findings *list, servet_topic topic, int level, const char *text,
                 const char *rule, servet_outcome outcome)
{
    const servet_finding *finding = find(list, topic, level, text);
    if (!finding)
        fail_msg("%s L%d: nothing says '%s'", servet_topic_name(topic), level, text);
    assert_int_equal(finding->outcome, outcome);
    if (rule)
        assert_string_equal(finding->rule, rule);
    else
        assert_null(finding->rule);
    assert_string_equal(finding->cores, "all");
}

/* Weighed alternatives obey the rule: rejected ones cost the limit and more. */
static void numbers_and_outcomes_agree(const servet_findings *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const servet_finding *finding = &list->finding[i];
        bool costs = strstr(finding->text, "below the best model");
        if (costs && finding->outcome == SERVET_OUTCOME_REJECTED)
            assert_true(finding->value >= finding->limit);
        if (costs && finding->outcome == SERVET_OUTCOME_ACCEPTED)
            assert_true(finding->value == 0);
        if (finding->rule && strcmp(finding->rule, "AGREEMENT") == 0)
            assert_int_equal(finding->outcome == SERVET_OUTCOME_ACCEPTED,
                             finding->value >= finding->limit);
    }
}

static void names_the_rules(const servet_findings *list)
{
    const servet_outcome yes = SERVET_OUTCOME_ACCEPTED, no = SERVET_OUTCOME_REJECTED;
    says(list, SERVET_TOPIC_STRIDES, 1, "4 ways x 4 KiB = 16 KiB, line 64 B", NULL, yes);
    says(list, SERVET_TOPIC_STRIDES, 1, "4 ways, ", "CLEAR", yes);
    says(list, SERVET_TOPIC_STRIDES, 1, "5 ways, ", "CLEAR", no);
    says(list, SERVET_TOPIC_STRIDES, 1, "at half the stride", "HALVED", yes);
    says(list, SERVET_TOPIC_PAGES, 2, "8 ways x 128 sets x 64 B = 64 KiB", NULL, yes);
    says(list, SERVET_TOPIC_PAGES, 2, "both halves", "AGREEMENT", yes);
    says(list, SERVET_TOPIC_PAGES, 2, "9 ways, ", "CLEAR", no);
    says(list, SERVET_TOPIC_CURVE, 1, "a cache", "RISE_MIN", yes);
    says(list, SERVET_TOPIC_JOIN, 1, "16 KiB found by conflicts is L1 of the curve", "SAME_OCTAVES",
         yes);
    says(list, SERVET_TOPIC_JOIN, 2, "64 KiB found by conflicts is L2 of the curve", "SAME_OCTAVES",
         yes);
    says(list, SERVET_TOPIC_SHARING, 1, "cores 0 and 1 share the cache", "ODDS_SETTLED", no);
    says(list, SERVET_TOPIC_SHARING, 2, "cores 0 and 1 share the cache", "ODDS_SETTLED", yes);
    assert_non_null(find(list, SERVET_TOPIC_LINE, 0, "64 B (64 to 64)"));
    assert_non_null(find(list, SERVET_TOPIC_LINE, 1, "64 B (64 to 64)"));
    numbers_and_outcomes_agree(list);
}

TEST_EACH(make_folder, remove_folder)

/* Sets that may not grow beyond the cache show no end of it. */
TEST(why_pages_are_not_clear)
{
    servet_findings list = SERVET_FINDINGS_INIT;
    servet_profile_close(measure(plain_model(), CACHES, 32 * KIB, &list));
    says(&list, SERVET_TOPIC_PAGES, 2, "larger ones are not measured", "max_bytes",
         SERVET_OUTCOME_REJECTED);
    says(&list, SERVET_TOPIC_PAGES, 2, "at no size", "slow_share", SERVET_OUTCOME_REJECTED);
    says(&list, SERVET_TOPIC_PAGES, 2, "not determined: at no size", NULL, SERVET_OUTCOME_REJECTED);
    assert_null(find(&list, SERVET_TOPIC_PAGES, 3, ""));
    servet_findings_free(&list);
}

/* A first level whose way is larger than a page, behind addresses that lie at random. */
TEST(why_strides_are_not_clear)
{
    servet_findings list = SERVET_FINDINGS_INIT;
    srv_model *model = plain_model();
    model->cache[0].bytes = 64 * KIB;
    model->cache[1].bytes = 256 * KIB;
    model->cache[0].virtually_indexed = false;
    servet_profile_close(measure(model, CACHES, 512 * KIB, &list));
    says(&list, SERVET_TOPIC_STRIDES, 1, "not determined: ", NULL, SERVET_OUTCOME_REJECTED);
    servet_findings_free(&list);
}

/* --- decisions -------------------------------------------------------------------------------- */

/* Findings name the rule that decided. Without them, the decisions are the same; a replay gives the
 * same findings. */
TEST(findings_name_rules_change_nothing_and_are_replayed)
{
    servet_findings then = SERVET_FINDINGS_INIT, now = SERVET_FINDINGS_INIT;
    servet_profile *profile;
    char *silent = text_of(measure(plain_model(), MORE, 256 * KIB, NULL)),
         *explained = text_of(measure(plain_model(), MORE, 256 * KIB, &then));
    names_the_rules(&then);
    assert_string_equal(facts_of(silent), facts_of(explained));
    free(silent);
    free(explained);
    assert_ok(servet_explain_replay(folder, NULL, NULL, &profile, &now, NULL));
    servet_profile_close(profile);
    assert_int_equal(then.n, now.n);
    for (size_t i = 0; i < then.n; i++) {
        assert_string_equal(then.finding[i].text, now.finding[i].text);
        assert_int_equal(then.finding[i].outcome, now.finding[i].outcome);
    }
    servet_findings_free(&then);
    servet_findings_free(&now);
}
