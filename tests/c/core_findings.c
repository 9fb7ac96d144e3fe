/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings keep what is noted; without a list nothing is stored. */
#include "test.h"

#include "alloc.h"
#include "core/findings.h"

static const srv_rule rule = {"LIMIT", 1.5, 2, SERVET_OUTCOME_REJECTED};

TEST(findings_keep_their_order)
{
    servet_findings list = SERVET_FINDINGS_INIT;
    srv_account on = {&list, SERVET_TOPIC_PAGES, "fast", 2};
    for (int i = 0; i < 200; i++)
        if (i % 2)
            srv_note_rule(&on, rule, "number %d", i);
        else
            srv_note(&on, "number %d", i);
    assert_int_equal(list.n, 200);
    assert_ok(srv_findings_check(&list, NULL));
    const servet_finding *seen = &list.finding[198], *weighed = &list.finding[199];
    assert_string_equal(seen->text, "number 198");
    assert_string_equal(weighed->text, "number 199");
    assert_string_equal(weighed->cores, "fast");
    assert_int_equal(weighed->topic, SERVET_TOPIC_PAGES);
    assert_int_equal(weighed->level, 2);
    assert_int_equal(seen->outcome, SERVET_OUTCOME_SEEN);
    assert_int_equal(weighed->outcome, SERVET_OUTCOME_REJECTED);
    assert_true(isnan(seen->value) && isnan(seen->limit) && !seen->rule);
    assert_true(weighed->value == 1.5 && weighed->limit == 2);
    assert_string_equal(weighed->rule, "LIMIT");
    servet_findings_free(&list);
    assert_int_equal(list.n, 0);
    servet_findings_free(&list);
    servet_findings_free(NULL);
}

TEST(findings_are_optional)
{
    srv_account without = {NULL, SERVET_TOPIC_JOIN, "all", 1};
    srv_note(&without, "nothing");
    srv_note_rule(&without, rule, "nothing");
    assert_ok(srv_findings_check(NULL, NULL));
}

TEST(long_texts_are_cut)
{
    servet_findings list = SERVET_FINDINGS_INIT;
    srv_account on = {&list, SERVET_TOPIC_CURVE, "all", 1};
    srv_note(&on, "%1000s", "end");
    assert_int_equal(strlen(list.finding[0].text), SERVET_FINDING_TEXT_MAX - 1);
    servet_findings_free(&list);
}

/* A list that is not whole says so, and stays as it was. */
TEST(failed_allocations_are_reported)
{
    servet_findings list = SERVET_FINDINGS_INIT;
    srv_account on = {&list, SERVET_TOPIC_CURVE, "all", 1};
    alloc_fail_at(1);
    srv_note(&on, "lost");
    alloc_fail_at(0);
    srv_note(&on, "lost, too");
    assert_int_equal(list.n, 0);
    assert_int_equal(srv_findings_check(&list, NULL), SERVET_EMEMORY);
    servet_findings_free(&list);
    assert_ok(srv_findings_check(&list, NULL));
}

TEST(words_are_joined)
{
    assert_string_equal(servet_topic_name(SERVET_TOPIC_STRIDES), "strides");
    assert_string_equal(servet_topic_name(SERVET_TOPIC_COUNT), "?");
    assert_string_equal(servet_outcome_name(SERVET_OUTCOME_REJECTED), "rejected");
    assert_string_equal(servet_outcome_name(SERVET_OUTCOME_COUNT), "?");
    assert_int_equal(srv_outcome(true), SERVET_OUTCOME_ACCEPTED);
    assert_int_equal(srv_outcome(false), SERVET_OUTCOME_REJECTED);
}

TEST(sizes_are_readable)
{
    char text[SRV_SIZE_TEXT_MAX];
    assert_string_equal(srv_size_text(512, text), "512 B");
    assert_string_equal(srv_size_text(32768, text), "32 KiB");
    assert_string_equal(srv_size_text(1.5 * 1048576, text), "1.5 MiB");
    assert_string_equal(srv_size_text(0x1p31, text), "2 GiB");
}
