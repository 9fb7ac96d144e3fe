/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes and answers as lines of text, and back. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recorded/rows.h"

static char *probe(const srv_entry *entry, bool loosely)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    srv_recorded_probe_write(&entry->probe, loosely, stream);
    fclose(stream);
    return text;
}

static char *line(const srv_entry *entry)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    srv_recorded_probe_write(&entry->probe, false, stream);
    srv_answer_write(&entry->answer, stream);
    fclose(stream);
    return text;
}

static void an_entry_is_found_by_its_words(void **state)
{
    (void)state;
    srv_glance glance = {3, 0.1};
    srv_noise noise = {0.25, NAN, 0, 3.5};
    srv_entry entry = srv_entry_noise(&glance, &noise);
    const char *answer;
    char *text = line(&entry), *exact = probe(&entry, false), *loose = probe(&entry, true);
    assert_string_equal(text, "noise 1 3 0.1 = 1 0.25 nan 0 3.5");
    assert_string_equal(loose, "noise 1 3 *");
    assert_true(srv_recorded_probe_matches(text, exact, &answer));
    assert_true(srv_recorded_probe_matches(text, loose, &answer));
    assert_false(srv_recorded_probe_matches(text, "noise 1 2 0.1", &answer));
    assert_false(srv_recorded_probe_matches(text, "noise 1 3", &answer));
    assert_false(srv_recorded_probe_matches("at 0.5", exact, &answer));
    free(text);
    free(exact);
    free(loose);
}

static void every_member_is_read_back(void **state)
{
    (void)state;
    servet_machine written = {.hostname = "node 7",
                              .os = "",
                              .cpu = "100 % of =!",
                              .cores = "0-3,8",
                              .pu_count = 5,
                              .memory_bytes = 25276510208.0,
                              .page_bytes = 4096,
                              .fingerprint = "cpu=A/1 pus=5",
                              .logical_order = "0,8,1-3"};
    servet_machine read;
    const char *answer;
    srv_entry entry = srv_entry_describe(&written);
    char *text = line(&entry), *exact = probe(&entry, false);
    memset(&read, 0x5a, sizeof read);
    srv_entry back = srv_entry_describe(&read);
    assert_true(srv_recorded_probe_matches(text, exact, &answer));
    assert_int_equal(srv_answer_read(answer, &back.answer), SERVET_OK);
    assert_string_equal(read.hostname, written.hostname);
    assert_string_equal(read.os, "");
    assert_string_equal(read.cpu, written.cpu);
    assert_string_equal(read.cores, written.cores);
    assert_int_equal(read.pu_count, 5);
    assert_true(read.memory_bytes == written.memory_bytes);
    assert_string_equal(read.fingerprint, written.fingerprint);
    assert_string_equal(read.logical_order, written.logical_order);
    size_t length = strlen(text); /* an earlier Servet recorded two words less */
    for (int words = 0; words < 2; words++) {
        while (text[--length] != ' ')
            text[length] = '\0';
        text[length] = '\0';
    }
    assert_true(srv_recorded_probe_matches(text, exact, &answer));
    assert_int_equal(srv_answer_read(answer, &back.answer), SERVET_OK);
    assert_string_equal(read.fingerprint, "");
    assert_string_equal(read.logical_order, "");
    free(text);
    free(exact);
}

static void lists_have_any_length(void **state)
{
    (void)state;
    srv_reported written = {.count = 2, .level = {{32768, 64, "0"}, {33554432, 64, "0-1"}}},
                 read = {.count = 7};
    const char *answer;
    int core = 1;
    srv_entry entry = srv_entry_reported(&core, &written), back = srv_entry_reported(&core, &read);
    char *text = line(&entry);
    assert_true(srv_recorded_probe_matches(text, "reported 1 1", &answer));
    assert_int_equal(srv_answer_read(answer, &back.answer), SERVET_OK);
    assert_int_equal(read.count, 2);
    assert_true(read.level[1].bytes == 33554432);
    assert_string_equal(read.level[1].cores, "0-1");
    free(text);
}

static void a_refusal_is_an_answer(void **state)
{
    (void)state;
    srv_timing timing;
    srv_entry entry = srv_entry_false_sharing(&(srv_false_sharing){0}, &timing);
    assert_int_equal(srv_answer_read(" ! SERVET_EUNSUPPORTED", &entry.answer), SERVET_EUNSUPPORTED);
}

static void malformed_answers_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",                       /* cut off */
        " =",                     /* and here */
        " = 1 0.25 nan 0",        /* a number too few */
        " = 1 0.25 nan 0 3.5 1",  /* one too many */
        " = 1 0.25 nan 0 fast",   /* no number */
        " = 2 1 1 1 1 1 1 1 1",   /* more than requested */
        " = -1",                  /* fewer than none */
        " = 1 0.25 nan 0 3.5GHz", /* more than a number */
        " = 1 0.25 nan 0 1e300",  /* no frequency of anything */
        " ! SERVET_OK",           /* refused, and not */
        " ! SERVET_EVERYTHING",   /* no error */
    };
    srv_noise noise;
    srv_entry entry = srv_entry_noise(&(srv_glance){0, 0}, &noise);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (srv_answer_read(texts[i], &entry.answer) != SERVET_EFORMAT)
            fail_msg("'%s' is read", texts[i]);
}

/* A text longer than its array is not cut. */
static void texts_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    char text[SERVET_NAME_MAX + 64];
    srv_core_type kinds[SRV_CORE_TYPES_MAX];
    int count;
    srv_entry entry = srv_entry_core_types(kinds, &count);
    snprintf(text, sizeof text, " = 1 %0*d 0", SERVET_NAME_MAX - 1, 1);
    assert_int_equal(srv_answer_read(text, &entry.answer), SERVET_OK);
    snprintf(text, sizeof text, " = 1 %0*d 0", SERVET_NAME_MAX, 1);
    assert_int_equal(srv_answer_read(text, &entry.answer), SERVET_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_is_found_by_its_words),
        cmocka_unit_test(every_member_is_read_back),
        cmocka_unit_test(lists_have_any_length),
        cmocka_unit_test(a_refusal_is_an_answer),
        cmocka_unit_test(malformed_answers_are_refused),
        cmocka_unit_test(texts_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
